"""What cannot be written out as transitions."""

import pytest

from rewrite.analysis.fields import Field
from rewrite.analysis.transitions import transitions
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.keys import Unsuitable


def test_a_cost_that_is_computed_cannot_be_written_out() -> None:
    change = Change((), clear=3, cost=object())
    with pytest.raises(Unsuitable, match="a cost that is computed"):
        transitions([(0, change)], (Field(0, 2, ("a", "b", "c"), 0),), lambda *_: lambda _: [])

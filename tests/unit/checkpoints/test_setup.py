"""Room for states as plain data."""

import json
from typing import cast

import pytest

from rewrite import term
from rewrite.checkpoints.saved_setup import Unknown, capacity_of, plain
from rewrite.compile.capacity import LEAST, Capacity
from rewrite.compile.interning import Ctor
from rewrite.compile.reason import Reason
from rewrite.language.terms import Term


@term
class Box:
    at: int


@term
class Ring:
    of: str


BOX, RING = cast("type[Term]", Box), cast("type[Term]", Ring)
ROOM = Capacity(
    term_types=["int", "bag", Ctor.of(BOX)], ctors=[Ctor.of(RING), Ctor.of(BOX)], bits=48,
    multiset=[Reason("two of them", "use one", "go"), "because"], definition=["deep"],
)  # fmt: skip


@pytest.mark.parametrize("capacity", [LEAST, ROOM])
def test_it_comes_back_from_json(capacity: Capacity) -> None:
    assert capacity_of(json.loads(json.dumps(plain(capacity))), [BOX]) == capacity
    assert [one.description for one in capacity_of(plain(capacity), []).multiset] == [
        one.description for one in capacity.multiset
    ]


def test_one_that_is_not_there_is_named() -> None:
    given = {**plain(LEAST), "ctors": [["Gone", __name__, ["at", "to"]]]}
    with pytest.raises(Unknown, match=r"the constructor Gone\(at, to\) of the module"):
        capacity_of(given, [])
    given = {**plain(LEAST), "ctors": [["Box", __name__, ["elsewhere"]]]}
    with pytest.raises(Unknown, match=r"Box\(elsewhere\)"):
        capacity_of(given, [])

"""Symmetry declarations."""

import re

import pytest

from rewrite import PuzzleError, UnboundVariable, interchangeable, ints, relabel
from rewrite.language.order import term_key
from tests.terms import At

P, D, E = ints("P D E")


def test_a_relabelling_shows_its_source_and_has_a_key() -> None:
    made = relabel(At(P, D), At(P // 6 * 6 + (P + 3) % 6, D))
    assert repr(made) == "relabel(At(P, D), At(P // 6 * 6 + (P + 3) % 6, D))"
    assert term_key(made) == term_key(relabel(At(P, D), At(P // 6 * 6 + (P + 3) % 6, D)))
    assert term_key(made) != term_key(relabel(At(P, D), At(P, 10 - D)))


def test_an_image_that_uses_what_its_pattern_does_not_bind_is_refused() -> None:
    text = "relabel(At(P, D), At(P, E)): the image uses E, which the pattern does not bind"
    with pytest.raises(UnboundVariable, match=re.escape(text)) as raised:
        relabel(At(P, D), At(P, E))
    assert raised.value.variable == "E"


def test_interchangeable_needs_two_or_more_plain_values() -> None:
    assert repr(interchangeable("a", 2, At(1, 2))) == "interchangeable('a', 2, At(1, 2))"
    assert term_key(interchangeable(1, 2)) != term_key(interchangeable(True, 2))
    for values, text in [(("a",), "interchangeable('a')"), ((P, 2), "interchangeable(P, 2)")]:
        with pytest.raises(PuzzleError, match=re.escape(text + " needs two or more plain values")):
            interchangeable(*values)

"""Terms that grow are noticed while grounding, and kept as a multiset; those that end in bits."""

from typing import Any

import pytest

from rewrite.compile.slots import grounding
from rewrite.engine.build import build
from rewrite.language.builtins import length
from rewrite.language.conditions import contains
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.native import status
from rewrite.search.api import search
from tests.engines import task_of
from tests.property.growing_puzzles import JOINS, Fuel, Pile, Row, Tree, Word

JOINED: list[tuple[type, list[Any], int]] = [
    (Word, [Word("a"), Word("b"), Word("c")], 16 - 3),
    (Row, [Row((1,)), Row((2,)), Row((3,))], 16 - 3),
    (Tree, [Tree(1), Tree(2), Tree(3)], 19),
    (Pile, [Pile("a"), Pile("b"), Pile("c")], 7),
]
"""A kind, a start, and how many states there are by the definition."""


def joining(kind: type, start: list[Any]) -> Puzzle:
    left, right, joined = JOINS[kind][1 if kind is Pile else 0]
    return Puzzle(rule("join", take=[left, right], put=[joined]), start=start, name="joining")


@pytest.mark.filterwarnings("ignore:.*nothing makes Fuel:rewrite.errors.RewriteWarning")
@pytest.mark.parametrize(("kind", "start", "states"), JOINED)
def test_terms_that_rules_join_take_the_multiset_at_once(
    kind: type, start: list[Any], states: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = 0
    real = grounding._Effort.turn

    def turn(self: Any) -> None:
        nonlocal counted
        counted += 1
        real(self)

    monkeypatch.setattr(grounding._Effort, "turn", turn)
    puzzle = joining(kind, start)
    encoding = build(task_of(puzzle)).encoding
    assert encoding.endswith(": its terms grow without end")
    assert counted < 5_000
    for engine in ["python", *(["native"] if status().usable else [])]:
        result = search(puzzle, None, contains(Fuel(1)), engine=engine)
        assert (result.status, result.states) == ("exhausted", states)


def test_one_term_that_doubles_is_noticed_before_it_fills_the_memory() -> None:
    cells = JOINS[Row][0][0].cells
    puzzle = Puzzle(
        rule("double", take=[Row(cells), Fuel(1)], keep=[Row((9,))], put=[Row((*cells, *cells))]),
        start=[Row((1,)), Row((9,)), Fuel(1)],
    )
    encoding = build(task_of(puzzle)).encoding
    assert encoding.endswith(": its terms grow without end")


def test_growth_that_a_guard_ends_stays_in_bits() -> None:
    left, right, joined = JOINS[Word][0]
    short = length(joined.text) <= 2
    puzzle = Puzzle(
        rule("join", take=[left, right], put=[joined], when=short),
        start=[Word("a"), Word("b")],
    )
    assert "bits" in build(task_of(puzzle)).encoding

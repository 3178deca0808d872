"""Heuristics that are sums over the fields of a state, and such as only look like it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import rewrite.native.engine
from puzzles.eight_puzzle import Tile, instance
from rewrite.compile.code.puzzle_code import SlotCode
from rewrite.compile.code.sums import summed
from rewrite.engine.build import build
from rewrite.engine.interface import CodeEngine
from rewrite.errors import HeuristicError
from rewrite.language.conditions import contains, count, total
from rewrite.language.expressions import Expression
from rewrite.language.functions import fn, ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.terms import term
from rewrite.native.program import Program, lowered
from rewrite.results.result import Result
from rewrite.search.api import search
from tests.engines import able, natively, task_of

C, D, V, W, N = ints("C D V W N")
BOARD = instance("412", "053", "786")


@fn
def doubled(number: int) -> int:
    return [0, 2, 4, 6, 8, 10, 12, 14, 16][number]  # not written out as an expression


FAR = total(abs(C // 3 - (V - 1) // 3) + abs(C % 3 - (V - 1) % 3), Tile(C, V), when=V > 0)
MISPLACED = count(Tile(C, V), when=[V > 0, C != V - 1])
SUMS = [
    FAR,
    MISPLACED,
    3 * FAR + MISPLACED,
    FAR - 0 * MISPLACED + 2,
    total((V + 12) // 5, Tile(C, V)),
]
OTHERS = [
    total(12 // (V + 1), Tile(C, V)),  # may have no value, as far as its writer knows
    FAR * MISPLACED,
    FAR // 2,
    count(Tile(C, V), Tile(D, W), when=[C // 3 == D // 3, V == C + 1, W == D + 1, V > W]),
    total(doubled(V), Tile(C, V), when=[V > 0, C != V - 1]),
]


def fields(puzzle: Puzzle, given: Any) -> int | None:
    """Of how many fields an expression is a sum; None where it is none."""
    engine = build(task_of(puzzle, puzzle.goal, (given,)))
    assert isinstance(engine, CodeEngine)
    code = engine.code
    assert isinstance(code, SlotCode)
    found = summed(code.values[0], code.fields)
    return None if found is None else len(found)


@pytest.mark.parametrize("given", SUMS)
def test_sums_are_known_by_the_fields_that_they_look_at(given: Expression) -> None:
    assert fields(BOARD, given) == 9


@pytest.mark.parametrize("given", OTHERS)
def test_what_looks_at_two_fields_calls_python_or_may_lack_a_value_is_no_sum(
    given: Expression,
) -> None:
    assert fields(BOARD, given) is None


def figures(result: Result) -> Any:
    path = result.path and [*result.path.states]
    return result.status, path, result.expanded, result.states, result.rules, result.notes


@contextmanager
def evaluated() -> Iterator[None]:
    """Let the core evaluate sums in each state, instead of learning what each term adds."""

    def plain(*arguments: Any, **options: Any) -> Program:
        made = lowered(*arguments, **options)
        made.data["sum"] = None
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rewrite.native.engine, "lowered", plain)
        yield


def agree(puzzle: Puzzle, **options: Any) -> None:
    """Hold a search by a sum against one by its value."""
    by_sum = search(puzzle, **options)
    with evaluated():
        assert figures(search(puzzle, **options)) == figures(by_sum)


@natively
@pytest.mark.parametrize("strategy", ["astar", "greedy", "idastar"])
def test_numbers_that_come_up_later_are_learnt_then(strategy: str) -> None:
    """A pile grows: nobody knows at the beginning what it may hold."""

    @term
    class Pile:
        at: int
        size: int

    grow = rule("grow {C}", take=[Pile(C, V)], put=[Pile(C, V + C)], when=V < 40)
    start = [Pile(1, 0), Pile(3, 0), Pile(4, 0)]
    piles = Puzzle(grow, start=start, goal=contains(Pile(1, 4), Pile(3, 9), Pile(4, 12)))
    missing = total(abs(V - 3 * C), Pile(C, V), when=V < 3 * C) // 1
    for given in (missing, total(abs(V - 3 * C), Pile(C, V))):
        agree(piles, strategy=strategy, heuristic=given, max_states=400, max_depth=12)


@able(["astar", "idastar"])
def test_a_sum_below_zero_is_an_error_in_the_state_where_it_is(strategy: str, engine: str) -> None:
    sunk = MISPLACED - 5 * count(Tile(5, 5)) - 2
    with pytest.raises(HeuristicError) as raised:
        search(instance("123", "450", "786"), heuristic=sunk, strategy=strategy, engine=engine)
    assert "the heuristic gave -" in str(raised.value)

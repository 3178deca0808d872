"""What the core cannot do, or has no numbers for, is left to Python, with a note."""

import sys
from typing import Any

import pytest

from rewrite import ANY, STRATEGIES, Puzzle, contains, count, ints, rule, search, term, terms, total
from rewrite.language.builtins import BUILTINS
from rewrite.native import core
from tests.engines import natively
from tests.unit.native.both_ends import USUAL
from tests.unit.native.programs import machine, slots, tiny

pytestmark = natively

END = ("Return", [0])
M, N = ints("M N")
P = terms("P")


def test_the_strategies_of_the_core_are_those_of_the_registry() -> None:
    assert set(core().strategies()) <= set(STRATEGIES)


def test_a_heuristic_that_the_core_does_not_know_is_left_to_python() -> None:
    with pytest.raises(core().Unsupported, match='it has no heuristic "mine"'):
        machine(slots(END, estimate={"kind": "mine", "fields": []}))


def test_the_table_says_which_built_in_functions_the_core_has() -> None:
    known = {*core().builtins()}
    assert {row.name for row in BUILTINS.values() if row.twin} == {
        row.name for row in BUILTINS.values() if row.code in known
    }


def test_weights_beyond_a_machine_word_are_left_to_python() -> None:
    with pytest.raises(core().Unsupported, match="it has no weight beyond 64 bits"):
        core().Search(machine(tiny(END)), [[1, 2]], USUAL | {"options": {"weight": 2**70}}, 1)


# -- large puzzles -----------------------------------------------------------------------------


def spread(number: int) -> Puzzle:
    """A rule that puts a sequence of so many parts, each worked out."""
    return Puzzle(
        rule("spread", take=[N], put=[tuple(N + part for part in range(number))]),
        start=[1], goal=contains(tuple(1 + part for part in range(number))),
    )  # fmt: skip


def many_types(number: int) -> Puzzle:
    annotated = {"__annotations__": {"n": int}}
    types: list[Any] = [term(type(f"T{one}", (), annotated)) for one in range(number)]
    return Puzzle(
        rule("copy", take=[P], put=[P, P], when=count(ANY) < number + 2),
        start=[made(1) for made in types], goal=contains(types[-1](1), types[-1](1)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (many_types(70), ""),
        (spread(127), ""),
        (spread(128), "it has no instruction Tuple with 256 operands"),
    ],
    ids=["types", "parts", "more parts"],
)
def test_a_puzzle_too_large_for_the_core_is_searched_in_python(puzzle: Puzzle, why: str) -> None:
    found = search(puzzle, engine="native")
    assert found.status == "found"
    assert (found.engine, len(found.notes)) == (("python", 1) if why else ("native", 0))
    assert why in "".join(found.notes)


@pytest.mark.parametrize("levels", [240, 300])
def test_totals_of_totals_are_left_to_python_where_each_takes_a_call(levels: int) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)  # or Python ends before the core
    try:
        deep: Any = N
        for _ in range(levels):
            deep = total(deep, M)
        up = Puzzle(rule("up", take=[N], put=[N + 1], when=deep >= 0), start=[0], facts=[1])
        found = search(up, goal=contains(3), engine="native")
    finally:
        sys.setrecursionlimit(limit)
    assert (found.status, found.engine) == ("found", "native" if levels == 240 else "python")
    assert len(found.notes) == (levels == 300)
    assert "calls inside each other" in "".join(found.notes) or levels == 240


@pytest.mark.parametrize(
    "change", [{"counters": 1 << 16}, {"functions": [("step", 0, 1 << 16, [0], 1)]}]
)
def test_more_rules_or_values_than_the_core_can_number_are_left_to_python(
    change: dict[str, Any],
) -> None:
    with pytest.raises(core().Unsupported, match="more rules or terms than it can number"):
        machine(tiny(END) | change)

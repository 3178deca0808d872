"""Terms that grow are noticed while grounding, and kept as a multiset; those that end in bits."""

from typing import Any

import pytest

from rewrite import Puzzle, contains, ints, length, rule, search, term
from rewrite.compile.slots import effort, grounding
from rewrite.compile.slots.keys import Unsuitable, find
from rewrite.engine.build import build
from rewrite.native import status
from tests.engines import start_of, task_of
from tests.property.growing_puzzles import JOINS, Fork, Fuel, Pile, Q, Row, S, Tree, Word

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
    real = effort.Effort.spend

    def spend(self: Any, left: int) -> int:
        nonlocal counted
        counted += effort.BATCH - left
        return real(self, left)

    monkeypatch.setattr(effort.Effort, "spend", spend)
    puzzle = joining(kind, start)
    encoding = build(task_of(puzzle)).encoding
    assert encoding.endswith(": its terms grow without end")
    assert counted < 50_000  # terms tried: some milliseconds
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


@term
class Lap:
    place: int
    number: int


N, M = ints("N M")
L = ints("L")


def counting(**more: Any) -> Puzzle:
    """A number goes up by one with each lap around five places."""
    walk = rule("walk", take=[Lap(M, N)], keep=[Fork(M, L)], put=[Lap(L, N)], when=M != 4)
    lap = rule("lap", take=[Lap(4, N)], put=[Lap(0, N + 1)], **more)
    facts = [Fork(place, place + 1) for place in range(4)]
    return Puzzle(walk, lap, start=[Lap(0, 0), Lap(1, 0)], facts=facts)


def up(made: Any, start: list[Any], **more: Any) -> Puzzle:
    return Puzzle(rule("up", take=[type(made)(N)], put=[made], **more), start=start)


def grounder_of(puzzle: Puzzle) -> grounding.Grounder:
    return grounding.Grounder(puzzle, find(puzzle, start_of(puzzle)), start_of(puzzle))


@pytest.mark.parametrize(
    ("puzzle", "atoms"),
    [
        (up(Fuel(N + 1), [Fuel(0), Fuel(1)], when=N < 1_000), 1_001),
        (up(Fuel(2 * N), [Fuel(1), Fuel(3)], when=N < 2**60), 61 + 60),
        # names that get longer on the way are there from the start
        (Puzzle(rule("on", take=[Word(S)], keep=[Fork(S, Q)], put=[Word(Q)]),
                start=[Word("a"), Word("b")],
                facts=[Fork("a" * n, "a" * (n + 1)) for n in range(1, 40)]), 41),
        (counting(when=N < 300), 5 * 301),
    ],
)  # fmt: skip
def test_what_grows_within_bounds_is_ground(puzzle: Puzzle, atoms: int) -> None:
    assert len(grounder_of(puzzle).atoms_and_instances()[0]) == atoms


@pytest.mark.parametrize(
    "puzzle",
    [
        counting(),
        up(Fuel(N + 1), [Fuel(0), Fuel(7)]),
        up(Fuel(N - 3), [Fuel(0), Fuel(7)], when=N < 9),
        # few values, but all pairs of them
        Puzzle(rule("double", take=[Fuel(N)], keep=[Fuel(M)], put=[Fuel(2 * N)], when=N != M),
               start=[Fuel(1), Fuel(3)]),
    ],
)  # fmt: skip
def test_numbers_that_grow_without_end_are_noticed(puzzle: Puzzle) -> None:
    grounder = grounder_of(puzzle)
    with pytest.raises(Unsuitable, match=effort.GROWS):
        grounder.atoms_and_instances()
    assert grounder.effort.work < 200_000

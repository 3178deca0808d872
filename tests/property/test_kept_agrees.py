"""A search that shares a compiled puzzle finds what one finds that compiles it anew."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.compile import encoding
from rewrite.errors import RewriteError
from rewrite.language.conditions import contains, count
from rewrite.language.functions import ints, terms
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import relabel
from rewrite.language.terms import term
from rewrite.search.api import search
from tests.answers import facts
from tests.engines import every_engine, natively, start_of
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import first_states
from tests.property.drawn import drawn
from tests.property.sliding_puzzles import sliding_puzzles
from tests.property.strategies import puzzles

OPTIONS: list[dict[str, Any]] = [
    {}, {"solutions": None}, {"strategy": "uniform_cost"}, {"symmetry": "find"},
    {"heuristic": "goal_count", "strategy": "greedy"}, {"strategy": "bidirectional"},
]  # fmt: skip
LIMITS = {"max_states": 300, "max_depth": 6}


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    encoding.forget()
    yield
    encoding.forget()


def told(puzzle: Puzzle, engine: str, **options: Any) -> Any:
    """Everything that a search tells, but how long it took."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = search(puzzle, engine=engine, **(LIMITS | options))
    except RewriteError as error:
        return type(error), str(error)
    return facts(result, "engine")


def starts(puzzle: Puzzle) -> list[State | None]:
    """The start and some of the states that it leads to."""
    try:
        return list({puzzle.start: None} | dict.fromkeys(first_states(puzzle, 4)))
    except RewriteError:
        return [puzzle.start]


def check(puzzle: Puzzle, goals: list[Any], engine: str, **options: Any) -> int:
    """Compare searches from several starts, for several goals, with and without what is kept."""
    variants = [
        puzzle.replace(start=start, goal=goal) for start in starts(puzzle) for goal in goals
    ]
    encoding.forget()
    kept = [told(one, engine, **options) for one in [*variants, *variants[::-1]]]
    for one, found in zip([*variants, *variants[::-1]], kept, strict=True):
        encoding.forget()
        assert found == told(one, engine, **options), (one.start, one.goal)
    return len(variants)


def some_goals(puzzle: Puzzle) -> list[Any]:
    first = next(iter(start_of(puzzle)), 1)
    return [puzzle.goal, contains(first, first)]


@every_engine
@given(puzzle=puzzles(), solutions=st.sampled_from([1, None]))
def test_searches_of_any_rules_share_what_is_compiled(
    engine: str, puzzle: Puzzle, solutions: Any
) -> None:
    check(puzzle, some_goals(puzzle), engine, solutions=solutions)


@every_engine
@given(
    puzzle=board_puzzles(),
    options=st.sampled_from(OPTIONS),
)
def test_searches_of_boards_share_what_is_compiled(
    engine: str, puzzle: Puzzle, options: dict[str, Any]
) -> None:
    if options.get("strategy") in ("bidirectional", "uniform_cost"):
        options = options | {"max_depth": None}
    check(puzzle, some_goals(puzzle), engine, **options)


@every_engine
@given(puzzle=sliding_puzzles())
def test_searches_of_sliding_pieces_share_what_is_compiled(engine: str, puzzle: Puzzle) -> None:
    check(puzzle, some_goals(puzzle), engine)


M, N = ints("M N")
X = terms("X")


@term
class At:
    place: int
    thing: Any


SWAP = rule("swap", take=[At(M, N), At(M + 1, X)], put=[At(M, X), At(M + 1, N)])


def test_starts_of_one_form_are_compiled_once() -> None:
    encoding.forget()
    first = Puzzle(SWAP, start=[At(0, 1), At(1, 2), At(2, 3)], goal=contains(At(0, 3)))
    for things in ((1, 2, 3), (3, 2, 1), (2, 1, 3)):
        again = first.replace(start=[At(place, thing) for place, thing in enumerate(things)])
        assert search(again).status == "found"
    assert (len(encoding._FORMS), len(encoding._EXACT)) == (1, 1)  # the first one, under both keys
    search(first.replace(start=[At(0, 1), At(1, 3)]))
    assert len(encoding._FORMS) == 2


def test_two_jugs_share_what_is_compiled_whether_both_are_empty_or_one_is() -> None:
    encoding.forget()
    pour = rule("pour", take=[At(M, N)], put=[At(M, 3 - N)])
    for first in (0, 3):
        search(Puzzle(pour, start=[At(0, first), At(1, 0)], goal=contains(At(1, 3))))
    assert len(encoding._FORMS) == 1


def test_what_goes_by_the_numbers_of_values_is_compiled_for_its_own_start() -> None:
    encoding.forget()
    puzzle = Puzzle(
        SWAP, start=[At(0, 1), At(1, 2)], goal=contains(At(0, 2)),
        symmetry=relabel(At(M, X), At(1 - M, X)),
    )  # fmt: skip
    for start in ([At(0, 1), At(1, 2)], [At(0, 2), At(1, 1)]):
        search(puzzle, start, symmetry="find")
    assert (len(encoding._FORMS), len(encoding._EXACT)) == (0, 2)


def test_user_functions_are_told_apart() -> None:
    encoding.forget()
    for limit in (3, 5):
        made = Puzzle(
            rule("up", take=[M], put=[M + 1]), start=[0], never=lambda state: False,
            goal=lambda state, limit=limit: limit in state,
        )  # fmt: skip
        assert len(search(made).paths[0]) == limit


@every_engine
@pytest.mark.parametrize("loose", [(), (7,)])
def test_of_two_constructors_of_one_name_each_search_makes_its_own(
    engine: str, loose: tuple[int, ...]
) -> None:
    def declared() -> Any:
        @term
        class Lamp:
            on: int

        @term
        class Lit:
            by: int

        return Lamp, Lit

    made = [declared(), declared()]
    asked = [
        Puzzle(rule("on", take=[lamp(0), *([M] if loose else [])], put=[lit(1)]),
               start=[lamp(0), *loose], goal=contains(lit(1)))
        for lamp, lit in made
    ]  # fmt: skip
    for which in (0, 1, 0, 1):
        path = search(asked[which], engine=engine).paths[0]
        assert [type(one) for one in path.end] == [made[which][1]]
        assert {type(one) for step in path for one in step.taken} <= {made[which][0], int}


def test_open_values_have_numbers_of_their_own_in_each_search() -> None:
    grow = rule("grow", take=[At(0, N)], put=[At(0, N * 3 + M)], keep=[At(1, M)], when=N < 10**9)
    base = Puzzle(grow, start=[At(0, 1), At(1, 1)], goal=count(X) == 9)
    encoding.forget()
    ends = []
    for first in (1, 2, 1):
        found = search(base, [At(0, first), At(1, 1)], contains(At(0, M), when=M > 500))
        ends.append(found.paths[0].end)
    assert ends[0] == ends[2] != ends[1]


def test_many_puzzles_are_compared() -> None:
    assert sum(check(one, some_goals(one), "python") for one in drawn(board_puzzles, 8)) > 30


def test_only_so_many_are_kept() -> None:
    encoding.forget()
    for number in range(encoding.MOST_KEPT + 5):
        search(Puzzle(rule("up", take=[M], put=[M + 1]), start=[0], goal=contains(1),
                      facts=[At(number, 1)]))  # fmt: skip
    assert len(encoding._MULTISETS) == encoding.MOST_KEPT


@natively
def test_which_start_came_first_does_not_change_what_is_expanded() -> None:
    from puzzles import PUZZLES

    jugs = PUZZLES["water_jugs"]()
    assert jugs.start is not None
    encoding.forget()
    alone = search(jugs, strategy="idastar").expanded
    for start in first_states(jugs, 8):
        encoding.forget()
        search(jugs.replace(start=start), strategy="idastar")
        assert search(jugs, strategy="idastar").expanded == alone, start

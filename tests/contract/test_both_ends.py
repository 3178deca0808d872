"""Bidirectional search: what it finds, when it is chosen, and what it refuses.

What is right is said by breadth-first search and Dijkstra's, which come from one end.
"""

from typing import Any

import pytest

from puzzles import PUZZLES, two_grids
from puzzles.lights_out import Lamp
from rewrite.errors import SearchError
from rewrite.language.conditions import contains, exactly, lowest
from rewrite.language.expressions import ANY
from rewrite.language.functions import fn, seqs, terms
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.states import State
from rewrite.results.replay import replay
from rewrite.results.result import Result
from rewrite.search import ends
from rewrite.search.api import search, solutions
from tests import answers
from tests.answers import labelled
from tests.contract.graphs import NOWHERE, At, M, distances, graph, place, plain, random_graph
from tests.engines import ENGINES, every_engine, natively

LINE = plain(*[(n, n + 1) for n in range(9)])


def from_both(puzzle: Puzzle, goal: Any = None, **options: Any) -> Result:
    return search(puzzle, None, goal, strategy="bidirectional", **options)


def same_on_all(puzzle: Puzzle, goal: Any = None, **options: Any) -> Result:
    return answers.same_on_all(puzzle, goal=goal, strategy="bidirectional", **options)


GALLERY = [
    ("water_jugs", (), 6),
    ("water_jugs", ("1", "3", "5"), 4),
    ("farmer", (), 7),
    ("sokoban", (), 33),
    ("eight_puzzle", ("123", "405", "786"), 2),
    ("eight_puzzle", (), 31),  # no state is farther: OEIS A089473
    ("eight_tuple", ("120", "453", "786"), 2),
    ("eight_tuple", ("023", "156", "478"), 4),
    ("pancakes", ("3", "1", "4", "2", "5"), 4),
    ("pancakes", (), 8),  # OEIS A058986
    ("lights_out", ("3",), 5),
    ("peg_solitaire", (), 13),
    ("two_grids", ("286449", "571393", "816572"), 4),
]


@pytest.mark.parametrize(
    ("name", "words", "length"), GALLERY, ids=[f"{name}-{''.join(w)}" for name, w, _ in GALLERY]
)
def test_a_shortest_way_is_found_from_both_ends_and_replays_to_a_goal(
    name: str, words: tuple[str, ...], length: int
) -> None:
    puzzle = PUZZLES[name](*words)
    result = same_on_all(puzzle)
    assert (result.status, result.optimal, result.strategy) == ("found", True, "bidirectional")
    assert len(result.paths[0]) == result.depth == length
    assert f"{length} steps, shortest" in result.summary()
    walked = replay(puzzle, puzzle.start, result.paths[0])
    assert walked.states == result.paths[0].states
    assert search(puzzle, walked.end).depth == 0  # its end is a goal


def test_the_farthest_8_puzzle_takes_a_tenth_of_the_states() -> None:
    result = from_both(PUZZLES["eight_puzzle"]())
    assert result.states < 18_144  # of 181,440


@pytest.mark.parametrize("seed", range(8))
def test_with_costs_a_cheapest_way_is_found(seed: int) -> None:
    puzzle = graph(random_graph(seed, weights=9))
    for state, (_, cost) in distances(puzzle).items():
        result = same_on_all(puzzle, state)
        assert (result.paths[0].cost, result.optimal) == (cost, True)
        assert replay(puzzle, puzzle.start, result.paths[0]).end == state
        assert search(puzzle, None, state, strategy="uniform_cost").paths[0].cost == cost


def test_a_dear_first_meeting_is_not_taken_for_the_cheapest_way() -> None:
    puzzle = graph([(0, 1, 5), (1, 3, 5), (0, 2, 1), (2, 4, 1), (4, 5, 1), (5, 3, 1)])
    result = same_on_all(puzzle, place(3))
    assert (result.paths[0].cost, len(result.paths[0])) == (4, 4)
    assert "4 steps, cheapest, cost 4" in result.summary()


def test_of_several_goals_a_nearest_is_found_and_its_bindings_told() -> None:
    result = same_on_all(LINE, contains(At(M), when=M > 6))
    assert result.bindings == {"M": 7}
    assert result.depth == 7
    assert same_on_all(LINE, [State([At(8)]), State([At(3)])]).depth == 3


@pytest.mark.parametrize("goal", [place(0), contains(At(ANY)), lambda state: True])
def test_a_start_that_is_a_goal_is_found_at_once(goal: Any) -> None:
    result = same_on_all(LINE, goal)
    assert (result.status, len(result.paths[0]), result.expanded) == ("found", 0, 0)
    assert "0 steps, the start is a goal" in result.summary()
    assert same_on_all(graph([(0, 1, 4)]), place(0)).depth == 0


def test_without_a_way_the_ends_are_told_apart_from_a_whole_space() -> None:
    puzzle = LINE.replace(never=contains(At(5)))
    result = same_on_all(puzzle, place(9))
    assert (result.status, result.limit) == ("exhausted", None)
    assert "no solution: no way between the ends, 6 states seen from both" in result.summary()
    assert "no way between the ends, 1 state seen" in same_on_all(LINE, NOWHERE).summary()
    dear = graph([(0, 1, 2), (2, 3, 2)])
    assert same_on_all(dear, place(3)).status == "exhausted"


COUNTING = rule("count", take=[M], put=[M - 1], when=M > 0)


@pytest.mark.parametrize(
    ("cost", "more", "start", "end"), [(1, [], [], []), (0, [COUNTING], [3], [0])]
)
def test_an_end_without_end_waits_for_the_other(
    cost: int, more: list[Rule], start: list[int], end: list[int]
) -> None:
    """Backwards, the sequence grows for ever: in levels that stay small, or at no cost."""
    x, (before, after) = terms("X"), seqs("B A")
    shrink = rule("shrink", take=[(*before, x, x, *after)], put=[(*before, x, *after)], cost=cost)
    shrinking = Puzzle(shrink, *more, start=[*start, (1, 1, 2, 2, 3, 3)])
    never = same_on_all(shrinking, exactly(*end, (4,)), max_states=600)
    assert (never.status, never.limit) == ("exhausted", None)
    path = from_both(shrinking, exactly(*end, (1, 2, 3))).path
    assert path is not None
    assert path.cost == 3


def test_max_depth_is_inclusive_and_a_search_stopped_by_it_goes_on() -> None:
    assert same_on_all(LINE, place(9), max_depth=9).depth == 9
    for name in ENGINES:
        stopped = from_both(LINE, place(9), max_depth=3, engine=name)
        assert (stopped.status, stopped.limit, stopped.limit_value) == ("limit", "max_depth", 3)
        again = stopped.resume(max_depth=8)
        assert (again.status, again.limit_value, again.depth) == ("limit", 8, 8)
        whole, fresh = again.resume(), from_both(LINE, place(9), engine=name)
        assert whole.status == "found"
        assert labelled(whole) == labelled(fresh)


@pytest.mark.parametrize("puzzle", [LINE, graph([(n, n + 1, 2) for n in range(9)])])
def test_max_states_counts_states_from_both_ends_and_a_search_goes_on(puzzle: Puzzle) -> None:
    result = same_on_all(puzzle, place(9), max_states=4)
    assert (result.status, result.limit, result.limit_value) == ("limit", "max_states", 4)
    assert "stopped by max_states=4: not found yet" in result.summary()
    for name in ENGINES:
        stopped = from_both(puzzle, place(9), max_states=4, engine=name)
        assert labelled(stopped.resume()) == labelled(from_both(puzzle, place(9), engine=name))


def test_auto_comes_from_both_ends_where_a_space_is_large_and_tells_it() -> None:
    puzzle = PUZZLES["two_grids"]("286449", "571393", "816572")
    for name in ENGINES:
        result = search(puzzle, engine=name)
        assert (result.strategy, result.depth, result.optimal) == ("bidirectional", 4, True)
        assert "searched from both ends: 64 goal states, inverse rules" in result.notes


@pytest.mark.parametrize("name", ["water_jugs", "farmer", "pancakes", "lights_out", "digitle"])
def test_auto_comes_from_one_end_where_a_space_is_small_or_rules_have_no_inverse(name: str) -> None:
    puzzle = PUZZLES[name](*{"lights_out": ("3",)}.get(name, ()))
    result = search(puzzle)
    assert result.strategy == "breadth_first"
    assert not any("both ends" in note for note in result.notes)


@pytest.mark.parametrize(
    "options",
    [
        {"solutions": 2},
        {"min_depth": 1},
        pytest.param({"distinct": "paths"}, marks=natively),
        {"heuristic": 0},
        {"goal": contains(two_grids.At(0, 5)), "symmetry": "none"},  # too many states
    ],
)
def test_auto_comes_from_one_end_where_more_is_asked_than_one_way(options: dict[str, Any]) -> None:
    puzzle = PUZZLES["two_grids"]("286449", "571393", "816572")
    result = search(puzzle, **{"max_states": 50, **options})
    assert result.strategy in ("breadth_first", "astar")


def test_auto_begins_again_from_one_end_where_a_function_fails_backwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ends, "WORTH", 1)
    monkeypatch.setattr(ends, "pays", lambda asked, engine: True)
    puzzle = fails_backwards()
    for name in ENGINES:
        result = search(puzzle, engine=name)
        assert (result.strategy, result.depth) == ("breadth_first", 2)
        assert not any("both ends" in note for note in result.notes)


def fails_backwards() -> Puzzle:
    """Forwards it is 1, 4, 9; backwards from 9 also 7, of which the function knows nothing."""

    def known(number: int) -> bool:
        if number == 7:
            raise LookupError("no seven")
        return True

    return Puzzle(
        rule("two", take=[M], put=[M + 2], when=fn(known)(M)),
        rule("three", take=[1], put=[4]),
        rule("five", take=[4], put=[9]),
        start=[1],
        goal=exactly(9),
        name="seven",
    )


def two_on_a_ring(*more: Any) -> Puzzle:
    """Two hop around a ring of 18 cells: few of the 131,072 states that meet the goal hold two."""
    hops = [
        rule(f"hop {by}", take=[At(M)], put=[At((M + by) % 18)], absent=[At((M + by) % 18)])
        for by in (2, -2)
    ]
    return Puzzle(*hops, *more, start=[At(8), At(5)], goal=contains(At(0)), name="ring")


@every_engine
@pytest.mark.parametrize(
    ("puzzle", "note"),
    [
        (two_on_a_ring(), "no symmetry is used: with it, the goal states cannot be listed"),
        (two_on_a_ring(rule("slide", take=[At(9)], put=[At(11)], absent=[At(11)])), None),
    ],
    ids=["a reflection", "none"],
)
def test_where_no_symmetry_is_used_mutexes_narrow_both_ends(
    puzzle: Puzzle, note: str | None, engine: str
) -> None:
    plainly = from_both(puzzle, engine=engine)
    found = from_both(puzzle, engine=engine, symmetry="find")
    assert (len(found.path or ()), found.states) == (len(plainly.path or ()), plainly.states)
    assert len(plainly.path or ()) == 4
    assert note is None or note in found.notes


OUT = r"\. Use strategy='breadth_first', or 'astar' with a heuristic"
ALL = "needs all goal states, but the goal "
SPECIFIC = r"; give a more specific goal, such as a whole state: exactly\(\.\.\.\)"
REFUSED: list[tuple[Puzzle, Any, str]] = [
    (
        fails_backwards(),
        None,
        "runs rules backwards, also from states that the start never reaches, "
        r"and that failed: a function failed: LookupError: no seven\. Use strategy='breadth_first'",
    ),
    (
        LINE.replace(simplify=[rule("fall", take=[At(5)], put=[At(0)])]),
        place(9),
        "runs rules "
        "backwards, but simplify= cannot be undone: many states may have the same normal form"
        + OUT,
    ),
    (
        LINE.replace(never=contains(At(0))),
        place(9),
        r"cannot end in a start that never= forbids: \[At\(0\)\]" + OUT,
    ),
    (
        PUZZLES["lights_out"]("5"),
        contains(Lamp(0, 0)),
        ALL + "is met by more than 100,000 states" + SPECIFIC + OUT,
    ),
    (
        PUZZLES["digitle"](),
        None,
        "needs rules that can be run backwards, but rule "
        r"'\{M\} \+ \{N\} → \{M \+ N\}' cannot be run backwards: M and N do not follow from what "
        r"it puts, M \+ N" + OUT,
    ),
    (
        PUZZLES["missionaries"](),
        None,
        ALL + "does not say what else is in the state" + SPECIFIC + OUT,
    ),
    (PUZZLES["pancakes"](), lambda state: True, ALL + "does not say"),
    (PUZZLES["eight_puzzle"](), lambda state: False, ALL),
]


@every_engine
@pytest.mark.parametrize(("puzzle", "goal", "text"), REFUSED)
def test_puzzles_that_have_no_other_end_are_refused(
    engine: str, puzzle: Puzzle, goal: Any, text: str
) -> None:
    with pytest.raises(SearchError, match=rf"^{puzzle.name}: strategy='bidirectional' {text}"):
        from_both(puzzle, goal, engine=engine)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"solutions": 2},
            r"strategy='bidirectional' finds one shortest way to a goal; found solutions=2\. Use "
            r"strategy='breadth_first' for more answers, or search\(…\) for one",
        ),
        ({"solutions": None}, r"one shortest way to a goal; found solutions=None\. Use strategy="),
        ({"min_depth": 1}, r"found min_depth=1\. Use strategy='breadth_first'$"),
        (
            {"minimize": lowest(M, At(M))},
            r"strategy='bidirectional' finds one shortest way to a goal, and needs one: goal=…; "
            r"minimize= looks at the whole space",
        ),
        ({"distinct": "paths"}, r"distinct='paths' lists paths .* found strategy='bidirectional'"),
        ({"heuristic": 3}, r"strategy='bidirectional' uses no heuristic; use strategy='astar'"),
        (
            {"seed": 3},
            r"seed=3 goes with strategy='depth_first' only; found strategy='bidirectional'",
        ),
    ],
)
def test_what_only_one_end_can_do_is_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(SearchError, match=text):
        from_both(LINE, place(9), **options)


def test_lazy_solutions_are_refused() -> None:
    with pytest.raises(SearchError, match=r"found solutions\(…\)\. Use strategy='breadth_first'"):
        next(solutions(LINE, None, place(9), strategy="bidirectional"))


def test_max_depth_with_costs_is_refused() -> None:
    puzzle = graph([(0, 1, 5), (0, 2, 1), (2, 1, 1)])
    with pytest.raises(SearchError, match="max_depth counts steps, but strategy='bidirectional'"):
        from_both(puzzle, place(1), max_depth=1)

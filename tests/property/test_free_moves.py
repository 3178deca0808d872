"""Free moves: what a search over classes costs, against a plain search with steps of cost 0."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import Puzzle, Result, RuleError, SearchError, contains, rule, search
from rewrite.language import meaning
from rewrite.search.classes import NOTE
from tests.answers import answer
from tests.engines import ENGINES, engines_for, every_engine, goal_of, quiet
from tests.property.piece_puzzles import piece_puzzles
from tests.property.walking_puzzles import (
    Hands,
    Hole,
    Known,
    Line,
    Way,
    X,
    Y,
    known,
    walking_puzzles,
)

pytestmark = quiet

OPTIMAL: list[dict[str, Any]] = [
    {},
    {"strategy": "breadth_first"},
    {"strategy": "bidirectional"},
    {"strategy": "uniform_cost"},
    {"strategy": "astar", "heuristic": 0},
    {"strategy": "astar", "heuristic": "hmax"},
    {"strategy": "astar", "heuristic": "auto"},
    {"strategy": "astar", "heuristic": "pieces"},
    {"strategy": "idastar"},
]
ANY: list[dict[str, Any]] = [
    {"strategy": "greedy", "heuristic": 1},
    {"strategy": "greedy", "heuristic": "ff"},
    {"strategy": "greedy", "heuristic": "goal_count"},
    {"strategy": "depth_first"},
]
OPTIMAL, ANY = ([one for one in some if engines_for(**one)] for some in (OPTIMAL, ANY))


def joins(result: Result) -> bool:
    """Whether the search went by classes."""
    return NOTE in result.notes


def judged(puzzle: Puzzle, truth: Known, options: dict[str, Any]) -> Result | None:
    """Search, and compare with what is known; None where a move without a way back was met."""
    try:
        result = search(puzzle, **options)
    except RuleError as error:
        assert "can be taken back" in str(error)  # noqa: PT017 (there need be none)
        assert truth.stuck
        return None
    assert bool(result) == (truth.cost is not None), (result, truth)
    if result:
        path = result.paths[0]
        assert path.start == puzzle.start
        assert meaning.is_goal(puzzle, path.end, goal_of(puzzle))
        if result.optimal:
            assert path.cost == truth.cost, (result, truth)
        counted = [step for step in path if not step.rule.free]
        assert not joins(result) or len(counted) == result.depth
    return result


@pytest.mark.parametrize("options", OPTIMAL, ids=repr)
@given(puzzle=walking_puzzles(), symmetry=st.sampled_from(["none", "find"]))
def test_the_least_cost_is_that_of_a_search_with_steps_of_cost_0(
    options: dict[str, Any], puzzle: Puzzle, symmetry: str
) -> None:
    truth = known(puzzle)
    event(f"stuck: {truth.stuck}, answer: {truth.cost is not None}")
    weighted = any(rule.cost != 1 for rule in puzzle.rules if not rule.free)
    counts: list[Any] = []
    for engine in engines_for(**options):
        try:
            found = judged(puzzle, truth, {**options, "symmetry": symmetry, "engine": engine})
        except SearchError as error:
            assert "bidirectional" in str(error) or "heuristic" in str(error)  # noqa: PT017
            event(f"refused: {str(error).split(': ')[1][:60]}")
            return
        if found is None:
            counts.append(None)
            continue
        if found and not (weighted and options.get("strategy") == "breadth_first"):
            assert found.optimal
        plain = symmetry == "none" and options.get("strategy") == "breadth_first"
        if not found and joins(found) and plain:
            assert found.states == truth.classes
        event(next(note for note in found.notes if "free moves" in note)[:60])
        counts.append(answer(found))
    assert counts[0] == counts[-1]


DEEP = [one for one in (*OPTIMAL, *ANY) if one.get("strategy") not in ("bidirectional", "idastar")]
"""Both refuse `min_depth`."""


@given(
    puzzle=walking_puzzles(forbids=True),
    options=st.sampled_from(DEEP),
    symmetry=st.sampled_from(["none", "find"]),
)
def test_min_depth_asks_for_a_counted_step(
    puzzle: Puzzle, options: dict[str, Any], symmetry: str
) -> None:
    truth = known(puzzle)
    for engine in engines_for(**options):
        try:
            found = search(puzzle, min_depth=1, symmetry=symmetry, engine=engine, **options)
        except RuleError as error:
            assert truth.stuck, error  # noqa: PT017 (there need be none)
            continue
        except SearchError as error:
            event(f"refused: {str(error).split(': ')[1][:60]}")
            return
        assert bool(found) == (truth.after_a_step is not None), (found, truth)
        if found.path is None:
            continue
        counted = [step for step in found.path if not step.rule.free]
        event(f"steps that count: {len(counted)}, in place: {found.path.start == found.path.end}")
        assert len(counted) == found.depth >= 1
        again = pickle.loads(pickle.dumps(found.path))
        assert again.cost == found.path.cost == sum(step.cost for step in counted)
        assert found.path.cost == truth.after_a_step or not found.optimal, (found, truth)


@pytest.mark.parametrize("options", ANY, ids=repr)
@given(puzzle=walking_puzzles())
def test_others_find_an_answer_where_there_is_one(options: dict[str, Any], puzzle: Puzzle) -> None:
    truth = known(puzzle)
    results = []
    for engine in engines_for(**options):
        try:
            results.append(judged(puzzle, truth, {**options, "engine": engine}))
        except SearchError as error:
            assert "heuristic" in str(error)  # noqa: PT017
            return
    assert (results[0] is None) == (results[-1] is None)


@st.composite
def one_way_walks(draw: st.DrawFn) -> Puzzle:
    """A walker on six cells with ways in one direction, and leaps that count."""
    cells = st.integers(0, 5)
    pairs = st.lists(st.tuples(cells, cells), max_size=14, unique=True)
    ways = [one for one in draw(pairs) if one[0] != one[1]]
    lines = draw(st.lists(st.tuples(cells, cells), min_size=1, max_size=3))
    walk = rule("walk", keep=[Way(X, Y)], take=[Hole(X)], put=[Hole(Y)], free=True)
    leap = rule("leap", keep=[Line(X, 0, Y)], take=[Hole(X)], put=[Hole(Y)])
    facts: list[Any] = [Way(*one) for one in ways] + [Line(a, 0, b) for a, b in lines]
    start = [Hole(draw(cells)), Hands(0)]
    return Puzzle(walk, leap, facts=facts, start=start, goal=contains(Hands(1)))


@given(puzzle=one_way_walks())
def test_every_move_without_a_way_back_is_found_and_no_other(puzzle: Puzzle) -> None:
    truth = known(puzzle)
    event(f"stuck: {truth.stuck}")
    for engine in ENGINES:
        if truth.stuck:
            with pytest.raises(RuleError, match="no free moves lead back"):
                search(puzzle, engine=engine)
        else:
            assert search(puzzle, engine=engine).status == "exhausted"


PIECES: tuple[dict[str, Any], ...] = (
    {},
    {"strategy": "bidirectional"},
    {"strategy": "astar", "heuristic": "pieces"},
    {"strategy": "astar", "heuristic": "auto", "symmetry": "find"},
    {"strategy": "greedy", "heuristic": "pieces"},
)


def walking(puzzle: Puzzle, free: bool) -> Puzzle:
    """The same board where walking is free, or a step of cost 0."""
    rules = [
        evolve(one, cost=0, free=free) if one.label.endswith("walks") else one
        for one in puzzle.rules
    ]
    return puzzle.replace(rules=rules)


@every_engine
@given(puzzle=piece_puzzles(), options=st.sampled_from(PIECES))
def test_pieces_are_pushed_as_cheaply_as_with_steps_of_cost_0(
    engine: str, puzzle: Puzzle, options: dict[str, Any]
) -> None:
    assume(engine in engines_for(**options))
    paid = walking(puzzle, free=False)
    truth = search(paid, strategy="uniform_cost", max_states=20_000)
    assume(truth.status != "limit")
    try:
        found = search(walking(puzzle, free=True), engine=engine, **options)
    except RuleError:
        event("a box stands where the man came from")
        return
    except SearchError:
        event("refused")
        return
    event(f"classes: {joins(found)}, answer: {bool(found)}, {found.strategy}")
    assert bool(found) == bool(truth), (found, truth)
    if truth.path is not None and found.path is not None and found.optimal:
        assert found.path.cost == truth.path.cost, (found, truth)
    assert found.optimal or not found or options.get("strategy") == "greedy"

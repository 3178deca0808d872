"""Terms that grow: both engines see what the definition sees, and compiling ends soon."""

from typing import Any

import pytest
from hypothesis import given

from rewrite.compiler.slots import grounding
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.language import meaning
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.search.api import search
from rewrite.search.tasks.explore import explore
from tests.engines import ENGINES
from tests.property.growing_puzzles import growing_puzzles

pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")
MOST = 100


def reached(puzzle: Puzzle) -> tuple[list[State], set[tuple[State, State]], bool]:
    """The states by the definition, level by level, the steps between them, and if that is all."""
    assert puzzle.start is not None
    seen, edges = {puzzle.start: None}, set()
    for state in (queue := [puzzle.start]):
        for way in meaning.successors(puzzle, state):
            edges.add((state, way.after))
            if way.after not in seen:
                if len(seen) == MOST:
                    return list(seen), edges, False
                seen[way.after] = None
                queue.append(way.after)
    return list(seen), edges, True


@given(growing_puzzles())
def test_what_is_seen_is_what_the_definition_says(puzzle: Puzzle) -> None:
    states, edges, whole = reached(puzzle)
    if not whole:
        return
    for engine in ENGINES:
        space = explore(puzzle, engine=engine)
        assert space.complete
        assert {*space} == {*states}
        assert {(space.states[a], space.states[b]) for a, b in space.edges} == edges
        found = search(puzzle, engine=engine, min_depth=1)
        assert bool(found) == any(meaning.is_goal(puzzle, b, puzzle.goal) for _, b in edges)  # type: ignore[arg-type]


@given(growing_puzzles())
def test_compiling_counts_what_it_does_and_ends_soon(puzzle: Puzzle) -> None:
    turns = 0
    real = grounding._Effort.turn

    def counted(self: Any) -> None:
        nonlocal turns
        turns += 1
        real(self)

    grounding._Effort.turn = counted  # type: ignore[method-assign]
    try:
        assert puzzle.start is not None
        build(Task(puzzle, puzzle.start))
    finally:
        grounding._Effort.turn = real  # type: ignore[method-assign]
    assert turns < 120_000

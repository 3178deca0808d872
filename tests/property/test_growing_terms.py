"""Terms that grow: both engines see what the definition sees, and compiling ends soon."""

from typing import Any

from hypothesis import given

from rewrite import Puzzle, explore, search
from rewrite.compile.slots import effort
from rewrite.engine.build import build
from tests.engines import ENGINES, quiet, task_of
from tests.property.by_definition import twin
from tests.property.growing_puzzles import growing_puzzles

pytestmark = quiet
MOST = 100


@given(growing_puzzles())
def test_what_is_seen_is_what_the_definition_says(puzzle: Puzzle) -> None:
    defined = twin(puzzle, MOST)
    if defined is None:
        return
    for engine in ENGINES:
        space = explore(puzzle, engine=engine)
        assert space.complete
        assert {*space} == defined.after.keys()
        assert {(space.states[a], space.states[b]) for a, b in space.edges} == defined.costs.keys()
        found = search(puzzle, engine=engine, min_depth=1)
        assert bool(found) == any(after in defined.goals for _, after in defined.costs)


@given(growing_puzzles())
def test_compiling_counts_what_it_does_and_ends_soon(puzzle: Puzzle) -> None:
    tried = 0
    real = effort.Effort.spend

    def counted(self: Any, left: int) -> int:
        nonlocal tried
        tried += effort.BATCH - left
        return real(self, left)

    effort.Effort.spend = counted  # type: ignore[method-assign]
    try:
        build(task_of(puzzle))
    finally:
        effort.Effort.spend = real  # type: ignore[method-assign]
    assert tried < 1_000_000  # some 0.1 s

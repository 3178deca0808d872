"""What the tests of the core ask of it: a search."""

from collections.abc import Iterable
from typing import Any

import pytest

from rewrite import Puzzle
from rewrite.compile.capacity import LEAST, Capacity
from rewrite.engine.build import build
from rewrite.language.states import State
from rewrite.native import core_or_none
from rewrite.native.engine import NativeSearch
from rewrite.native.program import state_key
from rewrite.search.limits import Limits
from tests.engines import task_of

USUAL: dict[str, Any] = {
    "strategy": "bidirectional", "options": {}, "distinct_paths": False,
    "minimize": False, "goal": True, "min_depth": 0, "uses_estimate": False, "eager": False,
}  # fmt: skip


def engine_of(puzzle: Puzzle, capacity: Capacity = LEAST) -> Any:
    """Return the Python engine of a puzzle that has its start."""
    if core_or_none() is None:
        pytest.skip("the native engine is not there")
    return build(task_of(puzzle, puzzle.goal), capacity)


class Searched:
    """A search that was run, and its answers."""

    def __init__(
        self, engine: Any, start: State, codes: Iterable[Any] = (), threads: int = 1,
        limits: Limits | None = None, inverse: Any = None, **more: Any,
    ) -> None:  # fmt: skip
        asked = USUAL | {"goals": [state_key(engine, code) for code in codes]} | more
        self.core = NativeSearch(engine, engine.encode(start), asked, threads, inverse=inverse)
        limits = Limits() if limits is None else limits
        self.stopped = self.core.advance(1, limits, None, lambda *_: False, lambda: False)
        self.answers = self.core.answers()

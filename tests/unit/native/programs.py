"""Programs of the gallery as the core is given them, and small ones that are wrong."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite.compiler.interning import BAG, TRUTH
from rewrite.engine.build import build
from rewrite.engine.interface import Task
from rewrite.engine.runtime import EngineFailure
from rewrite.native import core_or_none
from rewrite.native.program import Program, lowered


def program(name: str) -> Program:
    """Return the program of a puzzle of the gallery."""
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    engine = build(Task(puzzle, puzzle.start, puzzle.goal))
    return lowered(engine, engine.encode(puzzle.start), True, None, None)


class Answering:
    """What the core calls back: it answers everything, and never asks to stop."""

    def call(self, function: int, arguments: tuple[Any, ...]) -> Any:
        return 0

    def state(self, test: int, code: Any) -> Any:
        return TRUTH[True]

    def estimate(self, code: Any) -> Any:
        return 0

    def stop(self) -> bool:
        return False


def machine(data: dict[str, Any]) -> Any:
    """Return a machine of the core. Skips the test where there is no core."""
    core = core_or_none()
    if core is None:
        pytest.skip("the native engine is not there")
    return core.Machine(data, Answering(), TRUTH, EngineFailure)


def tiny(
    *code: tuple[str, list[int]], registers: int = 4, functions: Any = None, **more: Any
) -> dict[str, Any]:
    """Return a program over multisets of ints, whose successors are made by this code."""
    if functions is None:
        functions = [("step", 0, registers, [0], 1)]
    return {
        "heads": ["int"], "code": list(code), "functions": functions, "handlers": [],
        "constants": [0], "sets": [], "states": [], "indexes": [], "counters": 4,
        "successors": 0, "predecessors": None, "goal": None, "objective": None, "heuristic": None,
        "simplify": [], "canon": None, "ctors": [BAG],
    } | more  # fmt: skip


def slots(*code: tuple[str, list[int]], **more: Any) -> dict[str, Any]:
    """Return such a program over states in one word."""
    changes: dict[str, Any] = {"words": 1, "tables": [], "families": [(4, True, [0, 1])]} | more
    made = tiny(*code, **changes)
    del made["heads"]
    return made

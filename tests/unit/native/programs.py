"""Small programs written by hand, as the core is given them."""

from array import array
from typing import Any

import pytest

from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.interning import BAG, TRUTH
from rewrite.native import core as core_module
from rewrite.native import core_or_none


class Outside:
    """What the core calls back: there are no functions, and nobody asks to stop."""

    functions = ()

    def stop(self) -> bool:
        return False


def machine(data: dict[str, Any]) -> Any:
    """Return a machine of the core. Skips the test where there is no core."""
    core = core_or_none()
    if core is None:
        pytest.skip("the native engine is not there")
    return core.Machine(data, Outside(), TRUTH, EngineFailure)


def tiny(
    *code: tuple[str, list[int]], registers: int = 4, functions: Any = None, **more: Any
) -> dict[str, Any]:
    """Return a program over multisets of ints, whose successors are made by this code."""
    numbers = {name: number for number, name in enumerate(core_module().instructions())}
    words: list[int] = []
    for name, operands in code:
        words += [numbers[name] | len(operands) << 8, *operands]
    if functions is None:
        functions = [("step", 0, registers, [0], 1)]
    return {
        "term_types": ["int"], "code": array("I", words).tobytes(), "functions": functions,
        "handlers": [], "constants": [0], "sets": [], "states": [], "indexes": [], "counters": 4,
        "successors": 0, "predecessors": None, "goal": None, "objective": None, "heuristic": None,
        "simplify": [], "canon": None, "ctors": [BAG],
    } | more  # fmt: skip


def slots(*code: tuple[str, list[int]], **more: Any) -> dict[str, Any]:
    """Return such a program over states in one word."""
    changes: dict[str, Any] = {"words": 1, "tables": [], "families": [(4, True, [0, 1])]} | more
    made = tiny(*code, **changes)
    del made["term_types"]
    return made

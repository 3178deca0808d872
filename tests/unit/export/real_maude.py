"""Real Maude reads what `to_maude` wrote, and is asked how many states it sees.

The package `maude` can be initialised once in a process; the benchmark's interpreter is that one.
"""

import os
import sys
import tempfile
from typing import Any

from tests.benchmarks.peers_maude import interpreter


def read(text: str) -> Any:
    """The module of this text. Raises AssertionError for a warning of Maude, e.g. an ambiguity."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        terminal = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            interpreter().input(text)
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
        file.seek(0)
        said = file.read().decode()
    module = interpreter().getModule(text.split("\nmod ")[1].split()[0])
    assert module is not None, said
    assert not said, said
    return module


def states(module: Any, depth: int | None = None, goal: bool = False) -> int:
    """How many states there are within so many steps of `start`; with `goal`, those solved."""
    maude = interpreter()
    wanted = []
    if goal:
        wanted = [
            maude.EqualityCondition(
                module.parseTerm("solved(S:State)"), module.parseTerm("true")
            )
        ]  # fmt: skip
    bound = {} if depth is None else {"depth": depth}
    any_state = module.parseTerm("S:State")
    found = module.parseTerm("start").search(maude.ANY_STEPS, any_state, wanted, **bound)
    return sum(1 for _ in found)

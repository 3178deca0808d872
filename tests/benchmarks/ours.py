"""One call of `search` or `distances` in a process of its own: its answer, its time, its memory."""

import resource
import time
import warnings
from collections.abc import Mapping
from typing import Any

import attrs

from rewrite import Puzzle, RewriteWarning, distances, search
from tests.benchmarks.contests import Contestant, Ran
from tests.benchmarks.measure import in_fresh_process, memory
from tests.benchmarks.spaces import declared, nothing

WHOLE = "whole space"
"""Instead of a strategy: every state is reached, by `search` for nothing."""
DISTANCES = "distances"
"""Instead of a strategy: every state is reached, by `distances`."""


@attrs.frozen
class Call:
    """A call as data that another process can be sent.

    options  of `search`; `strategy` may be WHOLE or DISTANCES too
    """

    puzzle: str
    words: tuple[str, ...]
    options: Mapping[str, Any]


def ours(name: str, call: Call, limit: float | None) -> Contestant:
    return Contestant(name, lambda: in_fresh_process(made, call, limit))


def made(call: Call, limit: float | None) -> Ran:
    """What comes of the call in this process, which is a fresh one.

    What anybody does once comes before: modules are loaded by a call that stops at once.
    """
    warnings.simplefilter("ignore", RewriteWarning)
    puzzle = declared(call.puzzle, call.words)
    answered(puzzle, call, max_states=2)
    return answered(puzzle, call, max_seconds=limit)


def answered(puzzle: Puzzle, call: Call, **limits: Any) -> Ran:
    """The call with these limits.

    Raises AssertionError where no limit came in the way and yet nothing is proved.
    """
    options = {"strategy": "auto", **call.options}
    strategy = options.pop("strategy")
    begin = time.perf_counter()
    if strategy == DISTANCES:
        known = distances(puzzle, **options, **limits)
        took = time.perf_counter() - begin
        moves = known.depth if known.complete else None
        return Ran(moves, known.seconds, took, peak(), known.states, reached=stopped(limits))
    if strategy == WHOLE:
        result = search(puzzle, goal=nothing(), strategy="breadth_first", **options, **limits)
    else:
        result = search(puzzle, strategy=strategy, **options, **limits)
    took = time.perf_counter() - begin
    if result.status == "limit":
        moves = None
    elif strategy == WHOLE and result.status == "exhausted":
        moves = result.depth
    elif result.path is not None and result.optimal:
        moves = len(result.path)
    else:
        raise AssertionError(f"{puzzle.name}: {strategy!r} proves nothing: {result}")
    return Ran(moves, result.seconds, took, peak(), result.states, result.expanded, stopped(limits))


def peak() -> int:
    return memory("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def stopped(limits: Mapping[str, Any]) -> str:
    """How a search came to its end that did not come to an answer."""
    limit = limits.get("max_seconds")
    return "stopped" if limit is None else f"stopped after {limit:g} s"

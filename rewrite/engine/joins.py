"""Joins for the compiler: finds ground instances with the engine for multisets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrite.code.write.build import TooDeep
from rewrite.compiler.interning import Ctor, Head
from rewrite.compiler.slots.grounding import Watch
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Task
from rewrite.engine.runtime import EngineFailure
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State


def join(
    puzzle: Puzzle, start: State, heads: tuple[Head, ...], wanted: Ctor, watch: Watch
) -> Callable[[State], list[Any]]:
    """Return the function from a state to the terms with head `wanted` that the rules put.

    watch   see GroupEngine; what it raises ends the join

    Both may raise Unsuitable.
    """
    engine = GroupEngine(Task(puzzle, start), (*heads, wanted), watch=watch)
    place = engine.layout.index[wanted]
    try:
        successors = engine.successors
    except TooDeep as deep:
        raise Unsuitable(deep.head.why) from None

    def found(state: State) -> list[Any]:
        try:
            codes = successors(engine.encode(state))
        except EngineFailure as failure:  # which states it comes up in is for the search to see
            raise Unsuitable(f"what is ground beforehand fails: {failure}") from failure
        return [engine.layout.groups(code)[place][0] for code in codes]

    return found

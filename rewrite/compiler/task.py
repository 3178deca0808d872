"""Task: what is asked of a puzzle, and so what is compiled and run."""

from __future__ import annotations

from attrs import frozen

from rewrite.language.conditions import Condition
from rewrite.language.expressions import Expression
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State


@frozen(eq=False)
class Task:
    """A puzzle, a start, and what is tested or valued in states.

    shared   whether a puzzle that was compiled for another start may be used: then nothing may go
             by the numbers that values have
    """

    puzzle: Puzzle
    start: State
    goal: Condition | None = None
    values: tuple[Expression, ...] = ()
    shared: bool = False

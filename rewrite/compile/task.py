"""Task: what is asked of a puzzle, and so what is compiled and run."""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from rewrite.language.conditions import Condition
from rewrite.language.expressions import Expression
from rewrite.language.order import Key, term_key
from rewrite.language.patterns import classes
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term


@frozen(eq=False)
class Task:
    """A puzzle, a start, and what is tested or valued in states.

    shared   whether a puzzle that was compiled for another start may be used: then nothing may go
             by the numbers that values have
    alone    whether nothing may be used that was compiled before: then it is compiled to the same,
             to the digit, in every process
    """

    puzzle: Puzzle
    start: State
    goal: Condition | None = None
    values: tuple[Expression, ...] = ()
    shared: bool = False
    alone: bool = False

    @cached_property
    def asked(self) -> tuple[Key | None, tuple[Key, ...], frozenset[type[Term]]]:
        """Goal and values, and their constructors by class: the key under which code is cached."""
        goal = None if self.goal is None else term_key(self.goal)
        spoken = classes(self.values)
        if self.goal is not None:
            spoken |= self.goal.classes
        return goal, tuple(map(term_key, self.values)), spoken

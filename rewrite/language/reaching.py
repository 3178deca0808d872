"""`reachable`: what rules of their own make of a bag, as a value within a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Self, TypeVar

from rewrite.errors import ExpressionError, RuleError, tells_unknown_names
from rewrite.language.bag import Bag
from rewrite.language.functions import Function
from rewrite.language.meaning import simplified, successors
from rewrite.language.nesting import reached
from rewrite.language.order import source
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import freeze

T = TypeVar("T")
MOST_REACHED = 100_000


class Reachable(Function):
    """The function of a bag that gives all bags that the rules of a puzzle lead to from it."""

    puzzle: Puzzle

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, puzzle: Puzzle) -> Self:
        """Return the function of a puzzle, the same one for equal puzzles."""
        made = cls(partial(_reached, puzzle))
        made.name, made.puzzle = "reachable", puzzle
        return made

    def __reduce__(self) -> Any:
        return Reachable.of, (self.puzzle,)


def _reached(puzzle: Puzzle, start: Any) -> tuple[Bag, ...]:
    if not isinstance(start, Bag):
        raise ExpressionError(f"reachable starts from a nested bag, found {source(start)}")
    first = simplified(puzzle, State(start.items))
    found = few(first, lambda state: [way.after for way in successors(puzzle, state)],
                f"reachable leads to more than {MOST_REACHED:,} bags")  # fmt: skip
    return tuple([Bag.of(state.items) for state in found])


def few(start: T, steps: Callable[[T], Iterable[T]], more: str) -> list[T]:
    """Return what steps lead to from a start, with itself. Raises RuleError if that is `more`."""
    found = [*islice(reached([start], steps), MOST_REACHED + 1)]
    if len(found) > MOST_REACHED:
        raise RuleError(more)
    return found


@tells_unknown_names(ExpressionError, "reachable")
def reachable(start: Any, rules: Any) -> Any:
    """Return all nested bags that rules lead to from one, nearest first, with itself.

    start   a nested bag, or an expression for one
    rules   a rule, a list of them, or a Puzzle, whose facts, `never` and `simplify` count

    With `one_of` in `let` it is a condition that rewrites: a pattern is matched with each of them.
    They are found by the definition, once for each start, at most 100,000; some tenths of a
    millisecond each.

    Raises ExpressionError, or the error of what is wrong with the rules.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> N = ints("N")
    >>> reachable([3], rule("down", take=[N], put=[N - 1], when=N > 1))
    ([3], [2], [1])
    """
    puzzle = rules if isinstance(rules, Puzzle) else Puzzle(rules)
    if not puzzle.rules:
        raise ExpressionError("reachable(…) has no rules; give reachable(start, rules)")
    return Reachable.of(puzzle)(freeze(start))

"""Which parts of a goal hold in a state: the parts that can be judged one by one."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.conditions import Both, Condition, Contains, OneOfStates
from rewrite.language.order import source
from rewrite.language.patterns import mentioned
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import is_ground

Part = tuple[str, bool | None]
"""A part of a goal as text, and whether it holds; None where that failed."""


def parts_of(puzzle: Puzzle, state: State, goal: Condition) -> list[Part]:
    """Return the parts of a goal that can be judged alone, each judged in a state."""
    return list(_judged(puzzle, state, meaning.normal_goal(puzzle, goal)))


def _judged(puzzle: Puzzle, state: State, goal: Condition) -> Iterator[Part]:
    if isinstance(goal, Both) and not set(mentioned(goal.left)) & set(mentioned(goal.right)):
        yield from _judged(puzzle, state, goal.left)
        yield from _judged(puzzle, state, goal.right)
    elif isinstance(goal, OneOfStates) and len(goal.states) == 1:
        [wanted] = goal.states
        yield from _terms(state, wanted)
        yield ("nothing else", len(state) == len(wanted))
    elif _separable(goal):
        assert isinstance(goal, Contains)
        everything = State.of([*state.items, *puzzle.facts.items])
        if all(map(is_ground, goal.patterns)):
            yield from _terms(everything, State(goal.patterns))
        else:
            for pattern in goal.patterns:
                alone = Contains((pattern,), (), ())
                yield (source(pattern), _holds(puzzle, state, alone))
    else:
        yield (repr(goal), _holds(puzzle, state, goal))


def _separable(goal: Condition) -> bool:
    """Whether each pattern can be judged alone: without variables, or there is but one."""
    if not isinstance(goal, Contains) or goal.when or goal.absent or goal.rest is not None:
        return False
    return len(goal.patterns) == 1 or not any(map(mentioned, goal.patterns))


def _terms(state: State, wanted: State) -> Iterator[Part]:
    for term, number in wanted.distinct():
        times = f" × {number}" if number > 1 else ""
        yield (f"{source(term)}{times}", state.count(term) >= number)


def _holds(puzzle: Puzzle, state: State, goal: Condition) -> bool | None:
    try:
        return meaning.is_goal(puzzle, state, goal)
    except RewriteError:
        return None

"""Replay: runs a path again by the definition of the rules, not by the engine that found it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rewrite.errors import PuzzleError, ReplayError, tells_unknown_names
from rewrite.language.meaning import simplified
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.states import State
from rewrite.results.moves import Step, Walker, Wish, leading_on, moves
from rewrite.results.path import Path
from rewrite.results.result import Result


@tells_unknown_names(ReplayError, "replay")
def replay(puzzle: Puzzle, start: Any = None, path_or_labels: Any = ()) -> Path:
    """Run the given steps from `start`, check each, and return the path.

    start           a state; None: the path's own start, else the puzzle's
    path_or_labels  a Path; or a sequence in which each item is a label as shown, a Step (its rule
                    and bindings are run), or the State to enter next

    States are brought to their normal forms under `simplify`.

    A label may fit steps to different states. All are followed, and a choice counts if the rest
    can be replayed from it; if more than one remains, that is an error: give a Step or a State
    instead of the label. Of several steps into the same state, the first in canonical order is
    used. A Path is replayed by its states if it starts in `start`, else by its steps.

    Raises ReplayError for the first illegal step, with `.step` (from 1), `.asked`, `.state` and
    `.moves` (all legal steps there); PuzzleError if there is no start.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> puzzle = Puzzle(rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N))
    >>> replay(puzzle, [1, 2, 3], ["3 + 1 → 4", "4 + 2 → 6"]).end
    State([6])
    """
    the_puzzle("replay", puzzle)
    begin = _start(puzzle, start, path_or_labels)
    wishes = _wishes(puzzle, begin, path_or_labels)
    reached = Walker(puzzle).walk(begin, wishes)
    if reached and not reached[-1]:
        raise _illegal(puzzle, begin, wishes, reached)
    kept = leading_on(reached)
    steps: list[Step] = []
    state = begin
    for number, met in enumerate(kept, 1):
        here = [step for step in met if step.before == state]
        if len({step.after for step in here}) > 1:
            raise _ambiguous(number, wishes[number - 1], state, here)
        steps.append(here[0])
        state = here[0].after
    bindings = path_or_labels.bindings if isinstance(path_or_labels, Path) else None
    return Path.of_steps(puzzle, begin, steps, bindings=bindings)


def _start(puzzle: Puzzle, start: Any, given: Any) -> State:
    if start is not None:
        return simplified(puzzle, State(start))
    if isinstance(given, Path):
        return simplified(puzzle, given.start)
    if puzzle.start is None:
        raise PuzzleError(
            f"replay: {puzzle.name} has no start; give one: replay(puzzle, [terms…], labels)"
        )
    return simplified(puzzle, puzzle.start)


def _wishes(puzzle: Puzzle, begin: State, given: Any) -> Sequence[Wish]:
    if isinstance(given, Path):
        given.check()
        states = [simplified(puzzle, state) for state in given.states]
        return states[1:] if states[0] == begin else given.steps
    if isinstance(given, Result):
        raise ReplayError(f"replay: {given!r} is a Result; give its path: result.path")
    if isinstance(given, (str, Step, State)) or not isinstance(given, Iterable):
        raise ReplayError(
            f"replay: {given!r} is one step; give a Path or a list of steps: [{given!r}]"
        )
    wishes = list(given)
    for number, wish in enumerate(wishes, 1):
        if not isinstance(wish, (str, Step, State)):
            raise ReplayError(
                f"replay: step {number} is {wish!r}; a step is a label (text), a Step or a State",
                step=number,
            )
    return [simplified(puzzle, wish) if isinstance(wish, State) else wish for wish in wishes]


def _illegal(
    puzzle: Puzzle, begin: State, wishes: Sequence[Wish], reached: list[list[Step]]
) -> ReplayError:
    number, wish = len(reached), wishes[len(reached) - 1]
    asked = f"to enter {wish}" if isinstance(wish, State) else f"for {str(wish)!r}"
    states = list(dict.fromkeys(step.after for step in reached[-2])) if number > 1 else [begin]
    legal = [(state, moves(puzzle, state)) for state in states]
    texts = []
    for state, steps in legal:
        listed = "".join(f"\n  {step.label}" for step in steps)
        count = f"{len(steps)} legal move{'s' * (len(steps) != 1)}"
        texts.append(f"in state {state} with {count}{':' * bool(steps)}{listed}")
    return ReplayError(
        f"step {number} is not legal: asked {asked}, " + "\nor ".join(texts),
        step=number,
        asked=wish,
        state=states[0],
        moves=tuple(step for _, steps in legal for step in steps),
    )


def _ambiguous(number: int, wish: Wish, state: State, steps: list[Step]) -> ReplayError:
    listed = "".join(f"\n  {step.label}, to {step.after}" for step in steps)
    return ReplayError(
        f"step {number} is ambiguous: {str(wish)!r} fits several moves in state {state}, and the "
        f"steps after it are legal after each; give the Step or State that you mean:{listed}",
        step=number,
        asked=wish,
        state=state,
        moves=tuple(steps),
    )

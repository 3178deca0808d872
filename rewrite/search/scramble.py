"""`scramble`: a random walk, for making instances."""

from __future__ import annotations

import random
from typing import Any

from rewrite.compiler.groups import NewHead
from rewrite.errors import SearchError
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.search.question import question
from rewrite.search.run import Run


def scramble(puzzle: Puzzle, state: Any = None, steps: int = 20, seed: int | None = None) -> State:
    """Return the state after a random walk of `steps` moves from `state`, never straight back.

    The walk follows the rules forwards. Where every move can be undone (as on boards of sliding
    tiles) a walk from the goal gives an instance that is solvable in `steps` moves or fewer. Same
    seed, same walk. A walk that comes to a dead end stops there.
    """
    if type(steps) is not int or steps < 0:
        raise SearchError(f"scramble(…, steps={steps!r}): steps is a whole number of 0 or more")
    if seed is not None and type(seed) is not int:
        raise SearchError(f"scramble(…, seed={seed!r}): seed is a whole number")
    asked = question(puzzle, state, None, goal_needed=False, engine="python", function="scramble")
    run = Run(asked.without_goal())
    while True:
        try:
            return _walk(run, steps, random.Random(seed))
        except NewHead as new:
            run.grow(new.head)


def _walk(run: Run, steps: int, chance: random.Random) -> State:
    code, before = run.record.start, None
    for _ in range(steps):
        options = [one for one in run.expand(code) if one != code]
        onward = [one for one in options if one != before] or options
        if not onward:
            break
        before, code = code, chance.choice(onward)
    end: State = run.engine.decode(code)
    return end

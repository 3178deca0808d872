"""`scramble`: a random state a number of steps before a given one, for making instances."""

from __future__ import annotations

import random
from itertools import takewhile
from typing import Any

from rewrite.budget import Budget, Stopped, growth
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.meaning import simplified
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.spaces import Scrambled
from rewrite.search.arguments import question
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.twin import original, to_twin, twin

MOST_STATES = 200_000
"""States searched backwards for exact distances; a random walk continues from there."""
BATCH = 1_000


@tells_unknown_names(SearchError, "scramble")
def scramble(
    puzzle: Puzzle,
    state: Any = None,
    steps: int = 20,
    seed: int | None = None,
    *,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
) -> Scrambled:
    """Return a random state from which `state` is reached in `steps` steps, and its distance.

    state   where the path back ends, for example a goal; by default the start of the puzzle
    steps   the desired distance, a non-negative integer
    seed    same seed, same state
    max_seconds, max_memory   as in `search`; if reached, the state is nearer than `steps`, and its
            `.distance` says how far it is

    Rules are run backwards. With up to 200,000 states within `steps` steps, the state is drawn
    uniformly from those at a distance of exactly `steps` (if there are none, from the farthest),
    and `.exact` is true. Beyond that, a random walk continues away from these states without
    revisiting any: `.distance` is then the length of one path back, and there may be a shorter one.

    If rules cannot be run backwards (multiset states, open values), the walk follows them forwards,
    never straight back, by steps that a step takes back, as long as there are such: `.distance` is
    then its length. Otherwise it is None: nothing is promised. A walk stops at a dead end.
    Ctrl-C raises KeyboardInterrupt: there are no partial scrambles.
    """
    if type(steps) is not int or steps < 0:
        raise SearchError(f"scramble(…, steps={steps!r}): steps is a whole number of 0 or more")
    if seed is not None and type(seed) is not int:
        raise SearchError(f"scramble(…, seed={seed!r}): seed is a whole number")
    asked = question(
        puzzle, state, None, goal_needed=False, engine="python", symmetry="none",
        function="scramble", max_seconds=max_seconds, max_memory=max_memory,
    )  # fmt: skip
    with asked.limits.budget() as budget:
        try:
            return _scrambled(twin(asked.without_goal()), steps, seed, budget)
        except Stopped as stopped:
            if stopped.why == "interrupted":
                raise
            return Scrambled.from_items(asked.start.items, distance=0, exact=True)


def _scrambled(asked: Question, steps: int, seed: int | None, budget: Budget) -> Scrambled:
    puzzle, starts = asked.outer.puzzle, [asked.start]
    if puzzle.start is not None:  # its encoding may also cover the predecessors of the state
        starts.insert(0, to_twin(asked)(simplified(puzzle, puzzle.start)))
    for start in starts:
        try:
            return _backwards(asked.puzzle, start, asked.start, steps, random.Random(seed), budget)
        except (Unsuitable, NeedsCapacity, EngineFailure):
            continue  # no inverse rules, or the state cannot come from this start
    run = Run(asked)
    run.begin(asked.limits)
    if run.driver is None:
        budget.look()
    while True:
        try:
            end = _forwards(run, steps, random.Random(seed), budget)
        except NeedsCapacity as needs:
            run.grow(needs.capacity)
        else:
            return end


def _spent(budget: Budget, more: int = 0) -> bool:
    """Whether a limit is reached, or would be with `more` bytes; Ctrl-C raises."""
    why = budget.reached()
    if why == "interrupted":
        raise Stopped(why)
    return bool(why) or (more > 0 and budget.full(more))


def _backwards(
    puzzle: Puzzle, start: State, end: State, steps: int, chance: random.Random, budget: Budget
) -> Scrambled:
    """Scramble in the encoding of a search from `start`. Raises Unsuitable, NeedsCapacity."""
    engine = build(Task(puzzle, start))
    last = engine.encode(end)
    inverse, rules = engine.inverse, engine.reasoning
    if rules is not None and rules.layout.repeats(last):
        raise Unsuitable("a value of the state stands there more often than in the start")
    seen: dict[Code, Code] = {last: last}
    depth, level, whole = 0, [last], True
    if puzzle.never and engine.forbidden(last):
        steps = 0  # no step enters it
    budget.forgive()
    while depth < steps and not _spent(budget):
        following: list[Code] = []
        for at in range(0, len(level), BATCH):
            inverse.grow(level[at : at + BATCH], seen, following)
            if len(seen) > MOST_STATES or _spent(budget, growth((seen,), 20 * BATCH)):
                whole = False
                break
        if not whole or not following:
            break
        depth, level = depth + 1, following
    code = chance.choice(level)
    if not whole:
        walked = _away(inverse, code, steps - depth, seen, set(level), chance, budget)
        code, depth = walked[-1], depth + len(walked) - 1
        whole = len(walked) == 1  # it is in a complete level
    # states with duplicate terms are outside the encoding: a shorter path may lead through them
    exact = whole and not (rules and any(change.guard for _, change in rules.changes))
    return Scrambled.from_items(original(engine.decode(code)).items, distance=depth, exact=exact)


def _away(
    inverse: Engine, code: Code, steps: int, seen: dict[Code, Code], level: set[Code], chance: Any,
    budget: Budget,
) -> list[Code]:  # fmt: skip
    """Return a walk from a state of the last complete level, through states farther away: those
    that are not in `seen`, and those of the next level that were reached from the last one.
    """
    been = {code: None}
    for _ in range(steps):
        if _spent(budget):
            break
        onward = [
            one
            for one in dict.fromkeys(inverse.successors(code))
            if one not in been and (one not in seen or (seen[one] in level and one not in level))
        ]
        if not onward:
            break
        code = chance.choice(onward)
        been[code] = None
    return [*been]


def _forwards(run: Run, steps: int, chance: random.Random, budget: Budget) -> Scrambled:
    assert run.driver is not None
    assert run.setup is not None
    code, before, walked, undone = run.setup.start, None, 0, True
    for _ in range(steps):
        if _spent(budget):
            break
        options = [one for one in run.expand(code) if one != code]
        if undone:
            looked = takewhile(lambda _: not _spent(budget), options)
            back = [one for one in looked if code in run.expand(one)]
            options, undone = back or options, bool(back) or not options
        onward = [one for one in options if one != before] or options
        if not onward:
            break
        before, code, walked = code, chance.choice(onward), walked + 1
    distance = walked if undone else None
    end = original(run.driver.decode(code))
    return Scrambled.from_items(end.items, distance=distance, exact=False)

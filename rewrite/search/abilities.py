"""What a puzzle allows a search, in lines: the same in `explain` and in the notes of a result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from attrs import frozen

from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.projected_rules import projected
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.interface import CodeEngine, Engine
from rewrite.language.conditions import Condition
from rewrite.results.result import counted
from rewrite.search.goal_states import MORE_SPECIFIC, goal_codes, never_together
from rewrite.search.heuristics.pattern_databases import MOST_ENTRIES, pattern_sets
from rewrite.search.heuristics.pieces import pieces_build_cost
from rewrite.search.heuristics.relaxed import hmax

SEVERAL = (
    "what several of them hold; where a rule moves one thing, or a thing and a gap, they add up"
)


@frozen
class Ability:
    """What a search can do, or cannot (`missing`): a line with the reason."""

    line: str
    missing: bool = False


def abilities(engine: Engine, both_ends: Engine | None = None) -> list[Ability]:
    """Return what a puzzle allows and what not.

    both_ends  the engine of a search from both ends, if it is another one
    """
    ends = both_ends or engine
    return [_backwards(ends), *_goals(ends), *_estimates(engine)]


def _backwards(engine: Engine) -> Ability:
    if not engine.task.puzzle.rules:
        return Ability("there are no rules: a search looks at the start only")
    try:
        inverse = engine.inverse
    except Unsuitable as why:
        return Ability(f"rules cannot be run backwards: {why.reason.description}", missing=True)
    assert isinstance(inverse, CodeEngine)
    number = counted(inverse.code.size, "inverse rule")
    return Ability(f"rules can be run backwards: {number}")


def _goals(engine: Engine) -> list[Ability]:
    goal = engine.task.goal
    if goal is None:
        return []
    known = None
    with suppress(Unsuitable):
        # up to symmetry, a state may stand for images that mutexes exclude: see `search.ends`
        known = None if engine.task.puzzle.symmetry else never_together(engine)
    try:
        return [Ability(f"goal states: {len(goal_codes(engine, goal, known=known)):,}")]
    except NoGoalStates as why:
        line = f"goal states cannot be listed: the goal {why}; {MORE_SPECIFIC}"
        return [Ability(line, missing=True)]
    except NeedsCapacity:
        return []


def _estimates(engine: Engine) -> list[Ability]:
    rules, goal = engine.reasoning, engine.task.goal
    if goal is None:
        return []
    try:
        found = [*(_projection(engine.task, goal) if rules is None else _tables(rules, goal))]
    except Unsuitable as why:
        made = "no heuristic is made from the rules"
        if rules is not None:
            with suppress(Unsuitable):
                hmax(rules, goal)
                made = "heuristics from the rules: those of relaxed plans only"
        return [Ability(f"{made}: {why.reason.description}", missing=True)]
    return [Ability(f"heuristic from the rules: {line}") for line in found]


def _projection(task: Task, goal: Condition) -> Iterator[str]:
    """Yield what the states of a multiset can be projected on. Raises Unsuitable."""
    _, types = projected(task.puzzle, task.start, goal)
    yield f"distances in {' and '.join(sorted(map(str, types)))} alone"


def _tables(rules: OverSlots, goal: Condition) -> Iterator[str]:
    """Yield the tables that there can be. Raises Unsuitable."""
    if pieces_build_cost(rules, goal) is not None:
        yield "distances of single pieces"
        return
    start = rules.begun
    for chosen in pattern_sets(rules, goal, MOST_ENTRIES):
        line = chosen.description()
        if (step := chosen.step_of_several(rules.transitions)) is not None:
            name = rules.task.puzzle.rules[step.rule].name
            line += f", which do not all add up: a step of rule {name!r} changes {SEVERAL}"
        if not chosen.informs(start):
            line += '; strategy="auto" leaves them out, since they say too little'
        yield line

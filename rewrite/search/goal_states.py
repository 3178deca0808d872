"""All goal states of a task, as codes: where a backward search begins.

Over slots, the goal becomes constraints on fields, and its states are listed by propagation
(`analysis.goals.assignments`), with the counts of values that the rules conserve. Opaque
conditions (a Python function, a nested condition) are only tested at the end. Multisets have no
such bounds: there, the goal must name whole states.
"""

from __future__ import annotations

from collections import Counter

from rewrite.analysis.conserved import conserved_by, conserved_heads
from rewrite.analysis.fields import as_bits
from rewrite.analysis.goals.assignments import NoGoalStates, assignments
from rewrite.analysis.goals.constraints import (
    Constraint,
    Constraints,
    Every,
    Match,
    Sum,
    opposite,
)
from rewrite.analysis.mutexes import Mutexes, mutexes
from rewrite.analysis.over_slots import OverSlots
from rewrite.budget import ticking
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.language.conditions import Both, Condition, Contains, Either, Exactly, OneOfStates
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import is_ground

MOST_GOALS = 100_000
MORE_SPECIFIC = "give a more specific goal, such as a whole state: exactly(...)"


def goal_codes(
    engine: Engine, goal: Condition, most: int = MOST_GOALS, known: Mutexes | None = None
) -> list[Code]:
    """Return the codes of all states that meet the goal and that a search could enter, in order.

    known  mutexes: no state with two such values is listed, nor one with another number of terms
           of a constructor than the rules conserve

    All reachable goal states are included, and perhaps unreachable ones. A search does not enter
    states that `never` forbids, and those outside the layout are unreachable. Order: ascending; of
    a multiset, canonical. Raises NoGoalStates with the reason: more than `most` states, or too much
    work; and NeedsCapacity if a state named by the goal needs another layout.
    """
    forbidden = engine.forbidden if engine.task.puzzle.never else lambda _: False
    meets = engine.goal if engine.task.goal == goal else engine.condition(goal)
    candidates = _candidates(engine, goal, most, known)
    try:
        return [code for code in ticking(candidates) if meets(code) and not forbidden(code)]
    except NeedsCapacity:
        raise NoGoalStates("can only be tested in states that come up") from None
    except EngineFailure as failure:
        raise NoGoalStates(
            f"fails in a state that is listed, whether it comes up or not: {failure}"
        ) from failure


def listed_goal(puzzle: Puzzle, start: State) -> State | None:
    """Return a goal state without a search, perhaps out of reach of the start; None if the goal
    names none.
    """
    try:
        engine = build(Task(puzzle, start, puzzle.goal))
        known = never_together(engine)
        codes = [] if puzzle.goal is None else goal_codes(engine, puzzle.goal, known=known)
    except (NoGoalStates, NeedsCapacity, Unsuitable):
        return None
    return engine.decode(codes[0]) if codes else None


def never_together(engine: Engine) -> Mutexes | None:
    """Return the mutexes of the reachable states, if known. Raises Unsuitable for open values."""
    rules = engine.reasoning
    if rules is None:
        return None
    return mutexes(rules.transitions, rules.fields, rules.begun)


def _candidates(engine: Engine, goal: Condition, most: int, known: Mutexes | None) -> list[Code]:
    """Return a superset of the goal states."""
    named = _named(goal, engine.task)
    if named is not None:
        return _encoded(engine, named)
    rules = engine.reasoning
    if rules is None or engine.task.puzzle.simplify:
        what = "what else is in the state" if rules is None else "which states are normal forms"
        raise NoGoalStates(f"does not say {what}")
    if isinstance(goal, Either):
        left, right = (_candidates(engine, side, most, known) for side in (goal.left, goal.right))
        return sorted({*left, *right})
    try:
        fields = rules.fields
    except Unsuitable as why:
        raise NoGoalStates(f"has too many states: {why}") from None
    constraints = Constraints(rules)
    allowed = [opposite(constraints.of(one)) for one in engine.task.puzzle.never]
    heads = [] if known is None else _heads(rules)
    given = Every((constraints.of(goal), *allowed, *heads))
    try:
        return assignments(fields, given, _counts(rules), most, known)
    except EngineFailure as failure:  # a user function, on values that never occur together
        raise NoGoalStates(f"cannot be tried on every value: {failure}") from failure


def _named(goal: Condition, task: Task) -> list[State] | None:
    """Return the only possible goal states, if the goal, which need not be normal, names them."""
    if isinstance(goal, OneOfStates):
        return list(goal.states)
    if isinstance(goal, Exactly) and is_ground(goal.patterns) and goal.rest is None:
        return [State.of(goal.patterns)]
    if isinstance(goal, Contains) and is_ground(goal.patterns) and _is_whole(goal, task):
        return [State.of(goal.patterns)]
    if isinstance(goal, (Both, Either)):
        left, right = _named(goal.left, task), _named(goal.right, task)
        if isinstance(goal, Both):
            return right if left is None else left
        return None if left is None or right is None else [*left, *right]
    return None


def _is_whole(goal: Contains, task: Task) -> bool:
    """Whether no state holds more terms than the goal names: rules take as many as they put."""
    puzzle = task.puzzle
    rules, facts = puzzle.rules, puzzle.facts
    return (
        not puzzle.simplify
        and all(len(rule.take) == len(rule.put) for rule in rules)
        and len(goal.patterns) == len(task.start)
        and not any(facts.count(term) for term in goal.patterns)
    )


def _encoded(engine: Engine, states: list[State]) -> list[Code]:
    codes: dict[Code, None] = {}
    for state in states:
        try:
            codes[engine.encode(state)] = None
        except NeedsCapacity as needs:
            if not needs.capacity.multiset:
                raise  # it may be reachable, once the layout allows it
    return list(codes) if engine.reasoning is None else sorted(codes)


def _counts(rules: OverSlots) -> dict[tuple[int, int], int]:
    """Return how many fields of a kind hold a value in every state, as far as known."""
    try:
        kept = conserved_by(rules)
    except Unsuitable:
        return {}
    held = Counter(
        (field.kind, number) for field, number in zip(rules.fields, rules.begun, strict=True)
    )
    return {one: held[one] for one in kept}


def _heads(rules: OverSlots) -> list[Constraint]:
    """Return constraints: conserved constructors have as many terms as in the start."""
    fields, start = rules.fields, rules.begun
    found: list[Constraint] = []
    for own in rules.known("heads", lambda: conserved_heads(rules.transitions, fields)):
        there = sum(start[at] == number for at, number in own)
        found.append(Sum(tuple([(Match((one,)), 1) for one in as_bits(own, fields)]), "==", there))
    return found

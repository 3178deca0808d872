"""Both ends of a bidirectional search: the inverse rules, and all goal states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import factorial, prod

from attrs import evolve, frozen

from rewrite.analysis.conserved import conserved_by
from rewrite.analysis.free_moves import FreeMoves
from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.transitions import written_out
from rewrite.budget import ticking
from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.encoding import FEW_STATES
from rewrite.compile.interning import ordered
from rewrite.compile.reason import Reason
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import TWICE
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.errors import SearchError
from rewrite.search.goal_states import MORE_SPECIFIC, MOST_GOALS, goal_codes, never_together
from rewrite.search.question import Question
from rewrite.search.strategies import STRATEGIES

STRATEGY = STRATEGIES["bidirectional"]
WORTH = FEW_STATES
"""Possible states above which `strategy="auto"` searches from both ends."""
FEW, FEWER = 10_000, 1_000
"""For `strategy="auto"`: the most entries of tables and goal states; and the most goal
states, without the unreachable ones if listing them is cheap."""


TWICE_BETWEEN = Reason(f"{TWICE}, on the way from one end to the other", TWICE.way_out)


@frozen(eq=False)
class Ends:
    """What a search from both ends needs besides the rules.

    inverse   the engine whose successors are the predecessors
    goals     all goal states, in order
    weighted  whether steps do not all cost 1
    """

    inverse: Engine
    goals: tuple[Code, ...]
    weighted: bool

    def aimed(self, start: Code, canonical: Callable[[Code], Code] | None) -> Ends:
        """Return these ends with the goals in canonical form, without the start."""
        goals = self.goals
        if canonical is not None:
            goals = ordered(dict.fromkeys(map(canonical, ticking(goals, 20))))
        return evolve(self, goals=tuple([code for code in goals if code != start]))


def ends_for(
    asked: Question, engine: Engine, few: bool = False, moves: FreeMoves | None = None
) -> Ends:
    """Return both ends of a search. Raises SearchError, which names the obstacle.

    few    whether to accept only a few, quickly listed goal states
    moves  the free moves, if these join states

    Raises NeedsCapacity for another encoding.
    """
    puzzle, goal = asked.puzzle, asked.goal
    assert goal is not None
    text = f"{puzzle.name}: strategy={asked.strategy.name!r} "
    out = "Use strategy='breadth_first', or 'astar' with a heuristic"
    if puzzle.simplify:
        raise SearchError(
            f"{text}runs rules backwards, but simplify= cannot be undone: many states may have the "
            f"same normal form. {out}"
        )
    if may_double(engine):
        raise NeedsCapacity(Capacity(multiset=[TWICE_BETWEEN]))
    start = engine.encode(asked.start)
    # up to symmetry, a state may represent images that are unreachable from the start, and mutexes
    # of the reachable states do not hold in those
    known, rules = None, engine.reasoning
    try:
        if rules is not None and not asked.reduces:
            known = never_together(engine) if moves is None else moves.known
        inverse = engine.inverse if rules is None or known is None else rules.inverse_within(known)
    except Unsuitable as why:
        raise SearchError(
            f"{text}needs rules that can be run backwards, but {why.reason.description}. {out}"
        ) from None
    if puzzle.never and engine.forbidden(start):
        raise SearchError(f"{text}cannot end in a start that never= forbids: {asked.start}. {out}")
    goals: list[Code] | None = None
    try:
        if few and known is not None:
            with suppress(NoGoalStates):
                goals = goal_codes(engine, goal, FEWER, known)
        if goals is None:
            goals = goal_codes(engine, goal, *((FEW,) if few else (MOST_GOALS, known)))
    except NoGoalStates as why:
        raise SearchError(
            f"{text}needs all goal states, but the goal {why}; {MORE_SPECIFIC}. {out}"
        ) from None
    return Ends(inverse, tuple(goals), asked.has_costs)


def pays(asked: Question, engine: Engine) -> bool:
    rules = engine.reasoning
    depth = asked.limits.max_depth is None or not asked.has_costs
    if not (asked.one_nearest and depth) or rules is None or may_double(engine):
        return False
    with suppress(Unsuitable):
        return written_out(rules.changes, rules.fields) <= FEW and possible_states(rules) > WORTH
    return False


def may_double(engine: Engine) -> bool:
    """Whether a rule may produce a state with two equal terms, which bits cannot represent: a
    search from both ends may finish without noticing.
    """
    rules = engine.reasoning
    return rules is not None and any(change.guard for _, change in rules.changes)


def possible_states(rules: OverSlots) -> int:
    """Return how many states the fields allow. Raises Unsuitable if values are open.

    Values that only move among the fields of a kind count as permutations.
    """
    kept = conserved_by(rules)
    held = rules.begun
    number = 1
    for kind in {field.kind for field in rules.fields}:
        places = [at for at, field in enumerate(rules.fields) if field.kind == kind]
        values = len(rules.fields[places[0]].values)
        if all((kind, value) in kept for value in range(values)):
            counts = Counter(held[at] for at in places)
            number *= factorial(len(places)) // prod(map(factorial, counts.values()))
        else:
            number *= values ** len(places)
    return number

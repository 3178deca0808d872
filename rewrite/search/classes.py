"""Search over classes: states that free moves join count as one.

The proofs about the moves are in `analysis.free_moves`, the flooding of classes in
`engine.class_engine` and in the core. Here: when a search uses classes, what both engines need
for it, and how to get real paths back.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, reduce
from itertools import accumulate, chain, pairwise, takewhile
from operator import or_
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from rewrite.analysis.free_moves import FreeMoves, free_moves
from rewrite.analysis.symmetry.actions import Listed
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.reason import Reason
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.class_engine import ClassEngine, Flood
from rewrite.engine.counts import Code, trail
from rewrite.engine.interface import Engine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.errors import SearchError
from rewrite.language import meaning
from rewrite.language.checks import asks_terminal
from rewrite.language.conditions import Condition
from rewrite.language.states import State
from rewrite.search.goal_states import never_together
from rewrite.search.strategies import STRATEGIES

if TYPE_CHECKING:
    from rewrite.analysis.transitions import Transition
    from rewrite.search.ends import Ends
    from rewrite.search.question import Question
    from rewrite.search.reduction import Reduction

NOTE = "states that free moves join are counted as one"


def moves_for(asked: Question, engine: Engine) -> FreeMoves:
    """Return the free moves of a search. Raises Unsuitable if it cannot use classes."""
    rules = engine.reasoning
    if rules is None:
        raise Unsuitable(f"states are stored as {engine.encoding}")
    if asked.puzzle.never:
        raise Unsuitable("never= forbids states among them")
    if asked.minimize is not None:
        raise Unsuitable("minimize= may tell apart what they join")
    if asked.goal is not None and asks_terminal(asked.goal):
        raise Unsuitable("the goal asks whether a rule leads on")
    if any(one.free and one.guards for one in rules.transitions):
        raise Unsuitable("a term may stand twice after one")
    return free_moves(rules.transitions, rules.fields, never_together(engine))


def without_classes(asked: Question, why: Reason) -> Question:
    """Return the question with free moves as steps of cost 0. Raises SearchError if it counts
    steps, as it would count these too.
    """
    description = (
        f"{asked.puzzle.name}: free moves are steps of cost 0 here, because {why.description}"
    )
    limits = asked.limits
    for name, depth in (("min_depth", limits.min_depth or None), ("max_depth", limits.max_depth)):
        if depth is not None:
            raise SearchError(
                f"{description}; so {name}={depth} cannot tell them from counted ones. Leave it out"
            )
    if not asked.strategy.shortest or asked.strategy.cheapest:
        return asked
    if asked.free:
        return evolve(asked, strategy=STRATEGIES["uniform_cost"])
    raise SearchError(
        f"{description}, and strategy={asked.strategy.name!r} goes by the number of steps. Use "
        "strategy='uniform_cost', or 'astar' with a heuristic"
    )


def no_way_back(asked: Question, doubtful: Transition) -> SearchError:
    """Return the error for a bidirectional search whose free moves may be irreversible."""
    rule = asked.puzzle.rules[doubtful.rule]
    return SearchError(
        f"{asked.puzzle.name}: strategy={asked.strategy.name!r} runs rules backwards, also from "
        "states that the start never reaches, and it is not proved that there every free move of "
        f"rule {rule.name!r} can be taken back. Use strategy='breadth_first', which looks whether "
        "it can, or 'astar' with a heuristic"
    )


@define(eq=False)
class Classes:
    """The classes of a search: of states or, with a reduction, of states up to symmetry."""

    engine: Any
    """The engine of all rules over slots, with its own counts."""
    moves: FreeMoves
    reduction: Reduction | None
    _last: list[tuple[Code, list[Code]]] = field(factory=list, init=False)
    """Of the last real path: each class, and the states leading to it from the previous one."""

    @cached_property
    def flood(self) -> Flood:
        images = None if self.reduction is None else self.reduction.canonical
        return Flood(self.moves, self.engine, images)

    @cached_property
    def counted(self) -> SlotEngine:
        return self._counted(self.engine)

    def _counted(self, engine: Any) -> SlotEngine:
        rules = self.engine.task.puzzle.rules
        left = [(rule, change) for rule, change in engine.changes if not rules[rule].free]
        moved = reduce(or_, [one.mask for one in self.flood.moved], 0)
        counted: SlotEngine = engine.variant(changes=left, asks_first=moved)
        return counted

    @property
    def reduced(self) -> Engine:
        return ClassEngine(self.counted, self.flood)

    def backwards(self, inverse: Any) -> Engine:
        return ClassEngine(inverse, self.flood, backwards=True)

    def ends(self, ends: Ends, weighted: bool) -> Ends:
        """Return both ends for a search over classes: the inverse undoes counted steps only."""
        goals = tuple([code for code in ends.goals if not self.flood.excluded(code)])
        return evolve(ends, inverse=self._counted(ends.inverse), goals=goals, weighted=weighted)

    def for_core(self) -> dict[str, Any]:
        """See `native.program.lowered`."""
        moves = self.moves
        return {
            "fields": [(one.offset, one.bits, len(one.values)) for one in self.engine.fields],
            "moved": list(moves.moved),
            "edges": [(one.rule, one.tests, one.misses, one.sets) for one in moves.edges],
            "excluded": [tuple(sorted(pair)) for pair in sorted(moves.excluded, key=sorted)],
            "checked": moves.doubtful is not None,
        }

    def path(
        self, codes: Sequence[Code], goal: Condition | None
    ) -> tuple[list[State], frozenset[int]]:
        """Return the states of a path through these classes; see `real`.

        It ends in the nearest state of the last class that meets the goal, if there is one. Also
        returned: the indices of the counted steps that stay in their class.
        """
        decode = self.engine.decode
        real, staying = self.real(codes)
        if goal is not None:
            members, puzzle = self.flood.members(real[-1]), self.engine.task.puzzle
            meets = (one for one in members if meaning.is_goal(puzzle, decode(one), goal))
            real += trail(members, next(meets))[-2::-1]
        return [decode(code) for code in real], frozenset(staying)

    def members(self, state: State) -> list[State]:
        """Return all states of a class. Raises RuleError for an irreversible free move in it or in
        a class one step away.
        """
        found = self.flood.members(self.engine.encode(state))
        with suppress(EngineFailure, NeedsCapacity):
            for member in found:
                for _, made in self.counted.weighted(member):
                    self.flood.members(made)
        return [self.engine.decode(code) for code in found]

    def real(self, codes: Sequence[Code]) -> tuple[list[Code], list[int]]:
        """Return a path from the real start through these classes, and its steps that stay in one.

        From one class to the next it takes the cheapest counted step, then the one with the
        shortest walk to it. A prefix shared with the last path is reused: a limit may have stopped
        the search for this very path.
        """
        both = zip(codes[1:], self._last, strict=False)
        steps = self._last = [step for _, step in takewhile(lambda one: one[0] == one[1][0], both)]
        path = [self.counted.encode(self.counted.task.start)]
        path += chain.from_iterable(states for _, states in steps)
        walker = self.counted.apart()
        for wanted in codes[1 + len(steps) :]:
            states = self._towards(wanted, path[-1], walker)
            steps.append((wanted, states))
            path += states
        ends = accumulate(len(states) for _, states in steps)
        staying = [end - 1 for end, (a, b) in zip(ends, pairwise(codes), strict=True) if a == b]
        return path, staying

    def _towards(self, wanted: Code, start: Code, walker: SlotEngine) -> list[Code]:
        """Return the states after `start`, up to the first one in the class `wanted`."""
        flood, members = self.flood, self.flood.members(start)
        fixed = ~walker.asks_first if self.reduction is None else -1
        best: tuple[int, Code, Code] | None = None
        for member in members:
            for cost, made in walker.weighted(member):
                if best is not None and cost >= best[0]:
                    continue
                if fixed != -1 and (made ^ wanted) & fixed:
                    continue
                if flood.canonical(made) == wanted:
                    best = cost, member, made
        assert best is not None, "a class that no step leads to"
        return [*trail(members, best[1])[-2::-1], best[2]]


def within(reduction: Reduction, moves: FreeMoves) -> tuple[Reduction | None, list[str]]:
    """Return the symmetries that map the mutexes of the free-move proofs to mutexes, and notes."""
    group, pairs = reduction.group, moves.excluded
    elements = group.elements if type(group) is Listed else []
    kept = [
        one
        for one in elements
        if all(frozenset([one.pair(*each) for each in pair]) in pairs for pair in pairs)
    ]
    if not pairs or (elements and len(kept) == len(elements)):
        return reduction, []
    notes = [f"of {group.order:,} symmetries {max(1, len(kept)):,} go with free moves"]
    if type(group) is not Listed or len(kept) < 2:
        return None, notes
    return evolve(reduction, group=Listed(group.fields, kept)), notes

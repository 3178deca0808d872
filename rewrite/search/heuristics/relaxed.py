"""hmax and FF: estimates from the relaxed task, in which what became true stays true.

hmax (Bonet and Geffner, *Planning as heuristic search*, AIJ 2001): the cost of the dearest goal
fact, where an operator waits for the dearest fact that it needs. It never overestimates.

FF (Hoffmann and Nebel, *The FF planning system*, JAIR 2001): the cost of a plan of the relaxed
task, collected backwards from the goal through the cheapest supporters (here those of hadd, where
an operator costs the sum of what it needs; Keyder and Geffner, ECAI 2008). It may overestimate.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from rewrite.language.conditions import Condition
from rewrite.reasoning.goals.facts import Needed, goal_facts_or_ways_out
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.relaxed import DEAREST, RelaxedTask, relaxed
from rewrite.search.heuristics.made import INFINITE, Held, Made, plain_goals

UNREACHED = 1 << 62
NONE = -1


def hmax(rules: OverSlots, goal: Condition) -> Made:
    """Return the heuristic hmax. Raises Unsuitable."""
    return _made(rules, goal, "hmax", lambda one, goals: one.dearest(goals))


def ff(rules: OverSlots, goal: Condition) -> Made:
    """Return the heuristic FF. Raises Unsuitable."""
    return _made(rules, goal, "ff", lambda one, goals: one.plan(goals))


def _made(
    rules: OverSlots, goal: Condition, kind: str,
    valued: Callable[[Relaxation, tuple[Needed, ...]], int | float],
) -> Made:  # fmt: skip
    goals = goal_facts_or_ways_out(rules, goal)
    task = relaxed(rules.transitions, rules.fields)
    relaxation = Relaxation(task, adds=kind == "ff")

    def value(held: Held) -> int | float:
        relaxation.reach(held)
        return valued(relaxation, goals)

    data = {
        "kind": kind, "goals": plain_goals(goals), "first": list(task.first), "facts": task.facts,
        "operators": [(one.transition, one.cost, list(one.needs), one.gives)
                      for one in task.operators],
    }  # fmt: skip
    return Made(rules.fields, value, data)


class Relaxation:
    """The costs of all facts from one state on; the buffers are used again for the next.

    adds   whether an operator waits for the sum of its needs (hadd), or for the dearest (hmax)

    Facts are taken by (cost, number), so that ties are the same in every engine.
    """

    def __init__(self, task: RelaxedTask, adds: bool) -> None:
        self.task, self.adds = task, adds
        self.needed_by: list[list[int]] = [[] for _ in range(task.facts)]
        for number, one in enumerate(task.operators):
            for fact in one.needs:
                self.needed_by[fact].append(number)
        self.waiting = [len(one.needs) for one in task.operators]
        self.free = [number for number, left in enumerate(self.waiting) if not left]

    def reach(self, held: Held) -> None:
        """Compute the costs of all facts from a state."""
        task, adds, operators = self.task, self.adds, self.task.operators
        costs = self.costs = [UNREACHED] * task.facts
        by = self.by = [NONE] * task.facts
        left, sums = self.waiting.copy(), [0] * len(operators)
        queue: list[tuple[int, int]] = []

        def offer(number: int, cost: int) -> None:
            one = operators[number]
            total = min(cost + one.cost, DEAREST)
            if total < costs[one.gives]:
                costs[one.gives], by[one.gives] = total, number
                heappush(queue, (total, one.gives))

        for first, value in zip(task.first, held, strict=True):
            costs[first + value] = 0
            heappush(queue, (0, first + value))
        for number in self.free:
            offer(number, 0)
        while queue:
            cost, fact = heappop(queue)
            if cost > costs[fact]:
                continue
            for number in self.needed_by[fact]:
                left[number] -= 1
                sums[number] += cost
                if not left[number]:
                    offer(number, sums[number] if adds else cost)

    def dearest(self, goals: tuple[Needed, ...]) -> int | float:
        """Return the cost of the dearest goal fact, of the alternatives the least."""
        least = min((max((c for _, c in self._facts(one)), default=0) for one in goals),
                    default=UNREACHED)  # fmt: skip
        return INFINITE if least == UNREACHED else least

    def plan(self, goals: tuple[Needed, ...]) -> int | float:
        """Return the cost of a relaxed plan for the alternative with the least sum of costs."""
        best: list[tuple[int, int]] = []
        least = UNREACHED
        for one in goals:
            facts = self._facts(one)
            if any(cost == UNREACHED for _, cost in facts):
                continue
            total = sum(cost for _, cost in facts)
            if total < least:
                best, least = facts, total
        if least == UNREACHED:
            return INFINITE
        stack, seen = [fact for fact, _ in best], set[int]()
        chosen: dict[int, int] = {}
        while stack:
            fact = stack.pop()
            if fact in seen or self.by[fact] == NONE:
                continue
            seen.add(fact)
            one_operator = self.task.operators[self.by[fact]]
            chosen[one_operator.transition] = one_operator.cost
            stack += one_operator.needs
        return sum(chosen.values())

    def _facts(self, needs: Needed) -> list[tuple[int, int]]:
        """Return (fact, cost) of the cheapest allowed value of each field, of equals the first."""
        found = []
        for field, values in needs:
            first = self.task.first[field]
            cost, fact = min((self.costs[first + value], first + value) for value in values)
            found.append((fact, cost))
        return found

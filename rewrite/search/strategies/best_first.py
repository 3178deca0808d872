"""Best-first search with a bucket queue: uniform cost (Dijkstra 1959), A* (Hart, Nilsson, Raphael
1968) and greedy search differ only in the key of the bucket, and in what they reopen.

States are tested for the goal when they are dequeued, so the first answer is the cheapest (for A*:
with an admissible heuristic). `max_depth` is allowed only if every step costs 1, so that the
cheapest path to a state also has the fewest steps.

A state reached more cheaply after it was expanded is reopened if a guarantee requires it; else only
its path is replaced. It is reopened

* in A*, so an inconsistent heuristic costs time, never optimality;
* in weighted A*, once the estimate was seen to fall by more than the cost of a step. Before that,
  the answer costs at most `weight` times the optimum without reopening (Likhachev, Gordon, Thrun,
  *ARA*, 2003; the proof needs only steps to expanded states, and all of these were seen);
* under `max_depth`, which a longer path to a state uses up sooner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sortedcontainers import SortedDict

from rewrite.engine.counts import Code
from rewrite.search.drivers.python import Pauses, Record
from rewrite.search.estimates import as_exact

if TYPE_CHECKING:
    from fractions import Fraction

Priority = Callable[[int, "float | Fraction"], Any]
"""(cost so far, estimate) -> key; smaller comes first."""


def uniform_cost(record: Record) -> Pauses[None]:
    return _best_first(record, lambda cost, estimate: cost, lambda: True)


def astar(record: Record) -> Pauses[None]:
    """Expand states by cost plus estimate; ties go to the lower estimate, then to the newest.

    If the estimate is exact, a goal is then found along one path, instead of after all others of
    equal priority (Asai, Fukunaga, *Tie-breaking strategies for cost-optimal best first search*,
    JAIR 2017).
    """
    weight = as_exact(record.weight)
    always = weight == 1
    return _best_first(
        record, lambda cost, estimate: (cost + weight * estimate, estimate),
        lambda: always or record.inconsistent, watches=not always, newest=True,
    )  # fmt: skip


def greedy(record: Record) -> Pauses[None]:
    return _best_first(record, lambda cost, estimate: estimate, lambda: False)


def _best_first(
    record: Record, priority: Priority, needed: Callable[[], bool], watches: bool = False,
    newest: bool = False,
) -> Pauses[None]:  # fmt: skip
    """Expand states in the order of their priority.

    needed    whether states must now be reopened
    watches   whether to look for steps on which the estimate falls by more than their cost
    newest    whether ties go to the state discovered last
    """
    engine, parents, costs, start = record.engine, record.parents, record.costs, record.start
    estimate = record.heuristic or (lambda code: 0)
    # invariant: `costs` has the cheapest known path to each state; it is either expanded by that
    # path (closed) or queued, unless it waits in `cut` or `late`, or is ruled out
    queue: SortedDict[Any, deque[tuple[int, int, Code]]] = SortedDict()
    closed: set[Code] = set()
    record.tables.append(closed)
    ruled_out: set[Code] = set()
    cut: dict[Code, tuple[int, int]] = {}
    """States that `max_depth` keeps from being expanded, with cost and depth."""
    late: list[tuple[int, int, Code]] = []
    """Cheaper paths to states that were not reopened: cost, depth and state."""

    def push(cost: int, depth: int, code: Code) -> None:
        value = estimate(code)
        if value == float("inf"):  # no goal can be reached from here
            ruled_out.add(code)
            record.hopeless = len(ruled_out)
            return
        key = priority(cost, value)
        if key not in queue:
            queue[key] = deque()
        queue[key].append((cost, depth, code))

    def opens() -> bool:
        return needed() or record.limits.max_depth is not None

    def reach(cost: int, depth: int, code: Code) -> None:
        if code in closed:
            if not (opens() or code in cut):
                late.append((cost, depth, code))
                return
            record.reopened += 1
            closed.discard(code)
        push(cost, depth, code)

    if record.limits.min_depth == 0:
        costs[start] = 0
    push(0, 0, start)
    while True:
        if late and opens():
            for cost, depth, code in late:
                if cost == costs[code]:
                    reach(cost, depth, code)
            late.clear()
        while not queue:
            # only states beyond the depth limit are left: it was raised, or the search stops here
            again = {c: v for c, v in cut.items() if not record.too_deep(v[1])}
            for code, (cost, depth) in again.items():
                del cut[code]
                closed.discard(code)
                push(cost, depth, code)
            if not again and not (yield from record.block(cut)):
                return
        key, bucket = queue.peekitem(0)
        cost, depth, code = bucket.pop() if newest else bucket.popleft()
        if not bucket:
            del queue[key]
        if code in costs:
            if cost > costs[code] or code in closed:
                continue  # reached more cheaply since
            closed.add(code)
        if code == start and record.expanded:  # through a cycle: it has been expanded
            yield record.test([start])
            continue
        record.depth = max(record.depth, depth)
        record.waiting = len(queue)
        yield record.test([code])
        if record.too_deep(depth):
            cut[code] = (cost, depth)
            continue
        steps = yield from record.step(engine.weighted, code)
        record.expanded += 1
        here = estimate(code) if watches else 0
        for step, successor in steps:
            total = cost + step
            known = costs.get(successor)
            if known is None or total < known:
                costs[successor] = total
                parents[successor] = code
                reach(total, depth + 1, successor)
            if watches and not record.inconsistent and here > step + estimate(successor):
                record.inconsistent = True

"""Ski rental for strategy="auto": two searches in turn, the second once it pays.

The first is plain search: breadth-first, by cost, or from both ends. The second is A* with a
heuristic derived from the rules, whose tables cost time before they save any; or, for multisets
whose rules can be inverted and whose goals are whole states, the search from both ends, which costs
little but does not pay in small spaces; or, where no heuristic says anything, plain search up to
symmetries, which take time to find. So it begins only when the first has done as much work as the
preparation costs; whichever turns out better, the whole takes at most about twice as long as that
one alone. (Ski rental: Karlin, Manasse, Rudolph and Sleator, *Competitive snoopy caching*, 1988.)
Larger tables are bought the same way, when A* has done as much work as they cost.

Work is counted in states, never in seconds, so that a search is deterministic. The search that has
done less work runs until it has done a quarter more than the other. The first one can wait if it
cannot end soon: an admissible estimate gives the depth it has to reach, and its level sizes the
number of states that takes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rewrite.budget import Budget, Stopped, Used, doing
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.errors import RewriteError
from rewrite.results.result import counted
from rewrite.search.core_only import needs_core
from rewrite.search.drivers.interface import Progress, ended
from rewrite.search.limits import Limits
from rewrite.search.question import Question
from rewrite.search.run import Run

if TYPE_CHECKING:
    from rewrite.search.candidates import Candidate

FIRST_LOOK = 200_000
"""States of plain search before patterns are chosen: both take hundredths of a second."""
A_STAR = 3
"""As in `candidates`. For classes of free moves and multisets estimates make no difference."""
CLASS = MULTISET = 10
"""How many states in slots take as long as one class of free moves, or as one multiset."""
NO_TABLES = 1
"""The build cost of a heuristic that needs no preparation."""
LEAD = 4
"""A member runs until it has done this fraction (a quarter) more work than the other."""
FEWEST_SYMMETRIES = 4
"""With fewer, a search up to symmetry may take as long as one that saw twice as many states."""
MOST_REST = 32
"""The largest factor on the first member's states while it waits."""
FARTHEST = 1 << 62


def has_portfolio(asked: Question) -> bool:
    """Whether a search may have a second member: one answer is wanted, with strategy="auto".

    Python functions would be called with values that never occur; divided searches have one.
    """
    alone = asked.engine in ("native", "python") and asked.partitions is None
    one = asked.one_nearest and not asked.shortest and asked.limits.max_depth is None
    return asked.free and one and alone and not asked.python_calls


def running(asked: Question) -> Run | Portfolio:
    """Return the search for one answer, yet to begin."""
    return Portfolio(asked) if has_portfolio(asked) else Run(asked, shares=True)


class Portfolio:
    """A running search with one or two members; it is resumed like a `Run`.

    first, second  the members; there is no second before it pays
    leading        the member the result describes: the one that ended, else the first
    """

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.first = Run(self._heard(asked), shares=True)
        self.second: Run | None = None
        self.leading = self.first
        self.going = self.first
        """The member whose turn it is."""
        self.status, self.limit = "", ""
        self.used = Used()
        self.dropped = ""
        """Why the second member was dropped, for humans."""
        self.alone = ""
        """Why there is none, for those who wait for an answer in vain."""
        self._afford: list[Candidate] | None = None
        """Heuristics that could be bought; None if not yet known."""
        self._each = 0
        """See `_weight`; 0 while too few states were seen to ask."""
        self._paced = A_STAR
        """The pace of the candidate that was bought last."""
        self._bought = 0
        """The price of the tables so far, in states of plain search."""
        self._retired = 0
        """States of dropped second members, for example replaced by one with larger tables."""
        self._least: float = 0
        """The largest estimate of the start so far; `_unread`: that of the second is not known."""
        self._unread = False

    # -- for the result ----------------------------------------------------------------------
    @property
    def beside(self) -> tuple[int, int]:
        """States seen and expanded that count in addition to those of the leading member."""
        if self.status != "limit" and self.status != "interrupted":
            return 0, 0
        expanded = 0 if self.second is None else self.second.record.expanded
        return self._states() - self.first.record.states, expanded

    @property
    def notes(self) -> list[str]:
        notes = self.leading.notes
        plain = self.first.asked.strategy.name
        if self.second is None:
            waits = self.status in ("limit", "interrupted")
            why = self.dropped or (self.alone if waits else "")
            return [*notes, why] if why else notes
        first = counted(self.first.record.states, "state")
        name = self._name_of(self.second)
        if self.leading is self.second:
            cost = f"its tables cost as much as {self._bought:,} states of {plain}, which"
            which = cost if self._has_tables and self._bought > NO_TABLES else plain
            return [
                *notes,
                f"{name} was chosen: {which} had seen {first} without an answer (not counted)",
            ]
        second = counted(self._states() - self.first.record.states, "state")
        also = "counted too" if any(self.beside) else "not counted"
        name += " with tables" * (self._has_tables and self._bought > NO_TABLES)
        return [*notes, f"{name} was tried in turn with {plain} and saw {second} ({also})"]

    def _name_of(self, second: Run) -> str:
        if second.given.strategy.uses_heuristic:
            return "A*"
        finds = self._finds(second)
        return "the search up to symmetry" if finds else "the search from both ends"

    def _finds(self, second: Run) -> bool:
        """Whether the second member looks for symmetries that were not asked for."""
        return second.given.symmetry != self.asked.symmetry

    @property
    def _has_tables(self) -> bool:
        return self.second is not None and self.second.given.strategy.uses_heuristic

    # -- the loop ----------------------------------------------------------------------------
    def advance(self, wanted: int | None, limits: Limits) -> str:
        """Run until there is an answer, a member ends, or both are stopped; return why."""
        self.limit = ""
        with limits.budget(self.used) as budget:
            try:
                self.status = self._loop(wanted, limits, budget)
            except Stopped as stopped:  # while choosing patterns; the next call resumes there
                self.status, self.limit = ended(stopped.why)
            finally:
                self.used = budget.used
        return self.status

    def _loop(self, wanted: int | None, limits: Limits, budget: Budget) -> str:
        self.leading = self.first
        if limits.max_depth is not None:  # only from `.resume`: A* may be deeper already
            self._drop("")
        while True:
            member, until = self._next(limits)
            most = limits.max_states
            allowed = FARTHEST if most is None else member.record.states + most - self._states()
            if allowed <= 0:
                self.limit = "max_states"
                return "limit"
            within = evolve(limits, max_states=min(until, allowed))
            if min(until, allowed) == FARTHEST:
                within = evolve(within, max_states=None)
            try:
                self._share_progress(member)
                why = member.advance(wanted, within, budget)
            except RewriteError as error:
                if member is self.first:
                    raise
                self._give_up(str(error))
                continue
            if member is not self.first and member.out_of_memory and why != "found":
                self._give_up("the memory of this machine ran out")
            elif why in ("found", "exhausted"):
                self.leading = member
                return why
            elif why != "limit" or member.limit != "max_states" or until > allowed:
                self.limit = member.limit
                return why

    def _share_progress(self, member: Run) -> None:
        other = self.second if member is self.first else self.first
        if member.watch is not None and other is not None and other.watch is not None:
            member.watch.shown = max(member.watch.shown, other.watch.shown)
        self.going = member

    # -- whose turn it is --------------------------------------------------------------------
    def _next(self, limits: Limits) -> tuple[Run, int]:
        """Return the member that runs next, and its limit of states seen."""
        done = self.first.record.states
        if self._afford is None:
            soon = max(1, FIRST_LOOK // MULTISET)
            if done >= soon and self.first.driver is not None:
                self._each = self._each or self._weight()
                soon = FIRST_LOOK // self._each
            if done < soon or not self._each:
                return self.first, soon
            self._afford = self._affordable(limits)
        following = self._afford[0] if self._afford else None
        if self.second is None:
            if following is None:
                return self.first, FARTHEST
            if done < following.build_cost:
                return self.first, following.build_cost
            second = self._buy(following)
        elif following and self._pace * self.second.record.states > following.build_cost:
            second = self._buy(following)
        else:
            second = self.second
        if second.setup is None:  # once it has begun, it is known what its tables say
            return second, 1
        if self._unread and not self._informs(second):
            if self._has_tables:
                self._give_up("its tables estimate the start at 0, so they would save little")
            else:
                self._drop("")  # there are no symmetries to speak of
            return self.first, FARTHEST
        if not self._has_tables and not self.asked.has_costs:
            # Of two frontiers the smaller one is expanded, so both ends never do much more work;
            # up to symmetry there are fewer states by about as much as each takes longer, or more
            return second, FARTHEST
        # the work of the second member, its tables included, in states of plain search
        worked = self._bought + self._pace * (self._retired + second.record.states)
        other = max(done, self._far())
        if worked > other:
            return self.first, worked + worked // LEAD
        until = (other + other // LEAD - self._bought) // self._pace - self._retired
        if self._afford:
            until = min(until, self._afford[0].build_cost // self._pace + 1)
        return second, max(until, second.record.states + 1)

    def _informs(self, second: Run) -> bool:
        """Whether the second member has an estimate above 0, which is noted, or enough symmetries.
        Both ends need none.
        """
        self._unread, setup = False, second.setup
        if self._finds(second):
            reduction = None if setup is None else setup.reduction
            return reduction is not None and reduction.group.order >= FEWEST_SYMMETRIES
        if setup is None or setup.estimate is None:
            return True
        at_start = setup.estimate(setup.engine.encode(self.asked.start))
        self._least = max(self._least, at_start)
        return bool(at_start)

    def _far(self) -> int:
        """Return roughly how many states, at least, the first member sees before it can end.

        It has to reach the depth of the start's estimate, with levels growing at the same rate.
        """
        record, asked = self.first.record, self.first.asked
        levels = list(record.levels)
        has_costs = asked.is_weighted if self._joins else asked.has_costs
        if has_costs or len(levels) < 5:
            return 0
        ends = 1 + asked.strategy.needs_inverse
        left = self._least - (len(levels) - ends)
        before, last = levels[-4], levels[-2]
        if left <= 0 or last <= before:
            return 0
        # two levels at a time: the two ends take turns
        return int(min(MOST_REST, (last / before) ** min(left / 2, 20)) * record.states)

    @property
    def _joins(self) -> bool:
        """Whether states are classes of free moves, as far as known."""
        began = self.first.driver is not None
        return self.first.classes is not None if began else self.asked.joins

    def _weight(self) -> int:
        """Return how many states in slots, breadth-first, take as long as one of this search.

        Asked once: a search that goes on in another encoding would change with when it is stopped.
        """
        if self._joins:
            return CLASS
        assert self.first.driver is not None
        if self.first.driver.engine.reasoning is None:
            return MULTISET
        return A_STAR if self.asked.has_costs else 1

    @property
    def _pace(self) -> int:
        """How many states of the first member take as long as one of the second."""
        return self._paced if self._has_tables and self._each == 1 else 1

    # -- the second member ----------------------------------------------------------------------
    def _affordable(self, limits: Limits) -> list[Candidate]:
        driver, classes = self.first.driver, self.first.classes
        assert driver is not None
        assert self.asked.goal is not None
        engine = driver.engine if classes is None else classes.engine
        if not self.first.natively and engine.reasoning is not None:
            self.dropped = needs_core("A* with tables beside this search", self.first.cannot)
            return []
        from rewrite.search.candidates import candidates  # few searches get here

        doing("choosing patterns")
        try:
            asked = evolve(self.asked, strategy=self.first.asked.strategy)
            found = candidates(engine, asked, limits.max_memory)
            if not found and engine.reasoning is None:
                from rewrite.search.abilities import abilities

                missing = "; ".join([one.line for one in abilities(engine) if one.missing])
                self.alone = f"nothing was tried beside this search: {missing}"
            return [evolve(one, build_cost=-(-one.build_cost // self._each)) for one in found]
        except (RewriteError, NeedsCapacity, EngineFailure):
            return []  # plain search goes on without

    def _buy(self, candidate: Candidate) -> Run:
        assert self._afford
        self._retire()
        self._afford.remove(candidate)
        self._bought += candidate.build_cost
        self._paced = candidate.pace
        asked = evolve(
            self._heard(self.asked), strategy=candidate.strategy,
            heuristic=candidate.heuristic, free=False,
            symmetry="find" if candidate.finds else self.asked.symmetry,
        )  # fmt: skip
        second = self.second = Run(asked)
        second.capacity = self.first.kept_capacity
        self._unread = True
        return second

    def _give_up(self, why: str) -> None:
        assert self.second is not None
        self._drop(f"{self._name_of(self.second)} was given up: {why}")

    def _drop(self, why: str) -> None:
        self._retire()
        self.second, self._afford, self._least = None, [], 0
        self.dropped = why

    def _retire(self) -> None:
        if self.second is not None:
            self._retired += self.second.record.states

    # -- both together -----------------------------------------------------------------------
    def _states(self) -> int:
        second = 0 if self.second is None else self.second.record.states
        return self.first.record.states + self._retired + second

    def _heard(self, asked: Question) -> Question:
        if asked.progress is None:
            return asked
        return evolve(asked, progress=partial(self._report, asked.progress))

    def _report(self, progress: Callable[[Progress], Any], one: Progress) -> None:
        others = self._states() - self.going.record.states
        progress(evolve(one, states=one.states + others))

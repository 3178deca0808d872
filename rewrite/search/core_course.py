"""The course of a search in the core: it goes on by itself; here its findings are taken over."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rewrite.budget import Budget
from rewrite.engine.interface import Code, Counts, Engine
from rewrite.errors import RewriteError
from rewrite.language.expressions import Expression
from rewrite.native.engine import NativeSearch
from rewrite.native.program import state_key
from rewrite.native.trouble import Failed
from rewrite.search.course import NEXT_PROGRESS, Answer, Progress, overestimated
from rewrite.search.estimates import term_of
from rewrite.search.heuristics import FromRules

if TYPE_CHECKING:
    from rewrite.search.ends import Ends
    from rewrite.search.run import Run


class CoreRecord:
    """What the core has counted, under the names of `Record`; `refresh` reads it again."""

    start: Code = 0

    def __init__(self, core: NativeSearch) -> None:
        self.core = core
        self.refresh()

    def refresh(self) -> dict[str, Any]:
        """Read all counts again, and return them."""
        facts = self.core.facts()
        self.states: int = facts["states"]
        self.depth: int = facts["depth"]
        self.waiting: int = facts["waiting"]
        self.levels: list[int] = facts["levels"]
        self.expanded: int = facts["expanded"]
        self.dropped: int = facts["dropped"]
        self.hopeless: int = facts["ruled_out"]
        self.reopened: int = facts["reopened"]
        self.came_back: bool = facts["came_back"]
        return facts

    @property
    def parents(self) -> dict[Code, Code]:
        """Every state seen, in order of discovery, with the one it was reached from."""
        return dict(enumerate(self.core.parents()))

    def counts(self) -> dict[str, Counts]:
        """Return what each rule did for the search itself."""
        return self.core.counts()


class CoreCourse:
    """Asks the core to go on. Raises Unlowered or Unsupported where it cannot."""

    def __init__(
        self, run: Run, python: Engine, start: Code, estimate: Callable[[Code], Any] | None,
        ends: Ends | None,
    ) -> None:  # fmt: skip
        self.run: Run = weakref.proxy(run)  # no circle: states are freed with the last result
        asked, values = run.asked, run.values
        told = asked.for_core(eager=bool(run.python_calls) or run.pauses)
        inverse = None
        if ends is not None:
            inverse = ends.inverse
            told["goals"] = [state_key(python, code) for code in ends.goals]
            told["weighted"] = ends.weighted
        self.engine = NativeSearch(
            python, start, told, asked.threads or 1, estimate,
            objective=None if asked.minimize is None else 0,
            heuristic=len(values) - 1 if isinstance(asked.heuristic, Expression) else None,
            ctors=run.ctors, inverse=inverse,
            canon=None if run.reduction is None else run.reduction.for_core(),
            from_rules=_for_core(asked.heuristic, estimate),
        )  # fmt: skip
        self.record = CoreRecord(self.engine)

    def turn(self, wanted: int | None, budget: Budget) -> str:
        """Let the core go on until it stops; return why to stop, or "" to go on."""
        run, core = self.run, self.engine
        told, paused = run.asked.progress, False

        def pulse(states: int, depth: int, waiting: int, memory: int) -> bool:
            nonlocal paused
            now = budget.seconds
            if told is not None and now >= run.shown:
                run.shown = now + NEXT_PROGRESS
                told(Progress(states, depth, waiting, now, memory))
            paused = run.pause(states)
            return paused or budget.asked

        if wanted is not None and len(run.answers) >= wanted:
            return "found"
        goals = None
        if wanted is not None:
            # of goals that bind one state may be several answers, or none; another may come again
            goals = core.taken + (1 if run.binds else wanted - len(run.answers))
        status, limit = core.advance(goals, run.limits, budget.left, pulse, lambda: budget.asked)
        self._take_over()
        if wanted is not None and len(run.answers) >= wanted:
            return "found"
        run.limit = limit
        if status == "interrupted" and paused and not budget.asked:
            return "paused"
        return "" if status == "found" else status

    def _take_over(self) -> None:
        """Take over what is new: answers, the nearest, and what was counted."""
        run, core = self.run, self.engine
        for codes, order, value in core.answers():
            run.answer(codes, order, term_of(value))
        facts = self.record.refresh()
        run.too_near = facts["too_near"]
        run.out_of_memory = facts["out_of_memory"]
        if (nearest := core.nearest()) is not None:
            codes, order, value = nearest
            run.nearest = Answer(codes, {}, order, term_of(value))
        if facts["overestimate"] is not None:
            code, estimate, left = facts["overestimate"]
            run.overestimate = overestimated(core.decode(code), estimate, left)

    def plain(self, code: Code) -> Code:
        """Return a code as the Python engine has it."""
        return self.engine.plain(code)

    def out_of_memory(self) -> None:
        """Nothing to do: the core ends by itself."""

    def expand(self, code: Code) -> list[Code]:
        """Return the different successors of a code; None stands for those not seen."""
        return list(self.engine.successors(code))

    def explained(self, failure: Exception) -> RewriteError:
        """Return the error that the definition gives for the state in which the core failed."""
        if isinstance(failure, Failed) and failure.state is not None:
            error = self.run.judged(self.engine.decode(failure.state))
            if error is not None:
                return error
        return self.run.bug(failure)


def _for_core(heuristic: Any, estimate: Any) -> dict[str, Any] | None:
    """Return a heuristic that is made from the rules as the core takes it, else None."""
    if estimate is None or not isinstance(heuristic, FromRules):
        return None
    data: dict[str, Any] = estimate.for_core()
    return data

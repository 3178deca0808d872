"""The outcome of a search as a Result: why it ended, what is proved, and how to resume it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from rewrite.language.order import source
from rewrite.results.result import FINAL, Result, RuleStats, counted
from rewrite.search.heuristics import FromRules
from rewrite.search.limits import LIMITS, Limits
from rewrite.search.run import Run
from rewrite.search.warn import after_search, without_a_step

if TYPE_CHECKING:
    from rewrite.search.portfolio import Portfolio


def result_of(search: Run | Portfolio, limits: Limits) -> Result:
    """Run a search under limits, and return its result when it ends or is stopped."""
    saves = search.checkpointer if isinstance(search, Run) else None
    with nullcontext() if saves is None else saves.working():
        return _result_of(search, limits)


def _result_of(search: Run | Portfolio, limits: Limits) -> Result:
    status = search.advance(search.asked.solutions, limits)
    # with two members, the result describes one
    run, beside = (search, (0, 0)) if isinstance(search, Run) else (search.leading, search.beside)
    if run.checkpointer is not None:
        run.checkpointer.save(run, status)
    shortest_paths = run.number
    if shortest_paths and status == "exhausted":
        status = "found"  # all that were requested, or all that exist
    asked, record = run.asked, run.record
    answers = run.answers if asked.solutions is None else run.answers[: asked.solutions]
    best = None if answers else run.nearest
    if best is not None:
        answers = [best]
    counts, weight = record.counts(), asked.options["weight"]
    gaps = _gaps(run, limits)
    notes = [*(() if answers else asked.doubts), *search.notes, *(note for _, _, note in gaps)]
    again = counted(record.reopened, "state")
    was, they = ("was", "it") if record.reopened == 1 else ("were", "they")
    if record.reopened and asked.strategy.reopens and weight == 1:
        notes.append(
            f"the heuristic is not consistent: {again} {was} reached cheaper after being expanded; "
            f"{they} {was} opened again, which costs time and no answer"
        )
    if record.reopened and record.inconsistent:
        notes.append(
            f"the heuristic is not consistent: it falls by more than a step costs. So {again} that "
            f"{was} reached cheaper after being expanded {was} opened again: without, the answer "
            f"might be more than weight={weight} times too dear"
        )
    if record.overestimate and asked.strategy.cheapest:
        notes.append(record.overestimate)
    limit: str | None = None
    limit_value: float | None = None
    if status == "limit":
        limit, limit_value = search.limit, getattr(limits, search.limit, None)
        if limit == "max_memory" and limit_value is None:
            limit_value = search.used.memory  # no limit given: the machine ran out of memory
    # of two ends, neither sees all
    whole = status == "exhausted" and not gaps and not asked.strategy.needs_inverse
    if not run.warned:
        # up to symmetry, a rule may fire in images of the states alone
        plainly = run.setup is None or run.setup.reduction is None
        run.warned = after_search(asked, counts, record.states, whole and plainly)
    if whole and record.states == 1 and record.expanded and (best is not None or not answers):
        stuck = without_a_step(asked, counts)
        notes += [stuck] if stuck else []
    if whole and asked.minimize is not None and not answers and not limits.min_depth:
        notes.append(f"minimize={source(asked.minimize)} has a value in none of these states")
    if status == "exhausted" and gaps:  # it ended, but proves no absence
        status, (limit, limit_value, _) = "limit", gaps[0]
    optimal = status == "exhausted" if best else bool(answers) and _is_optimal(run)
    if any(name == "min_depth" for name, _, _ in gaps):
        optimal = False  # a skipped goal may have a path of min_depth steps

    def resume(**changes: Any) -> Result:
        lifted = {limit: None} if limit in LIMITS else {}
        changed = limits.changed(lifted | changes)
        # beyond an unfinished level there are states of the next one
        changed.check_depth(limits, record.depth + (limit != "max_depth"))
        return result_of(search, changed)

    goes_on = status in ("limit", "interrupted") and limit not in FINAL and not run.out_of_memory
    if not goes_on:
        run.end()
    last = answers[-1] if answers else None
    return Result(
        puzzle=asked.outer.puzzle,
        status=status,
        paths=tuple([answer.path for answer in answers]),
        limit=limit,
        limit_value=limit_value,
        optimal=optimal,
        states=last.order if last and status == "found" else record.states + beside[0],
        expanded=record.expanded + beside[1],
        depth=len(last.codes) - 1 if last and status == "found" else record.depth,
        seconds=search.used.seconds + run.earlier,
        levels=list(record.levels),
        rules={
            name: RuleStats(count.tried, count.matched, count.fired, count.without)
            for name, count in counts.items()
        },
        strategy=asked.strategy.name,
        swept=asked.strategy.sweeps,
        engine=run.engine_name,
        notes=tuple(notes),
        python_calls=run.given.outer.python_calls,
        objective=answers[0].value if answers else None,
        shortest_paths=shortest_paths,
        ruled_out=record.hopeless if isinstance(asked.heuristic, FromRules) else 0,
        nearest=best is not None,
        resume=resume if goes_on else None,
    )


def _gaps(run: Run, limits: Limits) -> list[tuple[str, int, str]]:
    """Return (limit, its value, note) for each reason why part of the space was left out."""
    asked, record = run.asked, run.record
    found: list[tuple[str, int, str]] = []
    if run.out_of_memory:
        note = "the memory of this machine ran out; max_memory= ends a search before that"
        found.append(("max_memory", limits.max_memory or run.used.memory, note))
    if record.dropped:
        note = f"the beam dropped {counted(record.dropped, 'state')}; a wider one may find more"
        found.append(("width", asked.options["width"], note))
    if record.hopeless and not isinstance(asked.heuristic, FromRules):
        text, them = counted(record.hopeless, "state"), "it" if record.hopeless == 1 else "them"
        note = f"the heuristic gave infinity for {text}: nothing beyond {them} was looked at"
        found.append(("heuristic", record.hopeless, note))
    if record.too_near and limits.min_depth > 1 and asked.distinct == "states":
        text = counted(record.too_near, "goal" if asked.minimize is None else "state")
        was, them = ("was", "it") if record.too_near == 1 else ("were", "them")
        note = (
            f"{text} nearer than min_depth={limits.min_depth} {was} passed by; longer ways to "
            f"{them} were not looked for"
        )
        found.append(("min_depth", limits.min_depth, note))
    if limits.min_depth > 1 and record.came_back:
        note = "paths do not come back to a state; longer ways that do were not looked for"
        found.append(("min_depth", limits.min_depth, note))
    return found


def _is_optimal(run: Run) -> bool:
    """Whether the first answer is proved to have the fewest steps (or the lowest cost)."""
    asked = run.asked
    if asked.strategy.cheapest:
        over = isinstance(asked.heuristic, FromRules) and not asked.heuristic.admissible
        return asked.options["weight"] == 1 and not over and not run.record.overestimate
    if run.classes is not None:
        return asked.strategy.shortest and not asked.is_weighted
    return asked.strategy.shortest and not asked.has_costs

"""The setup of a search, determined before its first state.

In this order, because each step may depend on the previous ones: the engine, whether free moves
join states into classes, both ends if that pays, symmetries, a heuristic derived from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from rewrite.budget import doing, sharing
from rewrite.compile.capacity import Capacity
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine
from rewrite.errors import SearchError
from rewrite.search.estimates import estimator
from rewrite.search.heuristics import FromRules, heuristic_for
from rewrite.search.question import Question

if TYPE_CHECKING:
    from rewrite.analysis.free_moves import FreeMoves
    from rewrite.search.classes import Classes
    from rewrite.search.ends import Ends
    from rewrite.search.reduction import Reduction

TOO_MANY_ENDS = "no symmetry is used: with it, the goal states cannot be listed"


@define
class Setup:
    """The setup of a search.

    asked      the question, with the chosen strategy if it was "auto"
    engine     that of all rules
    start      its code, or that of its representative
    estimate   from a code to the estimated distance to the goal, if there is a heuristic
    ends       both ends, if the search is bidirectional
    reduction  symmetries that reduce the search
    classes    classes of states joined by free moves, if any; up to symmetry if that reduces too
    findings   notes on all this
    """

    asked: Question
    engine: Engine
    start: Code
    estimate: Any = None
    ends: Ends | None = None
    reduction: Reduction | None = None
    classes: Classes | None = None
    findings: list[str] = field(factory=list)


def set_up(given: Question, capacity: Capacity, shares: bool, alone: bool, natively: bool) -> Setup:
    """Return the setup of a search.

    shares  whether to reuse what was compiled for another start, if that changes nothing visible
    alone   whether nothing may depend on what was compiled before: the search has a checkpoint
    natively  whether the core runs it; only the core uses heuristics derived from ground rules

    Raises SearchError or SymmetryError for impossible requests, NeedsCapacity if another encoding
    is needed, and Stopped if a limit is reached.
    """

    def built(shared: bool) -> Engine:
        values = given.values
        return build(Task(given.puzzle, given.start, given.goal, values, shared, alone), capacity)

    doing("compiling the rules")
    engine = built(shares and given.is_plain and not alone)
    if given.free and _has_many_states(engine) and engine.task.shared:
        from rewrite.search.ends import pays

        if pays(given, engine):  # listing goal states uses the counts of values
            engine = built(False)
    setup = Setup(given, engine, engine.encode(given.start))
    moves = _free_moves(setup) if given.joins else None
    _ends_and_symmetries(setup, moves)
    canonical = None if setup.reduction is None else setup.reduction.canonical
    if moves is not None:
        from rewrite.search.classes import Classes

        classes = setup.classes = Classes(engine, moves, setup.reduction)
        canonical = classes.flood.canonical
        setup.ends = setup.ends and classes.ends(setup.ends, given.is_weighted)
    if canonical is not None:
        setup.start = canonical(setup.start)
    if setup.ends is not None:
        setup.ends = setup.ends.aimed(setup.start, canonical)
    _estimate(setup, natively)
    return setup


def _free_moves(setup: Setup) -> FreeMoves | None:
    """Return the free moves if the search can use their classes; else they are steps of cost 0.

    Raises SearchError if the search cannot go by cost.
    """
    from rewrite.search.classes import NOTE, moves_for, without_classes

    doing("proving that free moves can be taken back")
    try:
        moves = moves_for(setup.asked, setup.engine)
    except Unsuitable as why:
        setup.asked = without_classes(setup.asked, why.reason)
        setup.findings.append(f"free moves are steps of cost 0: {why.reason.description}")
        return None
    setup.findings.append(NOTE)
    return moves


def _has_many_states(engine: Engine) -> bool:
    return engine.reasoning is not None and not engine.reasoning.has_few_states


def _ends_and_symmetries(setup: Setup, moves: FreeMoves | None) -> None:
    """Determine both ends, then the symmetries: known goal states allow more of them.

    Up to symmetry no mutexes narrow the ends. If that leaves too many goal states, or no symmetry
    is used, they are determined with mutexes.
    """
    wanted = setup.asked.reduces
    try:
        _both_ends(setup, moves)
        reduce_by_symmetry(setup, moves)
    except SearchError:
        if not wanted:
            raise
        setup.findings.append(TOO_MANY_ENDS)
    if wanted and setup.reduction is None and setup.asked.strategy.needs_inverse:
        setup.asked = evolve(setup.asked, symmetry="none")
        _both_ends(setup, moves)


def _both_ends(setup: Setup, moves: FreeMoves | None) -> None:
    given, engine = setup.asked, setup.engine
    if moves is not None and moves.doubtful is not None:
        if given.strategy.needs_inverse:
            from rewrite.search.classes import no_way_back

            raise no_way_back(given, moves.doubtful)
        return
    doing("listing the goal states")
    if given.strategy.needs_inverse:
        from rewrite.search.ends import ends_for

        setup.ends = ends_for(given, engine, moves=moves)
    elif given.free and _has_many_states(engine) and not engine.task.shared:
        # loaded only if it may pay: small puzzles would just wait for the imports
        from rewrite.search.ends import STRATEGY, ends_for, pays

        with suppress(SearchError):
            if pays(given, engine):
                ends = setup.ends = ends_for(given, engine, few=True, moves=moves)
                setup.asked = evolve(given, strategy=STRATEGY)
                description = f"{len(ends.goals):,} goal state{'s' * (len(ends.goals) != 1)}"
                setup.findings.append(f"searched from both ends: {description}, inverse rules")


def reduce_by_symmetry(setup: Setup, moves: FreeMoves | None = None) -> None:
    """Determine which symmetries reduce the search. Raises SymmetryError."""
    if not setup.asked.reduces:
        return
    from rewrite.search.reduction import reduction_for

    doing("finding symmetries")
    goals: Sequence[Code] | None = None if setup.ends is None else setup.ends.goals
    setup.reduction, notes = reduction_for(setup.asked, setup.engine, goals)
    if moves is not None and setup.reduction is not None:
        from rewrite.search.classes import within

        setup.reduction, more = within(setup.reduction, moves)
        notes = [*notes, *more]
    if setup.reduction is not None:
        setup.findings.append(setup.reduction.note)
    setup.findings += notes


def _estimate(setup: Setup, natively: bool) -> None:
    asked, engine = setup.asked, setup.engine
    if isinstance(asked.heuristic, FromRules):
        if (natively or engine.reasoning is None) and asked.goal is not None:
            doing(f"making the heuristic {asked.heuristic.name!r}")
            with sharing(asked.threads or 1):
                made = heuristic_for(asked.heuristic, engine, asked.goal, asked.puzzle.name)
            setup.findings += [f"heuristic: {made.note}"] * bool(made.note)
            setup.estimate = made
    elif asked.heuristic is not None:
        setup.estimate = estimator(asked.heuristic, engine, len(asked.values) - 1)

"""Which declared values a search exchanges without listing the group, and which it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from rewrite.compiler.slots.keys import Unsuitable
from rewrite.engine.interface import Engine, Reasoning
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.language.bijections import Bijection, bijections
from rewrite.language.puzzles import Puzzle
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.reasoning.conserved import conserved, keeps_counts
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.symmetry.actions import Action
from rewrite.reasoning.symmetry.exchanges import ExchangedTerms, Exchanges, exchanges, joined
from rewrite.reasoning.symmetry.interchangeable import Interchange
from rewrite.reasoning.symmetry.proof import GOAL, Doubt
from rewrite.search.question import Question

MOST_ELEMENTS = 5_040
"""The largest group that is listed: all permutations of seven values."""
SOON_LISTED = 120
"""All permutations of five values: listed up to here, as that is faster per state."""
TOO_LARGE = f"the group would have more than {MOST_ELEMENTS:,} elements"
Proved = tuple[Any, Bijection, Action]
"""A declaration, one of its bijections that is a symmetry, and its action on states."""
Refuse = Callable[[Puzzle, Engine, Bijection, Doubt], None]
"""Raises SymmetryError for a bijection not proved to be a symmetry."""


@frozen(eq=False)
class ExchangedValues:
    """The exchanges in use, if any, and notes on those that are not."""

    used: Exchanges | None
    notes: list[str]


def exchanged_values(
    engine: Reasoning, proved: Sequence[Proved], listed: int
) -> ExchangedValues | None:
    """Return the exchanges of values that reduce a search over slots.

    listed   the order of the largest group that is better listed: then None

    Raises Unsuitable if a list is required.
    """
    pairs = [(one.swapped, action) for _, one, action in proved if one.swapped is not None]
    every = exchanges(engine.fields, pairs, lambda action: True)
    if every is None or every.order <= listed:
        return None
    used = exchanges(engine.fields, pairs, keeping_counts(engine))
    others = [declared for declared, one, _ in proved if one.swapped is None]
    notes = [f"{declared!r} is not used: {TOO_LARGE}" for declared in others]
    order = 1 if used is None else used.order
    if order < every.order:
        notes.append(partly(every.order - order, every.order))
    return ExchangedValues(used, notes)


def partly(unused: int, order: int) -> str:
    """Return the note on symmetries that do not preserve the counts of values."""
    return (
        f"{unused:,} of {order:,} declared symmetries, the identity included, are not used: they "
        "may lead to states that this start cannot reach"
    )


def keeping_counts(engine: Reasoning) -> Callable[[Action], bool]:
    """Return a test: whether an action preserves the start's count of each conserved value."""
    kept = engine.known("conserved", lambda: conserved(engine.transitions, engine.fields))
    held = numbers(engine.fields, engine.encode(engine.task.start))
    return lambda action: keeps_counts(action, kept, engine.fields, held)


def exchanged_terms(
    asked: Question, engine: MultisetEngine, refuse: Refuse
) -> tuple[ExchangedTerms | None, list[str]]:
    """Return the exchanges of values that reduce a search over multisets, and notes on the unused.

    Raises SymmetryError.
    """
    puzzle, notes = asked.puzzle, list[str]()
    pairs: list[tuple[tuple[Any, Any], None]] = []
    exchanged = [one for one in puzzle.symmetry if isinstance(one, Interchangeable)]
    every = [value for one in exchanged for value in one.values]
    for declared in puzzle.symmetry:
        try:
            if isinstance(declared, Relabel):
                raise Unsuitable(f"states are kept as {engine.encoding}")
            interchangeable = Interchange(puzzle, asked.goal, declared.values, every)
            for bijection in bijections(declared):
                assert bijection.swapped is not None
                doubt = interchangeable.doubt(bijection.swapped)
                if doubt == GOAL and asked.goal is not puzzle.goal:
                    raise Unsuitable("it does not keep the goal of this search")
                if doubt is not None:
                    refuse(puzzle.replace(goal=asked.goal), engine, bijection, Doubt(doubt))
                pairs.append((bijection.swapped, None))
        except Unsuitable as why:
            notes.append(f"{declared!r} is not used: {why.reason.description}")
    sets = [[value for value, _ in one.values()] for one in joined(pairs)]
    return ExchangedTerms(engine.layout, sets) if sets else None, notes

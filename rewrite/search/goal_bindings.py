"""The bindings of a goal in a state.

The definition (`meaning.bindings`) tries every choice of terms, and tests conditions on complete
ones. Where these are many, a rule is run instead that keeps what the goal matches, and puts what it
binds: as a join with early tests, it takes a fiftieth of the time (six digits of ten).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.interning import Ctor, decode
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.language import meaning
from rewrite.language.checks import asks_terminal
from rewrite.language.conditions import Both, Condition, Contains, Exactly, may_bind, operands
from rewrite.language.matching import match
from rewrite.language.order import term_key
from rewrite.language.patterns import binders
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import term

FEW = 2_000
"""The most choices of terms that are left to the definition, which takes some 20 ms for them."""
ONCE = Capacity(multiset=["one state is looked at"])


@term
class _Bound:
    values: tuple[Any, ...]


def goal_bindings(puzzle: Puzzle, goal: Condition, state: State) -> Iterator[dict[str, Any]]:
    """Yield the different bindings of a goal in a state, in a fixed order."""
    if (listed := _by_rule(puzzle, goal, state)) is not None:
        yield from listed
        return
    seen = set()
    for env in meaning.bindings(meaning.world_of(puzzle, state), goal):
        found = {variable.name: value for variable, value in env.items()}
        key = tuple((name, term_key(value)) for name, value in found.items())
        if key not in seen:
            seen.add(key)
            yield found


def _by_rule(puzzle: Puzzle, goal: Condition, state: State) -> list[dict[str, Any]] | None:
    """Return the bindings, sorted; None where they are left to the definition: if there are few
    choices, for other conditions, and after a failure, which the definition explains.
    """
    first, *others = operands(goal, Both)
    if not isinstance(first, (Contains, Exactly)) or first.rest is not None:
        return None
    if asks_terminal(goal) or any(map(may_bind, others)):
        return None
    whole = isinstance(first, Exactly)  # a rule would match facts, too
    if whole and (puzzle.facts or len(first.patterns) != len(state)):
        return None
    if not _tries_many(puzzle, first.patterns, state):
        return None
    names = dict.fromkeys(one for pattern in first.patterns for one in binders(pattern))
    bound: Any = _Bound(tuple(names))
    when = (*first.when, *others)
    rule = Rule(
        "goal", (), (bound,), when, first.patterns, first.absent, (), 1, "goal", literal=True
    )
    once = Puzzle([rule], start=state, facts=puzzle.facts, name=puzzle.name)
    try:
        engine = build(Task(once, state), ONCE)
        assert isinstance(engine, MultisetEngine)
        layout, place = engine.layout, engine.layout.index[Ctor.of(type(bound))]
        made = engine.successors(engine.encode(state))
        found = [decode(value) for code in made for value in layout.groups(code)[place]]
    except (EngineFailure, NeedsCapacity):
        return None
    return [
        {variable.name: value for variable, value in zip(names, one.values, strict=True)}
        for one in sorted(set(found), key=term_key)
    ]


def _tries_many(puzzle: Puzzle, patterns: tuple[Any, ...], state: State) -> bool:
    """Whether the definition may try many choices of terms for the patterns of a goal."""
    terms = [one for one, _ in meaning.world_of(puzzle, state).everything.distinct()]
    if len(terms) ** len(patterns) <= FEW:
        return False
    matching = (
        sum(next(match(pattern, one, {}, ()), None) is not None for one in terms)
        for pattern in patterns
    )
    return prod(matching) > FEW

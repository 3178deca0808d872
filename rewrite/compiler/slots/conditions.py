"""How conditions are taken over slots and bits: as rules, instances of which are tested.

What cannot be taken so raises Unsuitable; it is asked of the state as a multiset.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rewrite.compiler.analysis import sees_state
from rewrite.compiler.program import SlotProgram
from rewrite.compiler.room import NeedsRoom
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.compiler.slots.layout import SlotLayout
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Contains,
    Exactly,
    Holds,
    Lacks,
    Not,
    OneOfStates,
)
from rewrite.language.patterns import contains_wildcard, mentioned
from rewrite.language.rules import Rule, keeping
from rewrite.language.terms import Term


def as_rule(given: Any, cost: Any = 1) -> Rule:
    """Return a condition or aggregate as a rule that keeps what it matches. Raises Unsuitable."""
    if getattr(given, "named_rest", None) is not None:
        raise Unsuitable("the rest of the state as a value")
    for part in (*given.when, cost):
        if sees_state(part):
            raise Unsuitable("a condition inside a condition")
    return keeping(given, cost)


def loose_atoms(program: SlotProgram, given: Exactly) -> tuple[int, int]:
    """Return the bits of atoms that may be there or not, and how many must be. Raises Unsuitable.

    All other terms are there in every state: so `given` holds exactly where this number is right
    and its patterns match.
    """
    if given.rest is not None:
        raise Unsuitable("exactly(...) with a rest")
    layout = program.layout
    facts = {type(term) for term in program.puzzle.facts}
    if any(not isinstance(p, Term) or type(p) in facts for p in given.patterns):
        raise Unsuitable("exactly(...) beside facts")
    slots = sum(len(slots.offsets) for slots in layout.slots.values())
    bits, always = 0, 0
    for mask, choice in layout.choices.items():
        if not choice.optional:
            always += 1
        elif not choice.shared:
            bits |= mask
        else:
            raise Unsuitable("exactly(...) where a slot of atoms may hold none")
    return bits, len(given.patterns) - slots - always - len(layout.static)


def inside(given: Exactly) -> Contains:
    """Return the condition that the patterns match, whatever else there is. Raises Unsuitable."""
    if given.rest is not None:
        raise Unsuitable("exactly(...) with a rest")
    return Contains(given.patterns, list(given.when), [])


def check_counted(program: SlotProgram, given: Aggregate) -> None:
    """Raise Unsuitable where instances are not what the aggregate counts."""
    if any(contains_wildcard(p) and "*" in repr(p) for p in given.patterns):
        raise Unsuitable("ANY may match one occurrence in several ways")
    if any(number > 1 for _, number in program.grounder.facts.distinct()):
        raise Unsuitable("equal facts are counted one by one")


def joined(given: Both) -> bool:
    """Whether what the left side binds may be used on the right."""
    if isinstance(given.left, (Holds, Lacks, Not)):
        return False
    return bool(all_variables(given.left) & all_variables(given.right))


def codes(layout: SlotLayout, given: OneOfStates) -> frozenset[int]:
    """Return the codes of those of the states that can come up."""
    found = set()
    for state in given.states:
        with suppress(NeedsRoom):
            found.add(layout.encode(state))
    return frozenset(found)


def all_variables(given: Any) -> set[Any]:
    """Return every variable that occurs anywhere in a condition or expression."""
    return set(mentioned(given))

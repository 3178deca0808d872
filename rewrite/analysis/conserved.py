"""Conserved counts of values: how many fields of a kind hold a value, if that never changes.

Tiles that only move are conserved: the board always holds each as often as the start does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rewrite.analysis.fields import Field
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.symmetry.actions import Action, Held
from rewrite.analysis.transitions import Pairs, Transition
from rewrite.compile.interning import TermType, term_type_of

Conserved = frozenset[tuple[int, int]]
"""(kind, number) pairs."""
Content = int | tuple[str, int]
"""The number of a value, or ('field', f) for whatever field f held before."""


def conserved(given: Iterable[Transition], fields: Sequence[Field]) -> Conserved:
    """Return the (kind, number) pairs held by the same number of fields of the kind in every state.

    Each transition by itself must put the value as often as it takes it; one that overwrites a
    field without testing it may take any value of the kind. Linear in what the transitions write.
    """
    numbers = {field.kind: range(len(field.values)) for field in fields}
    kept = {(kind, number) for kind, each in numbers.items() for number in each}
    for one in given:
        held: dict[int, Content] = dict(one.tests)
        change: Counter[tuple[int, Content]] = Counter()
        for field, content in (
            *one.sets, *((at, held.get(source, ("field", source))) for at, source in one.copies),
            *((at, ("made", at)) for at, *_ in one.maps),
        ):  # fmt: skip
            kind = fields[field].kind
            change[kind, content] += 1
            change[kind, held.get(field, ("field", field))] -= 1
        for (kind, content), difference in change.items():
            if difference and isinstance(content, int):
                kept.discard((kind, content))
            elif difference:
                kept -= {(kind, number) for number in numbers[kind]}
    return frozenset(kept)


def conserved_by(rules: OverSlots) -> Conserved:
    return rules.known("conserved", lambda: conserved(rules.transitions, rules.fields))


def keeping_counts(rules: OverSlots) -> Callable[[Action], bool]:
    """Return the test of whether an action keeps the conserved counts of the start."""
    kept, held = conserved_by(rules), rules.begun
    return lambda action: keeps_counts(action, kept, rules.fields, held)


def conserved_heads(given: Iterable[Transition], fields: Sequence[Field]) -> list[Pairs]:
    """Return the terms, as (field, number), of each constructor whose term count never changes.

    Each transition by itself must put as many as it takes, and test what it overwrites.
    Constructors that have a term in each of their fields anyway are left out.
    """
    pairs: dict[TermType, list[tuple[int, int]]] = {}
    for place, field in enumerate(fields):
        for number, value in enumerate(field.values):
            if value is not None:
                pairs.setdefault(term_type_of(value), []).append((place, number))
    heads = {pair: head for head, own in pairs.items() for pair in own}
    for one in given:
        tests, change = dict(one.tests), Counter[TermType]()
        if one.sources or not one.written <= tests.keys():
            return []
        for place, number in one.sets:
            change[heads.get((place, number))] += 1
            change[heads.get((place, tests[place]))] -= 1
        for head, more in change.items():
            if more:
                pairs.pop(head, None)
    optional = {place for place, field in enumerate(fields) if field.values[0] is None}
    return [tuple(own) for own in pairs.values() if not optional.isdisjoint(dict(own))]


def keeps_counts(action: Action, kept: Conserved, fields: Sequence[Field], held: Held) -> bool:
    """Whether every state with the conserved counts of `held` has an image with the same counts.

    Otherwise an image may be unreachable. False if in doubt: fields of one kind must map to fields
    of one kind and rename values identically. The actions of a group that pass form a group.
    """
    counted = Counter([(field.kind, number) for field, number in zip(fields, held, strict=True)])
    became: dict[int, set[tuple[int, tuple[int, ...]]]] = {}
    came: dict[int, set[int]] = {}
    for place, source in enumerate(action.sources):
        kind, origin = fields[place].kind, fields[source].kind
        became.setdefault(origin, set()).add((kind, action.maps[place]))
        came.setdefault(kind, set()).add(origin)
    for kind, number in kept:
        (target, table), *others = became[kind]
        image = target, table[number]
        if others or len(came[kind]) > 1 or len(came[target]) > 1:
            return False
        if image not in kept or counted[image] != counted[kind, number]:
            return False
    return True

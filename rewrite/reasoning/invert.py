"""Rules run backwards: the inverse transitions of a program over fields.

A transition is undone where it is known what the fields that it writes held before: it was tested,
or copied to another field, or it is one of the finitely many values that the field can hold; then
there is an inverse for each of these. So every rule over fields has an inverse, as long as there
are not too many of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from attrs import evolve

from rewrite.budget import tick
from rewrite.compiler.slots.ground_rules import Change
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.reasoning.fields import Field
from rewrite.reasoning.mutexes import Mutexes
from rewrite.reasoning.transitions import Pairs, Transition

MOST_INVERSES = 4_000
MOST_MISSES = 8
"""Tests that an inverse gets so that it leads to no mutex."""


def inverted(given: Sequence[Transition], fields: Sequence[Field]) -> list[Transition]:
    """Return the inverse transitions, in the order of those given; equal ones once.

    From the states after a transition to those before, at the same cost. Raises Unsuitable where
    there are more than 4,000.
    """
    found: dict[Transition, None] = {}
    for one in given:
        for inverse in _inverses(one, fields):
            tick(5)
            found[inverse] = None
            if len(found) > MOST_INVERSES:
                raise Unsuitable(f"its inverse rules have more than {MOST_INVERSES:,} instances")
    return list(found)


def narrowed(given: Sequence[Transition], known: Mutexes) -> list[Transition]:
    """Return inverse transitions that do not lead to states with two values that are a mutex.

    One that leads to such states only is left out; others miss what is no mutex of what was there
    but is one of what comes. From a state without mutexes they lead to all of those before it that
    have none, and hardly to others.
    """
    found = []
    for one in given:
        tests, sets = dict(one.tests), dict(one.sets)
        if one.copies:
            found.append(one)
            continue
        kept = [pair for pair in one.tests if pair[0] not in one.written]
        there, comes = known.with_all(one.tests), known.with_all([*kept, *one.sets])
        held = [known.bit(*pair) for pair in (*kept, *one.sets)]
        if any(not comes >> bit & 1 for bit in held):
            continue
        lost = known.pairs(there & ~comes & ~known.every(tests.keys() | sets.keys()))
        found.append(evolve(one, misses=_some(one.misses, lost)))
    return found


def _some(misses: Pairs, more: Sequence[tuple[int, int]]) -> Pairs:
    """Return misses and as many more as pay."""
    return tuple(sorted({*misses, *more[:MOST_MISSES]}))


def _inverses(one: Transition, fields: Sequence[Field]) -> Iterator[Transition]:
    for plain in _plain(one, fields):
        yield from _undone(plain, fields)


def _plain(one: Transition, fields: Sequence[Field]) -> Iterator[Transition]:
    """Yield transitions that together do the same, where no value is doubled by copying.

    A value that is copied and kept, or copied twice, is made known: one for each value.
    """
    sources = [source for _, source in one.copies]
    known = dict(one.tests)
    for source in sources:
        if source in known:
            values: Sequence[int] = (known[source],)
        elif source not in one.written or sources.count(source) > 1:
            values = range(len(fields[source].values))
        else:
            continue
        for value in values:
            if (source, value) not in one.misses:
                sets = [(field, value) for field, origin in one.copies if origin == source]
                yield from _plain(
                    evolve(
                        one,
                        tests=_pairs(known | {source: value}),
                        misses=tuple([miss for miss in one.misses if miss[0] != source]),
                        sets=_pairs(dict(one.sets) | dict(sets)),
                        copies=tuple([copy for copy in one.copies if copy[1] != source]),
                    ),
                    fields,
                )
        return
    yield one


def _undone(one: Transition, fields: Sequence[Field]) -> Iterator[Transition]:
    """Yield the inverses of a transition whose copies are one to one."""
    tests, went = dict(one.tests), {source: field for field, source in one.copies}
    after = {field: value for field, value in one.tests if field not in one.written}
    after |= dict(one.sets)
    before = {field: tests[field] for field in one.written & tests.keys()}
    lost = sorted(one.written - tests.keys() - went.keys())
    misses = {(went.get(field, field), value) for field, value in one.misses if field not in lost}
    options = [
        [value for value in range(len(fields[field].values)) if (field, value) not in one.misses]
        for field in lost
    ]
    for values in product(*options):
        held = before | dict(zip(lost, values, strict=True))
        yield Transition(
            one.rule,
            one.cost,
            _pairs(after),
            tuple(sorted(misses)),
            _pairs(held),
            _pairs(went),
            free=one.free,
        )


def _pairs(given: dict[int, int]) -> Pairs:
    return tuple(sorted(given.items()))


def change_of(one: Transition, fields: Sequence[Field]) -> Change:
    """Return a transition as a change of bits, as engines run it."""
    tests = dict(one.tests)
    pairs = tuple([(fields[at].mask, value << fields[at].offset) for at, value in one.tests])
    misses = tuple([(fields[at].mask, value << fields[at].offset) for at, value in one.misses])
    if not one.copies and one.written <= tests.keys():
        flip = 0
        for at, value in one.sets:
            flip |= (tests[at] ^ value) << fields[at].offset
        return Change(pairs, flip=flip, cost=one.cost, misses=misses)
    clear = fill = 0
    copies: dict[int, int] = {}
    for at, value in one.sets:
        clear |= fields[at].mask
        fill |= value << fields[at].offset
    for at, source in one.copies:
        clear |= fields[at].mask
        shift = fields[at].offset - fields[source].offset
        copies[shift] = copies.get(shift, 0) | fields[source].mask
    moves = tuple([(mask, shift) for shift, mask in copies.items()])
    return Change(pairs, clear=clear, fill=fill, copies=moves, cost=one.cost, misses=misses)

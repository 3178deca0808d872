"""Rules over fields run backwards: the inverse transitions of a program.

A transition can be undone if the former contents of the fields it writes are known: they were
tested, or copied to another field, or there is one inverse for each value the field can hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rewrite.analysis.fields import Field, as_bits
from rewrite.analysis.mutexes import Mutexes
from rewrite.analysis.transitions import Transition, pairs
from rewrite.budget import tick
from rewrite.compile.slots.changes import NEVER_HELD, Change
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.reads import Write, changed

MOST_INVERSES = 4_000
MOST_MISSES = 8
"""Extra tests that keep an inverse from leading to a mutex."""


def inverted(given: Sequence[Transition], fields: Sequence[Field]) -> list[Transition]:
    """Return the inverse transitions, deduplicated. Raises Unsuitable if there are too many."""
    found: dict[Transition, None] = {}
    for one in given:
        sources = [source for _, source in one.copies] + [source for _, source, _ in one.maps]
        kept = {at for at in sources if at not in one.written or sources.count(at) > 1}
        kept |= {at for _, at, table in one.maps if not _exact(one, at, table, fields)}
        known = kept.union(dict(one.tests)).intersection(sources)
        lost = one.written.difference(sources)
        for plain in one.testing(known | lost, fields):
            tick(5)
            found[_undone(plain, fields)] = None
            if len(found) > MOST_INVERSES:
                raise Unsuitable(f"its inverse rules have more than {MOST_INVERSES:,} instances")
    return list(found)


def _exact(one: Transition, source: int, table: tuple[int, ...], fields: Sequence[Field]) -> bool:
    possible = one.possible(source, fields)
    return len({table[value] for value in possible}) == len(possible)


def _undone(one: Transition, fields: Sequence[Field]) -> Transition:
    """Invert a transition that copies or maps one to one and tests what it overwrites."""
    tests, went = dict(one.tests), {source: field for field, source in one.copies}
    left = {field: value for field, value in one.tests if field not in one.written}
    before = {field: tests[field] for field in one.written & tests.keys()}
    mapped = {source for _, source, _ in one.maps}
    misses = {(went.get(field, field), value) for field, value in one.misses if field not in mapped}
    maps = []
    for field, source, table in one.maps:
        came = {table[value]: value for value in one.possible(source, fields)}
        numbers = range(len(fields[field].values))
        maps.append((source, field, tuple([came.get(number, NEVER_HELD) for number in numbers])))
        misses |= {(field, number) for number in numbers if number not in came}
    return Transition(
        one.rule, one.cost, pairs(left | dict(one.sets)), tuple(sorted(misses)), pairs(before),
        pairs(went), free=one.free, maps=tuple(sorted(maps)),
    )  # fmt: skip


def narrowed(given: Sequence[Transition], known: Mutexes) -> list[Transition]:
    """Restrict inverse transitions so that few lead to states with a mutex.

    Drop those that lead only to such states; the others get misses for values compatible with the
    state before but not with the state after. No state without mutexes is lost.
    """
    found = []
    for one in given:
        if one.sources:
            found.append(one)
            continue
        after = [pair for pair in one.tests if pair[0] not in one.written] + [*one.sets]
        there, comes = known.with_all(one.tests), known.with_all(after)
        if all(comes >> known.bit(*pair) & 1 for pair in after):
            named = one.written.union(dict(one.tests))
            lost = known.pairs(there & ~comes & ~known.every(named))
            misses = {*one.misses, *lost[:MOST_MISSES]}
            found.append(evolve(one, misses=tuple(sorted(misses))))
    return found


def change_of(one: Transition, fields: Sequence[Field]) -> Change:
    """Return a transition as a change of bits, the form that engines run."""
    clear = sum(fields[at].mask for at in one.written)
    given = (one.tests, one.misses, one.sets)
    tests, misses, sets = (as_bits(pairs_, fields) for pairs_ in given)
    writes = [
        Write(copy=(fields[source].mask, fields[at].offset - fields[source].offset))
        for at, source in one.copies
    ]
    writes += [
        Write(map=(fields[source].offset, fields[source].bits, fields[at].offset, table))
        for at, source, table in one.maps
    ]
    fill = sum(value for _, value in sets)
    return changed(dict(tests), misses, clear, fill, writes, 0, one.cost)

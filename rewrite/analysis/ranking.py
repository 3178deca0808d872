"""Rankings: a numbering of the states of a puzzle that stores none of them.

Fields that only permute distinct values have n! numbers, or half of that if the parity is known (as
on sliding tiles, from the place of the hole). Any other field is a digit, with one number for each
value that can occur in it. All of this follows from what the transitions write and test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import factorial, prod

from attrs import evolve, frozen

from rewrite.analysis.disjoint_sets import DisjointSets
from rewrite.analysis.fields import Field
from rewrite.analysis.inverse_transitions import inverted
from rewrite.analysis.transitions import Transition, pairs
from rewrite.budget import ticking
from rewrite.compile.slots.keys import Unsuitable

MOST_NUMBERS = 2**32 - 1
"""There may be more only where two bits are enough for each: see `alternating`."""
MOST_TRANSITIONS = 20_000
MOST_VALUES = 255
LONGEST = 20
"""Elements of a permutation."""
IN_BLOCK, WIDEST = 8, 1 << 20
"""Elements whose order differs within a block of the core's tables, and orders of those that a step
moves, if they are not all in a block (`core-crate/src/ranking/blocks.rs`)."""


@frozen
class Part:
    """Fields that are ranked together.

    fields    the single field of a digit, or those that hold a permutation
    values    what a digit can hold, or the values that are permuted; ascending
    permuted  whether it is a permutation
    mover     the index in `values` of one that every step moves, from a place that it tests; its
              place is then the first digit of the number
    odd       by place of the mover (or one entry): whether the others are an odd permutation; None
              if unknown
    """

    fields: tuple[int, ...]
    values: tuple[int, ...]
    permuted: bool = False
    mover: int | None = None
    odd: tuple[bool, ...] | None = None

    @property
    def size(self) -> int:
        if not self.permuted:
            return len(self.values)
        others = len(self.values) - (self.mover is not None)
        return factorial(len(self.values)) // (2 if self.odd is not None and others >= 3 else 1)


@frozen
class Ranking:
    """Numbers for all states reachable from a start.

    held         what the fields hold in the start
    parts        the fields that change
    transitions  those that can apply, without fields that never change
    reversible   whether another transition undoes each one: the levels of neighbours then differ by
                 at most one, and levels modulo 3 suffice to trace the way back
    alternating  whether, besides, every step moves the mover of a single permutation between places
                 of two colours: levels modulo 4 then take two bits
    """

    held: tuple[int, ...]
    parts: tuple[Part, ...]
    transitions: tuple[Transition, ...]
    reversible: bool
    alternating: bool

    @property
    def modulus(self) -> int:
        """Levels are kept modulo this; 0: as they are."""
        return 4 if self.alternating else 3 if self.reversible else 0

    @property
    def bits(self) -> int:
        return {4: 2, 3: 3, 0: 8}[self.modulus]

    @property
    def size(self) -> int:
        return prod(part.size for part in self.parts)

    @property
    def bytes(self) -> int:
        """The size of a table of all distances."""
        return -(-self.size // 64) * 8 * self.bits

    @property
    def bytes_to_fill(self) -> int:
        """Its size while being filled: with small levels listed, or the work of a level."""
        if self.alternating:
            return self.bytes + (8 << 20) + self.size // 1024
        return self.bytes + 4 * min(self.size, 2 * max(self.size // 64, 1 << 20))

    @property
    def enough(self) -> str:
        """A max_memory= with which it is filled, with a twentieth to spare."""
        return f"{self.bytes_to_fill * 21 // 20 // 10**9 + 1} GB"

    def __str__(self) -> str:
        kinds = []
        for part in self.parts:
            if part.permuted:
                half = f", {'half' if part.odd is not None else 'all'} of their orders"
                kinds.append(f"{len(part.fields)} fields exchange values{half}")
        digits = sum(not part.permuted for part in self.parts)
        if digits:
            kinds.append(f"{digits} field{'s' * (digits != 1)} of few values")
        bits = f"{self.bits} bits" if self.reversible else "a byte"
        return f"{self.size:,} numbers, {bits} each ({'; '.join(kinds)})"


def perfect_index(
    fields: Sequence[Field], transitions: Sequence[Transition], held: Sequence[int]
) -> Ranking:
    """Return how to number the states. Raises Unsuitable if there would be too many numbers."""
    if any(one.maps for one in transitions):
        raise Unsuitable("rules that compute what they put from many values")
    if len(transitions) > MOST_TRANSITIONS:
        raise Unsuitable(f"more than {MOST_TRANSITIONS:,} ground rules, written out")
    domains, usable = _domains(transitions, held)
    if max(map(len, domains), default=1) > MOST_VALUES or max(held, default=0) > MOST_VALUES:
        raise Unsuitable(f"a field of more than {MOST_VALUES} values")
    try:
        reversible = _forms(inverted(usable, fields)) <= _forms(usable)
    except Unsuitable:
        reversible = False
    moving = {field: field for field, domain in enumerate(domains) if len(domain) > 1}
    reduced = [_without_fixed(one, domains, moving) for one in ticking(usable)]
    short = [one for one in reduced if one.written]
    writers: dict[int, list[Transition]] = {field: [] for field in moving}
    for one in short:
        for field in one.written:
            writers[field].append(one)
    parts: list[Part] = []
    for group in _groups(short, fields, domains):
        values = tuple(sorted(held[field] for field in group))
        whole = len({*values}) == len(group) <= LONGEST and None not in [
            _sources(one, group) for field in group for one in writers[field]
        ]
        if whole and factorial(len(group)) <= prod(len(domains[field]) for field in group):
            parts.append(_with_mover(Part(group, values, True), short, held))
        else:
            parts += [Part((field,), tuple(sorted(domains[field]))) for field in group]
    alternating = reversible and len(parts) == 1 and _alternates(parts[0], short)
    found = Ranking(tuple(held), tuple(parts), tuple(short), reversible, alternating)
    if found.size > MOST_NUMBERS and not alternating:
        raise Unsuitable(f"{found.size:,} numbers, more than {MOST_NUMBERS:,}")
    return found


def _domains(
    transitions: Sequence[Transition], held: Sequence[int]
) -> tuple[list[set[int]], list[Transition]]:
    domains = [{value} for value in held]
    while True:
        before = sum(map(len, domains))
        usable = []
        for one in ticking(transitions):
            if not all(value in domains[field] for field, value in one.tests):
                continue
            if any(domains[field] <= {value} for field, value in one.misses):
                continue
            usable.append(one)
            tests = dict(one.tests)
            for field, value in one.sets:
                domains[field].add(value)
            for field, source in one.copies:
                domains[field] |= {tests[source]} if source in tests else domains[source]
        if sum(map(len, domains)) == before:
            return domains, usable


def _forms(given: Iterable[Transition]) -> set[tuple[object, ...]]:
    """Return what the transitions test and change, without redundancy."""
    found: set[tuple[object, ...]] = set()
    for one in ticking(given):
        tests = dict(one.tests)
        sets = frozenset((field, value) for field, value in one.sets if tests.get(field) != value)
        misses = frozenset(miss for miss in one.misses if miss[0] not in tests)
        found.add((frozenset(one.tests), misses, sets, frozenset(one.copies)))
    return found


def _without_fixed(
    one: Transition, domains: Sequence[set[int]], moving: dict[int, int]
) -> Transition:
    fixed = {to: min(domains[source]) for to, source in one.copies if source not in moving}
    changed = (dict(one.sets) | fixed).items() - {*one.tests}
    return evolve(one, sets=pairs(dict(changed))).within(moving)


def _groups(
    transitions: Sequence[Transition], fields: Sequence[Field], domains: Sequence[set[int]]
) -> list[tuple[int, ...]]:
    """Return the fields that change, grouped if they are written or copied together."""
    together = DisjointSets(len(fields))
    for one in transitions:
        first: dict[int, int] = {}
        for field in sorted(one.written.union(dict(one.copies).values())):
            together.join(field, first.setdefault(fields[field].kind, field))
    groups: dict[int, list[int]] = {}
    for field, domain in enumerate(domains):
        if len(domain) > 1:
            groups.setdefault(together.find(field), []).append(field)
    return [tuple(group) for group in groups.values()]


def _sources(one: Transition, group: Sequence[int]) -> dict[int, int] | None:
    """Return the source of each written field; None if the group may hold other values then."""
    written = one.written & {*group}
    tests = dict(one.tests)
    found = {field: source for field, source in one.copies if field in written}
    left = {tests.get(field): field for field in written - {*found.values()}}
    for field, value in one.sets:
        if field in written:
            found[field] = left.get(value, -1)
    return found if sorted(found.values()) == sorted(written) else None


def _with_mover(part: Part, transitions: Sequence[Transition], held: Sequence[int]) -> Part:
    values = part.values
    steps = [
        (one, _sources(one, part.fields) or {}) for one in transitions
        if one.written & {*part.fields}
    ]  # fmt: skip
    tested = [{value for field, value in one.tests if field in sources} for one, sources in steps]
    mover = min(set.intersection(*tested), default=None) if tested else None
    which = None if mover is None else values.index(mover)
    if mover is not None:
        hops = [(to, came) for one, sources in steps for to, came in sources.items()
                if (came, mover) in one.tests]  # fmt: skip
        part = evolve(part, fields=_arranged(part.fields, hops))
    group = part.fields
    place = {field: at for at, field in enumerate(group)}
    order = [values.index(held[field]) for field in group]
    links: dict[int, set[tuple[int, bool]]] = {}
    for one, sources in steps:
        moved = _odd([place[sources.get(field, field)] for field in group])
        ends = [(to, came) for to, came in sources.items() if (came, mover) in one.tests]
        there, here = map(place.__getitem__, ends[0]) if ends else (0, 0)
        links.setdefault(here, set()).add((there, moved))
        links.setdefault(there, set()).add((here, moved))
    begin = 0 if which is None else order.index(which)
    known, stack = {begin: _odd(order)}, [begin]
    while stack:
        here = stack.pop()
        for there, changes in links.get(here, ()):
            if there not in known:
                known[there] = known[here] ^ changes
                stack.append(there)
            elif known[there] != known[here] ^ changes:
                return evolve(part, mover=which)
    if which is None:
        return evolve(part, odd=(known[0],))
    # at place p the mover makes p + which inversions, or fewer by an even number
    odd = [known.get(p, False) ^ ((p + which) % 2 == 1) for p in range(len(group))]
    return evolve(part, mover=which, odd=tuple(odd))


def _arranged(fields: tuple[int, ...], hops: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return an order in which hops are short: elements between their ends change rank."""
    at = {field: place for place, field in enumerate(fields)}

    def by_columns(width: int) -> tuple[int, ...]:
        return tuple(sorted(fields, key=lambda field: (at[field] % width, at[field] // width)))

    def length(order: tuple[int, ...]) -> int:
        return sum(abs(order.index(to) - order.index(came)) for to, came in hops)

    widths = sorted({abs(at[to] - at[came]) for to, came in hops})
    return min([fields, *map(by_columns, widths)], key=length)


def _alternates(part: Part, transitions: Sequence[Transition]) -> bool:
    """Whether each step moves the mover to a place of another colour, and few others (above)."""
    if part.mover is None:
        return False
    mover, place = part.values[part.mover], {field: at for at, field in enumerate(part.fields)}
    others = len(part.fields) - 1
    colours = DisjointSets(2 * len(place))  # for each place, that it has one, and the other
    for one in transitions:
        if one.misses or len(one.tests) != 1 or one.tests[0][1] != mover:
            return False
        sources = _sources(one, part.fields) or {}
        here = one.tests[0][0]
        to = next((to for to, came in sources.items() if came == here), here)
        left = [sources.get(field, field) for field in part.fields if field != to]
        before = [field for field in part.fields if field != here]
        moved = [at for at in range(others) if left[at] != before[at]]
        colours.join(place[here], place[to] + len(place))
        colours.join(place[here] + len(place), place[to])
        begin, end = (moved[0], moved[-1] + 1) if moved else (others, others)
        begin_block = max(0, others - IN_BLOCK)
        if begin < begin_block and prod(range(others - end + 1, others - begin + 1)) > WIDEST:
            return False
    two = all(colours.find(at) != colours.find(at + len(place)) for at in range(len(place)))
    return two and others <= 2 * IN_BLOCK - 1


def _odd(order: Sequence[int]) -> bool:
    return sum(one > other for one, other in combinations(order, 2)) % 2 == 1

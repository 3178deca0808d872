"""Conditions on partially known states: true, false, or undecided (None), as in Kleene's logic.

`code` holds the known fields and `known` masks their bits; a field is known entirely or not at
all. `Constraints` builds them from analysed conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Any, ClassVar, TypeAlias

from attrs import frozen

from rewrite.analysis.over_slots import Filled, OverSlots
from rewrite.analysis.transitions import Pairs
from rewrite.compile.rule_properties import MIRRORED
from rewrite.compile.slots import forms
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Aggregate, Both, Condition, Holds
from rewrite.language.expressions import Call, Expression

Kleene = bool | None
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__,
    "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip
NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@frozen
class Match:
    """A ground instance of a condition: tests, misses, and possibly a non-empty table entry.

    tests   (mask, value): s & mask == value for all; misses: s & mask != value for all
    table   from the bits in `reads` to matches; looked up only once they are all known
    """

    tests: Pairs
    misses: Pairs = ()
    reads: int = 0
    table: Mapping[int, Collection[Any]] | None = None

    @property
    def scope(self) -> int:
        read = self.reads if self.table is not None else 0
        return reduce(or_, [mask for mask, _ in (*self.tests, *self.misses)], read)

    def holds(self, code: int, known: int) -> Kleene:
        """Return whether it holds for every value of the unknown fields; None: it depends."""
        is_open = False
        for mask, value in self.tests:
            if mask & ~known:
                is_open = True
            elif code & mask != value:
                return False
        for mask, value in self.misses:
            if mask & ~known:
                is_open = True
            elif code & mask == value:
                return False
        if self.table is not None:
            if self.reads & ~known:
                is_open = True
            elif not self.table[code & self.reads]:
                return False
        return None if is_open else True


@frozen
class Opposite:
    """The match does not hold; see `opposite`."""

    inner: Match

    @property
    def scope(self) -> int:
        return self.inner.scope

    def holds(self, code: int, known: int) -> Kleene:
        found = self.inner.holds(code, known)
        return None if found is None else not found


@frozen
class _Joined:
    """Constraints, any one of which settles the answer `decisive`."""

    parts: tuple[Constraint, ...]
    decisive: ClassVar[bool]

    @property
    def scope(self) -> int:
        return _scope(self.parts)

    def holds(self, code: int, known: int) -> Kleene:
        result: Kleene = not self.decisive
        for part in self.parts:
            found = part.holds(code, known)
            if found is self.decisive:
                return found
            if found is None:
                result = None
        return result


@frozen
class Every(_Joined):
    decisive: ClassVar[bool] = False


@frozen
class Whole(Every):
    """The last of the constraints holds, and the state has no terms beyond those it asks for."""


@frozen
class Some(_Joined):
    decisive: ClassVar[bool] = True


@frozen
class Sum:
    """Compares a sum of (match, amount) with a number; None: entries of the table have amounts."""

    terms: tuple[tuple[Match, int | None], ...]
    op: str
    bound: int

    @property
    def scope(self) -> int:
        return _scope(match for match, _ in self.terms)

    def holds(self, code: int, known: int) -> Kleene:
        low = high = 0
        for match, amount in self.terms:
            found = match.holds(code, known)
            if found is False:
                continue
            if match.table is not None:
                if found is None:
                    return None  # the number of entries is unknown
                each = match.table[code & match.reads]
                if amount is None and not all(type(one[0]) is int for one in each):
                    return None  # not a sum: leave it to the exact test
                amount = sum([one[0] for one in each]) if amount is None else amount * len(each)
            assert amount is not None
            if found or amount < 0:
                low += amount
            if found or amount > 0:
                high += amount
        if low < high and self.op in ("==", "!="):  # not every value in between is possible
            return None if low <= self.bound <= high else self.op == "!="
        compare = COMPARISONS[self.op]
        first, last = compare(low, self.bound), compare(high, self.bound)
        return first if first == last else None

    def rest(self, code: int, known: int) -> Sum:
        """Return the remaining comparison once some fields are known."""
        left, bound = [], self.bound
        for match, amount in self.terms:
            found = match.holds(code, known)
            if found is None or match.table is not None:
                left.append((match, amount))
            elif found:
                assert amount is not None
                bound -= amount
        return Sum(tuple(left), self.op, bound)


@frozen
class Unknown:
    """A condition that cannot be analysed: undecided until it is tested."""

    scope: ClassVar[int] = 0

    def holds(self, code: int, known: int) -> Kleene:
        return None


Constraint: TypeAlias = Match | Opposite | Every | Some | Sum | Unknown
"""Something that depends on the bits in `scope`."""


def _scope(parts: Iterable[Constraint]) -> int:
    return reduce(or_, [part.scope for part in parts], 0)


def opposite(given: Constraint) -> Constraint:
    match given:
        case Match():
            return Opposite(given)
        case Opposite(inner):
            return inner
        case Every(parts):
            return Some(tuple(map(opposite, parts)))
        case Some(parts):
            return Every(tuple(map(opposite, parts)))
        case Sum(terms, op, bound):
            return Sum(terms, NEGATED[op], bound)
    return given


def size(given: Constraint) -> int:
    """Return the most matches that deciding a constraint inspects."""
    if isinstance(given, (Every, Some)):
        return 1 + sum(map(size, given.parts))
    return len(given.terms) if isinstance(given, Sum) else 1


def conjunction(given: Constraint) -> list[Constraint]:
    """Split a constraint into conjuncts, as many and as small as possible."""
    match given:
        case Every(parts) | Some((_,) as parts):
            return [one for part in parts for one in conjunction(part)]
        case Match(tests, misses, reads, table):
            looked_up = [Match((), (), reads, table)] if table is not None else []
            return [*[Match((one,)) for one in tests], *[Match((), (one,)) for one in misses],
                    *looked_up]  # fmt: skip
    return [given]


class Constraints:
    """Builds constraints on fields from conditions; without `sums`, comparisons are Unknown."""

    def __init__(self, rules: OverSlots, sums: bool = True) -> None:
        self.rules, self.fields, self.sums = rules, rules.fields, sums
        self.by_mask = {field.mask: field for field in rules.fields}

    def of(self, given: Condition) -> Constraint:
        return self._of(forms.read(self.rules.program, given))

    def _of(self, given: forms.Form) -> Constraint:
        match given:
            case forms.AllOf(left, right):
                return Every((self._of(left), self._of(right)))
            case forms.OneOf(left, right):
                return Some((self._of(left), self._of(right)))
            case forms.Denied(inner):
                return opposite(self._of(inner))
            case forms.Matches():
                found = self.rules.instances(given)
                return Some(tuple([_match(change, table) for change, table in found]))
            case forms.Whole(_, matches, None):
                return Whole((Unknown(), self._of(matches)))
            case forms.Whole(_, matches, (bits, number)):
                single = [1 << at for at in range(bits.bit_length()) if bits >> at & 1]
                atoms = tuple([(Match(((bit, bit),)), 1) for bit in single])
                return Whole((Sum(atoms, "==", number), self._of(matches)))
            case forms.Codes(codes):
                return Some(tuple([
                    Match(tuple([(field.mask, code & field.mask) for field in self.fields]))
                    for code in codes
                ]))  # fmt: skip
            case forms.Opaque(Both() as both):  # the right side uses what the left side bound
                return Every((self.of(both.left), Unknown()))
            case Holds() if self.sums:
                with suppress(Unsuitable):
                    return self._compared(given.expression)
        return Unknown()

    def _compared(self, given: Expression) -> Constraint:
        match given:
            case Call(op=op, args=(Aggregate() as over, bound)) if op in COMPARISONS:
                pass
            case Call(op=op, args=(bound, Aggregate() as over)) if op in COMPARISONS:
                op = MIRRORED.get(op, op)
            case _:
                return Unknown()
        if over.name not in ("count", "total") or type(bound) is not int:
            return Unknown()
        terms: list[tuple[Match, int | None]] = []
        for change, table in self.rules.instances(forms.counted(self.rules.program, over)):
            amount = change.cost if table is None else over.value
            each = amount if type(amount) is int else None
            if table is None and each is None:
                return Unknown()
            terms += self._terms(_match(change, table), each)
        return Sum(tuple(terms), op, bound)

    def _terms(self, match: Match, each: int | None) -> list[tuple[Match, int | None]]:
        """Return one term per value of a single field: that bounds the sum before it is known."""
        field = self.by_mask.get(match.reads)
        if field is None or match.table is None:
            return [(match, each)]
        terms: list[tuple[Match, int | None]] = []
        for number in range(len(field.values)):
            bits = number << field.offset
            amounts = [one[0] if each is None else each for one in match.table[bits]]
            if not all(type(amount) is int for amount in amounts):
                return [(match, each)]
            if sum(amounts):
                tests = (*match.tests, (field.mask, bits))
                terms.append((Match(tests, match.misses), sum(amounts)))
        return terms


def _match(change: Change, table: Filled | None) -> Match:
    reads = 0 if table is None else change.lookups[0].reads
    return Match(change.tests, change.misses, reads, table)

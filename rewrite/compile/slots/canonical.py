"""The canonical order of states in slots and bits: `simplify` goes on with the least of several.

States are compared as sorted sequences of terms. Terms have numbers in canonical order, their
ranks, so that no state is decoded.
"""

from __future__ import annotations

from attrs import frozen

from rewrite.compile.interning import encode, ordered
from rewrite.compile.slots.layout import SlotLayout


@frozen
class Ranks:
    """The ranks of all terms that states hold, from 1.

    fields  offset and bits of each slot, and the rank of the term that each number in it stands
            for; 0 for none
    static  the highest rank of the terms that every state holds, 0 for none. Of what two states
            share only the highest term matters: it decides where one holds all of the other
    """

    fields: tuple[tuple[int, int, tuple[int, ...]], ...]
    static: int

    def key(self, code: int) -> list[int]:
        """Return the key that orders states as their terms do."""
        held = [ranks[code >> at & (1 << bits) - 1] for at, bits, ranks in self.fields]
        return sorted([rank for rank in (*held, self.static) if rank])


def ranked(layout: SlotLayout) -> Ranks:
    """Return the ranks of a layout, of which all values are known."""
    fields = [
        (offset, slots.bits, tuple([slots.term(key, value) for value in slots.values]))
        for slots in layout.slots.values()
        for key, offset in slots.offsets.items()
    ]
    fields += [
        (choice.offset, choice.mask.bit_count(), choice.atoms) for choice in layout.choices.values()
    ]
    static = [*map(encode, layout.static)]
    terms = {term for *_, terms in fields for term in terms} | {*static}
    ranks = {term: rank for rank, term in enumerate(ordered(terms - {None}), 1)} | {None: 0}
    return Ranks(
        tuple([(at, bits, tuple([ranks[one] for one in terms])) for at, bits, terms in fields]),
        max([ranks[one] for one in static], default=0),
    )

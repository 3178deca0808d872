"""What the slots and bits of a puzzle are, in lines for people."""

from __future__ import annotations

from rewrite.compiler.interning import decode
from rewrite.compiler.slots.layout import Choice, SlotLayout, Slots
from rewrite.language.order import source

SHOWN = 3
"""Terms that are shown of a slot that several share."""


def described(layout: SlotLayout) -> list[str]:
    """Return a line for each family of slots, for each kind of slot that terms share, for bits."""
    lines = [_family(slots) for slots in layout.slots.values()]
    kinds: dict[tuple[frozenset[str], bool, int], list[Choice]] = {}
    alone = []
    for choice in layout.choices.values():
        if not choice.shared:
            alone.append(choice)
            continue
        names = frozenset(str(atom[0]) for atom in choice.atoms if isinstance(atom, tuple))
        kinds.setdefault((names, choice.optional, choice.mask.bit_count()), []).append(choice)
    for (_, optional, bits), choices in kinds.items():
        shown = [source(decode(atom)) for atom in choices[0].atoms if atom is not None]
        rest = "" if len(shown) <= SHOWN else ", …"
        held = "at most one" if optional else "always one"
        lines.append(
            f"{_several(len(choices), 'slot')} of {_several(bits, 'bit')}, {held} of terms that "
            f"exclude each other, e.g. {', '.join(shown[:SHOWN])}{rest}"
        )
    if alone:
        example = source(decode(alone[0].atoms[1]))
        lines.append(f"{_several(len(alone), 'bit')} for terms that come and go, e.g. {example}")
    return lines


def _family(slots: Slots) -> str:
    family = slots.family
    names = family.constructor.term_fields
    keys = ", ".join(names[at] for at in family.key)
    values = ", ".join(names[at] for at in family.value)
    held = f"a slot of {_several(slots.bits, 'bit')} holds {values or 'nothing'}"
    many = f", for each of {len(slots.offsets)} ({keys})" if keys else ""
    known = "" if slots.closed else "; values are numbered as they appear"
    why = "" if slots.open_for is None else f" ({slots.open_for})"
    return f"{family.constructor.__name__}: {held}{many}{known}{why}"


def _several(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"

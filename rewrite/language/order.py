"""The canonical order of terms: by type, then by value, arguments left to right.

The order of types is bool < int < str < sequence < nested bag < constructor term. A key is a tuple
that starts with the rank of its type, followed by the keys of the parts; so `True`, `1` and `"1"`
never compare equal, and any two keys are comparable. Nothing depends on hashes or addresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from rewrite.language.nesting import PLAIN

BOOL, INT, STR, SEQUENCE, BAG, CONSTRUCTOR, SYMBOLIC = range(7)

Key = tuple[Any, ...]
Measure = tuple[Key, int]
"""The canonical key of a value, and how many levels deep it nests."""
Pieces = list[str | tuple[Any]]


class Frozen:
    """Base of immutable values: a copy is the value itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Keyed(Frozen):
    """Base of this package's values, which have their own canonical key.

    Authors choose the fields of constructors, so all methods of values start with `term_`.
    """

    __slots__ = ()
    term_refusal: ClassVar[str] = ""
    """Why it cannot be used as a term, and what to write instead; "" if it can."""

    def term_key(self) -> Key:
        return self.term_measure()[0]

    def term_measure(self) -> Measure:
        """Return the canonical key of this value and its nesting levels, 0 for a name."""
        return self.term_key(), 0

    def term_parts(self) -> tuple[Any, ...]:
        """Return what is directly inside: arguments, elements, operands."""
        return ()

    def term_inside(self) -> tuple[Any, ...]:
        """Return what is directly inside, including aggregates and conditions."""
        return self.term_parts()

    def __repr__(self) -> str:
        return source(self)

    def term_pieces(self) -> Pieces:
        """Return the source text as pieces: texts, and parts, each in a tuple of its own."""
        return [repr(self)]


def term_key(value: Any) -> Key:
    """Return the canonical key of a frozen value; equal keys mean equal terms. O(size)."""
    kind = type(value)
    if kind is int:
        return (INT, value)
    if kind is str:
        return (STR, value)
    if kind is bool:
        return (BOOL, value)
    if kind is tuple:
        return gathered((SEQUENCE,), value)[0]
    key: Key = value.term_key()
    return key


def gathered(head: Key, parts: Iterable[Any]) -> Measure:
    """Return the key of `head` followed by the keys of the parts, and its nesting levels.

    Compound values cache their own, so that only sequences are traversed by recursion.
    """
    keys, deepest = [*head], 0
    for part in parts:
        kind = type(part)
        if kind is int:
            keys.append((INT, part))
        elif kind is str:
            keys.append((STR, part))
        elif kind is bool:
            keys.append((BOOL, part))
        else:
            sequence = kind is tuple
            key, levels = gathered((SEQUENCE,), part) if sequence else part.term_measure()
            keys.append(key)
            if levels > deepest:
                deepest = levels
    return tuple(keys), deepest + 1


def levels_of(value: Any) -> int:
    """Return how many levels deep a frozen value nests: 0 for a plain one."""
    if type(value) in PLAIN:
        return 0
    measure: Measure = gathered((), value) if type(value) is tuple else value.term_measure()
    return measure[1]


def inside(value: Any) -> tuple[Any, ...]:
    """Return what is directly inside a value, whether term, pattern or expression."""
    if isinstance(value, tuple):
        return value
    return value.term_parts() if isinstance(value, Keyed) else ()


def source(value: Any) -> str:
    """Return the source text of a term, pattern or expression. O(length)."""
    return text_of([(value,)])


def text_of(pieces: Pieces) -> str:
    """Return the text of pieces, replacing parts by their source text."""
    out: list[str] = []
    todo = pieces[::-1]
    while todo:
        piece = todo.pop()
        if type(piece) is str:
            out.append(piece)
            continue
        one = piece[0]
        if isinstance(one, tuple):
            todo += listed("(", one, ",)" if len(one) == 1 else ")")[::-1]
        elif isinstance(one, Keyed):
            todo += one.term_pieces()[::-1]
        else:
            out.append(plain(one))
    return "".join(out)


def plain(value: Any) -> str:
    """Return the source text of a number, a text or a truth value, or of something foreign.

    Python prints numbers of more than a few thousand digits in base 16 only.
    """
    try:
        return repr(value)
    except Exception:  # a foreign `__repr__` may fail with anything
        return hex(value) if isinstance(value, int) else object.__repr__(value)


def listed(opening: str, parts: Iterable[Any], closing: str = ")") -> Pieces:
    """Return the pieces of a bracketed list of parts."""
    made: Pieces = []
    for part in parts:
        made += [", ", (part,)]
    return [opening, *made[1:], closing]

"""The canonical order of terms: by type, then by value, arguments left to right.

The order of types is bool < int < str < sequence < nested bag < constructor term. A key is a nested
tuple that starts with the rank of its type; so `True`, `1` and `"1"` never compare equal, and two
keys can always be compared. Nothing here depends on hashes, addresses or threads.

Python compares and hashes nested tuples by recursion in C. The key of what nests more than
`TALLEST` levels deep is therefore a `Tall` tuple: the same tuple, which knows its hash and compares
without recursion. Keys share the keys of their parts, so a deep term takes memory once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

from rewrite.language.nesting import PLAIN

BOOL, INT, STR, SEQUENCE, BAG, CONSTRUCTOR, SYMBOLIC = range(7)

Key = tuple[Any, ...]
Pieces = list[str | tuple[Any]]
TALLEST = 40


class Tall(tuple[Any, ...]):
    """The key of a deep value: the tuple itself, compared and hashed without recursion."""

    _hash: int

    def __new__(cls, items: Key) -> Tall:
        made = super().__new__(cls, items)
        made._hash = tuple.__hash__(made)
        return made

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return source(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tall):  # a shallow value never equals a deep one
            return False
        return self._hash == other._hash and compared(self, other) == 0

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Key) -> bool:
        return compared(self, other) < 0

    def __le__(self, other: Key) -> bool:
        return compared(self, other) <= 0

    def __gt__(self, other: Key) -> bool:
        return compared(self, other) > 0

    def __ge__(self, other: Key) -> bool:
        return compared(self, other) >= 0


def compared(left: Key, right: Key) -> int:
    """Return a number below, equal to or above 0 as nested tuples compare, without recursion."""
    todo: list[tuple[Any, Any]] = [(left, right)]
    while todo:
        one, other = todo.pop()
        if one is other:
            continue
        if isinstance(one, tuple) and isinstance(other, tuple):
            todo.append((len(one), len(other)))  # looked at last
            todo.extend([*zip(one, other, strict=False)][::-1])
        elif one != other:
            return -1 if one < other else 1
    return 0


class Keyed:
    """Base of our own values: whatever brings its own canonical key.

    A constructor of an author is one too, and its fields may be called anything else: what can be
    asked of every value begins with `term_`, and nothing else is asked of a value of any class.
    """

    __slots__ = ()
    term_refusal: ClassVar[str] = ""
    """Why it cannot stand where terms stand, and what to write; "" where it can."""

    def term_key(self) -> Key:
        """Return the canonical key of this value."""
        return deep_key(self)

    def term_key_parts(self) -> tuple[Key, tuple[Any, ...]] | None:
        """Return what the key begins with, and the values whose keys follow as one tuple.

        None where nothing is inside: then `term_key` gives the key.
        """
        return None

    def term_known_key(self) -> tuple[Key, int] | None:
        """Return key and height of this value where they are kept."""
        return None

    def term_keep_key(self, key: Key, height: int) -> None:
        """Keep key and height of this value, if it has room for them."""

    def term_parts(self) -> tuple[Any, ...]:
        """Return what is directly inside: arguments, elements, operands."""
        return ()

    def term_inside(self) -> tuple[Any, ...]:
        """Return what is directly inside, be it inside an aggregate or a condition too."""
        return self.term_parts()

    def term_rebuild(self) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
        """Return a function and its first arguments that make this value again from its parts.

        None for what is pickled as it is.
        """
        return None

    def __copy__(self) -> Self:
        return self  # nothing of it can change

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def term_pieces(self) -> Pieces:
        """Return the source text in pieces: texts, and parts, each as a tuple of its own."""
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
        found = shallow(value, TALLEST)
        return found[0] if found else deep_key(value)
    key: Key = value.term_key()
    return key


def shallow(values: tuple[Any, ...], room: int) -> tuple[Key, int] | None:
    """Return key and height of a sequence where it nests at most `room` levels deep, else None.

    None also where the key of a part is not known yet.
    """
    keys: list[Key] = []
    height = 0
    for part in values:
        kind = type(part)
        if kind is int:
            keys.append((INT, part))
        elif kind is str:
            keys.append((STR, part))
        elif kind is bool:
            keys.append((BOOL, part))
        else:
            if kind is tuple:
                found = shallow(part, room - 1) if room else None
            else:
                found = part.term_known_key()
            if found is None or found[1] >= room:
                return None
            keys.append(found[0])
            height = max(height, found[1])
    return (SEQUENCE, tuple(keys)), height + 1


def measured(value: Any) -> tuple[Key, int]:
    """Return the key of a frozen value and its height: how many levels deep it nests."""
    kind = type(value)
    if kind in PLAIN:
        return term_key(value), 0
    if kind is tuple:
        found = shallow(value, TALLEST)
    else:
        found = value.term_known_key()
        if found is None and value.term_key() is not None:  # many keep it now
            found = value.term_known_key()
    return found or deep_measured(value)


def deep_key(value: Any) -> Key:
    """Return the key of a value, however deep it is."""
    return deep_measured(value)[0]


def deep_measured(value: Any) -> tuple[Key, int]:
    """Return key and height without recursion, however deep the value."""
    made: dict[int, tuple[Key, int]] = {}
    todo = [value]
    while todo:
        one = todo[-1]
        if id(one) in made:
            todo.pop()
            continue
        head: Key = (SEQUENCE,)
        parts: tuple[Any, ...] = one
        if type(one) is not tuple:
            known = one.term_known_key()
            opened = None if known else one.term_key_parts()
            if opened is None:
                made[id(one)] = known or (one.term_key(), 0)
                continue
            head, parts = opened
        found: list[tuple[Key, int]] = []
        waiting: list[Any] = []
        for part in parts:
            kind = type(part)
            if kind is int or kind is str or kind is bool:
                found.append((term_key(part), 0))
                continue
            known = made.get(id(part)) or (None if kind is tuple else part.term_known_key())
            if known is None:
                waiting.append(part)
            else:
                found.append(known)
        if waiting:
            todo += waiting
            continue
        todo.pop()
        height = 1 + max((height for _, height in found), default=0)
        key: Key = (*head, tuple([key for key, _ in found]))
        made[id(one)] = (Tall(key) if height > TALLEST else key, height)
        if type(one) is not tuple:
            one.term_keep_key(*made[id(one)])
    return made[id(value)]


def inside(value: Any) -> tuple[Any, ...]:
    """Return what is directly inside a value, be it a term, a pattern or an expression."""
    if isinstance(value, tuple):
        return value
    return value.term_parts() if isinstance(value, Keyed) else ()


def source(value: Any) -> str:
    """Return the source text of a term, pattern or expression. O(length)."""
    return written([(value,)])


def written(pieces: Pieces) -> str:
    """Return the text of pieces, in which parts stand for their source text."""
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
    """Return the source text of a number, a text or a truth value.

    Python writes numbers of more than some thousand digits in base 16 only.
    """
    try:
        return repr(value)
    except ValueError:
        return hex(value)


def listed(opening: str, parts: Iterable[Any], closing: str = ")") -> Pieces:
    """Return the pieces of a list of parts between brackets."""
    made: Pieces = []
    for part in parts:
        made += [", ", (part,)]
    return [opening, *made[1:], closing]

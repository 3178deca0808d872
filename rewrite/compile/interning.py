"""How the Python engine writes terms: plain values that hash and compare at the speed of C.

    int, str            themselves
    bool                TRUE or FALSE (Python's True equals 1, ours must not)
    sequence            tuple of values
    constructor term    (Ctor, value, …)
    nested bag          (BAG, value, …), sorted canonically

Where Python can compare two values with <, the outcome is the canonical order; where it cannot
(mixed types) it raises TypeError, and `ordered` falls back to explicit keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, total_ordering
from typing import Any

from rewrite.language.bag import Bag
from rewrite.language.nesting import UNAMBIGUOUS, levels_of_plain
from rewrite.language.order import BAG as BAG_RANK
from rewrite.language.order import (
    BOOL,
    CONSTRUCTOR,
    INT,
    SEQUENCE,
    STR,
    Key,
    inside,
)
from rewrite.language.terms import Term, term


@total_ordering
class Truth:
    """A truth value as a term; only TRUE and FALSE exist."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value

    def __lt__(self, other: Any) -> bool:
        if other.__class__ is not Truth:
            return NotImplemented
        return bool(self.value < other.value)

    def __reduce__(self) -> Any:
        return _truth, (self.value,)

    def __repr__(self) -> str:
        return str(self.value).upper()


FALSE, TRUE = Truth(False), Truth(True)
TRUTH = (FALSE, TRUE)


def _truth(value: bool) -> Truth:
    return TRUTH[value]


@total_ordering
class Ctor:
    """A constructor: one object for each identity (qualified name, module, field names)."""

    __slots__ = ("cls", "identity")
    known: dict[Any, Ctor] = {}  # noqa: RUF012 (the intern table)

    def __init__(self, cls: type[Term] | None, identity: Any) -> None:
        self.cls, self.identity = cls, identity

    @classmethod
    def of(cls, constructor: type[Term]) -> Ctor:
        """Return the one Ctor of a constructor class; a later class takes over the older one."""
        identity = constructor.term_identity()
        found = cls.known.get(identity) or cls.known.setdefault(
            identity, cls(constructor, identity)
        )
        found.cls = constructor
        return found

    def __lt__(self, other: Any) -> bool:
        if other.__class__ is not Ctor:
            return NotImplemented
        return bool(self.identity < other.identity)

    def __reduce__(self) -> Any:
        return "BAG" if self.cls is None else (Ctor.of, (self.cls,))

    def __repr__(self) -> str:
        return self.cls.__name__ if self.cls else "BAG"


@lru_cache(maxsize=256)
def constructor(name: str, size: int) -> type[Term]:
    """Return the constructor of terms that only the compiler makes, with so many arguments."""
    names = {f"value{number}": object for number in range(size)}
    return term(type(name, (), {"__annotations__": names, "__module__": __name__}))


BAG = Ctor(None, ())
TermType = Any  # "int", "str", "bool", "seq", "bag", or a Ctor


def term_type_of(value: Any) -> TermType:
    """Return which group of a state a value belongs to."""
    kind = value.__class__
    if kind is tuple:
        if value and value[0].__class__ is Ctor:
            return "bag" if value[0] is BAG else value[0]
        return "seq"
    return {int: "int", str: "str", Truth: "bool"}[kind]


def type_of_pattern(pattern: Any) -> TermType:
    """Return which group a constructor's pattern, or a term, belongs to."""
    return Ctor.of(type(pattern)) if isinstance(pattern, Term) else term_type_of(encode(pattern))


def term_type_key(term_type: TermType) -> Key:
    """Return the canonical place of a group."""
    ranks = {"bool": BOOL, "int": INT, "str": STR, "seq": SEQUENCE, "bag": BAG_RANK}
    return (
        (CONSTRUCTOR, *term_type.identity) if term_type.__class__ is Ctor else (ranks[term_type],)
    )


def encode(term: Any) -> Any:
    is_plain = type(term) is tuple and levels_of_plain(term, UNAMBIGUOUS)
    return term if is_plain else _encoded(term)


def _encoded(term: Any) -> Any:
    kind = type(term)
    if kind is int or kind is str:
        return term
    if kind is bool:
        return TRUTH[term]
    if kind is tuple and UNAMBIGUOUS.issuperset(map(type, term)):
        return term
    made: list[Any] = [] if kind is tuple else [BAG if isinstance(term, Bag) else Ctor.of(kind)]
    for part in inside(term):
        made.append(part if part.__class__ is int or part.__class__ is str else _encoded(part))
    return tuple(made)


def items_of(value: Any) -> tuple[Any, ...]:
    if value.__class__ is not tuple:
        return ()
    return value[1:] if value and value[0].__class__ is Ctor else value


def decode(value: Any) -> Any:
    is_sequence = value.__class__ is tuple and value and value[0].__class__ is not Ctor
    return value if is_sequence and levels_of_plain(value, UNAMBIGUOUS) else _decoded(value)


def _decoded(value: Any) -> Any:
    kind = value.__class__
    if kind is int or kind is str:
        return value
    if kind is Truth:
        return value.value
    if UNAMBIGUOUS.issuperset(map(type, value)):
        return value
    parts = []
    for part in items_of(value):
        parts.append(part if part.__class__ is int else _decoded(part))
    if not value or value[0].__class__ is not Ctor:
        return tuple(parts)
    cls = value[0].cls
    return Bag.of(parts) if cls is None else cls.of_parts(parts)


def key_of(value: Any) -> Key:
    """Return the canonical key of a value: that of its term."""
    kind = value.__class__
    if kind is int:
        return (INT, value)
    if kind is str:
        return (STR, value)
    if kind is Truth:
        return (BOOL, value.value)
    term_type: Key = (SEQUENCE,)
    if value and value[0].__class__ is Ctor:
        term_type = (BAG_RANK,) if value[0] is BAG else (CONSTRUCTOR, *value[0].identity)
    return (*term_type, *map(key_of, items_of(value)))


def levels_of(value: Any) -> int:
    """Return how many levels deep a value nests: as many as its term."""
    if value.__class__ is not tuple:
        return 0
    deepest = 0
    for part in value:
        levels = levels_of(part)
        if levels > deepest:
            deepest = levels
    return deepest + 1


def constant_key(value: Any) -> Any:
    """Return a key under which a constant of generated code is known."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return (value.__class__, value)


def ordered(values: Iterable[Any]) -> tuple[Any, ...]:
    items = list(values)
    try:
        items.sort()
    except TypeError:  # of other types
        items.sort(key=key_of)
    return tuple(items)

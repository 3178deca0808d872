"""Ground terms: what may stand in a state, `@term`, and how Python values are frozen into terms.

A term is an `int` (of any size), `str`, `bool`, a `tuple` of terms (a sequence), a `list` of terms
(a nested bag, frozen to `Bag`) or an instance of a class made by `@term`. A term that holds
something symbolic (a variable, an expression, a splice) is a pattern; both are made the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar, dataclass_transform, overload

import attrs

from rewrite.errors import TermError
from rewrite.language.bag import Bag
from rewrite.language.nesting import PLAIN, Circular, nested
from rewrite.language.order import (
    CONSTRUCTOR,
    TALLEST,
    Key,
    Keyed,
    Pieces,
    deep_key,
    inside,
    listed,
    shallow,
    source,
)
from rewrite.language.travel import reduced

C = TypeVar("C")


class Symbolic(Keyed):
    """Base of everything that is not ground: variables, expressions, splices, ANY."""

    __slots__ = ()
    is_splice: ClassVar[bool] = False


REFUSED: dict[type[Any], str] = {
    float: "a float is not exact; use whole numbers (or a pair of them for a fraction)",
    type(None): "None is no term; leave the term out, or use a word such as 'nothing'",
    set: "a set loses duplicates; use a list (a nested bag) or a tuple (a sequence)",
    frozenset: "a frozenset loses duplicates; use a list (a nested bag) or a tuple (a sequence)",
    dict: "a dict has no order of its own; use constructor terms such as At(key, value)",
    complex: "a complex number has no order; use whole numbers",
    bytes: "bytes are no term; use a str, or a tuple of ints",
}


def freeze(value: Any) -> Any:
    """Return `value` as an immutable term or pattern; lists become `Bag`s. Raises TermError."""
    kind = type(value)
    if kind in PLAIN or kind is Bag or isinstance(value, (Term, Symbolic)):
        return value
    if kind is tuple and all(type(part) in PLAIN for part in value):
        return value
    try:
        return _frozen(value)
    except Circular:
        raise TermError(
            f"a {type(value).__name__} that holds itself cannot be a term: a term ends somewhere",
            found=value,
        ) from None


@nested(lambda value: value if isinstance(value, (tuple, list)) else ())
def _frozen(value: Any, get: Callable[[Any], Any]) -> Any:
    kind = type(value)
    if kind is tuple:
        return tuple([part if type(part) in PLAIN else get(part) for part in value])
    if kind in PLAIN or isinstance(value, (Term, Symbolic)) or kind is Bag:
        return value
    if kind is list:
        return Bag([get(part) for part in value])
    if isinstance(value, Bag):  # a State inside a term is a nested bag
        return Bag(value.items)
    if isinstance(value, type) and issubclass(value, Term):
        raise TermError(
            f"{value.__name__} is a constructor, not a term: write {value.term_signature()}",
            found=value,
        )
    for refused, reason in REFUSED.items():
        if isinstance(value, refused):
            raise TermError(f"{value!r} cannot be a term: {reason}", found=value)
    if isinstance(value, int):  # subclasses (IntEnum, NamedTuple) lose their class
        return int.__int__(value)
    if isinstance(value, str):
        return str.__str__(value)  # str(value) would be the name of a member of an Enum
    if isinstance(value, tuple):
        return tuple([get(part) for part in value])
    raise TermError(
        f"{value!r} cannot be a term: terms are int, str, bool, tuples (sequences), lists (nested "
        f"bags) and instances of classes decorated with @term; found {kind.__name__}",
        found=value,
    )


def is_ground(value: Any) -> bool:
    """Return whether a frozen value holds nothing symbolic. O(size)."""
    todo = [value]
    while todo:
        one = todo.pop()
        if type(one) in PLAIN:
            continue
        if isinstance(one, Symbolic):
            return False
        todo += inside(one)
    return True


class Term(Keyed):
    """Base of the classes that `@term` makes. Identity: (module, qualified name, field names)."""

    __slots__ = ("_cached_height", "_cached_key")
    _cached_key: Key
    _cached_height: int
    term_fields: ClassVar[tuple[str, ...]]
    term_has_tail: ClassVar[bool]  # one field, and that is a tuple: Chain(*S, X) is allowed

    @classmethod
    def term_identity(cls) -> tuple[str, str, tuple[str, ...]]:
        """Return what makes two constructors the same one."""
        return (cls.__qualname__, cls.__module__, cls.term_fields)

    @classmethod
    def term_signature(cls) -> str:
        """Return how the constructor is written, e.g. 'Box(at)'."""
        return f"{cls.__name__}({', '.join(cls.term_fields)})"

    @classmethod
    def of_parts(cls, parts: Iterable[Any]) -> Any:
        """Return the term with these values of its fields, which are known to be frozen."""
        made = cls.__new__(cls)
        made.__attrs_init__(*parts)  # type: ignore[attr-defined]
        return made

    def term_arguments(self) -> tuple[Any, ...]:
        """Return the values of the fields, in order."""
        return tuple([getattr(self, name) for name in self.term_fields])

    def term_key(self) -> Key:
        try:
            return self._cached_key
        except AttributeError:
            found = shallow(self.term_arguments(), TALLEST)
            if found is None:
                return deep_key(self)
            key = (CONSTRUCTOR, *self.term_identity(), found[0][1])
            self.term_keep_key(key, found[1])
            return key

    def term_key_parts(self) -> tuple[Key, tuple[Any, ...]]:
        return (CONSTRUCTOR, *self.term_identity()), self.term_arguments()

    def term_known_key(self) -> tuple[Key, int] | None:
        try:
            return self._cached_key, self._cached_height
        except AttributeError:
            return None

    def term_keep_key(self, key: Key, height: int) -> None:
        object.__setattr__(self, "_cached_height", height)
        object.__setattr__(self, "_cached_key", key)

    def term_parts(self) -> tuple[Any, ...]:
        return self.term_arguments()

    def term_pieces(self) -> Pieces:
        return listed(f"{type(self).__name__}(", self.term_arguments())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Term):
            return NotImplemented
        return self.term_key() == other.term_key()

    def __hash__(self) -> int:
        return hash(self.term_key())

    def __lt__(self, other: Term) -> bool:
        return self.term_key() < other.term_key()

    def __repr__(self) -> str:
        return source(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, _of_parts, type(self))

    def term_rebuild(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _of_parts, (type(self),)


def _of_parts(cls: type[Term], parts: tuple[Any, ...]) -> Any:
    return cls.of_parts(parts)


def _bind(cls: type[Term], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Return the field values from positional and keyword arguments, or raise TermError."""
    values = dict(zip(cls.term_fields, args, strict=False))
    unknown = [name for name in kwargs if name not in cls.term_fields]
    twice = [name for name in kwargs if name in values]
    fields: Any = attrs.fields(cls)  # type: ignore[arg-type]  # every constructor is an attrs class
    defaults = {f.name: f.default for f in fields if f.default is not attrs.NOTHING}
    values = defaults | values | kwargs
    if len(args) > len(cls.term_fields) or unknown or twice or len(values) < len(cls.term_fields):
        number = len(cls.term_fields)
        found = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in kwargs.items())])
        raise TermError(
            f"{cls.term_signature()} takes {number} value{'s' * (number != 1)}; found "
            f"{cls.__name__}({found}), which gives {len(args) + len(kwargs)}",
            constructor=cls.__name__,
            expected=cls.term_fields,
        )
    for name in cls.term_fields:
        if isinstance(values[name], Symbolic) and values[name].is_splice:
            raise TermError(
                f"{cls.__name__}(…): {values[name]!r} is a bare splice outside a tuple; only the "
                "one field of a term that is annotated as a tuple can be spliced into. Write the "
                f"whole of it, or {cls.__name__}({name}=({values[name]!r},))",
                constructor=cls.__name__,
            )
    return [values[name] for name in cls.term_fields]


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    cls = type(self)
    if cls.term_has_tail and not kwargs and not (len(args) == 1 and _is_whole_tail(args[0])):
        args = (tuple(args),)
    self.__attrs_init__(*[freeze(value) for value in _bind(cls, args, kwargs)])


def _is_whole_tail(value: Any) -> bool:
    """Return whether Chain(value) means the whole field, not a sequence with this one element."""
    if isinstance(value, Symbolic):
        return getattr(value, "kind", "") in ("seq", "term", "any")
    return isinstance(value, tuple)


@overload
def term(cls: type[C], /) -> type[C]: ...
@overload
def term() -> Callable[[type[C]], type[C]]: ...
@dataclass_transform(frozen_default=True, order_default=True)
def term(cls: type[Any] | None = None, /) -> Any:
    """Make a constructor of terms from an annotated class.

    The result is a frozen, slotted attrs class with its own equality, hash, order and repr. A field
    may hold any term, or a variable or expression: then the instance is a pattern.

    >>> @term
    ... class Box:
    ...     at: int
    >>> Box(3) == Box(at=3), Box(True) == Box(1)
    (True, False)
    """
    if cls is None:
        return term
    if not isinstance(cls, type):
        raise TermError(f"@term decorates a class; found {cls!r}")
    skip = ("__dict__", "__weakref__")
    body = {name: value for name, value in vars(cls).items() if name not in skip}
    body["__qualname__"] = cls.__qualname__
    bases = tuple(base for base in cls.__bases__ if base is not object)
    if any(issubclass(base, Term) for base in bases):
        raise TermError(f"{cls.__name__} inherits from a constructor; write its fields out instead")
    annotations = vars(cls).get("__annotations__", {})
    body |= {"term_fields": (), "term_has_tail": False, "__init__": _init}
    made: Any = attrs.frozen(
        type(cls.__name__, (Term, *bases), body),
        slots=True, init=False, eq=False, order=False, repr=False, weakref_slot=False,
    )  # fmt: skip
    made.term_fields = tuple(field.name for field in attrs.fields(made))
    tails = [str(annotations[name]) for name in made.term_fields if name in annotations]
    made.term_has_tail = len(tails) == 1 and "tuple" in tails[0].lower()
    return made

"""Ground terms: the contents of states, `@term`, and how Python values are frozen into terms.

A term is an `int` (of any size), `str`, `bool`, a `tuple` of terms (a sequence), a `list` of terms
(a nested bag, frozen to `Bag`) or an instance of a class made by `@term`. A term that contains
something symbolic (a variable, an expression, a splice) is a pattern; both are made the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform, overload

import attrs

from rewrite.errors import ExpressionError, TermError, did_you_mean, tells_unknown_names
from rewrite.language.annotations import KINDS, WORDS, Admitted, admitted, annotation_text
from rewrite.language.bag import Bag
from rewrite.language.callers import check_lookup
from rewrite.language.nesting import MOST_LEVELS, PLAIN, everywhere, levels_of_plain, too_deep
from rewrite.language.order import (
    CONSTRUCTOR,
    Key,
    Keyed,
    Measure,
    Pieces,
    gathered,
    inside,
    levels_of,
    listed,
    source,
    term_key,
)
from rewrite.language.pickling import Rebuild, Structured

C = TypeVar("C")


class Symbolic(Keyed):
    """Base of everything that is not ground: variables, expressions, splices, ANY."""

    __slots__ = ()
    is_splice: ClassVar[bool] = False


REFUSED: dict[type[Any], str] = {
    float: "a float is not exact; use whole numbers (or a pair of them for a fraction)",
    type(None): "None is not a term; leave the term out, or use a word such as 'nothing'",
    set: "a set loses duplicates; use a list (a nested bag) or a tuple (a sequence)",
    frozenset: "a frozenset loses duplicates; use a list (a nested bag) or a tuple (a sequence)",
    dict: "a dict has no order of its own; use constructor terms such as At(key, value)",
    complex: "a complex number has no order; use whole numbers",
    bytes: "bytes are not a term; use a str, or a tuple of ints",
}


def freeze(value: Any) -> Any:
    """Return `value` as an immutable term or pattern; lists become `Bag`s. Raises TermError."""
    kind = type(value)
    if kind in PLAIN or (kind is tuple and 0 < levels_of_plain(value) <= MOST_LEVELS):
        return value
    return _frozen(value, MOST_LEVELS)


def _frozen(value: Any, room: int) -> Any:
    """Return a value that is not plain as a term of at most `room` levels."""
    kind = type(value)
    if isinstance(value, (tuple, list)):
        if not room:
            raise TermError(too_deep(f"a {kind.__name__}", f"more than {MOST_LEVELS}"))
        parts = []
        for part in value:
            parts.append(part if type(part) in PLAIN else _frozen(part, room - 1))
        return Bag.of(parts) if isinstance(value, list) else tuple(parts)
    if isinstance(value, Keyed) and value.term_refusal:
        raise TermError(f"{source(value)} is {value.term_refusal}", found=value)
    if isinstance(value, (Term, Symbolic, Bag)):
        if levels_of(value) > room:
            raise TermError(too_deep("a term", f"{MOST_LEVELS - room + levels_of(value):,}"))
        # a State inside a term becomes a nested bag
        return Bag.of(value.items) if isinstance(value, Bag) and kind is not Bag else value
    if isinstance(value, type) and issubclass(value, Term):
        raise TermError(
            f"{value.__name__} is a constructor, not a term: write {value.term_signature()}",
            found=value,
        )
    for refused, why in REFUSED.items():
        if isinstance(value, refused):
            raise TermError(f"{source(value)} cannot be a term: {why}", found=value)
    if isinstance(value, int):  # subclasses (IntEnum, NamedTuple) lose their class
        return int.__int__(value)
    if isinstance(value, str):
        return str.__str__(value)  # str(value) would give the name of an Enum member
    if isinstance(value, Iterator):
        raise TermError(
            f"{source(value)} cannot be a term: it is used up by one reading; give a list or a "
            "tuple",
            found=value,
        )
    if callable(value) and not isinstance(value, type):
        name = getattr(value, "__name__", source(value))
        raise TermError(
            f"{source(value)} cannot be a term: it is a function; decorate it with @fn and call "
            f"it: {name}(M)",
            found=value,
        )
    raise TermError(
        f"{source(value)} cannot be a term: terms are int, str, bool, tuples (sequences), lists "
        f"(nested bags) and instances of classes decorated with @term; found {kind.__name__}",
        found=value,
    )


def is_ground(value: Any) -> bool:
    """Return whether a frozen value contains nothing symbolic. O(size)."""
    if not isinstance(value, Term):
        return type(value) in PLAIN or _is_ground(value)
    try:
        return value._cached_ground
    except AttributeError:
        found = _is_ground(value)
        object.__setattr__(value, "_cached_ground", found)
        return found


def _is_ground(value: Any) -> bool:
    return bool(type(value) is tuple and levels_of_plain(value)) or not any(
        isinstance(one, Keyed) and not isinstance(one, (Bag, Term))
        for one in everywhere(value, _unknown_parts)  # conditions may contain symbols, too
    )


def _unknown_parts(value: Any) -> tuple[Any, ...]:
    return () if getattr(value, "_cached_ground", False) else inside(value)


def _comparison(op: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: _ordered(op, self, other)


class Term(Structured):
    """Base of the classes that `@term` makes. Identity: (module, qualified name, field names)."""

    __slots__ = ("_cached_ground", "_cached_measure")
    _cached_measure: Measure
    _cached_ground: bool
    term_fields: ClassVar[tuple[str, ...]]
    term_has_tail: ClassVar[bool]  # one field, and that is a tuple: Chain(*S, X) is allowed
    term_annotations: ClassVar[dict[str, Any]]
    term_admits: ClassVar[list[tuple[int, Admitted]] | None]
    """What the checked fields admit, by index; read when the first term is made."""
    term_read: ClassVar[Callable[[Term], tuple[Any, ...]]]

    @classmethod
    def term_identity(cls) -> tuple[str, str, tuple[str, ...]]:
        return (cls.__qualname__, cls.__module__, cls.term_fields)

    @classmethod
    def term_signature(cls) -> str:
        """Return the constructor's signature, e.g. 'Box(at)'."""
        return f"{cls.__name__}({', '.join(cls.term_fields)})"

    @classmethod
    def of_parts(cls, parts: Iterable[Any]) -> Any:
        """Return the term with these field values, which are known to be frozen."""
        made = cls.__new__(cls)
        made.term_fill(parts)
        return made

    def term_fill(self, parts: Iterable[Any]) -> None:
        """Set the fields and the key of a new term: no key is built by recursion."""
        self.__attrs_init__(*parts)  # type: ignore[attr-defined]
        measure = gathered((CONSTRUCTOR, *self.term_identity()), self.term_arguments())
        object.__setattr__(self, "_cached_measure", measure)

    def term_parts(self) -> tuple[Any, ...]:
        return type(self).term_read(self)

    term_arguments = term_parts

    def term_key(self) -> Key:
        return self._cached_measure[0]

    def term_measure(self) -> Measure:
        return self._cached_measure

    def term_pieces(self) -> Pieces:
        return listed(f"{type(self).__name__}(", self.term_arguments())

    def __eq__(self, other: object) -> Any:
        return equal("==", self, other)

    def __ne__(self, other: object) -> Any:
        return equal("!=", self, other)

    def __hash__(self) -> int:
        check_lookup(self)
        return hash(self.term_key())

    __lt__, __le__, __gt__, __ge__ = map(_comparison, ("<", "<=", ">", ">="))

    def term_rebuild(self) -> Rebuild:
        return _of_parts, (type(self),)


_OWN_NAMES = {*dir(Term), *Term.__annotations__}


def _of_parts(cls: type[Term], parts: tuple[Any, ...]) -> Any:
    return cls.of_parts(parts)


_KINDS = {**KINDS, Bag: "bag"}
COMPARED = (bool, int, str, tuple, list, Bag, Term)


def equal(op: str, left: Any, right: Any) -> Any:
    """Return whether two terms are equal (or not): a bool, or an expression if one is a pattern.

    A list is the bag of its elements. Anything but a term is left to the other side, and to Python.
    """
    if type(right) is list and isinstance(left, Bag):
        try:
            right = freeze(right)
        except TermError:
            return NotImplemented
    if isinstance(right, (Term, Bag)) and is_ground(left) and is_ground(right):
        return (left.term_key() == right.term_key()) == (op == "==")
    if isinstance(right, Symbolic) or not isinstance(right, COMPARED):
        return NotImplemented
    try:
        if is_ground(left) and is_ground(freeze(right)):
            return NotImplemented
    except TermError:
        return NotImplemented
    from rewrite.language.expressions import Call  # avoids a cycle: expressions import terms

    return Call(op, (left, right), "bool")


def _ordered(op: str, left: Term, right: Any) -> Any:
    if isinstance(right, Symbolic) or not isinstance(right, COMPARED):
        return NotImplemented
    if not is_ground(left) or not is_ground(freeze(right)):
        raise ExpressionError(
            f"{left!r} {op} {source(right)}: patterns are not compared by order; compare their "
            f"values: M {op} N, with variables from the patterns"
        )
    one, other = left.term_key(), term_key(freeze(right))
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[op]


def _kinds(value: Any) -> Admitted:
    """Return the kinds a value may have: "term" if it is open, or identities of constructors.

    The kind "constructor" stands for a term of an unknown one.
    """
    if isinstance(value, Symbolic):
        constructors = getattr(value, "constructors", ())
        known = {one.term_identity() for one in constructors} | {*getattr(value, "kinds", ())}
        return frozenset(known or {getattr(value, "kind", "term")})
    return frozenset({value.term_identity() if isinstance(value, Term) else _KINDS[type(value)]})


def _admits(allowed: Admitted, value: Any) -> bool:
    kinds = _kinds(value)
    if "constructor" in kinds:
        return any(isinstance(one, tuple) for one in allowed)
    return "term" in kinds or bool(kinds & allowed)


def _check_fields(cls: type[Term], values: list[Any]) -> None:
    checked = cls.term_admits
    if checked is None:
        read = [admitted(cls, cls.term_annotations.get(name, Any)) for name in cls.term_fields]
        checked = [(place, found) for place, found in enumerate(read) if found is not None]
        cls.term_admits = checked
    for place, allowed in checked:
        value = values[place]
        if _KINDS.get(type(value)) in allowed or _admits(allowed, value):
            continue
        name = cls.term_fields[place]
        (kind, *_) = _kinds(value)
        word = WORDS.get("constructor" if isinstance(kind, tuple) else kind, "another value")
        declared = annotation_text(cls.term_annotations[name])
        shown = ", ".join(map(repr, values))
        raise TermError(
            f"{cls.__name__}({shown}): the field is declared {name}: {declared}, and {value!r} is "
            f"{word}. Give what is declared, or declare what else {name} may be, e.g. "
            f"{name}: int | str",
            constructor=cls.__name__,
            field=name,
            found=value,
        )


def _bind(cls: type[Term], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Return the field values from positional and keyword arguments, or raise TermError."""
    values = dict(zip(cls.term_fields, args, strict=False))
    unknown = [name for name in kwargs if name not in cls.term_fields]
    twice = [name for name in kwargs if name in values]
    fields: Any = attrs.fields(cls)  # type: ignore[arg-type]  # every constructor is an attrs class
    defaults = {f.name: f.default for f in fields if f.default is not attrs.NOTHING}
    values = defaults | values | kwargs
    if unknown:
        close = did_you_mean(unknown[0], [name for name in cls.term_fields if name not in kwargs])
        raise TermError(
            f"{cls.term_signature()} has no field {unknown[0]}{close}; found "
            f"{_written(cls, args, kwargs)}",
            constructor=cls.__name__,
            field=unknown[0],
            expected=cls.term_fields,
        )
    if len(args) > len(cls.term_fields) or twice or len(values) < len(cls.term_fields):
        number = len(cls.term_fields)
        gives = f"{twice[0]} twice" if twice else len(args) + len(kwargs)
        raise TermError(
            f"{cls.term_signature()} takes {number} value{'s' * (number != 1)}; found "
            f"{_written(cls, args, kwargs)}, which gives {gives}",
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


def _written(cls: type[Term], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    given = [*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())]
    return f"{cls.__name__}({', '.join(given)})"


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    cls = type(self)
    if cls.term_has_tail and not kwargs and not (len(args) == 1 and _is_whole_tail(args[0])):
        args = (tuple(args),)
    values = [freeze(value) for value in _bind(cls, args, kwargs)]
    _check_fields(cls, values)
    self.term_fill(values)
    if levels_of(self) > MOST_LEVELS:
        raise TermError(
            too_deep(f"{cls.__name__}(…)", str(levels_of(self))), constructor=cls.__name__
        )


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
@tells_unknown_names(TermError, "term")
def term(cls: type[Any] | None = None, /) -> Any:
    """Make a constructor of terms from an annotated class.

    The result is a frozen, slotted attrs class with its own equality, hash, order and repr. A field
    may hold a variable or an expression: then the instance is a pattern. If a field is annotated
    with int, str, bool, tuple, list, Bag, a constructor, or a union of these, a value that does not
    fit is a TermError when the term is written; other annotations are not checked.

    >>> @term
    ... class Box:
    ...     at: int
    >>> Box(3) == Box(at=3), Box(3) == Box(4)
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
    body |= {
        "term_fields": (), "term_has_tail": False, "term_annotations": {}, "term_admits": None,
        "__init__": _init,
    }  # fmt: skip
    made: Any = attrs.frozen(
        type(cls.__name__, (Term, *bases), body),
        slots=True, init=False, eq=False, order=False, repr=False, weakref_slot=False,
    )  # fmt: skip
    made.term_fields = names = tuple(field.name for field in attrs.fields(made))
    # attrgetter is three times as fast, but returns a tuple only for several attributes
    one_by_one = staticmethod(lambda self: tuple([getattr(self, name) for name in names]))
    made.term_read = attrgetter(*names) if len(names) > 1 else one_by_one
    for name in made.term_fields:
        if name in _OWN_NAMES:
            raise TermError(
                f"{cls.__name__}: a field cannot be called {name}: every constructor has a "
                f"{name} of its own. Give the field another name",
                constructor=cls.__name__,
                field=name,
            )
    made.term_annotations = {
        name: annotations[name] for name in made.term_fields if name in annotations
    }
    tails = [str(one).lower() for one in made.term_annotations.values()]
    made.term_has_tail = len(tails) == 1 and "tuple" in tails[0]
    return made

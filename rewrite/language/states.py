"""`State`: the bag of ground terms that a puzzle is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, MappingView
from operator import attrgetter
from typing import Any

from rewrite.errors import StateError, tells_unknown_names
from rewrite.language.arguments import occurrences, refuse_unlisted
from rewrite.language.bag import Bag
from rewrite.language.expressions import as_condition, joined, operator_methods
from rewrite.language.faces import Faced
from rewrite.language.nesting import everywhere
from rewrite.language.order import Keyed, Pieces, inside, source, text_of
from rewrite.language.terms import Symbolic, Term, freeze, is_ground

Columns = tuple[list[Any], list[tuple[Any, ...]]]
"""Terms of one class, and the values in each of their fields; of values, these themselves."""


class State(Bag, Faced):
    """An immutable multiset of ground terms, compared by content.

    Made from a list (any collection but a set or an iterator), a Counter or a State. Iterates in
    canonical order; its repr can be pasted back as source. Raises StateError or TermError.

    >>> State([7, 4, 4])
    State([4, 4, 7])
    """

    __slots__ = ("_columns", "_contents")
    _columns: dict[type[Any], Columns]
    _contents: tuple[frozenset[type[Term]], frozenset[str], frozenset[type[Any]]]

    @tells_unknown_names(StateError, "State", out="write one list, State([…])")
    def __init__(self, value: Any = ()) -> None:
        self._fill(value.items if isinstance(value, State) else _ground(value))

    @property
    def classes(self) -> frozenset[type[Term]]:
        """The constructor classes of all terms in it, inner ones too; see `patterns.classes`."""
        return self._inside()[0]

    @property
    def texts(self) -> frozenset[str]:
        """All texts anywhere in it."""
        return self._inside()[1]

    @property
    def kinds(self) -> frozenset[type[Any]]:
        """The types of all other values anywhere in it: int, str, bool, tuple, Bag."""
        return self._inside()[2]

    @property
    def columns(self) -> dict[type[Any], Columns]:
        """The terms of each class, in order, and what stands in each of their fields.

        Thousands of facts are a few columns: most questions about them are asked of types and sets.
        """
        try:
            return self._columns
        except AttributeError:
            self._columns = columns(self._items)
        return self._columns

    def _inside(self) -> tuple[frozenset[type[Term]], frozenset[str], frozenset[type[Any]]]:
        """Walk through all terms, once: a start is queried several times."""
        try:
            return self._contents
        except AttributeError:
            pass
        parts = [part for item in self._items for part in everywhere(item, inside)]
        found = {type(part) for part in parts if isinstance(part, Term)}
        texts = frozenset([part for part in parts if type(part) is str])
        self._contents = frozenset(found), texts, frozenset(map(type, parts)) - found
        return self._contents

    def once(self) -> State:
        """Return the state with one of each term."""
        distinct = self.distinct()
        return self if len(distinct) == len(self) else State.of([term for term, _ in distinct])

    def counter(self) -> Counter[Any]:
        """Return the state as a Counter of its terms.

        Raises StateError where a Counter would merge two terms, as it does True and 1.
        """
        made: Counter[Any] = Counter(dict(self.distinct()))
        if len(made) < len(self.distinct()):
            raise StateError(
                f"{self!r} has no Counter: Python takes True and 1 for equal, and a Counter would "
                "merge them. Use state.distinct()"
            )
        return made

    __and__, __rand__ = operator_methods(joined, "&")
    __or__, __ror__ = operator_methods(joined, "|")

    def __invert__(self) -> Any:
        return ~as_condition(self)

    def __eq__(self, other: object) -> Any:
        return self._key == other._key if type(other) is State else super().__eq__(other)

    def __ne__(self, other: object) -> Any:
        return self._key != other._key if type(other) is State else super().__ne__(other)

    def __hash__(self) -> int:
        return hash(self._key)

    def term_pieces(self) -> Pieces:
        return ["State(", *super().term_pieces(), ")"]

    def __str__(self) -> str:
        return text_of(super().term_pieces())


def columns(terms: Iterable[Any]) -> dict[type[Any], Columns]:
    """Return the terms of each class with what stands in each of their fields."""
    by_class: dict[type[Any], list[Any]] = {}
    for term in terms:
        by_class.setdefault(type(term), []).append(term)
    found: dict[type[Any], Columns] = {}
    for kind, alike in by_class.items():
        fields: list[tuple[Any, ...]] = [tuple(alike)]
        if issubclass(kind, Term):
            fields = [tuple(map(attrgetter(name), alike)) for name in kind.term_fields]
        found[kind] = alike, fields
    return found


def beyond(state: State, other: State) -> list[Any]:
    """Return the occurrences in a state that another does not have, in canonical order. O(n)."""
    had = Counter(other.term_key()[1:])
    found = []
    for key, term in zip(state.term_key()[1:], state.items, strict=True):
        if had[key]:
            had[key] -= 1
        else:
            found.append(term)
    return found


def as_state(value: Any) -> State:
    """Return a value as a State. Raises StateError or TermError."""
    return value if type(value) is State else State(value)


def _ground(value: Any) -> list[Any]:
    if isinstance(value, (set, frozenset, Iterator, MappingView)):
        refuse_unlisted("", value, StateError, "cannot be a state: ")
    swapped = callable(value) and not isinstance(value, Symbolic)
    if swapped or (isinstance(value, Keyed) and value.term_refusal):
        raise StateError(
            f"{value!r} cannot be a state: it is a condition or a function, and a state is a list "
            "of terms. Are start and goal swapped?",
            found=value,
        )
    if isinstance(value, (str, bytes, int, Term, Symbolic)) or not isinstance(value, Iterable):
        raise StateError(
            f"{source(value)} cannot be a state: a state is a list of terms; write "
            f"[{source(value)}] for a state that holds this one term",
            found=value,
        )
    if isinstance(value, Counter):
        items: Iterable[Any] = occurrences("", value, StateError)
    elif isinstance(value, dict):
        raise StateError(f"{value!r} cannot be a state: use a list of terms, or a Counter")
    else:
        items = value
    frozen = [freeze(item) for item in items]
    for item in frozen:
        if not is_ground(item):
            raise StateError(
                f"{item!r} cannot be in a state: it holds a variable; a state is made of values",
                found=item,
            )
    return frozen

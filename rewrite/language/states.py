"""`State`: the bag of ground terms that a puzzle is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rewrite.errors import StateError
from rewrite.language.bag import Bag
from rewrite.language.order import Pieces, written
from rewrite.language.terms import Symbolic, Term, freeze, is_ground


class State(Bag):
    """An immutable multiset of ground terms, compared by content.

    Made from a list (any iterable but a set), a Counter or a State. Iterates in canonical order and
    prints so that the text can be pasted back. Raises StateError or TermError.

    >>> State([7, 4, 4])
    State([4, 4, 7])
    """

    __slots__ = ()

    def __init__(self, value: Any = ()) -> None:
        super().__init__(value.items if isinstance(value, Bag) else _ground(value))

    @classmethod
    def of(cls, items: Iterable[Any]) -> State:
        """Return the state of terms that are known to be frozen and ground."""
        made = cls.__new__(cls)
        Bag.__init__(made, items)
        return made

    @staticmethod
    def _read(term: Any) -> Any:
        return freeze(term)

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

    def term_pieces(self) -> Pieces:
        return ["State(", *super().term_pieces(), ")"]

    def __str__(self) -> str:
        return written(super().term_pieces())


def _ground(value: Any) -> list[Any]:
    if isinstance(value, (set, frozenset)):
        raise StateError(f"{value!r} cannot be a state: a set loses duplicates; use a list")
    if isinstance(value, (str, bytes, int, Term, Symbolic)) or not isinstance(value, Iterable):
        raise StateError(
            f"{value!r} cannot be a state: a state is a list of terms; write [{value!r}] for a "
            "state that holds this one term",
            found=value,
        )
    if isinstance(value, Counter):
        for term, number in value.items():
            if type(number) is not int or number < 0:
                raise StateError(
                    f"the Counter holds {term!r} {number!r} times; a number of occurrences is a "
                    "whole number that is not negative",
                    found=number,
                )
        items: Iterable[Any] = value.elements()
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

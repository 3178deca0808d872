"""`Scrambled`: a state made by walking backwards, which knows how far it is from where it began."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rewrite.language.states import State


class Scrambled(State):
    """A State that knows its way back; compared, hashed and printed as the State it is.

    distance  the number of steps of a way from here to the state it was made from; None where no
              way is known
    exact     whether it was proved that no shorter way exists

    >>> Scrambled.from_items([7, 4], distance=3, exact=True)
    State([4, 7])
    """

    __slots__ = ("distance", "exact")

    distance: int | None
    exact: bool

    @classmethod
    def from_items(cls, items: Iterable[Any], *, distance: int | None, exact: bool) -> Scrambled:
        """Return the state of terms that are known to be frozen and ground."""
        made = cls.of(items)
        made.distance, made.exact = distance, exact
        return made

    def __reduce__(self) -> Any:
        return _made, (self.items, self.distance, self.exact)


def _made(items: tuple[Any, ...], distance: int | None, exact: bool) -> Scrambled:
    return Scrambled.from_items(items, distance=distance, exact=exact)

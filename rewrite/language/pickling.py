"""Pickling: to another process, or into a file.

Pickle recurses into nested values, so deeply nested terms and expressions are written as a flat
list, innermost first. Functions are pickled by name, so they must be at the top level of a module.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from rewrite.errors import RuleError
from rewrite.language.nesting import everywhere
from rewrite.language.order import Keyed, inside, levels_of

Flat = tuple[Any, ...]
MOST_NESTED = 50
"""Levels that pickle can follow: each takes three calls, and Python allows 1,000."""
Rebuild = tuple[Callable[..., Any], tuple[Any, ...]]


class Structured(Keyed):
    """A value that can be rebuilt from its parts. No ABC: that would slow `isinstance` down."""

    __slots__ = ()

    @abstractmethod
    def term_rebuild(self) -> Rebuild:
        """Return a function and its first arguments; its last argument is the tuple of parts."""

    def __reduce__(self) -> tuple[Any, ...]:
        if levels_of(self) > MOST_NESTED:
            return unflat, (flat(self),)
        rebuild, first = self.term_rebuild()
        return rebuild, (*first, inside(self))


def flat(value: Any) -> Flat:
    """Return a frozen value as a flat tuple: (value,), or (rebuild, first, number of parts)."""
    made: list[Any] = []
    for one in everywhere(value, _opened):
        if isinstance(one, tuple):
            made.append((tuple, (), len(one)))
        elif isinstance(one, Structured):
            made.append((*one.term_rebuild(), len(inside(one))))
        else:
            made.append((one,))
    return tuple(made[::-1])


def _opened(value: Any) -> tuple[Any, ...]:
    return inside(value)[::-1] if isinstance(value, (tuple, Structured)) else ()


def unflat(given: Flat) -> Any:
    made: list[Any] = []
    for one in given:
        if len(one) == 1:
            made.append(one[0])
            continue
        rebuild, first, size = one
        parts = tuple(made[len(made) - size :])
        del made[len(made) - size :]
        made.append(rebuild(*first, parts))
    return made[0]


def by_name(function: Any, what: str) -> str:
    """Return the name by which another process finds a function. Raises RuleError."""
    name = getattr(function, "__qualname__", "")
    found: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not function or not name:
        raise RuleError(
            f"{what} cannot be sent to another process or saved: {name or function!r} is found "
            "there by its name, so it must be a function with a name of its own at the top level "
            "of a module, not a lambda and not inside a function",
            function=function,
        )
    return name

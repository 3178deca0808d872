"""How values travel: to another process, into a file, through `copy`.

Pickle follows nesting by recursion. A term or expression that nests deep is therefore written as a
flat list, what is innermost first, and put together again from it. Functions travel by name, so
they must stand at the top level of a module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rewrite.errors import RuleError
from rewrite.language.nesting import everywhere
from rewrite.language.order import Keyed, inside, levels_of

Flat = tuple[Any, ...]
MOST_NESTED = 50
"""Levels that pickle follows: it takes three calls for each, and Python allows 1,000."""


def reduced(value: Keyed, rebuild: Callable[..., Any], *first: Any) -> tuple[Any, ...]:
    """Return what `__reduce__` gives: `rebuild(*first, parts)`, or the flat form of a deep one."""
    if levels_of(value) > MOST_NESTED:
        return unflat, (flat(value),)
    return rebuild, (*first, inside(value))


def flat(value: Any) -> Flat:
    """Return a frozen value as a flat tuple: (value,), or (rebuild, first, number of parts)."""
    made: list[Any] = []
    for one in everywhere(value, _opened):
        if isinstance(one, tuple):
            made.append((tuple, (), len(one)))
        else:
            how = one.term_rebuild() if isinstance(one, Keyed) else None
            made.append((one,) if how is None else (*how, len(inside(one))))
    return tuple(made[::-1])


def _opened(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Keyed) and value.term_rebuild() is None:
        return ()
    return inside(value)[::-1]


def unflat(given: Flat) -> Any:
    """Return the value that was made flat."""
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
    """Return the name under which another process finds a function. Raises RuleError."""
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

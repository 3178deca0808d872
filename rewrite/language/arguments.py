"""Checks for arguments that should be a list, or a function of a state."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping, MappingView, Set
from typing import Any

from rewrite.errors import RewriteError, RuleError
from rewrite.language.order import source


def refuse_unlisted(
    where: str, given: Any, error: type[RewriteError] = RuleError, cannot: str = ""
) -> None:
    """Raise an error for a collection that loses order, duplicates, or everything."""
    if isinstance(given, Iterator):
        why = "an iterator is used up by one reading, and empty when it is read again; give a list"
    elif isinstance(given, (Set, Mapping, MappingView)):
        kind = "dict" if isinstance(given, Mapping) else "view of a dict"
        kind = "set" if isinstance(given, (set, frozenset)) else kind
        why = f"a {kind} loses duplicates; use a list"
    else:
        return
    raise error(f"{where}{given!r}{' ' if cannot else ': '}{cannot}{why}", found=given)


def refuse_tuple(where: str, part: str, given: Any, **facts: Any) -> None:
    """Raise an error for a tuple in place of a list: it is one term, a sequence."""
    if not isinstance(given, tuple) or not given:
        return
    inner = ", ".join(map(source, given))
    one = f"({inner}{',' * (len(given) == 1)})"
    raise RuleError(
        f"{where}: {part}={one}: {one} is one sequence term. Write {part}=[{inner}] for "
        f"{len(given)} separate term{'s' * (len(given) != 1)}, or {part}=[{one}] for one sequence",
        part=part,
        **facts,
    )


def occurrences(where: str, given: Counter[Any], error: type[RewriteError]) -> list[Any]:
    """Return the elements of a Counter, each as often as it counts."""
    for one, number in given.items():
        if type(number) is not int or not 0 <= number < 2**31:
            raise error(
                f"{where}the Counter holds {one!r} {number!r} times; a number of occurrences is a "
                "whole number from 0 to 2,147,483,647",
                found=number,
            )
    return list(given.elements())


def takes_one(function: Any) -> bool:
    """Return whether a function can be called with one argument; True if unknown."""
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # a built-in without a signature
        return True
    return True


def named(function: Any) -> str:
    name: str = getattr(function, "__name__", "") or repr(function)
    return name

"""How a search was begun, as plain data for a manifest: the capacity for states."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rewrite.compile.capacity import Capacity
from rewrite.compile.interning import Ctor, TermType
from rewrite.compile.reason import Reason
from rewrite.language.terms import Term


class Unknown(Exception):
    """A constructor that does not exist in this process."""


def plain(capacity: Capacity) -> dict[str, Any]:
    """Return a capacity as plain data, the same in every process."""
    return {
        "term_types": sorted(map(_plain_term_type, capacity.term_types), key=repr),
        "ctors": sorted(map(_plain_term_type, capacity.ctors), key=repr),
        "bits": capacity.bits,
        "multiset": [[one.what, one.way_out, one.rule] for one in capacity.multiset],
        "definition": [[one.what, one.way_out, one.rule] for one in capacity.definition],
    }


def capacity_of(given: Any, classes: Iterable[type[Term]]) -> Capacity:
    """Return the capacity that `plain` wrote. Raises Unknown, or ValueError for other data.

    classes   those the question mentions; others are looked up in their modules
    """
    for one in classes:
        Ctor.of(one)
    try:
        return Capacity(
            [_term_type(one) for one in given["term_types"]],
            [_term_type(one) for one in given["ctors"]],
            int(given["bits"]),
            [Reason(*map(str, one)) for one in given["multiset"]],
            [Reason(*map(str, one)) for one in given["definition"]],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None


def _plain_term_type(term_type: TermType) -> Any:
    if isinstance(term_type, Ctor):
        name, module, fields = term_type.identity
        return [name, module, list(fields)]
    return term_type


def _term_type(given: Any) -> TermType:
    if isinstance(given, str):
        return given
    name, module, fields = given
    identity = (name, module, tuple(fields))
    known = Ctor.known.get(identity)
    if known is not None:
        return known
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not (isinstance(found, type) and issubclass(found, Term)):
        found = None
    if found is None or found.term_identity() != identity:
        raise Unknown(f"the constructor {name}({', '.join(fields)}) of the module {module}")
    return Ctor.of(found)

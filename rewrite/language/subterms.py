"""Rules inside terms: all places in a term, and a term with another one at a place.

A place is the way to it, one step a level: the number of an argument or of an element of a
sequence, counted from 0; in a nested bag, which has no order, the element itself.
"""

from __future__ import annotations

from typing import Any

from rewrite.errors import RuleError
from rewrite.language.bag import Bag
from rewrite.language.functions import uncached
from rewrite.language.matching import same
from rewrite.language.order import inside, source, term_key
from rewrite.language.pickling import Structured

Place = tuple[Any, ...]


@uncached
def subterms(whole: Any) -> tuple[tuple[Place, Any], ...]:
    """Return (place, term) for all that is in a term: itself at (), then level by level.

    Equal elements of a nested bag are one place. Cost: linear in the size of the result.

    >>> subterms(("a", (1, 2)))
    (((), ('a', (1, 2))), ((0,), 'a'), ((1,), (1, 2)), ((1, 0), 1), ((1, 1), 2))
    """
    found: list[tuple[Place, Any]] = [((), whole)]
    for place, one in found:
        found += [((*place, step), inside(one)[at]) for at, step in _steps(one)]
    return tuple(found)


@uncached
def replaced(whole: Any, place: Place, new: Any) -> Any:
    """Return a term with another one at a place. Raises RuleError if it has no such place.

    >>> replaced(("a", (1, 2)), (1, 0), "b")
    ('a', ('b', 2))
    """
    outer = list[tuple[Any, int]]()
    for step in place:
        at = next((n for n, known in _steps(whole) if same(known, step)), None)
        if at is None:
            raise RuleError(f"{source(whole)} has no place {source(step)}")
        outer.append((whole, at))
        whole = inside(whole)[at]
    for around, at in reversed(outer):
        parts = inside(around)
        new = (*parts[:at], new, *parts[at + 1 :])
        if isinstance(around, Structured):
            rebuild, first = around.term_rebuild()
            new = rebuild(*first, new)
    return new


def _steps(value: Any) -> list[tuple[int, Any]]:
    """Return (number, step) for the parts directly inside a value, of equal ones in a bag one."""
    if isinstance(value, Bag):
        return [*{term_key(part): (at, part) for at, part in enumerate(inside(value))}.values()]
    return [(at, at) for at in range(len(inside(value)))]

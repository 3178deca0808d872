"""Patterns: static properties of templates: their variables, and where these may occur.

A pattern is a frozen term that may contain variables, splices and expressions. As a pattern it is
matched (`language.matching`); as a template it is filled in (`language.evaluation.evaluate`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, Wildcard
from rewrite.language.nesting import PLAIN, everywhere
from rewrite.language.order import Keyed, inside
from rewrite.language.terms import Term, is_ground

SIMPLE = frozenset([int, str, bool, Variable, Wildcard])
"""Classes of what has no parts."""


def parts(value: Any) -> tuple[Any, ...]:
    """Return the direct parts of a term or pattern."""
    if isinstance(value, tuple):
        return value
    return value.term_parts() if isinstance(value, (Bag, Term)) else ()


def matched(pattern: Any) -> tuple[Any, ...]:
    """Return the direct parts of a pattern, including what is spliced among them."""
    return (pattern.inner,) if isinstance(pattern, Splice) else parts(pattern)


def flat(value: Any) -> tuple[Any, ...] | None:
    """Return the parts of a term or sequence if none of them has parts, else None.

    Most patterns are of that form: walking through them by `everywhere` takes several times longer.
    """
    if type(value) is tuple:
        inner: tuple[Any, ...] = value
    elif isinstance(value, Term):
        inner = value.term_parts()
    else:
        return None
    return inner if SIMPLE.issuperset(map(type, inner)) else None


def computed(pattern: Any) -> Iterator[Expression]:
    """Yield the expressions inside a pattern that are computed rather than matched."""
    for part in everywhere(pattern, matched):
        if isinstance(part, Expression) and not isinstance(part, (Variable, Wildcard)):
            yield part


def computes(pattern: Any) -> bool:
    """Return whether part of the pattern is computed. (Expressions are neither true nor false.)"""
    return next(computed(pattern), None) is not None


def binders(pattern: Any) -> dict[Variable, None]:
    """Return the variables that matching the pattern binds, in order of occurrence."""
    return _variables(pattern, matched)


def variables(value: Any) -> dict[Variable, None]:
    """Return the variables that a template or expression needs, in order of occurrence.

    Variables inside an aggregate or a condition are not included: those that nothing binds are
    local to it ("for any"). `mentioned` includes them too.
    """
    return _variables(value, inside)


def mentioned(value: Any) -> dict[Variable, None]:
    """Return every variable that occurs anywhere in the value, local ones included."""
    return _variables(value, everything_inside)


def everything_inside(value: Any) -> tuple[Any, ...]:
    """Return what is directly inside a value, including aggregates and conditions."""
    if isinstance(value, (tuple, list)):
        return tuple(value)
    return value.term_inside() if isinstance(value, Keyed) else ()


def _variables(value: Any, within: Callable[[Any], tuple[Any, ...]]) -> dict[Variable, None]:
    if inner := flat(value):
        return dict.fromkeys([part for part in inner if isinstance(part, Variable)])
    found: dict[Variable, None] = {}
    todo = [value]
    while todo:
        current = todo.pop()
        if isinstance(current, Variable):
            found.setdefault(current)
        elif type(current) not in PLAIN and not (isinstance(current, Term) and is_ground(current)):
            todo += within(current)[::-1]
    return found


def classes(value: Any) -> frozenset[type[Term]]:
    """Return the constructor classes of all terms and variables anywhere in the value.

    A cache shared by equal values must compare these classes too: a redeclared class has equal
    terms, but its author expects instances of the new one.
    """
    found: set[type[Term]] = set()
    for part in everywhere(value, everything_inside):
        if isinstance(part, Term):
            found.add(type(part))
        elif isinstance(part, Variable):
            found.update(part.constructors)
    return frozenset(found)


def matches_once(pattern: Any) -> bool:
    """Return whether the pattern matches a ground term in at most one way."""
    return not any(isinstance(part, (Splice, Bag)) for part in everywhere(pattern, parts))


def repeats_matches(pattern: Any) -> bool:
    """Return whether the pattern may match a term in several ways with the same bindings.

    Only ANY can do that, in a bag or beside a splice: elsewhere other ways bind other values.
    """
    return contains_wildcard(pattern) and not matches_once(pattern)


def contains_wildcard(value: Any) -> bool:
    inner = flat(value) or everywhere(value, inside)
    return any(isinstance(part, Wildcard) for part in inner)

"""Patterns: what holds of templates before any search: their variables, and where these may stand.

A pattern is a frozen term that may hold variables, splices and expressions. As a pattern it is
matched (`language.matching`); as a template it is filled in (`language.evaluation.evaluate`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, Wildcard
from rewrite.language.functions import OneOf
from rewrite.language.terms import Term


def parts(value: Any) -> tuple[Any, ...]:
    """Return the direct parts of a term or pattern."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, Bag):
        return value.items
    if isinstance(value, Term):
        return value.term_arguments()
    return ()


def computed(pattern: Any) -> Iterator[Expression]:
    """Yield the expressions inside a pattern that are computed, not matched."""
    if isinstance(pattern, Splice):
        pattern = pattern.inner
    if isinstance(pattern, Expression):
        if not isinstance(pattern, (Variable, Wildcard)):
            yield pattern
        return
    for part in parts(pattern):
        yield from computed(part)


def binders(pattern: Any) -> dict[Variable, None]:
    """Return the variables that matching the pattern gives a value, in order of occurrence."""
    found: dict[Variable, None] = {}
    if isinstance(pattern, Splice):
        pattern = pattern.inner
    if isinstance(pattern, Variable):
        found[pattern] = None
    elif not isinstance(pattern, Expression):
        for part in parts(pattern):
            found |= binders(part)
    return found


def variables(value: Any) -> dict[Variable, None]:
    """Return the variables a template or expression needs, in order of occurrence.

    Variables inside an aggregate or a condition are not counted here: those that nothing binds are
    local to it ("for any"). `mentioned` counts them too.
    """
    return _walk(value, inside=False)


def mentioned(value: Any) -> dict[Variable, None]:
    """Return every variable that occurs anywhere in the value, local ones included."""
    return _walk(value, inside=True)


def _walk(value: Any, inside: bool) -> dict[Variable, None]:
    found: dict[Variable, None] = {}
    if isinstance(value, Variable):
        return {value: None}
    if isinstance(value, Splice):
        return _walk(value.inner, inside)
    if isinstance(value, OneOf):
        return _walk(value.options, inside)
    if inside and hasattr(value, "inner_parts"):
        children: tuple[Any, ...] = value.inner_parts()
    elif isinstance(value, Expression):
        children = value.children()
    else:
        children = parts(value)
    for part in children:
        found |= _walk(part, inside)
    return found


def contains_wildcard(value: Any) -> bool:
    """Return whether ANY occurs in the value."""
    if isinstance(value, Wildcard):
        return True
    if isinstance(value, Splice):
        return contains_wildcard(value.inner)
    if isinstance(value, OneOf):
        return contains_wildcard(value.options)
    children = value.children() if isinstance(value, Expression) else parts(value)
    return any(contains_wildcard(part) for part in children)

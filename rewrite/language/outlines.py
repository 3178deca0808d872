"""Outlines: what rules that differ only in numbers and texts have in common.

People write boards by loops: hundreds of rules of few shapes. What holds of a rule whatever its
numbers and texts are is then found out once for a shape.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call, Variable, Wildcard
from rewrite.language.order import term_key
from rewrite.language.terms import Term


class Outline(NamedTuple):
    """A rule taken apart.

    shape      what is left without numbers and texts
    constants  these, in order of occurrence
    classes    the constructor classes of its terms and variables: see `patterns.classes`
    """

    shape: Any
    constants: tuple[int | str, ...]
    classes: frozenset[type[Term]]

    @classmethod
    def of(cls, cost: Any, *parts: tuple[Any, ...]) -> Outline | None:
        """Return the outline of a rule; None if it contains what may not be taken apart."""
        constants, classes = list[int | str](), set[type[Term]]()
        shape = _shape(parts, constants, classes) if type(cost) is int else None
        return None if shape is None else cls((cost, shape), tuple(constants), frozenset(classes))

    @property
    def equal(self) -> tuple[int, ...]:
        """For each constant, the place of the first that is equal."""
        first: dict[int | str, int] = {}
        return tuple([first.setdefault(one, at) for at, one in enumerate(self.constants)])


def _shape(value: Any, constants: list[int | str], classes: set[type[Term]]) -> Any:
    """Return a key of a value without its numbers and texts; None where it has none."""
    kind = type(value)
    if kind is int or kind is str:
        constants.append(value)
        return kind
    if kind is Variable:
        classes.update(value.constructors)
        return value.name, value.admitted
    found = [kind]
    if kind is tuple:
        inside = value
    elif isinstance(value, Term):
        classes.add(kind)
        inside = value.term_parts()
    elif kind is Call:
        found.append(value.op)
        inside = value.args
    elif kind is Holds:
        inside = (value.expression,)
    elif isinstance(value, (Wildcard, bool)):
        return term_key(value)
    else:
        return None
    for part in inside:
        shape = _shape(part, constants, classes)
        if shape is None:
            return None
        found.append(shape)
    return tuple(found)

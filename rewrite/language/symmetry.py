"""Symmetry declarations: data only, checked as declarations even where no search uses them."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.errors import PuzzleError, UnboundVariable
from rewrite.language.expressions import source
from rewrite.language.order import SYMBOLIC, Key, Keyed, term_key
from rewrite.language.patterns import binders, variables
from rewrite.language.terms import freeze, is_ground


@frozen(eq=False, repr=False)
class Relabel(Keyed):
    """A bijection on terms: what matches `pattern` becomes `image`, every other term stays."""

    pattern: Any
    image: Any

    def term_key(self) -> Key:
        return (SYMBOLIC, "relabel", term_key(self.pattern), term_key(self.image))

    def __repr__(self) -> str:
        return f"relabel({source(self.pattern)}, {source(self.image)})"


@frozen(eq=False, repr=False)
class Interchangeable(Keyed):
    """Values that can be exchanged for each other everywhere in a state."""

    values: tuple[Any, ...]

    def term_key(self) -> Key:
        return (SYMBOLIC, "interchangeable", term_key(self.values))

    def __repr__(self) -> str:
        return f"interchangeable({', '.join(map(source, self.values))})"


def relabel(pattern: Any, image: Any) -> Relabel:
    """Declare a generator of the puzzle's symmetry group: a bijection on terms.

    >>> from rewrite.language.functions import ints
    >>> P, D = ints("P D")
    >>> relabel((P, D), (5 - P, D))
    relabel((P, D), (5 - P, D))
    """
    made = Relabel(freeze(pattern), freeze(image))
    for variable in variables(made.image):
        if variable not in binders(made.pattern):
            raise UnboundVariable(
                f"{made!r}: the image uses {variable.name}, which the pattern does not bind",
                variable=variable.name,
            )
    return made


def interchangeable(*values: Any) -> Interchangeable:
    """Declare values that play the same part: exchanging two changes nothing that matters."""
    frozen_values = tuple(freeze(value) for value in values)
    if len(frozen_values) < 2 or not all(is_ground(value) for value in frozen_values):
        texts = ", ".join(map(source, frozen_values))
        raise PuzzleError(f"interchangeable({texts}) needs two or more plain values")
    return Interchangeable(frozen_values)

"""Symmetry declarations: data only, checked as declarations even where no search uses them."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.errors import PuzzleError, UnboundVariable
from rewrite.language.order import SYMBOLIC, Keyed, Measure, gathered, source
from rewrite.language.patterns import binders, variables
from rewrite.language.terms import freeze, is_ground


@frozen(eq=False, repr=False)
class Relabel(Keyed):
    """A bijection on terms: what matches a pattern becomes its image, every other term stays.

    pairs   (pattern, image), one or more: for terms of several constructors that change together
    """

    pairs: tuple[tuple[Any, Any], ...]

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "relabel"), self.pairs)

    def __repr__(self) -> str:
        return f"relabel({', '.join(source(part) for pair in self.pairs for part in pair)})"


@frozen(eq=False, repr=False)
class Interchangeable(Keyed):
    """Values that can be exchanged for each other everywhere in a state."""

    values: tuple[Any, ...]

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "interchangeable"), (self.values,))

    def __repr__(self) -> str:
        return f"interchangeable({', '.join(map(source, self.values))})"


def relabel(pattern: Any, image: Any, *more: Any) -> Relabel:
    """Declare a generator of the puzzle's symmetry group: a bijection on terms.

    more   further patterns, each followed by its image, for terms that change together with these

    >>> from rewrite.language.functions import ints
    >>> P, D = ints("P D")
    >>> relabel((P, D), (5 - P, D))
    relabel((P, D), (5 - P, D))
    """
    given = tuple(freeze(part) for part in (pattern, image, *more))
    if len(given) % 2:
        raise PuzzleError(
            f"relabel({', '.join(map(source, given))}) needs an image for every pattern: write "
            "relabel(pattern, image, other pattern, its image)"
        )
    made = Relabel(tuple(zip(given[::2], given[1::2], strict=True)))
    for one, becomes in made.pairs:
        for variable in variables(becomes):
            if variable not in binders(one):
                raise UnboundVariable(
                    f"{made!r}: the image uses {variable.name}, which the pattern does not bind",
                    variable=variable.name,
                )
    return made


def interchangeable(*values: Any) -> Interchangeable:
    """Declare values that play the same part: exchanging two of them changes nothing."""
    frozen_values = tuple(freeze(value) for value in values)
    if len(frozen_values) < 2 or not all(is_ground(value) for value in frozen_values):
        texts = ", ".join(map(source, frozen_values))
        raise PuzzleError(f"interchangeable({texts}) needs two or more plain values")
    return Interchangeable(frozen_values)

"""Symmetry: declarations, and their effect on terms and states by definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from rewrite.errors import PuzzleError, UnboundVariable, tells_unknown_names
from rewrite.language.bag import Bag
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.matching import match, same
from rewrite.language.order import SYMBOLIC, Key, Keyed, Measure, gathered, source, term_key
from rewrite.language.patterns import binders, parts, variables
from rewrite.language.states import State
from rewrite.language.terms import Term, freeze, is_ground


@frozen(eq=False, repr=False)
class Relabel(Keyed):
    """A bijection on terms: a term that matches a pattern becomes its image, all others stay.

    pairs   (pattern, image), one or more: for terms of several constructors that change together
    """

    pairs: tuple[tuple[Any, Any], ...]

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "relabel"), self.pairs)

    def term_parts(self) -> tuple[Any, ...]:
        return self.pairs

    def __repr__(self) -> str:
        return f"relabel({', '.join(source(part) for pair in self.pairs for part in pair)})"


@frozen(eq=False, repr=False)
class Interchangeable(Keyed):
    """Values that can be exchanged for each other everywhere in a state."""

    values: tuple[Any, ...]

    def term_measure(self) -> Measure:
        return gathered((SYMBOLIC, "interchangeable"), (self.values,))

    def term_parts(self) -> tuple[Any, ...]:
        return self.values

    def __repr__(self) -> str:
        return f"interchangeable({', '.join(map(source, self.values))})"


@tells_unknown_names(PuzzleError, "relabel")
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


@tells_unknown_names(PuzzleError, "interchangeable")
def interchangeable(*values: Any) -> Interchangeable:
    """Declare values that play the same role: exchanging two of them changes nothing."""
    frozen_values = tuple(freeze(value) for value in values)
    if len(frozen_values) < 2 or not all(is_ground(value) for value in frozen_values):
        texts = ", ".join(map(source, frozen_values))
        raise PuzzleError(f"interchangeable({texts}) needs two or more plain values")
    return Interchangeable(frozen_values)


class NoBijection(Exception):
    """One or two images of terms showing that a generator is not a bijection."""


@define(eq=False)
class Bijection:
    """One declared bijection on terms, with a cache of the terms seen so far."""

    declared: Any
    swapped: tuple[Any, Any] | None = None
    """Two values of an `interchangeable` that are swapped; None for a `relabel`."""
    sources: dict[Key, Any] = field(factory=dict)
    """Key of an image -> the term it is the image of."""
    images: dict[Key, Any] = field(factory=dict)

    def state(self, given: State) -> State:
        """Return the image of a state. Raises NoBijection."""
        return State.of([self.term(one) for one in given])

    def term(self, given: Any) -> Any:
        """Return the image of a term. Raises NoBijection."""
        key = term_key(given)
        if key not in self.images:
            image = _swapped(given, *self.swapped) if self.swapped else self._relabelled(given)
            other = self.sources.setdefault(term_key(image), given)
            if not same(other, given):
                raise NoBijection(f"{other!r} and {given!r} both become {image!r}")
            self.images[key] = image
        return self.images[key]

    def _relabelled(self, given: Any) -> Any:
        found: dict[Key, Any] = {}
        try:
            for pattern, becomes in self.declared.pairs:
                for env, pending in match(pattern, given, {}):
                    if all(same(evaluate(left, env), right) for left, right in pending):
                        image = evaluate(becomes, env)
                        found[term_key(image)] = image
        except NoValue:
            raise NoBijection(f"the image of {given!r} has no value") from None
        except Failed as failure:
            raise NoBijection(f"the image of {given!r} failed in {failure}") from failure.cause
        if len(found) > 1:
            images = " and ".join(repr(found[key]) for key in sorted(found))
            raise NoBijection(f"{given!r} matches in several ways and becomes {images}")
        return next(iter(found.values()), given)


def bijections(declared: Relabel | Interchangeable) -> Iterator[Bijection]:
    """Yield the bijections of a declaration: for n values, n - 1 exchanges generate all others."""
    if isinstance(declared, Relabel):
        yield Bijection(declared)
    else:
        for pair in zip(declared.values, declared.values[1:], strict=False):
            yield Bijection(declared, pair)


def _swapped(given: Any, one: Any, two: Any) -> Any:
    if same(given, one) or same(given, two):
        return two if same(given, one) else one
    inner = []
    for part in parts(given):
        inner.append(_swapped(part, one, two))
    if isinstance(given, Term):
        return type(given).of_parts(inner)
    return tuple(inner) if type(given) is tuple else Bag.of(inner) if inner else given

"""What a declared symmetry does to terms and states: bijections on terms, by the definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from rewrite.language.bag import Bag
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.matching import match, same
from rewrite.language.order import Key, term_key
from rewrite.language.patterns import parts
from rewrite.language.states import State
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.language.terms import Term


class NoBijection(Exception):
    """What a generator does to one term or two, which shows that it is not a bijection."""


@define(eq=False)
class Bijection:
    """One bijection on terms as declared, and what it did to the terms met so far."""

    declared: Any
    swapped: tuple[Any, Any] | None = None
    """Two values of an `interchangeable` that change places; None for a `relabel`."""
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
            image = self._swap(given) if self.swapped else self._relabelled(given)
            other = self.sources.setdefault(term_key(image), given)
            if not same(other, given):
                raise NoBijection(f"{other!r} and {given!r} both become {image!r}")
            self.images[key] = image
        return self.images[key]

    def _swap(self, given: Any) -> Any:
        assert self.swapped is not None
        return _swapped(given, *self.swapped)

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
    """Yield the bijections of a declaration: for n values n - 1 exchanges generate all others."""
    if isinstance(declared, Relabel):
        yield Bijection(declared)
    else:
        for pair in zip(declared.values, declared.values[1:], strict=False):
            yield Bijection(declared, pair)


def _swapped(given: Any, one: Any, two: Any) -> Any:
    """Return a term with two terms exchanged wherever they stand in it."""
    if same(given, one) or same(given, two):
        return two if same(given, one) else one
    inner = []
    for part in parts(given):
        inner.append(_swapped(part, one, two))
    if isinstance(given, Term):
        return type(given).of_parts(inner)
    return tuple(inner) if type(given) is tuple else Bag.of(inner) if inner else given

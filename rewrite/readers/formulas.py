"""Formulas over atoms, in negation normal form, and the cases in which they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, product
from typing import Any

from attrs import evolve, field, frozen

EQUAL = "="
OPEN, RIGID = "?", "!"
"""With what names begin of variables that are free, and of those that have a value from outside."""
Args = tuple[str, ...]
"""Names of objects and of variables."""


@frozen
class Param:
    """A variable, and the names of the types of which it may have one."""

    name: str
    types: tuple[str, ...]


@frozen
class Literal:
    """An atom, or its negation; `name` is that of a predicate, or EQUAL."""

    name: str
    args: Args
    positive: bool = True


@frozen
class Junction:
    """All parts hold (`every`), or at least one does."""

    every: bool
    parts: tuple[Formula, ...]


@frozen
class Quantified:
    """It holds for all objects (`every`), or at least for one."""

    every: bool
    params: tuple[Param, ...]
    inner: Formula


Formula = Literal | Junction | Quantified
TRUE, FALSE = Junction(True, ()), Junction(False, ())


def negated(given: Formula) -> Formula:
    if isinstance(given, Literal):
        return evolve(given, positive=not given.positive)
    if isinstance(given, Junction):
        return Junction(not given.every, tuple(map(negated, given.parts)))
    return Quantified(not given.every, given.params, negated(given.inner))


def literals_in(given: Formula) -> Iterator[tuple[str, bool]]:
    if isinstance(given, Literal):
        yield given.name, given.positive
    for one in given.parts if isinstance(given, Junction) else ():
        yield from literals_in(one)
    if isinstance(given, Quantified):
        yield from literals_in(given.inner)


def renamed(given: Any, names: Mapping[str, str]) -> Any:
    """Return names and formulas, alone or in collections, with other variables, or objects."""
    if isinstance(given, str):
        return names.get(given, given)
    if isinstance(given, (tuple, frozenset)):
        return type(given)([renamed(one, names) for one in given])
    if isinstance(given, Literal):
        return evolve(given, args=renamed(given.args, names))
    if isinstance(given, Param):
        return evolve(given, name=renamed(given.name, names))
    if isinstance(given, Junction):
        return evolve(given, parts=renamed(given.parts, names))
    if isinstance(given, Quantified):
        return evolve(given, inner=renamed(given.inner, without(names, given.params)))
    return given


def without(names: Mapping[str, str], params: Iterable[Param]) -> dict[str, str]:
    """Return the names of variables that `params` do not hide."""
    own = {one.name for one in params}
    return {old: new for old, new in names.items() if old not in own}


def bindings(
    params: Sequence[Param], objects: Callable[[Param], Iterable[str]]
) -> Iterator[dict[str, str]]:
    """Yield every way to give variables objects of their types."""
    for values in product(*map(objects, params)):
        yield {one.name: value for one, value in zip(params, values, strict=True)}


@frozen
class Case:
    """What holds together: literals, what holds for all objects, and variables for some objects."""

    literals: tuple[Literal, ...] = ()
    everywhere: tuple[Quantified, ...] = ()
    params: tuple[Param, ...] = ()

    def joined(self, other: Case) -> Case:
        return Case(
            tuple(dict.fromkeys((*self.literals, *other.literals))),
            (*self.everywhere, *other.everywhere), (*self.params, *other.params),
        )  # fmt: skip


@frozen
class Splitting:
    """Splits formulas into cases.

    known   whether a literal of which all arguments are objects holds in every state; None: that
            depends on the state
    objects the objects of a type
    more    returns the error where there are more than `most` cases
    """

    known: Callable[[Literal], bool | None]
    objects: Callable[[Param], Iterable[str]]
    more: Callable[[], Exception]
    most: int = 1_000
    _fresh: count[int] = field(factory=count, init=False)

    def cases(self, given: Formula) -> list[Case]:
        """Return cases of which at least one holds where the formula does, and only there."""
        if isinstance(given, Literal):
            if given.name == EQUAL and given.args[0] == given.args[1]:
                return [Case()] if given.positive else []
            ground = all(one[0] not in (OPEN, RIGID) for one in given.args)
            known = self.known(given) if ground else None
            return [Case((given,))] if known is None else [Case()] * known
        if isinstance(given, Junction):
            split = [self.cases(one) for one in given.parts]
            if not given.every:
                return self._few(list(dict.fromkeys(one for some in split for one in some)))
            found = [Case()]
            for some in split:
                found = self._few([one.joined(more) for one in found for more in some])
            return found
        if given.every and any(one.everywhere for one in self.cases(negated(given.inner))):
            instances = [renamed(given.inner, n) for n in bindings(given.params, self.objects)]
            return self.cases(Junction(True, tuple(instances)))
        params, names = self.fresh(given.params)
        inner = renamed(given.inner, names)
        if given.every:
            return [Case(everywhere=(Quantified(True, params, inner),))]
        return [evolve(one, params=(*one.params, *params)) for one in self.cases(inner)]

    def fresh(self, params: Sequence[Param]) -> tuple[tuple[Param, ...], dict[str, str]]:
        """Return variables with names that nothing else has, and these names by the old ones."""
        names = {one.name: f"{one.name}#{next(self._fresh)}" for one in params}
        return renamed(tuple(params), names), names

    def _few(self, found: list[Case]) -> list[Case]:
        if len(found) > self.most:
            raise self.more()
        return found

"""The definition of matching: every way in which a pattern matches a ground term, by brute force.

Computed parts of a pattern are not evaluated here. They are returned as *pending* equations
(template, value), which the caller checks once their variables have values; so the order in which
patterns are written makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, Wildcard
from rewrite.language.nesting import PLAIN
from rewrite.language.order import term_key
from rewrite.language.terms import Term, is_ground

Env = dict[Variable, Any]
Pending = tuple[tuple[Any, Any], ...]
Match = tuple[Env, Pending]

TYPES = {"int": int, "str": str, "bool": bool, "seq": tuple, "bag": Bag}


def same(left: Any, right: Any) -> bool:
    """Return whether two ground terms are equal (True is not 1)."""
    return left is right or term_key(left) == term_key(right)


def fits(variable: Variable, value: Any) -> bool:
    if variable.is_narrow:
        if isinstance(value, Term):
            return value.term_identity() in [one.term_identity() for one in variable.constructors]
        return any(type(value) is TYPES[kind] for kind in variable.kinds)
    return variable.kind == "term" or type(value) is TYPES[variable.kind]


def match(pattern: Any, value: Any, env: Env, pending: Pending = ()) -> Iterator[Match]:
    """Yield every extension of `env` under which `pattern` matches the ground term `value`."""
    if isinstance(pattern, Wildcard):
        yield env, pending
    elif isinstance(pattern, Variable):
        if pattern in env:
            if same(env[pattern], value):
                yield env, pending
        elif fits(pattern, value):
            yield {**env, pattern: value}, pending
    elif isinstance(pattern, Expression):
        yield env, (*pending, (pattern, value))
    elif is_ground(pattern):
        if same(pattern, value):
            yield env, pending
    elif isinstance(pattern, tuple):
        if type(value) is tuple:
            yield from _match_sequence(pattern, value, env, pending)
    elif isinstance(pattern, Bag):
        if type(value) is Bag:
            plain = [part for part in pattern.items if not isinstance(part, Splice)]
            splices = [part.inner for part in pattern.items if isinstance(part, Splice)]
            yield from _match_bag(plain, splices, list(value.items), env, pending)
    elif isinstance(value, Term) and pattern.term_identity() == value.term_identity():
        yield from _match_sequence(pattern.term_arguments(), value.term_arguments(), env, pending)


def _match_sequence(
    patterns: tuple[Any, ...], values: tuple[Any, ...], env: Env, pending: Pending
) -> Iterator[Match]:
    """Match a sequence from left to right, without recursion: it may be long."""
    for pattern, value in zip(patterns, values, strict=False):
        if isinstance(pattern, Splice):
            break
        if type(pattern) in PLAIN and not same(pattern, value):
            return  # most terms differ there: nothing else needs to be tried
    ways: list[Iterator[tuple[int, Env, Pending]]] = []
    place = 0
    while True:
        if len(ways) < len(patterns):
            ways.append(_next_place(patterns[len(ways)], values, place, env, pending))
        elif place == len(values):
            yield env, pending
        while ways:
            way = next(ways[-1], None)
            if way is not None:
                place, env, pending = way
                break
            ways.pop()
        else:
            return


def _next_place(
    pattern: Any, values: tuple[Any, ...], place: int, env: Env, pending: Pending
) -> Iterator[tuple[int, Env, Pending]]:
    """Yield each possible end of the part of a sequence that starts at `place` and matches."""
    if isinstance(pattern, Splice):
        for end in range(place, len(values) + 1):
            for found, waiting in match(pattern.inner, values[place:end], env, pending):
                yield end, found, waiting
    elif place < len(values):
        for found, waiting in match(pattern, values[place], env, pending):
            yield place + 1, found, waiting


def _match_bag(
    patterns: list[Any],
    splices: list[Any],
    values: list[Any],
    env: Env,
    pending: Pending,
) -> Iterator[Match]:
    if patterns:
        first = patterns[0]
        times = sum(one is first for one in patterns) if isinstance(first, Variable) else 1
        for index, value in enumerate(values):
            if index and same(value, values[index - 1]):
                continue  # equal terms are not tried twice
            equal = values[index : index + times]
            if len(equal) < times or not same(equal[-1], value):
                continue  # a variable that stands in a bag n times needs n equal terms
            left = values[:index] + values[index + 1 :]
            for found, waiting in match(first, value, env, pending):
                yield from _match_bag(patterns[1:], splices, left, found, waiting)
    elif not splices:
        if not values:
            yield env, pending
    elif len(splices) == 1:
        yield from match(splices[0], Bag.of(values), env, pending)
    else:
        for part, left in _sub_bags(values):
            for found, waiting in match(splices[0], Bag.of(part), env, pending):
                yield from _match_bag([], splices[1:], left, found, waiting)


def _sub_bags(values: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield every way to split a sorted list of terms in two, without repeats."""
    if not values:
        yield [], []
        return
    first = values[0]
    run = sum(1 for value in values if same(value, first))
    for part, left in _sub_bags(values[run:]):
        for taken in range(run + 1):
            yield [first] * taken + part, [first] * (run - taken) + left

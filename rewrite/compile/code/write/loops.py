"""Loops that find occurrences of a pattern in the groups of a state or the facts.

A *pool* is a tuple of values in canonical order; a *claim* is a place in a pool that an earlier
pattern has taken up, so that patterns match distinct occurrences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from rewrite.compile.code import operations as o
from rewrite.compile.code.types import INT, of_term_type
from rewrite.compile.code.write.build import Builder
from rewrite.compile.code.write.expressions import Names
from rewrite.compile.code.write.matching import Match, Matching, Then
from rewrite.compile.interning import TermType, encode
from rewrite.language.expressions import ANY, Splice, Variable, kind_of
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import contains_wildcard, mentioned, parts
from rewrite.language.terms import Term, is_ground


class Pool(NamedTuple):
    """Where to look; `facts` and `held` have the values where they are constant."""

    name: str
    source: o.Value
    facts: tuple[Any, ...] | None = None
    held: frozenset[Any] = frozenset()


def group(register: o.Value) -> Pool:
    assert isinstance(register, o.Reg)
    return Pool(register.name, register)


def may_match(pattern: Any, facts: Sequence[Any]) -> bool:
    """Return False only if no fact has the constant parts of a pattern."""
    if not isinstance(pattern, (Term, tuple)):
        return bool(facts)
    fixed = enumerate(_fixed(pattern), isinstance(pattern, Term))
    known = [(at, encode(part)) for at, part in fixed if _is_known(part, {})]
    return any(all(at < len(one) and one[at] == part for at, part in known) for one in facts)


def _fixed(pattern: Any) -> Iterator[Any]:
    """Return the parts before the first splice: they have a place."""
    return takewhile(lambda part: not isinstance(part, Splice), parts(pattern))


def _is_known(part: Any, names: Names) -> bool:
    return part in names if isinstance(part, Variable) else is_ground(part)


def is_lookup(pattern: Any, names: Names) -> bool:
    """Return whether the pattern is a single known value under the bound names.

    One with `*X` of a variable of any kind may be no value at all: it is matched part by part.
    """
    open_splice = any(
        isinstance(part, Splice) and kind_of(part.inner) not in ("seq", "bag")
        for part in everywhere(pattern, parts)
    )
    known = set(mentioned(pattern)) <= set(names)
    return known and not open_splice and not contains_wildcard(pattern)


class Loops:
    def __init__(self, write: Builder, matching: Matching) -> None:
        self.write, self.matching = write, matching
        self._rows: dict[Any, o.Rows] = {}

    def look(
        self, pattern: Any, term_type: TermType, pool: Pool, at: Match, then: Then, *,
        every: bool = False, after: o.Value | None = None,
    ) -> None:  # fmt: skip
        """Write what finds `pattern` in the pool.

        every   each occurrence counts by itself (aggregates); else equal ones are tried once
        after   a place: only later places are tried (interchangeable patterns)
        """
        write, source, claimed = self.write, pool.source, at.claims.get(pool.name, ())
        if is_lookup(pattern, at.names) and not every and after is None:
            self.matching.compute(
                pattern, at.names, lambda value: self._lookup(value, pool, at, then)
            )
            return
        if pool.facts is not None and isinstance(pattern, (Term, tuple)):
            known = [
                place for place, part in enumerate(_fixed(pattern)) if _is_known(part, at.names)
            ]
            if known:
                self._indexed(pattern, known, pool, at, then)
                return
        place, value = write.fresh("p", INT), write.fresh("t", of_term_type(term_type))
        if every:
            with write.block(o.Each, place, value, source):
                self._claim(pattern, pool, at, then, place, value)
        elif after is not None:
            others = [other for other in claimed if other != after]
            next_one = o.Arithmetic("+", after, o.Const(1))
            before = o.Arithmetic("-", place, o.Const(1))
            # the first of equal values that nothing has claimed
            free = [o.Equal(before, other) for other in others]
            first = o.Or((
                o.Equal(place, next_one), o.Not(o.Equal(o.Index(source, before), value)), *free,
            ))  # fmt: skip
            with write.block(o.EachNumber, place, next_one, o.Length(source)):
                write.add(o.Let(value, o.Index(source, place)))
                with write.when(*[o.Not(o.Equal(place, other)) for other in others], first):
                    self._claim(pattern, pool, at, then, place, value, free=True)
        else:
            with write.block(o.EachFree, place, value, source, claimed):
                self._claim(pattern, pool, at, then, place, value, free=True)

    def _lookup(self, value: o.Value, pool: Pool, at: Match, then: Then) -> None:
        write, place = self.write, self.write.fresh("p", INT)
        if pool.facts is not None and len(pool.held) == len(pool.facts):
            rows = self._rows.setdefault((pool.name, ()), o.Rows(pool.facts, ()))
            with write.block(o.EachRow, place, write.fresh("t"), rows, (value,)):
                self._claim(ANY, pool, at, then, place, value)
            return
        if claimed := at.claims.get(pool.name, ()):
            write.add(o.Let(place, o.Find(pool.source, value, claimed)))
            with write.when(o.Compare(">=", place, o.Const(0), True)):
                then(at.claim(pool.name, place))
            return
        with write.when(o.In(value, pool.source)):
            write.add(o.Let(place, o.PlaceOf(pool.source, value)))
            then(at.claim(pool.name, place))

    def _indexed(self, pattern: Any, known: list[int], pool: Pool, at: Match, then: Then) -> None:
        """Look among facts by the parts of a pattern whose values are known."""
        write, arguments = self.write, parts(pattern)
        assert pool.facts is not None
        open_ = [ANY if place in known else part for place, part in enumerate(arguments)]
        is_term = isinstance(pattern, Term)
        rest = type(pattern).of_parts(open_) if is_term else tuple(open_)
        keys = tuple([place + is_term for place in known])
        rows = self._rows.setdefault((pool.name, keys), o.Rows(pool.facts, keys))
        key = tuple([self.matching.expressions.value(arguments[i], at.names) for i in known])
        place, term = write.fresh("p", INT), write.fresh("t")
        with write.block(o.EachRow, place, term, rows, key):
            self._claim(rest, pool, at, then, place, term)

    def _claim(
        self, pattern: Any, pool: Pool, at: Match, then: Then, place: o.Value, value: o.Value,
        free: bool = False,
    ) -> None:  # fmt: skip
        """Match what stands at a place; `free`: no pattern has taken that up."""
        others = () if free else at.claims.get(pool.name, ())
        with self.write.when(*[o.Not(o.Equal(place, one)) for one in others]):
            self.matching.match(pattern, value, at.claim(pool.name, place), then, typed=True)

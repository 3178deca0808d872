"""Loops that find occurrences of a pattern in the groups of a state or the facts.

A *pool* is a tuple of values in canonical order; a *claim* is a place in a pool that an earlier
pattern has taken up, so that patterns match distinct occurrences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rewrite.code import operations as o
from rewrite.code.types import PLACE, of_term_type
from rewrite.code.write.build import Builder
from rewrite.code.write.expressions import Names
from rewrite.code.write.matching import Matching, Waiting
from rewrite.compiler.interning import TermType, encode
from rewrite.language.expressions import ANY, Expression, Splice, Variable, kind_of
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import contains_wildcard, mentioned, parts
from rewrite.language.terms import Term, is_ground

MOST_UNROLLED = 1
"""How many facts known to match are written out one by one instead of looped over."""

Claims = dict[str, tuple[o.Value, ...]]
"""By the name of the pool."""
Found = Callable[[Names, Waiting, Claims, o.Value], None]
"""Continues with the bindings, open equations, claims, and the value found."""


class Pool(NamedTuple):
    """Where to look; `facts` holds the values where they are constant."""

    name: str
    source: o.Value
    facts: tuple[Any, ...] | None = None


def group(register: o.Value) -> Pool:
    """Return the pool of a group of the state."""
    assert isinstance(register, o.Reg)
    return Pool(register.name, register)


def is_lookup(pattern: Any, names: Names) -> bool:
    """Return whether the pattern is a single known value under the bound names.

    One with `*X` of a variable of any kind may be no value at all: it is matched part by part.
    """
    if contains_wildcard(pattern) or _open_splice(pattern):
        return False
    return set(mentioned(pattern)) <= set(names)


def _open_splice(pattern: Any) -> bool:
    """Return whether a splice in the pattern may hold what is no sequence or nested bag."""
    return any(
        isinstance(part, Splice) and kind_of(part.inner) not in ("seq", "bag")
        for part in everywhere(pattern, parts)
    )


class Loops:
    """Writes loops over pools."""

    def __init__(self, write: Builder, matching: Matching) -> None:
        self.write, self.matching = write, matching
        self._rows: dict[Any, tuple[o.Rows, dict[Any, list[tuple[int, Any]]]]] = {}

    def look(
        self,
        pattern: Any,
        term_type: TermType,
        pool: Pool,
        names: Names,
        waiting: Waiting,
        claims: Claims,
        then: Found,
        *,
        every: bool = False,
        after: o.Value | None = None,
    ) -> None:
        """Write what finds `pattern` in the pool.

        every   each occurrence counts by itself (aggregates); else equal ones are tried once
        after   a place: only later places are looked at (patterns that a rule treats alike)
        """
        claimed = claims.get(pool.name, ())
        if is_lookup(pattern, names) and not every and after is None:
            self._lookup(pattern, pool, names, waiting, claims, claimed, then)
        elif pool.facts is not None and isinstance(pattern, Term) and self._known(pattern, names):
            self._indexed(pattern, pool, names, waiting, claims, claimed, then)
        else:
            self._loop(
                pattern, term_type, pool, names, waiting, claims, claimed, then, every, after
            )

    def _lookup(self, pattern: Any, pool: Pool, names: Names, waiting: Waiting, claims: Claims,
                claimed: tuple[o.Value, ...], then: Found) -> None:  # fmt: skip
        write = self.write

        def found(value: o.Value) -> None:
            place = write.fresh("p", PLACE)
            more = claims | {pool.name: (*claimed, place)}
            if claimed:
                write.add(o.Let(place, o.Find(pool.source, value, claimed)))
                with write.block(o.If, o.Compare(">=", place, o.Const(0), True)):
                    then(names, waiting, more, value)
                return
            there: o.Test = o.In(value, pool.source)
            if pool.facts is not None:
                there = o.InSet(value, frozenset(pool.facts))
            with write.block(o.If, there):
                write.add(o.Let(place, o.PlaceOf(pool.source, value)))
                then(names, waiting, more, value)

        self.matching.compute(pattern, names, found)

    def _known(self, pattern: Term, names: Names) -> list[int]:
        """Return the arguments of a pattern whose values are known and always there."""
        return [
            place
            for place, part in enumerate(pattern.term_arguments())
            if (isinstance(part, Variable) and part in names)
            or (not isinstance(part, Expression) and is_ground(part))
        ]

    @staticmethod
    def _without_known(pattern: Term, known: list[int]) -> Term:
        """Return the pattern with ANY for the arguments that an index has matched already."""
        rest = type(pattern).__new__(type(pattern))
        arguments = pattern.term_arguments()
        rest.__attrs_init__(*[ANY if i in known else part for i, part in enumerate(arguments)])  # type: ignore[attr-defined]
        return rest

    def _indexed(self, pattern: Term, pool: Pool, names: Names, waiting: Waiting, claims: Claims,
                 claimed: tuple[o.Value, ...], then: Found) -> None:  # fmt: skip
        write, known = self.write, self._known(pattern, names)
        arguments = pattern.term_arguments()
        assert pool.facts is not None
        signature = (pool.name, tuple(known))
        if signature not in self._rows:
            made = o.Rows(pool.facts, tuple(known))
            self._rows[signature] = made, made.table()
        rows, table = self._rows[signature]
        rest = self._without_known(pattern, known)
        if all(is_ground(arguments[i]) for i in known):  # known now: no loop is needed
            found = table.get(tuple([encode(arguments[i]) for i in known]), [])
            if len(found) <= MOST_UNROLLED:
                for at, value in found:
                    if o.Const(at) not in claimed:
                        self._claim(rest, pool, names, waiting, claims, claimed, then,
                                    o.Const(at), o.Const(value))  # fmt: skip
                return
        key = tuple([self.matching.expressions.value(arguments[i], names) for i in known])
        place, term = write.fresh("p", PLACE), write.fresh("t")
        with write.block(o.EachRow, place, term, rows, key):
            self._claim(rest, pool, names, waiting, claims, claimed, then, place, term)

    def _loop(self, pattern: Any, term_type: TermType, pool: Pool, names: Names, waiting: Waiting,
              claims: Claims, claimed: tuple[o.Value, ...], then: Found, every: bool,
              after: o.Value | None) -> None:  # fmt: skip
        write, source = self.write, pool.source
        place, value = write.fresh("p", PLACE), write.fresh("t", of_term_type(term_type))

        def claim(checked: bool) -> None:
            self._claim(pattern, pool, names, waiting, claims, claimed, then, place, value, checked)

        if every:
            with write.block(o.Each, place, value, source):
                claim(checked=False)
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
                self._guarded([*[o.Not(o.Equal(place, other)) for other in others], first],
                              lambda: claim(checked=True))  # fmt: skip
        elif claimed:
            with write.block(o.EachFree, place, value, source, claimed):
                claim(checked=True)
        else:
            with write.block(o.Each, place, value, source):
                self._guarded([o.FirstOfRun(place, source, value)], lambda: claim(checked=True))

    def _guarded(self, tests: list[o.Test], then: Callable[[], None]) -> None:
        if not tests:
            then()
            return
        with self.write.block(o.If, tests[0] if len(tests) == 1 else o.And(tuple(tests))):
            then()

    def _claim(self, pattern: Any, pool: Pool, names: Names, waiting: Waiting, claims: Claims,
               claimed: tuple[o.Value, ...], then: Found, place: o.Value, value: o.Value,
               checked: bool = False) -> None:  # fmt: skip
        # two places that are known now are known to differ
        open_claims = [
            one for one in claimed if not (isinstance(one, o.Const) and isinstance(place, o.Const))
        ]
        tests: list[o.Test] = [] if checked else [o.Not(o.Equal(place, one)) for one in open_claims]
        more = claims | {pool.name: (*claimed, place)}
        self._guarded(
            tests,
            lambda: self.matching.match(
                pattern, value, names, waiting,
                lambda found, still: then(found, still, more, value), typed=True,
            ),
        )  # fmt: skip

"""Source of the loops that find occurrences of a pattern in the groups of a state or the facts.

A *pool* is a named tuple of values in canonical order; a *claim* is a place in a pool that an
earlier pattern has taken up, so that patterns match distinct occurrences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rewrite.compiler.interning import Head, encode
from rewrite.engine import runtime
from rewrite.engine.expression_source import Names
from rewrite.engine.match_source import MatchSource, Waiting
from rewrite.engine.writer import Writer
from rewrite.language.expressions import ANY, Expression, Splice, Variable, kind_of
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import contains_wildcard, mentioned, parts
from rewrite.language.terms import Term, is_ground

MOST_UNROLLED = 1
"""How many facts known to match are written out one by one instead of looped over."""

Claims = dict[str, tuple[str, ...]]
Found = Callable[[Names, Waiting, Claims, str], None]
"""Continues with the bindings, open equations, claims, and the name of the value found."""


@frozen
class Pool:
    """Where to look: the name of a tuple; `facts` holds its values where they are constant."""

    name: str
    facts: tuple[Any, ...] | None = None


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

    def __init__(self, writer: Writer, matching: MatchSource) -> None:
        self.writer, self.matching = writer, matching
        writer.namespace["rt_find"] = runtime.find
        self._indexes: dict[Any, str] = {}

    def look(
        self,
        pattern: Any,
        head: Head,
        pool: Pool,
        names: Names,
        waiting: Waiting,
        claims: Claims,
        then: Found,
        *,
        every: bool = False,
        after: str | None = None,
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
            self._loop(pattern, head, pool, names, waiting, claims, claimed, then, every, after)

    def _lookup(self, pattern: Any, pool: Pool, names: Names, waiting: Waiting, claims: Claims,
                claimed: tuple[str, ...], then: Found) -> None:  # fmt: skip
        write = self.writer

        def found(value: str) -> None:
            place = write.fresh("p")
            if claimed:
                write.line(f"{place} = rt_find({pool.name}, {value}, ({', '.join(claimed)},))")
                with write.block(f"if {place} >= 0:"):
                    then(names, waiting, claims | {pool.name: (*claimed, place)}, value)
                return
            where = pool.name
            if pool.facts is not None:
                where = write.constant(frozenset(pool.facts), "F")
            with write.block(f"if {value} in {where}:"):
                write.line(f"{place} = {pool.name}.index({value})")
                then(names, waiting, claims | {pool.name: (place,)}, value)

        self.matching.compute(pattern, names, found)

    def _known(self, pattern: Term, names: Names) -> list[int]:
        """Return the arguments of a pattern whose values are known and always there."""
        return [
            index
            for index, part in enumerate(pattern.term_arguments())
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
                 claimed: tuple[str, ...], then: Found) -> None:  # fmt: skip
        write, matching = self.writer, self.matching
        known = self._known(pattern, names)
        arguments = pattern.term_arguments()
        index: dict[Any, list[Any]] = {}
        assert pool.facts is not None
        for place, value in enumerate(pool.facts):
            key = tuple([value[position + 1] for position in known])
            index.setdefault(key, []).append((place, value))
        if all(is_ground(arguments[i]) for i in known):  # known now: no loop is needed
            key = tuple([encode(arguments[i]) for i in known])
            rest = self._without_known(pattern, known)
            found = index.get(key, [])
            if len(found) <= MOST_UNROLLED:
                for place, value in found:
                    if str(place) not in claimed:
                        self._claim(rest, pool, names, waiting, claims, claimed, then,
                                    str(place), write.constant(value, "t"))  # fmt: skip
                return
        signature = (pool.name, tuple(known))
        name = self._indexes.setdefault(signature, write.constant(index, "I"))
        key_source = ", ".join(matching.expressions.value(arguments[i], names) for i in known)
        rest = self._without_known(pattern, known)
        place_name, value_name = write.fresh("p"), write.fresh("t")
        with write.block(f"for {place_name}, {value_name} in {name}.get(({key_source},), ()):"):
            self._claim(rest, pool, names, waiting, claims, claimed, then, place_name, value_name)

    def _loop(self, pattern: Any, head: Head, pool: Pool, names: Names, waiting: Waiting,
              claims: Claims, claimed: tuple[str, ...], then: Found, every: bool,
              after: str | None) -> None:  # fmt: skip
        write = self.writer
        place, value = write.fresh("p"), write.fresh("t")
        if every:
            with write.block(f"for {place}, {value} in enumerate({pool.name}):"):
                self._claim(pattern, pool, names, waiting, claims, claimed, then, place, value)
            return
        if after is not None:
            opening = f"for {place} in range({after} + 1, len({pool.name})):"
            others = [name for name in claimed if name != after]
            # the first of equal values that nothing has claimed
            free = "".join(f" or {place} - 1 == {name}" for name in others)
            before = f"{pool.name}[{place} - 1]"
            fresh_run = f"({place} == {after} + 1 or {before} != {value}{free})"
        elif claimed:
            places = f"({', '.join(claimed)},)"
            opening, others = f"for {place}, {value} in rt_choices({pool.name}, {places}):", []
            fresh_run = ""
        else:
            opening, others = f"for {place}, {value} in enumerate({pool.name}):", []
            fresh_run = f"(not {place} or {pool.name}[{place} - 1] != {value})"
        with write.block(opening):
            if after is not None:
                write.line(f"{value} = {pool.name}[{place}]")
            tests = [f"{place} != {name}" for name in others] + ([fresh_run] if fresh_run else [])
            self._guarded(
                tests,
                lambda: self._claim(
                    pattern, pool, names, waiting, claims, claimed, then, place, value, checked=True
                ),
            )

    def _guarded(self, tests: list[str], then: Callable[[], None]) -> None:
        if not tests:
            then()
            return
        with self.writer.block(f"if {' and '.join(tests)}:"):
            then()

    def _claim(self, pattern: Any, pool: Pool, names: Names, waiting: Waiting, claims: Claims,
               claimed: tuple[str, ...], then: Found, place: str, value: str,
               checked: bool = False) -> None:  # fmt: skip
        # two places that are known now are known to differ
        open_claims = [name for name in claimed if not (name.isdigit() and place.isdigit())]
        tests = [] if checked else [f"{place} != {name}" for name in open_claims]
        more = claims | {pool.name: (*claimed, place)}
        self._guarded(
            tests,
            lambda: self.matching.match(
                pattern, value, names, waiting,
                lambda found, still: then(found, still, more, value), typed=True,
            ),
        )  # fmt: skip

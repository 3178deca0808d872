"""Joins: all ways in which the patterns of ground rules match known terms, found by indexes.

Semi-naive, as deductive databases do it (Bancilhon, 1986): in each round, each pattern in turn
matches the new terms only, the others everything known; so a round costs what is new in it.

What a match means is defined in `language.matching`, and what an expression is worth in
`language.evaluation`: both are called where `join_source` does not print what it says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, NamedTuple

from attrs import define, field, frozen

from rewrite.compile.interning import term_type_of
from rewrite.compile.slots.join_shapes import Shaping
from rewrite.compile.slots.join_source import Compiled, Relation, compiled
from rewrite.language.expressions import Expression, Variable

LIKELY, LIKELY_DIFFERENT = 64, 8
"""How many terms are expected at least of a type that rules put, and values in each place."""


@frozen
class Query:
    """What is looked for: distinct terms that match all patterns, with lets and guards.

    wanted   the variables whose values tell two answers apart, in this order
    """

    patterns: tuple[Any, ...]
    lets: tuple[tuple[Any, Any], ...]
    guards: tuple[Expression, ...]
    wanted: tuple[Variable, ...]
    _shaped: list[Shaping] = field(factory=list, init=False, eq=False)

    def shaped(self, parts: tuple[Any, ...]) -> Shaping:
        """Return the shape of the query, and its constants; always with the same parts."""
        if not self._shaped:
            self._shaped.append(Shaping(self.patterns, self.lets, self.guards, self.wanted, parts))
        return self._shaped[0]


@define
class Pool:
    """The known terms of one type with their multiplicities, and indexes of them."""

    numbers: dict[Any, int] = field(factory=dict)
    indexes: dict[tuple[int, ...], defaultdict[Any, list[Any]]] = field(factory=dict)
    _sizes: tuple[int, ...] = ()
    _measured: int = -1

    def add_new(self, pool: Pool) -> None:
        """Add all terms of a pool, none of which is here."""
        self.numbers |= pool.numbers
        for places, index in self.indexes.items():
            for key, found in pool.by(places).items():
                index[key] += found

    def by(self, places: tuple[int, ...]) -> defaultdict[Any, list[Any]]:
        """Return the index from the value at a place, or the values at some, to the terms."""
        index = self.indexes.get(places)
        if index is None:
            index = self.indexes[places] = defaultdict(list)
            key = itemgetter(*places) if places else lambda value: ()
            for value in self.numbers:
                index[key(value)].append(value)
        return index

    def sizes(self, arguments: int, grows: bool) -> tuple[int, ...]:
        """Return about how many terms there are, and different values in each place."""
        if self._measured != len(self.numbers):
            self._measured, columns = len(self.numbers), list[tuple[Any, ...]]()
            if arguments:
                columns = [*zip(*self.numbers, strict=True)][1:]
            sizes = [len(self.numbers), *[len({*column}) for column in columns]]
            self._sizes = tuple([1 << (size.bit_length() & ~1) for size in sizes])
        found = self._sizes + (1,) * (arguments + 1 - len(self._sizes))
        if not grows:
            return found
        return (max(LIKELY, found[0]), *[max(LIKELY_DIFFERENT, size) for size in found[1:]])


class Known:
    """The terms that joins look among; they only become more."""

    def __init__(self, terms: Iterable[Any]) -> None:
        self.pools: dict[Any, Pool] = {}
        by_type = defaultdict[Any, list[Any]](list)
        for term in terms:
            by_type[term_type_of(term)].append(term)
        for term_type, some in by_type.items():
            self.pools[term_type] = Pool(dict(Counter(some)))

    def pool(self, term_type: Any) -> Pool:
        found = self.pools.get(term_type)
        if found is None:
            found = self.pools[term_type] = Pool()
        return found

    def add_new(self, new: Known) -> None:
        """Add terms of which none is known."""
        for term_type, pool in new.pools.items():
            self.pool(term_type).add_new(pool)

    def beside(self, other: Known) -> Known:
        """Return what is known here and, of other types, there."""
        found = Known(())
        found.pools = self.pools | other.pools
        return found

    def has(self, value: Any) -> bool:
        return value in self.pool(term_type_of(value)).numbers

    def relation(self, relation: Relation) -> dict[Any, Any]:
        term_type, places = relation
        pool = self.pool(term_type)
        return pool.numbers if places is None else pool.by(places)


class Sink(NamedTuple):
    """Where answers go, of several joins together.

    answer  the NamedTuple that an answer is: the values of the wanted variables, and the parts
    atoms   all atoms known, and `fresh`: those that answers put for the first time
    spend   called when no work is left, with how much it was overdrawn; returns how much is left
    """

    answer: type[tuple[Any, ...]]
    atoms: dict[Any, None]
    fresh: list[Any]
    spend: Callable[[int], int]


class Join:
    """Answers one query, again whenever terms are added.

    seen   the answers by the values of the wanted variables; None where a part has no value

    Raises what `sink` raises, and Failed where a guard or a computed part fails.
    """

    def __init__(
        self, query: Query, parts: tuple[Any, ...], puts: tuple[int, ...], known: Known,
        growing: frozenset[Any], sink: Sink, deep: Callable[[tuple[Any, ...]], None] | None,
    ) -> None:  # fmt: skip
        """puts     places of atoms in the third part of an answer
        growing  types of which more terms may come
        deep     called with the third part, where it may nest too deep
        """
        shaped = query.shaped(parts)
        self.shape, self.constants = shaped.shape, shaped.constants
        self.puts, self.known, self.growing = puts, known, growing
        self.sink, self.deep = sink, deep
        self.seen: dict[tuple[Any, ...], Any] = {}
        self._bound: dict[int | None, tuple[Compiled, Callable[..., int]]] = {}

    def run(self, left: int, seed: int | None = None, new: Known | None = None) -> int:
        """Find the answers, or those in which a pattern matches a new term.

        Returns the work that is left.
        """
        if seed not in self._bound:
            self._bound[seed] = self._bind(seed)
        made, run = self._bound[seed]
        return run(left) if new is None else run(left, *map(new.relation, made.new))

    def _bind(self, seed: int | None) -> tuple[Compiled, Callable[..., int]]:
        sizes = tuple([
            self.known.pool(one).sizes(len(form[2]) if form[0] == "make" else 0,
                                       one in self.growing)
            for one, form in self.shape.patterns
        ])  # fmt: skip
        made = compiled(self.shape, seed, sizes, self.puts, self.deep is not None)
        answer, atoms, fresh, spend = self.sink
        relations = [*map(self.known.relation, made.known)]
        bound = made.bind(
            self.constants, relations, self.seen, atoms, fresh, spend, answer, self.deep
        )
        return made, bound

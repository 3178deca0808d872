"""A sequence of fixed length as a term for each of its places.

Boards are often declared as one sequence: `(*A, 0, X, *B)` is a gap and what stands beside it. If
no rule changes the length, each way to divide the places among the parts of a pattern becomes a
rule of its own, on terms `Place(0, …)`, `Place(1, …)`, … These are stored in slots, with all that
slots allow: heuristics, symmetry, the numbering of states.

That needs one such sequence in a state, of plain values, beside terms of constructors and constants
only; and rules that put into it what they found, or constants, and use spliced parts for nothing
else but their lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, pairwise, starmap
from math import comb
from typing import Any

from attrs import evolve, field, frozen

from rewrite.language.conditions import Condition, Holds
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Call, Splice, Variable, Wildcard
from rewrite.language.nesting import PLAIN
from rewrite.language.patterns import binders, mentioned
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import Term, term
from rewrite.search.question import Question
from rewrite.search.tuples import NoTwin, Twins, patterns_of

MOST_PLACES, MOST_DIVISIONS, MOST_RULES = 64, 2_000, 300
"""Bounds on the length of the sequence; on the ways in which the patterns of all rules may divide
it, which are tried one by one; and on the rules that come of it, each of which takes about a
millisecond to compile."""


@term
class Place:
    place: int
    item: object


def places_of(asked: Question) -> int:
    """Return the length of the only sequence in the states of a search; 0 if it stays as it is."""
    puzzle, items = asked.puzzle, asked.start.items
    sequences = _sequences(items)
    others = (*puzzle.facts.items, *[one for one in items if not isinstance(one, tuple)])
    if len(sequences) != 1 or not all(isinstance(one, (*PLAIN, Term)) for one in others):
        return 0
    plain = _is_plain(sequences[0]) and len(sequences[0]) <= MOST_PLACES
    return len(sequences[0]) if plain and not (puzzle.simplify or puzzle.symmetry) else 0


def _is_plain(sequence: tuple[Any, ...]) -> bool:
    return {*PLAIN}.issuperset(map(type, sequence))


@frozen
class Places(Twins):
    """From a sequence to terms for its places.

    length   its length
    parts    while a rule is translated: what stands for the items of each spliced part
    """

    length: int = 0
    parts: Mapping[Any, tuple[Variable, ...]] = field(factory=dict, eq=False)

    def changes(self, part: Any) -> bool:
        return super().changes(part) or self._length_of(part) is not None

    def _length_of(self, part: Any) -> int | None:
        known = isinstance(part, Call) and part.op == "length" and part.args[0] in self.parts
        return len(self.parts[part.args[0]]) if known else None

    def inner(self, given: Any) -> Any:
        known = self._length_of(given)
        return super().inner(given) if known is None else known

    def terms(self, given: Iterable[Any]) -> tuple[Any, ...]:
        """Return what stands for terms or patterns that must all match. Raises NoTwin."""
        made: list[Any] = []
        for one in given:
            if not isinstance(one, tuple):
                made.append(self.inner(one))
            elif len(one) == self.length and all(map(_is_item, one)):
                made += starmap(Place, enumerate(one))
            else:
                raise NoTwin
        return tuple(made)

    def absent(self, given: Iterable[Any]) -> tuple[Any, ...]:
        """Raises NoTwin where a sequence is among them: it may differ at any place."""
        if _sequences(given):
            raise NoTwin
        return self.terms(given)

    def state(self, given: State) -> State:
        """Return a state of the twin; what is no such sequence stays, and is in no state of it."""
        terms: list[Any] = []
        for one in given.items:
            fits = isinstance(one, tuple) and len(one) == self.length and _is_plain(one)
            terms += starmap(Place, enumerate(one)) if fits else [one]
        return State.of(terms)

    def puzzle(self, given: Puzzle) -> Puzzle:
        """Return the twin of a puzzle, without start, goal and view. Raises NoTwin."""
        self.check((*given.rules, *given.never))
        patterns = [one for rule in given.rules for one in _sequences((*rule.take, *rule.keep))]
        if sum(map(self._ways, patterns)) > MOST_DIVISIONS:
            raise NoTwin
        made = super().puzzle(given)
        if len(made.rules) > MOST_RULES:
            raise NoTwin
        return made

    def check(self, given: Iterable[Any]) -> None:
        """Raises NoTwin if a pattern may match the sequence as a whole."""
        if not all(isinstance(one, (*PLAIN, tuple, Term)) for one in patterns_of(given)):
            raise NoTwin

    def rules(self, given: Rule) -> list[Rule]:
        """Return a rule for each way in which its pattern divides the sequence. Raises NoTwin."""
        taken, kept, put = [_sequences(terms) for terms in (given.take, given.keep, given.put)]
        if given.effects or len(taken) != len(put) or len(taken) + len(kept) > 1:
            raise NoTwin
        if not taken and not kept:
            return [self.rule(given)]
        (pattern,) = (*taken, *kept)
        spliced = [one.inner for one in pattern if isinstance(one, Splice)]
        names = [one for one in spliced if isinstance(one, Variable)]
        if len({*names}) < len(spliced):
            raise NoTwin
        every = [
            tuple([Variable(f"{one.name}[{at}]", "term") for at in range(self.length)])
            for one in names  # no variable of an author has such a name
        ]
        ways = list[tuple[Places, tuple[Condition, ...]]]()
        for sizes in self._divisions(pattern):
            cut = [part[:size] for part, size in zip(every, sizes, strict=True)]
            own = evolve(self, parts=dict(zip(names, cut, strict=True)))
            if (when := _undecided(own.each(given.when))) is not None:
                ways.append((own, when))
        if not 0 < len(ways) <= MOST_RULES:
            raise NoTwin
        return [own._divided(given, when, pattern, put) for own, when in ways]

    def _ways(self, pattern: tuple[Any, ...]) -> int:
        """Return in how many ways a pattern may divide the sequence, at most."""
        bars, free = self._free(pattern)
        return comb(free + bars, bars) if free >= 0 else 0

    def _free(self, pattern: tuple[Any, ...]) -> tuple[int, int]:
        """Return the number of borders between spliced parts, and of the items in these."""
        parts = sum(isinstance(one, Splice) for one in pattern)
        return max(parts - 1, 0), self.length - (len(pattern) - parts)

    def _divisions(self, pattern: tuple[Any, ...]) -> Iterator[list[int]]:
        """Yield the sizes of the spliced parts, in each way in which a pattern may match."""
        parts = sum(isinstance(one, Splice) for one in pattern)
        bars, free = self._free(pattern)
        if free < 0 or (free and not parts):
            return
        for chosen in combinations(range(free + bars), bars):
            ends = (-1, *chosen, free + bars)
            yield [end - begin - 1 for begin, end in pairwise(ends)][:parts]

    def _divided(
        self,
        given: Rule,
        when: tuple[Condition, ...],
        pattern: tuple[Any, ...],
        put: Sequence[tuple[Any, ...]],
    ) -> Rule:
        """Return a rule whose pattern has these items in the places of spliced parts."""
        spliced = {id(one) for items in self.parts.values() for one in items}
        before = self._spelled(pattern)
        if not all(map(_is_item, before)):
            raise NoTwin
        take, keep, cells = list[Place](), list[Place](), list[Place]()
        if put:
            after = self._spelled(put[0])
            bound, uses = binders((*given.take, *given.keep)), Counter(map(id, after))
            known = all(type(one) in PLAIN or id(one) in spliced or one in bound for one in after)
            if len(after) != self.length or not known:
                raise NoTwin
            for place, (old, new) in enumerate(zip(before, after, strict=True)):
                if old is not new or id(old) not in spliced or uses[id(old)] > 1:
                    take.append(Place(place, old))
                    cells.append(Place(place, new))
            if not take:  # the rule takes the sequence, and puts the same
                take, cells = [Place(0, before[0])], [Place(0, after[0])]
        else:
            keep = [Place(at, one) for at, one in enumerate(before) if id(one) not in spliced]
        content: dict[str, Any] = {
            "take": (*take, *self.others(given.take)), "put": (*cells, *self.others(given.put)),
            "keep": (*keep, *self.others(given.keep)), "absent": self.absent(given.absent),
            "let": tuple(map(self.each, given.let)), "cost": self.inner(given.cost), "when": when,
        }  # fmt: skip
        if not self.parts.keys().isdisjoint(mentioned(tuple(content.values()))):
            raise NoTwin
        return evolve(given, label=given.name, literal=True, **content)

    def others(self, given: Iterable[Any]) -> tuple[Any, ...]:
        return self.terms([one for one in given if not isinstance(one, tuple)])

    def _spelled(self, pattern: tuple[Any, ...]) -> list[Any]:
        """Return the items of a pattern, those of spliced parts one by one. Raises NoTwin."""
        made = list[Any]()
        for one in pattern:
            if isinstance(one, Splice) and one.inner not in self.parts:
                raise NoTwin
            made += self.parts[one.inner] if isinstance(one, Splice) else [one]
        return made


ITEMS = (*PLAIN, Variable, Wildcard)


def _sequences(terms: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [one for one in terms if isinstance(one, tuple)]


def _is_item(given: Any) -> bool:
    return type(given) in ITEMS


def _undecided(given: Iterable[Condition]) -> tuple[Condition, ...] | None:
    """Return the conditions without those that always hold; None if one of them never holds."""
    left = list[Condition]()
    for one in given:
        value = None
        if isinstance(one, Holds) and not mentioned(one.expression):
            with suppress(NoValue, Failed):
                value = evaluate(one.expression, {})
        if value is False:
            return None
        left += [one] * (value is not True)
    return tuple(left)

"""Ground instances of a rule or condition: its keys, atoms and facts filled in when compiling.

A rule becomes a query (`joins`) that looks for a term for each key, atom and fact it needs; each
answer gives its ground variables values. Variables that only stand in values are left open (a
planner calls this partial grounding), so rotating six cells is one instance, not nine to the sixth.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import lru_cache
from typing import Any

from rewrite.budget import ticking
from rewrite.compile.interning import Ctor, encode, levels_of, ordered, term_type_of
from rewrite.compile.slots.effort import COMPILE_WORK, GROWS, RUN_WORK, Effort
from rewrite.compile.slots.joins import Join, Known, Sink
from rewrite.compile.slots.keys import (
    Family,
    Findings,
    Unsuitable,
    all_rules,
    classes_of,
    identity_of,
    row_of,
    sequences_stay,
)
from rewrite.compile.slots.prepared import FILL, OPEN, GroundRule, Inner, Instance, prepare
from rewrite.language.evaluation import Failed
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import Term


def matching(pattern: Any, value: Any, known: Known) -> list[Any]:
    """Return the known terms that an absent pattern matches, once it has been filled in."""
    if not isinstance(pattern, Term):
        return [value[0]] if known.has(value[0]) else []
    pool = known.pool(Ctor.of(type(pattern)))
    closed = tuple([at + 1 for at, part in enumerate(value) if part != OPEN and len(part) == 1])
    wanted = [value[at - 1][0] for at in closed]
    found = pool.by(closed).get(wanted[0] if len(wanted) == 1 else tuple(wanted), ())
    kinds = [(at + 1, part[1]) for at, part in enumerate(value) if len(part) == 2]
    return [one for one in found if all(term_type_of(one[at]) == kind for at, kind in kinds)]


class Grounder:
    """Finds all instances of rules, and all atoms that can occur, to a fixed point.

    known   every term that can occur, and the facts: all that a query can find
    """

    def __init__(self, puzzle: Puzzle, found: Findings, start: State) -> None:
        self.found, self.effort = found, Effort()
        rules = all_rules(puzzle)
        self.moving = {identity_of(p) for rule in rules for p in (*rule.take, *rule.put)}
        keys = [_key_term(one, found) for one in start if found.family(one) is not None]
        self.facts = State.of([*puzzle.facts, *found.static, *keys])
        rows = map(row_of, self.facts.items) if sequences_stay(self.moving) else self.facts.items
        self.known = Known(map(encode, rows))
        moving = [t for t in start if found.family(t) is None and identity_of(t) in self.moving]
        self.start = [*dict.fromkeys(map(encode, moving))]
        self.rules = list(_prepared(rules, classes_of(rules), frozenset(found.families.items())))
        self.answers: dict[Any, Any] = {}
        """What conditions inside rules match, which many rules ask: see `asked`."""
        self.growing = frozenset[Any]().union(*[rule.puts_types for rule in self.rules])

    def atoms_and_instances(self) -> tuple[list[Any], list[list[Instance]]]:
        """Return all atoms, encoded, and the instances of each rule, in canonical order."""
        known, effort = self.known, self.effort
        atoms, fresh = dict.fromkeys(self.start), list[Any]()
        known.add_new(Known(self.start))
        sink = Sink(Instance, atoms, fresh, effort.spend)
        searches = [_Instances(rule, known, self.growing, sink, effort) for rule in self.rules]
        if any(rule.makes for rule in self.rules):
            every = [value for pool in known.pools.values() for value in pool.numbers]
            written = [one for search in searches for one in search.join.constants]
            effort.begin(every, [one for one in written if one.__class__ in (int, str, tuple)])
        interested: dict[Any, list[_Instances]] = {}
        for search in searches:
            search.run()
            for term_type in dict.fromkeys(one for one, _ in search.join.shape.patterns):
                interested.setdefault(term_type, []).append(search)
        while fresh:
            new = ordered(fresh)
            fresh.clear()
            effort.round(new)
            only = Known(new)
            known.add_new(only)
            for search in dict.fromkeys(
                one for some in only.pools for one in interested.get(some, ())
            ):
                search.more(only)
        return list(atoms), [search.found() for search in searches]

    def instances_of(self, rule: Rule) -> tuple[GroundRule, list[Instance]]:
        """Return the instances of a rule that stands for a condition. Raises Unsuitable."""
        prepared = prepare(rule, self.found, self.moving)
        return prepared, self.instances(prepared, self.known)

    def matches(
        self, inner: Inner, asked: Iterable[tuple[Any, ...]]
    ) -> dict[tuple[Any, ...], list[Instance]]:
        """Return what a condition inside a rule matches, for each way in which it is asked."""
        found: dict[tuple[Any, ...], list[Instance]] = {one: [] for one in asked}
        places = {variable: at for at, variable in enumerate(inner.rule.ground)}
        first = inner.rule.rule.keep[0]
        own = [places[variable] for variable in first.term_arguments()]
        known = self.known.beside(Known([(Ctor.of(type(first)), *one) for one in found]))
        for instance in self.instances(inner.rule, known):
            found[tuple([instance.ground[at] for at in own])].append(instance)
        return found

    def instances(self, prepared: GroundRule, known: Known) -> list[Instance]:
        """Return the instances of a rule or condition among known terms. Raises Unsuitable."""
        effort = copy(self.effort)  # others that share the program may ask meanwhile
        effort.renew()
        sink = Sink(Instance, {}, [], effort.spend)
        search = _Instances(prepared, known, self.growing, sink, effort)
        search.run()
        return search.found()


@lru_cache(maxsize=256)
def _prepared(
    rules: tuple[Rule, ...], classes: frozenset[type[Term]],
    families: frozenset[tuple[Any, Family]],
) -> tuple[GroundRule, ...]:  # fmt: skip
    """Return the rules prepared for families; equal rules share that, whatever the start."""
    moving = {identity_of(p) for rule in rules for p in (*rule.take, *rule.put)}
    found, inner = Findings(dict(families), ()), dict[Any, Inner]()
    return tuple([prepare(rule, found, moving, inner) for rule in rules])


class _Instances:
    def __init__(
        self, prepared: GroundRule, known: Known, growing: frozenset[Any], sink: Sink,
        effort: Effort,
    ) -> None:  # fmt: skip
        self.prepared, self.effort = prepared, effort
        puts = tuple(prepared.at("put", "atom"))
        deep = self._deep if prepared.deepens else None
        self.last = self.spent = 0
        """Work of the last run, and of all those that looked through everything again."""
        self.join = Join(prepared.query, prepared.shown, puts, known, growing, sink, deep)

    def _deep(self, put: tuple[Any, ...]) -> None:
        for place, value in zip(self.prepared.places["put"], put, strict=True):
            if levels_of(value) > MOST_LEVELS + (place == "slot"):  # its values, in two tuples
                raise Unsuitable(GROWS)

    def run(self, seed: int | None = None, new: Known | None = None) -> None:
        """Find the instances in all that is known, or those in which a pattern has a new term."""
        before = self.effort.done
        try:
            self.effort.left = self.join.run(self.effort.left, seed, new)
        except Failed as failure:
            raise Unsuitable.before(failure) from failure
        self.last = self.effort.done - before + RUN_WORK

    def more(self, new: Known) -> None:
        """Find the instances with new terms. As long as that takes less time than compiling what
        looks for these alone, all that is known is looked through again.
        """
        seeds = [at for at, (one, _) in enumerate(self.join.shape.patterns) if one in new.pools]
        if self.spent + self.last <= COMPILE_WORK * len(seeds):
            self.run()
            self.spent += self.last
            return
        self.spent = COMPILE_WORK * len(seeds)
        for at in seeds:
            self.run(at, new)

    def found(self) -> list[Instance]:
        made = self.join.seen
        return [one for ground in ticking(ordered(made)) if (one := made[ground]) is not None]


def _key_term(pattern: Any, found: Findings) -> Any:
    """Return the term that stands for the slot of a term: its values are left out."""
    family = found.family(pattern)
    assert family is not None
    arguments = list(pattern.term_arguments())
    for index in family.value:
        arguments[index] = FILL
    return type(pattern).of_parts(arguments)

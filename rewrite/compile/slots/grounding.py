"""Ground instances of a rule or condition: its keys, atoms and facts filled in when compiling.

A rule becomes a query (`joins`) that looks for a term for each key, atom and fact it needs; each
answer gives its ground variables values. Variables that only stand in values are left open (a
planner calls this partial grounding), so rotating six cells is one instance, not nine to the sixth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

from attrs import field, frozen

from rewrite.budget import tick
from rewrite.compile.interning import Ctor, encode, levels_of, ordered, term_type_of
from rewrite.compile.rule_properties import deepens, sees_state
from rewrite.compile.slots.joins import Join, Known, Query
from rewrite.compile.slots.keys import (
    Family,
    Findings,
    Unsuitable,
    all_rules,
    classes_of,
    ground_variables,
    identity_of,
    misplaced,
    ranges,
)
from rewrite.language.bag import Bag
from rewrite.language.conditions import Both, Condition, Contains, Either, Holds, Lacks, Not
from rewrite.language.evaluation import Failed, NoValue
from rewrite.language.expressions import ANY, Splice, Variable, Wildcard
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.patterns import binders, contains_wildcard, mentioned, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, keeping
from rewrite.language.states import State
from rewrite.language.terms import Term, is_ground, term

FILL = 0
OPEN = "?"
FEWER_INSTANCES = (
    "have rules make fewer different terms: bound numbers in when=, move one thing a rule, and "
    "keep apart in facts what never changes"
)
MOST_ATOMS, MOST_INSTANCES = 4_000, 20_000
MOST_ROUNDS = 150
"""Rounds of the fixed point: more, and a multiset is cheaper."""
MOST_TURNS = 1_000_000
"""Terms that are tried over all rounds, most of which lead to no instance: about a second."""
GROWN_ROUNDS, GROWN_WORK, GROWN_TURNS = 2, 1_000, 20_000
"""Stop grounding soon after terms grew in that many rounds in a row: the space is then infinite in
this direction. The other two are the instances and turns that are still allowed, some 20 ms."""
GROWS = "its terms grow without end"
LARGEST = 256
"""Parts of a term, at least: one that is larger, and four times as large as those of the start, is
not one of finitely many. A term that puts itself twice doubles in every round."""
PARTS = ("take", "keep", "put", "absent")


class Instance(NamedTuple):
    """What a ground rule found, all encoded: a value for each of its ground variables, and each
    pattern filled in, by its place:

    slot   (key, values), where OPEN stands for a value that is not known
    atom   the term; of one that must be absent, its arguments (see `fits`)
    fact   FILL
    """

    ground: tuple[Any, ...]
    take: tuple[Any, ...]
    keep: tuple[Any, ...]
    put: tuple[Any, ...]
    absent: tuple[Any, ...]


@frozen(eq=False)
class GroundRule:
    """A rule whose ground variables are known once its query is answered.

    ground   these variables, in order of occurrence
    places   for each part of the rule, for each pattern in it: 'slot', 'atom' or 'fact'
    shown    for each part: templates of what an Instance holds
    asked    what the rule asks of the rest of the state: conditions of `when`, and what must be
             absent from several slots
    inner    for each `Contains` and `Lacks` in `asked`, by id, the query for its matches
    """

    rule: Rule
    ground: tuple[Variable, ...]
    query: Query
    places: dict[str, tuple[str, ...]]
    shown: tuple[tuple[Any, ...], ...]
    asked: tuple[Condition, ...] = ()
    inner: dict[int, Inner] = field(factory=dict)
    known: frozenset[Variable] = field(init=False)

    @known.default
    def _known(self) -> frozenset[Variable]:
        return frozenset(self.ground)

    def of(self, part: str) -> Sequence[str]:
        return self.places[part]

    def knows(self, value: Any) -> bool:
        return mentioned(value).keys() <= self.known and not contains_wildcard(value)


@frozen(eq=False)
class Inner:
    """A condition inside a rule, as a rule that keeps what it matches.

    given   the places in `GroundRule.ground` of the values that it is given: they are the arguments
            of a fact that its first pattern keeps
    """

    given: tuple[int, ...]
    rule: GroundRule
    ctor: type[Term]

    def facts(self, values: Iterable[tuple[Any, ...]]) -> Known:
        """Return the facts for ways in which it is asked."""
        return Known([(Ctor.of(self.ctor), *one) for one in values])


@lru_cache(maxsize=64)
def _given(size: int) -> type[Term]:
    """Return the constructor of what a condition is given from outside."""
    names = {f"value{number}": object for number in range(size)}
    return term(type("Given", (), {"__annotations__": names, "__module__": __name__}))


def _inner(given: Any, outer: tuple[Variable, ...], found: Findings, moving: set[Any]) -> Inner:
    within = mentioned(given)
    shared = {at: variable for at, variable in enumerate(outer) if variable in within}
    ctor = _given(len(shared))
    rule = keeping(given, 1, ctor(*shared.values()))
    return Inner(tuple(shared), prepare(rule, found, moving), ctor)


def _leaves(given: Any) -> Iterator[Any]:
    """Yield the conditions on patterns of which a condition is built."""
    match given:
        case Contains() | Lacks():
            yield given
        case Both(left=left, right=right) | Either(left=left, right=right):
            yield from _leaves(left)
            yield from _leaves(right)
        case Not(inner=inner):
            yield from _leaves(inner)


def _named(pattern: Any, counter: Iterator[int]) -> Any:
    """Return the pattern with a fresh variable for every ANY, so that it can be filled in."""
    if isinstance(pattern, Wildcard):
        return Variable(f"any{next(counter)}", "term")
    if not contains_wildcard(pattern):
        return pattern
    if isinstance(pattern, Splice):
        return Splice(_named(pattern.inner, counter))
    if isinstance(pattern, tuple):
        return tuple(_named(part, counter) for part in pattern)
    if isinstance(pattern, Term) and contains_wildcard(pattern):
        return type(pattern).of_parts([_named(part, counter) for part in pattern.term_arguments()])
    if isinstance(pattern, Bag) and contains_wildcard(pattern):
        raise Unsuitable(
            f"{pattern!r} contains ANY in a nested bag", "write a variable instead of ANY",
            pattern=pattern,
        )  # fmt: skip
    return pattern


def prepare(rule: Rule, found: Findings, moving: set[Any]) -> GroundRule:
    """Return the rule with the query for its instances. Raises Unsuitable."""
    for pattern in rule.keep:
        if not isinstance(pattern, Term) and not is_ground(pattern):
            raise Unsuitable(f"{pattern!r} has no key", rule=rule.name, pattern=pattern)
    if misplaced(rule, found):
        raise Unsuitable(
            f"{rule.label!r} needs a value of a slot where a key stands", rule=rule.name
        )
    counter = iter(range(1_000_000))
    ground = ground_variables(rule, found)
    places: dict[str, list[str]] = {part: [] for part in PARTS}
    shown: dict[str, list[Any]] = {part: [] for part in PARTS}
    keeps: list[Any] = []

    def known(value: Any) -> bool:
        return mentioned(value).keys() <= ground and not contains_wildcard(value)

    def template(values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Value arguments: themselves where they are known when compiling, else open."""
        return tuple([value if known(value) else OPEN for value in values])

    for part in ("take", "keep"):
        for pattern in getattr(rule, part):
            family = found.family(pattern)
            if family is not None:
                arguments = list(pattern.term_arguments())
                keys = [_named(arguments[at], counter) for at in family.key]
                for at, key in zip(family.key, keys, strict=True):
                    arguments[at] = key
                for at in family.value:
                    arguments[at] = ANY
                keeps.append(type(pattern).of_parts(arguments))
                shown[part].append((tuple(keys), template(family.values_of(pattern))))
                places[part].append("slot")
                continue
            named = _named(pattern, counter)
            keeps.append(named)
            is_atom = identity_of(pattern) in moving
            shown[part].append(named if is_atom else FILL)
            places[part].append("atom" if is_atom else "fact")
    asked = [one for one in rule.when if sees_state(one)]
    for part in ("put", "absent"):
        for pattern in getattr(rule, part):
            family = found.family(pattern)
            if part == "absent" and family is not None and ranges(pattern, rule, found):
                asked.append(Lacks((pattern,), [], []))
                shown[part].append(FILL)
                places[part].append("asked")
                continue
            if family is not None:
                keys_ = family.keys_of(pattern)
                if not known(keys_):
                    raise Unsuitable(
                        f"rule {rule.name!r}: {pattern!r} has a key that nothing else binds",
                        "bind the key by take=, keep= or a fact",
                        rule=rule.name, pattern=pattern,
                    )  # fmt: skip
                shown[part].append((keys_, template(family.values_of(pattern))))
                places[part].append("slot")
                continue
            shown[part].append(
                pattern if part == "put" else _local(pattern, set(rule.bound), ground)
            )
            places[part].append("atom")
    # variables made for ANY are listed too: matches of different facts are different instances
    anys = {v: None for keep in keeps for v in binders(keep) if v not in rule.bound}
    order = (*[variable for variable in rule.bound if variable in ground], *anys)
    guards = [
        one.expression
        for one in rule.when
        if isinstance(one, Holds) and not sees_state(one)
        if mentioned(one.expression).keys() <= ground
    ]
    lets = [(k, v) for k, v in rule.let if {*variables(v), *binders(k)} <= ground]
    query = Query(tuple(keeps), tuple(lets), tuple(guards), order)
    leaves = [leaf for one in asked for leaf in _leaves(one)]
    return GroundRule(
        rule, order, query, {part: tuple(held) for part, held in places.items()},
        tuple([tuple(shown[part]) for part in PARTS]), tuple(asked),
        {id(leaf): _inner(leaf, order, found, moving) for leaf in leaves},
    )  # fmt: skip


def _local(pattern: Any, bound: set[Variable], ground: set[Variable]) -> Any:
    """Return an absent pattern as (pattern's arguments, local ones open)."""
    if not isinstance(pattern, Term):
        if not mentioned(pattern).keys() <= ground or contains_wildcard(pattern):
            raise Unsuitable(f"absent={pattern!r} stands for any term", pattern=pattern)
        return (pattern,)
    out: list[Any] = []
    seen: set[Variable] = set()
    for argument in pattern.term_arguments():
        local = mentioned(argument).keys() - bound
        bare = isinstance(argument, Variable) and argument.kind == "term"
        if isinstance(argument, Wildcard):
            out.append(OPEN)
        elif not local and not contains_wildcard(argument):
            out.append((argument,))
        elif isinstance(argument, Variable) and argument not in seen and not argument.constructors:
            seen.add(argument)
            out.append(OPEN if bare else (OPEN, argument.kind))
        else:
            raise Unsuitable(
                f"absent={pattern!r} contains another pattern",
                "write variables or ANY for the arguments of what must be absent",
                pattern=pattern,
            )
    return tuple(out)


def matching(pattern: Any, value: Any, known: Known) -> list[Any]:
    """Return the known terms that an absent pattern matches, once it has been filled in."""
    if not isinstance(pattern, Term):
        return [value[0]] if known.has(value[0]) else []
    pool = known.pool(Ctor.of(type(pattern)))
    closed = tuple([at + 1 for at, part in enumerate(value) if part != OPEN and len(part) == 1])
    found = pool.by(closed).get(tuple([value[at - 1][0] for at in closed]), ())
    kinds = [(at + 1, part[1]) for at, part in enumerate(value) if len(part) == 2]
    return [one for one in found if all(term_type_of(one[at]) == kind for at, kind in kinds)]


class _Effort:
    """What joins may still cost: they count what they do while they do it."""

    def __init__(self) -> None:
        self.largest = self.grown = 0
        self.most = LARGEST
        self.renew()

    def renew(self) -> None:
        """Allow as much as for a puzzle: the rules have it together, and each condition."""
        self.turns, self.work = MOST_TURNS, MOST_INSTANCES

    def turn(self) -> None:
        """Count a term that is tried. Raises Unsuitable where no more may be."""
        tick()
        self.turns -= 1
        if self.turns < 0:
            self._end()

    def match(self) -> None:
        """Count an instance. Raises Unsuitable where there may be no more."""
        tick()
        self.work -= 1
        if self.work < 0:
            self._end()

    def _end(self) -> None:
        if self.grown >= GROWN_ROUNDS:
            raise Unsuitable(GROWS)
        raise Unsuitable("its rules have too many ground instances", FEWER_INSTANCES)

    def begin(self, atoms: Iterable[Any]) -> None:
        """Note how large the terms of the start are."""
        self.largest = max(map(_parts, atoms), default=0)
        self.most = max(LARGEST, 4 * self.largest)

    def round(self, fresh: Sequence[Any]) -> None:
        """Note the terms that are new in a round. Raises Unsuitable for one that is too large."""
        largest = max(map(_parts, fresh), default=0)
        self.grown = self.grown + 1 if largest > self.largest else 0
        self.largest = max(self.largest, largest)
        if self.largest > self.most:
            raise Unsuitable(GROWS)
        if self.grown >= GROWN_ROUNDS:
            self.turns, self.work = min(self.turns, GROWN_TURNS), min(self.work, GROWN_WORK)


def _parts(value: Any) -> int:
    """Return how large an encoded term is: parts, letters, and one more for a factor of 16."""
    found, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        if part.__class__ is tuple:
            found += 1
            waiting += part
        elif part.__class__ is str:
            found += len(part)
        else:
            found += 1 + (part.bit_length() >> 2 if part.__class__ is int else 0)
    return found


class Grounder:
    """Finds all instances of rules, and all atoms that can occur, to a fixed point.

    known   every term that can occur, and the facts: all that a query can find
    """

    def __init__(self, puzzle: Puzzle, found: Findings, start: State) -> None:
        self.found, self.effort = found, _Effort()
        rules = all_rules(puzzle)
        self.moving = {identity_of(p) for rule in rules for p in (*rule.take, *rule.put)}
        keys = [_key_term(one, found) for one in start if found.family(one) is not None]
        self.facts = State.of([*puzzle.facts, *found.static, *keys])
        self.known = Known(map(encode, self.facts.items))
        moving = [t for t in start if found.family(t) is None and identity_of(t) in self.moving]
        self.start = [*dict.fromkeys(map(encode, moving))]
        self.rules = list(_prepared(rules, classes_of(rules), frozenset(found.families.items())))

    def atoms_and_instances(self) -> tuple[list[Any], list[list[Instance]]]:
        """Return the atoms that can occur (encoded) and the instances of each rule, in canonical
        order.
        """
        searches = [_Instances(rule, self.known, self.effort) for rule in self.rules]
        self.effort.begin(self.start)
        atoms, fresh = dict.fromkeys(self.start), self.start
        for number in range(MOST_ROUNDS):
            by_head: dict[Any, list[Any]] = {}
            for atom in fresh:
                self.known.add(atom)
                by_head.setdefault(term_type_of(atom), []).append(atom)
            size = len(atoms)
            for search in searches:
                places = search.prepared.of("put")
                for instance in search.more(by_head if number else None):
                    for place, value in zip(places, instance.put, strict=True):
                        if place == "atom":
                            atoms.setdefault(value)
            if len(atoms) == size:
                return list(atoms), [search.found() for search in searches]
            if len(atoms) > MOST_ATOMS:
                break
            fresh = list(atoms)[size:]
            self.effort.round(fresh)
        raise Unsuitable("its rules have too many ground instances", FEWER_INSTANCES)

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
        own = [places[variable] for variable in inner.rule.rule.keep[0].term_arguments()]
        known = self.known.beside(inner.facts(found))
        for instance in self.instances(inner.rule, known):
            found[tuple([instance.ground[at] for at in own])].append(instance)
        return found

    def instances(self, prepared: GroundRule, known: Known) -> list[Instance]:
        """Return the instances of a rule or condition among known terms. Raises Unsuitable."""
        effort = copy(self.effort)  # others that share the program may ask meanwhile
        effort.renew()
        search = _Instances(prepared, known, effort)
        search.more(None)
        return search.found()


@lru_cache(maxsize=256)
def _prepared(
    rules: tuple[Rule, ...], classes: frozenset[type[Term]],
    families: frozenset[tuple[Any, Family]],
) -> tuple[GroundRule, ...]:  # fmt: skip
    """Return the rules prepared for families; equal rules share that, whatever the start."""
    moving = {identity_of(p) for rule in rules for p in (*rule.take, *rule.put)}
    return tuple([prepare(rule, Findings(dict(families), ()), moving) for rule in rules])


class _Instances:
    """Collects the instances of one rule."""

    def __init__(self, prepared: GroundRule, known: Known, effort: _Effort) -> None:
        self.prepared, self.effort = prepared, effort
        self.by_ground: dict[tuple[Any, ...], Instance | None] = {}
        self.fresh: list[tuple[Any, ...]] = []
        self.join = Join(prepared.query, known, self._note, effort.turn)
        self.fill = [self.join.value(part) for part in prepared.shown]
        self.deepens = any(deepens(prepared.rule, pattern) for pattern in prepared.rule.put)

    def _note(self, ground: tuple[Any, ...]) -> None:
        if ground in self.by_ground:
            return
        try:
            instance = Instance(ground, *[get(self.join.registers) for get in self.fill])
        except NoValue:  # a rule of which a part has no value does not apply
            self.by_ground[ground] = None
            return
        if self.deepens:
            for place, value in zip(self.prepared.of("put"), instance.put, strict=True):
                if levels_of(value) > MOST_LEVELS + (place == "slot"):  # its values, in two tuples
                    raise Unsuitable(GROWS)
        self.effort.match()
        self.by_ground[ground] = instance
        self.fresh.append(ground)

    def more(self, fresh: dict[Any, list[Any]] | None) -> list[Instance]:
        """Return the instances that are new: in all that is known, or with one of these terms."""
        self.fresh.clear()
        try:
            if fresh is None:
                self.join.run()
            else:
                self.join.run_with(fresh)
        except Failed as failure:  # the search decides in which states it matters
            raise Unsuitable(f"what is ground beforehand fails: {failure}") from failure
        return self._sorted(self.fresh)

    def found(self) -> list[Instance]:
        return self._sorted([ground for ground, one in self.by_ground.items() if one is not None])

    def _sorted(self, grounds: list[tuple[Any, ...]]) -> list[Instance]:
        made = [self.by_ground[ground] for ground in ordered(grounds)]
        return [one for one in made if one is not None]


def _key_term(pattern: Any, found: Findings) -> Any:
    """Return the term that stands for the slot of a term: its values are left out."""
    family = found.family(pattern)
    assert family is not None
    arguments = list(pattern.term_arguments())
    for index in family.value:
        arguments[index] = FILL
    return type(pattern).of_parts(arguments)

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
from rewrite.compile.interning import Ctor, encode, items_of, levels_of, ordered, term_type_of
from rewrite.compile.rule_properties import deepens, sees_state
from rewrite.compile.slots.joins import Join, Known, Query, Sink
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
from rewrite.language.evaluation import Failed
from rewrite.language.expressions import ANY, Splice, Variable, Wildcard
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.patterns import binders, contains_wildcard, mentioned, parts, variables
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
MOST_WORK = 20_000_000
"""Terms tried, of which an instance costs ten: over a million instances, a GB, three seconds."""
BEYOND_WORK, MADE_WORK, GROWN_WORK = 900_000, 400_000, 20_000
"""The same where rules make values, see `_Effort`: about 110 ms, 80 and 5."""
RUN_WORK, COMPILE_WORK = 10, 5_000
"""What a run takes at least, and what compiling a function takes: half a millisecond."""
BATCH = 1_000
GROWN_ROUNDS, MOST_STEPS = 2, 256
GROWS = "its terms grow without end"
LARGEST = 256
"""Parts of a value, at least: one that is larger, and four times as large as those of the start,
is not one of finitely many. A term that puts itself twice doubles in every round."""
PARTS = ("take", "keep", "put", "absent")


class Instance(NamedTuple):
    """What a ground rule found, all encoded: a value for each of its ground variables, and each
    pattern filled in, by its place:

    slot   (key, values), where OPEN stands for a value that is not known
    atom   the term; of one that must be absent, its arguments (see `matching`)
    any    the arguments of the keys (see `matching`), and the values
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
    places   for each part of the rule, for each pattern in it: 'slot', 'atom' or 'fact'; of what
             must be absent, 'any' for all slots of some keys, 'asked' for what is in `asked`
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
    puts_types: frozenset[Any] = field(init=False)
    """Types of the atoms that it puts."""
    deepens: bool = field(init=False)
    makes: bool = field(init=False)
    """Whether it may put an atom with a value that it did not find."""

    @puts_types.default
    def _puts_types(self) -> frozenset[Any]:
        return frozenset([
            Ctor.of(type(pattern)) if isinstance(pattern, Term) else term_type_of(encode(pattern))
            for pattern, place in zip(self.rule.put, self.places["put"], strict=True)
            if place == "atom"
        ])  # fmt: skip

    @deepens.default
    def _deepens(self) -> bool:
        return any(deepens(self.rule, pattern) for pattern in self.rule.put)

    @makes.default
    def _makes(self) -> bool:
        atoms = [
            pattern for pattern, place in zip(self.rule.put, self.places["put"], strict=True)
            if place == "atom"
        ]  # fmt: skip
        return bool(self.query.lets) or any(
            not isinstance(part, Variable) and not is_ground(part)
            for pattern in atoms for part in parts(pattern)
        )  # fmt: skip

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


def _inner(
    given: Any, outer: tuple[Variable, ...], found: Findings, moving: set[Any],
    known: dict[Any, Inner],
) -> Inner:  # fmt: skip
    """Return a condition prepared; `known`: those of other rules, many of which ask the same."""
    within = mentioned(given)
    shared = {at: variable for at, variable in enumerate(outer) if variable in within}
    key = (given.term_key(), *[(at, variable.term_key()) for at, variable in shared.items()])
    if key not in known:
        ctor = _given(len(shared))
        rule = keeping(given, 1, ctor(*shared.values()))
        known[key] = Inner(tuple(shared), prepare(rule, found, moving, known), ctor)
    return known[key]


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
        return Variable(f"?{next(counter)}", "term")  # a name that nobody can write
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


def prepare(
    rule: Rule, found: Findings, moving: set[Any], inner: dict[Any, Inner] | None = None
) -> GroundRule:
    """Return the rule with the query for its instances. Raises Unsuitable.

    inner  conditions inside other rules that were prepared for the same families
    """
    inner = {} if inner is None else inner
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
                    arguments[at] = FILL
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
                in_any = known(family.values_of(pattern)) and _is_flat(pattern, family)
                shown[part].append(_in_any(pattern, family, ground) if in_any else FILL)
                places[part].append("any" if in_any else "asked")
                if not in_any:
                    asked.append(Lacks((pattern,), [], []))
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
        {id(leaf): _inner(leaf, order, found, moving, inner) for leaf in leaves},
    )  # fmt: skip


def _is_flat(pattern: Any, family: Family) -> bool:
    """Whether the keys of a pattern are ground, ANY, or one local variable each."""
    keys = family.keys_of(pattern)
    own = [key for key in keys if isinstance(key, Variable)]
    flat = all(isinstance(key, (Variable, Wildcard)) or is_ground(key) for key in keys)
    return flat and len({*own}) == len(own) and not any(key.constructors for key in own)


def _in_any(pattern: Any, family: Family, ground: set[Variable]) -> Any:
    """Return what must be absent from all slots of some keys: these (see `_local`), and values."""
    arguments = list(pattern.term_arguments())
    for at in family.value:
        arguments[at] = ANY
    keys = type(pattern).of_parts(arguments)
    return _local(keys, ground, ground), family.values_of(pattern)


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
    wanted = [value[at - 1][0] for at in closed]
    found = pool.by(closed).get(wanted[0] if len(wanted) == 1 else tuple(wanted), ())
    kinds = [(at + 1, part[1]) for at, part in enumerate(value) if len(part) == 2]
    return [one for one in found if all(term_type_of(one[at]) == kind for at, kind in kinds)]


class _Effort:
    """What joins may still cost: they report what they do while they do it.

    Where rules only move the values of start, facts and rules about (all of planning), there are
    finitely many terms, and the limits of the caller decide. A value that is not one of these was
    *made* by a rule, and may be one of infinitely many. So it counts what is made:

    * numbers within those of start, facts and rules are no reason to stop;
    * once there are numbers beyond, BEYOND_WORK is left; a number that grew in MOST_STEPS rounds,
      and in more than there are values in start, facts and rules, is a counter without end;
    * once there are sequences, texts, bags or terms, MADE_WORK is left;
    * once the largest value grew in GROWN_ROUNDS rounds in a row, GROWN_WORK.
    """

    def __init__(self) -> None:
        self.base: set[Any] | None = None
        self.largest = self.highest = 0
        self.grown = self.steps = 0
        self.limit = LARGEST
        self.renew()

    def renew(self) -> None:
        """Allow as much as for a puzzle: the rules have it together, and each condition."""
        self.work, self.most, self.left = 0, MOST_WORK, BATCH

    @property
    def done(self) -> int:
        return self.work + BATCH - self.left

    def spend(self, left: int) -> int:
        """Count what was done, and return how much may be until the next call. Raises Unsuitable
        where there may be no more.
        """
        work = BATCH - left
        tick(work // 10)
        self.work += work
        if self.work > self.most:
            self._end()
        return BATCH

    def _end(self) -> None:
        if self.grown >= GROWN_ROUNDS:
            raise Unsuitable(GROWS)
        raise Unsuitable("its rules have too many ground instances", FEWER_INSTANCES)

    def begin(self, terms: Iterable[Any], constants: Iterable[Any]) -> None:
        """Note the values that are there before any rule makes one."""
        parts, waiting = set[Any](), [*constants, *[part for one in terms for part in _items(one)]]
        while waiting:
            part = waiting.pop()
            if part not in parts:
                parts.add(part)
                waiting += items_of(part)
        self.base = parts
        self.largest = max(map(_parts, parts), default=0)
        self.highest = max([abs(part) for part in parts if part.__class__ is int], default=0)
        self.limit = max(LARGEST, 4 * self.largest)

    def round(self, fresh: Sequence[Any]) -> None:
        """Note the terms that are new in a round. Raises Unsuitable where there is no end."""
        if self.base is None:
            return
        made = [part for term in fresh for part in _items(term) if part not in self.base]
        largest = max(map(_parts, made), default=0)
        highest = max([abs(part) for part in made if part.__class__ is int], default=0)
        self.grown = self.grown + 1 if largest > self.largest else 0
        self.steps += highest > self.highest
        self.largest, self.highest = max(self.largest, largest), max(self.highest, highest)
        if self.largest > self.limit or self.steps > max(MOST_STEPS, len(self.base)):
            raise Unsuitable(GROWS)
        if self.steps:
            self.most = min(self.most, self.work + BEYOND_WORK)
        if any(part.__class__ is not int for part in made):
            self.most = min(self.most, self.work + MADE_WORK)
        if self.grown >= GROWN_ROUNDS:
            self.most = min(self.most, self.work + GROWN_WORK)


def _items(term: Any) -> tuple[Any, ...]:
    return items_of(term) if term.__class__ is tuple else (term,)


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
        self.answers: dict[Any, Any] = {}
        """What conditions inside rules match, which many rules ask: see `changes.RuleInstances`."""
        self.growing = frozenset[Any]().union(*[rule.puts_types for rule in self.rules])

    def atoms_and_instances(self) -> tuple[list[Any], list[list[Instance]]]:
        """Return the atoms that can occur (encoded) and the instances of each rule, in canonical
        order.
        """
        known, effort = self.known, self.effort
        atoms, fresh = dict.fromkeys(self.start), list[Any]()
        known.add_new(Known(self.start))
        sink = Sink(Instance, atoms, fresh, effort.spend)
        searches = [_Instances(rule, known, self.growing, sink, effort) for rule in self.rules]
        if any(rule.makes for rule in self.rules):
            every = [value for pool in known.pools.values() for value in pool.numbers]
            effort.begin(every, [one for search in searches for one in search.constants])
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
        own = [places[variable] for variable in inner.rule.rule.keep[0].term_arguments()]
        known = self.known.beside(inner.facts(found))
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
    """Collects the instances of one rule."""

    def __init__(
        self, prepared: GroundRule, known: Known, growing: frozenset[Any], sink: Sink,
        effort: _Effort,
    ) -> None:  # fmt: skip
        self.prepared, self.effort = prepared, effort
        puts = tuple([at for at, place in enumerate(prepared.of("put")) if place == "atom"])
        deep = self._deep if prepared.deepens else None
        self.last = self.spent = 0
        """Work of the last run, and of all those that looked through everything again."""
        self.join = Join(prepared.query, prepared.shown, puts, known, growing, sink, deep)

    @property
    def constants(self) -> list[Any]:
        """The constants of the rule, encoded."""
        return [one for one in self.join.constants if one.__class__ in (int, str, tuple)]

    def _deep(self, put: tuple[Any, ...]) -> None:
        for place, value in zip(self.prepared.of("put"), put, strict=True):
            if levels_of(value) > MOST_LEVELS + (place == "slot"):  # its values, in two tuples
                raise Unsuitable(GROWS)

    def run(self, seed: int | None = None, new: Known | None = None) -> None:
        """Find the instances in all that is known, or those in which a pattern has a new term."""
        before = self.effort.done
        try:
            self.effort.left = self.join.run(self.effort.left, seed, new)
        except Failed as failure:  # the search decides in which states it matters
            raise Unsuitable(f"what is ground beforehand fails: {failure}") from failure
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
        return [one for ground in ordered(made) if (one := made[ground]) is not None]


def _key_term(pattern: Any, found: Findings) -> Any:
    """Return the term that stands for the slot of a term: its values are left out."""
    family = found.family(pattern)
    assert family is not None
    arguments = list(pattern.term_arguments())
    for index in family.value:
        arguments[index] = FILL
    return type(pattern).of_parts(arguments)

"""Rules prepared for grounding: a query for their instances, and what an instance shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from attrs import evolve, frozen

from rewrite.compile.inlining import may_lack_value
from rewrite.compile.interning import constructor, type_of_pattern
from rewrite.compile.rule_properties import deepens, sees_state
from rewrite.compile.slots.joins import Query
from rewrite.compile.slots.keys import (
    Family,
    Findings,
    Unsuitable,
    ground_variables,
    identity_of,
    misplaced,
    ranges,
    row_of,
    sequences_stay,
)
from rewrite.language.bag import Bag
from rewrite.language.conditions import Both, Condition, Contains, Either, Holds, Lacks, Not
from rewrite.language.expressions import ANY, Expression, Splice, Variable, Wildcard
from rewrite.language.patterns import binders, contains_wildcard, mentioned, parts
from rewrite.language.rules import Rule, keeping
from rewrite.language.terms import Term, is_ground

FILL = 0
OPEN = "?"
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
    lets, guards   those that depend on what slots hold
    inner    for each `Contains` and `Lacks` in `asked`, by id, the query for its matches
    """

    rule: Rule
    ground: tuple[Variable, ...]
    query: Query
    places: dict[str, tuple[str, ...]]
    shown: tuple[tuple[Any, ...], ...]
    lets: tuple[tuple[Any, Any], ...]
    guards: tuple[Expression, ...]
    asked: tuple[Condition, ...]
    inner: dict[int, Inner]

    @cached_property
    def puts_types(self) -> frozenset[Any]:
        """Types of the atoms that it puts."""
        return frozenset(map(type_of_pattern, self.patterns("put", "atom")))

    @cached_property
    def deepens(self) -> bool:
        return any(deepens(self.rule, pattern) for pattern in self.rule.put)

    @cached_property
    def makes(self) -> bool:
        """Whether it may put an atom with a value that it did not find."""
        return bool(self.query.lets) or any(
            not isinstance(part, Variable) and not is_ground(part)
            for pattern in self.patterns("put", "atom") for part in parts(pattern)
        )  # fmt: skip

    @cached_property
    def known(self) -> frozenset[Variable]:
        return frozenset(self.ground)

    def at(self, part: str, kind: str) -> list[int]:
        """Return which patterns of a part are of a kind."""
        return [at for at, place in enumerate(self.places[part]) if place == kind]

    def patterns(self, part: str, kind: str = "slot") -> list[Any]:
        every = getattr(self.rule, part)
        return [every[at] for at in self.at(part, kind)]

    @property
    def reading(self) -> list[Any]:
        return [*self.patterns("take"), *self.patterns("keep")]

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


def _inner(
    given: Any, outer: tuple[Variable, ...], found: Findings, moving: set[Any],
    known: dict[Any, Inner],
) -> Inner:  # fmt: skip
    """Return a condition prepared; `known`: those of other rules, many of which ask the same."""
    within = mentioned(given)
    shared = {at: variable for at, variable in enumerate(outer) if variable in within}
    key = (given.term_key(), *[(at, variable.term_key()) for at, variable in shared.items()])
    if key not in known:
        ctor: Any = constructor("Given", len(shared))
        rule = keeping(given, 1, ctor(*shared.values()))
        known[key] = Inner(tuple(shared), prepare(rule, found, moving, known))
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


def _with_rows(rule: Rule) -> Rule:
    if not any(isinstance(pattern, tuple) for pattern in (*rule.keep, *rule.absent)):
        return rule
    keep, absent = (tuple(map(row_of, part)) for part in (rule.keep, rule.absent))
    return evolve(rule, keep=keep, absent=absent)


def prepare(
    rule: Rule, found: Findings, moving: set[Any], inner: dict[Any, Inner] | None = None
) -> GroundRule:
    """Return the rule with the query for its instances. Raises Unsuitable.

    inner  conditions inside other rules that were prepared for the same families
    """
    inner = {} if inner is None else inner
    if sequences_stay(moving):
        rule = _with_rows(rule)
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
            values = () if family is None else family.values_of(pattern)
            if part == "absent":
                lacking = known(values) and may_lack_value(pattern)  # then it matches nothing
                in_slots = family is not None and (known(values) or ranges(pattern, rule, found))
                if family and known(values) and not lacking and _is_flat(pattern, family):
                    shown[part].append(_in_any(pattern, family, ground))
                    places[part].append("any")
                    continue
                if lacking or in_slots:
                    shown[part].append(FILL)
                    places[part].append("asked")
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
                shown[part].append((keys_, template(values)))
                places[part].append("slot")
                continue
            shown[part].append(
                pattern if part == "put" else _local(pattern, set(rule.bound), ground)
            )
            places[part].append("atom")
    # variables made for ANY are listed too: matches of different facts are different instances
    anys = {v: None for keep in keeps for v in binders(keep) if v not in rule.bound}
    order = (*[variable for variable in rule.bound if variable in ground], *anys)
    plain = [one.expression for one in rule.when if isinstance(one, Holds) and not sees_state(one)]
    guards = [[one for one in plain if known(one) is there] for there in (True, False)]
    early, late = (
        [let for let in rule.let if (mentioned(let).keys() <= ground) is there]
        for there in (True, False)
    )
    lets = tuple([(_named(pattern, counter), value) for pattern, value in early])
    query = Query(tuple(keeps), lets, tuple(guards[0]), order)
    leaves = [leaf for one in asked for leaf in _leaves(one)]
    return GroundRule(
        rule, order, query, {part: tuple(held) for part, held in places.items()},
        tuple([tuple(shown[part]) for part in PARTS]), tuple(late), tuple(guards[1]),
        tuple(asked),
        {id(leaf): _inner(leaf, order, found, moving, inner) for leaf in leaves},
    )  # fmt: skip


def _is_flat(pattern: Any, family: Family) -> bool:
    """Whether the keys of a pattern are ground, ANY, or one local variable each."""
    keys = family.keys_of(pattern)
    own = [key for key in keys if isinstance(key, Variable)]
    flat = all(isinstance(key, (Variable, Wildcard)) or is_ground(key) for key in keys)
    return flat and len({*own}) == len(own) and not any(key.is_narrow for key in own)


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
        elif isinstance(argument, Variable) and argument not in seen and not argument.is_narrow:
            seen.add(argument)
            out.append(OPEN if bare else (OPEN, argument.kind))
        else:
            raise Unsuitable(
                f"absent={pattern!r} contains another pattern",
                "write variables or ANY for the arguments of what must be absent",
                pattern=pattern,
            )
    return tuple(out)

"""Ground instances of a rule or condition: its keys, atoms and facts filled in when compiling.

The join is done by an engine for multisets, which is handed in: the rule is turned into one that
keeps a term for each key, atom and fact and puts what it found as one `Instance` term. Variables
that only stand in values are left open (a planner calls this partial grounding), so rotating six
cells is one instance, not nine to the sixth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from attrs import frozen

from rewrite.budget import tick
from rewrite.compiler.interning import Ctor, decode, encode, head_of, key_of
from rewrite.compiler.slots.keys import (
    Findings,
    Unsuitable,
    ground_variables,
    is_plain_guard,
    misplaced,
)
from rewrite.errors import RuleError
from rewrite.language.bag import Bag
from rewrite.language.expressions import ANY, Splice, Variable, Wildcard
from rewrite.language.patterns import binders, contains_wildcard, mentioned, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import Term, is_ground, term

FILL = 0
OPEN = "?"
FEWER_INSTANCES = (
    "have rules make fewer different terms: bound numbers in when=, move one thing a rule, and "
    "keep apart in facts what never changes"
)
MOST_ATOMS, MOST_INSTANCES = 4_000, 20_000
MOST_ROUNDS, MOST_WORK = 150, 40_000
"""Rounds of the fixed point, and instances over all rounds: more, and a multiset is cheaper."""
MOST_TURNS = 4_000_000
"""Turns of loops over all rounds, most of which find no instance: about a second."""
GROWN_ROUNDS, GROWN_WORK, GROWN_TURNS = 2, 1_000, 20_000
"""Where the largest term grew in so many rounds running, there is no end to be expected, and each
round has many times the work of the one before: so many instances and turns are left, some 20 ms.
"""
GROWS = "its terms grow, without an end in sight"
LARGEST = 256
"""Parts of a term, at least: one that is larger, and four times as large as those of the start, is
not one of finitely many. A term that puts itself twice doubles in every round."""


@term
class Instance:
    """What a ground rule found: values of the ground variables, and each pattern filled in."""

    rule: int
    ground: tuple  # type: ignore[type-arg]
    take: tuple  # type: ignore[type-arg]
    keep: tuple  # type: ignore[type-arg]
    put: tuple  # type: ignore[type-arg]
    absent: tuple  # type: ignore[type-arg]


@frozen
class GroundRule:
    """A rule whose ground variables are known, as a rule that finds their values."""

    rule: Rule
    ground: tuple[Variable, ...]
    finder: Rule
    places: tuple[str, ...]
    """For take, keep, put, absent in this order: 'slot', 'atom' or 'fact'."""

    def of(self, part: str) -> Sequence[str]:
        """Return the places of one part."""
        at = 0
        for name in ("take", "keep", "put", "absent"):
            size = len(getattr(self.rule, name))
            if name == part:
                return self.places[at : at + size]
            at += size
        raise LookupError(part)

    def knows(self, value: Any) -> bool:
        """Return whether a value is known once the ground variables are."""
        return not contains_wildcard(value) and set(mentioned(value)) <= set(self.ground)


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
            f"{pattern!r} has ANY inside a nested bag", "write a variable instead of ANY",
            pattern=pattern,
        )  # fmt: skip
    return pattern


def prepare(rule: Rule, index: int, found: Findings, moving: set[Any]) -> GroundRule:
    """Return the rule with the finder of its instances; `index` marks what it finds."""
    for pattern in rule.keep:
        if not isinstance(pattern, Term) and not is_ground(pattern):
            raise Unsuitable(f"{pattern!r} has no key", rule=rule.name, pattern=pattern)
    if misplaced(rule, found):
        raise Unsuitable(
            f"{rule.label!r} needs a value of a slot where a key stands", rule=rule.name
        )
    counter = iter(range(1_000_000))
    ground = ground_variables(rule, found)
    places: list[str] = []
    keeps: list[Any] = []
    shown: dict[str, list[Any]] = {name: [] for name in ("take", "keep", "put", "absent")}

    def template(value: Any) -> Any:
        """A value argument: itself where it is known when compiling, else open."""
        return value if not contains_wildcard(value) and set(mentioned(value)) <= ground else OPEN

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
                values = tuple(template(value) for value in family.values_of(pattern))
                shown[part].append((tuple(keys), values))
                places.append("slot")
                continue
            named = _named(pattern, counter)
            keeps.append(named)
            is_atom = _head(pattern) in moving
            shown[part].append(named if is_atom else FILL)
            places.append("atom" if is_atom else "fact")
    for part in ("put", "absent"):
        for pattern in getattr(rule, part):
            family = found.family(pattern)
            if family is not None:
                keys_ = family.keys_of(pattern)
                if not set(mentioned(keys_)) <= ground or contains_wildcard(keys_):
                    raise Unsuitable(
                        f"rule {rule.name!r}: {pattern!r} has a key of its own",
                        "bind the key by take=, keep= or a fact",
                        rule=rule.name, pattern=pattern,
                    )  # fmt: skip
                values = tuple(template(value) for value in family.values_of(pattern))
                shown[part].append((keys_, values))
                places.append("slot")
            elif part == "put":
                shown[part].append(pattern)
                places.append("atom")
            else:
                shown[part].append(_local(pattern, set(rule.bound)))
                places.append("atom")
    # variables made for ANY are listed too: matches of different facts are different instances
    anys = {v: None for keep in keeps for v in binders(keep) if v not in rule.bound}
    order = (*[variable for variable in rule.bound if variable in ground], *anys)
    filled = [tuple(shown[name]) for name in ("take", "keep", "put", "absent")]
    guards = [
        one for one in rule.when
        if is_plain_guard(one) and set(mentioned(one.inner_parts())) <= ground
    ]  # fmt: skip
    finder = Rule(
        label="find", take=(), keep=tuple(keeps), absent=(), cost=1, name="find",
        put=(Instance(index, order, *filled),), when=tuple(guards),
        let=tuple((k, v) for k, v in rule.let if set(variables(v)) | set(binders(k)) <= ground),
    )  # fmt: skip
    return GroundRule(rule, order, finder, tuple(places))


def _head(pattern: Any) -> Any:
    return pattern.term_identity() if isinstance(pattern, Term) else ("", repr(pattern))


def _local(pattern: Any, bound: set[Variable]) -> Any:
    """Return an absent pattern as (pattern's arguments, local ones open)."""
    if not isinstance(pattern, Term):
        return (pattern,)
    out: list[Any] = []
    seen: set[Variable] = set()
    for argument in pattern.term_arguments():
        local = set(mentioned(argument)) - bound
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
                f"absent={pattern!r} has a pattern of its own inside",
                "write variables or ANY for the arguments of what must be absent",
                pattern=pattern,
            )
    return tuple(out)


def fits(pattern: Any, value: Any, candidate: Any) -> bool:
    """Whether an encoded term matches an absent pattern that has been filled in."""
    if not isinstance(pattern, Term):
        return bool(value[0] == candidate)
    if head_of(candidate) != Ctor.of(type(pattern)):
        return False
    for wanted, found in zip(value, candidate[1:], strict=True):
        if wanted == OPEN:
            continue
        if len(wanted) == 2:
            if head_of(found) != wanted[1]:
                return False
        elif wanted[0] != found:
            return False
    return True


INSTANCE = Ctor.of(cast(type[Term], Instance))
Watch = Callable[[bool], None]
Join = Callable[[Puzzle, State, tuple[Any, ...], Ctor, Watch], Callable[[State], list[Any]]]
"""Given rules that keep and put, a start, heads to expect, and what to call in every turn of a loop
(False) and for every match (True), returns a function from a state to the encoded terms with the
given head that the rules put."""


class _Effort:
    """What joins may still cost: they count what they do while they do it."""

    def __init__(self) -> None:
        self.largest = self.grown = 0
        self.most = LARGEST
        self.renew()

    def renew(self) -> None:
        """Allow as much as for a puzzle: the rules have it together, and each condition."""
        self.turns, self.work = MOST_TURNS, MOST_WORK

    def count(self, match: bool) -> None:
        """Count a turn of a loop, or a match. Raises Unsuitable where no more are left."""
        tick()
        if match:
            self.work -= 1
        else:
            self.turns -= 1
        if self.turns < 0 or self.work < 0:
            raise Unsuitable(
                GROWS if self.grown >= GROWN_ROUNDS else "its rules have too many ground instances"
            )

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
    """Finds all instances of rules, and all atoms that can come up, to a fixed point."""

    def __init__(self, puzzle: Puzzle, found: Findings, start: State, join: Join) -> None:
        self.puzzle, self.found, self.join = puzzle, found, join
        self.effort = _Effort()
        self.moving = {_head(p) for rule in puzzle.rules for p in (*rule.take, *rule.put)}
        keys = [_key_term(one, found) for one in start if found.family(one) is not None]
        self.facts = State.of([*puzzle.facts, *found.static, *keys])
        self.atoms = [t for t in start if found.family(t) is None and _head(t) in self.moving]
        self.rules = [
            prepare(rule, index, found, self.moving) for index, rule in enumerate(puzzle.rules)
        ]

    def _finder(self, rules: Sequence[GroundRule]) -> Callable[[list[Any]], list[list[Any]]]:
        """Return the function from atoms to the instances of each rule, in canonical order."""
        base = Puzzle(*[one.finder for one in rules], facts=self.facts, name=self.puzzle.name)
        heads = [
            Ctor.of(type(p))
            for rule in self.puzzle.rules for p in (*rule.take, *rule.put)
            if isinstance(p, Term) and self.found.family(p) is None
        ]  # fmt: skip
        find = self.join(base, State.of(self.atoms), tuple(heads), INSTANCE, self.effort.count)

        def instances(atoms: list[Any]) -> list[list[Any]]:
            lists: list[list[Any]] = [[] for _ in rules]
            for instance in sorted(dict.fromkeys(find(State.of(atoms))), key=key_of):
                lists[instance[1]].append(instance)
            return lists

        return instances

    def atoms_and_instances(self) -> tuple[list[Any], list[list[Any]]]:
        """Return the atoms that can come up (encoded) and the instances of each rule."""
        find = self._finder(self.rules)
        known = {encode(atom): atom for atom in self.atoms}  # encoded: True and 1 are two atoms
        effort = self.effort
        effort.begin(known)
        for _ in range(MOST_ROUNDS):
            found = find(list(known.values()))
            size = len(known)
            for rule, instances in zip(self.rules, found, strict=True):
                places = rule.of("put")
                for instance in instances:
                    for place, value in zip(places, instance[5], strict=True):
                        if place == "atom":
                            known.setdefault(value, decode(value))
            if len(known) == size and sum(map(len, found)) <= MOST_INSTANCES:
                return list(known.values()), found
            if len(known) > MOST_ATOMS:
                break
            effort.round(list(known)[size:])
        raise Unsuitable("its rules have too many ground instances", FEWER_INSTANCES)

    def instances_of(self, rule: Rule, atoms: list[Any]) -> tuple[GroundRule, list[Any]]:
        """Return the instances of a rule that stands for a condition. Raises Unsuitable."""
        try:
            prepared = prepare(rule, 0, self.found, self.moving)
        except RuleError as open_part:  # `absent=L` with a variable that nothing binds, or ANY
            raise Unsuitable(f"a condition with a part that stands for any term: {open_part}")  # noqa: B904
        if self._is_plain(prepared):
            return prepared, self._only_instance(prepared)
        self.effort.renew()
        return prepared, self._finder([prepared])(atoms)[0]

    def _is_plain(self, prepared: GroundRule) -> bool:
        """Whether a condition names slots and their values, and nothing has to be joined."""
        rule, facts = prepared.rule, {type(fact) for fact in self.puzzle.facts}
        return (
            not (rule.when or rule.let or rule.absent or prepared.ground)
            and all(is_ground(one) and type(one) not in facts for one in rule.keep)
            and set(prepared.places) == {"slot"}
        )

    def _only_instance(self, prepared: GroundRule) -> list[Any]:
        """Return the one instance, if every slot that it names is there."""
        wanted = State.of([_key_term(one, self.found) for one in prepared.rule.keep])
        if any(self.facts.count(key) < number for key, number in wanted.distinct()):
            return []
        return [encode(prepared.finder.put[0])]


def _key_term(pattern: Any, found: Findings) -> Any:
    """Return the term that stands for the slot of a term: its values are left out."""
    family = found.family(pattern)
    assert family is not None
    arguments = list(pattern.term_arguments())
    for index in family.value:
        arguments[index] = FILL
    return type(pattern).of_parts(arguments)

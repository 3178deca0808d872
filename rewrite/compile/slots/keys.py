"""Keys by invariants: which constructors have exactly one term for each key, in every state.

After the invariant synthesis of Fast Downward (Helmert, AIJ 2009), simpler because a rule consumes
what it matches: where the keys that each rule takes are, as a multiset, the keys it puts, the
number of terms for each key never changes; with one for each key in the start, each key is a *slot*
that holds a value. What has no such key, and still finitely many terms, is kept as one bit a term.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from functools import cached_property, lru_cache
from itertools import combinations
from operator import is_
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.interning import constructor, encode
from rewrite.compile.reason import Reason
from rewrite.compile.rule_properties import normal_key, one_of_each, sees_state
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Contains,
    Either,
    Holds,
    Lacks,
    Not,
    may_bind,
)
from rewrite.language.evaluation import Failed
from rewrite.language.expressions import Call, Splice, Variable
from rewrite.language.matching import same
from rewrite.language.order import SEQUENCE, term_key
from rewrite.language.patterns import binders, computed, contains_wildcard, mentioned, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import Term, is_ground

Identity = tuple[Any, ...]


class Unsuitable(Exception):
    """The states of a puzzle cannot be encoded in slots and bits; `.reason` is a Reason."""

    def __init__(
        self, what: str, way_out: str = "", *, rule: str = "", pattern: Any = None
    ) -> None:
        super().__init__(what)
        self.reason = Reason(what, way_out, rule, pattern)

    @classmethod
    def of(cls, reason: Reason) -> Unsuitable:
        """Return the exception for a stored reason.

        What keeps an exception keeps, with its traceback, a whole search alive.
        """
        return cls(reason.what, reason.way_out, rule=reason.rule, pattern=reason.pattern)

    @classmethod
    def before(cls, failure: Failed) -> Unsuitable:
        """Return the exception for what fails before the search, which may never come to it."""
        return cls(f"what is ground beforehand fails: {failure}")


@frozen
class Family:
    """A constructor with one term for each key: which of its arguments are the key."""

    constructor: type[Term]
    key: tuple[int, ...]
    value: tuple[int, ...]

    def keys_of(self, pattern: Term) -> tuple[Any, ...]:
        return tuple(map(pattern.term_arguments().__getitem__, self.key))

    def values_of(self, pattern: Term) -> tuple[Any, ...]:
        return tuple(map(pattern.term_arguments().__getitem__, self.value))

    def encoded(self, term: Term) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        return tuple(map(encode, self.keys_of(term))), tuple(map(encode, self.values_of(term)))


@frozen
class Findings:
    """Which constructors are slots, which terms of the start never change."""

    families: dict[Identity, Family]
    static: tuple[Any, ...]

    def family(self, pattern: Any) -> Family | None:
        """Return the family of a pattern, None where it is an atom or a fact."""
        return self.families.get(pattern.term_identity()) if isinstance(pattern, Term) else None

    def values_of(self, pattern: Term) -> tuple[Any, ...]:
        return self.families[pattern.term_identity()].values_of(pattern)

    def fixed(self, pattern: Any) -> Any:
        """Return what of a pattern is known when compiling: of one for slots, the key."""
        family = self.family(pattern)
        return pattern if family is None else family.keys_of(pattern)


class Rules:
    """What follows for keys from the rules alone; computed once for all starts."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = one_of_each(rules, exactly=True)
        self.moving = {identity_of(p) for rule in rules for p in (*rule.take, *rule.put)}
        self._balanced: dict[tuple[Identity, tuple[int, ...]], bool] = {}
        self._settled: dict[frozenset[Any], dict[Identity, Family] | Reason] = {}

    @classmethod
    def of(cls, rules: tuple[Rule, ...]) -> Rules:
        return _kept(rules, classes_of(rules))

    @cached_property
    def unsuitable(self) -> Reason | None:
        """Why no state can be encoded in slots, whatever the start."""
        still = sequences_stay(self.moving)
        try:
            for rule in self.rules:  # what rules change first: facts often suffer for its sake
                _check_keys(rule, (*rule.take, *rule.put))
            for rule in self.rules:
                _check_shape(rule, still)
        except Unsuitable as why:
            return why.reason
        return None

    def is_balanced(self, identity: Identity, family: Family) -> bool:
        """Whether each rule puts as many terms of each key as it takes."""
        known = self._balanced.get((identity, family.key))
        if known is None:
            known = all(is_balanced(rule, family) for rule in self.rules)
            self._balanced[identity, family.key] = known
        return known

    def exchanges(self, identity: Identity, family: Family) -> bool:
        """Whether each rule puts the values that it takes, in whichever slots."""
        values = Family(family.constructor, family.value, family.key)
        return self.is_balanced(identity, values)

    def settled(self, families: dict[Identity, Family]) -> dict[Identity, Family]:
        """Return the families that stay: see `misplaced` and `_is_known`. Raises Unsuitable."""
        key = frozenset(families.items())
        known = self._settled.get(key)
        if known is None:
            try:
                known = self._settle(families)
            except Unsuitable as why:
                known = why.reason
            self._settled[key] = known
        if isinstance(known, Reason):
            raise Unsuitable.of(known)
        return known

    def _settle(self, families: dict[Identity, Family]) -> dict[Identity, Family]:
        while True:
            found = Findings(families, ())
            guilty = {one for rule in self.rules for one in misplaced(rule, found)}
            if not guilty:
                break
            families = {identity: f for identity, f in families.items() if identity not in guilty}
        lone = {one for one, family in families.items() if not family.key}
        known = {one for one in lone if all(_is_known(rule, one, found) for rule in self.rules)}
        return {identity: f for identity, f in families.items() if identity not in known}


def all_rules(puzzle: Puzzle) -> tuple[Rule, ...]:
    """Return the rules that change states: those of `simplify` after the others."""
    return (*puzzle.rules, *puzzle.simplify)


def classes_of(rules: tuple[Rule, ...]) -> frozenset[type[Term]]:
    return frozenset[type[Term]]().union(*[rule.classes for rule in rules])


@lru_cache(maxsize=256)
def _kept(rules: tuple[Rule, ...], classes: frozenset[type[Term]]) -> Rules:
    return Rules(rules)


def find(puzzle: Puzzle, start: State) -> Findings:
    rules = Rules.of(all_rules(puzzle))
    if (reason := rules.unsuitable) is not None:
        raise Unsuitable.of(reason)
    moving = rules.moving
    for term in puzzle.facts:
        if identity_of(term) in moving:
            name = type(term).__name__ if isinstance(term, Term) else repr(term)
            raise Unsuitable(
                f"{name} occurs both in the facts and in take or put",
                "give what rules change in start=, and another name to what never changes",
                pattern=term,
            )
    static = tuple(term for term in start if identity_of(term) not in moving)
    families = {}
    for identity in sorted(moving, key=repr):
        family = _family(identity, rules, start)
        if family is not None:
            families[identity] = family
    found = Findings(rules.settled(families), static)
    for term, number in start.distinct():
        if number > 1 and identity_of(term) in moving:
            raise Unsuitable(
                f"the start holds {term!r} {number} times",
                "keep how many there are in one term, such as Pieces(kind, number), or give each "
                "a place",
                pattern=term,
            )
    return found


def _check_keys(rule: Rule, patterns: Sequence[Any]) -> None:
    for pattern in patterns:
        if not isinstance(pattern, Term) and not is_ground(pattern):
            raise Unsuitable(
                f"rule {rule.name!r} has the pattern {pattern!r}, which has no key",
                "where each value has a place, write a term that says which, such as "
                "At(place, value); a pool of values without places belongs in a multiset",
                rule=rule.name, pattern=pattern,
            )  # fmt: skip


def _check_shape(rule: Rule, still: bool) -> None:
    """Raise Unsuitable unless a rule may be over slots. `still`: see `sequences_stay`."""
    for pattern in (*rule.keep, *rule.absent):
        row = row_of(pattern)
        if still or row is pattern or is_ground(pattern):
            _check_keys(rule, [row])
            continue
        raise Unsuitable(
            f"rule {rule.name!r} looks up {pattern!r}, and rules change other sequences",
            "write what rules change as terms of constructors, such as At(place, value)",
            rule=rule.name, pattern=pattern,
        )  # fmt: skip
    asked = [
        part for part in rule.when if sees_state(part) and not can_be_asked(part, rule.bound.keys())
    ]
    lets = [value for _, value in rule.let]
    for part in (*asked, *lets, rule.cost, *rule.put, *rule.absent):
        if sees_state(part):
            raise Unsuitable(
                f"rule {rule.name!r} looks at the whole state: {part!r}",
                "ask with keep= or absent= for the terms it depends on, or keep what is counted "
                "in a term of its own that the rules update",
                rule=rule.name, pattern=part,
            )  # fmt: skip


def identity_of(term: Any) -> Identity:
    """Return the constructor of a term, or the value itself where there is none."""
    return term.term_identity() if isinstance(term, Term) else ("", term_key(term))


def sequences_stay(moving: Set[Identity]) -> bool:
    """Whether rules neither take nor put sequences, so that these are facts: see `row_of`."""
    return not any(head == "" and rest[0][0] == SEQUENCE for head, *rest in moving)


def row_of(pattern: Any) -> Any:
    """Return the term that stands for a sequence of one length among facts; others stay.

    What it consists of can be looked up, like the arguments of any other constructor. This one has
    no name, so messages show the sequence.
    """
    if not isinstance(pattern, tuple) or any(isinstance(part, Splice) for part in pattern):
        return pattern
    return constructor("", len(pattern)).of_parts(pattern)


def _family(identity: Identity, rules: Rules, start: State) -> Family | None:
    """Return the family of a constructor with the longest key that is invariant, or None."""
    terms = [term for term in start if identity_of(term) == identity]
    if not terms or not isinstance(terms[0], Term):
        return None
    size = len(terms[0].term_arguments())
    for length in range(size - 1, -1, -1):
        for key in combinations(range(size), length):
            rest = tuple(index for index in range(size) if index not in key)
            family = Family(type(terms[0]), key, rest)
            counts = Counter(term_key(family.keys_of(term)) for term in terms)
            if max(counts.values()) == 1 and rules.is_balanced(identity, family):
                return family
    return None


def is_balanced(rule: Rule, family: Family) -> bool:
    """Whether a rule puts as many terms of each key as it takes."""
    identity = family.constructor.term_identity()

    def keys(patterns: Sequence[Any]) -> list[str]:
        own = [pattern for pattern in patterns if identity_of(pattern) == identity]
        return sorted(repr(normal_key(family.keys_of(pattern), {})) for pattern in own)

    return keys(rule.take) == keys(rule.put)


def ground_variables(rule: Rule, found: Findings) -> set[Variable]:
    """Return the variables that keys, atoms and facts bind: these are tried when compiling."""
    bound: set[Variable] = set()
    for pattern in (*rule.take, *rule.keep):
        bound |= set(binders(found.fixed(pattern)))
    grown = True
    while grown:
        grown = False
        for pattern, value in rule.let:
            more = set(binders(pattern)) - bound
            # what a pattern computes may use what it binds; its value may not
            ground = {*variables(value)} <= bound and mentioned(pattern).keys() <= bound | more
            if more and ground:
                bound |= more
                grown = True
    return bound


def misplaced(rule: Rule, found: Findings) -> set[Identity]:
    """Return the families whose values stand where a key or an atom needs a known value."""
    ground = ground_variables(rule, found)
    needed: set[Variable] = set()
    for pattern in (*rule.take, *rule.keep):
        for expression in computed(found.fixed(pattern)):
            needed |= set(variables(expression))
    for pattern in rule.put:
        needed |= set(mentioned(found.fixed(pattern)))
    for pattern in rule.absent:
        part = pattern if ranges(pattern, rule, found) else found.fixed(pattern)
        needed |= set(mentioned(part)) & set(rule.bound)
    for given in rule.when:
        if sees_state(given):
            needed |= set(mentioned(given)) & set(rule.bound)
    missing = needed - ground
    if not missing:
        return set()
    sources = set(missing)
    for _ in rule.let:
        for pattern, value in rule.let:
            if set(binders(pattern)) & sources:
                sources |= set(variables((value, *computed(pattern))))
    guilty = set()
    for pattern in (*rule.take, *rule.keep):
        family = found.family(pattern)
        if family is not None and set(binders(family.values_of(pattern))) & sources:
            guilty.add(identity_of(pattern))
    if not guilty:
        names = ", ".join(sorted(variable.name for variable in missing))
        raise Unsuitable(
            f"rule {rule.name!r} needs {names} where a key stands",
            "bind it by a key, a fact or let=one_of(…), so that it is known before the search",
            rule=rule.name,
        )
    return guilty


def ranges(pattern: Any, rule: Rule, found: Findings) -> bool:
    """Return whether what must be absent may be in several slots, or is in none."""
    family = found.family(pattern)
    if family is None:
        return True
    keys = family.keys_of(pattern)
    return contains_wildcard(keys) or not mentioned(keys).keys() <= rule.bound.keys()


def _is_known(rule: Rule, identity: Identity, found: Findings) -> bool:
    """Whether a rule knows all values of a family when compiling.

    Where every rule does, and there is no key, its terms are better kept as atoms: they may be
    found to exclude those of other constructors (`exclusive`).
    """
    family = found.families[identity]
    values = [
        family.values_of(pattern)
        for pattern in (*rule.take, *rule.keep, *rule.put)
        if identity_of(pattern) == identity
    ]
    return set(mentioned(tuple(values))) <= ground_variables(rule, found) and not any(
        contains_wildcard(value) for value in values
    )


def can_be_asked(given: Any, bound: Set[Variable]) -> bool:
    """Return whether a condition only asks which terms there are, with the given values.

    bound   the variables that have a value outside
    """
    match given:
        case Both(left=left, right=right):
            shared = mentioned(left).keys() & mentioned(right).keys() - bound
            if shared and may_bind(left):
                return False
            return can_be_asked(left, bound) and can_be_asked(right, bound)
        case Either(left=left, right=right):
            return can_be_asked(left, bound) and can_be_asked(right, bound)
        case Not(inner=inner):
            return can_be_asked(inner, bound)
        case Contains() | Lacks():
            inside = bound | binders(given.patterns).keys()
            parts = (*given.patterns, *given.absent, *given.when)
            asked = [one for one in parts if sees_state(one)]
            return given.named_rest is None and all(can_be_asked(one, inside) for one in asked)
        case Holds(expression=expression):
            return not sees_state(expression)
    return False


def without_counts(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with `when=count(pattern) == 0` as `lacks(pattern)`, which can be asked."""
    rules = [_uncounted(rule) for rule in puzzle.rules]
    return puzzle if all(map(is_, rules, puzzle.rules)) else puzzle.replace(rules=rules)


def _uncounted(rule: Rule) -> Rule:
    when = [*rule.when]
    for at, given in enumerate(when):
        match given.expression if isinstance(given, Holds) else None:
            case Call(
                op="==" | "!=" | ">" as op,
                args=(Aggregate(name="count", patterns=(pattern,), when=()), none),
            ) if same(none, 0) and variables((*computed(pattern),)).keys() <= {*rule.bound}:
                # what the pattern computes is the same for each match: all of them fail, or none
                lacking = Lacks((pattern,), [], [])
                when[at] = lacking if op == "==" else Not(lacking)
    return rule if all(map(is_, when, rule.when)) else evolve(rule, when=tuple(when))

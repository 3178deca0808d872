"""Program: a compiled puzzle as plain data; the contract between the compiler and the engines.

There are two forms. In a `SlotProgram` a state is one number of slots and bits, and rules are
ground: what each instance tests and changes is known (`changes.Change`). In a
`MultisetProgram` a state is groups of sorted terms, and each rule has the order in which its parts
are tried.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import zip_longest
from math import prod
from typing import Any

from attrs import evolve, field, frozen

from rewrite.budget import ticking
from rewrite.compile.interning import Ctor, TermType, key_of
from rewrite.compile.join_order import Step, is_known, known_places, plan_rule
from rewrite.compile.multisets.layout import Layout, ground_facts, term_types_of
from rewrite.compile.slots.at_most_one import Action, Group, Schema, Shape, exclusive
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.domains import Rest, number_values
from rewrite.compile.slots.effects import Clash, Unfolded
from rewrite.compile.slots.grounding import Grounder, matching
from rewrite.compile.slots.instances import RuleInstances
from rewrite.compile.slots.joins import Known
from rewrite.compile.slots.keys import Unsuitable, find
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.slots.lifting import Lifted, lifted
from rewrite.compile.slots.prepared import PARTS, GroundRule, Instance
from rewrite.language.cache import Cache
from rewrite.language.expressions import Splice, Variable
from rewrite.language.order import term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.terms import Term

MOST_FORMS = 16
PAIR_KINDS = ("int", "str")
UNKNOWN = 4
"""Values that an argument is taken to have of which nothing is known."""


@frozen
class SlotProgram:
    """A puzzle over slots and bits: where everything has its bits, and all ground rules."""

    puzzle: Puzzle
    start: State
    bits: int
    """Of a slot whose values are not known beforehand."""
    layout: SlotLayout
    grounder: Grounder
    rules: tuple[tuple[GroundRule, tuple[Change, ...]], ...]
    """Those of `simplify` come after the others."""
    forms: Cache[Any, Any] = field(factory=lambda: Cache(MOST_FORMS), eq=False)
    """What `slots.forms` read of goals, `never` and aggregates."""

    @property
    def simplify(self) -> list[list[tuple[int, Change]]]:
        """The ground rules of each rule of `simplify`, with its number."""
        first = len(self.puzzle.rules)
        return [
            [(number, change) for change in changes]
            for number, (_, changes) in enumerate(self.rules[first:], first)
        ]

    def ground(self, rule: Rule, every: bool) -> tuple[GroundRule, list[Change]]:
        """Return the instances of a condition that is written as a rule.

        every   matches count one by one (aggregates). Raises Unsuitable.
        """
        prepared, instances = self.grounder.instances_of(rule)
        return prepared, RuleInstances(prepared, self.layout, self.grounder, every).changes(
            instances
        )


NOTHING, GROUPS, KEYS = range(3)
"""What may share bits: nothing, terms that exclude each other, and the terms of a key."""


def compile_slots(puzzle: Puzzle, start: State, bits: int, rest: Rest) -> SlotProgram:
    """Return the program over slots, of `bits` each where values are open. Raises Unsuitable."""
    short = lifted(puzzle)
    try:
        return _without_clash(puzzle, short, start, bits, rest)
    except Unsuitable:
        if short.puzzle is puzzle:
            raise
        return _without_clash(puzzle, Lifted.of(puzzle), start, bits, rest)


def _without_clash(
    puzzle: Puzzle, short: Lifted, start: State, bits: int, rest: Rest
) -> SlotProgram:
    for shared in (KEYS, GROUPS):
        with suppress(Clash):
            return _compiled(puzzle, short, start, bits, rest, shared)
    return _compiled(puzzle, short, start, bits, rest, NOTHING)


def _compiled(
    puzzle: Puzzle, short: Lifted, start: State, bits: int, rest: Rest, shared: int
) -> SlotProgram:
    whole = Unfolded.of(short.puzzle)
    found = find(whole.puzzle, start)
    if shared < KEYS:
        found = evolve(found, families={})
    layout = SlotLayout(whole.puzzle, found, start, bits)
    grounder = Grounder(whole.puzzle, found, start)
    atoms, instances = grounder.atoms_and_instances()
    atoms = whole.settle(grounder, atoms)
    number_values(start, layout, grounder, instances, rest)
    layout.add_atoms(atoms, _groups(atoms, grounder, instances) if shared else [])
    made: dict[int, tuple[GroundRule, tuple[Change, ...]]] = {}
    for at, members in enumerate(short.members):
        prepared, ground = grounder.rules[at], instances[at]
        if at in whole.waiting:
            made[members[0]] = prepared, tuple(whole.changes(at, grounder, layout, instances))
            continue
        together = RuleInstances(prepared, layout, grounder)
        parts = short.by_rule(at, prepared.ground, ground)
        together.refuse_long(ground)
        for number, part in zip(members, together.parted(parts), strict=True):
            made[number] = prepared, tuple(part)
    rules = tuple([made[number] for number in range(len(made))])
    changes = [change for _, group in rules for change in group]
    lookups = [lookup for change in changes for lookup in change.lookups]
    is_open = any(not slots.closed for slots in layout.slots.values())
    if is_open and puzzle.simplify:
        why = next(one.open_for for one in layout.slots.values() if one.open_for is not None)
        raise Unsuitable(
            "simplify= chooses among states by their terms, and not all values are known "
            f"beforehand ({why})",
            why.way_out,
            rule=why.rule,
        )
    if is_open and lookups and all(lookup.reads == sum(layout.masks) for lookup in lookups):
        bounds = dict.fromkeys(slots.open_for.way_out for slots in layout.slots.values()
                               if slots.open_for is not None)  # fmt: skip
        raise Unsuitable(
            "what its rules do depends on whole states",
            ", or ".join([*bounds, "write rules that each read and change a few terms"]),
        )
    return SlotProgram(puzzle, start, bits, layout, grounder, rules)


def _groups(atoms: list[Any], grounder: Grounder, instances: list[list[Instance]]) -> list[Group]:
    """Return the atoms that exclude each other."""
    if len(atoms) < 2:
        return []
    schemas = [
        Schema(
            _shapes(rule, "take"), _shapes(rule, "put"), len(ground),
            partial(_actions, rule, ground, grounder.known),
        )
        for rule, ground in zip(grounder.rules, instances, strict=True)
    ]  # fmt: skip
    return exclusive(sorted(ticking(atoms), key=key_of), grounder.start, schemas)


def _shapes(rule: GroundRule, part: str) -> list[Shape | None]:
    shown = zip(rule.shown[PARTS.index(part)], rule.places[part], strict=True)
    return [_shape(pattern) for pattern, place in shown if place == "atom"]


def _shape(pattern: Any) -> Shape | None:
    """Return the shape of a pattern, None where its constructor or arguments are open."""
    if not isinstance(pattern, Term):
        return None
    arguments = pattern.term_arguments()
    if any(isinstance(one, Splice) for one in arguments):
        return None
    return Ctor.of(type(pattern)), tuple([term_key(one) for one in arguments])


def _actions(
    rule: GroundRule, instances: list[Instance], known: Known, number: dict[Any, int]
) -> list[Action]:
    """Return what the instances of a rule do to atoms."""
    take, keep, put, absent = (rule.at(part, "atom") for part in PARTS)
    patterns = [(place, rule.rule.absent[place]) for place in absent]
    found = []
    for _, taken, kept, given, gone in ticking(instances):
        takes = [number[taken[place]] for place in take]
        misses = [
            number[term]
            for place, pattern in patterns
            for term in matching(pattern, gone[place], known)
            if term in number and number[term] not in takes
        ]
        keeps = [number[kept[place]] for place in keep]
        found.append(Action(takes, keeps, [number[given[place]] for place in put], misses))
    return found


@frozen
class MultisetProgram:
    """A puzzle over a multiset in groups: the groups, the facts, and a plan for the rules."""

    puzzle: Puzzle
    start: State
    layout: Layout
    facts: dict[TermType, tuple[Any, ...]]
    sizes: dict[TermType, int]
    """How many terms each group holds in the start."""
    distinct: dict[TermType, list[int]]
    """About how many values each argument of a constructor has: of facts, or in all states. Of
    sequences: how many each place has, of facts.
    """

    def candidates(self, pattern: Any) -> list[TermType]:
        """Return the term types under which a pattern can find something, in canonical order."""
        known = term_types_of(pattern)
        everywhere = [
            *self.layout.term_types,
            *(h for h in self.facts if h not in self.layout.index),
        ]
        return [term_type for term_type in everywhere if known is None or term_type in known]

    def size(self, pattern: Any, bound: set[Variable]) -> tuple[float, float]:
        """Return how many candidates and matches a pattern is expected to have.

        bound   the variables that have values. Facts are looked up by what is known of them; of a
                group of the state all terms are looked at
        """
        places, known = known_places(pattern, bound), is_known(pattern, bound)
        candidates = matches = 0.0
        for term_type in self.candidates(pattern):
            facts, columns = len(self.facts.get(term_type, ())), self.distinct.get(term_type, ())
            of_facts = bool(facts) and term_type not in self.layout.index
            held = facts if of_facts else max(self.sizes.get(term_type, 1), 1) + facts
            number = held / prod(
                [columns[place] if place < len(columns) else UNKNOWN for place in places]
            )
            candidates += 1.0 if known else 1.0 + number if of_facts else held
            matches += number if of_facts or not known else min(number, 0.5)
        return candidates, matches

    def plan(self, rule: Rule) -> tuple[Step, ...]:
        """Return the order in which the parts of a rule are tried.

        A `keep` among terms that state and facts share is looked up after all of `take`.
        """
        shared = self.layout.index.keys() & self.facts.keys()
        late = [i for i, one in enumerate(rule.keep) if shared.intersection(self.candidates(one))]
        return plan_rule(rule, self.size, late)


def pair_key(rule: Rule) -> Any:
    """Return what rules have in common that only take the same two loose numbers (or texts).

    These are looped over as i < j. None of other rules.
    """
    take = rule.take
    is_pair = (
        len(take) == 2
        and not rule.keep
        and not rule.let
        and all(isinstance(p, Variable) and p.kind in PAIR_KINDS for p in take)
        and take[0].kind == take[1].kind
        and take[0] is not take[1]
    )
    return term_key(take) if is_pair else None


def compile_multiset(
    puzzle: Puzzle, start: State, more: frozenset[TermType] = frozenset()
) -> MultisetProgram:
    """Return the program over groups; `more` are term types that start and rules do not show."""
    layout = Layout(puzzle, start, more)
    groups = layout.groups(layout.encode(start))
    sizes = {
        term_type: len(group) for term_type, group in zip(layout.term_types, groups, strict=True)
    }
    facts = ground_facts(puzzle)
    distinct = _distinct(puzzle, start, facts)
    return MultisetProgram(puzzle, start, layout, facts, sizes, distinct)


def _distinct(
    puzzle: Puzzle, start: State, facts: dict[TermType, tuple[Any, ...]]
) -> dict[TermType, list[int]]:
    """Return how many values arguments have: of facts, in the start, or by the facts put there."""
    found = {
        term_type: [len({*column} - {None}) for column in zip_longest(*values)]
        for term_type, values in facts.items()
        if term_type == "seq" or isinstance(term_type, Ctor)
    }
    for term_type, columns in found.items():
        del columns[: isinstance(term_type, Ctor)]
    for kind, (_, fields) in start.columns.items():
        if issubclass(kind, Term):
            found[Ctor.of(kind)] = [max(UNKNOWN, len({*map(term_key, one)})) for one in fields]
    kept = dict(found)
    for rule in puzzle.rules:
        values: dict[Any, int] = {}
        for pattern in rule.keep:
            if isinstance(pattern, Term) and Ctor.of(type(pattern)) in facts:
                pairs = zip(pattern.term_arguments(), kept[Ctor.of(type(pattern))], strict=False)
                values |= {part: number for part, number in pairs if isinstance(part, Variable)}
        for pattern in rule.put:
            if isinstance(pattern, Term):
                parts = pattern.term_arguments()
                known = found.setdefault(Ctor.of(type(pattern)), [UNKNOWN] * len(parts))
                for place, part in enumerate(parts[: len(known)]):
                    if isinstance(part, Variable):
                        known[place] = max(known[place], values.get(part, 0))
    return found

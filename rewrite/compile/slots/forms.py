"""Forms: conditions over slots and bits, read once for everything that needs to understand them.

A form is a small tree. Its leaves are ground instances, codes of states, and opaque conditions,
which are evaluated on the state as a multiset. `code` turns a form into a test; `reasoning` derives
goal states, goal facts and proofs of symmetry from it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TypeAlias

from attrs import evolve, frozen

from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.inlining import may_lack_value
from rewrite.compile.program import SlotProgram
from rewrite.compile.reason import Reason
from rewrite.compile.rule_properties import sees_state
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.keys import Unsuitable, can_be_asked
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language import conditions as c
from rewrite.language.order import term_key
from rewrite.language.patterns import classes, mentioned, repeats_matches
from rewrite.language.rules import Rule, keeping
from rewrite.language.terms import Term


@frozen
class AllOf:
    """Both hold. `apart`: they share no variable."""

    left: Form
    right: Form
    apart: bool


@frozen
class OneOf:
    """At least one holds."""

    left: Form
    right: Form


@frozen
class Denied:
    """The inner form does not hold."""

    inner: Form


@frozen(eq=False)
class Matches:
    """At least one instance applies; or what an aggregate counts.

    value     the value of an instance: the aggregate's, 1 for a condition
    rule      the patterns as a rule that keeps what they match and costs that value
    changes   its instances; only their tests matter
    every     whether equal instances count separately
    """

    given: c.Contains | c.Lacks | c.Aggregate
    value: Any
    rule: GroundRule
    changes: tuple[Change, ...]
    every: bool


@frozen
class Whole:
    """The patterns match, and the state holds no other terms.

    loose   the bits of optional atoms, and how many must be set; all other terms are in every
            state. None if there is no such mask
    """

    given: c.Exactly
    matches: Matches
    loose: tuple[int, int] | None


@frozen
class Codes:
    """The state is one of these; other states that the condition names are unreachable."""

    codes: tuple[int, ...]


@frozen
class Opaque:
    """A condition that has no other form, and why."""

    given: c.Condition
    why: Reason


Form: TypeAlias = AllOf | OneOf | Denied | Matches | Whole | Codes | Opaque | c.Holds | c.Terminal
"""`Holds` and `Terminal` are their own forms; `counted` reads the aggregates of an expression."""


def read(program: SlotProgram, given: c.Condition) -> Form:
    found: Form = program.forms.made(*_kept_as(given), lambda: _read(program, given))
    return found


def counted(program: SlotProgram, given: c.Aggregate) -> Matches:
    """Return what an aggregate counts. Raises Unsuitable unless each match is an instance."""
    if may_lack_value(given.value):
        raise Unsuitable(f"{given.value!r} may have no value, and then {given!r} has none")
    return valued(program, given)


def valued(program: SlotProgram, given: c.Aggregate) -> Matches:
    """Return what an aggregate counts, without the matches for which it has no value."""
    if any(map(repeats_matches, given.patterns)):
        raise Unsuitable("ANY may match one occurrence in several ways")
    if any(number > 1 for _, number in program.grounder.facts.distinct()):
        raise Unsuitable("equal facts are counted one by one")
    found: Matches = program.forms.made(
        *_kept_as(given), lambda: _ground(program, given, given.value, every=True)
    )
    return found


def _kept_as(given: c.Condition | c.Aggregate) -> tuple[object, object]:
    return (term_key(given), classes(given)), given


def _read(program: SlotProgram, given: c.Condition) -> Form:
    try:
        return _seen(program, given)
    except Unsuitable as why:
        return Opaque(given, why.reason)


def _seen(program: SlotProgram, given: c.Condition) -> Form:
    match given:
        case c.Both(left=left, right=right):
            shared = mentioned(left).keys() & mentioned(right).keys()
            if shared and c.may_bind(left):
                raise Unsuitable(
                    f"{given!r} has a variable on both sides",
                    "say it in one contains(...), with absent= for what must not be there",
                )
            return AllOf(_read(program, left), _read(program, right), not shared)
        case c.Either(left=left, right=right):
            return OneOf(_read(program, left), _read(program, right))
        case c.Not(inner=inner):
            return Denied(_read(program, inner))
        case c.Lacks():
            return Denied(_matches(program, given))
        case c.Contains():
            return _matches(program, given)
        case c.Exactly(rest=None, patterns=patterns):
            inside = c.Contains(patterns, list(given.when), [])
            return Whole(given, _matches(program, inside), _loose(program, patterns))
        case c.Exactly(patterns=patterns):  # with a rest
            facts = {type(term) for term in program.puzzle.facts}
            if given.named_rest is not None or (
                facts and any(not isinstance(p, Term) or type(p) in facts for p in patterns)
            ):
                raise Unsuitable(f"{given!r} asks for the rest of the state")
            return _matches(program, c.Contains(patterns, list(given.when), []))
        case c.OneOfStates(states=states):
            found = []
            for state in states:
                with suppress(NeedsCapacity):
                    found.append(program.layout.encode(state))
            return Codes(tuple(found))
        case c.Holds() | c.Terminal():
            return given
    raise Unsuitable(f"{given!r} is a Python function")


def _matches(program: SlotProgram, given: c.Contains | c.Lacks) -> Matches:
    if given.named_rest is not None:
        raise Unsuitable(f"{given!r} asks for the rest of the state")
    return _ground(program, given, 1, every=False)


def _ground(
    program: SlotProgram, given: c.Contains | c.Lacks | c.Aggregate, value: Any, *, every: bool
) -> Matches:
    matched = c.Contains(given.patterns, given.when, [*given.absent])
    if sees_state(value) or not can_be_asked(matched, set()):
        raise Unsuitable(
            f"{given!r} has a condition inside",
            "" if isinstance(given, c.Aggregate) else "say absent= for what must not be there",
        )
    rule, changes = program.ground(_with_absent(keeping(given, value)), every)
    return Matches(given, value, rule, tuple(changes), every)


def _with_absent(rule: Rule) -> Rule:
    """Return the rule with a last `when=lacks(pattern)` as `absent`, which may use slot values."""
    match rule.when:
        case (*when, c.Lacks(patterns=(pattern,), rest=None, when=(), absent=())):
            return _with_absent(evolve(rule, when=tuple(when), absent=(pattern, *rule.absent)))
    return rule


def _loose(program: SlotProgram, patterns: tuple[object, ...]) -> tuple[int, int] | None:
    """Return the bits of optional atoms, and how many `patterns` need. See `Whole`."""
    layout = program.layout
    facts = {type(term) for term in program.puzzle.facts}
    if any(not isinstance(p, Term) or type(p) in facts for p in patterns):
        return None
    number = len(patterns) - len(layout.static)
    number -= sum(len(slots.offsets) for slots in layout.slots.values())
    bits = 0
    for mask, choice in layout.choices.items():
        if not choice.optional:
            number -= 1
        elif choice.shared:
            return None
        else:
            bits |= mask
    return bits, number

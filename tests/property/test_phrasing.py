"""A puzzle written in another way has the same states, and the same answers."""

import warnings
from typing import Any

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from rewrite import Puzzle, RewriteWarning, Rule, contains, exactly, lacks, search
from rewrite.compile.slots.keys import identity_of
from rewrite.language.conditions import Both, Contains, Either, Lacks, Not
from rewrite.language.expressions import Expression
from rewrite.language.patterns import binders, computes, contains_wildcard
from rewrite.language.states import State
from tests.property.board_puzzles import board_puzzles
from tests.property.computed_puzzles import computed_puzzles

MOST = 300


def _plain(pattern: Any) -> bool:
    return not (isinstance(pattern, Expression) or computes(pattern) or contains_wildcard(pattern))


def _padded(one: Rule, draw: Any, single: set[Any]) -> Rule:
    """The rule with parts in another order, and conditions that always hold.

    single   the constructors of which no state holds equal terms
    """

    def shuffled(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(draw(st.permutations(items)))

    more: list[Any] = [contains(p) for p in one.keep if _plain(p) and binders(p)]
    more += [lacks(p) for p in one.take if _plain(p) and identity_of(p) in single]
    kept = tuple(draw(st.lists(st.sampled_from(more), max_size=2))) if more else ()
    return evolve(
        one, take=shuffled(one.take), keep=shuffled(one.keep), put=shuffled(one.put),
        when=shuffled((*one.when, *kept)), absent=shuffled(one.absent),
    )  # fmt: skip


def found(puzzle: Puzzle, **asked: Any) -> tuple[Any, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RewriteWarning)
        result = search(puzzle, max_states=MOST, **asked)
    return result.status, result.path.cost if result.path else None, result.states


def single(puzzle: Puzzle) -> set[Any]:
    """Constructors with a key: rules put as many terms of each key as they take."""
    assert puzzle.start is not None
    start = State(puzzle.start)
    kinds = {identity_of(one) for one in start if identity_of(one)[0]}
    counts = {kind: [one for one in start if identity_of(one) == kind] for kind in kinds}
    return {kind for kind, terms in counts.items() if len(terms) == len({*terms}) == 1}


@given(st.one_of(board_puzzles(), computed_puzzles()), st.data())
def test_order_and_parts_that_always_hold_change_nothing(
    puzzle: Puzzle, data: st.DataObject
) -> None:
    alone = {
        kind for kind in single(puzzle)
        if all(
            sum(identity_of(p) == kind for p in one.take)
            == sum(identity_of(p) == kind for p in one.put)
            for one in puzzle.rules
        )
    }  # fmt: skip
    rules = data.draw(st.permutations([_padded(one, data.draw, alone) for one in puzzle.rules]))
    other = puzzle.replace(rules=list(rules))
    nowhere = exactly("nowhere")
    first = found(puzzle, goal=nowhere)
    if first[0] == "exhausted":
        assert found(other, goal=nowhere) == first
        assert found(puzzle)[:2] == found(other)[:2]


def _loose(given: Any, kinds: set[type]) -> Any:
    """What is given, with sequences for the terms of some constructors."""
    if isinstance(given, tuple):
        return tuple([_loose(one, kinds) for one in given])
    if isinstance(given, (Contains, Lacks)):
        parts = (given.written, given.when, given.absent)
        written, *others = [_loose(tuple(part), kinds) for part in parts]
        return type(given)(written, *map(list, others))
    if isinstance(given, (Both, Either)):
        return type(given)(_loose(given.left, kinds), _loose(given.right, kinds))
    if isinstance(given, Not):
        return Not(_loose(given.inner, kinds))
    return (type(given).__name__, *given.term_arguments()) if type(given) in kinds else given


@given(st.one_of(board_puzzles(), computed_puzzles()))
def test_facts_may_be_sequences(puzzle: Puzzle) -> None:
    moving = {type(one) for rule in puzzle.rules for one in (*rule.take, *rule.put)}
    kinds = {type(one) for one in puzzle.facts} - moving - {tuple, int, str, bool}
    assume(kinds)
    rules = [
        evolve(one, keep=_loose(one.keep, kinds), absent=_loose(one.absent, kinds),
               when=_loose(one.when, kinds))
        for one in puzzle.rules
    ]  # fmt: skip
    assert puzzle.start is not None
    start, facts = (list(_loose(tuple(part), kinds)) for part in (puzzle.start, puzzle.facts))
    other = puzzle.replace(rules=rules, start=start, facts=facts, goal=_loose(puzzle.goal, kinds))
    assume(not kinds & {*other.classes, *([] if other.goal is None else other.goal.classes)})
    first = found(puzzle, goal=exactly("nowhere"))
    if first[0] == "exhausted":
        assert found(other, goal=exactly("nowhere")) == first
        assert found(puzzle)[:2] == found(other)[:2]

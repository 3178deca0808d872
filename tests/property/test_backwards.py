"""Goal states and predecessors are what trying everything, by the definition, finds."""

from collections import Counter
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st

from rewrite import Puzzle, RuleError, State
from rewrite.analysis.conserved import Conserved, conserved
from rewrite.analysis.fields import Field, numbers, packed
from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language import meaning
from rewrite.search.goal_states import goal_codes
from tests.engines import goal_of, over_multiset, over_slots, start_of, task_of
from tests.property import strategies
from tests.property.board_puzzles import board_puzzles

STATES, MOST = 15, 3_000


def board_engine(puzzle: Puzzle) -> SlotEngine:
    """Return the engine of a board whose values are known; other boards are not looked at."""
    try:
        engine = over_slots(task_of(puzzle, puzzle.goal))
        assert engine.transitions is not None
    except (Unsuitable, NeedsCapacity):
        assume(False)
    return engine


def reached(engine: SlotEngine | MultisetEngine, start: State, most: int = STATES) -> list[object]:
    """Return the codes of the first states of the space."""
    seen = {engine.encode(start): None}
    for code in (queue := list(seen)):
        if len(seen) > most:
            break
        for after in engine.successors(code):
            if after not in seen:
                seen[after] = None
                queue.append(after)
    return list(seen)


def counts(fields: tuple[Field, ...], code: int, kept: Conserved) -> Counter[object]:
    held = [(field.kind, field.number(code)) for field in fields]
    return Counter([one for one in held if one in kept])


@given(board_puzzles())
def test_conserved_counts_are_those_of_the_start_in_every_state(puzzle: Puzzle) -> None:
    engine = board_engine(puzzle)
    kept = conserved(engine.transitions, engine.fields)
    event(f"something is conserved: {bool(kept)}")
    try:
        codes = reached(engine, start_of(puzzle))
    except NeedsCapacity:
        return
    start = counts(engine.fields, engine.encode(start_of(puzzle)), kept)
    for code in codes:
        assert isinstance(code, int)
        assert counts(engine.fields, code, kept) == start


@given(board_puzzles())
def test_goal_states_are_those_that_trying_every_value_of_every_field_finds(
    puzzle: Puzzle,
) -> None:
    engine = board_engine(puzzle)
    assert puzzle.goal is not None
    fields = engine.fields
    assume(prod(len(field.values) for field in fields) <= MOST)
    kept = conserved(engine.transitions, fields)
    start = counts(fields, engine.encode(start_of(puzzle)), kept)
    wanted = []
    for held in product(*[range(len(field.values)) for field in fields]):
        code = packed(fields, held)
        assert numbers(fields, code) == held
        if counts(fields, code, kept) != start:
            continue
        state = engine.decode(code)
        if meaning.forbidden(puzzle, state) is None and meaning.is_goal(puzzle, state, puzzle.goal):
            wanted.append(code)
    event(f"some goal states: {bool(wanted)}")
    found = goal_codes(engine, puzzle.goal)
    note(f"{puzzle.goal}: {len(wanted)} wanted, {len(found)} found")
    assert found == sorted(wanted)


@given(board_puzzles())
def test_no_state_that_is_reached_and_meets_the_goal_is_missing_among_goal_states(
    puzzle: Puzzle,
) -> None:
    engine = board_engine(puzzle)
    try:
        codes = reached(engine, start_of(puzzle))
        found = goal_codes(engine, goal_of(puzzle), 2_000)
    except (NeedsCapacity, NoGoalStates):
        return
    for code in codes:
        if engine.goal(code) and not engine.forbidden(code):
            assert code in found


def check_predecessors(puzzle: Puzzle, engine: SlotEngine | MultisetEngine) -> None:
    """Compare an inverse engine with the definition, from the first states on."""
    try:
        backwards = engine.inverse
    except Unsuitable as why:
        event(f"no inverse: {str(why).split(':')[0] == 'simplify= cannot be undone'}")
        return
    event("inverse")
    try:
        codes = reached(engine, start_of(puzzle))
    except (NeedsCapacity, EngineFailure):
        return
    codes = [code for code in codes if not engine.forbidden(code)]  # the start may be
    leads_to: dict[State, set[State] | None] = {}
    for code in codes:
        state = engine.decode(code)
        try:
            before = {engine.decode(one) for one in backwards.successors(code)}
        except (NeedsCapacity, EngineFailure):  # of another type, or a cost that is negative there
            event("failed")
            continue
        for one in before:
            if one not in leads_to:
                try:
                    leads_to[one] = {way.after for way in meaning.successors(puzzle, one)}
                except RuleError:
                    leads_to[one] = None
            after = leads_to[one]
            if after is None:
                continue
            assert state in after, f"{one} leads to {after}, not to {state}"
            assert not engine.forbidden(engine.encode(one))
    for code in codes:
        for after in engine.successors(code):
            try:
                before_codes = backwards.successors(after)
            except (NeedsCapacity, EngineFailure):
                continue
            assert code in before_codes, f"{engine.decode(after)}, {engine.decode(code)}"


@given(board_puzzles())
def test_predecessors_over_slots_are_what_leads_to_a_state(puzzle: Puzzle) -> None:
    check_predecessors(puzzle, board_engine(puzzle))


@pytest.mark.parametrize("kind", [board_puzzles(), strategies.puzzles()])
@given(data=st.data())
def test_predecessors_of_multisets_are_what_leads_to_a_state(
    kind: Any, data: st.DataObject
) -> None:
    puzzle = data.draw(kind)
    check_predecessors(puzzle, over_multiset(task_of(puzzle, puzzle.goal)))

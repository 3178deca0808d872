"""What never holds together never does: against the states that are reached, and naive filters."""

from typing import cast

from hypothesis import assume, event, given

from rewrite.analysis.conserved import conserved_heads
from rewrite.analysis.fields import numbers
from rewrite.analysis.goals.assignments import NoGoalStates
from rewrite.analysis.inverse_transitions import MOST_MISSES
from rewrite.analysis.mutexes import Mutexes, mutexes
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.search.goal_states import goal_codes
from tests.engines import goal_of, over_slots, start_of, task_of
from tests.property import test_backwards
from tests.property.board_puzzles import board_puzzles

STATES = 60


def known_of(puzzle: Puzzle) -> tuple[SlotEngine, Mutexes]:
    """The engine of a board, and its mutexes; boards of which nothing is known are left out."""
    try:
        engine = over_slots(task_of(puzzle, puzzle.goal))
        start = numbers(engine.fields, engine.encode(start_of(puzzle)))
        known = mutexes(engine.transitions, engine.fields, start)
    except (Unsuitable, NeedsCapacity):
        assume(False)
    assume(known is not None)
    assert known is not None
    return engine, known


def reached(engine: SlotEngine, start: State) -> list[int]:
    """The codes of the first states, as long as they fit the layout."""
    return cast("list[int]", test_backwards.reached(engine, start, STATES))


def allows(known: Mutexes, held: tuple[int, ...]) -> bool:
    """Whether the numbers that all fields hold may do so together."""
    around = known.with_all(enumerate(held))
    return all(around >> known.bit(*pair) & 1 for pair in enumerate(held))


@given(board_puzzles())
def test_what_holds_together_in_a_state_that_is_reached_is_no_mutex(puzzle: Puzzle) -> None:
    engine, known = known_of(puzzle)
    try:
        codes = reached(engine, start_of(puzzle))
    except (NeedsCapacity, EngineFailure):
        return
    every = (1 << len(known.beside)) - 1
    event(f"there are mutexes: {any(one != every for one in known.beside)}")
    for code in codes:
        assert allows(known, numbers(engine.fields, code)), engine.decode(code)


@given(board_puzzles())
def test_as_many_terms_of_a_constructor_as_is_said_are_in_every_state(puzzle: Puzzle) -> None:
    engine, _ = known_of(puzzle)
    try:
        codes = reached(engine, start_of(puzzle))
    except (NeedsCapacity, EngineFailure):
        return
    heads = conserved_heads(engine.transitions, engine.fields)
    event(f"constructors are conserved: {bool(heads)}")
    for own in heads:
        there = {sum(engine.fields[at].number(code) == n for at, n in own) for code in codes}
        assert len(there) == 1


@given(board_puzzles())
def test_goal_states_without_mutexes_are_what_is_left_of_all_goal_states(puzzle: Puzzle) -> None:
    engine, known = known_of(puzzle)
    fields, start = engine.fields, engine.encode(start_of(puzzle))
    heads = conserved_heads(engine.transitions, fields)

    def counted(code: int) -> list[int]:
        return [sum(fields[at].number(code) == number for at, number in own) for own in heads]

    try:
        every = goal_codes(engine, goal_of(puzzle), 3_000)
        found = goal_codes(engine, goal_of(puzzle), 3_000, known)
    except (NeedsCapacity, NoGoalStates):
        return
    wanted = [
        code for code in every
        if allows(known, numbers(fields, code)) and counted(code) == counted(start)
    ]  # fmt: skip
    event(f"fewer than all: {len(wanted) < len(every)}")
    assert found == wanted


@given(board_puzzles())
def test_rules_run_backwards_leave_out_nothing_that_is_reached(puzzle: Puzzle) -> None:
    engine, known = known_of(puzzle)
    try:
        whole, within = engine.inverse, engine.inverse_within(known)
        codes = reached(engine, start_of(puzzle))
    except (Unsuitable, NeedsCapacity, EngineFailure):
        return
    few = all(len(change.misses) < MOST_MISSES for _, change in within.changes)
    for code in codes:
        if engine.forbidden(code):
            continue  # a start may be, and no step leads to it
        for after in engine.successors(code):
            assert code in within.successors(after)
        before = set(within.successors(code))
        assert before <= {*whole.successors(code)}
        if few:
            allowed = {one: allows(known, numbers(engine.fields, one)) for one in before}
            assert all(allowed.values())
            event(f"something is left out: {len(before) < len({*whole.successors(code)})}")

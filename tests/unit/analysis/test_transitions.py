"""Transitions say what the generated code does, in every state of random boards."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import event, given, note

from rewrite.analysis.fields import Field, numbers, packed
from rewrite.analysis.transitions import Transition, transitions
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.puzzles import Puzzle
from tests.engines import over_slots, start_of, task_of
from tests.property.board_puzzles import board_puzzles

FIELDS = tuple([Field(2 * place, 2, ("a", "b", "c"), 0) for place in range(3)])


def after(one: Transition, held: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the state to which a transition leads, None where it does not apply."""
    if any(held[place] != value for place, value in one.tests):
        return None
    if any(held[place] == value for place, value in one.misses):
        return None
    found = list(held)
    for place, value in one.sets:
        found[place] = value
    for place, source in one.copies:
        found[place] = held[source]
    for place, source, table in one.maps:
        assert table[held[source]] >= 0
        found[place] = table[held[source]]
    return tuple(found)


@given(board_puzzles())
def test_transitions_lead_to_the_successors_at_their_costs(puzzle: Puzzle) -> None:
    try:
        engine = over_slots(task_of(puzzle, puzzle.goal))
        known, fields = engine.transitions, engine.fields
        seen = {engine.encode(start_of(puzzle)): None}
        for code in (queue := list(seen)):
            if len(queue) > 20:
                break
            wanted = engine.weighted(code)
            held = numbers(fields, code)
            reached = [(one.cost, after(one, held)) for one in known]
            made = {(cost, packed(fields, found)) for cost, found in reached if found is not None}
            made = {one for one in made if not engine.forbidden(one[1])}
            note(f"{engine.decode(code)}: {len(made)} made, {len(wanted)} wanted")
            assert made == set(wanted)
            queue += [one for _, one in wanted if one not in seen]
            seen.update((one, None) for _, one in wanted)
    except (Unsuitable, NeedsCapacity, EngineFailure) as why:
        event(type(why).__name__)
        return
    event(f"transitions: {bool(known)}")
    for one in known:
        places = [place for place, _ in (*one.sets, *one.copies)]
        assert len(places) == len(set(places))
        for given_sorted in (one.tests, one.misses, one.sets, one.copies):
            assert list(given_sorted) == sorted(given_sorted)


def no_entries(rule: int, lookups: Any) -> Any:
    raise AssertionError("nothing is looked up")


FLIP = Change(((FIELDS[1].mask, 1 << 2),), flip=3 << 2)
SHIFT = Change((), clear=FIELDS[2].mask, copies=((FIELDS[0].mask, 4),), cost=3)
MISSES = evolve(FLIP, misses=((FIELDS[0].mask, 2), (FIELDS[1].mask, 0)))
ATOMS = (Field(0, 1, (None, "a"), 0), Field(1, 1, (None, "b"), 1))
GUARDED = Change(((2, 2),), flip=3, guard=1)


@pytest.mark.parametrize(
    ("fields", "change", "wanted", "read"),
    [
        (FIELDS, FLIP, Transition(4, 1, ((1, 1),), (), ((1, 2),), ()), {1}),
        (FIELDS, SHIFT, Transition(4, 3, (), (), (), ((2, 0),)), {0}),
        (FIELDS, MISSES, Transition(4, 1, ((1, 1),), ((0, 2),), ((1, 2),), ()), {0, 1}),
        (ATOMS, GUARDED,
         Transition(4, 1, ((0, 0), (1, 1)), (), ((0, 1), (1, 0)), (), guards=(0,)), {0, 1}),
    ],
    ids=["a flip sets", "a shift copies", "a miss stays if not known", "a guard is empty"],
)  # fmt: skip
def test_a_change_becomes_a_transition(
    fields: tuple[Field, ...], change: Change, wanted: Transition, read: set[int]
) -> None:
    (one,) = transitions([(4, change)], fields, no_entries)
    assert one == wanted
    assert one.read == read
    assert one.written == {place for place, _ in (*wanted.sets, *wanted.copies)}


def test_a_cost_that_is_computed_cannot_be_written_out() -> None:
    change = Change((), clear=FIELDS[2].mask, cost=object())
    with pytest.raises(Unsuitable, match="a cost that is computed"):
        transitions([(0, change)], FIELDS, no_entries)

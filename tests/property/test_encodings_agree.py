"""Both encodings of a state, slots and groups, find what the definition of the rules says."""

from typing import Any

import pytest
from hypothesis import given, note

from rewrite.compiler.groups import NewHead
from rewrite.compiler.keys import Unsuitable
from rewrite.engine.build import build
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Engine, Task
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language import meaning
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from tests.property.board_puzzles import board_puzzles

STATES = 20


def in_groups(task: Task) -> Engine:
    return GroupEngine(task)


def agree(puzzle: Puzzle, engine: Engine) -> None:
    """Expand the first states of the space by the definition and compare each with the engine."""
    assert puzzle.start is not None
    assert puzzle.goal is not None
    queue, seen, at = [puzzle.start], {puzzle.start}, 0
    while at < min(len(queue), STATES):
        state, at = queue[at], at + 1
        ways = meaning.successors(puzzle, state)
        code = engine.encode(state)
        assert engine.decode(code) == state
        wanted = {(way.cost, way.after) for way in ways}
        found = {(cost, engine.decode(after)) for cost, after in engine.weighted(code)}
        note(f"{engine.encoding}, {state}: missing {wanted - found}, invented {found - wanted}")
        assert found == wanted
        assert engine.goal(code) == meaning.is_goal(puzzle, state, puzzle.goal)
        for way in ways:
            if way.after not in seen:
                seen.add(way.after)
                queue.append(way.after)


@given(board_puzzles())
def test_groups_agree_with_the_definition_on_boards(puzzle: Puzzle) -> None:
    assert puzzle.start is not None
    agree(puzzle, in_groups(Task(puzzle, puzzle.start, puzzle.goal)))


@given(board_puzzles())
def test_the_encoding_that_is_chosen_agrees_with_the_definition_on_boards(puzzle: Puzzle) -> None:
    assert puzzle.start is not None
    changes: tuple[Any, ...] = ()
    for _ in range(8):
        try:
            agree(puzzle, build(Task(puzzle, puzzle.start, puzzle.goal), changes))
            return
        except NewHead as new:
            changes = (*changes, new.head)
    raise AssertionError(f"the engine was not content after {changes}")


def test_most_boards_are_kept_in_slots() -> None:
    """Else the property above would say little."""
    kept = 0

    @given(board_puzzles())
    def count(puzzle: Puzzle) -> None:
        nonlocal kept
        assert puzzle.start is not None
        try:
            SlotEngine(Task(puzzle, State(puzzle.start), puzzle.goal))
            kept += 1
        except (Unsuitable, NewHead):
            pass

    count()
    assert kept >= 10


@pytest.mark.parametrize(
    ("name", "words", "slots", "bits", "ground"),
    [
        ("eight_puzzle", (), 9, 0, 24),
        ("water_jugs", (), 2, 0, 6),
        ("two_grids", (), 18, 0, 18),
        ("farmer", (), 4, 0, 8),
        ("hanoi", ("4", "8"), 4, 0, 12),
        ("lights_out", (), 25, 0, 25),
    ],
)
def test_the_gallery_is_kept_as_the_compiler_says(
    name: str, words: tuple[str, ...], slots: int, bits: int, ground: int
) -> None:
    from puzzles import PUZZLES

    puzzle = PUZZLES[name](*words)
    assert puzzle.start is not None
    engine = build(Task(puzzle, puzzle.start))
    assert engine.encoding.startswith(f"{slots} slots and {bits} bits")
    assert engine.encoding.endswith(f"{ground} ground rules")

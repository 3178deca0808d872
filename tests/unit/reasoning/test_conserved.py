"""Counts of values that no transition changes."""

from typing import Any

from puzzles import eight_puzzle, rush_hour, two_grids
from rewrite import Puzzle, ints, rule, term
from rewrite.compiler.task import Task
from rewrite.reasoning.conserved import conserved, keeps_counts
from rewrite.reasoning.fields import Field
from rewrite.reasoning.symmetry.actions import Action
from rewrite.reasoning.transitions import Transition
from tests.engines import over_slots

FIELDS = [Field(2 * place, 2, ("a", "b", "c"), 0) for place in range(3)]


def moved(**parts: Any) -> Transition:
    given = {"tests": (), "misses": (), "sets": (), "copies": ()} | parts
    return Transition(0, 1, **given)


def kept(*transitions: Transition) -> set[int]:
    return {number for _, number in conserved(transitions, FIELDS)}


def of(puzzle: Puzzle) -> set[tuple[int, int]]:
    assert puzzle.start is not None
    engine = over_slots(Task(puzzle, puzzle.start))
    return set(conserved(engine.transitions, engine.fields))


def test_a_rotation_conserves_every_value() -> None:
    assert kept(moved(copies=((0, 1), (1, 2), (2, 0)))) == {0, 1, 2}


def test_a_value_that_becomes_another_is_not_conserved_but_the_third_is() -> None:
    assert kept(moved(tests=((0, 1),), sets=((0, 2),))) == {0}


def test_two_changes_in_one_transition_may_balance() -> None:
    assert kept(moved(tests=((0, 1), (1, 2)), sets=((0, 2), (1, 1)))) == {0, 1, 2}


def test_two_transitions_that_balance_only_together_conserve_nothing_of_what_they_change() -> None:
    there, back = (moved(tests=((0, a),), sets=((0, b),)) for a, b in ((0, 1), (1, 0)))
    assert kept(there, back) == {2}


def test_overwriting_what_was_not_tested_conserves_nothing() -> None:
    assert kept(moved(sets=((0, 1),))) == set()


def test_a_value_that_is_copied_and_kept_conserves_nothing() -> None:
    assert kept(moved(copies=((0, 1),), tests=((0, 2),))) == set()


def test_a_copy_of_a_tested_value_counts_as_that_value() -> None:
    assert kept(moved(tests=((0, 1), (1, 2)), copies=((0, 1),))) == {0}


def test_every_tile_of_the_sliding_puzzle_and_every_digit_of_the_grids_is_conserved() -> None:
    assert len(of(eight_puzzle.instance())) == 9
    assert len(of(two_grids.instance())) == 9


def test_a_car_that_moves_is_not_conserved_where_it_stood() -> None:
    puzzle = rush_hour.instance()
    assert puzzle.start is not None
    engine = over_slots(Task(puzzle, puzzle.start))
    car = engine.fields[0].kind
    assert not any(kind == car for kind, _ in of(puzzle))


def test_values_of_one_kind_may_be_conserved_in_part() -> None:
    @term
    class Cell:
        place: int
        value: int

    p, q, x = ints("P Q X")
    puzzle = Puzzle(
        rule("swap", take=[Cell(p, 3), Cell(q, x)], put=[Cell(p, x), Cell(q, 3)]),
        rule("toggle", take=[Cell(p, x)], put=[Cell(p, 1 - x)], when=x < 2),
        start=[Cell(0, 3), Cell(1, 0), Cell(2, 1)],
    )
    assert puzzle.start is not None
    engine = over_slots(Task(puzzle, puzzle.start))
    three = next(n for n, term_ in enumerate(engine.fields[0].values) if term_[-1] == 3)
    assert {number for _, number in of(puzzle)} == {three}


ROTATION = frozenset({(0, 0), (0, 1), (0, 2)})
SAME, EXCHANGED = (0, 1, 2), (1, 0, 2)


def action(*maps: tuple[int, ...], sources: tuple[int, ...] = (0, 1, 2)) -> Action:
    return Action(sources, maps)


def test_an_exchange_of_values_keeps_counts_where_both_are_held_as_often() -> None:
    exchange = action(EXCHANGED, EXCHANGED, EXCHANGED)
    assert keeps_counts(exchange, ROTATION, FIELDS, (0, 1, 2))
    assert not keeps_counts(exchange, ROTATION, FIELDS, (0, 0, 1))
    assert keeps_counts(exchange, frozenset({(0, 2)}), FIELDS, (0, 0, 1))


def test_fields_that_change_places_keep_counts_and_values_changed_in_one_field_do_not() -> None:
    assert keeps_counts(action(SAME, SAME, SAME, sources=(2, 0, 1)), ROTATION, FIELDS, (0, 0, 1))
    assert not keeps_counts(action(EXCHANGED, SAME, SAME), ROTATION, FIELDS, (0, 1, 2))
    assert keeps_counts(action(EXCHANGED, SAME, SAME), frozenset(), FIELDS, (0, 1, 2))

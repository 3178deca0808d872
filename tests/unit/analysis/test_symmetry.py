"""Bijections on terms as actions on fields, and those that are none."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from rewrite import ANY, Puzzle, contains, ints, relabel, rule, term
from rewrite.analysis.fields import Field, fields, packed
from rewrite.analysis.symmetry.actions import Action, action_of, canonical, identity
from rewrite.analysis.transitions import Transition
from rewrite.compile.interning import encode
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language.symmetry import Bijection, bijections
from tests.engines import over_slots, task_of
from tests.terms import At

M, N, A, B = ints("M N A B")
UNEVEN = Action((0, 1, 2), ((0, 1, 2), (1, 0, 2), (0, 1, 2)))


@term
class Fixed:
    at: int


def test_a_copy_between_fields_whose_values_change_otherwise_has_no_image() -> None:
    copy = Transition(0, 1, tests=(), misses=(), sets=(), copies=((0, 1),))
    told = "it changes values that rules move, and not everywhere alike"
    with pytest.raises(Unsuitable, match=told):
        UNEVEN.transition(copy)


def ring(*extra: Any) -> SlotEngine:
    puzzle = Puzzle(
        rule(f"swap {M}", take=[At(M, A), At((M + 1) % 4, B)], put=[At(M, B), At((M + 1) % 4, A)]),
        start=[*[At(cell, cell % 3) for cell in range(4)], *extra],
        goal=contains(At(0, 2)),
    )
    return over_slots(task_of(puzzle, puzzle.goal))


def made(engine: SlotEngine, bijection: Bijection) -> Action:
    return action_of(bijection, engine.fields, engine.layout.static)


@pytest.mark.parametrize(
    ("declared", "extra", "told"),
    [
        (relabel(At(M, A), At(M + 1, A)), (),
         r"it makes At\(4, 0\) of At\(3, 0\), which cannot come up from this start"),
        (relabel(At(M, A), At(M, A + 1)), (),
         r"it makes At\(0, 3\) of At\(0, 2\), which cannot come up from this start"),
        (relabel(Fixed(M), Fixed(M + 1)), (Fixed(7),),
         r"it changes Fixed\(7\), which no rule changes"),
        (relabel(At(M, A), At((M + A) % 4, A)), (), "it takes what stands in one slot to several"),
    ],
)  # fmt: skip
def test_what_is_no_action_on_fields_is_told(declared: Any, extra: Any, told: str) -> None:
    (bijection,) = bijections(declared)
    with pytest.raises(Unsuitable, match=told):
        made(ring(*extra), bijection)


def test_terms_that_no_pattern_matches_stay() -> None:
    engine = ring(Fixed(7))
    (bijection,) = bijections(relabel(At(M, A), At((M + 1) % 4, A)))
    action = made(engine, bijection)
    assert sorted(action.sources) == list(range(len(engine.fields)))
    assert not any(encode(Fixed(7)) in field.values for field in fields(engine.layout))
    (same,) = bijections(relabel(Fixed(ANY), Fixed(7)))
    assert made(engine, same) == identity(engine.fields)


def test_canonical_forms_look_through_the_group_once_for_each_field_and_value() -> None:
    """Not for each state, of which a search from both ends may bring thousands before it begins."""

    class Counted(list[Action]):
        times = 0

        def __iter__(self) -> Iterator[Action]:
            self.times += 1
            return super().__iter__()

    row = [Field(3 * at, 3, tuple(range(6)), 0) for at in range(6)]
    group = [Action(tuple(range(6)), ((0, *one),) * 6) for one in permutations(range(1, 6))]
    counted = Counted(group)
    least = canonical(row, counted)
    states = list(permutations(range(6)))
    forms = {least(packed(row, one)) for one in states}
    assert forms == {min(packed(row, one.image(held)) for one in group) for held in states}
    assert len(forms) == 6
    assert counted.times < 50

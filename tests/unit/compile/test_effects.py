"""Effects in slots: as few bits as rules without effects need, unless effects may clash."""

from typing import Any

from rewrite import Puzzle, contains, effect, explore, ints, rule
from rewrite.engine.build import build
from rewrite.language.states import State
from tests.engines import ENGINES, task_of
from tests.terms import A, B

N, M = ints("N M")


def bits_of(puzzle: Puzzle) -> int:
    reasoning = build(task_of(puzzle, contains(A(0)))).reasoning
    assert reasoning is not None
    spaces = [{*map(State, explore(puzzle, engine=engine).states)} for engine in ENGINES]
    assert all(one == spaces[0] for one in spaces)
    bits: int = reasoning.layout.offset
    return bits


def walk(*effects: Any) -> Puzzle:
    there = rule("there", take=[B(0)], put=[B(1)], effects=[*effects])
    back = rule("back", take=[B(1)], put=[B(0)])
    return Puzzle(there, back, start=[A(0), B(0)], sets=True)


def test_what_excludes_each_other_shares_bits_under_effects_too() -> None:
    moving = [effect(take=[A(at)], put=[A((at + 1) % 4)]) for at in range(4)]
    assert bits_of(walk(*moving)) == 3  # one of four, and one of two


def test_effects_that_may_happen_together_leave_each_term_its_bit() -> None:
    apart = [effect(take=[A(0)], put=[A(1)]), effect(take=[A(0)], put=[A(2)])]
    assert bits_of(walk(*apart)) == 5


def test_a_change_has_an_effect_for_each_ground_match() -> None:
    puzzle = walk(effect(take=[A(N)], put=[A(N + 1)], keep=[B(M)], when=N < 3))
    reasoning = build(task_of(puzzle, contains(A(0)))).reasoning
    assert reasoning is not None
    # B(0), which is taken, is the only B there: nothing more is asked
    assert [len(change.effects) for _, change in reasoning.changes] == [3, 0]
    assert {len(one.tests) for _, change in reasoning.changes for one in change.effects} == {1}

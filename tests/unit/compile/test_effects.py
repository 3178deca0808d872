"""Effects in slots: as few bits as rules without effects need, unless effects may clash."""

from typing import Any

from rewrite import Puzzle, contains, effect, explore, ints, rule, search
from rewrite.engine.build import build
from rewrite.language.states import State
from tests.engines import ENGINES, natively, task_of
from tests.terms import A, B, C

N, M, P = ints("N M P")


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


@natively
def test_what_simplify_does_costs_nothing_to_an_estimate_even_where_it_is_looked_up() -> None:
    step = rule("up {N}", take=[C(0, N)], put=[C(0, N + 1)], when=N < 3)
    meet = rule(
        "meet", take=[C(0, N), C(1, M)], put=[C(0, 0), C(1, M + N)], when=[M + N == 3, N > 0]
    )
    puzzle = Puzzle(step, simplify=meet, start=[C(0, 0), C(1, 2)], sets=True)
    goal = contains(C(1, 3))
    reasoning = build(task_of(puzzle, goal)).reasoning
    assert reasoning is not None
    assert any(change.lookups for some in reasoning.program.simplify for _, change in some)
    assert {(one.rule, one.cost) for _, one in reasoning.relaxed} == {(0, 1), (1, 0)}
    found = search(puzzle, goal=goal, strategy="astar", heuristic="hmax")
    assert len(found.paths[0]) == 1


def test_other_starts_are_not_served_by_what_was_compiled_for_one() -> None:
    up = effect(take=[C(N, M)], put=[C(N, M + 1)], when=M < 3)
    step = rule("go", take=[A(P)], put=[A(P + 1)], when=P < 4, effects=[up])
    places = Puzzle(step, goal=contains(C(3, 3), A(2)), sets=True)
    for value, steps in ((1, 2), (2, 2), (3, 2), (7, None)):
        start = [A(0), C(0, 0), C(1, 0), C(2, 0), C(3, value)]
        found = search(places, start)
        assert (None if found.path is None else len(found.path)) == steps

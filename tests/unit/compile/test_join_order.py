"""The order in which the parts of a rule are tried follows from sizes, not from its source."""

from itertools import permutations
from typing import Any

import pytest

from rewrite import (
    ANY,
    Puzzle,
    Rule,
    State,
    count,
    explore,
    ints,
    lacks,
    lowest,
    moves,
    one_of,
    rule,
    strs,
    term,
)
from rewrite.compile.join_order import plan_rule, work
from rewrite.compile.program import compile_multiset
from tests.property.test_trial_agrees import Between, Ray, Robot


@term
class Step:
    cell: int
    way: str
    next: int


R, D = strs("R D")
C, T, M, N = ints("C T M N")
CELLS = range(12)
FACTS = [
    *[Step(one, "right", one + 1) for one in CELLS[:-1]],
    *[Ray(one, "right", stop) for one in CELLS for stop in CELLS[one + 1 :]],
    *[Between(a, b, via) for a in CELLS for b in CELLS[a + 1 :] for via in CELLS[a + 1 : b + 1]],
]
START = [Robot(name, cell) for name, cell in zip("abcd", (0, 4, 8, 11), strict=True)]


def planned(keep: Any, when: Any) -> tuple[list[Any], tuple[float, float]]:
    one = rule(f"{R} {D}", take=[Robot(R, C)], keep=list(keep), put=[Robot(R, T)], when=list(when))
    puzzle = Puzzle(one, facts=FACTS, start=START)
    assert puzzle.start is not None
    program = compile_multiset(puzzle, puzzle.start)
    made = puzzle.rules[0]
    steps = plan_rule(made, program.size)
    return [getattr(made, step.kind)[step.index] for step in steps], work(made, steps, program.size)


KEEP = [Ray(C, D, T), Step(T, D, N), Robot(ANY, N)]
WHEN = [lacks(Between(C, T, M), Robot(ANY, M)), lacks(Step(C, D, M), absent=Ray(C, D, M)), C != T]


@pytest.mark.parametrize("keep", [*permutations(KEEP)])
@pytest.mark.parametrize("when", [*permutations(WHEN)])
def test_any_order_of_the_parts_gives_the_same_plan(keep: Any, when: Any) -> None:
    parts, cost = planned(keep, when)
    first, expected = planned(KEEP, WHEN)
    assert (list(map(repr, parts)), cost) == (list(map(repr, first)), expected)


def test_facts_are_looked_up_before_conditions_that_loop() -> None:
    parts = list(map(repr, planned(KEEP, WHEN)[0]))
    assert parts[0] == repr(Robot(R, C))
    assert parts.index(repr(KEEP[0])) < parts.index(repr(WHEN[0]))
    assert parts.index(repr(WHEN[2])) == parts.index(repr(KEEP[0])) + 1  # a guard at once


def test_a_choice_of_nothing_is_planned() -> None:
    x, y = ints("x y")
    choose = rule("choose", take=[x], let={y: one_of(())}, put=[y])
    assert len(explore(Puzzle(choose), [1, ("a",)], engine="python").states) == 1


LETS: list[tuple[dict[Any, Any], int]] = [
    ({M: lowest(M, ("at", M), when=M > N)}, 4),  # M is local to the sum that it is bound to
    ({M: count(("at", T)), T: count(("way", ANY))}, 2),  # T is bound after the sum: local to it
    ({T: count(("way", ANY)), M: count(("at", T))}, 1),
    ({M: count(("at", T)), T: count(("at", M))}, 2),
    ({M: count(("at", T)), (C, T): one_of((1, 2), (2, 1))}, 3),
    ({4: count(("at", T)), T: count(("way", ANY)), M: T + 1}, 2),
]


@pytest.mark.parametrize(("lets", "states"), LETS)
@pytest.mark.parametrize("engine", ["auto", "python"])
def test_lets_see_what_is_bound_before_them(lets: Any, states: int, engine: str) -> None:
    go = rule("go", take=[("n", N)], let=lets, put=[("n", M)], when=M < 9)
    check_spaces(go, states, engine)


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_a_sum_that_waits_for_a_pattern_does_not_see_what_a_later_let_binds(engine: str) -> None:
    lets = {M: count(("at", T), when=T > N), T: count(("way", ANY))}
    go = rule("go", take=[("n", C)], keep=[("at", N)], let=lets, put=[("n", M + T)], when=M < 9)
    check_spaces(go, 4, engine)


def check_spaces(go: Rule, states: int, engine: str) -> None:
    """Check what the rule reaches against the definition, and how many states these are."""
    start = [("n", 0), *[("at", i) for i in (1, 2, 2, 5)], ("way", 7), ("way", 7), ("way", 7)]
    reached, todo = {State(start)}, [State(start)]
    for state in todo:
        todo += [one.after for one in moves(Puzzle(go), state) if one.after not in reached]
        reached |= {*todo}
    assert {*explore(Puzzle(go), start, engine=engine).states} == reached
    assert len(reached) == states

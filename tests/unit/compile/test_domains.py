"""Domains: which values slots can come to hold, and where the compiler does not ask."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from puzzles.water_jugs import Jug
from rewrite import (
    Puzzle,
    between,
    contains,
    fn,
    ints,
    least,
    length,
    rule,
    search,
    seqs,
    strs,
    term,
)
from rewrite.compile import encoding
from rewrite.compile.capacity import FIRST_BITS
from rewrite.compile.program import compile_slots
from rewrite.compile.slots import domains, parts
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.slots.parts import Part
from rewrite.engine.build import build
from rewrite.engine.tables import Tables
from tests.engines import ENGINES, start_of, task_of
from tests.terms import Next


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    """What was compiled with other limits is compiled again by other tests."""
    yield
    encoding.forget()


@term
class At:
    cell: int
    value: Any


@term
class Clock:
    time: int


@term
class Lap:
    key: int
    number: int
    runner: Any


@term
class Locked:
    cell: int


P, Q, X, Y, Z, V, W, A, B = ints("P Q X Y Z V W A B")
S, T = seqs("S T")
F, G = strs("F G")
CLOCK = rule("tick", take=[Clock(X)], put=[Clock(X + 1)])
SEEN: list[int] = []


@fn
def flipped(value: int) -> int:
    SEEN.append(value)
    return 1 - value


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The values for which a part of a rule is run; its one variable is not matched."""
    values = list[Any]()
    real = Part._found

    def found(self: Part, value: Any, env: Any) -> Any:
        values.append(value)
        return real(self, value, env)

    monkeypatch.setattr(Part, "_found", found)
    monkeypatch.delattr(parts, "match")
    return values


def layout_of(*rules: Any, start: list[Any], facts: list[Any] | None = None) -> SlotLayout:
    idle = rule("idle", take=[Jug(0, A)], put=[Jug(0, A)])  # else rules might read whole states
    puzzle = Puzzle(*rules, idle, start=[*start, Jug(0, 0)], facts=facts or [])
    program = compile_slots(puzzle, start_of(puzzle), FIRST_BITS, Tables().rest)
    return program.layout


def held(layout: SlotLayout, cls: Any) -> list[Any] | None:
    """The values of a family in the order of their numbers, None where they are open."""
    slots = layout.slots[cls.term_identity()]
    if not slots.closed:
        assert slots.bits == FIRST_BITS
        return None
    assert len(slots.values) <= 1 << slots.bits
    return [value[0] for value in slots.values]


def why_open(layout: SlotLayout, cls: Any) -> str:
    why = layout.slots[cls.term_identity()].open_for
    return "" if why is None else why.what


def in_slots(puzzle: Puzzle) -> str:
    encoding.forget()
    return build(task_of(puzzle)).encoding


def test_guards_bound_what_is_computed_slot_by_slot() -> None:
    """3 and 5 are the sizes: no jug holds more, and no jug of 3 is thought to hold 5."""
    layout = layout_of(
        rule("fill", take=[Jug(V, A)], put=[Jug(V, V)], when=A < V),
        rule("empty", take=[Jug(V, A)], put=[Jug(V, 0)], when=A > 0),
        rule(
            "pour", take=[Jug(V, A), Jug(W, B)], let={Z: least(A, W - B)},
            put=[Jug(V, A - Z), Jug(W, B + Z)], when=Z > 0,
        ),
        start=[Jug(3, 0), Jug(5, 0)],
    )  # fmt: skip
    assert held(layout, Jug) == [0, 3, 5, 1, 2, 4]


def test_the_numbers_of_values_do_not_depend_on_the_order_of_rules() -> None:
    rules = [
        rule("up", take=[At(0, X)], put=[At(0, X + 3)], when=X < 10),
        rule("down", take=[At(0, X)], put=[At(0, X - 2)], when=X > -3),
        rule(
            "pair",
            take=[At(0, X), At(1, Y)],
            put=[At(0, Y), At(1, X + Y)],
            when=between(-3, X + Y, 8),
        ),
    ]
    start = [At(0, 5), At(1, 4)]
    first = held(layout_of(*rules, start=start), At)
    assert first is not None
    assert first == held(layout_of(*reversed(rules), start=start), At)
    assert first[:2] == [5, 4]  # in the order of the start; then what is computed
    assert first[2:] == sorted(first[2:])


def test_a_value_is_passed_on_to_where_it_is_copied() -> None:
    """What is made in cell 0 comes to cell 1, and from there, changed, to cell 2."""
    layout = layout_of(
        rule("make", take=[At(0, X)], put=[At(0, 7 - X)]),
        rule("swap", take=[At(P, X), At(Q, Y)], put=[At(P, Y), At(Q, X)], keep=[Next(P, Q)]),
        rule("change", take=[At(1, X), At(2, Y)], put=[At(1, X), At(2, X * 10)], when=X < 10),
        start=[At(0, 2), At(1, 3), At(2, 4)], facts=[Next(0, 1)],
    )  # fmt: skip
    assert held(layout, At) == [2, 3, 4, 5, 20, 30, 40, 50]


def test_what_is_computed_in_take_is_computed_anew_where_it_is_put() -> None:
    """Of `At(1, X + 1)` a slot cannot be said to get a copy: the rule is run, and bounds it."""
    push = rule("push", take=[At(0, X), At(1, X + 1)], put=[At(0, X + 1), At(1, X + 2)], when=X < 2)
    layout = layout_of(push, start=[At(0, 0), At(1, 1)])
    assert held(layout, At) == [0, 1, 2, 3]


def test_what_must_be_absent_is_not_relied_on() -> None:
    """The lock may come off, so the slot may change."""
    layout = layout_of(
        rule("unlock", take=[Locked(P)], put=[]),
        rule("up", take=[At(P, X)], put=[At(P, X + 1)], absent=[Locked(P)], when=X < 3),
        rule("jump", take=[At(P, X)], put=[At(P, X + 5)], absent=[At(1, X)], when=X < 3),
        start=[At(0, 0), At(1, 0), Locked(0), Locked(1)],
    )
    assert held(layout, At) == [0, 1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize(
    "grow",
    [
        CLOCK,
        rule("square", take=[Clock(X)], put=[Clock(X * X + 1)]),
        rule("power", take=[Clock(X)], put=[Clock(X**X + 2)], when=X < 3),
    ],
    ids=["for ever", "to large numbers", "by powers"],
)
def test_values_that_grow_stay_open_and_the_others_do_not(grow: Any) -> None:
    press = rule("press", take=[At(0, X)], put=[At(0, 1 - X)])
    layout = layout_of(grow, press, start=[At(0, 1), Clock(0)])
    assert (held(layout, Clock), held(layout, At)) == (None, [1, 0])


@pytest.mark.parametrize(
    ("put", "guards"),
    [
        (X + 1, []),
        (X - 2, [X <= 0]),
        (X + Y, [Y == 3]),
        (3 + X - Y, [(X >= 0) & (X + Y < 900), Y > 1]),
        (X + 1, [between(0, X, 10**9), Y != 2]),
    ],
    ids=repr,
)
def test_a_counter_is_known_for_one_after_few_steps(
    put: Any, guards: list[Any], runs: list[Any]
) -> None:
    count = rule("count", take=[Clock(X)], put=[Clock(put)], keep=[Next(7, Y)], when=guards)
    layout = layout_of(count, start=[Clock(0)], facts=[Next(7, 2 if "3 + X" in repr(put) else 3)])
    assert held(layout, Clock) is None
    assert why_open(layout, Clock) == "there are more than 255"
    assert len(runs) < 20  # 255 if each step is taken


def test_a_counter_may_be_one_of_several_values_and_be_copied() -> None:
    """Clock gets copies of what Lap counts, and is not as long."""
    count = rule("count", take=[Lap(0, X, T), Clock(Y)], put=[Clock(X), Lap(0, X + 1, T)])
    layout = layout_of(count, start=[Lap(0, 0, ("a",)), Clock(0)])
    assert why_open(layout, Lap) == "there are more than 255"
    assert "together with those of Lap" in why_open(layout, Clock)


@pytest.mark.parametrize(
    ("put", "guard", "values"),
    [
        (X + 1, X < 200, 201),
        (X + 1, X != 100, 101),
        (X + 1, ~(X == 100), 101),
        (X + 1, (X < 100) | (X > 120), 101),
        (X + 1, X % 101 != 100, 101),
        (X - 1, X > -40, 41),
        (X + X, X < 10**9, 1),
        (X + X + 1, X < 10**9, 31),
        (least(X + 1, 90), X >= 0, 91),
        ((X + 1) % 200, X >= 0, 200),
        (X + 100 // (100 - X) * 0 + 1, X >= 0, 101),
    ],
    ids=repr,
)
def test_what_only_looks_like_a_counter_has_its_values(
    put: Any, guard: Any, values: int, runs: list[Any]
) -> None:
    count = rule("count", take=[Clock(X)], put=[Clock(put)], when=guard)
    found = held(layout_of(count, start=[Clock(0)]), Clock)
    assert found is not None
    assert len(found) == values
    assert len(runs) < values + 5  # each once: to find values, then to write the change


def test_what_is_computed_from_open_values_is_open() -> None:
    layout = layout_of(
        rule("note", take=[At(1, Y), At(0, X)], put=[At(1, Y), At(0, X % 2)]),
        rule("see", take=[Jug(1, A), Clock(X)], put=[Jug(1, X), Clock(X)]),
        CLOCK,
        start=[At(0, 1), At(1, 0), Jug(1, 0), Clock(0)],
    )
    assert held(layout, Clock) is None
    assert held(layout, Jug) is None
    assert held(layout, At) == [1, 0]


def test_a_copy_beside_an_open_value_is_not_forgotten() -> None:
    """The rule with the clock is given up, but it moves 7 into cell 0, where it is halved."""
    layout = layout_of(
        rule("halve", take=[At(0, X)], put=[At(0, X // 2)]),
        rule("late", take=[At(0, X), At(1, Y), Clock(Z)], put=[At(0, Y), At(1, X), Clock(Z + 1)]),
        start=[At(0, 0), At(1, 7), Clock(0)],
    )
    assert held(layout, Clock) is None
    assert held(layout, At) == [0, 7, 1, 3]


def test_a_function_is_not_called_for_states_that_may_never_come_up() -> None:
    SEEN.clear()
    flip = rule("flip", take=[At(0, X)], put=[At(0, flipped(X))], when=X > 5)
    layout = layout_of(flip, start=[At(0, 1)])
    assert held(layout, At) == [1]
    assert SEEN == []


def test_a_function_of_few_values_is_called_with_them_beforehand() -> None:
    SEEN.clear()
    flip = rule("flip", take=[At(0, X)], put=[At(0, flipped(X))])
    assert held(layout_of(flip, start=[At(0, 1)]), At) == [1, 0]
    assert {*SEEN} == {0, 1}


@fn
def picky(value: int) -> int:
    return [1, 2, 3, 0][value]


def test_a_function_that_fails_on_values_that_never_come_up_does_not_fail_a_search() -> None:
    """Cell 0 holds 5 only while cell 1 holds 0."""
    puzzle = Puzzle(
        rule("next", take=[At(0, X), At(1, 1)], put=[At(0, picky(X)), At(1, 1)]),
        rule("far", take=[At(0, X), At(1, 1)], put=[At(0, 5), At(1, 0)]),
        start=[At(0, 0), At(1, 1)],
    )
    assert held(layout_of(*puzzle.rules, start=[*(puzzle.start or ())]), At) is None
    for engine in ENGINES:
        found = search(puzzle, goal=contains(At(0, 3), At(1, 0)), engine=engine)
        assert (found.status, found.states) == ("exhausted", 5)


@fn
def slowly(value: int) -> int:
    SEEN.append(value)
    time.sleep(0.02)
    return list(range(1, 200))[value]


def test_a_limit_is_kept_while_a_function_is_called_beforehand() -> None:
    SEEN.clear()
    puzzle = Puzzle([rule("next", take=[At(C, X)], put=[At(C, slowly(X))]) for C in range(2)],
                    start=[At(C, 0) for C in range(2)])  # fmt: skip
    found = search(puzzle, goal=contains(At(0, -1)), max_seconds=0.1)
    assert (found.status, found.limit) == ("limit", "max_seconds")
    assert len(SEEN) < 15


def test_what_fails_when_run_is_left_to_the_search() -> None:
    """A text is not a number: but cell 1 never holds 1 while cell 0 holds a text."""
    puzzle = Puzzle(
        rule("add", take=[At(0, T), At(1, 1)], put=[At(0, 1 + length(T[0])), At(1, 0)]),
        rule("text", take=[At(0, X), At(1, Y)], put=[At(0, (X,)), At(1, Y - 1)], when=Y > 0),
        start=[At(0, 1), At(1, 1), At(2, 0)],
    )
    layout = layout_of(*puzzle.rules, start=[*(puzzle.start or ())])
    assert held(layout, At) is None


def test_small_puzzles_whose_rules_read_whole_states_are_kept_in_slots() -> None:
    puzzle = Puzzle(rule("flip", take=[At(0, X)], put=[At(0, 1 - X)]), start=[At(0, 0)])
    assert in_slots(puzzle) == "1 slots and 0 bits (1 bits in all), 1 ground rules"
    endless = Puzzle(rule("up", take=[At(0, X)], put=[At(0, X + 1)]), start=[At(0, 0)])
    assert in_slots(endless).endswith("what its rules do depends on whole states")


def test_more_work_than_is_worth_it_leaves_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle(
        rule(
            "swap", take=[At(0, X), At(1, Y)], put=[At(0, (X + Y) % 50), At(1, X + 1)], when=X < 50
        ),
        start=[At(0, 0), At(1, 0), At(2, 0)],
    )
    assert "(36 bits in all)" in in_slots(puzzle)
    monkeypatch.setattr(domains, "WORK_PER_INSTANCE", 10_000)
    assert "(18 bits in all)" in in_slots(puzzle)
    monkeypatch.setattr(domains, "MOST_VALUES", 50)
    assert "(36 bits in all)" in in_slots(puzzle)


@pytest.mark.parametrize("work", [0, 10_000])
def test_the_answer_does_not_depend_on_the_domains(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from puzzles import PUZZLES

    monkeypatch.setattr(domains, "MOST_WORK", work)
    result = search(PUZZLES["water_jugs"]("4", "3", "5"), solutions=None)
    assert (result.status, result.states, len(result.paths[0])) == ("exhausted", 16, 6)

"""How a state is kept in slots and bits of one number."""

from itertools import pairwise
from typing import Any

import pytest

from rewrite import ANY, Puzzle, contains, count, explore, fn, ints, lacks, moves, one_of, rule
from rewrite.compile.program import SlotProgram, compile_slots
from rewrite.compile.slots import instances
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import WORD
from rewrite.engine.tables import Tables
from rewrite.language.nesting import reached
from rewrite.language.states import State
from tests.engines import over_slots, start_of, task_of
from tests.terms import At, Mark, Next

P, Q, R, X, Y = ints("P Q R X Y")


def counting(cells: int) -> Puzzle:
    """Values that grow without end, so that slots keep the bits they are given, and marks."""
    return Puzzle(
        rule("add", take=[At(P, X)], put=[At(P, X + 1)]),
        rule("mark", take=[Mark(P)], let={Q: one_of(1, 2, 3)}, put=[Mark(Q)], absent=[Mark(Q)]),
        start=[*[At(cell, 0) for cell in range(cells)], Mark(0), Mark(1)],
        name="counting",
    )


def compiled(puzzle: Puzzle, bits: int) -> SlotProgram:
    return compile_slots(puzzle, start_of(puzzle), bits, Tables().rest)


@pytest.mark.parametrize("bits", [12, 24, 31, 32, 33, 48, 64])
def test_no_slot_lies_across_the_border_of_two_words(bits: int) -> None:
    puzzle = counting(13)
    layout = compiled(puzzle, bits).layout
    slots = next(iter(layout.slots.values()))
    places = [*slots.offsets.values()]
    assert slots.bits == bits
    assert all(place // WORD == (place + bits - 1) // WORD for place in places)
    assert all(later - earlier >= bits for earlier, later in pairwise(places))
    assert min(choice.offset for choice in layout.choices.values()) >= places[-1] + bits
    assert sum(layout.masks).bit_count() == 13 * bits + len(layout.atoms)
    assert layout.decode(layout.encode(start_of(puzzle))) == start_of(puzzle)


def test_bits_that_are_skipped_do_not_hide_that_rules_depend_on_whole_states() -> None:
    names = ints("x0:6")
    states = [At(cell, name) for cell, name in enumerate(names)]
    grown = [At(cell, name + 1) for cell, name in enumerate(names)]
    puzzle = Puzzle(rule("all", take=states, put=grown), start=[At(c, 0) for c in range(6)])
    with pytest.raises(Unsuitable, match="whole states"):
        compiled(puzzle, 12)


def test_a_state_in_which_a_unique_value_stands_twice_is_recognised() -> None:
    """Guards that follow from there being only one were left out."""
    swap = rule("swap", take=[At(P, X), At(Q, 0)], put=[At(P, 0), At(Q, X)], when=X > 0)
    puzzle = Puzzle(swap, start=[At(0, 0), At(1, 1), At(2, 1)])
    program = compiled(puzzle, 12)
    assert not any(change.misses or change.lookups for _, each in program.rules for change in each)
    layout = program.layout
    assert not layout.repeats(layout.encode(State([At(0, 1), At(1, 0), At(2, 1)])))
    assert layout.repeats(layout.encode(State([At(0, 0), At(1, 0), At(2, 1)])))


def test_a_let_whose_pattern_computes_from_a_slot_waits_for_it() -> None:
    up = rule("up", take=[At(P, X)], keep=[Mark(Q)], let={X + 1: Q}, put=[At(P, Q)])
    puzzle = Puzzle(up, start=[At(0, 1), Mark(2), Mark(3)])
    assert compiled(puzzle, 4)
    assert [str(one) for one in explore(puzzle).states] == [
        "[At(0, 1), Mark(2), Mark(3)]", "[At(0, 2), Mark(2), Mark(3)]",
        "[At(0, 3), Mark(2), Mark(3)]",
    ]  # fmt: skip


NEXT = [("next", 0, 1), ("next", 1, 2), ("dead", 2), ()]


@pytest.mark.parametrize(
    ("asked", "ground"),
    [
        ({"keep": [("next", P, Q)]}, 2),
        ({"keep": [("next", P, ANY), ("next", ANY, Q)]}, 1),
        ({"keep": [("dead", P)]}, 2),
        ({"absent": [("next", P, Q)]}, 4),
        ({"absent": [("dead", Q), ("next", P, ANY)]}, 2),
        ({"when": contains(("next", P, Q)) | contains(("next", Q, P))}, 2),
        ({"when": (P != 0) & lacks(("next", P, R), when=R != Q) & lacks(("dead", R), when=R == P)},
         1),
    ],
)  # fmt: skip
def test_facts_may_be_sequences(asked: dict[str, Any], ground: int) -> None:
    swap = rule("swap", take=[At(P, X), At(Q, Y)], put=[At(P, Y), At(Q, X)], **asked)
    puzzle = Puzzle(swap, start=[At(0, 3), At(1, 4), At(2, 5), *NEXT[:1]], facts=NEXT[1:])
    program = compiled(puzzle, 4)
    assert sum(len(changes) for _, changes in program.rules) == ground
    assert {*explore(puzzle, engine="python").states} == {*by_definition(puzzle)}


def by_definition(puzzle: Puzzle) -> list[State]:
    return [*reached([start_of(puzzle)], lambda one: [step.after for step in moves(puzzle, one)])]


@pytest.mark.parametrize(
    "absent",
    [
        [At(Q, 2), At(P, 2)],
        [At(Q, Q), At(7, Q)],
        [At(Q + 1, 2)],
        [At(2 // Q, 2)],  # of what has no value nothing is there
        [At(Q, 2 // Q)],
        [At(ANY, 2 // Q), Mark(2 // Q)],
    ],
)  # fmt: skip
def test_what_is_known_to_be_absent_from_a_slot_needs_no_table(absent: list[Any]) -> None:
    turn = rule("turn", take=[At(P, X)], keep=[Next(P, Q)], put=[At(P, (X + 1) % 3)], absent=absent)
    mark = rule("mark", take=[Mark(P)], put=[Mark(P + 1)], when=P < 1)
    facts = [Next(0, 1), Next(1, 2), Next(2, 0)]
    puzzle = Puzzle(turn, mark, start=[*[At(cell, 0) for cell in range(3)], Mark(0)], facts=facts)
    program = compiled(puzzle, 4)
    assert not any(change.lookups for _, changes in program.rules for change in changes)
    assert {*explore(puzzle, engine="python").states} == {*by_definition(puzzle)}


def test_what_compares_a_slot_with_very_many_facts_is_left_to_a_multiset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sums = [At(0, X), At(1, R)]
    go = rule("go", take=sums, let={Y: (X * 3 + R) % 50}, keep=[Mark(Y)], put=[At(0, Y), At(1, X)])
    puzzle = Puzzle(go, start=[At(0, 1), At(1, 2), At(2, 0)], facts=[Mark(y) for y in range(50)])
    ((_, (change,)),) = compiled(puzzle, 8).rules
    assert len(change.lookups) == 50
    monkeypatch.setattr(instances, "MOST_LOOKUPS", 49)
    with pytest.raises(Unsuitable, match="more than 49 combinations of facts"):
        compiled(puzzle, 8)


def test_a_guard_between_a_slot_and_very_many_facts_is_left_to_a_multiset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go = rule("go", take=[At(0, X)], keep=[Mark(Y)], put=[At(0, Y)], when=(X - Y) % 7 == 1)
    puzzle = Puzzle(go, start=[At(0, 1)], facts=[Mark(y) for y in range(50)])
    monkeypatch.setattr(instances, "MOST_RESULTS", 2_500)  # each of 50 values, by each of 50 facts
    ((_, changes),) = compiled(puzzle, 8).rules
    assert len(changes) == 50
    monkeypatch.setattr(instances, "MOST_RESULTS", 2_499)
    with pytest.raises(Unsuitable, match="asks of more than 2,499 combinations"):
        compiled(puzzle, 8)
    goes = explore(puzzle, engine="python").states
    assert {*goes} == {*by_definition(puzzle)}


@fn
def tenth(number: int) -> int:
    return 10 // number


def test_a_rule_may_count_whether_there_is_any() -> None:
    p, q, x = ints("p q x")

    def step(*when: Any) -> Puzzle:
        go = rule("go", take=[At(p, x)], put=[At(p, x + 1)], when=[x < 3, *when])
        return Puzzle(go, start=[At(0, 0), At(1, 1)])

    over = over_slots(task_of(step(count(At(q, 0)) == 0, count(At(p - 1, ANY)) > 0)))
    states = [over.decode(one) for one in over.successors(over.encode(State([At(0, 2), At(1, 1)])))]
    assert states == [State([At(0, 2), At(1, 2)])]
    for asked in (
        count(At(q, tenth(q))) == 0,
        count(At(q, 0)) == False,  # noqa: E712
        count(At(q, 0)) == 1,
        count(At(q, 0)) > p,
    ):
        with pytest.raises(Unsuitable, match="looks at the whole state"):
            over_slots(task_of(step(asked)))

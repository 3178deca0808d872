"""Corners of the engines: restarts, deep patterns, truth values, equal terms."""

from typing import Any

import pytest

from rewrite import Puzzle, contains, exactly, fn, ints, lacks, rule, search, terminal, total
from rewrite.compile.capacity import LEAST, Capacity, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.code.write.build import TOO_DEEP
from rewrite.compile.interning import encode
from rewrite.compile.task import Task
from rewrite.engine import runtime, slot_engine
from rewrite.engine.build import build
from rewrite.language.states import State
from tests.engines import task_of
from tests.terms import Box, Mark
from tests.unit.outgrowing import COPYING, Count, counting

M, N, X = ints("M N X")


def encoding(puzzle: Puzzle, capacity: Capacity = LEAST) -> str:
    return build(task_of(puzzle, puzzle.goal), capacity).encoding


COUNTING = counting(9000)


def test_slots_are_widened_when_values_outgrow_them() -> None:
    """12 bits hold 4,096 values; the search starts again with 24 and finds the 9,000th."""
    result = search(COUNTING)
    assert (result.status, result.states) == ("found", 9001)
    assert encoding(COUNTING).startswith("2 slots and 0 bits (24 bits in all)")
    assert encoding(COUNTING, Capacity(bits=24)).startswith("2 slots and 0 bits (48 bits in all)")


def test_a_term_that_comes_to_stand_twice_is_kept_in_a_multiset() -> None:
    assert "1 bits" in encoding(COPYING) or "2 bits" in encoding(COPYING)
    assert encoding(COPYING, Capacity(multiset=["why"])) == "a multiset in groups (Mark): why"
    result = search(COPYING, max_depth=3)
    assert (result.status, len(result.paths[0])) == ("found", 2)


def test_true_and_one_are_two_atoms() -> None:
    puzzle = Puzzle(rule("t", take=[True], put=[1]), start=[True, 1], goal=exactly(1, 1))
    result = search(puzzle)
    assert result.paths[0].end == State([1, 1])


def test_more_patterns_than_python_nests_loops_ask_for_the_definition() -> None:
    numbers = [*ints("v0:24")]
    puzzle = Puzzle(rule("all", take=numbers, put=["done"]), start=[0], goal=contains("done"))
    engine = build(Task(puzzle, State([0])))
    with pytest.raises(NeedsCapacity) as raised:
        engine.successors(engine.encode(State([0])))
    assert raised.value.capacity == TOO_DEEP
    assert search(puzzle).summary().startswith("no solution: all 1 state seen")


def test_the_engine_of_last_resort_finds_what_the_others_find() -> None:
    start = COUNTING.start or State([])
    plain = build(Task(COUNTING, start, COUNTING.goal), Capacity(definition=["a reason"]))
    other = build(Task(COUNTING, start, COUNTING.goal))
    assert plain.encoding == "the definition itself, slowly: a reason"
    found = [plain.decode(code) for code in plain.successors(plain.encode(start))]
    assert found == [other.decode(code) for code in other.successors(other.encode(start))]
    assert plain.goal(plain.encode(start)) is False
    assert plain.forbidden(plain.encode(start)) is False
    assert plain.condition(contains(Count("a", 0)))(plain.encode(start)) is True
    assert plain.reasoning is None
    assert other.reasoning is not None
    assert plain.counts()["up"].fired == other.counts()["up"].fired == 1


def test_the_places_of_facts_and_state_are_not_confused_when_both_hold_a_constructor() -> None:
    """A keep among terms that state and facts share may use each occurrence once."""
    puzzle = Puzzle(
        rule("pair", keep=[Mark(M), Mark(N)], take=["go"], put=[(M, N)]),
        rule("add", take=["add"], put=[Mark(7)]),
        start=["go", Mark(1)], facts=[Mark(2)], goal=contains((2, 2)),
    )  # fmt: skip
    engine = build(Task(puzzle, puzzle.start or State([]), puzzle.goal))
    found = {engine.decode(code) for code in engine.successors(engine.encode(State(puzzle.start)))}
    assert found == {State([Mark(1), (1, 2)]), State([Mark(1), (2, 1)])}

    twice = puzzle.replace(rules=[puzzle.rules[0], *puzzle.rules])  # their loops are shared
    again = build(Task(twice, twice.start or State([]), twice.goal))
    code = again.encode(State(twice.start))
    assert {again.decode(one) for one in again.successors(code)} == found


def test_what_two_rules_take_alike_neither_of_them_keeps() -> None:
    """Mark(1) is taken, and no second Mark is left beside the fact."""
    both: dict[str, Any] = {"take": [Mark(M)], "keep": [Mark(N), Mark(7)]}
    puzzle = Puzzle(
        rule("drop", **both), rule("turn", put=[Mark(N)], **both), start=[Mark(1)], facts=[Mark(7)]
    )
    engine = build(Task(puzzle, puzzle.start or State([])))
    assert engine.successors(engine.encode(State([Mark(1)]))) == []
    found = [engine.decode(one) for one in engine.successors(engine.encode(State([Mark(1)] * 2)))]
    assert found == [State([Mark(1)]), State([Mark(1)] * 2)]


@fn
def picky(at: int) -> int:
    if at > 2:
        raise ValueError("too far")
    return at + 1


def test_what_fails_for_a_ground_rule_that_never_applies_does_not_stop_a_search() -> None:
    """Slots would ask for picky(3), but no step is possible where Mark(3) has come up."""
    puzzle = Puzzle(
        rule("go", take=[Mark(M), Count("a", X)], put=[Mark(picky(M)), Count("a", X + 1)],
             when=X < 2),
        start=[Mark(0), Mark(1), Count("a", 0), Count("b", 0)],
        goal=contains(Mark(3)),
    )  # fmt: skip
    assert encoding(puzzle).startswith("a multiset in groups (Count, Mark): what is ground befo")
    assert search(puzzle).status == "found"


def test_a_function_of_states_in_slots_sees_each_state_once_and_nothing_is_made_a_multiset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[State] = []

    def far(state: State) -> bool:
        seen.append(state)
        return Mark(2) in state

    monkeypatch.setattr(slot_engine, "multiset", None)
    moves = rule("go", take=[Mark(M)], put=[Mark(M + 1)], when=M < 3)
    result = search(Puzzle(moves, start=[Mark(0), Mark(7)]), goal=far)
    assert (result.status, len(result.path or ())) == ("found", 2)
    assert seen[:3] == [[Mark(n), Mark(7)] for n in range(3)]


def test_terminal_beside_what_slots_cannot_ask_knows_what_is_forbidden() -> None:
    """Conditions that share a variable, and sums with conditions inside, are asked of Python."""
    puzzle = Puzzle(
        rule("on", take=[Box(N)], put=[Box(N + 1)], when=N < 5),
        start=[Box(0)], never=contains(Box(3)),
    )  # fmt: skip
    assert encoding(puzzle).startswith("1 slots")
    end = contains(Box(M)) & (terminal() & lacks(Box(M + 1)))
    assert len(search(puzzle, goal=end).paths[0]) == 2
    assert search(puzzle, minimize=-total(M, Box(M), when=terminal())).objective == -2


def test_a_value_of_another_kind_than_is_needed_is_shown_as_a_person_writes_it() -> None:
    with pytest.raises(EngineFailure, match=r"^a whole number was needed, found Box\(1\)$"):
        runtime.integer(encode(Box(1)))
    with pytest.raises(EngineFailure, match=r"^a text was needed, found 0x[0-9a-f]{4000}"):
        runtime.text(10**5000)

"""Parts of goals, digests of rules, and reasons of rules."""

from typing import Any

import pytest

from rewrite.language.conditions import Condition, contains, exactly, lacks
from rewrite.language.functions import fn, ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.play.digest import digest_of
from rewrite.play.position_facts import idle_rules, parts_of

M, N = ints("M N")
ON = rule("on", take=[N], put=[N + 1])


@pytest.mark.parametrize(
    ("goal", "state", "parts"),
    [
        (contains(1, 2), [1, 3], [("1", True), ("2", False)]),
        (contains(1, 1), [1, 3], [("1 × 2", False)]),
        (contains(M, N, when=M > N), [1, 3], [("contains(M, N, when=M > N)", True)]),
        (contains(1) & lacks(3), [1, 3], [("contains(1)", True), ("lacks(3)", False)]),
        (contains(M) & contains(N, when=N > M), [1], None),
        (contains(1) | contains(2), [2], [("(contains(1) | contains(2))", True)]),
        (exactly(1), [1, 3], [("exactly(1)", False)]),
        (State([1, 2]), [1, 3], [("1", True), ("2", False), ("nothing else", True)]),
    ],
)
def test_parts_of_a_goal_are_judged_one_by_one_where_they_can_be(
    goal: Condition, state: list[int], parts: list[tuple[str, bool]] | None
) -> None:
    puzzle = Puzzle(ON, goal=goal)
    assert puzzle.goal is not None
    found = parts_of(puzzle, State(state), puzzle.goal)
    if parts is None:
        assert len(found) == 1
    else:
        said = [text.removeprefix("contains(").removesuffix(")") for text, _ in found]
        assert [holds for _, holds in found] == [holds for _, holds in parts]
        assert found == parts or said == [
            text.removeprefix("contains(").removesuffix(")") for text, _ in parts
        ]


def test_a_goal_that_is_a_function_only_holds_or_not_and_may_fail() -> None:
    def solved(state: State) -> bool:
        return 1 // (len(state) - 1) > 0

    puzzle = Puzzle(ON, goal=solved)
    assert puzzle.goal is not None
    assert parts_of(puzzle, State([1, 2]), puzzle.goal) == [("solved", True)]
    assert parts_of(puzzle, State([1]), puzzle.goal) == [("solved", None)]


def beyond(least: int) -> Any:
    def more(state: State) -> bool:
        return len(state) > least

    return more


def changed() -> list[tuple[str, Any]]:
    @fn
    def small(n: int) -> bool:
        return n < 3

    @fn
    def large(n: int) -> bool:
        return n < 4

    large.name = small.name  # type: ignore[attr-defined]  # a function to type checkers
    return [
        ("rule", {"rules": [rule("on", take=[N], put=[N + 2])]}),
        ("label", {"rules": [rule("on!", take=[N], put=[N + 1])]}),
        ("start", {"start": [2]}),
        ("goal", {"goal": contains(4)}),
        ("states", {"goal": [State([1]), State([2])]}),
        ("other states", {"goal": [State([1]), State([3])]}),
        ("facts", {"facts": [7]}),
        ("never", {"never": contains(5)}),
        ("simplify", {"simplify": [rule("off", take=[9], put=[1])]}),
        ("function", {"rules": [rule("on", take=[N], put=[N + 1], when=small(N))]}),
        ("other function", {"rules": [rule("on", take=[N], put=[N + 1], when=large(N))]}),
        ("predicate", {"goal": lambda state: 1 in state}),
        ("other predicate", {"goal": lambda state: 2 in state}),
        ("a set", {"goal": lambda state: len(state) in {1, 2}}),
        ("another set", {"goal": lambda state: len(state) in {1, 3}}),
        ("a float", {"goal": lambda state: len(state) > 1.5}),
        ("another float", {"goal": lambda state: len(state) > 2.5}),
        ("what is closed over", {"goal": beyond(1)}),
        ("something else", {"goal": beyond(2)}),
    ]


def test_a_digest_changes_with_every_part_of_the_definition() -> None:
    puzzle = Puzzle(ON, start=[1], goal=contains(3))
    found = {digest_of(puzzle.replace(**parts)): name for name, parts in changed()}
    assert len(found) == len(changed())
    assert digest_of(puzzle) not in found


def test_a_digest_does_not_change_with_what_is_only_shown() -> None:
    puzzle = Puzzle(ON, start=[1], goal=contains(3))
    same = Puzzle(
        rule("on", take=[N], put=[N + 1]),
        start=[1],
        goal=contains(3),
        name="other",
        show=lambda s: "x",
    )
    assert digest_of(same) == digest_of(puzzle)


def test_the_reason_of_a_rule_is_the_first_condition_that_nothing_comes_through() -> None:
    puzzle = Puzzle(
        rule("high", take=[M, N], put=[M], when=M > 2 * N, absent=[7]),
        rule("forbidden", take=[N], put=[9], when=N == 3),
        never=contains(9),
    )
    found = {idle["rule"]: idle["why"] for idle in idle_rules(puzzle, State([2, 3]), ())}
    assert found["high"] == "nothing comes through when=M > 2 * N; e.g. M=2, N=3"
    assert found["forbidden"].startswith("nothing comes through never=contains(9); e.g. N=3, to")

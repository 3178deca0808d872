"""Digests of rules, goals that are functions, and reasons of rules."""

from typing import Any

from rewrite import Puzzle, State, contains, fn, ints, rule
from rewrite.checkpoints.identity import digest_of
from rewrite.play.position_facts import idle_rules
from rewrite.play.positions import Position
from rewrite.results.sentences import told_goal
from rewrite.search.tasks.steps import Steps

M, N = ints("M N")
ON = rule("on", take=[N], put=[N + 1])


def test_a_goal_that_is_a_function_only_holds_or_not_and_may_fail() -> None:
    def solved(state: State) -> bool:
        return 1 // (len(state) - 1) > 0

    puzzle = Puzzle(ON, goal=solved)
    assert told_goal(puzzle, State([1, 2])) == [("solved", True, "solved")]
    assert told_goal(puzzle, State([1])) == [("solved", None, "solved")]


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


def test_rules_without_a_step_are_told_with_what_fails() -> None:
    puzzle = Puzzle(
        rule("high", take=[M, N], put=[M], when=M > 2 * N, absent=[7]),
        rule("on", take=[N], put=[N + 1]),
        rule("forbidden\u202e", take=[N], put=[9], when=N == 3),
        never=contains(9),
    )
    state = State([2, 3])
    found = {
        idle["rule"]: idle["raw"] for idle in idle_rules(Position(Steps(puzzle, state), state))
    }
    assert found == {"high": "when=M > 2 * N", "forbidden\\u202e": "never=contains(9)"}

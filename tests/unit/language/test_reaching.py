"""`reachable`: rules of their own within a rule."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from rewrite import (
    Bag,
    CheckpointError,
    ExpressionError,
    Puzzle,
    RuleError,
    bags,
    contains,
    exactly,
    explore,
    ints,
    is_in,
    moves,
    one_of,
    reachable,
    rule,
    search,
    terms,
)
from rewrite.checkpoints.identity import digest_of
from rewrite.language import reaching
from tests.engines import natively

M, N = ints("M N")
B, R = bags("B R")
T = terms("T")
DOWN = rule("down", take=[N], put=[N - 1], when=N > 1)
HALF = rule("half", take=[N], put=[N // 2], when=N > 1)


def picking(*rules: Any, start: Any = ("box", [3, 4])) -> Puzzle:
    """Out of the box comes what some bag has that its rules lead to."""
    pick = rule(
        f"pick {M}", take=[("box", B)], let={Bag([M, *R]): one_of(reachable(B, rules))},
        put=[M, ("box", R)],
    )  # fmt: skip
    return Puzzle(pick, start=[start], name="picking")


def test_it_gives_each_bag_once_the_nearest_first() -> None:
    assert reachable([3, 1], DOWN) == (Bag([1, 3]), Bag([1, 2]), Bag([1, 1]))


def test_never_simplify_and_facts_of_its_puzzle_count() -> None:
    step = rule("on", take=[N], keep=[("to", N, M)], put=[M])
    twos = rule("twos", take=[2, 2], put=[4])
    ways = Puzzle(step, facts=[("to", 1, 2), ("to", 2, 3)], never=contains(3, 3), simplify=twos)
    assert reachable([1, 1], ways) == (Bag([1, 1]), Bag([1, 2]), Bag([4]), Bag([1, 3]), Bag([2, 3]))


def test_a_pattern_is_matched_with_all_of_them() -> None:
    assert {step.label for step in moves(picking(DOWN), [("box", [3])])} == {
        "pick 3", "pick 2", "pick 1",
    }  # fmt: skip
    space = explore(picking(DOWN))
    assert space.levels == [1, 15, 9]
    labels = {step.label for step in moves(picking(DOWN, HALF), [("box", [9])])}
    assert labels == {f"pick {n}" for n in range(1, 10)}


def test_it_stands_in_conditions() -> None:
    puzzle = Puzzle(rule("go", take=[B], put=["gone"], when=is_in(Bag([1]), reachable(B, HALF))))
    assert [str(step.after) for step in moves(puzzle, [Bag([5]), Bag([0])])] == ["['gone', [0]]"]


def test_equal_rules_make_equal_puzzles_and_travel() -> None:
    assert picking(DOWN) == picking(rule("down", take=[N], put=[N - 1], when=N > 1))
    assert picking(DOWN) != picking(HALF)
    assert pickle.loads(pickle.dumps(picking(DOWN))) == picking(DOWN)
    assert digest_of(picking(DOWN)) == digest_of(picking(DOWN))
    assert digest_of(picking(DOWN)) != digest_of(picking(HALF))


@natively
def test_a_checkpoint_knows_the_rules_within(tmp_path: Path) -> None:
    goal = exactly(1, 1, ("box", ()))
    search(picking(DOWN), goal=goal, checkpoint=tmp_path, max_states=3)
    with pytest.raises(CheckpointError, match="rule 1"):
        search(picking(HALF), goal=goal, checkpoint=tmp_path)
    assert search(picking(DOWN), goal=goal, checkpoint=tmp_path).status == "exhausted"


def test_what_is_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExpressionError, match="has no rules"):
        reachable(B, [])
    with pytest.raises(ExpressionError, match="starts from a nested bag, found 7"):
        reachable(7, DOWN)
    anything = Puzzle(rule("x", take=[T], let={R: one_of(reachable(T, DOWN))}, put=[R]))
    with pytest.raises(RuleError, match="starts from a nested bag, found 7"):
        moves(anything, [7])
    monkeypatch.setattr(reaching, "MOST_REACHED", 5)
    with pytest.raises(RuleError, match="more than 5 bags"):
        reachable([1], rule("up", take=[N], put=[N + 1]))
    with pytest.raises(RuleError, match="more than 5 bags"):
        moves(picking(rule("up", take=[N], put=[N + 1])), [("box", [1])])

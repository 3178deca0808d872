"""explain: every stage of the funnel, and texts that say what to do."""

from itertools import pairwise
from typing import Any

import pytest

from rewrite import Funnel, Puzzle, PuzzleError, contains, ints, one_of, rule, strs
from rewrite.results import explain
from tests.terms import Box, Floor, Player

M, N, P, D, X = ints("M N P D X")
L = strs("L")


WALK = Puzzle(
    rule(
        f"walk {L}",
        let={(L, D): one_of(("left", -1), ("right", 1))},
        take=[Player(P)],
        keep=[Floor(P + D)],
        absent=[Box(P + D)],
        put=[Player(P + D)],
    ),
    rule("leave", take=[Player(0)], put=[1], when=contains(Box(X))),
    facts=[Floor(n) for n in range(4)],
    never=[contains(Player(0))],
    start=[Player(1), Box(2)],
    name="walk",
)


def stages(funnel: Funnel) -> list[tuple[str, int, int, int]]:
    return [(one.name, one.entered, one.survived, one.dropped) for one in funnel.stages]


def test_the_funnel_counts_every_stage() -> None:
    funnel = explain.funnel(WALK, None, "walk {L}")
    assert stages(funnel) == [
        ("take Player(P)", 1, 1, 0),
        ("keep Floor(P + D)", 1, 4, 0),
        ("let (L, D): one_of(('left', -1), ('right', 1))", 4, 2, 2),
        ("absent=Box(P + D)", 2, 1, 1),
        ("never=contains(Player(0))", 1, 0, 1),
    ]
    assert funnel.steps == 0
    assert funnel.stages[3].example == "P=1, L='right', D=1"
    assert "to [Box(2), Player(0)]" in funnel.stages[4].example
    assert str(funnel).endswith("0 steps: nothing comes through never=contains(Player(0))")


def test_patterns_count_distinct_occurrences() -> None:
    puzzle = Puzzle(rule("pair", take=[N, N], put=[N]))
    assert stages(explain.funnel(puzzle, [3, 3, 4], "pair")) == [
        ("take N", 1, 2, 0),
        ("take N", 2, 1, 1),
    ]
    assert explain.funnel(puzzle, [3, 3, 4], "pair").stages[1].example == "N=4"


def test_a_pattern_that_matches_nothing_ends_the_funnel() -> None:
    funnel = explain.funnel(WALK, [Player(1)], "leave")
    assert stages(funnel) == [("take Player(0)", 1, 0, 1)]
    assert "0 left, 1 dropped: e.g. nothing in the state matches" in str(funnel)


def test_a_put_without_a_value_is_a_stage() -> None:
    puzzle = Puzzle(rule("divide", take=[M, N], put=[M // N], when=M != N))
    funnel = explain.funnel(puzzle, [0, 6], puzzle.rules[0])
    assert stages(funnel)[-1] == ("put [M // N] has a value", 2, 1, 1)
    assert funnel.stages[-1].example == "M=6, N=0"
    assert funnel.steps == 1


@pytest.mark.parametrize("state", [[2, 4, 5], [], [1, 1, 1], [8, 4, 2, 1]])
def test_each_stage_lets_through_what_the_next_one_gets(state: list[int]) -> None:
    made = rule("x", take=[M, N], put=[M // N], when=[M >= N, M % N == 0], absent=[M + N])
    funnel = explain.funnel(Puzzle(made), state, made)
    conditions = [one for one in funnel.stages if not one.name.startswith("take")]
    for one, after in pairwise(conditions):
        assert one.survived == after.entered
    assert funnel.steps == (funnel.stages[-1].survived if funnel.stages else 0)


def test_a_rule_is_found_by_a_label_as_it_is_shown() -> None:
    assert explain.funnel(WALK, None, "walk right").rule == WALK.rules[0]


def test_an_unknown_rule_gets_a_did_you_mean() -> None:
    with pytest.raises(PuzzleError, match=r"walk has no rule 'leaf' \(did you mean leave\?\). Its"):
        explain.funnel(WALK, None, "leaf")


def test_a_name_that_fits_several_rules_asks_for_the_rule() -> None:
    puzzle = Puzzle(rule("up", take=[N], put=[N + 1]), rule("up", take=[N], put=[N + 2]))
    with pytest.raises(PuzzleError, match=r"2 rules of puzzle can read 'up': 'up', 'up'; give the"):
        explain.funnel(puzzle, [1], "up")


def test_a_missing_start_is_an_error() -> None:
    with pytest.raises(PuzzleError, match="explain: walk has no start; write explain"):
        explain.funnel(WALK.replace(start=None), None, "leave")


def test_without_a_rule_there_is_a_line_for_each() -> None:
    overview = explain.overview(WALK, [Player(2), Box(3)])
    assert overview.ways == {"walk {L}": 1, "leave": 0}
    assert str(overview) == (
        "walk in state [Box(3), Player(2)]\n  walk {L}  1 step\n  leave     0 steps"
    )


def test_without_a_state_it_says_what_the_puzzle_is() -> None:
    text: Any = str(explain.overview(WALK))
    assert text.startswith("walk: 2 rules\n  rule('walk {L}', take=[Player(P)]")
    assert "facts (4): [Floor(0), Floor(1), Floor(2), Floor(3)]" in text
    assert "never: contains(Player(0))" in text
    assert text.endswith("start: [Box(2), Player(1)]\ngoal: not given")
    larger = WALK.replace(facts=[*map(Floor, range(1_200)), ("x", 1), *range(20)])
    many = str(explain.overview(larger))
    assert (
        "\nfacts (1,221):\n  0 … 19 (20)\n  ('x', 1)\n  Floor(0) … Floor(1199) (1,200)\nnever: "
    ) in many

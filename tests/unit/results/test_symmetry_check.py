"""check_symmetry: right declarations hold, wrong ones are told with what they break."""

import pytest

from puzzles import farmer, two_grids
from rewrite.errors import PuzzleError, SearchError
from rewrite.language.conditions import exactly
from rewrite.language.functions import bags, fn, ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.language.terms import term
from rewrite.results.symmetry_check import check_symmetry

M, N, P, D = ints("M N P D")
(S,) = (seqs("S"),)
(B,) = (bags("B"),)
At = two_grids.At
GRIDS = two_grids.instance()
RING = Puzzle(rule(f"from {N}", take=[N], put=[(N + 1) % 5]), start=[0], name="ring")


@term
class Pot:
    name: str
    content: list[int]


@fn
def known(number: int) -> int:
    return {0: 1, 1: 0}[number]


def test_the_four_declarations_of_the_two_grids_hold() -> None:
    report = check_symmetry(GRIDS, 8)
    assert report
    assert (report.states, report.complete, report.violations) == (8, False, ())
    assert str(report) == (
        "two_grids: 4 of 4 declared symmetries held in 8 random states (no goal seen; start= "
        "takes a state to begin at)"
    )
    solved = two_grids.board("816816357357492492")
    assert check_symmetry(GRIDS, 3, start=solved).goals == 1


def test_a_relabelling_that_merges_two_terms_is_told_as_no_bijection() -> None:
    wrong = relabel(At(M, N), At(M, 0))
    report = check_symmetry(GRIDS.replace(symmetry=[*GRIDS.symmetry, wrong]), 3)
    assert not report
    (violation,) = report.violations
    assert violation.generator is wrong
    assert violation.image is None
    assert violation.state == GRIDS.start
    assert str(report).splitlines()[:2] == [
        "two_grids: 4 of 5 declared symmetries held in 3 random states (no goal seen; start= "
        "takes a state to begin at)",
        "relabel(At(M, N), At(M, 0)) is not a symmetry: no bijection: At(0, 4) and At(0, 5) both "
        "become At(0, 0)",
    ]


def test_a_term_that_moves_onto_one_that_stays_is_no_bijection() -> None:
    up = Puzzle(rule("up", take=[M], put=[M + 1], when=M < 3), start=[0, 7], symmetry=relabel(0, 7))
    assert "no bijection: 0 and 7 both become 7" in str(check_symmetry(up))


def test_an_image_without_a_value_is_told() -> None:
    puzzle = RING.replace(symmetry=relabel(M, M // 0))
    assert "no bijection: the image of 0 has no value" in str(check_symmetry(puzzle))
    puzzle = RING.replace(symmetry=relabel(M, known(M + 2)))
    why = "no bijection: the image of 0 failed in known(2): KeyError: 2"
    assert why in str(check_symmetry(puzzle))


def test_a_pattern_that_matches_in_several_ways_must_give_one_image() -> None:
    puzzle = RING.replace(start=[0, (1, 2)], symmetry=relabel((*S, M, *seqs("T")), (M,)))
    assert "no bijection: (1, 2) matches in several ways and becomes (1,) and (2,)" in str(
        check_symmetry(puzzle)
    )


def test_steps_without_a_counterpart_are_named_by_their_labels() -> None:
    wrong = relabel(At(P, D), At((P + 1) % 18, D))
    (violation,) = check_symmetry(GRIDS.replace(symmetry=wrong), 3).violations
    assert violation.missing == tuple(
        f"row {number} {side}" for side in ("right", "left") for number in (1, 2, 3)
    )
    assert violation.invented == violation.missing
    assert violation.image == State([At((p.cell + 1) % 18, p.number) for p in violation.state])
    lines = str(violation).splitlines()
    assert lines[0] == (
        "relabel(At(P, D), At((P + 1) % 18, D)) is not a symmetry: the steps out of the image are "
        "not the images of the steps out of the state"
    )
    assert lines[1].startswith("  state  [At(0, 4), At(1, 9), ")
    assert lines[2].startswith("  image  [At(0, 8), At(1, 4), ")
    assert lines[3] == (
        "  steps out of the state without a counterpart: 'row 1 right', 'row 2 right', "
        "'row 3 right', 'row 1 left', 'row 2 left', and 1 more"
    )


def test_a_goal_that_the_image_does_not_keep_is_told() -> None:
    nine = relabel(At(P, D), At(P, 9 - D))
    solved = two_grids.board("816816357357492492")
    report = check_symmetry(GRIDS.replace(symmetry=nine), 3, start=solved)
    assert "is not a symmetry: the state is a goal, but its image is not" in str(report)
    back = check_symmetry(RING.replace(goal=exactly(1), symmetry=relabel(N, (N + 1) % 5)))
    assert "is not a symmetry: the image is a goal, but the state is not" in str(back)


def test_a_step_of_another_cost_is_another_step() -> None:
    turned = relabel(N, (N + 1) % 5)
    assert check_symmetry(RING.replace(symmetry=turned))
    step = rule(f"from {N}", take=[N], put=[(N + 1) % 5], cost=N)
    (violation,) = check_symmetry(RING.replace(rules=step, symmetry=turned)).violations
    assert (violation.missing, violation.invented) == (("from 0",), ("from 1",))


def test_interchangeable_values_change_places_everywhere_in_a_state() -> None:
    right = farmer.farmer.replace(symmetry=interchangeable("wolf", "cabbage"))
    report = check_symmetry(right)
    assert (bool(report), report.complete, report.states, report.goals) == (True, True, 10, 1)
    assert str(report) == (
        "farmer: 1 of 1 declared symmetries held in all 10 reachable states (goals: 1)"
    )
    wrong = right.replace(symmetry=interchangeable("wolf", "cabbage", "goat"))
    assert str(check_symmetry(wrong)).splitlines()[1:] == [
        "interchangeable('wolf', 'cabbage', 'goat') is not a symmetry: for 'cabbage' and 'goat': "
        "the steps out of the image are not the images of the steps out of the state",
        "  state  [On('cabbage', 'left'), On('farmer', 'left'), On('goat', 'left'), "
        "On('wolf', 'left')]",
        "  image  [On('cabbage', 'left'), On('farmer', 'left'), On('goat', 'left'), "
        "On('wolf', 'left')]",
        "  steps out of the state without a counterpart: 'the farmer takes the goat to the right'",
        "  steps out of the image without a counterpart: 'the farmer takes the goat to the right'",
    ]


def test_values_change_places_inside_of_terms_too_and_true_is_not_one() -> None:
    eat = rule(f"eat {M}", take=[Pot("a", [M, *B])], put=[Pot("a", [*B]), ("eaten", (M, True))])
    puzzle = Puzzle(eat, start=[Pot("a", [1, 2, 2])], symmetry=interchangeable(1, 2))
    assert check_symmetry(puzzle).complete
    assert check_symmetry(puzzle)
    first = eat.put[1]
    only = rule("one", take=[first], put=[first, "one"], when=M == 1, absent=["one"])
    (violation,) = check_symmetry(puzzle.replace(rules=[eat, only])).violations
    assert "('eaten', (1, True))" in str(violation.state) + str(violation.image)
    assert {*violation.missing, *violation.invented} == {"one"}


def test_a_function_that_fails_on_the_image_breaks_the_symmetry() -> None:
    puzzle = Puzzle(rule("turn", take=[N], put=[known(N)]), symmetry=relabel(N, N + 1), name="p")
    text = str(check_symmetry(puzzle, start=[1]))
    assert "relabel(N, N + 1) is not a symmetry: rule 'turn' failed in known(2)" in text


def test_the_same_seed_tests_the_same_states_and_no_symmetry_is_none_broken() -> None:
    wrong = GRIDS.replace(symmetry=relabel(At(P, D), At(P, D // 2)))
    assert str(check_symmetry(wrong, 5, seed=3)) == str(check_symmetry(wrong, 5, seed=3))
    assert str(check_symmetry(RING)) == "ring: no symmetry is declared"


def test_a_start_is_needed_and_numbers_that_make_sense() -> None:
    bare = Puzzle(rule("on", take=[N], put=[N + 1]), name="p", symmetry=relabel(N, N))
    with pytest.raises(PuzzleError, match=r"p: where to start\? Give check_symmetry\(puzzle, sta"):
        check_symmetry(bare)
    with pytest.raises(SearchError, match=r"samples=0 must be a whole number of 1 or more"):
        check_symmetry(RING, 0)
    with pytest.raises(SearchError, match=r"seed=-1 must be a whole number of 0 or more"):
        check_symmetry(RING, seed=-1)

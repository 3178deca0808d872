"""A wrong symmetry is refused, with a state that shows it; a note names what cannot be used."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest

from puzzles import PUZZLES
from rewrite.errors import PuzzleError, SearchError, SymmetryError, UnboundVariable
from rewrite.language import meaning
from rewrite.language.conditions import contains, lacks, total
from rewrite.language.functions import fn
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.language.terms import term
from rewrite.search.api import search
from tests.answers import same_on_all
from tests.contract.symmetric import (
    LAMPS,
    MIRRORED,
    PEOPLE,
    RING,
    SQUARE,
    TURNED,
    C,
    D,
    Flag,
    Lamp,
    M,
    N,
    Token,
    U,
    V,
    W,
    cells_to,
    told,
)
from tests.engines import ENGINES, natively


def refused(puzzle: Puzzle, **options: Any) -> SymmetryError:
    """The error of a search, which is that of every engine; `goal`: that of the puzzle."""
    errors = []
    if "goal" in options:
        puzzle = puzzle.replace(goal=options.pop("goal"))
    for name in ENGINES:
        with pytest.raises(SymmetryError) as caught:
            search(puzzle, engine=name, **options)
        errors.append(caught.value)
    assert len({str(error) for error in errors}) == 1
    return errors[0]


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        (Lamp(0, V), r"no bijection: Lamp(0, 1) and Lamp(1, 1) both become Lamp(0, 1)"),
        (Lamp(C // V, V), r"no bijection: the image of Lamp(0, 0) has no value"),
    ],
)
def test_what_is_no_bijection_is_refused(image: Any, reason: str) -> None:
    wrong = relabel(Lamp(C, V), image)
    error = refused(LAMPS.replace(symmetry=wrong))
    assert str(error) == f"lights_out: {wrong!r} is not a symmetry: {reason}"
    assert error.generator == wrong


def test_what_the_rules_do_not_keep_to_is_refused_with_a_state_that_shows_it() -> None:
    wrong = relabel(Lamp(C, V), Lamp((C + 1) % 9, V))
    error = refused(SQUARE.replace(symmetry=[TURNED, wrong]))
    text = str(error)
    assert text.startswith(
        f"lights_out: the proof of {wrong!r} fails at rule 'press row 1, column 1'. {wrong!r} is "
        "not a symmetry: the steps out of the image are not the images of the steps out of the "
        "state"
    )
    assert error.generator == wrong
    assert error.state == LAMPS.start
    assert error.image == cells_to(lambda cell: (cell + 1) % 9)(LAMPS.start)
    assert f"\n  state  {error.state}\n  image  {error.image}\n" in text
    assert "steps out of the state without a counterpart: 'press row 1, column 1'" in text
    assert text.endswith("\n  Correct it, leave it out, or search with symmetry='none'")
    assert search(LAMPS.replace(symmetry=wrong), symmetry="none").depth == search(LAMPS).depth


@pytest.mark.parametrize("strategy", ["breadth_first", "bidirectional"])
def test_a_goal_that_is_not_symmetric_is_refused_also_where_its_states_are_known(
    strategy: str,
) -> None:
    goal = contains(Lamp(0, 0), Lamp(1, 0))
    error = refused(SQUARE, goal=goal, strategy=strategy)
    assert f"the proof of {TURNED!r} fails at the goal. " in str(error)
    assert re.search(
        "the state is a goal, but its image is not|the image is a goal, but the ", str(error)
    )
    assert error.state is not None
    assert error.image == cells_to(lambda x: x % 3 * 3 + 2 - x // 3)(error.state)
    goals = [meaning.is_goal(SQUARE, state, goal) for state in (error.state, error.image)]
    assert sorted(goals) == [False, True]


def test_a_never_that_is_not_symmetric_is_refused() -> None:
    puzzle = SQUARE.replace(never=contains(Lamp(0, 0), Lamp(2, 0)))
    error = refused(puzzle)
    assert f"the proof of {TURNED!r} fails at never=. " in str(error)
    assert "the steps out of the image are not the images of the steps out of" in str(error)
    kept = puzzle.replace(symmetry=[MIRRORED])
    assert same_on_all(kept).notes == (told(2),)


def test_costs_are_a_part_of_the_rules() -> None:
    first, *others = SQUARE.rules
    dear = SQUARE.replace(rules=[attrs.evolve(first, cost=2), *others])
    error = refused(dear)
    assert f"the proof of {TURNED!r} fails at rule 'press row 1, column 1'." in str(error)


def test_values_that_are_not_interchangeable_are_refused() -> None:
    error = refused(RING.replace(symmetry=PEOPLE, goal=contains(Token(4, "cid"))))
    assert f"the proof of {PEOPLE!r} fails at the goal. " in str(error)
    assert "is not a symmetry: for 'bob' and 'cid': the state is a goal, but its image is" in str(
        error
    )
    assert error.generator == PEOPLE


def test_where_no_state_that_shows_it_is_near_a_failed_proof_says_so() -> None:
    error = refused(RING.replace(symmetry=PEOPLE, goal=contains(Token(5, "ann"))))
    assert str(error) == (
        f"ring: {PEOPLE!r} is not proved to be a symmetry: the goal is not what it is mapped to, "
        "as far as can be seen. No state was found that shows it. Write the puzzle more alike, "
        "leave the declaration out, or search with symmetry='none'"
    )
    assert (error.generator, error.state, error.image) == (PEOPLE, None, None)


def test_what_is_written_otherwise_and_means_the_same_is_not_seen_through() -> None:
    alike = lacks(Lamp(C, 1)) & ~contains(Lamp(0, 1))
    assert "is not proved to be a symmetry: the goal" in str(refused(SQUARE, goal=alike))


@pytest.mark.parametrize(
    ("puzzle", "options", "note"),
    [
        (
            SQUARE,
            {"minimize": total(V, Lamp(C, V))},
            "no symmetry is used: minimize= may distinguish states that symmetry treats as one",
        ),
        pytest.param(
            SQUARE, {"distinct": "paths"},
            "no symmetry is used: distinct='paths' asks for all paths", marks=natively,
        ),
        (
            SQUARE,
            {"goal": lambda state: Lamp(0, 0) in state},
            "no symmetry is used: <lambda> is a Python function",
        ),
        (
            LAMPS.replace(symmetry=relabel(Lamp(C, V), Lamp(C + 1, V))),
            {},
            "relabel(Lamp(C, V), Lamp(C + 1, V)) is not used: it makes Lamp(9, 1) of Lamp(8, 1), "
            "which cannot come up from this start",
        ),
        (
            Puzzle(
                rule("up", take=[M], put=[M + 1], when=M < 4), start=[0, 1], goal=contains(4),
                symmetry=interchangeable(1, 2),
            ),
            {},
            "interchangeable(1, 2) is not used: M + 1 computes with values or orders them",
        ),
        (
            Puzzle(
                rule("up", take=[M], put=[M + 1], when=M < 4), start=[0, 1], goal=contains(4),
                symmetry=relabel(M, -M),
            ),
            {},
            "no symmetry is used: states are kept as a multiset in groups (int): rule 'up' has the "
            "pattern M, which has no key; where each value has a place, write a term that says "
            "which, such as At(place, value); a pool of values without places belongs in a "
            "multiset",
        ),
    ],
)  # fmt: skip
def test_a_symmetry_that_cannot_be_used_is_told_and_left_out(
    puzzle: Puzzle, options: dict[str, Any], note: str
) -> None:
    result = same_on_all(puzzle, **options)
    plain = same_on_all(puzzle, symmetry="none", **options)
    assert note in result.notes
    assert (result.states, result.depth) == (plain.states, plain.depth)


def test_a_function_that_fails_on_values_that_never_meet_leaves_symmetry_out() -> None:
    @fn
    def differ(one: int, other: int) -> bool:
        if one == other:
            raise LookupError("the same number")
        return True

    swap = rule(
        f"swap {M}", take=[Lamp(M, D), Lamp((M + 1) % 3, N)],
        put=[Lamp(M, N), Lamp((M + 1) % 3, D)], when=differ(D, N),
    )  # fmt: skip
    puzzle = Puzzle(
        swap, start=[Lamp(n, n) for n in range(3)], goal=contains(Lamp(0, 2), Lamp(1, 1)),
        symmetry=relabel(Lamp(M, D), Lamp((M + 1) % 3, D)), name="three",
    )  # fmt: skip
    why = "cannot be tried on every value: a function failed: the same number"
    result = same_on_all(puzzle, strategy="breadth_first")
    assert result.notes == (f"{puzzle.symmetry[0]!r} is not used: its rules {why}",)
    goal = contains(Lamp(0, D), Lamp(1, N), when=differ(D, N) & (D > N))
    result = same_on_all(puzzle, goal=goal, strategy="breadth_first")
    assert result.notes == (f"no symmetry is used: {goal!r} {why}",)
    result = same_on_all(puzzle, symmetry="find", strategy="breadth_first")
    assert result.notes == (f"no symmetry is used: its rules {why}",)


@term
class Spot:
    at: int


def test_rules_that_differ_in_where_a_term_may_stand_twice_are_not_alike() -> None:
    left = rule("left", take=[Lamp(7, 0)], put=[Spot(0)], absent=[Spot(0)])
    right = rule("right", take=[Lamp(7, 0)], put=[Spot(1)])  # also where a spot is: then two are
    puzzle = Puzzle(
        left, right, start=[Lamp(7, 0), Spot(0)], goal=lacks(Lamp(M, N)),
        symmetry=relabel(Spot(M), Spot(1 - M)), name="spots",
    )  # fmt: skip
    assert "fails at rule 'left'. " in str(refused(puzzle))
    assert same_on_all(puzzle, symmetry="find").notes == ("no symmetry was found",)
    twice = same_on_all(puzzle.replace(start=[Lamp(7, 0), Spot(1)]))
    assert twice.depth == 1
    assert "a term can stand twice" in str(twice.notes)


def test_where_nothing_is_symmetric_that_is_told() -> None:
    jugs = PUZZLES["water_jugs"]()
    assert same_on_all(jugs, symmetry="find").notes == ("no symmetry was found",)
    assert same_on_all(jugs).notes == ()


def test_a_word_for_symmetry_that_is_unknown_is_corrected() -> None:
    known = r"; known: declared, find, none"
    with pytest.raises(
        SearchError, match=r"symmetry='fnd' is unknown \(did you mean find\?\)" + known
    ):
        search(SQUARE, symmetry="fnd")


def test_a_relabelling_needs_an_image_for_every_pattern() -> None:
    told_so = (
        r"relabel\(Token\(M, W\), Token\(M \+ 1, W\), Flag\(M, U\)\) needs an image for every "
        r"pattern: write relabel\(pattern, image, other pattern, its image\)"
    )
    with pytest.raises(PuzzleError, match=told_so):
        relabel(Token(M, W), Token(M + 1, W), Flag(M, U))


def test_the_image_of_a_later_pattern_is_bound_by_that_pattern_alone() -> None:
    with pytest.raises(UnboundVariable, match=r"the image uses W, which the pattern does not bind"):
        relabel(Token(M, W), Token(M, W), Flag(M, U), Token(M, W))


def test_a_symmetry_that_does_not_keep_the_goal_of_one_search_is_left_out_of_it() -> None:
    result = search(SQUARE, goal=contains(Lamp(0, 1)))
    left_out = [note for note in result.notes if "does not keep the goal of this search" in note]
    assert len(left_out) >= 1
    plain = search(SQUARE, goal=contains(Lamp(0, 1)), symmetry="none")
    assert len(result.paths[0]) == len(plain.path or ())

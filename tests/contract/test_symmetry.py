"""Search up to symmetry: fewer states, the same lengths, real paths.

Lengths are those of searches that know no symmetry. A wrong symmetry is refused, with a state that
shows it; a note names what cannot be used.
"""

import re
from typing import Any

import attrs
import pytest

from puzzles import PUZZLES, two_grids
from rewrite.errors import PuzzleError, SearchError, SymmetryError, UnboundVariable
from rewrite.language import meaning
from rewrite.language.builtins import if_, is_in
from rewrite.language.conditions import contains, count, lacks, total
from rewrite.language.expressions import ANY
from rewrite.language.functions import bools, fn, ints, strs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.language.terms import term
from rewrite.results.replay import replay
from rewrite.search.api import search
from rewrite.search.strategies import Strategy
from tests.answers import labelled, same_on_all
from tests.contract.graphs import complete
from tests.contract.symmetric import (
    LAMPS,
    MIRRORED,
    NEVER_MET,
    PEOPLE,
    RING,
    ROUND,
    SQUARE,
    TURNED,
    Flag,
    Lamp,
    Token,
    cells_to,
    told,
)
from tests.engines import ENGINES, every_engine, helped, natively
from tests.terms import At, Mark, Next

C, D, M, N, V = ints("C D M N V")
U, W = bools("U"), strs("W")
GRIDS = two_grids.instance("286449", "571393", "816572")


NOTHING = contains(Lamp(0, 7))


def test_all_lamps_are_counted_up_to_the_symmetries_of_the_square() -> None:
    number = 102  # Burnside: (512 + 2·8 + 32 + 2·64 + 2·64) / 8
    result = same_on_all(SQUARE, goal=NOTHING)
    assert (result.status, result.states, result.expanded) == ("exhausted", number, number)
    assert "no solution: all 102 states seen" in result.summary()
    assert result.notes == (told(8),)


def test_two_grids_has_16_declared_symmetries_and_64_are_found() -> None:
    for how, order in (("declared", 16), ("find", 64)):
        for strategy in ("bidirectional", "breadth_first"):
            result = same_on_all(GRIDS, symmetry=how, strategy=strategy)
            assert told(order, "found" if how == "find" else how) in result.notes
            assert result.depth == 4
    assert not any("symmetr" in note for note in search(GRIDS, symmetry="none").notes)


@pytest.mark.parametrize("how", ["declared", "find"])
def test_from_both_ends_symmetry_leaves_fewer_states(how: str) -> None:
    plain = same_on_all(GRIDS, strategy="bidirectional", symmetry="none")
    reduced = same_on_all(GRIDS, strategy="bidirectional", symmetry=how)
    assert reduced.states < plain.states
    assert reduced.expanded < plain.expanded


@complete
def test_a_whole_space_has_no_more_states_up_to_symmetry(strategy: Strategy) -> None:
    options = helped(strategy.name) | {"goal": NOTHING}
    plain = same_on_all(SQUARE, symmetry="none", **options)
    reduced = same_on_all(SQUARE, **options)
    assert (plain.status, reduced.status) == ("exhausted", "exhausted")
    assert (plain.states, reduced.states) == (512, 102)


@pytest.mark.parametrize("strategy", ["astar", "greedy"])
def test_a_heuristic_is_asked_about_the_states_that_stand_for_others(strategy: str) -> None:
    presses = total(V, Lamp(C, V)) // 5  # a press puts out five lamps at most
    result = same_on_all(SQUARE, strategy=strategy, heuristic=presses)
    assert replay(SQUARE, SQUARE.start, result.paths[0]).states == result.paths[0].states
    if strategy == "astar":
        assert (result.depth, result.optimal) == (search(LAMPS).depth, True)


def test_two_threads_find_what_one_finds() -> None:
    one, two = (search(GRIDS, strategy="bidirectional", threads=number) for number in (1, 2))
    assert labelled(one) == labelled(two)
    lamps = [search(SQUARE, goal=NOTHING, threads=number) for number in (1, 2)]
    assert labelled(lamps[0]) == labelled(lamps[1])


def test_a_search_up_to_symmetry_that_was_stopped_goes_on() -> None:
    for name in ENGINES:
        stopped = search(SQUARE, engine=name, goal=NOTHING, max_states=40)
        assert stopped.status == "limit"
        assert labelled(stopped.resume()) == labelled(search(SQUARE, engine=name, goal=NOTHING))


def test_all_goal_states_are_found_once_up_to_symmetry() -> None:
    corners = count(Lamp(C, 1), when=(C % 2 == 0) & (C != 4)) == 1
    four = corners & lacks(Lamp(C, 1), when=C % 2 == 1) & contains(Lamp(4, 0))
    plain = same_on_all(SQUARE, goal=four, symmetry="none", solutions=None)
    reduced = same_on_all(SQUARE, goal=four, solutions=None)
    assert (len(plain.paths), len(reduced.paths)) == (4, 1)
    assert reduced.paths[0].states[-1] in {path.states[-1] for path in plain.paths}


def test_bindings_are_those_of_the_real_end() -> None:
    lit = contains(Lamp(C, 1)) & (count(Lamp(ANY, 1)) == 1)
    result = same_on_all(SQUARE, goal=lit)
    assert [one for one in result.paths[0].states[-1] if one.on] == [Lamp(result.bindings["C"], 1)]


def test_of_steps_to_states_that_stand_for_one_another_the_cheapest_is_gone() -> None:
    cross = rule("cross", take=[Lamp(C, 0), Flag(7, True)], put=[Lamp(1 - C, 0)], cost=3)
    stay = rule("stay", take=[Lamp(C, 0), Flag(7, True)], put=[Lamp(C, 0)])
    for start in (0, 1):
        puzzle = Puzzle(
            cross, stay, start=[Lamp(start, 0), Flag(7, True)], goal=lacks(Flag(7, U)),
            symmetry=relabel(Lamp(C, V), Lamp(1 - C, V)),
        )  # fmt: skip
        result = same_on_all(puzzle)
        assert result.notes == (told(2),)
        assert (result.paths[0].cost, result.paths[0].labels) == (1, ["stay"])


@pytest.mark.parametrize(
    ("symmetry", "order", "states"),
    [
        ([PEOPLE], 6, 1_280),  # nobody passes another: of six orders three come up
        ([ROUND], 6, 640),
        ([ROUND, PEOPLE], 36, 216),
    ],
)
def test_terms_that_change_together_and_interchangeable_values_reduce_a_search(
    symmetry: Any, order: int, states: int
) -> None:
    puzzle = RING.replace(symmetry=symmetry)
    assert same_on_all(puzzle, goal=NEVER_MET, symmetry="none").states == 3_840
    reduced = same_on_all(puzzle, goal=NEVER_MET)
    assert reduced.notes == (told(order),)
    assert reduced.states == states
    plain, found = same_on_all(puzzle, symmetry="none"), same_on_all(puzzle)
    assert found.depth == plain.depth
    assert replay(RING, RING.start, found.paths[0]).states == found.paths[0].states


LEFT_OUT = (
    "{} of {} declared symmetries, the identity included, are not used: they may lead to states "
    "that this start cannot reach"
)


@natively
@pytest.mark.parametrize("heuristic", ["pattern_databases", "hmax", "lmcut"])
@pytest.mark.parametrize("first", [(0, 2, 1, 2), (0, 2, 2, 1), (2, 0, 1, 2), (2, 1, 2, 0)])
def test_databases_of_the_start_are_never_asked_about_images_with_other_values(
    first: tuple[int, ...], heuristic: str
) -> None:
    """Exchanging 1 and 2 is a symmetry, but leads from boards with one 1 to boards with two."""
    goals = [State([Lamp(n, value) for n, value in enumerate(held)]) for held in
             ((1, 2, 2, 0), (2, 1, 1, 0))]  # fmt: skip
    puzzle = Puzzle(
        rule("move", take=[Lamp(M, 0), Lamp(N, V)], put=[Lamp(M, V), Lamp(N, 0)],
             when=is_in(abs(M - N), (1, 2))),
        start=[Lamp(n, value) for n, value in enumerate(first)], goal=goals,
        symmetry=relabel(Lamp(C, V), Lamp(C, if_(V == 0, 0, 3 - V))), name="tiles",
    )  # fmt: skip
    found = same_on_all(puzzle, strategy="astar", heuristic=heuristic)
    plain = same_on_all(puzzle, strategy="breadth_first", symmetry="none")
    assert found.optimal
    assert found.depth == plain.depth
    assert LEFT_OUT.format(1, 2) in found.notes


@pytest.mark.parametrize(("held", "wanted"), [(1, 2), (2, 1)])
def test_a_start_is_no_goal_because_an_image_that_cannot_come_up_is_one(
    held: int, wanted: int
) -> None:
    """The only goal states listed for this start are kept by the exchange of 1 and 2 in C and D."""
    exchanges = [
        rule(f"{a} {b} {x}", take=[Lamp(a, x), Lamp(b, 3 - x)], put=[Lamp(a, 3 - x), Lamp(b, x)])
        for a, b in ((0, 1), (2, 3))
        for x in (1, 2)
    ]
    listed = [contains(*[Lamp(n, value) for n, value in enumerate(state)]) for state in
              ((1, 1, 1, 2), (1, 1, 2, 1))]  # fmt: skip
    puzzle = Puzzle(
        exchanges, start=[Lamp(0, wanted), Lamp(1, held), Lamp(2, held), Lamp(3, held)],
        goal=listed[0] | listed[1] | contains(Lamp(2, wanted), Lamp(3, wanted)),
        symmetry=relabel(*[part for n in (2, 3) for part in (Lamp(n, V), Lamp(n, 3 - V))]),
        name="pairs",
    )  # fmt: skip
    result = same_on_all(puzzle, strategy="bidirectional")
    assert result.status == "exhausted"
    assert result.notes == (LEFT_OUT.format(1, 2),)


@every_engine
def test_from_both_ends_goals_count_that_only_images_of_the_start_come_to(engine: str) -> None:
    """No mark goes away, so the start comes only to goal states that have a mark in its cell."""
    cells = [(cell, (cell + step) % 4) for cell in range(4) for step in (1, 3)]
    ring = Puzzle(
        rule("copy", take=[At(N, D)], put=[At(N, V)], keep=[At(M, V), Next(M, N)]),
        rule("mark", put=[Mark(M)], keep=[At(M, 2)], absent=[Mark(M)]),
        start=[At(0, 2), At(1, 1), At(2, 1), At(3, 1), Mark(2)],
        goal=contains(Next(M, N), At(M, 2), At(N, 2)),
        facts=[Next(a, b) for a, b in cells],
        symmetry=relabel(At(M, V), At((M + 1) % 4, V), Mark(M), Mark((M + 1) % 4)),
    )
    found = search(ring, strategy="bidirectional", engine=engine)
    assert found.paths[0].labels == ["copy"]


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
    text = str(refused(puzzle))
    assert f"the proof of {TURNED!r} fails at never=. " in text
    assert "the steps out of the image are not the images of the steps out of" in text
    assert same_on_all(puzzle.replace(symmetry=[MIRRORED])).notes == (told(2),)


DEAR = SQUARE.replace(rules=[attrs.evolve(SQUARE.rules[0], cost=2), *SQUARE.rules[1:]])
WRITTEN_OTHERWISE = SQUARE.replace(goal=lacks(Lamp(C, 1)) & ~contains(Lamp(0, 1)))


@pytest.mark.parametrize(
    ("puzzle", "text"),
    [
        (DEAR, f"the proof of {TURNED!r} fails at rule 'press row 1, column 1'."),
        (WRITTEN_OTHERWISE, "is not proved to be a symmetry: the goal"),
        (
            RING.replace(symmetry=PEOPLE, goal=contains(Token(4, "cid"))),
            f"the proof of {PEOPLE!r} "
            f"fails at the goal. {PEOPLE!r} is not a symmetry: for 'bob' and 'cid': the state is a "
            "goal, but its image is",
        ),
    ],
)
def test_what_is_not_shown_to_be_alike_is_refused(puzzle: Puzzle, text: str) -> None:
    error = refused(puzzle)
    assert text in str(error)
    assert error.generator in (TURNED, PEOPLE)


def test_where_no_state_that_shows_it_is_near_a_failed_proof_says_so() -> None:
    error = refused(RING.replace(symmetry=PEOPLE, goal=contains(Token(5, "ann"))))
    assert str(error) == (
        f"ring: {PEOPLE!r} is not proved to be a symmetry: the goal is not what it is mapped to, "
        "as far as can be seen. No state was found that shows it. Write the puzzle more alike, "
        "leave the declaration out, or search with symmetry='none'"
    )
    assert (error.generator, error.state, error.image) == (PEOPLE, None, None)


NO_PLACES = (
    "no symmetry is used: states are stored as a multiset in groups (int): rule 'up' has the "
    "pattern M, which has no key; where each value has a place, write a term that says which, such "
    "as At(place, value); a pool of values without places belongs in a multiset"
)
UP = Puzzle(rule("up", take=[M], put=[M + 1], when=M < 4), start=[0, 1], goal=contains(4))
OUTSIDE = LAMPS.replace(symmetry=relabel(Lamp(C, V), Lamp(C + 1, V)))
TOGETHER = "minimize= may distinguish states that symmetry treats as one"


@pytest.mark.parametrize(
    ("puzzle", "options", "note"),
    [
        (SQUARE, {"minimize": total(V, Lamp(C, V))}, f"no symmetry is used: {TOGETHER}"),
        pytest.param(
            SQUARE, {"distinct": "paths"},
            "no symmetry is used: distinct='paths' asks for all paths", marks=natively,
        ),
        (SQUARE, {"goal": lambda state: Lamp(0, 0) in state},
         "no symmetry is used: <lambda> is a Python function"),
        (OUTSIDE, {}, f"{OUTSIDE.symmetry[0]!r} is not used: it makes Lamp(9, 1) of Lamp(8, 1), "
         "which cannot come up from this start"),
        (UP.replace(symmetry=interchangeable(1, 2)), {},
         "interchangeable(1, 2) is not used: M + 1 computes with values or orders them"),
        (UP.replace(symmetry=relabel(M, -M)), {}, NO_PLACES),
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
    why = "cannot be tried on every value: a function failed: LookupError: the same number"
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

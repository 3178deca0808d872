"""Search up to symmetry: fewer states, the same lengths, real paths.

The number of states is that of orbits counted by brute force; lengths are those of searches that
know no symmetry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from puzzles import PUZZLES, peg_solitaire, two_grids
from rewrite.language import meaning
from rewrite.language.builtins import if_, is_in
from rewrite.language.conditions import contains, count, lacks, total
from rewrite.language.expressions import ANY
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import relabel
from rewrite.language.terms import term
from rewrite.outcome.replay import replay
from rewrite.search.api import search
from rewrite.search.strategies import Strategy
from rewrite.search.tasks.explore import explore
from tests.answers import figures, same_on_all
from tests.contract.graphs import complete
from tests.contract.symmetric import (
    LAMPS,
    NEVER_MET,
    PEOPLE,
    RING,
    ROUND,
    SQUARE,
    C,
    D,
    Flag,
    Lamp,
    M,
    N,
    Token,
    U,
    V,
    cells_to,
    told,
)
from tests.engines import ENGINES, every_engine, helped, natively

GRIDS = two_grids.instance("286449", "571393", "816572")


# -- how many states ---------------------------------------------------------------------------


def reachable(puzzle: Puzzle) -> set[State]:
    assert puzzle.start is not None
    seen = {puzzle.start}
    waiting = [puzzle.start]
    while waiting:
        for way in meaning.successors(puzzle, waiting.pop()):
            if way.after not in seen:
                seen.add(way.after)
                waiting.append(way.after)
    return seen


def orbits(states: set[State], maps: list[Callable[[State], State]]) -> int:
    """How many classes the maps join the states to; images may lie outside."""
    left, number = set(states), 0
    while left:
        number += 1
        waiting = [left.pop()]
        orbit = set(waiting)
        while waiting:
            state = waiting.pop()
            images = {image(state) for image in maps} - orbit
            orbit |= images
            waiting += images
        left -= orbit
    return number


NOTHING = contains(Lamp(0, 7))


def test_all_lamps_are_counted_up_to_the_symmetries_of_the_square() -> None:
    states = reachable(LAMPS)
    assert len(states) == 512  # every state of 3×3 lamps can be put out
    turned, mirrored = (lambda x: x % 3 * 3 + 2 - x // 3), (lambda x: x // 3 * 3 + 2 - x % 3)
    number = orbits(states, [cells_to(turned), cells_to(mirrored)])
    assert number == 102  # Burnside: (512 + 2·8 + 32 + 2·64 + 2·64) / 8
    result = same_on_all(SQUARE, goal=NOTHING)
    assert (result.status, result.states, result.expanded) == ("exhausted", number, number)
    assert "no solution: all 102 states seen" in result.summary()
    assert result.notes == (told(8),)


def test_peg_solitaire_is_counted_up_to_the_symmetries_of_the_triangle() -> None:
    puzzle = PUZZLES["peg_solitaire"]().replace(goal=count(peg_solitaire.Hole(C, 1)) == 15)
    rows = [(r, k) for r in range(5) for k in range(r + 1)]
    number_of = {place: number for number, place in enumerate(rows, 1)}
    place_of = dict(enumerate(rows, 1))

    def moved(image: Callable[[int, int], tuple[int, int]]) -> Callable[[State], State]:
        @cache
        def hole(one: Any) -> Any:
            return type(one)(number_of[image(*place_of[one.cell])], one.pegs)

        return lambda state: State([hole(one) for one in state])

    maps = [moved(lambda r, k: (r, r - k)), moved(lambda r, k: (4 - r + k, 4 - r))]
    states = set(explore(puzzle).states)
    number = orbits(states, maps)
    for how, name in (("find", "found"), ("declared", "declared")):
        result = same_on_all(puzzle, symmetry=how)
        assert result.notes == (told(6, name),)
        assert result.states == number
    assert number < len(states) == search(puzzle, symmetry="none").states


# -- what is found -----------------------------------------------------------------------------


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
    assert figures(one) == figures(two)
    lamps = [search(SQUARE, goal=NOTHING, threads=number) for number in (1, 2)]
    assert figures(lamps[0]) == figures(lamps[1])


def test_a_search_up_to_symmetry_that_was_stopped_goes_on() -> None:
    for name in ENGINES:
        stopped = search(SQUARE, engine=name, goal=NOTHING, max_states=40)
        assert stopped.status == "limit"
        assert figures(stopped.resume()) == figures(search(SQUARE, engine=name, goal=NOTHING))


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


# -- several constructors, and values ----------------------------------------------------------


def ring_maps(symmetry: Any) -> list[Callable[[State], State]]:
    """What a declaration says, by hand: a step around, or exchanges of two people."""

    def changed(step: int, *pair: str) -> Callable[[State], State]:
        names = dict(zip(pair, pair[::-1], strict=True))

        @cache
        def image(one: Any) -> Any:
            at = (one.at + step) % 6
            return (
                Flag(at, one.up)
                if isinstance(one, Flag)
                else Token(at, names.get(one.who, one.who))
            )

        return lambda state: State([image(one) for one in state])

    return (
        [changed(1)] if symmetry is ROUND else [changed(0, "ann", "bob"), changed(0, "bob", "cid")]
    )


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
    maps = [one for declared in symmetry for one in ring_maps(declared)]
    assert reduced.states == states == orbits(set(explore(RING).states), maps)
    plain, found = same_on_all(puzzle, symmetry="none"), same_on_all(puzzle)
    assert found.depth == plain.depth
    assert replay(RING, RING.start, found.paths[0]).states == found.paths[0].states


# -- images that cannot come up from the start -------------------------------------------------

LEFT_OUT = (
    "{} of {} declared symmetries, the identity included, are not used: they may lead to states "
    "that this start cannot reach"
)


@natively
@pytest.mark.parametrize("heuristic", ["pattern_databases", "hmax"])
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


@term
class At:
    cell: int
    value: int


@term
class Next:
    a: int
    b: int


@term
class Mark:
    cell: int


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

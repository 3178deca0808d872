"""Search from both ends in the core, with engines whose rules are known to be inverse."""

from itertools import pairwise
from typing import Any

import pytest

from puzzles import eight_puzzle
from rewrite import Puzzle, Rule, State, contains, ints, rule, term
from rewrite.compiler.room import LEAST, Room
from rewrite.search.limits import Limits
from tests.unit.native.both_ends import Searched, engine_of


@term
class Bead:
    place: int
    number: int


SOLVED = State([eight_puzzle.Tile(cell, (cell + 1) % 9) for cell in range(9)])


def turn(name: str, *places: int, cost: int = 1) -> Rule:
    """Every bead in these places moves on by one, the last one to the first place."""
    d = ints("d0:3")
    return rule(
        name,
        take=[Bead(place, x) for place, x in zip(places, d, strict=True)],
        put=[Bead(place, x) for place, x in zip(places, d[-1:] + d[:-1], strict=True)],
        cost=cost,
    )


def beads(order: str) -> State:
    return State([Bead(place, int(digit)) for place, digit in enumerate(order)])


def pair(goal: str, room: Room = LEAST) -> tuple[Any, Any]:
    """Two turns of three of five beads, and the engine of the turns back, in the same encoding."""
    start, left, right = beads("01234"), (0, 1, 2), (2, 3, 4)
    puzzles = [
        Puzzle(
            turn("left", *one, cost=3), turn("right", *other, cost=2),
            start=start, goal=contains(*beads(goal)), name="beads",
        )
        for one, other in ((left, right), (left[::-1], right[::-1]))
    ]  # fmt: skip
    engine, inverse = (engine_of(puzzle, room) for puzzle in puzzles)
    if room == LEAST:
        assert inverse.layout.encode(start) == engine.layout.encode(start)
        inverse.layout = engine.layout
    return engine, inverse


def test_the_eight_puzzle_needs_31_moves_and_few_states_from_both_ends() -> None:
    # sliding a tile back is sliding it: the rules are their own inverse. 31 moves: OEIS A089473
    puzzle = eight_puzzle.instance()
    engine = engine_of(puzzle)
    assert puzzle.start is not None
    found = Searched(engine, puzzle.start, [engine.encode(SOLVED)], inverse=engine)
    way = found.way
    assert (way[0], way[-1], len(way) - 1) == (puzzle.start, SOLVED, 31)
    for state, following in pairwise(way):
        assert engine.encode(following) in engine.successors(engine.encode(state))
    assert found.stopped == ("found", "")
    assert (found.facts["states"], found.facts["expanded"], found.facts["depth"]) == (
        17_586, 10_964, 30,
    )  # fmt: skip
    again = Searched(engine, puzzle.start, [engine.encode(SOLVED)], threads=2, inverse=engine)
    assert (again.answers, again.facts) == (found.answers, found.facts)
    assert again.core.parents() == found.core.parents()
    costs = Searched(engine, puzzle.start, [engine.encode(SOLVED)], inverse=engine, weighted=True)
    assert len(costs.way) - 1 == 31


def steps_from(engine: Any, state: State) -> dict[State, int]:
    """The successors of a state, each with the cost of the step; no two are the same here."""
    return {engine.decode(code): cost for cost, code in engine.weighted(engine.encode(state))}


@pytest.mark.parametrize("room", [LEAST, Room(multiset=["asked for"])], ids=["slots", "multiset"])
@pytest.mark.parametrize("weighted", [False, True], ids=["steps", "costs"])
def test_from_both_ends_every_state_is_as_far_as_from_the_start_alone(
    room: Room, weighted: bool
) -> None:
    engine, _ = pair("01234", room)
    start = engine.task.start
    known, waiting = {start: 0}, [(0, start)]
    while waiting:  # Dijkstra, as obvious as can be
        waiting.sort(key=lambda entry: entry[0])
        cost, state = waiting.pop(0)
        for following, step in steps_from(engine, state).items():
            total = cost + (step if weighted else 1)
            if total < known.get(following, total + 1):
                known[following] = total
                waiting.append((total, following))
    assert len(known) == 60  # even permutations of five
    del known[start]
    for goal, distance in known.items():
        order = "".join(str(bead.number) for bead in sorted(goal, key=lambda bead: bead.place))
        engine, inverse = pair(order, room)
        found = Searched(engine, start, [engine.encode(goal)], inverse=inverse, weighted=weighted)
        way = found.way
        costs = [steps_from(engine, a)[b] for a, b in pairwise(way)]
        assert (way[-1], sum(costs) if weighted else len(costs)) == (goal, distance)


def test_what_cannot_be_reached_is_searched_for_until_one_side_is_at_its_end() -> None:
    engine, inverse = pair("10234")
    found = Searched(engine, beads("01234"), [engine.encode(beads("10234"))], inverse=inverse)
    assert (found.stopped, found.answers) == (("exhausted", ""), [])
    assert sum(found.facts["levels"]) == found.facts["states"]


def test_inverse_rules_are_counted_as_the_rules_themselves() -> None:
    engine, inverse = pair("23401")
    goal = engine.encode(beads("23401"))
    found = Searched(engine, beads("01234"), [goal], inverse=inverse)
    counts = found.core.counts()
    assert counts["left"].fired == counts["right"].fired == found.facts["expanded"] > 4


def test_the_depth_of_both_ends_together_is_limited_and_can_be_raised() -> None:
    engine, inverse = pair("23401")
    goal = engine.encode(beads("23401"))
    steps = len(Searched(engine, beads("01234"), [goal], inverse=inverse).way) - 1
    for depth, stopped in ((steps - 1, ("limit", "max_depth")), (steps, ("found", ""))):
        limits = Limits(max_depth=depth)
        found = Searched(engine, beads("01234"), [goal], inverse=inverse, limits=limits)
        assert found.stopped == stopped

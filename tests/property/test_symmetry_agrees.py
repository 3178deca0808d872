"""Up to symmetry a search finds ways of the same length and cost, and counts orbits."""

from typing import Any

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st

from rewrite import STRATEGIES, Puzzle, Result, RewriteError, State, explore, replay, search
from rewrite.analysis.fields import numbers, packed
from rewrite.analysis.symmetry.actions import Action, identity
from rewrite.analysis.symmetry.found import found_group
from rewrite.analysis.symmetry.proof import Proof
from rewrite.analysis.transitions import Transition
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language import meaning
from rewrite.language.symmetry import bijections
from tests.engines import (
    engines_for,
    goal_of,
    natively,
    over_slots,
    quiet,
    searched_by_core,
    start_of,
    task_of,
)
from tests.property.board_puzzles import board_puzzles
from tests.property.symmetric_puzzles import CONDITIONS, ring_puzzles
from tests.property.test_native_agrees import agree, costly

pytestmark = quiet

STATES = 200

REMEMBERING = [
    name for name, one in STRATEGIES.items() if one.remembers and engines_for(strategy=name)
]
"""Without memory, a search on cycles may never end where no goal can be reached."""


def options(name: str) -> dict[str, Any]:
    return {"strategy": name, **({"heuristic": 0} if STRATEGIES[name].needs_heuristic else {})}


def check_way(puzzle: Puzzle, result: Result) -> None:
    """A way that was found is real: it begins at the start, by steps of the definition."""
    if result.path is None:
        return
    walked = replay(puzzle, puzzle.start, result.path)
    assert walked.states == result.path.states
    assert meaning.is_goal(puzzle, walked.end, goal_of(puzzle))


def check_same_answer(puzzle: Puzzle, name: str, symmetry: str, most: int = STATES) -> None:
    """Compare a search up to symmetry with one that knows none."""
    note(
        f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {puzzle.facts}, {puzzle.never}"
    )
    given, strategy = options(name) | {"max_states": most}, STRATEGIES[name]
    given["engine"] = engines_for(strategy=name)[0]
    try:
        plain = search(puzzle, symmetry="none", **given)
    except RewriteError:
        assume(False)
    found = searched_by_core(puzzle, symmetry=symmetry, **given)
    check_way(puzzle, found)
    event(f"{symmetry} {found.status}, symmetric: {'up to symmetry' in str(found.notes)}")
    if plain.status == "limit" or found.status == "limit":
        return
    assert found.status == plain.status
    if not found and not strategy.needs_inverse:
        # backwards, mutexes leave out states only where nothing is counted up to symmetry
        assert found.states <= plain.states
    if found.path is None or plain.path is None:
        return
    if strategy.cheapest:
        assert found.path.cost == plain.path.cost
    elif strategy.shortest:
        assert len(found.path) == len(plain.path)


@given(ring_puzzles(), st.sampled_from(REMEMBERING), st.sampled_from(["declared", "find"]))
def test_symmetry_never_changes_the_length_of_the_shortest_way_around_a_ring(
    puzzle: Puzzle, name: str, symmetry: str
) -> None:
    check_same_answer(puzzle, name, symmetry)


@given(board_puzzles(), st.sampled_from(["breadth_first", "bidirectional", "uniform_cost"]))
def test_symmetries_that_are_found_never_change_the_length_of_the_shortest_way(
    puzzle: Puzzle, name: str
) -> None:
    check_same_answer(puzzle, name, "find")


def orbit(state: State, maps: list[Any]) -> set[State]:
    seen, waiting = {state}, [state]
    while waiting:
        images = {one.state(waiting[-1]) for one in maps}
        waiting[-1:] = images - seen
        seen |= images
    return seen


def check_orbits(puzzle: Puzzle, result: Result, most: int | None = None) -> None:
    """A space seen whole up to symmetry has as many states as the whole one has orbits."""
    notes = str(result.notes)
    if result.status == "limit" or "not used" in notes or "up to symmetry" not in notes:
        event("no symmetry, a part of it, or too large")
        return
    space = explore(puzzle, max_states=most)
    maps = [one for declared in puzzle.symmetry for one in bijections(declared)]
    left, number = set(space.states), 0
    while left:
        left -= orbit(next(iter(left)), maps)
        number += 1
    event(f"orbits: {number < len(space.states)}")
    assert (result.status, result.states) == ("exhausted", number)


@given(ring_puzzles())
def test_a_whole_space_up_to_declared_symmetry_is_its_orbits(puzzle: Puzzle) -> None:
    result = search(puzzle, goal=CONDITIONS[-1], engine="python", max_states=100)
    check_orbits(puzzle, result)


@natively
@given(ring_puzzles(), st.sampled_from(REMEMBERING), st.data())
def test_both_engines_answer_as_defined_up_to_symmetry(
    puzzle: Puzzle, name: str, data: st.DataObject
) -> None:
    given = options(name) | {
        "symmetry": data.draw(st.sampled_from(["declared", "find"])),
        "max_states": data.draw(st.sampled_from([5, 40, STATES])),
    }
    if name != "bidirectional":
        given["solutions"] = data.draw(st.sampled_from([1, 2, None]))
        given["min_depth"] = data.draw(st.sampled_from([0, 0, 1]))
    if not (costly(puzzle) and STRATEGIES[name].keeps_cheapest):
        given["max_depth"] = data.draw(st.sampled_from([3, 5]))
    agree(puzzle, given)


def nameless(one: Transition) -> Any:
    """A transition without the rule that it comes from."""
    return one.cost, one.tests, one.misses, one.sets, one.copies


def check_group(puzzle: Puzzle) -> None:
    """Every element of a found group maps rules to rules, goals to goals, and states to states."""
    try:
        engine = over_slots(task_of(puzzle, puzzle.goal))
        elements, order = found_group(Proof(engine, puzzle.goal, None), 60)
        codes = [engine.encode(start_of(puzzle))]
        for code in codes[:8]:
            codes += [one for one in engine.successors(code) if one not in codes]
        event(f"group: {order > 1}")
        assert len(elements) == len(set(elements)) <= order
        assert elements[0] == identity(engine.fields)
        known = {*map(nameless, engine.transitions)}
        for element in elements:
            assert {nameless(element.transition(one)) for one in engine.transitions} == known
            check_steps(engine, element, codes[:6])
    except (Unsuitable, NeedsCapacity, EngineFailure) as why:
        event(type(why).__name__)


def check_steps(engine: SlotEngine, element: Action, codes: list[Any]) -> None:
    def image(code: int) -> int:
        return packed(engine.fields, element.image(numbers(engine.fields, code)))

    for code in codes:
        assert engine.goal(image(code)) == engine.goal(code)
        assert engine.forbidden(image(code)) == engine.forbidden(code)
        steps = {(cost, image(after)) for cost, after in engine.weighted(code)}
        assert steps == set(engine.weighted(image(code)))


@pytest.mark.parametrize("kind", [ring_puzzles(), board_puzzles()])
@given(data=st.data())
def test_groups_that_are_found_keep_rules_goal_and_never(kind: Any, data: st.DataObject) -> None:
    check_group(data.draw(kind))

"""Values that are renamed without a list of the group: searches agree, and count orbits."""

from collections.abc import Iterator
from importlib import import_module
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st

from rewrite.errors import RewriteError
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.symmetry import bijections, interchangeable
from rewrite.native import status
from rewrite.search.api import search
from rewrite.search.strategies import STRATEGIES
from rewrite.search.tasks.explore import explore
from tests.engines import engines_for, natively, searched_by_core
from tests.property.alike_puzzles import NEVER_MET, alike_puzzles
from tests.property.test_native_agrees import agree
from tests.property.test_symmetry_agrees import REMEMBERING, check_way, options

pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")
EITHER = st.one_of(alike_puzzles(False), alike_puzzles(True))
STATES = 500


@pytest.fixture(autouse=True, scope="module")
def never_listed() -> Iterator[None]:
    """Small groups are renamed as large ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("rewrite.search.reduction"), "SOON_LISTED", 1)
        yield


def renamings(puzzle: Puzzle) -> list[Any]:
    """All ways to rename, as functions of a state, by the definition of an exchange."""
    [declared] = puzzle.symmetry
    values = declared.values
    found = []
    for mixed in permutations(values):
        steps, held = [], list(values)
        for place, wanted in enumerate(mixed):
            if held[place] != wanted:
                other = held.index(wanted)
                steps.append((held[place], wanted))
                held[place], held[other] = held[other], held[place]
        found.append([next(bijections(interchangeable(*step))) for step in steps])

    def function(steps: list[Any]) -> Any:
        def image(state: State) -> State:
            for step in steps:
                state = step.state(state)
            return state

        return image

    return [function(steps) for steps in found]


@given(EITHER, st.sampled_from(["python", "native"]))
def test_a_whole_space_is_the_orbits_of_its_states(puzzle: Puzzle, engine: str) -> None:
    assume(engine == "python" or status().usable)
    result = searched_by_core(
        puzzle, goal=NEVER_MET, strategy="breadth_first", engine=engine, max_states=STATES
    )
    event(f"{result.notes}"[:60])
    notes = str(result.notes)
    if result.status == "limit" or "not used" in notes or "up to symmetry" not in notes:
        return  # a part of the group makes more orbits
    space = explore(puzzle, max_states=24 * STATES)
    images = renamings(puzzle)
    left, number = set(space.states), 0
    while left:
        state = next(iter(left))
        left -= {image(state) for image in images}
        number += 1
    event(f"fewer: {number < len(space.states)}")
    assert (result.status, result.states) == ("exhausted", number)


@given(EITHER, st.sampled_from(REMEMBERING))
def test_renaming_never_changes_the_length_of_the_shortest_way(puzzle: Puzzle, name: str) -> None:
    note(f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {puzzle.never}")
    given, strategy = options(name) | {"max_states": STATES}, STRATEGIES[name]
    given["engine"] = engines_for(strategy=name)[0]
    try:
        plain = search(puzzle, symmetry="none", **given)
    except RewriteError:
        assume(False)
    found = searched_by_core(puzzle, **given)
    check_way(puzzle, found)
    event(f"{found.status}, {'up to symmetry' in str(found.notes)}")
    if "limit" in (plain.status, found.status):
        return
    assert found.status == plain.status
    if not found:
        assert found.states <= plain.states
    if found.path is None or plain.path is None:
        return
    if strategy.cheapest:
        assert found.path.cost == plain.path.cost
    elif strategy.shortest:
        assert len(found.path) == len(plain.path)


@natively
@given(EITHER, st.sampled_from(REMEMBERING), st.data())
def test_both_engines_answer_as_defined_where_values_are_renamed(
    puzzle: Puzzle, name: str, data: st.DataObject
) -> None:
    given = options(name) | {"max_states": data.draw(st.sampled_from([5, 40, STATES]))}
    if name != "bidirectional":
        given["solutions"] = data.draw(st.sampled_from([1, 2, None]))
    agree(puzzle, given)

"""Values that are renamed without a list of the group: searches agree, and count orbits."""

from collections.abc import Iterator
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.language.puzzles import Puzzle
from tests.engines import ENGINES, natively, quiet, searched_by_core
from tests.property.alike_puzzles import NEVER_MET, alike_puzzles
from tests.property.test_native_agrees import agree
from tests.property.test_symmetry_agrees import (
    REMEMBERING,
    check_orbits,
    check_same_answer,
    options,
)

pytestmark = quiet
EITHER = st.one_of(alike_puzzles(False), alike_puzzles(True))
STATES = 500


@pytest.fixture(autouse=True, scope="module")
def never_listed() -> Iterator[None]:
    """Small groups are renamed as large ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("rewrite.search.reduction"), "SOON_LISTED", 1)
        yield


@given(EITHER, st.sampled_from(ENGINES))
def test_a_whole_space_is_the_orbits_of_its_states(puzzle: Puzzle, engine: str) -> None:
    result = searched_by_core(
        puzzle, goal=NEVER_MET, strategy="breadth_first", engine=engine, max_states=STATES
    )
    check_orbits(puzzle, result, 24 * STATES)


@given(EITHER, st.sampled_from(REMEMBERING))
def test_renaming_never_changes_the_length_of_the_shortest_way(puzzle: Puzzle, name: str) -> None:
    check_same_answer(puzzle, name, "declared", STATES)


@natively
@given(EITHER, st.sampled_from(REMEMBERING), st.data())
def test_both_engines_answer_as_defined_where_values_are_renamed(
    puzzle: Puzzle, name: str, data: st.DataObject
) -> None:
    given = options(name) | {"max_states": data.draw(st.sampled_from([5, 40, STATES]))}
    if name != "bidirectional":
        given["solutions"] = data.draw(st.sampled_from([1, 2, None]))
    agree(puzzle, given)

"""A search that is kept in a folder, and taken over again and again, ends as one in memory.

Each call is given to an engine of its own, compiled anew, as in another process. Puzzles grow
beyond the room that states have at first, come to constructors that nobody has seen, and call user
functions; `tests/contract/test_checkpoints.py` kills processes.

With `max_memory=` expanded states leave the memory. A core built with the feature `tiny` does that
all the time; the usual one does it by thousands of states (`contract/test_states_on_disk.py`).
"""

import tempfile
from typing import Any

from hypothesis import assume, given, note
from hypothesis import strategies as st

from rewrite import ANY, CheckpointError, Puzzle, Result, RewriteError, count, distances, search
from tests.answers import facts
from tests.engines import natively, quiet
from tests.property.board_puzzles import board_puzzles
from tests.property.growing_puzzles import growing_puzzles
from tests.property.strategies import puzzles
from tests.property.tuple_puzzles import tuple_puzzles

pytestmark = [natively, quiet]
STATES = 400
NAMES = ("breadth_first", "uniform_cost", "astar", "greedy")
HEURISTICS: list[Any] = [count(ANY), 2, lambda state: len(str(state)) % 5]


def told(result: Result) -> Any:
    return facts(result, "python_calls", "ruled_out")


@st.composite
def asked(draw: st.DrawFn) -> tuple[Puzzle, dict[str, Any]]:
    """A puzzle, and arguments of a search for all its goals."""
    puzzle = draw(st.one_of(puzzles(), board_puzzles(), growing_puzzles(), tuple_puzzles()))
    assume(puzzle.goal is not None and puzzle.start is not None)
    name = draw(st.sampled_from(NAMES))
    given: dict[str, Any] = {"strategy": name, "solutions": None}
    if name in ("astar", "greedy"):
        given["heuristic"] = draw(st.sampled_from(HEURISTICS))
    return puzzle, given


MEMORY = st.sampled_from([None, "100kB", "300kB", "1GB"])


@given(
    asked(),
    st.lists(st.tuples(st.integers(1, STATES), MEMORY), max_size=3),
    st.integers(1, 3),
    st.sampled_from([None, "1GB"]),
)
def test_it_ends_as_a_search_in_memory(
    question: tuple[Puzzle, dict[str, Any]],
    stops: list[tuple[int, str | None]],
    threads: int,
    memory: str | None,
) -> None:
    puzzle, given = question
    note(f"{puzzle.rules}, start={puzzle.start}, goal={puzzle.goal}, {given}")
    try:
        whole = search(puzzle, **given, max_states=STATES)
    except RewriteError:
        assume(False)
        raise
    with tempfile.TemporaryDirectory() as folder:
        try:
            for most, bytes_ in sorted(stops, key=str):
                search(puzzle, **given, checkpoint=folder, max_states=most, max_memory=bytes_)
            given |= {"checkpoint": folder, "max_memory": memory}
            kept = search(puzzle, **given, max_states=STATES, threads=threads)
        except CheckpointError as error:
            assert whole.engine == "python"
            assert "the native engine" in str(error)  # noqa: PT017
            return
        if whole.limit != "max_states" or not stops:
            assert told(kept) == told(whole)
        again = search(puzzle, **given, max_states=STATES)
        assert told(again) == told(kept)


@given(board_puzzles() | tuple_puzzles(), st.lists(st.integers(1, STATES), max_size=2))
def test_distances_do_too(puzzle: Puzzle, stops: list[int]) -> None:
    assume(puzzle.start is not None)
    whole = distances(puzzle, max_states=STATES)
    assume(whole.engine == "native" and whole.complete)
    with tempfile.TemporaryDirectory() as folder:
        for most in sorted(stops):
            distances(puzzle, checkpoint=folder, max_states=most)
        kept = distances(puzzle, checkpoint=folder)
        assert (kept.levels, kept.complete, kept.encoding) == (whole.levels, True, whole.encoding)
        assert kept.farthest() == whole.farthest()

"""Level files: what is written in a usual form is read back, and no text breaks a reader."""

import re
from collections.abc import Callable

from hypothesis import given, note
from hypothesis import strategies as st

from puzzles import rush_hour, sliding_tiles, sokoban
from puzzles.levels import Level
from rewrite import Puzzle, PuzzleError

INSIDE = st.text("# @$.*+", max_size=8)
ROWS = st.lists(INSIDE.map(lambda inside: f"#{inside}#"), min_size=1, max_size=5)
LEVELS = ROWS.map(lambda rows: ["###", *rows, "#$#"])
NAMES = st.text("abcdefgh ijklmnopqrstuvwxyz", min_size=1).map(str.strip).filter(
    lambda name: name and not set(name) <= {*"lurd "}
)  # fmt: skip


@st.composite
def written(draw: st.DrawFn, rows: list[str]) -> list[str]:
    """A level in lines: with other floors, run lengths and line ends, or as it is."""
    floor = draw(st.sampled_from(" -_"))
    lines = [row.replace(" ", floor) for row in rows]
    if draw(st.booleans()):
        lines = [re.sub(r"(.)\1+", lambda m: f"{len(m[0])}{m[1]}", line) for line in lines]
    return ["|".join(lines)] if draw(st.booleans()) else lines


@st.composite
def collections(draw: st.DrawFn) -> tuple[str, list[tuple[str, list[str]]]]:
    """The text of a collection, and the names and rows of its levels."""
    levels = draw(st.lists(st.tuples(NAMES, LEVELS), min_size=1, max_size=4))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    form = draw(st.sampled_from(["before", "comment", "after", "title"]))
    lines: list[str] = []
    for name, rows in levels:
        board = draw(written(rows))
        lines += {
            "before": [name, *board, ""],
            "comment": [f"; {name}", "", *board, ""],
            "after": [*board, name, ""],
            "title": [*board, f"Title: {name}", "Author: Ada", ""],
        }[form]
    return end.join(lines), levels


@given(collections())
def test_a_collection_is_read_as_it_was_written(
    given: tuple[str, list[tuple[str, list[str]]]],
) -> None:
    text, levels = given
    note(text)
    found = sokoban.levels(text)
    assert [level.title for level in found] == [name for name, _ in levels]
    assert [sokoban.rows("\n".join(level.words)) for level in found] == [rows for _, rows in levels]


LINES = st.one_of(
    st.text("#@+$*.-_| 0123456789xABo;:\t", max_size=40),
    st.text("ABXo.x", min_size=35, max_size=37),
    st.permutations(range(9)).map(lambda tiles: " ".join(map(str, tiles))),
    st.text(max_size=20),
)


@given(
    st.lists(LINES, max_size=12).map("\n".join),
    st.sampled_from([sokoban.levels, rush_hour.levels, sliding_tiles.levels]),
)
def test_any_text_is_levels_that_are_puzzles_or_refused(
    text: str, levels: Callable[[str], list[Level]]
) -> None:
    for level in levels(text):
        assert 1 <= level.line <= len(re.split(r"\r\n|\r|\n", text))
        try:
            puzzle = level.puzzle()
        except PuzzleError as error:
            note(error.message)
        else:
            assert type(puzzle) is Puzzle
            assert puzzle.start is not None
            assert puzzle.shown(puzzle.start)

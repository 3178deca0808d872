"""The states of a path as frames side by side."""

from __future__ import annotations

from rewrite.errors import ViewError
from rewrite.outcome.path import Path

BETWEEN = "   "


def frames(path: Path, per_row: int | None = None, width: int = 100) -> str:
    """Return the states of a path side by side, each under the label of the step that led to it.

    per_row  most frames in a row; by default as many as fit
    width    most characters of a row; a frame that is wider stands alone, and is not cut off

    States are shown by `puzzle.show`, else as text. Raises ViewError for a size below 1.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.puzzles import Puzzle
    >>> from rewrite.language.rules import rule
    >>> from rewrite.language.states import State
    >>> N = ints("N")
    >>> count = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]))
    >>> print(frames(Path(count, [State([n]) for n in (7, 8, 9)]), per_row=2))
    start   1. to 8
    [7]     [8]
    <BLANKLINE>
    2. to 9
    [9]
    """
    if not isinstance(path, Path):
        found = "nothing was found" if path is None else f"found {path!r}"
        raise ViewError(
            f"frames({path!r}): frames shows a Path, e.g. result.path, and {found}; look at "
            "result.status first, where a search may find nothing"
        )
    for name, size in (("per_row", per_row), ("width", width)):
        if size is not None and (type(size) is not int or size < 1):
            raise ViewError(f"frames(…, {name}={size!r}): a whole number of 1 or more")
    heads = ["start", *(f"{number}. {label}" for number, label in enumerate(path.labels, 1))]
    shown = [
        [*head.split("\n"), *path.puzzle.shown(state).split("\n")]
        for head, state in zip(heads, path.states, strict=True)
    ]
    rows: list[list[list[str]]] = []
    for frame in shown:
        full = per_row is not None and rows and len(rows[-1]) >= per_row
        if not rows or full or _width([*rows[-1], frame]) > width:
            rows.append([])
        rows[-1].append(frame)
    return "\n\n".join(map(_side_by_side, rows))


def _width(row: list[list[str]]) -> int:
    return sum(max(map(len, frame)) for frame in row) + len(BETWEEN) * (len(row) - 1)


def _side_by_side(row: list[list[str]]) -> str:
    high = max(map(len, row))
    wide = [max(map(len, frame)) for frame in row]
    padded = [frame + [""] * (high - len(frame)) for frame in row]
    lines = zip(*padded, strict=True)
    return "\n".join(
        BETWEEN.join(text.ljust(size) for text, size in zip(line, wide, strict=True)).rstrip()
        for line in lines
    )

"""Complete answers as text: an expression, a chain, a ring, frames side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewrite.errors import ViewError, tells_unknown_names
from rewrite.language.states import State
from rewrite.results.path import Path
from rewrite.show.views.cells import shown

BETWEEN = "   "


def steps_story(path: Path) -> str:
    """Return a line per step: number, label, and the state after it."""
    shows = path.puzzle.show is not None
    return _table(path, path.puzzle.shown if shows else lambda state: " ".join(map(shown, state)))


def expression_story(
    path: Path,
    target: Any = None,
    operators: Mapping[str, str] | None = None,
    atom: Callable[[Any], str] = repr,
) -> str:
    """Return the expression that computed the target (or the last term put), and all pools."""
    if target is None:
        put = path.steps[-1].put if len(path) else ()
        target = put[-1] if put else path.end.items[-1] if len(path.end) else 0
    text = path.formula(target, operators=operators, atom=atom)
    pools = _table(path, lambda state: " ".join(map(atom, state)))
    return f"{atom(target)} = {text}\n{pools}"


def chain_story(path: Path, pattern: Any = None) -> str:
    """Return the final chain, then each step with the chain after it; by default all sequences."""
    from rewrite.show.views.lines import chain  # loaded only for puzzles with such a view

    view = chain(pattern)
    return f"{view(path.end).split(' | ')[0]}\n{_table(path, view)}"


def ring_story(path: Path, pattern: Any) -> str:
    from rewrite.show.views.lines import ring, ring_of  # as above

    return f"{ring_of(path, pattern)}\n{_table(path, ring(pattern))}"


def _table(path: Path, view: Callable[[State], str]) -> str:
    number = len(str(len(path))) + 2
    labels = ["", *(f"{i:>{number}}. {label}" for i, label in enumerate(path.labels, 1))]
    wide = max(map(len, labels))
    blocks: list[Sequence[str]] = [view(state).split("\n") for state in path.states]
    lines = []
    for label, block in zip(labels, blocks, strict=True):
        for index, text in enumerate(block):
            lines.append(f"{label if index == 0 else '':<{wide}}  {text}".rstrip())
    return "\n".join(lines)


@tells_unknown_names(ViewError, "frames")
def frames(path: Path, per_row: int | None = None, width: int = 100) -> str:
    """Return the states of a path side by side, each under the label of the step that led to it.

    per_row  the most frames in a row; by default as many as fit
    width    the most characters in a row; a wider frame has a row of its own and is not cut off

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
    for name, size in (("per_row", 1 if per_row is None else per_row), ("width", width)):
        if type(size) is not int or size < 1:
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

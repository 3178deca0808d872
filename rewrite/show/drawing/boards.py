"""A board of cells: its floor, walls and targets, and the pieces on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any

from attrs import evolve, frozen

from rewrite.language.nesting import reached
from rewrite.show.drawing.drawing import Drawing, Look, Mark, bounded, within
from rewrite.show.drawing.looks import ALONE, SIDE, Cell, floor, look_of
from rewrite.show.drawing.palette import NAMED, SIGNS, Paint, Style, numbered, paint_of
from rewrite.show.drawing.tags import Markup, centred, number, tag

GAP = 20.0
NOTHING = {"", " ", "."}
"""Texts that stand for nothing, unless they are given a look."""
OPEN = {  # signs of parts, and their open sides: up, down, left, right
    "□": "", "■": "",
    "┌": "dr", "┐": "dl", "└": "ur", "┘": "ul",
    "⊏": "r", "⊐": "l", "⊓": "d", "⊔": "u",
    "│": "ud", "─": "lr", "├": "udr", "┤": "udl", "┬": "dlr", "┴": "ulr", "┼": "udlr",
}  # fmt: skip
HOLE = look_of(Style("hole"), "")
Totals = tuple[list[list[int]], list[int]]
"""The sums of each row, one for each board, and of each column."""
SIDES = {"u": (-1, 0, "d"), "d": (1, 0, "u"), "l": (0, -1, "r"), "r": (0, 1, "l")}


@frozen
class Piece:
    """Terms on a board, the cells they cover, and their text; None for joined parts."""

    terms: tuple[Any, ...]
    cells: tuple[Cell, ...]
    text: str | None


@frozen(eq=False)
class Board:
    """What does not change from state to state.

    background  a text for each row, or None
    empty       the text of an empty cell: a blank if empty cells do not exist
    aspect      width of a cell divided by its height; narrow cells have no floor
    looks       text -> style; None is the key for all other texts
    sums        whether there is room for sums, and which is to be reached
    """

    columns: int
    background: tuple[str, ...] | None
    empty: str
    gap_after: int | None
    aspect: float
    looks: Mapping[str | None, Style]
    floor: Mapping[tuple[Cell, ...], Style]
    sums: bool | int = False

    @property
    def width(self) -> float:
        return SIDE * self.aspect

    @cached_property
    def reserved(self) -> set[str]:
        """The colours assigned to particular texts: other texts avoid them."""
        return {style.colour for text, style in self.looks.items() if text and style.colour}

    @cached_property
    def static(self) -> Callable[[int, frozenset[Cell]], tuple[Mark, ...]]:
        """The marks below the pieces, from the rows and the cells that exist: mostly the same."""
        return lru_cache(maxsize=16)(lambda rows, ground: tuple(_static(self, rows, ground)))

    def style(self, text: str) -> Style | None:
        found = self.looks.get(text)
        if found is None and text not in NOTHING:
            found = self.looks.get(None) or Style(SIGNS.get(text, "tile"))
        return None if found is None or found.shape == "blank" else found

    def place(self, cell: Cell) -> tuple[float, float]:
        row, column = cell
        gaps = column // self.gap_after if self.gap_after else 0
        return column * self.width + gaps * (GAP + SIDE * bool(self.sums)), row * SIDE

    def joins(self, text: str | None) -> bool:
        return text in OPEN and text not in self.looks and None not in self.looks


def drawing_of(
    board: Board, rows: int, pieces: Sequence[Piece], said: str, totals: Totals | None = None
) -> Drawing:
    """Of pieces in one cell, the first is on top; holes are at the bottom. Raises TooLarge."""
    bounded(max(rows * board.columns, len(pieces)))
    ground = _ground(board, rows, pieces)
    marks = [*board.static(rows, frozenset(ground))]
    standing = [m for piece in [*_joined(board, pieces)][::-1] for m in _marks(board, piece)]
    marks += sorted(standing, key=lambda mark: mark.look != HOLE)  # a peg may pass over any hole
    seen = ground or {(rows - 1, board.columns - 1)}
    wide = max(board.place(cell)[0] for cell in seen) + board.width
    high = max(board.place(cell)[1] for cell in seen) + SIDE
    if totals is not None:
        marks += _sums(board, *totals)
        wide, high = wide + SIDE, high + SIDE
    beside = max(0.0, (SIDE - board.width) / 2)  # round looks are as wide as high
    return within(
        wide + 2 * beside, high, [evolve(mark, x=mark.x + beside) for mark in marks], said
    )


def _sums(board: Board, rows: list[list[int]], columns: list[int]) -> Iterator[Mark]:
    size = board.gap_after or board.columns
    for row, totals in enumerate(rows):
        for part, total in enumerate(totals, 1):
            x, y = board.place((row, min(size * part, board.columns) - 1))
            yield _sum(board, total, x + board.width, y)
    for column, total in enumerate(columns):
        yield _sum(board, total, *board.place((len(rows), column)))


def _sum(board: Board, total: int, x: float, y: float) -> Mark:
    reached = board.sums is not True and total == board.sums
    ink = {"fill": NAMED["green"]} if reached else {"class_": "rw-soft"}
    text = centred(str(total), board.width / 2, SIDE / 2, board.width, 17, font_weight=600, **ink)
    return Mark(Look(text, board.width, SIDE, fixed=True), x, y)


def _ground(board: Board, rows: int, pieces: Iterable[Piece]) -> set[Cell]:
    """Return the existing cells: all but the blank ones outside everything else."""
    whole = {(row, column) for row in range(rows) for column in range(board.columns)}
    if board.background is not None:
        blank = {(row, column) for row, column in whole if board.background[row][column] == " "}
        return whole - _outside(blank, rows, board.columns)
    if board.empty != " ":
        return whole
    below = {cell for cells in board.floor for cell in cells}
    return below | {cell for piece in pieces for cell in piece.cells}


def _outside(blank: set[Cell], rows: int, columns: int) -> set[Cell]:
    edge = [
        (row, column) for row, column in blank if row in (0, rows - 1) or column in (0, columns - 1)
    ]

    def beside(cell: Cell) -> set[Cell]:
        around = {(cell[0] + down, cell[1] + right) for down, right, _ in SIDES.values()}
        return around & blank

    return {*reached(edge, beside)}


def _static(board: Board, rows: int, ground: frozenset[Cell]) -> Iterator[Mark]:
    below: dict[Style, list[tuple[Cell, ...]]] = {}
    texts: dict[Cell, str] = {}
    for row, line in enumerate(board.background or ()):
        for column, text in enumerate(line):
            style = board.looks.get(text) or (Style(SIGNS[text]) if text in SIGNS else None)
            if style is not None:
                below.setdefault(style, []).append(((row, column),))
            elif text not in NOTHING:
                texts[row, column] = text
    walls = [cell for style, found in below.items() if style.shape == "wall" for (cell,) in found]
    cells = sorted(ground - {*walls})
    if cells and board.aspect >= 1:
        yield _everywhere(board, floor(map(board.place, cells), board.width), rows)
    for zone, style in board.floor.items():
        below.setdefault(style, []).append(zone)
    for style, found in below.items():
        if style.shape == "wall" and not board.gap_after:  # walls join
            found = [tuple(sorted(cell for cells in found for cell in cells))]
        pieces = [piece for cells in found for piece in _marks(board, Piece((), cells, ""), style)]
        placed = [
            tag("g", one.look.svg, transform=f"translate({number(one.x)} {number(one.y)})")
            for one in pieces
        ]
        yield _everywhere(board, Markup("").join(placed), rows)
    if texts:
        written = [
            centred(text, x + board.width / 2, y + SIDE / 2, board.width, 18, class_="rw-soft")
            for text, (x, y) in ((text, board.place(cell)) for cell, text in texts.items())
        ]
        yield _everywhere(board, Markup("").join(written), rows)


def _everywhere(board: Board, drawn: Markup, rows: int) -> Mark:
    right = board.place((0, board.columns - 1))[0] + board.width
    return Mark(Look(drawn, right, rows * SIDE, fixed=True), 0, 0)


def _joined(board: Board, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces; parts whose signs are open towards each other are joined."""
    parts: dict[Cell, Piece] = {}
    for piece in pieces:
        if len(piece.cells) == 1 and board.joins(piece.text):
            parts.setdefault(piece.cells[0], piece)
        else:
            yield piece
    seen = set[Cell]()
    for start in parts:
        if start in seen:
            continue
        cells = sorted(reached([start], partial(_beside, parts)))
        seen.update(cells)
        found = [parts[cell] for cell in cells]
        if len(found) == 1 and OPEN[found[0].text or ""]:  # a sign without a partner is a text
            yield found[0]
        else:
            terms = tuple(term for piece in found for term in piece.terms)
            yield Piece(terms, tuple(cells), None)


def _beside(parts: Mapping[Cell, Piece], cell: Cell) -> Iterator[Cell]:
    row, column = cell
    for side in OPEN[parts[cell].text or ""]:
        down, right, other = SIDES[side]
        beside = row + down, column + right
        if beside in parts and other in OPEN[parts[beside].text or ""]:
            yield beside


def _marks(board: Board, piece: Piece, below: Style | None = None) -> Iterator[Mark]:
    """Yield the marks of a piece; `below` is the style of a floor, which has no text."""
    text = piece.text or ""
    joined = below is None and piece.text is None
    style = below or (Style() if joined else board.style(text))
    if style is None or style.shape == "blank" or not piece.cells:
        return
    if style.shape in ALONE:
        for cell in piece.cells:
            x, y = board.place(cell)
            x += (board.width - SIDE) / 2
            if style.shape == "disc" and below is None:  # it stands in a hole
                yield Mark(HOLE, x, y)
            look = look_of(style, text, paint=paint_of(text, board.reserved))
            yield Mark(look, x, y, piece.terms)
        return
    top, left = min(row for row, _ in piece.cells), min(column for _, column in piece.cells)
    cells = tuple(sorted({(row - top, column - left) for row, column in piece.cells}))
    paint = _paint_of_shape(cells) if joined else paint_of(text, board.reserved)
    x, y = board.place((top, left))
    yield Mark(look_of(style, text, cells, board.width, paint), x, y, piece.terms)


def _paint_of_shape(cells: tuple[Cell, ...]) -> Paint:
    """Return the paint of a piece without text: the same for all pieces of its shape."""
    high, wide = max(row for row, _ in cells), max(column for _, column in cells)
    missing = (high + 1) * (wide + 1) - len(cells)
    return numbered(wide + 2 * high + 4 * missing)

"""`grid(...)`: cells numbered row by row, shown as rows of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from rewrite.errors import ViewError, tells_unknown_names
from rewrite.language.bag import Bag
from rewrite.language.expressions import Variable
from rewrite.language.matching import Env
from rewrite.language.order import Key, source, term_key
from rewrite.language.states import State
from rewrite.language.terms import Term
from rewrite.show.drawing.palette import Style, looks_of, styled
from rewrite.show.views.cells import (
    View,
    check_bound,
    check_kind,
    check_size,
    found_in,
    frozen_of,
    pattern_of,
    shown,
    value_in,
)

if TYPE_CHECKING:
    from rewrite.show.drawing.boards import Board, Totals
    from rewrite.show.drawing.drawing import Drawing

GAP = "  "
MOST_ROWS = 10_000
"""Largest grid without `rows=`: a cell further down is more likely a mistake."""
MOST_KNOWN = 10_000
Shown = tuple[Any, tuple[int, ...], str]
"""A term, the cells that it covers, and the text shown there."""


@frozen(eq=False)
class Layer:
    """`symbol` is a text, an expression, or a dict from the background's character to a text."""

    pattern: Any
    cell: Any
    symbol: Any


@frozen(eq=False)
class Grid(View):
    columns: int
    layers: tuple[Layer, ...]
    gap_after: int | None
    background: tuple[str, ...] | None
    empty: str
    rows: int | None
    stride: int
    trim: bool
    aspect: float
    looks: tuple[tuple[str | None, Style], ...]
    floor: tuple[tuple[tuple[int, ...], Style], ...]
    sums: bool | int = False
    folded: bool = False

    def text(self, state: State) -> str:
        return self._written(self._table(self._shown(state)))

    def _table(self, found: Iterable[Shown]) -> list[list[str]]:
        shown_at: dict[int, str] = {}
        for _, cells, text in found:
            for cell in cells:
                shown_at.setdefault(cell, text)
        rows = self.rows or max(shown_at, default=0) // self.stride + 1
        return [
            [
                shown_at[cell] if cell in shown_at else self._background(cell)
                for cell in range(first, first + self.columns)
            ]
            for first in range(0, rows * self.stride, self.stride)
        ]

    def _written(self, table: list[list[str]]) -> str:
        beside: list[list[str]] = [[]] * len(table)
        if self.sums:
            rows, columns = self._totals(table)
            wide = max(len(str(total)) for row in rows for total in row)
            beside = [[str(total).rjust(wide) for total in row] for row in rows]
            beside.append([" " * wide for _ in rows[0]])
            table = [*table, [*map(str, columns)]]
        wide = max(len(text) for row in table for text in row)
        lines = [
            self._row([text.rjust(wide) for text in row], sums)
            for row, sums in zip(table, beside, strict=True)
        ]
        return "\n".join(line.rstrip() if self.trim or self.sums else line for line in lines)

    def _totals(self, table: list[list[str]]) -> Totals:
        numbers = [[int(text) if text.isdecimal() else 0 for text in row] for row in table]
        size = self.gap_after or self.columns
        rows = [[sum(row[at : at + size]) for at in range(0, len(row), size)] for row in numbers]
        return rows, [*map(sum, zip(*numbers, strict=True))]

    def drawing(self, state: State, past: Any = None) -> Drawing:
        from rewrite.show.drawing.boards import Piece, drawing_of  # loaded only when drawn

        found, board = [*self._shown(state)], self._board
        pieces = [Piece((term,), self._places(cells), text) for term, cells, text in found]
        if self.folded:
            from rewrite.show.drawing.cubes import cube_drawing  # as above

            return cube_drawing(board, pieces, self.text(state))
        table = self._table(found)
        totals = self._totals(table) if self.sums else None
        return drawing_of(board, len(table), pieces, self._written(table), totals)

    @cached_property
    def _board(self) -> Board:
        from rewrite.show.drawing.boards import Board  # as above

        floor = {self._places(cells): style for cells, style in self.floor}
        return Board(
            self.columns, self.background, self.empty, self.gap_after, self.aspect,
            dict(self.looks), floor, self.sums,
        )  # fmt: skip

    def _places(self, cells: Iterable[int]) -> tuple[tuple[int, int], ...]:
        return tuple(divmod(cell, self.stride) for cell in cells)

    def _shown(self, state: State) -> Iterator[Shown]:
        """Yield each term with its text and the cells it covers; earlier ones are on top."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        for at, layer in enumerate(self.layers):
            for term in state:
                key = at, term_key(term)
                if key not in self._known:
                    envs = [env for _, env in found_in((term,), layer.pattern)]
                    self._known[key] = [
                        one for env in envs for one in self._symbols(layer, term, env)
                    ]
                yield from self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[int, Key], list[Shown]]:
        """What is shown of terms, by layer: most of a state was in the state before."""
        return {}

    def _symbols(self, layer: Layer, term: Any, env: Env) -> Iterator[Shown]:
        found = value_in("grid", layer.cell, env)
        cells = found if type(found) is tuple else (found,)
        if type(found) is tuple and layer.cell is layer.symbol:  # its elements in order
            for number, value in enumerate(found):
                [cell] = self._checked(term, (self._number(number),))
                yield term, (cell,), shown(value)
        elif isinstance(layer.symbol, dict):
            for cell in self._checked(term, cells):
                under = self._background(cell)
                yield term, (cell,), layer.symbol.get(under, under)
        elif cells:
            checked = self._checked(term, cells)
            yield term, checked, shown(value_in("grid", layer.symbol, env))

    def _number(self, place: int) -> int:
        """Return the number of the cell at a place, counted without the gaps of `stride`."""
        row, column = divmod(place, self.columns)
        return row * self.stride + column

    def _checked(self, term: Any, cells: tuple[Any, ...], option: str = "") -> tuple[int, ...]:
        rows = MOST_ROWS if self.rows is None else self.rows
        last = self._number(rows * self.columns - 1)
        for cell in cells:
            if type(cell) is not int or not 0 <= cell <= last:
                end = "" if self.rows else f", the end of row {rows:,}; for more give rows="
                if type(cell) is not int or cell < 0:
                    end = ": a cell is a whole number of 0 or more"
                if type(cell) is not int and not option:
                    end += "; (pattern, symbol, cell) computes it: (At(R, C, V), V, 9 * R + C)"
                subject = option or f"grid(…): {source(term)}"
                raise ViewError(
                    f"{subject} is in cell {source(cell)}; the cells are numbered row by row "
                    f"from 0 to {last}{end}",
                    cell=cell,
                    term=term,
                )
            if cell % self.stride >= self.columns:
                subject = option or f"grid(…, stride={self.stride}): {source(term)}"
                raise ViewError(
                    f"{subject} is in cell {cell}, and that would be "
                    f"column {cell % self.stride + 1} of a row that has {self.columns}",
                    cell=cell,
                    term=term,
                )
        return cells

    def _background(self, cell: int) -> str:
        if self.background is None:
            return self.empty
        row, column = divmod(cell, self.stride)
        return self.background[row][column]

    def _row(self, texts: list[str], sums: list[str]) -> str:
        between = "" if self.background is not None and len(texts[0]) == 1 else " "
        size = self.gap_after or len(texts)
        parts = [between.join(texts[first : first + size]) for first in range(0, len(texts), size)]
        if sums:
            parts = [text for both in zip(parts, sums, strict=True) for text in both]
        return (between + GAP).join(parts)


@tells_unknown_names(ViewError, "grid")
def grid(
    columns: int,
    *patterns: Any,
    gap_after: int | None = None,
    background: str | None = None,
    empty: str = ".",
    rows: int | None = None,
    stride: int | None = None,
    trim: bool = False,
    looks: Mapping[Any, str] | None = None,
    floor: Mapping[Any, str] | None = None,
    aspect: float = 1,
    sums: bool | int = False,
    folded: bool = False,
) -> Callable[[State], str]:
    """Return a view that shows cells numbered row by row from 0, for `Puzzle(show=...)`.

    columns     cells per row
    patterns    each one of
                a term pattern: its first variable is the cell, its second the symbol shown there
                a sequence variable: the elements of the term are the cells, in order
                (pattern, symbol): its first variable is the cell; symbol is a text, an expression
                of the pattern's variables, or a dict from the background to the text shown
                (pattern, symbol, cell): cell is an expression for one cell or a sequence of them
                If several patterns match one cell, the first is shown.
    gap_after   puts a gap after every this many columns: two boards side by side
    background  a text with one line per row, shown where nothing matches: walls, targets
    empty       shown where nothing matches and there is no background
    rows        number of rows; by default those of the background, else as many as needed
    stride      cell numbers per row, if more than `columns`: the extra cells do not exist
    trim        strips blanks from the end of each line
    sums        shows the sums of whole numbers beside each row and below each column; a number is
                the sum to reach, and drawn in colour where it is

    These affect only the drawing, not the text:

    looks       text -> a shape, a colour or both: {"@": "player", "X": "red car"}; None is the key
                for all other texts. By default `#` is a wall, `●` a disc, `○` a ring, `·` a hole
                and `.` nothing; any other text is a tile with that text. Signs such as ┌ ┐ └ ┘
                and ⊏ ⊐ are parts that join into one piece.
    floor       cell, or a tuple of cells -> the look of the floor below any piece there:
                {(16, 17): "target"}
    aspect      width of a cell divided by its height, e.g. 1/2 if every other column is used
    folded      draws a cube, of which the grid is the net: the upper face on top, then the left,
                front, right and back one, and below the front the lower one

    Raises ViewError; so does the view itself for a cell outside the grid.

    >>> from rewrite.language.functions import ints, seqs
    >>> P, D = ints("P D")
    >>> print(grid(4, (P, D), gap_after=2)(State([(0, 7), (3, 12), (4, 1)])))
     7  .    . 12
     1  .    .  .
    >>> print(grid(3, seqs("S"))(State([(1, 2, 3, 4, 0, 5, 7, 8, 6)])))
    1 2 3
    4 0 5
    7 8 6
    >>> print(grid(2, seqs("S"), sums=True)(State([(7, 1, 2, 8)])))
    7 1    8
    2 8   10
    9 9
    """
    if type(columns) is not int or columns < 1:
        raise ViewError(f"grid({columns!r}, …): columns is a whole number of 1 or more")
    check_size("grid", "gap_after", gap_after)
    check_size("grid", "rows", rows)
    if not patterns:
        raise ViewError(f"grid({columns}) shows nothing; give patterns: grid({columns}, At(P, D))")
    check_kind("grid(…, empty=…)", empty, str, "empty is the text of a cell where nothing is")
    if "\n" in empty:
        raise ViewError(f"grid(…, empty={empty!r}): the text of one cell, and this has two lines")
    check_kind("grid(…, trim=…)", trim, bool, "trim is True or False")
    lines = None if background is None else _lines(columns, background)
    if lines is not None and rows is not None and rows != len(lines):
        raise ViewError(f"grid(…, rows={rows}): the background has {len(lines)} rows")
    if stride is not None and (type(stride) is not int or stride < columns):
        raise ViewError(
            f"grid({columns}, …, stride={stride!r}): the cells are numbered {columns} to a row or "
            "more, a whole number"
        )
    if type(aspect) not in (int, float) or not 0.1 <= aspect <= 10:
        raise ViewError(f"grid(…, aspect={aspect!r}): a number from 0.1 to 10")
    check_kind("grid(…, folded=…)", folded, bool, "folded is True or False")
    if folded and columns % 4:
        raise ViewError(f"grid({columns}, …, folded=True): four faces in a row, a multiple of 4")
    if type(sums) not in (bool, int):
        raise ViewError(f"grid(…, sums={sums!r}): True, or the sum to reach, a whole number")
    made = Grid(
        columns,
        tuple(layer_of("grid", given, empty) for given in patterns),
        gap_after,
        lines,
        empty,
        (3 * columns // 4 if folded else rows) if lines is None else len(lines),
        stride or columns,
        trim,
        float(aspect),
        looks_of("grid", looks or {}),
        (),
        sums,
        folded,
    )
    return evolve(made, floor=_floor(made, floor or {}))


def _floor(made: Grid, given: Mapping[Any, str]) -> tuple[tuple[tuple[int, ...], Style], ...]:
    if not isinstance(given, Mapping):
        raise ViewError(f"grid(…, floor={given!r}): a dict from cells to what they look like")
    found = {}
    for cells, words in given.items():
        listed = cells if isinstance(cells, tuple) else (cells,)
        checked = made._checked(None, listed, f"grid(…, floor={{{cells!r}: …}}): the floor")
        found[checked] = styled("grid", "floor", cells, words)
    return tuple(sorted(found.items(), key=lambda pair: pair[0]))


def _lines(columns: int, background: str) -> tuple[str, ...]:
    check_kind(
        "grid(…, background=…)", background, str,
        "a text with a line for each row; join a list of lines: '\\n'.join(…)",
    )  # fmt: skip
    lines = background.split("\n")
    lines = lines[1:] if not lines[0].strip() else lines  # the text starts after \"\"\"
    lines = lines[:-1] if lines and not lines[-1].strip() else lines
    for number, line in enumerate(lines, 1):
        if len(line) > columns:
            raise ViewError(
                f"grid({columns}, …): line {number} of the background, {line!r}, has {len(line)} "
                f"characters; a row has {columns}",
                line=number,
            )
    if not lines:
        raise ViewError(f"grid({columns}, …): the background is empty; leave it out or draw it")
    return tuple(line.ljust(columns) for line in lines)


def layer_of(view: str, given: Any, empty: str = "") -> Layer:
    whole = not (isinstance(given, tuple) and given and isinstance(given[0], (Term, tuple, Bag)))
    if whole:
        only_sequence = isinstance(given, Variable) and given.kind == "seq"
        pattern, variables = pattern_of(
            view,
            given,
            1 if only_sequence else 2,
            "the first one is the cell, the second what is shown there; for a fixed symbol write "
            f"({source(given)}, '@')",
        )
        return Layer(pattern, variables[0], variables[0] if only_sequence else variables[1])
    if len(given) not in (2, 3):
        raise ViewError(
            f"{view}(…): {given!r} must be (pattern, symbol) or (pattern, symbol, cell)",
            found=given,
        )
    least = 0 if len(given) == 3 else 1
    pattern, variables = pattern_of(view, given[0], least, "the first one is the cell")
    subject = f"{view}(…, ({source(pattern)}, …))"
    if isinstance(given[1], dict):
        symbol = _by_background(subject, given[1], empty)
    else:
        symbol = frozen_of(subject, given[1])
        check_bound(view, symbol, pattern)
    cell = frozen_of(subject, given[2]) if len(given) == 3 else variables[0]
    check_bound(view, cell, pattern)
    return Layer(pattern, cell, symbol)


def _by_background(subject: str, given: dict[Any, Any], empty: str) -> dict[str, str]:
    for under, text in given.items():
        one = isinstance(under, str) and (len(under) == 1 or under == empty)
        if not one or not isinstance(text, str) or "\n" in text:
            raise ViewError(
                f"{subject}: a dict from one character of the background to the text that is shown "
                f"on it, such as {{'.': '*'}}, and it holds {{{under!r}: {text!r}}}",
                found=given,
            )
    return dict(given)

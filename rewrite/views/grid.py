"""`grid(...)`: cells that are numbered row by row, as rows of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import field, frozen

from rewrite.errors import ViewError
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Variable
from rewrite.language.order import source
from rewrite.language.patterns import binders, mentioned
from rewrite.language.states import State
from rewrite.language.terms import Term, freeze
from rewrite.views.cells import View, found_in, pattern_of, shown, value_in

GAP = "  "


@frozen(eq=False)
class Layer:
    """A pattern, the expression for its cell or cells, and what is shown there.

    `symbol` is a text, an expression, or a dict from the background's character to a text.
    """

    pattern: Any
    cell: Any
    symbol: Any


@frozen(eq=False)
class Grid(View):
    """A view of a state as a grid; made by `grid(...)`."""

    columns: int
    layers: tuple[Layer, ...]
    gap_after: int | None
    background: tuple[str, ...] | None
    empty: str
    rows: int | None = field(default=None)

    def __call__(self, state: State) -> str:
        """Return the grid of a state. Raises ViewError for a cell outside of it."""
        shown_at: dict[int, str] = {}
        for layer in self.layers:
            for term, env in found_in(state, layer.pattern):
                for cell, text in self._symbols(layer, term, env):
                    shown_at.setdefault(cell, text)
        rows = self.rows or max(shown_at, default=0) // self.columns + 1
        table = [
            [self._at(row * self.columns + column, shown_at) for column in range(self.columns)]
            for row in range(rows)
        ]
        wide = max(len(text) for row in table for text in row)
        return "\n".join(self._row([text.rjust(wide) for text in row]) for row in table)

    def _symbols(self, layer: Layer, term: Any, env: Any) -> Iterable[tuple[int, str]]:
        cells = value_in("grid", layer.cell, env)
        values: Any = None
        if (
            type(cells) is tuple and layer.cell is layer.symbol
        ):  # one sequence: its elements in order
            cells, values = tuple(range(len(cells))), cells
        for number, cell in enumerate(cells if type(cells) is tuple else (cells,)):
            last = None if self.rows is None else self.rows * self.columns - 1
            if type(cell) is not int or cell < 0 or (last is not None and cell > last):
                end = f"to {last}" if last is not None else "upwards"
                raise ViewError(
                    f"grid(…): {term!r} is in cell {cell!r}; the cells are numbered row by row "
                    f"from 0 {end}",
                    cell=cell,
                    term=term,
                )
            if values is not None:
                yield cell, shown(values[number])
            elif isinstance(layer.symbol, dict):
                under = self._background(cell)
                yield cell, layer.symbol.get(under, under)
            else:
                yield cell, shown(value_in("grid", layer.symbol, env))

    def _background(self, cell: int) -> str:
        if self.background is None:
            return self.empty
        return self.background[cell // self.columns][cell % self.columns]

    def _at(self, cell: int, shown_at: Mapping[int, str]) -> str:
        return shown_at[cell] if cell in shown_at else self._background(cell)

    def _row(self, texts: list[str]) -> str:
        between = "" if self.background is not None and len(texts[0]) == 1 else " "
        size = self.gap_after or len(texts)
        parts = [between.join(texts[first : first + size]) for first in range(0, len(texts), size)]
        return (between + GAP).join(parts)


def grid(
    columns: int,
    *patterns: Any,
    gap_after: int | None = None,
    background: str | None = None,
    empty: str = ".",
    rows: int | None = None,
) -> Callable[[State], str]:
    """Return a view that shows cells numbered row by row from 0, for `Puzzle(show=...)`.

    columns     cells of a row
    patterns    each one of
                a term pattern: its first variable is the cell, its second what is shown there
                a sequence variable: the elements of the term are the cells, in order
                (pattern, symbol): its first variable is the cell; symbol is a text, an expression
                of the pattern's variables, or a dict from what is below to what is shown
                (pattern, symbol, cell): cell is an expression, for one cell or a sequence of them
                Where several patterns match one cell, the first is shown.
    gap_after   a gap follows every so many columns: two boards side by side
    background  a text of as many lines as rows, shown where nothing matches: walls, targets
    empty       shown where nothing matches and there is no background
    rows        number of rows; by default those of the background, else as many as are needed

    Raises ViewError; the view itself raises it for a cell outside of the grid.

    >>> from rewrite.language.functions import ints, seqs
    >>> P, D = ints("P D")
    >>> print(grid(4, (P, D), gap_after=2)(State([(0, 7), (3, 12), (4, 1)])))
     7  .    . 12
     1  .    .  .
    >>> print(grid(3, seqs("S"))(State([(1, 2, 3, 4, 0, 5, 7, 8, 6)])))
    1 2 3
    4 0 5
    7 8 6
    """
    if type(columns) is not int or columns < 1:
        raise ViewError(f"grid({columns!r}, …): columns is a whole number of 1 or more")
    if gap_after is not None and (type(gap_after) is not int or gap_after < 1):
        raise ViewError(f"grid(…, gap_after={gap_after!r}): a whole number of 1 or more, or None")
    if not patterns:
        raise ViewError(f"grid({columns}) shows nothing; give patterns: grid({columns}, At(P, D))")
    lines = None if background is None else _lines(columns, background)
    if lines is not None and rows is not None and rows != len(lines):
        raise ViewError(f"grid(…, rows={rows}): the background has {len(lines)} rows")
    layers = tuple(map(_layer, patterns))
    return Grid(columns, layers, gap_after, lines, empty, rows if lines is None else len(lines))


def _lines(columns: int, background: str) -> tuple[str, ...]:
    lines = background.split("\n")
    lines = lines[1:] if not lines[0].strip() else lines  # a text that begins after \"\"\"
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


def _layer(given: Any) -> Layer:
    whole = not (isinstance(given, tuple) and given and isinstance(given[0], (Term, tuple, Bag)))
    if whole:
        only_sequence = isinstance(given, Variable) and given.kind == "seq"
        pattern, variables = pattern_of(
            "grid",
            given,
            1 if only_sequence else 2,
            "the first one is the cell, the second what is shown there; for a fixed symbol write "
            f"({source(given)}, '@')",
        )
        return Layer(pattern, variables[0], variables[0] if only_sequence else variables[1])
    if len(given) not in (2, 3):
        raise ViewError(
            f"grid(…): {given!r} must be (pattern, symbol) or (pattern, symbol, cell)", found=given
        )
    least = 0 if len(given) == 3 else 1
    pattern, variables = pattern_of("grid", given[0], least, "the first one is the cell")
    symbol = given[1] if isinstance(given[1], dict) else freeze(given[1])
    cell = freeze(given[2]) if len(given) == 3 else variables[0]
    for part in (symbol, cell):
        for variable in mentioned(part) if isinstance(part, (Expression, tuple)) else ():
            if variable not in binders(pattern):
                raise ViewError(
                    f"grid(…): {source(part)} uses {variable.name}, which {source(pattern)} does "
                    "not bind",
                    variable=variable.name,
                )
    return Layer(pattern, cell, symbol)

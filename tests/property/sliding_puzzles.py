"""Random sliding pieces of odd shapes, declared as `Piece(kind, at)` and `Free(at)`.

A piece is one term, whatever it covers; so the cells that it leaves come to be free without a term
that held them, and whether two terms exclude each other depends on shapes and on the start.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rewrite import Puzzle, Rule, contains, exactly, ints, rule, term


@term
class Piece:
    kind: str
    at: int


@term
class Free:
    at: int


P = ints("P")
Shape = tuple[int, ...]
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
BOARDS = [(1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 3), (4, 4)]


def cell(offset: int) -> Any:
    return P + offset if offset else P


def slide(kind: str, shape: Shape, way: str, by: int) -> Rule:
    """The rule by which a piece goes on by one cell."""
    before, after = set(shape), {x + by for x in shape}
    return rule(
        f"{kind} at {P} {way}",
        take=[Piece(kind, P), *[Free(cell(x)) for x in sorted(after - before)]],
        put=[Piece(kind, cell(by)), *[Free(cell(x)) for x in sorted(before - after)]],
    )


@st.composite
def shapes(draw: st.DrawFn, width: int) -> Shape:
    """Up to four cells that hang together, one of them the cell 0."""
    cells = {(0, 0)}
    for _ in range(draw(st.sampled_from([0, 0, 1, 2, 3]))):
        row, column = draw(st.sampled_from(sorted(cells)))
        down, right = draw(st.sampled_from(sorted(WAYS.values())))
        cells.add((row + down, column + right))
    return tuple(sorted(width * row + column for row, column in cells))


@st.composite
def sliding_puzzles(draw: st.DrawFn, most: int = 5) -> Puzzle:
    """Draw a board with up to `most` pieces; the goal names one piece, or the whole state."""
    rows, columns = draw(st.sampled_from(BOARDS))
    width = columns + draw(st.sampled_from([0, 1, 1, 2]))  # 0: pieces slide around the edge
    kinds = {kind: draw(shapes(width)) for kind in "ABCD"[: draw(st.integers(1, 4))]}
    board = [width * row + column for row in range(rows) for column in range(columns)]
    free, pieces = set(board), list[Piece]()
    for kind in draw(st.lists(st.sampled_from(sorted(kinds)), min_size=1, max_size=most)):
        fits = [at for at in board if {at + x for x in kinds[kind]} <= free]
        if fits:
            pieces.append(Piece(kind, draw(st.sampled_from(fits))))
            free -= {pieces[-1].at + x for x in kinds[kind]}
    start = [*pieces, *map(Free, sorted(free))]
    used = sorted({piece.kind for piece in pieces})
    ways = draw(st.sets(st.sampled_from(sorted(WAYS)), min_size=1)) if used else set()
    rules = [
        slide(kind, kinds[kind], way, WAYS[way][0] * width + WAYS[way][1])
        for kind in used for way in sorted(ways)
    ]  # fmt: skip
    if not rules:  # nothing fitted
        return Puzzle(rule("stay", take=[Free(P)], put=[Free(P)]), start=start, goal=contains(P))
    one = draw(st.sampled_from(pieces))
    wanted = Piece(one.kind, draw(st.sampled_from(board)))
    whole = [wanted if piece is one else piece for piece in pieces]
    covered = {piece.at + x for piece in whole for x in kinds[piece.kind]}
    goal = (
        exactly(*whole, *[Free(at) for at in board if at not in covered])
        if draw(st.booleans())
        else contains(wanted)
    )
    return Puzzle(rules, start=start, goal=goal, name="sliding")

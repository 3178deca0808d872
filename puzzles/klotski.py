"""Klotski: slide the large block out at the middle of the lower edge.

Hua Rong Dao in China, L'Âne Rouge in France. Martin Gardner, The hypnotic fascination of
sliding-block puzzles, Scientific American 210 (1964). A step moves one block by one cell: the
standard start needs 116 (81 moves if sliding one block further, even around a corner, counts once).

Every cell holds a part of a block or nothing, so that blocks of the same shape are interchangeable
and a state is its picture. Cells are numbered 5 to a row: the fifth does not exist, so that nothing
slides around the edge.
"""

from typing import Never

from rewrite import Puzzle, PuzzleError, Rule, contains, grid, ints, rule, strs, term

START = """
⊓┌┐⊓
⊔└┘⊔
⊓⊏⊐⊓
⊔□□⊔
□..□
"""
BLOCKS = {  # offset from the first cell: part
    "small block": {0: "□"},
    "wide block": {0: "⊏", 1: "⊐"},
    "tall block": {0: "⊓", 5: "⊔"},
    "large block": {0: "┌", 1: "┐", 5: "└", 6: "┘"},
}
WAYS = {"up": -5, "down": 5, "left": -1, "right": 1}


@term
class At:
    cell: int
    part: str


P = ints("P")
V = strs("V")


def step(block: str, way: str) -> Rule:
    """The rule that slides a block by one cell."""
    before = BLOCKS[block]
    after = {x + WAYS[way]: part for x, part in before.items()}
    cells = [(x, P + x if x else P) for x in sorted({*before, *after})]
    return rule(
        f"{block} at {P} {way}",
        take=[At(cell, before.get(x, ".")) for x, cell in cells],
        put=[At(cell, after.get(x, ".")) for x, cell in cells],
    )


klotski = Puzzle(
    [step(block, way) for block in BLOCKS for way in WAYS],
    start=[
        At(5 * r + c, part) for r, line in enumerate(START.split()) for c, part in enumerate(line)
    ],
    goal=contains(At(16, "┌")),
    show=grid(5, At(P, V), empty=" ", floor={(16, 17, 21, 22): "purple target"}),
    name="klotski",
)


def instance(*words: Never) -> Puzzle:
    """The standard start; takes no words."""
    if words:
        raise PuzzleError(f"klotski: has one start and takes no words; found {' '.join(words)!r}")
    return klotski

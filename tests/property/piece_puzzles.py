"""Random boards on which interchangeable pieces are pushed, pulled, shifted and thrown.

Boxes stand on some cells of a small board with walls; players push them, or they move by
themselves. Some boards have two players, or crates beside the boxes, or more targets than boxes.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rewrite import Puzzle, Rule, contains, ints, lacks, one_of, rule, term
from rewrite.language.conditions import Condition


@term
class Man:
    cell: int


@term
class Helper:
    cell: int


@term
class Box:
    cell: int


@term
class Crate:
    cell: int


@term
class Cell:
    cell: int


@term
class Target:
    cell: int


@term
class Gate:
    open: bool


C, D = ints("C D")
WIDTH = 6  # of rows in numbers: boards are narrower, so that nothing leads around an edge
ASIDE = 100
WAY = {D: one_of(-WIDTH, WIDTH, -1, 1)}


def push(who: Any, what: Any, cost: int, apart: list[Any]) -> Rule:
    return rule(
        f"{who.__name__} pushes {what.__name__}", let=WAY, keep=[Cell(C + 2 * D)],
        absent=[one(C + 2 * D) for one in apart],
        take=[who(C), what(C + D)], put=[who(C + D), what(C + 2 * D)], cost=cost,
    )  # fmt: skip


def walk(who: Any, cost: int, apart: list[Any]) -> Rule:
    return rule(
        f"{who.__name__} walks", let=WAY, keep=[Cell(C + D)],
        absent=[one(C + D) for one in apart], take=[who(C)], put=[who(C + D)], cost=cost,
    )  # fmt: skip


def others(cost: int) -> dict[str, Rule]:
    """What boxes may do beside being pushed."""
    return {
        "pull": rule("pull", let=WAY, keep=[Cell(C - D)], absent=[Box(C - D)],
                     take=[Man(C), Box(C + D)], put=[Man(C - D), Box(C)], cost=cost),
        "shift": rule("shift", let=WAY, keep=[Cell(C + D)], absent=[Box(C + D), Man(C + D)],
                      take=[Box(C)], put=[Box(C + D)], cost=cost),
        "slip": rule("slip", take=[Box(C)], keep=[Cell(C + 1)], absent=[Box(C + 1)],
                     put=[Box(C + 1)], cost=cost),
        "leap": rule("leap", let=WAY, keep=[Cell(C + 2 * D), Box(C + D)],
                     absent=[Box(C + 2 * D)], take=[Box(C)], put=[Box(C + 2 * D)], cost=cost),
        "throw": rule("throw", take=[Box(C)], keep=[Man(C), Cell(C + WIDTH)],
                      absent=[Box(C + WIDTH)], put=[Box(C + WIDTH)], cost=cost),
        "unlock": rule("unlock", take=[Gate(False)], keep=[Man(0)], put=[Gate(True)], cost=cost),
        "drop": rule("drop", take=[Box(C)], keep=[Gate(True), Cell(C - 1)], absent=[Box(C - 1)],
                     put=[Box(C - 1)], cost=cost),
    }  # fmt: skip


@st.composite
def goals(draw: st.DrawFn, cells: list[int], boxes: int) -> Condition:
    chosen = draw(st.permutations(cells))
    boxed: Condition = lacks(Box(C), absent=Target(C))
    named = contains(*map(Box, chosen[: draw(st.integers(1, boxes))]))
    kind = draw(st.sampled_from(["targets", "targets", "named", "either", "man", "not", "gate"]))
    if kind == "gate":
        return boxed & contains(Gate(True))
    if kind == "man":
        return boxed & contains(Man(chosen[-1]))
    if kind == "not":
        return named & lacks(Box(chosen[-1]))
    if kind == "either":
        return named | contains(Box(chosen[-1]))
    return named if kind == "named" else boxed


@st.composite
def piece_puzzles(draw: st.DrawFn, free: bool | None = None, boxes: int | None = None) -> Puzzle:
    """Draw a board.

    free    walking costs nothing, one man pushes, and one box more stands apart from all: then a
            board with as few other boxes as a table follows has no more to it than the table
    """
    rows, columns = draw(st.sampled_from([(3, 3), (3, 4), (2, 4), (1, 5)]))
    board = [WIDTH * row + column for row in range(rows) for column in range(columns)]
    walls = draw(st.sets(st.sampled_from(board), max_size=3))
    cells = [cell for cell in board if cell not in walls]
    if len(cells) < 5:
        cells = board
    order = draw(st.permutations(cells))
    count = draw(st.sampled_from([2, 2, 3])) if boxes is None else boxes
    start: list[Any] = [Man(order[-1]), *map(Box, order[:count])]
    surplus = draw(st.sampled_from([0, 0, 1, 2]))
    targets = draw(st.permutations(cells))[: min(count + surplus, len(cells) - 1)]
    facts = [*map(Cell, cells), *map(Target, targets)]
    if free:  # one that is alone would be kept as one slot
        start.append(Box(ASIDE))
        facts += [Cell(ASIDE), Target(ASIDE)]
    cost = draw(st.integers(0, 3))
    step = 0 if free else draw(st.integers(0, 2))
    apart: list[Any] = [Box]
    rules: list[Rule] = []
    if free is None:
        extra = others(cost)
        names = draw(st.lists(st.sampled_from(sorted(extra)), max_size=2, unique=True))
        rules += [extra[name] for name in names]
        if {"unlock", "drop"} & {*names}:
            start.append(Gate(False))
        if draw(st.booleans()) and len(order) > count + 2:
            apart = [Box, Crate]
            start.append(Crate(order[count]))
            rules.append(push(Man, Crate, draw(st.integers(0, 2)), apart))
        if draw(st.booleans()):
            start.append(Helper(order[-1]))
            rules += [walk(Helper, step, apart), push(Helper, Box, cost + 1, apart)]
        elif draw(st.booleans()) and len(order) > count + 3:
            start.append(Man(order[-2]))
            apart = [*apart, Man]
    if free or draw(st.integers(0, 3)):  # else he moves by pushing only
        rules.append(walk(Man, step, apart))
    rules.append(push(Man, Box, cost, apart))
    goal = lacks(Box(C), absent=Target(C)) if free else draw(goals(cells, count))
    return Puzzle(rules, start=start, facts=facts, goal=goal, name="boxes")

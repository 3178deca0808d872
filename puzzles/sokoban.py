"""Sokoban: push every box onto a target; boxes cannot be pulled, and only one is pushed at a time.

Hiroyuki Imabayashi, Thinking Rabbit, 1982. Levels are read in the standard notation: `#` wall,
`@` player, `$` box, `.` target, `+` player on a target, `*` box on a target, space for the floor.
The labels of a path join to the standard notation of solutions: a small letter is a walk, a
capital one a push. Without words, the level is the first of Microban (David W. Skinner, 2000).

Collections of levels are read in the formats in use: see sokoban_files.py.
"""

import re

from puzzles.levels import Level, split
from puzzles.sokoban_files import found
from rewrite import (
    Puzzle,
    PuzzleError,
    Result,
    Rule,
    grid,
    ints,
    lacks,
    one_of,
    rule,
    strs,
    term,
    upper,
)

MICROBAN_1 = """
####
# .#
#  ###
#*@  #
#  $ #
#  ###
####
"""


@term
class Player:
    cell: int


@term
class Box:
    cell: int


@term
class Floor:
    cell: int


@term
class Target:
    cell: int


P, D = ints("P D")
L = strs("L")


def moves(width: int, pushes: bool = False) -> list[Rule]:
    """Walking and pushing on a board of `width` cells a row; with `pushes` only pushes count."""
    way = {(L, D): one_of(("u", -width), ("d", width), ("l", -1), ("r", 1))}
    return [
        rule(
            f"{L}",
            name="walk",
            let=way,
            keep=[Floor(P + D)],
            absent=[Box(P + D)],
            take=[Player(P)],
            put=[Player(P + D)],
            free=pushes,
        ),
        rule(
            f"{upper(L)}",
            name="push",
            let=way,
            keep=[Floor(P + 2 * D)],
            absent=[Box(P + 2 * D)],
            take=[Player(P), Box(P + D)],
            put=[Player(P + D), Box(P + 2 * D)],
        ),
    ]


def rows(text: str) -> list[str]:
    """The rows of a level, with run lengths, row ends and floor signs expanded."""

    def run(match: re.Match[str]) -> str:
        if len(match[1]) > 3:
            raise PuzzleError(
                f"sokoban: {match[1][:20]} times {match[2]!r} is more than a row can have; a run "
                "length has up to three digits"
            )
        return int(match[1]) * match[2]

    # a run begins at its first digit: else a long one is tried again from each digit
    written = re.sub(r"(?<![0-9])([0-9]+)([-_#@+$*. |])", run, text.expandtabs())
    return written.translate(str.maketrans("-_|", "  \n")).strip("\n").splitlines()


def level(text: str, pushes: bool = False) -> Puzzle:
    """The puzzle of a level in standard notation; with `pushes` walking is free.

    Raises PuzzleError for anything but a level.
    """
    lines = rows(text)
    width = max(map(len, lines), default=0) + 1  # one more, so that no step leads around the edge
    signs = {}
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign not in "#@+$*. ":
                raise PuzzleError(
                    f"sokoban: line {row + 1}, column {column + 1} of the level is {sign!r}; a "
                    "level is made of # @ + $ * . and spaces (or - or _)",
                    line=row + 1,
                    column=column + 1,
                )
            signs[row * width + column] = sign
    players, boxes, targets, floor = (
        [cell for cell, sign in signs.items() if sign in known]
        for known in ("@+", "$*", ".+*", "@+$*. ")
    )
    if len(players) != 1 or len(boxes) > len(targets):
        raise PuzzleError(
            "sokoban: a level has one player (@ or +) and a target (. + *) for every box ($ or *); "
            f"this one has {len(players)} players, {len(boxes)} boxes, {len(targets)} targets"
        )
    empty = "\n".join(lines).translate(str.maketrans("@$+*", "  .."))
    return Puzzle(
        moves(width, pushes),
        facts=[*map(Floor, floor), *map(Target, targets)],
        start=[*map(Player, players), *map(Box, boxes)],
        goal=lacks(Box(P), absent=Target(P)),
        show=grid(
            width,
            (Player(P), "@"),
            (Box(P), "$"),
            background=f"\n{empty}\n",  # keeps a first or last row without walls
            looks={"@": "player", "$": "box", ".": "target"},
        ),
        name="sokoban",
    )


def instance(*words: str) -> Puzzle:
    """The level whose rows are the words; without words, the first of Microban. After the word
    `pushes` only pushes count.
    """
    pushes = words[:1] == ("pushes",)
    given = words[pushes:]
    return level("\n".join(given) if given else MICROBAN_1, pushes)


def levels(text: str, *words: str) -> list[Level]:
    """Reads collections of levels: rows of # @ + $ * . and space, - or _ for the floor; run lengths
    such as 3# and | for the end of a row; names and notes between the levels.

    A name is `Title: …` after its level (before it, where none stands after the last), else the
    line of text before it (after it, where the text begins with a level). More words go before the
    rows of each level.
    """
    lines = split(text.expandtabs())
    return [
        Level(name, start + 1, (*words, *map(str.rstrip, lines[start:end])), instance)
        for name, (start, end) in found(lines)
    ]


def told(result: Result, story: str) -> str:
    """The level, and the moves in standard notation: a capital letter is a push."""
    [path] = result.paths
    return f"{path.puzzle.show(path.start)}\n\n{''.join(path.labels)}"

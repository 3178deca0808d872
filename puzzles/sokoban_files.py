"""Finds the levels of a Sokoban collection in its text, and their names.

The Sokoban Wiki (sokobano.de, Puzzle format) and the Sokoban File Format 0.17 (sokoban.dk) describe
the formats. They have no markup: a line that looks like a row is one.
"""

import re
from collections.abc import Iterator, Sequence

ROW = re.compile(r"(?:[0-9]*[-_#@+$*. |])+")
FLOOR = re.compile(r"\s*[-_][-_\s]*")
PROPERTY = re.compile(r"[\s;]*(\w[\w ]*):(.*)")
MOVES = re.compile(r"[0-9lurdLURD()\s]*[lurdLURD)]\s*")

Place = tuple[int, int]
"""The lines of a level, as a slice."""


def found(lines: Sequence[str]) -> Iterator[tuple[str, Place]]:
    """The name (or "") and the place of each level, in order."""
    places = list(places_in(lines))
    ends = [0, *[end for _, end in places]]
    notes = [lines[a:b] for a, b in zip(ends, [*[start for start, _ in places], len(lines)])]
    return zip(titles(notes), places)


def places_in(lines: Sequence[str]) -> Iterator[Place]:
    """Consecutive rows are a level, unless they are empty: a mere frame."""
    start = None
    for number, row in enumerate([*are_rows(lines), False]):
        if row and start is None:
            start = number
        elif not row and start is not None:
            if set("@+$*.") & set("".join(lines[start:number])):
                yield start, number
            start = None


def are_rows(lines: Sequence[str]) -> list[bool]:
    """Which lines are rows: lines of row signs only, with at least one wall.

    Between rows, a line of floor counts too, and so does one that begins or ends with a wall: a row
    with a mistake must not split a level in two.
    """
    sure = ["#" in line and ROW.fullmatch(line) is not None for line in lines]
    below, ahead = [False] * len(lines), False
    for number in range(len(lines) - 1, -1, -1):
        below[number] = ahead
        ahead = sure[number] or (ahead and FLOOR.fullmatch(lines[number]) is not None)
    rows: list[bool] = []
    for number, line in enumerate(lines):
        between = below[number] and bool(rows) and rows[-1]
        rows.append(sure[number] or (between and near(line)))
    return rows


def near(line: str) -> bool:
    """Whether a line may be a row of floor, or a row with a mistake."""
    text = line.strip()
    return bool(FLOOR.fullmatch(line)) or text.startswith("#") or text.endswith("#")


def titles(notes: Sequence[Sequence[str]]) -> list[str]:
    """The name of each level, from the notes before each level and after the last."""
    before, after = notes[:-1], notes[1:]
    keyed = after if titled(notes[-1]) else before
    plain = [last_line(block) for block in before]
    if not any(map(str.strip, notes[0])) and first_line(notes[-1]):
        plain = [first_line(block) for block in after]
    return [titled(block) or line for block, line in zip(keyed, plain)]


def titled(block: Sequence[str]) -> str:
    """The text after `Title:` in notes, or ""."""
    known = [match for match in map(PROPERTY.match, block) if match is not None]
    return next((one[2].strip() for one in known if one[1].strip().lower() == "title"), "")


def last_line(block: Sequence[str]) -> str:
    """The last line of text, if alone or after an empty line: other lines are notes."""
    said = [number for number, line in enumerate(block) if line.strip()]
    if not said or (len(said) > 1 and said[-2] == said[-1] - 1):
        return ""
    return name_in(block[said[-1]])


def first_line(block: Sequence[str]) -> str:
    """The first line of text."""
    return name_in(next((line for line in block if line.strip()), ""))


def name_in(line: str) -> str:
    """A line without comment marks; "" for a property or the moves of a solution."""
    if line.startswith("::") or PROPERTY.match(line) or MOVES.fullmatch(line):
        return ""
    return line.strip(" ;'\"")

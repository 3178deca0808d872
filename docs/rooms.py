"""`python -m docs.rooms` draws the rooms of rewrite/ into docs/explanation/architecture.md.

Two things, both from the import table in tests/house/test_architecture.py: a picture (mermaid), in
which an arrow leads from a room to one that it imports, left out where a longer way leads there
too; and a table, with the first paragraph of each room's docstring.
"""

import ast
from pathlib import Path

from tests.house.test_architecture import MAY_IMPORT

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/architecture.md"
BEGIN, END = "<!-- drawn by docs/rooms.py -->", "<!-- end of what is drawn -->"
DOORS = {"__init__": "import rewrite", "__main__": "python -m rewrite"}
GALLERY = "puzzles"  # outside rewrite/: it imports the public API, and the command line imports it
TABLE = {room: below - {room} for room, below in MAY_IMPORT.items()} | {GALLERY: set[str]()}


def reached(room: str, arrows: dict[str, set[str]] = TABLE) -> set[str]:
    """The rooms on all ways out of a room; the room itself only where a way leads back."""
    found: set[str] = set()
    ahead = [room]
    while ahead:
        new = arrows[ahead.pop()] - found
        found |= new
        ahead += new
    return found


BEYOND = {room: reached(room) for room in TABLE}


def together(one: str, other: str) -> bool:
    """Whether two rooms import each other, perhaps by way of others."""
    return one == other or (one in BEYOND[other] and other in BEYOND[one])


def depth(room: str) -> int:
    """How many rooms are below a room; rooms that import each other are side by side."""
    return sum(not together(room, other) for other in BEYOND[room])


ORDER = sorted(TABLE, key=lambda room: (-depth(room), room))


def nearest(room: str) -> list[str]:
    """The rooms that a room imports, without those that another of them leads to."""

    def around(below: str) -> bool:
        return any(
            below in BEYOND[other]
            for other in TABLE[room]
            if not together(other, room) and not together(other, below)
        )

    return [below for below in ORDER if below in TABLE[room] and not around(below)]


def picture() -> list[str]:
    """The rooms as a mermaid flow chart, from the doors down."""
    boxes = [f'  {room.strip("_")}["{DOORS.get(room, room)}"]' for room in ORDER]
    arrows = [
        f"  {room.strip('_')} --> {below.strip('_')}" for room in ORDER for below in nearest(room)
    ]
    return ["```mermaid", "flowchart TD", *boxes, *arrows, "```"]


def purpose(room: str) -> str:
    """The first paragraph of a room's docstring, on one line."""
    folder = ROOT / room if room == GALLERY else ROOT / "rewrite" / room
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return paragraph.replace("|", "\\|")


def table() -> list[str]:
    """The rooms with what each is and may import."""
    rows = []
    for room in ORDER:
        below = ", ".join(other for other in ORDER if other in TABLE[room])
        if room == GALLERY:
            below = "the public API"
        rows.append(f"| `{DOORS.get(room, room)}` | {purpose(room)} | {below or '–'} |")
    return ["| room | what it is | may import |", "| --- | --- | --- |", *rows]


def with_drawing(page: str) -> str:
    """The page with its drawn part made anew."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return "\n".join([before + BEGIN, "", *picture(), "", *table(), "", END + after])


if __name__ == "__main__":
    PAGE.write_text(with_drawing(PAGE.read_text("utf-8")), "utf-8")

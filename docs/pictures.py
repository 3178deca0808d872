"""`python -m docs.pictures` draws the pictures of README.md and docs/, as `rewrite` draws them.

Each comes from a search or a state of the gallery, so it is as deterministic as these: the same
bytes each time. They are plain SVG: those of paths are animated by style sheets, which browsers
play inside <img> too; where nothing moves (no CSS, or a reader who asked for less motion) the last
state is shown.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve

from puzzles import PUZZLES
from rewrite import replay, search
from rewrite.show.drawing.drawing import MARGIN, Drawing, Look, Mark
from rewrite.show.drawing.tags import tag
from rewrite.show.views.pictures import film

FOLDER = Path(__file__).parent
GALLERY = (
    ("rush_hour", "sokoban", "pocket_cube"),
    ("sliding_blocks", "peg_solitaire", "hanoi"),
    ("water_jugs", "two_grids", "lights_out"),
)
PUZZLES_TOO = (
    ("farmer", "hyperjump"),
    ("missionaries", "klotski", "pancakes"),
    ("digitle", "power_strike", "eight_puzzle"),
    ("digits", "twenty_four", "sliding_tiles", "eight_tuple"),
)
"""With GALLERY, all puzzles."""
UNDER_WAY = {
    "farmer": ("the farmer takes the goat to the right",),
    "missionaries": (
        "a cannibal and a cannibal cross to the right",
        "a cannibal crosses to the left",
        "a cannibal and a cannibal cross to the right",
    ),
    "hyperjump": ("start 1 3", "1 + 3 = 4", "3 + 4 = 7", "4 + 7 = 11", "7 + 1 = 8"),
    "power_strike": (
        "×7 → 287",
        "×7 → 2009",
        "×7 → 14063",
        "strike 1 → 4063",
        "×7 → 28441",
        "strike 2 → 8441",
        "strike 8 → 441",
    ),
    "digitle": ("7 × 2 → 14", "9 + 4 → 13", "75 - 14 → 61"),
    "twenty_four": ("8 ÷ 3 = 8/3", "3 - 8/3 = 1/3"),
}
"""Steps from the start to the state that is drawn, where the start says too little."""
GAP, HEAD = 16, 24  # pixels: between pictures, and for the name above each


def animated(name: str, *words: str) -> str:
    """The shortest solution of a puzzle of the gallery."""
    path = search(PUZZLES[name](*words)).path
    assert path is not None
    return path.to_svg()


def seen(name: str) -> Drawing:
    """The start of a puzzle of the gallery, or a state under way."""
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    path = replay(puzzle, puzzle.start, UNDER_WAY.get(name, ()))
    return film(path)[-1]


def framed(name: str, drawing: Drawing, x: float, y: float) -> list[Mark]:
    """A drawing under its name, as marks of a larger one."""
    head = Look(tag("text", name, class_="rw-ink", y=HEAD - 8, font_size=15), 0, HEAD)
    shifted = [evolve(one, x=one.x + x, y=one.y + y + HEAD) for one in drawing.marks]
    return [Mark(head, x + MARGIN, y), *shifted]


def gallery(rows: Sequence[Sequence[str]]) -> str:
    """Puzzles of the gallery, row by row."""
    marks: list[Mark] = []
    wide, y = 0.0, float(GAP)
    for row in rows:
        x, high = float(GAP), 0.0
        for name in row:
            drawing = seen(name)
            marks += framed(name, drawing, x, y)
            x, high = x + drawing.width + GAP, max(high, drawing.height)
        wide, y = max(wide, x), y + high + HEAD + GAP
    names = ", ".join(name for row in rows for name in row)
    return str(Drawing(wide, y, marks, f"States of {names}").svg())


PICTURES: dict[str, Callable[[], str]] = {
    "klotski.svg": lambda: animated("klotski"),
    "rush_hour.svg": lambda: animated("rush_hour"),
    "jugs.svg": lambda: animated("water_jugs"),
    "gallery.svg": lambda: gallery(GALLERY),
    "puzzles.svg": lambda: gallery(PUZZLES_TOO),
}
"""The pictures in this folder, and what draws each."""


def whole(name: str) -> str:
    """The text of a file."""
    return PICTURES[name]().rstrip() + "\n"


if __name__ == "__main__":
    for name in PICTURES:
        (FOLDER / name).write_text(whole(name), "utf-8")

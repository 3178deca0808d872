"""`python -m docs.pictures` draws docs/klotski.svg: the shortest solution of Klotski, animated.

The path comes from a search, so the picture is as deterministic as the search: the same bytes each
time. The drawing is a plain SVG with CSS animation, which browsers also play inside <img>. Where
nothing moves (no CSS, or a reader who asked for less motion), it shows the solved board.
"""

from itertools import pairwise
from pathlib import Path

from puzzles.klotski import BLOCKS, klotski
from rewrite import Path as Solution
from rewrite import State, search

FILE = Path(__file__).with_name("klotski.svg")
CELL, MARGIN = 44, 12  # pixels
WIDTH, HEIGHT = 4 * CELL + 2 * MARGIN, 5 * CELL + 2 * MARGIN
BEFORE, STEP, AFTER = 1.0, 0.25, 3.0  # seconds: at the start, for each step, at the end
PLACES = 5  # cells are numbered so many to a row, one more than there are
LOOKS = {  # by the part in a block's first cell: columns, rows, colour
    "┌": (2, 2, "#c8553d"),
    "⊏": (2, 1, "#588b8b"),
    "⊓": (1, 2, "#f2a65a"),
    "□": (1, 1, "#8d99ae"),
}
Block = tuple[str, int]  # the part in its first cell, and that cell


def blocks(state: State) -> set[Block]:
    """The blocks on a board."""
    firsts = {parts[0] for parts in BLOCKS.values()}
    return {(at.part, at.cell) for at in state if at.part in firsts}


def journeys(path: Solution) -> list[list[Block]]:
    """Where each block of the start is in every state of the path."""
    journeys = [[block] for block in sorted(blocks(path.start))]
    for before, after in pairwise(path.states):
        [moved] = blocks(before) - blocks(after)
        [arrived] = blocks(after) - blocks(before)
        for journey in journeys:
            journey.append(arrived if journey[-1] == moved else journey[-1])
    return journeys


def animation(name: str, journey: list[Block], seconds: float) -> str:
    """The keyframes of one block, as shifts from where it stands at the end."""
    last_row, last_column = divmod(journey[-1][1], PLACES)

    def frame(time: float, at: int) -> str:
        row, column = divmod(at, PLACES)
        shift = f"translate({CELL * (column - last_column)}px,{CELL * (row - last_row)}px)"
        return f"{100 * time / seconds:.2f}%{{transform:{shift}}}"

    cells = [cell for _, cell in journey]
    frames = [frame(0, cells[0])]
    for number, (here, there) in enumerate(pairwise(cells)):
        if here != there:
            begin = BEFORE + number * STEP
            frames += [frame(begin, here), frame(begin + STEP, there)]
    return f"@keyframes {name}{{{''.join([*frames, frame(seconds, cells[-1])])}}}"


def drawn(path: Solution) -> str:
    """The SVG of a path."""
    seconds = BEFORE + STEP * len(path) + AFTER
    styles, shapes = [], []
    for number, journey in enumerate(journeys(path)):
        part, cell = journey[-1]
        columns, rows, colour = LOOKS[part]
        row, column = divmod(cell, PLACES)
        x, y = MARGIN + CELL * column + 2, MARGIN + CELL * row + 2
        styles += [
            animation(f"b{number}", journey, seconds),
            f"#b{number}{{animation:b{number} {seconds:g}s linear infinite}}",
        ]
        shapes.append(
            f'<rect id="b{number}" x="{x}" y="{y}" width="{CELL * columns - 4}" '
            f'height="{CELL * rows - 4}" rx="6" fill="{colour}"/>'
        )
    exit_ = f"M{MARGIN + CELL} {HEIGHT - MARGIN / 2:g}h{2 * CELL}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>Klotski, solved in {len(path)} steps</title>",
        "<style>",
        "@media (prefers-reduced-motion:no-preference){",
        *styles,
        "}",
        "</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#3d405b"/>',
        f'<path d="{exit_}" stroke="#c8553d" stroke-width="4" stroke-linecap="round"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{4 * CELL}" height="{5 * CELL}" rx="6" '
        'fill="#2b2d42"/>',
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def solved() -> Solution:
    """The shortest path from the standard start to the exit."""
    path = search(klotski).path
    assert path is not None
    return path


if __name__ == "__main__":
    FILE.write_text(drawn(solved()), "utf-8")

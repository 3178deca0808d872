"""`python -m tests.benchmarks.plot`: draws scaling.csv as docs/explanation/scaling.svg."""

import math
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.scaling import Point, read

FILE = Path(__file__).parents[2] / "docs" / "explanation" / "scaling.svg"
COLOURS = {"3x3": "#0b6e99", "5x2": "#b3541e", "6x2": "#6a4c93", "4x3": "#2a7f3f"}
WIDTH, HEIGHT, LEFT, TOP, BETWEEN = 340, 240, 62, 46, 70  # of a panel, and around them
FIRST, LAST = 5.0, 8.6  # powers of ten on the x axis


def panel(
    left: int, title: str, points: list[Point], value: Callable[[Point], float], step: int
) -> list[str]:
    """One panel: a value of each point against the number of states."""
    top = step * math.ceil(1.15 * max(map(value, points)) / step)

    def x(states: float) -> float:
        return left + (math.log10(states) - FIRST) / (LAST - FIRST) * WIDTH

    def y(height: float) -> float:
        return TOP + HEIGHT - height / top * HEIGHT

    bottom = TOP + HEIGHT
    lines = [f'<text x="{left}" y="{TOP - 14}" class="title">{title}</text>']
    for height in range(0, top + 1, step):
        lines += [
            f'<path d="M{left} {y(height):.1f}h{WIDTH}" class="line"/>',
            f'<text x="{left - 8}" y="{y(height) + 4:.1f}" text-anchor="end">{height}</text>',
        ]
    for power in range(5, 9):
        at = x(10**power)
        lines += [
            f'<path d="M{at:.1f} {bottom}v5" class="axis"/>',
            f'<text x="{at:.1f}" y="{bottom + 20}" text-anchor="middle">10'
            f'<tspan dy="-5" font-size="9">{power}</tspan></text>',
        ]
    lines.append(f'<path d="M{left} {bottom}h{WIDTH}" class="axis"/>')
    middle = left + WIDTH / 2
    lines.append(f'<text x="{middle}" y="{bottom + 40}" text-anchor="middle">states</text>')
    grown = [each for each in points if each.board == "4x3"]
    path = " ".join(f"{x(each.states):.1f},{y(value(each)):.1f}" for each in grown)
    lines.append(f'<polyline points="{path}" stroke="{COLOURS["4x3"]}" class="join"/>')
    for each in points:
        colour = COLOURS[each.board]
        fill = colour if each.whole else "#ffffff"
        away = 20 if each.board == "6x2" else -10  # as many states as 4x3: below the point
        lines += [
            f'<circle cx="{x(each.states):.1f}" cy="{y(value(each)):.1f}" r="5" fill="{fill}" '
            f'stroke="{colour}"><title>{each.board}, {each.states:,} states: '
            f"{value(each):.1f}</title></circle>",
            f'<text x="{x(each.states):.1f}" y="{y(value(each)) + away:.1f}" text-anchor="middle" '
            f'fill="{colour}">{value(each):.0f}</text>',
        ]
    return lines


def drawing(points: list[Point]) -> str:
    width, height = 2 * (LEFT + WIDTH) + BETWEEN - 20, TOP + HEIGHT + 84
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12" '
        'role="img" aria-label="Cost of a state against the number of states">',
        "<style>.title{font-size:14px;font-weight:bold}.line{stroke:#e3e3e3;fill:none}"
        ".axis{stroke:#555;fill:none}.join{fill:none;stroke-width:1.5}"
        "circle{stroke-width:2}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *panel(LEFT, "CPU time a state, ns", points, lambda each: each.nanoseconds, 100),
        *panel(
            LEFT + WIDTH + BETWEEN, "peak of memory a state, B", points, lambda each: each.bytes, 5
        ),
    ]
    at = LEFT
    for board, colour in COLOURS.items():
        if any(each.board == board for each in points):
            name = f"sliding {board.replace('x', '×')}"
            lines += [
                f'<circle cx="{at}" cy="{height - 16}" r="5" fill="{colour}" stroke="{colour}"/>',
                f'<text x="{at + 12}" y="{height - 12}">{name}</text>',
            ]
            at += 110
    lines += [
        f'<circle cx="{at}" cy="{height - 16}" r="5" fill="#ffffff" stroke="#555"/>',
        f'<text x="{at + 12}" y="{height - 12}">hollow: the first so many states of a space</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(drawing(read()), "utf-8")
    print(f"wrote {FILE}")

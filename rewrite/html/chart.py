"""How many states each level has, as a small bar chart."""

from __future__ import annotations

from collections.abc import Sequence

from rewrite.drawing.drawing import STYLE, XMLNS
from rewrite.drawing.tags import Markup, number, tag

WIDTH, LEAST, HEIGHT, SIDE, TOP, FOOT = 480, 150, 120, 10, 22, 22
MOST_BARS, WIDEST = 115, 36
STYLE_OF_CHARTS = """
.rw-chart { max-width: 100%; height: auto; }
.rw-bar { fill: #0072b2; }
@media (prefers-color-scheme: dark) { .rw-bar { fill: #56b4e9; } }
"""


def chart(levels: Sequence[int], *, style: bool = True) -> Markup:
    """Return the chart of the states of each level, the first level at the left.

    style  whether it holds its style sheet; a page that has it need not repeat it

    Beyond 115 levels, several stand in one bar: the largest of them.

    >>> chart([1, 2, 4], style=False).count("rw-bar")
    3
    >>> chart(range(300), style=False).count("rw-bar")
    100
    """
    each = -(-len(levels) // MOST_BARS)
    groups = [levels[first : first + each] for first in range(0, len(levels), each)]
    highest = max(levels, default=0) or 1
    room = (WIDTH - 2 * SIDE) / max(1, len(groups))
    wide = min(room, WIDEST)
    base, most = TOP + HEIGHT, HEIGHT
    bars = []
    for at, group in enumerate(groups):
        tall = max(2.0 if max(group) else 0.0, most * max(group) / highest)
        bars.append(
            tag(
                "rect", tag("title", _said(at * each, group)),
                class_="rw-bar", x=SIDE + at * wide, y=base - tall,
                width=max(wide - (2 if wide > 5 else 0.5), 1), height=tall,
            )
        )  # fmt: skip
    end = SIDE + len(groups) * wide
    top = levels.index(highest) // each if levels and max(levels) else 0
    width = max(LEAST, end + SIDE)
    peak = min(max(SIDE + (top + 0.5) * wide, 40.0), width - 40.0)
    texts = [
        tag("text", f"{highest:,}", class_="rw-ink", x=peak, y=TOP - 7, font_size=12,
            text_anchor="middle"),
        tag("text", "0", class_="rw-soft", x=SIDE + 1, y=base + 16, font_size=12),
    ]  # fmt: skip
    if len(levels) > 1:
        texts.append(
            tag("text", f"{len(levels) - 1:,}", class_="rw-soft", x=max(end - 2, SIDE + 24),
                y=base + 16, font_size=12, text_anchor="end")
        )  # fmt: skip
    height = TOP + HEIGHT + FOOT
    return tag(
        "svg",
        tag("style", Markup(STYLE + STYLE_OF_CHARTS)) if style else "",
        tag("rect", class_="rw-panel", width=width, height=height, rx=10),
        *bars, *texts,
        xmlns=XMLNS, class_="rw rw-chart", viewBox=f"0 0 {number(width)} {height}",
        width=width, height=height, role="img",
        aria_label=f"states of each level: {', '.join(f'{n:,}' for n in levels[:200])}",
    )  # fmt: skip


def _said(first: int, group: Sequence[int]) -> str:
    several = "s" * (max(group) != 1)
    if len(group) == 1:
        return f"level {first:,}: {group[0]:,} state{several}"
    return f"levels {first:,} to {first + len(group) - 1:,}: up to {max(group):,} state{several}"

"""Tables of a puzzle's parts and of a search's work; levels as a bar chart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewrite.language.order import source
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.results.result import Result
from rewrite.show.drawing.drawing import STYLE, panel
from rewrite.show.drawing.tags import Markup, tag

LEFT = "text-align:left"
WIDTH, LEAST, HEIGHT, SIDE, TOP, FOOT = 480, 150, 120, 10, 22, 22
MOST_BARS, WIDEST = 115, 36
STYLE_OF_CHARTS = """
.rw-chart { max-width: 100%; height: auto; }
.rw-bar { fill: #0072b2; }
@media (prefers-color-scheme: dark) { .rw-bar { fill: #56b4e9; } }
"""


def table(
    head: Sequence[str], rows: Iterable[Sequence[object]], *, left: Sequence[int] = (0,)
) -> Markup:
    """`left`: the numbers of the columns with texts; the others have figures."""

    def line(name: str, cells: Sequence[object]) -> Markup:
        shown = [
            tag(name, cell, style=LEFT if at in left else None) for at, cell in enumerate(cells)
        ]
        return tag("tr", *shown)

    body = [line("td", row) for row in rows]
    return tag("table", tag("thead", line("th", head)), tag("tbody", *body) if body else "")


def rules_tried(result: Result) -> Markup:
    rows = [
        [name, f"{stats.tried:,}", f"{stats.matched:,}", f"{stats.fired:,}"]
        for name, stats in result.rules.items()
    ]
    return table(["rule", "tried", "matched", "fired"], rows)


def rules_declared(puzzle: Puzzle) -> Markup:
    rules = [*puzzle.rules, *puzzle.simplify]
    every = [_parts(rule) for rule in rules]
    names = every[0] if every else {}
    used = [name for name in names if any(parts[name] for parts in every)]
    simplifying = len(puzzle.rules)
    rows = [
        [f"{rule.label}{' (simplify)' * (at >= simplifying)}", *(parts[name] for name in used)]
        for at, (rule, parts) in enumerate(zip(rules, every, strict=True))
    ]
    return table(["rule", *used], rows, left=range(len(used) + 1))


def _parts(rule: Rule) -> dict[str, str]:
    costs = type(rule.cost) is not int or rule.cost != 1
    return {
        "take": ", ".join(map(source, rule.take)),
        "keep": ", ".join(map(source, rule.keep)),
        "absent": ", ".join(map(source, rule.absent)),
        "let": ", ".join(f"{source(name)}: {source(value)}" for name, value in rule.let),
        "when": ", ".join(map(repr, rule.when)),
        "put": ", ".join(map(source, rule.put)),
        "effects": ", ".join(map(repr, rule.effects)),
        "cost": source(rule.cost) if costs else "",
    }


def chart(levels: Sequence[int], *, style: bool = True) -> Markup:
    """Beyond 115 levels, each bar combines several levels and shows the largest."""
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
    return panel(
        width, TOP + HEIGHT + FOOT, *bars, *texts,
        style=STYLE + STYLE_OF_CHARTS if style else "", kind="rw rw-chart",
        said=f"states of each level: {', '.join(f'{n:,}' for n in levels[:200])}",
    )  # fmt: skip


def _said(first: int, group: Sequence[int]) -> str:
    several = "s" * (max(group) != 1)
    if len(group) == 1:
        return f"level {first:,}: {group[0]:,} state{several}"
    return f"levels {first:,} to {first + len(group) - 1:,}: up to {max(group):,} state{several}"

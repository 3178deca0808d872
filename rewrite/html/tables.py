"""Tables of what a puzzle is made of, and of what a search did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewrite.drawing.tags import Markup, tag
from rewrite.language.order import source
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.outcome.result import Result

LEFT = "text-align:left"


def table(
    head: Sequence[str], rows: Iterable[Sequence[object]], *, left: Sequence[int] = (0,)
) -> Markup:
    """Return a table.

    left  the columns that hold texts, by number; the others hold figures

    >>> table(["a", "b"], [["<", 1]])
    Markup('<table><thead><tr><th style="text-align:left">a</th><th>b</th></tr></thead><tbody><tr><td style="text-align:left">&lt;</td><td>1</td></tr></tbody></table>')
    """  # noqa: E501

    def line(name: str, cells: Sequence[object]) -> Markup:
        shown = [
            tag(name, cell, style=LEFT if at in left else None) for at, cell in enumerate(cells)
        ]
        return tag("tr", *shown)

    body = [line("td", row) for row in rows]
    return tag("table", tag("thead", line("th", head)), tag("tbody", *body) if body else "")


def rules_tried(result: Result) -> Markup:
    """Return what became of the matches of each rule during a search."""
    rows = [
        [name, f"{stats.tried:,}", f"{stats.matched:,}", f"{stats.fired:,}"]
        for name, stats in result.rules.items()
    ]
    return table(["rule", "tried", "matched", "fired"], rows)


def rules_declared(puzzle: Puzzle) -> Markup:
    """Return the rules of a puzzle, with the parts that any of them has."""
    rules = [*puzzle.rules, *puzzle.simplify]
    every = [_parts(rule) for rule in rules]
    used = [name for name in _parts_of_rules if any(parts[name] for parts in every)]
    simplifying = len(puzzle.rules)
    rows = [
        [f"{rule.label}{' (simplify)' * (at >= simplifying)}", *(parts[name] for name in used)]
        for at, (rule, parts) in enumerate(zip(rules, every, strict=True))
    ]
    return table(["rule", *used], rows, left=range(len(used) + 1))


_parts_of_rules = ("take", "keep", "absent", "let", "when", "put", "cost")


def _parts(rule: Rule) -> dict[str, str]:
    """Return the parts of a rule as they are written."""
    costs = type(rule.cost) is not int or rule.cost != 1
    return {
        "take": ", ".join(map(source, rule.take)),
        "keep": ", ".join(map(source, rule.keep)),
        "absent": ", ".join(map(source, rule.absent)),
        "let": ", ".join(f"{source(name)}: {source(value)}" for name, value in rule.let),
        "when": ", ".join(map(repr, rule.when)),
        "put": ", ".join(map(source, rule.put)),
        "cost": source(rule.cost) if costs else "",
    }

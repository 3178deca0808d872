"""`Comparison`: what several strategies made of one search, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rewrite.language.faces import Faced
from rewrite.outcome.files import File, csv_text, saved
from rewrite.outcome.result import Result

COLUMNS = ("strategy", "status", "steps", "cost", "optimal", "states", "expanded", "seconds")


@frozen
class Comparison(Faced):
    """The results of one search by several strategies; prints as a table."""

    results: dict[str, Result]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results.values())

    def __getitem__(self, strategy: str) -> Result:
        return self.results[strategy]

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table as texts, the headings first."""
        out: list[tuple[str, ...]] = [COLUMNS]
        for name, result in self.results.items():
            path = result.path
            out.append((
                name, result.status,
                "–" if path is None else str(len(path)), "–" if path is None else str(path.cost),
                "yes" if result.optimal else "no",
                f"{result.states:,}", f"{result.expanded:,}", f"{result.seconds:.3f}",
            ))  # fmt: skip
        return out

    def to_csv(self, file: File | None = None) -> str:
        """Return the table as CSV, written to `file` too: no commas in figures, nothing for "–".

        Raises ExportError where that cannot be written.
        """
        rows: list[tuple[object, ...]] = [COLUMNS]
        for name, result in self.results.items():
            path = result.path
            found = ("", "") if path is None else (len(path), path.cost)
            rows.append((
                name, result.status, *found, "yes" if result.optimal else "no",
                result.states, result.expanded, f"{result.seconds:.3f}",
            ))  # fmt: skip
        return saved(csv_text(rows), file, "to_csv")

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
        left = {"strategy", "status", "optimal"}
        lines = []
        for row in rows:
            cells = [
                cell.ljust(width) if name in left else cell.rjust(width)
                for name, cell, width in zip(COLUMNS, row, widths, strict=True)
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

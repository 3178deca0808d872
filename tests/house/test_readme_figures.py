"""The README's figures are those of the pages that it links to."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PERFORMANCE = (ROOT / "docs/explanation/performance.md").read_text()


def rows(start: str) -> list[list[str]]:
    """The cells of each row of the table of that first column in which a name stands."""
    _, _, table = PERFORMANCE.partition(f"| {start} |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def row(table: list[list[str]], name: str) -> list[str]:
    (found,) = (one for one in table if one[0] == name)
    return found


def test_times_of_whole_spaces() -> None:
    eight = row(rows("space | states | native"), "8-puzzle (slots)")
    assert f"all {eight[1]} states of the 8-puzzle in {eight[2]};" in README
    large = row(rows("space | states | CPU"), "sliding 4×3")
    each = large[4].split(", ")[1].removesuffix(" B")
    wanted = f"all {large[1]} states of 4×3 sliding tiles in {large[2]}, at {each} bytes a state"
    assert wanted in README


def test_ratios_are_the_least_and_the_most_of_the_table() -> None:
    table = rows("space | states | native")
    for column, text in ((6, "whole spaces {} to {} times as fast"), (7, "{} to {} times. A")):
        ratios = [one[column].removesuffix(" ×") for one in table if one[column] != "–"]
        assert len(ratios) > 4
        wanted = text.format(min(ratios, key=float), max(ratios, key=float))
        assert wanted in " ".join(README.split())


def test_expanded_states_with_a_heuristic() -> None:
    page = (ROOT / "docs/how-to/write-a-heuristic.md").read_text()
    found = re.search(r"([\d,]+) states expanded without, ([\d,]+) with", page)
    assert found is not None
    assert f"needs {found[2]} expanded states [instead of {found[1]}]" in README

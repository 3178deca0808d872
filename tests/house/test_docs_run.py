"""Every Python block in README.md and docs/ runs, and prints what the page says it prints.

The blocks of one page are one program, run in order in an empty folder. A block that is marked
```` ```text output ```` and directly follows a Python block is what that block prints: `…` stands
for any characters of a line, and a line of only `…` for any lines, or none. Blocks that are marked
```` ```python native ```` are left out where there is no native engine.
"""

import contextlib
import io
import os
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from unittest import mock

import attrs
import pytest

from rewrite.native import status

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<ticks>```+)(?P<info>[^`]*)$")


@attrs.frozen
class Block:
    """A Python block of a page, and what it must print (None: not said)."""

    line: int  # of the first line of code, from 1
    code: str
    output: str | None = None
    native: bool = False  # whether it needs the native engine


def python_blocks(text: str) -> list[Block]:
    """The Python blocks of a page in order.

    Raises ValueError for a block that never ends, and for an output that does not directly follow
    a Python block.
    """
    blocks: list[Block] = []
    lines = iter(enumerate(text.splitlines(), 1))
    awaits_output = False
    for number, line in lines:
        fence = FENCE.match(line)
        if fence is None:
            awaits_output = awaits_output and not line.strip()
            continue
        content: list[str] = []
        for _, inner in lines:
            if inner.strip() == fence["ticks"]:
                break
            content.append(inner)
        else:
            raise ValueError(f"line {number}: the block that begins here never ends")
        info, body = fence["info"].split(), textwrap.dedent("\n".join(content)) + "\n"
        if info == ["text", "output"]:
            if not awaits_output:
                raise ValueError(f"line {number}: an output, but no Python block directly before")
            blocks[-1] = attrs.evolve(blocks[-1], output=body)
        elif info[:1] == ["python"]:
            blocks.append(Block(number + 1, body, native="native" in info))
        awaits_output = info[:1] == ["python"]
    return blocks


def prints_as_said(said: str, printed: str) -> bool:
    """Whether the printed text is what the page says.

    Blanks at the end of a line, and empty lines at the end of the text, do not count.
    """
    expected = [
        r"(?:.*\n)*?"
        if line.strip() == "…"
        else ".*".join(map(re.escape, line.rstrip().split("…"))) + r"\n"
        for line in said.rstrip().splitlines()
    ]
    found = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    return re.fullmatch("".join(expected), found) is not None


def run_page(page: Path) -> None:
    """Runs the blocks of a page as one module.

    Raises AssertionError for a wrong output, and whatever the code itself raises.
    """
    if page.stem == "maude-modules":
        pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")
    module = ModuleType("page")
    sys.modules["page"] = module  # classes of the page find the module that they name as their own
    try:
        for block in python_blocks(page.read_text("utf-8")):
            if block.native and not status().usable:
                continue
            # Empty lines before the code make tracebacks name the line of the page.
            source = "\n" * (block.line - 1) + block.code
            stdout = io.StringIO()
            with contextlib.redirect_stdout(stdout):
                exec(compile(source, page, "exec", dont_inherit=True), vars(module))
            printed = stdout.getvalue()
            if block.output is not None and not prints_as_said(block.output, printed):
                said = f"the page says\n{block.output}\nbut the block printed\n{printed}"
                raise AssertionError(f"{page}:{block.line}: {said}")
    finally:
        del sys.modules["page"]


PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "```python" in page.read_text("utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_python_block_runs_and_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with mock.patch.dict(os.environ):  # what a page sets there is not for the tests that follow
        run_page(page)


def test_the_readme_is_among_the_pages() -> None:
    assert ROOT / "README.md" in PAGES


def page_of(tmp_path: Path, text: str) -> Path:
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    return page


def test_a_wrong_output_fails(tmp_path: Path) -> None:
    page = page_of(tmp_path, "```python\nprint(1 + 1)\n```\n\n```text output\n3\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md:2: the page says\n3\n\nbut .* printed\n2"):
        run_page(page)


def test_a_block_that_raises_fails_and_names_the_line_of_the_page(tmp_path: Path) -> None:
    page = page_of(tmp_path, "# Title\n\n```python\nx = 1\nx / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as raised:
        run_page(page)
    assert raised.traceback[-1].lineno + 1 == 5


def test_the_blocks_of_a_page_share_their_names_in_order(tmp_path: Path) -> None:
    first, second = "```python\nx = 1\n```\n", "text\n\n```python\nprint(x)\n```\n"
    run_page(page_of(tmp_path, f"{first}{second}```text output\n1\n```\n"))
    with pytest.raises(NameError, match="name 'x' is not defined"):
        run_page(page_of(tmp_path, f"{second}{first}"))


@pytest.mark.parametrize(
    ("said", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a \nb\n\n", True),
        ("a\n", "a\nb\n", False),
        ("a\nb\n", "a\n", False),
        ("(… states, … s)\n", "(12 states, 0.1 s)\n", True),
        ("(… states)\n", "(12\nstates)\n", False),
        ("(… states)\n", "(12 rules)\n", False),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nd\n", "a\nd\n", True),
        ("a\n…\nd\n", "a\nb\n", False),
        ("a\n…\n", "a\nb\nc\n", True),
        ("1.5 * 2\n", "145 * 2\n", False),
        ("", "a\n", False),
    ],
)
def test_an_ellipsis_stands_for_a_part_of_a_line_or_for_whole_lines(
    said: str, printed: str, same: bool
) -> None:
    assert prints_as_said(said, printed) is same


def test_a_block_that_needs_the_native_engine_is_left_out_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(tmp_path, "```python native\n1 / 0\n```\n")
    monkeypatch.setenv("REWRITE_NATIVE", "off")
    run_page(page)


def test_an_output_without_a_python_block_directly_before_is_refused() -> None:
    with pytest.raises(ValueError, match="line 5: an output, but no Python block directly before"):
        python_blocks("```python\n1\n```\nwords\n```text output\n1\n```\n")


def test_a_block_that_never_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2: the block that begins here never ends"):
        python_blocks("words\n```python\n1\n")


def test_a_block_inside_a_list_or_another_block_is_read_as_it_is_shown() -> None:
    assert python_blocks("* item\n\n  ```python\n  1\n  ```\n") == [Block(4, "1\n")]
    assert python_blocks("````markdown\n```python\n1\n```\n````\n") == []

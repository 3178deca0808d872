"""`rewrite verify`: checks a certificate, which `solve --certificate FILE` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.progress import Progress

from rewrite.certificates.listed import Listed
from rewrite.certificates.verify import Steps, verify
from rewrite.certificates.write import Target, made_by
from rewrite.cli import screen
from rewrite.cli.exits import EXHAUSTED, FOUND, Problem
from rewrite.cli.loading import load
from rewrite.cli.options import (
    level_option,
    search_arguments,
    seconds,
    start_option,
    traceback_option,
)
from rewrite.cli.output import say
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.language.puzzles import Puzzle
from rewrite.search.arguments import question


def share(ctx: click.Context, option: click.Parameter, text: str) -> float:
    """Read a share, such as 1% or 0.01."""
    try:
        found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = 0
    if not 0 < found <= 1:
        raise click.BadParameter(f"{text} is no share, such as 1%", ctx, option)
    return found


@click.command("verify", short_help="Check a certificate of a search.")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, exists=True))
@click.argument("words", metavar="[PUZZLE [WORDS]...]", nargs=-1)
@level_option
@start_option
@click.option("--sample", default="100%", callback=share, metavar="SHARE",
              help="Check so many of the states, chosen at random, such as 1%.")  # fmt: skip
@click.option("--fast", is_flag=True,
              help="Take the steps from the Python engine, not from the definition.")  # fmt: skip
@click.option("--helve", "folder", metavar="DIR", type=click.Path(file_okay=False),
              help="Write a claim of none for helve: DIR/task.txt, DIR/proof.txt.")  # fmt: skip
@click.option("--max-seconds", type=seconds, metavar="SECONDS", help="Give up after this time.")
@click.option("--processes", type=click.IntRange(min=1), help="By default one for each processor.")
@traceback_option
@click.pass_context
def verify_command(
    ctx: click.Context, /, file: str, words: tuple[str, ...], level: int | None,
    start: str | None, sample: float, fast: bool, folder: str | None, max_seconds: float | None,
    processes: int | None,
) -> None:  # fmt: skip
    """Check that a certificate shows what it claims, by the definition of the rules.

    \b
      rewrite solve eight_puzzle 867 254 301 --certificate FILE
      rewrite verify FILE
      rewrite verify FILE my.py:puzzle

    The puzzle is the one whose words stand in the file, or that of the words given here. Exit code
    0: accepted; 1: refused.
    """
    made = Target(Path(file), words, level) if words else made_by(file)
    if not made.words:
        raise Problem(f"{file} does not say of which puzzle it is: rewrite verify {file} PUZZLE")
    loaded = load(made.words[0], made.words[1:], made.level)
    options = search_arguments(loaded, {"start": start})
    puzzle = loaded.puzzle.replace(**options) if options else loaded.puzzle
    shown = screen.console(stderr=True)
    with Progress(console=shown, transient=True, disable=not screen.watched()) as bar:
        task = bar.add_task("states", total=None)

        def progress(done: int, states: int) -> None:
            bar.update(task, completed=done, total=states)

        found = verify(
            file, puzzle, sample=sample, processes=processes, max_seconds=max_seconds,
            progress=progress, steps=_of_engine(puzzle) if fast else None,
        )  # fmt: skip
    say(str(found))
    if folder is not None and found:
        _write_for_helve(file, puzzle, Path(folder))
    ctx.exit(FOUND if found else EXHAUSTED)


def _write_for_helve(file: str, puzzle: Puzzle, folder: Path) -> None:
    from rewrite.search.for_helve import for_helve  # few ask for it

    with Path(file).open("rb") as opened:
        listed = Listed(opened, puzzle)
    if listed.least is not None:
        raise Problem("--helve: the certificate shows a way; only that there is none is exported")
    made = for_helve(puzzle.replace(start=listed.start), map(listed.coding.state, listed.codes))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in zip(("task.txt", "proof.txt"), made, strict=True):
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise Problem(f"--helve: {folder}: {error.strerror or error}") from error


def _of_engine(puzzle: Puzzle) -> tuple[str, Steps]:
    asked = question(puzzle, puzzle.start, puzzle.goal)
    engine = build(Task(puzzle, asked.start, puzzle.goal))

    def steps(state: Any) -> list[tuple[int, Any]]:
        return [(cost, engine.decode(one)) for cost, one in engine.weighted(engine.encode(state))]

    return "the Python engine", steps

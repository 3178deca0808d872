"""`rewrite hardest` and `rewrite rate`: how hard a puzzle gets, and how hard an instance is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from rewrite.certificates.write import Target
from rewrite.cli import screen
from rewrite.cli.exits import EXHAUSTED, EXIT_CODES, FOUND, INTERRUPTED, LIMIT
from rewrite.cli.levels import say_level
from rewrite.cli.options import (
    certificate_option,
    given_by,
    loaded_for,
    puzzle_arguments,
    read_as,
    start_option,
)
from rewrite.cli.output import say, say_json
from rewrite.results.spaces import Hardest, Rating
from rewrite.search.limits import LIMITS
from rewrite.search.options import OPTIONS
from rewrite.search.tasks.hardest import hardest
from rewrite.search.tasks.rate import rate

F = TypeVar("F", bound=Callable[..., Any])
Found = TypeVar("Found", Hardest, Rating)
USED = ("max_states", "max_seconds", "max_memory")
STATES = 10
"""Default number of states to print: a picture takes several lines."""


def space_options(command: F) -> F:
    command = given_by(*[LIMITS[name] for name in USED])(command)
    as_json = click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
    return start_option(as_json(command))


@click.command("hardest", short_help="Find the states farthest from a goal.", epilog=EXIT_CODES)
@puzzle_arguments
@space_options
@click.option(
    "--symmetry", type=read_as(OPTIONS["symmetry"].kind)[0],
    help="Which symmetries make states count as one: those that the puzzle declares (default), all "
    "that can be found, or none.",
)  # fmt: skip
@click.option(
    "--most", type=click.IntRange(min=0), default=STATES, show_default=True, metavar="NUMBER",
    help="How many of these states are printed; all are counted.",
)  # fmt: skip
@certificate_option
@click.pass_context
def hardest_command(ctx: click.Context, /, **given: Any) -> None:
    """Search all reachable states, and print those that are farthest from a goal.

    \b
      rewrite hardest eight_puzzle
      rewrite hardest klotski --symmetry find

    What is printed is proved: with a limit, nothing is, unless the whole space is smaller.
    """
    if given["certificate"] is not None:
        words = given["puzzle"], *given["words"]
        given["certificate"] = Target(Path(given["certificate"]), words, given["level"])
    _run(ctx, hardest, lines_of, **given)


def lines_of(found: Hardest) -> Iterator[str]:
    if found.puzzle.show is None:
        yield from found.lines(len(found.farthest))
        return
    yield found.summary()
    yield from (f"note: {note}" for note in found.notes)
    for number, state in enumerate(found.farthest, 1):
        yield f"\n{number}.\n{found.puzzle.shown(state)}"
    if found.number > len(found.farthest):
        yield f"\n… {found.number - len(found.farthest):,} more"


@click.command("rate", short_help="Say how hard an instance is.", epilog=EXIT_CODES)
@puzzle_arguments
@space_options
@click.pass_context
def rate_command(ctx: click.Context, /, **given: Any) -> None:
    """Print what a designer wants to know of an instance: lengths, choices, dead ends.

    \b
      rewrite rate rush_hour
      rewrite rate two_grids --max-seconds 10

    With a limit, what is known by then is printed.
    """
    _run(ctx, rate, Rating.lines, **given)


def _run(
    ctx: click.Context, task: Callable[..., Found], lines: Callable[[Found], Iterator[str]], *,
    puzzle: str, words: tuple[str, ...], level: int | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Print the result of a task; the exit code reports a limit if the result is incomplete."""
    loaded, options = loaded_for(puzzle, words, given, level)
    if not as_json:
        say_level(loaded.level)
    with screen.progress() as progress:
        found = task(loaded.puzzle, progress=progress, **options)
    if as_json:
        say_json(found.to_json())
    else:
        for text in lines(found):
            say(text)
    if found.complete:
        ctx.exit(FOUND if found else EXHAUSTED)
    ctx.exit(INTERRUPTED if found.limit == "Ctrl-C" else LIMIT)

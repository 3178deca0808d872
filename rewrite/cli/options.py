"""Options that several commands share, and the types of their values."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from rewrite.cli.literals import state_from
from rewrite.cli.loading import Loaded, check_complete, heuristic_of, load
from rewrite.errors import SearchError
from rewrite.search.heuristics import HEURISTICS
from rewrite.search.limits import LIMITS
from rewrite.search.options import OPTIONS, Number, Option, Size, Word, memory_of
from rewrite.search.strategies import REMOVED_OPTIONS, STRATEGIES, STRATEGY_OPTIONS

F = TypeVar("F", bound=Callable[..., Any])

STRATEGY_NAMES = ", ".join(["auto", *STRATEGIES])


def memory(text: str) -> int:
    try:
        return int(memory_of(text))
    except SearchError as error:
        raise click.BadParameter(error.message) from None


def seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not found >= 0:  # also if it is NaN
        raise click.BadParameter(f"{text!r} is not a number of seconds; write 0 or more")
    return found


def solutions(text: str) -> int | str:
    """Return a number of answers, or "all". Raises click.BadParameter."""
    if text != "all" and not (text.isdecimal() and int(text)):
        raise click.BadParameter(f"{text!r} is not a number of answers; write 1, 2, … or all")
    return text if text == "all" else int(text)


def _keep(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta["rewrite.traceback"] = value  # read by `main`


traceback_option = click.option(
    "--traceback", is_flag=True, expose_value=False, callback=_keep, is_eager=True,
    help="Show where in the code an error came from.",
)  # fmt: skip
start_option = click.option(
    "--start", metavar="STATE", help='Another start, written in Python: "[4, At(3, 5)]".'
)
level_option = click.option(
    "--level", type=int, metavar="NUMBER",
    help="Which board, from 1, where the first word is a file of levels.",
)  # fmt: skip


def puzzle_arguments(command: F) -> F:
    words = click.argument("words", nargs=-1)(level_option(traceback_option(command)))
    return click.argument("puzzle", metavar="NAME|FILE.py:NAME")(words)


def given_by(*options: Option) -> Callable[[F], F]:
    def add(command: F) -> F:
        for one in reversed(options):
            kind, metavar = read_as(one.kind)
            name = "--" + one.name.replace("_", "-")
            command = click.option(name, type=kind, metavar=metavar, help=one.help)(command)
        return command

    return add


def read_as(kind: Word | Number | Size) -> tuple[Any, str | None]:
    if isinstance(kind, Word):
        return click.Choice(kind.known), None
    if isinstance(kind, Size):
        return memory, "SIZE"
    return int if kind.whole else float, "NUMBER"


def removed_option(name: str, instead: str) -> Callable[[F], F]:
    """Add a hidden option that is refused with a hint what to write instead."""

    def refuse(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value:
            raise click.UsageError(f"--{name} was removed; {instead}", ctx)

    return click.option(f"--{name}", is_flag=True, hidden=True, expose_value=False, callback=refuse)


def search_options(command: F) -> F:
    command = given_by(*LIMITS.values(), *STRATEGY_OPTIONS.values())(command)
    for name, instead in REMOVED_OPTIONS.items():
        command = removed_option(name, instead)(command)
    command = given_by(OPTIONS["symmetry"])(start_option(command))
    return click.option(
        "--heuristic", metavar="NAME",
        help="A name in the puzzle's file, or FILE.py:NAME: an expression, or a function of the "
        "state, that says how far the goal is; or one that is made from the rules: "
        f"{', '.join(HEURISTICS)}.",
    )(command)  # fmt: skip


def loaded_for(
    puzzle: str, words: tuple[str, ...], given: dict[str, Any], level: int | None = None
) -> tuple[Loaded, dict[str, Any]]:
    loaded = load(puzzle, words, level)
    options = search_arguments(loaded, given)
    check_complete(loaded, options.get("start"))
    return loaded, options


def search_arguments(loaded: Loaded, given: dict[str, Any]) -> dict[str, Any]:
    chosen = {name: value for name, value in given.items() if value is not None}
    if "heuristic" in chosen:
        chosen["heuristic"] = heuristic_of(chosen["heuristic"], loaded)
    if "start" in chosen:
        chosen["start"] = state_from(chosen["start"], loaded.puzzle, "--start")
    if chosen.get("solutions") == "all":
        chosen["solutions"] = None
    return chosen


def writable(ctx: click.Context, option: click.Parameter, file: str | None) -> str | None:
    """Refuse an unwritable file before the search starts, which may take hours."""
    if file is None:
        return None
    place = Path(file)
    try:
        if not place.parent.is_dir():
            raise click.BadParameter(f"there is no folder {str(place.parent)!r}", ctx, option)
        if place.is_dir() or not os.access(place if place.exists() else place.parent, os.W_OK):
            raise click.BadParameter(f"{file!r} cannot be written", ctx, option)
    except OSError as error:  # such as a name that is too long
        why = f"{file!r} cannot be written: {error.strerror}"
        raise click.BadParameter(why, ctx, option) from None
    return file


certificate_option = click.option(
    "--certificate", metavar="FILE", type=click.Path(dir_okay=False), callback=writable,
    help="Write evidence that there is nothing better than the answer; `rewrite verify` checks it.",
)  # fmt: skip

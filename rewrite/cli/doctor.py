"""`rewrite doctor`: what is installed, which engines are available, and whether they work."""

from __future__ import annotations

import platform
import re
from importlib import metadata

import click

from rewrite.cli.exits import ERROR
from rewrite.cli.options import traceback_option
from rewrite.cli.output import say
from rewrite.native import status
from rewrite.results.replay import replay
from rewrite.search.api import search

STEPS = 6  # on the shortest path to 4 with jugs of 3 and 5: [water_jugs] in tests/golden


def version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def requirements() -> dict[str, list[str]]:
    """Return the packages that each extra needs, from the metadata; "" for those always needed."""
    found: dict[str, list[str]] = {"": []}
    try:
        listed = metadata.requires("rewrite") or []
    except metadata.PackageNotFoundError:  # run from a folder without installation
        return found
    for line in listed:
        named = re.match(r"[\w.-]+", line)
        extra = re.search(r"""extra\s*==\s*['"]([\w.-]+)['"]""", line)
        if named:
            found.setdefault(extra[1] if extra else "", []).append(named[0])
    return found


def _self_check() -> str:
    from puzzles import PUZZLES

    puzzle = PUZZLES["water_jugs"]()
    result = search(puzzle)
    if result.path is None or len(result.path) != STEPS or not result.optimal:
        return f"water_jugs: {STEPS} steps were expected; found: {result.summary()}"
    end = replay(puzzle, puzzle.start, result.path.labels).end
    return "" if end == result.path.end else f"water_jugs: the path replays to {end}"


@click.command("doctor", short_help="Say what is installed and whether it works.")
@traceback_option
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Say what is installed, which engines there are, and whether a small puzzle is solved."""
    say(f"python {platform.python_version()} ({platform.system()} {platform.machine()})")
    say(f"rewrite {version_of('rewrite') or '(not installed: run from its folder)'}")
    needed = requirements()
    for package in needed.pop(""):
        say(f"{package} {version_of(package) or 'is missing: pip install ' + package}")
    core = status()
    say(f"engine: {'python and native' if core.usable else 'python'}")
    say(core.reason)
    for extra, packages in needed.items():
        missing = [package for package in packages if version_of(package) is None]
        there = ", ".join(f"{one} {version_of(one)}" for one in packages if one not in missing)
        way = f"missing {', '.join(missing)}: pip install 'rewrite[{extra}]'" if missing else ""
        say(f"extra {extra}: {'; '.join(filter(None, [there, way]))}")
    try:
        wrong = _self_check()
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    say(f"self-check: {wrong or f'water_jugs solved in {STEPS} steps and replayed'}")
    ctx.exit(ERROR if wrong or core.refused else 0)

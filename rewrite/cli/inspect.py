"""`rewrite explain`, `moves` and `replay`: answers by the definition of a puzzle's rules."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path as File
from typing import Any

import click

from rewrite.cli.exits import EXHAUSTED, EXIT_CODES, Problem
from rewrite.cli.levels import say_level
from rewrite.cli.literals import state_from
from rewrite.cli.loading import PLANNING, Loaded, check_complete, load
from rewrite.cli.options import level_option, puzzle_arguments, traceback_option
from rewrite.cli.output import say
from rewrite.errors import PuzzleError, ReplayError, SearchError
from rewrite.language import meaning
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.readers.s_expressions import Source
from rewrite.results.explain import funnel, overview, rule_named
from rewrite.results.moves import moves
from rewrite.results.path import Path
from rewrite.results.replay import replay
from rewrite.results.result import Result
from rewrite.search.tasks.explain import kept

state_option = click.option(
    "--state", metavar="STATE", help='By default the start. E.g. "[4, 7, At(3, 5)]".'
)
LONGEST_TO_SHORTEN = 40  # steps; finding the pairs that cancel tries O(length³) steps


@click.command("explain", short_help="Say why rules fire or do not.")
@puzzle_arguments
@state_option
@click.option(
    "--rule", "rules", multiple=True, metavar="RULE",
    help="Show what each condition of this rule drops: its name, its label (also as a step shows "
    "it), or its number from 1. May be repeated.",
)  # fmt: skip
def explain_command(
    puzzle: str,
    words: tuple[str, ...],
    level: int | None,
    state: str | None,
    rules: tuple[str, ...],
) -> None:
    """Say what a puzzle consists of, how its states are kept, and why its rules fire or do not."""
    loaded, here = _loaded(puzzle, words, level, state)
    made = loaded.puzzle
    if rules:
        if here is None:
            raise Problem(f"{loaded.name} has no start; give --state")
        funnels = [str(funnel(made, here, _rule(made, name))) for name in rules]
        say("\n\n".join(funnels))
        return
    say(overview(made))
    if here is None:
        say(f"{loaded.name} has no start; --state shows how its rules fire in a state")
        return
    say("\n".join([*kept(made, here), ""]))
    found = overview(made, here)
    say(found)
    for name in [name for name, steps in found.ways.items() if not steps]:
        rule = next(rule for rule in made.rules if rule.name == name)
        say(f"  {name!r} makes no step: {funnel(made, here, rule).stopped}")
    if made.rules:
        say("--rule RULE shows what each condition of one rule drops")


def _rule(puzzle: Puzzle, name: str) -> Rule:
    try:
        return rule_named(puzzle, name)
    except PuzzleError as error:
        numbered = {str(number): rule for number, rule in enumerate(puzzle.rules, 1)}
        if name in numbered:
            return numbered[name]
        raise Problem(error.message.replace("explain:", "--rule:", 1)) from error


def _loaded(
    puzzle: str, words: tuple[str, ...], level: int | None, state: str | None
) -> tuple[Loaded, State | None]:
    loaded = load(puzzle, words, level)
    say_level(loaded.level)
    start = loaded.puzzle.start
    return loaded, start if state is None else state_from(state, loaded.puzzle)


@click.command("moves", short_help="List every step out of a state.")
@puzzle_arguments
@state_option
def moves_command(
    puzzle: str, words: tuple[str, ...], level: int | None, state: str | None
) -> None:
    """List every step out of a state, and the state it leads to."""
    loaded, here = _loaded(puzzle, words, level, state)
    if here is None:
        raise Problem(f"{loaded.name} has no start; give --state")
    steps = moves(loaded.puzzle, here)
    here = meaning.simplified(loaded.puzzle, here)
    if not steps:
        say(f"no moves: no rule of {loaded.name} applies in {here}")
        return
    wide = max(len(step.label) for step in steps)
    say(f"{len(steps):,} move{'s' * (len(steps) != 1)} out of {here}")
    for number, step in enumerate(steps, 1):
        say(f"{number:>{len(str(len(steps))) + 2}}. {step.label:<{wide}}  {step.after}")


@click.command("replay", short_help="Check given steps one by one.", epilog=EXIT_CODES)
@click.argument("puzzle", metavar="NAME|FILE.py:NAME")
@click.argument("steps", nargs=-1, required=True, metavar="LABELS…|FILE.json|-")
@click.option("--words", default="", help="The words that choose the instance, in one text.")
@click.option("--start", metavar="STATE", help='Another start, written in Python: "[4, 7]".')
@level_option
@traceback_option
def replay_command(
    puzzle: str, steps: tuple[str, ...], words: str, start: str | None, level: int | None
) -> None:
    """Run given steps one by one, by the definition of the rules.

    \b
      rewrite replay digitle --words "13 9 4" "9 + 4 → 13"
      rewrite solve digitle --json | rewrite replay digitle -
      rewrite replay domain.pddl problem.pddl plan

    The steps are LABELS, as `solve` prints them; or FILE.json (- for stdin), what `solve --json`
    or Path.to_json wrote; or after the two files of a planning task the plan of a planner. At the
    first step that is not legal, the legal ones are listed.
    """
    try:
        split = tuple(shlex.split(words))
    except ValueError as error:
        raise Problem(f"--words {words!r} cannot be taken apart: {error}") from error
    planning = puzzle.endswith(PLANNING)
    if planning and not split:
        split, steps = steps[:1], steps[1:]
        if not steps:
            raise Problem(f"{puzzle} {split[0]}: which plan? A file, its steps, or - for stdin")
    loaded = load(puzzle, split, level)
    say_level(loaded.level)
    first = None if start is None else state_from(start, loaded.puzzle, "--start")
    given: list[Any] = [list(steps)]
    if len(steps) == 1 and ((steps[0] == "-" and not planning) or steps[0].endswith(".json")):
        given = list(_read(loaded.puzzle, steps[0]))
    elif planning and len(steps) == 1:
        given = [_plan(steps[0])]
    else:
        check_complete(loaded, first, goal_needed=False)
    for number, path_or_labels in enumerate(given, 1):
        try:
            path = replay(loaded.puzzle, first, path_or_labels)
        except ReplayError as error:
            head = f"answer {number}: " if len(given) > 1 else ""
            raise Problem(f"{head}{error.message}", EXHAUSTED) from error
        if len(given) > 1:
            say(f"answer {number}")
        say(_replayed(loaded, path))


def _plan(name: str) -> list[str]:
    from rewrite.readers.pddl import steps_of_plan  # imported only for planning tasks

    text = name if name.startswith("(") else _text(name)
    return steps_of_plan(Source(text, name))


def _text(name: str) -> str:
    try:
        if name == "-" and sys.stdin is None:
            raise Problem("- stands for standard input, which is closed")
        return sys.stdin.read() if name == "-" else File(name).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Problem(f"{name} cannot be read: {why}") from error


def _read(puzzle: Puzzle, name: str) -> tuple[Path, ...]:
    text = _text(name)
    try:
        found = json.loads(text)
    except RecursionError:
        raise Problem(f"{name}: it is nested too deep to be a path or a result") from None
    except ValueError:
        found = None  # from_json says what is wrong
    try:
        if isinstance(found, dict) and found.get("rewrite") == "result":
            paths = Result.from_json(text, puzzle).paths
        else:
            paths = (Path.from_json(text, puzzle),)
    except SearchError as error:
        raise Problem(f"{name}: {error.message}") from error
    if not paths:
        raise Problem(f"{name}: this result has no path to replay")
    return paths


def _replayed(loaded: Loaded, path: Path) -> str:
    puzzle, lines = loaded.puzzle, [str(path)]
    lines.append(f"every step is legal: {len(path)} step{'s' * (len(path) != 1)} to {path.end}")
    if puzzle.goal is not None:
        met = meaning.is_goal(puzzle, path.end, puzzle.goal)
        lines.append(f"the goal {puzzle.goal!r} is {'met' if met else 'not met'} there")
    short = len(path) <= LONGEST_TO_SHORTEN
    cancelling = path.cancelling() if short else []
    for i, j in cancelling:
        lines.append(f"steps {i} and {j} cancel: without them the same end is reached")
    for i, j in path.loops():
        if (i, j) not in cancelling:
            lines.append(f"steps {i} to {j} lead back to where they began")
    if not short:
        lines.append(f"(steps that cancel are looked for in up to {LONGEST_TO_SHORTEN} steps only)")
    return "\n".join(lines)

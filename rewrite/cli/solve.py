"""`rewrite solve` and `rewrite compare`: the commands that search."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path as File
from typing import Any

import attrs
import click

from rewrite.certificates.write import Target
from rewrite.cli import screen
from rewrite.cli.exits import (
    ERROR,
    EXIT_CODES,
    INTERRUPTED,
    SIGTERM,
    Problem,
    as_options,
    exit_code_for,
    exit_code_of,
)
from rewrite.cli.levels import say_level
from rewrite.cli.loading import Loaded, is_of_maude, searches_of
from rewrite.cli.options import (
    STRATEGY_NAMES,
    certificate_option,
    given_by,
    loaded_for,
    puzzle_arguments,
    search_options,
    seconds,
    solutions,
    writable,
)
from rewrite.cli.output import say, say_json
from rewrite.cli.stories import WITH_STORY, answer, question, story
from rewrite.errors import IdleRuleWarning, RewriteError, RewriteWarning
from rewrite.language.puzzles import Puzzle, has_costs
from rewrite.results.path import Path
from rewrite.results.result import Comparison, Result, where
from rewrite.search.api import search
from rewrite.search.limits import LIMITS
from rewrite.search.options import OPTIONS
from rewrite.search.strategies import SEED, STRATEGIES, STRATEGY_OPTIONS, comparable

IMPROVING = {"start", "goal", "max_memory", "threads", "symmetry"}
"""The arguments that `improve` takes."""
NOT_FOR_ONE = {"solutions", "distinct", "min_depth", "checkpoint"}
"""Those that neither --any nor --certificate goes with."""
HOW = {"strategy", "heuristic", *STRATEGY_OPTIONS}
USUAL = {"strategy": "auto"} | {
    one.name: one.usual for every in (OPTIONS, LIMITS, STRATEGY_OPTIONS) for one in every.values()
}


@click.command("solve", short_help="Search a puzzle for its goal.", epilog=EXIT_CODES + SIGTERM)
@puzzle_arguments
@click.option("--strategy", metavar="NAME", help=f"One of {STRATEGY_NAMES}.")
@click.option(
    "--any", "any_answer", is_flag=True,
    help="Any answer, soon: not the one with the fewest steps, or the cheapest.",
)  # fmt: skip
@click.option(
    "--improve", type=seconds, metavar="SECONDS",
    help="Any answer, then better ones for so many seconds; each cost is shown as it comes.",
)  # fmt: skip
@click.option("--solutions", type=solutions, metavar="NUMBER|all", help="By default 1.")
@given_by(OPTIONS["distinct"])
@search_options
@click.option(
    "--checkpoint", metavar="DIR",
    help="Keep the search in this folder: saved every minute, at the end, at Ctrl-C and SIGTERM. "
    "The same command continues there.",
)  # fmt: skip
@certificate_option
@given_by(OPTIONS["engine"], OPTIONS["partitions"])
@click.option(
    "--html", "page", metavar="FILE", type=click.Path(dir_okay=False), callback=writable,
    help="Write a page that shows the result and plays its paths; goes along with the others.",
)  # fmt: skip
@click.option(
    "--plan", metavar="FILE", type=click.Path(dir_okay=False), callback=writable,
    help="Write the steps as planners do, one a line and what they cost; goes along with the "
    "others.",
)  # fmt: skip
@click.option("--module", metavar="NAME", help="A module of a file of Maude: by default the last.")
@click.option("--json", "form", flag_value="json", help="Print the result as JSON.")
@click.option("--show", "form", flag_value="show", help="Print the picture after each step too.")
@click.option(
    "--story", "form", flag_value="story",
    help="Print the form that suits the puzzle: expression, chain, ring, boards side by side.",
)  # fmt: skip
@click.option("--quiet", "form", flag_value="quiet", help="Print nothing; see the exit code.")
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    puzzle: str,
    words: tuple[str, ...],
    level: int | None,
    form: str | None,
    page: str | None,
    plan: str | None,
    any_answer: bool,
    improve: float | None,
    module: str | None,
    **given: Any,
) -> None:
    """Search a puzzle for its goal, and print the way there.

    \b
      rewrite solve digitle 793 75 4 7 9 8 2
      rewrite solve sokoban levels.xsb --level 7
      rewrite solve jugs.py:jugs --max-seconds 10
      rewrite solve domain.pddl problem.pddl --plan plan
      rewrite solve modules.maude search 2

    A puzzle is a NAME of the gallery, with WORDS that choose an instance, or with a file of levels
    and the number of one; or FILE.py:NAME, a Puzzle object in a file or a function that makes one
    of the words; or a planning task, two files of PDDL; or a file of Maude, with search and the
    number of one of its commands, or a command, or nothing for all of them. Words that begin with
    - come after a word of their own: --.

    Of --json, --show, --story and --quiet the last one counts.
    """
    if module is not None and not is_of_maude(puzzle):
        raise click.UsageError(f"--module {module} is for files of Maude, and not for {puzzle}")
    target = puzzle if module is None else f"{puzzle}:{module}"
    if is_of_maude(target):  # a module has rules for many searches; `main` restores the filters
        warnings.simplefilter("ignore", IdleRuleWarning)
    asked = searches_of(target, words)
    kept = [page, plan, given.get("checkpoint"), given.get("certificate")]
    if len(asked) > 1 and any(kept):
        raise click.UsageError(
            f"{puzzle} has {len(asked)} searches, and only one can be kept or written: name it, as "
            "in search 1"
        )
    results, codes = list[Result](), list[int]()
    for number, some in enumerate(asked):
        if number and form not in ("quiet", "json"):
            say("")
        try:
            loaded, options = loaded_for(target, some, given, level)
            if any_answer:
                options["best"] = False
            if "certificate" in options:
                file = File(options["certificate"])
                options["certificate"] = Target(file, (target, *some), level)
            result = _searched(loaded, options, form, improve)
        except (Problem, RewriteError) as problem:
            if len(asked) == 1 or form == "json":
                raise
            what = problem.message
            if isinstance(problem, RewriteError):
                what = as_options(problem, ctx.command)
            say(f"error: {what}", err=True)  # the others are searched
            codes.append(exit_code_for(problem))
            continue
        results.append(result)
        if plan is not None and result.path is not None:
            _write_plan(plan, result.path)
        if page is not None:
            result.to_html(page)
            if form != "quiet":
                say(f"page written to {page}", err=True)  # stdout may be JSON
    if form == "json":
        texts = [one.to_json() for one in results]
        say_json(texts[0] if len(texts) == 1 else f"[{','.join(texts)}]")
    ctx.exit(max([*map(exit_code_of, results), *codes]))


def _searched(
    loaded: Loaded, options: dict[str, Any], form: str | None, improve: float | None
) -> Result:
    """Return the result of a search, and print it if it is not for JSON."""
    asked = question(loaded, options)
    _check_together(loaded, options, asked, improve)
    if form == "quiet":
        warnings.simplefilter("ignore", RewriteWarning)  # `main` restores the filters
    if form not in ("quiet", "json"):
        say_level(loaded.level)
    with screen.progress(form != "quiet") as progress:
        if improve is None:
            result = search(loaded.puzzle, progress=progress, **asked)
        else:
            result = _improved(loaded.puzzle, improve, form != "quiet", progress, asked)
    if form in ("quiet", "json"):
        return result
    ended = attrs.evolve(result, resume=None)  # its text would offer .resume()
    if form is None and (own := answer(loaded, options, ended, screen.width())):
        say(own)
    else:
        for text in lines_of(ended, form, screen.width()):
            say(text)  # at once: the reader may be `head`
    kept = options.get("checkpoint")
    if kept is not None and result.status in ("limit", "interrupted"):
        say(f"saved in {kept}: the same command continues there")
    return result


def _check_together(
    loaded: Loaded, options: dict[str, Any], asked: dict[str, Any], improve: float | None
) -> None:
    """Refuse what `search` refuses too: it would name its arguments, and not the options.

    asked  the options, and what the puzzle asks for by itself
    """
    if improve is not None:
        option, does, wrong = "--improve", "chooses how to search", asked.keys() - IMPROVING
    elif "certificate" in asked:
        option, does, wrong = "--certificate", "is for one nearest answer", NOT_FOR_ONE | {"best"}
    elif "best" in asked:
        option, does = "--any", "chooses how to search, and finds one answer"
        wrong = NOT_FOR_ONE | HOW
    else:
        return
    if asked.get("engine") == "ray":
        wrong = wrong | {"engine"}
    found = [  # == on a heuristic makes an expression; that one has no usual value
        name
        for name, value in asked.items()
        if name in wrong and (name not in USUAL or value != USUAL[name])
    ]
    if said := [name for name in found if name in options]:
        named = ", ".join(
            "--any" if name == "best" else f"--{name.replace('_', '-')}" for name in said
        )
        raise click.UsageError(f"{option} {does}: leave {named} out")
    if found:
        asks = " ".join((loaded.name, *loaded.words))
        maude = is_of_maude(loaded.name)
        way = "write 'search [1] START =>* PATTERN .' (or =>!)" if maude else "add --solutions 1"
        raise click.UsageError(
            f"{option} is for one answer of any length, but {asks} asks for more: {way}"
        )


def _improved(
    puzzle: Puzzle, limit: float, tells: bool, progress: Any, options: dict[str, Any]
) -> Result:
    from rewrite.search.tasks.improve import improve  # not needed by others

    def better(found: Result) -> None:
        assert found.path is not None
        if tells:
            say(f"found: {len(found.path)} steps, cost {found.path.cost}", err=True)

    taken = {name: value for name, value in options.items() if name in IMPROVING}
    return improve(puzzle, max_seconds=limit, better=better, progress=progress, **taken)


def _write_plan(file: str, path: Path) -> None:
    """Write a path in the format of planners: a step a line, and what it costs."""
    kind = "general" if has_costs(path.puzzle) else "unit"
    lines = (*path.labels, f"; cost = {path.cost} ({kind} cost)")
    try:
        File(file).write_text("".join([f"{line}\n" for line in lines]), "utf-8")
    except OSError as error:
        why = f"--plan {file}: the file cannot be written: {error.strerror or error}"
        raise Problem(why, ERROR) from error


def lines_of(result: Result, form: str | None, width: int) -> Iterator[str]:
    """Yield the text of a result; form: "show", "story", or None for the usual one."""
    if form is None or not result:
        yield from result.lines()
        if len(result.paths) == 1 and form is None and result.puzzle.name in WITH_STORY:
            yield "\n" + story(result.paths[0], width)
        return
    yield result.summary()
    for number, path in enumerate(result.paths, 1):
        if len(result.paths) > 1:
            yield f"\nanswer {number}{where(path)}"
        for block in path.pictures() if form == "show" else (story(path, width),):
            yield "\n" + block
    for note in result.notes:
        yield f"\nnote: {note}"


@click.command("compare", short_help="Search a puzzle by several strategies.", epilog=EXIT_CODES)
@puzzle_arguments
@click.option(
    "--strategy", "strategies", multiple=True, metavar="NAME",
    help=f"May be repeated; by default all that can be used. One of {STRATEGY_NAMES}.",
)  # fmt: skip
@search_options
@click.pass_context
def compare_command(
    ctx: click.Context,
    /,
    puzzle: str,
    words: tuple[str, ...],
    level: int | None,
    strategies: tuple[str, ...],
    **given: Any,
) -> None:
    """Search a puzzle by several strategies, and print what each found and what it cost.

    The exit code is the highest one of the searches. depth_first finds some answer, not a short
    one, and may never end where states go on without end: give a limit.
    """
    from rewrite.search.tasks.compare import compare  # not needed by `solve`

    loaded, options = loaded_for(puzzle, words, given, level)
    say_level(loaded.level)
    usable = comparable("heuristic" in options)
    results: dict[str, Result] = {}
    for name in strategies or usable:
        with screen.progress() as progress:
            mine = _fitting(name, options)
            results |= compare(loaded.puzzle, [name], progress=progress, **mine).results
        if exit_code_of(results[name]) == INTERRUPTED:
            break  # Ctrl-C ends the whole command, not only this search
    screen.table(Comparison(results).rows(), right=(2, 3, 5, 6, 7))
    for name, result in results.items():
        for note in result.notes:
            say(f"note: {name}: {note}")
    ctx.exit(max(map(exit_code_of, results.values())))


def _fitting(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options, without the seed for strategies that make no random choices."""
    keeps = name not in STRATEGIES or SEED in STRATEGIES[name].options
    return {key: value for key, value in options.items() if keeps or key != "seed"}

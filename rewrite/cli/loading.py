"""Loads the requested puzzle: of the gallery, FILE.py:NAME, two files of PDDL, or one of Maude."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_type_hints

from attrs import evolve, field, frozen

from rewrite.cli.exits import ERROR, Problem
from rewrite.cli.levels import bytes_of, chosen, reader_of
from rewrite.errors import PuzzleError, RewriteError, did_you_mean
from rewrite.language.arguments import takes_one
from rewrite.language.callers import open_names
from rewrite.language.expressions import NUMBER_KINDS, Expression, Variable, Wildcard
from rewrite.language.puzzles import Puzzle
from rewrite.search.heuristics import HEURISTICS

if TYPE_CHECKING:
    from puzzles.levels import Level as FileLevel

PLANNING, MAUDE = ".pddl", ".maude"
FILE_NAME = re.compile(r".*[/\\].*|.*\w\.[A-Za-z]\w{1,4}")
"""A word that a player may have meant as a file, if the puzzle does not know it."""


@frozen
class Loaded:
    """A puzzle, and the module that it comes from.

    name   as typed by the user
    level  the level of a file, in a line; "" if it comes from words alone
    levels all levels of that file
    asked  how `search` is called if nothing else is said
    """

    puzzle: Puzzle
    module: ModuleType
    name: str
    words: tuple[str, ...] = ()
    gallery: bool = False
    level: str = ""
    levels: Sequence[FileLevel] = ()
    asked: Mapping[str, Any] = field(factory=dict)


def load(
    target: str,
    words: tuple[str, ...] = (),
    level: int | None = None,
    *,
    anew: bool = False,
    first: bool = False,
) -> Loaded:
    """Return the puzzle of the gallery or a file that the words choose. Raises Problem.

    level  the number of a level, if the first word is a file of levels
    anew   whether to reload FILE.py if it was loaded before
    first  whether the first of several levels is meant if none is chosen
    """
    if target.endswith(PLANNING):
        return _planning_task(target, words, level)
    if is_of_maude(target):
        if level is not None:
            raise Problem(f"--level {level} is for puzzles of the gallery, not for {target}")
        return _of_maude(target, words)
    file, name = split_target(target)
    if file is None:
        if reader := reader_of(target):
            target, words = reader, (target, *words)
        return _from_gallery(target, words, level, first)
    if level is not None:
        raise Problem(f"--level {level} is for puzzles of the gallery; {target} takes words alone")
    loaded = _from_file(file, name, words, anew)
    if loaded.puzzle.name == "puzzle":  # it has no name; the variable's name says more
        short = loaded.name.rpartition(":")[2]
        loaded = evolve(loaded, puzzle=loaded.puzzle.replace(name=short))
    return loaded


def heuristic_of(text: str, loaded: Loaded) -> Any:
    file, name = split_target(text)
    module = loaded.module if file is None else _imported(file)
    where = Path(module.__file__ or module.__name__).name
    found = getattr(module, name, None) if name else None
    if found is not None:
        return found
    if text in HEURISTICS:
        return text
    known = _heuristics_in(module)
    raise Problem(
        f"--heuristic {text}: {where} has no {name or 'such name'}"
        f"{did_you_mean(name or '', known)}; the heuristics in it: {', '.join(known) or 'none'}. A "
        "heuristic is an expression, a function State -> number, or one of "
        f"{', '.join(HEURISTICS)}"
    )


def check_complete(
    loaded: Loaded, start: Any = None, *, goal_needed: bool = True, start_option: bool = True
) -> None:
    puzzle = loaded.puzzle
    missing = []
    if puzzle.start is None and start is None:
        option = ', or --start "[…]"' * start_option
        missing.append(f"start (Puzzle(…, start=[…]){option})")
    if goal_needed and puzzle.goal is None:
        missing.append("goal (Puzzle(…, goal=contains(…)))")
    if missing:
        raise Problem(f"{loaded.name} has no {' and no '.join(missing)}", ERROR)


def split_target(target: str) -> tuple[Path | None, str]:
    """Return the file and name of FILE.py:NAME or FILE.py; (None, target) for a plain name."""
    file, colon, name = target.rpartition(":")
    if colon and file.endswith(".py"):
        return Path(file), name
    if target.endswith(".py"):
        return Path(target), ""
    return None, target


def files_of(target: str, words: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the files of a puzzle, of a planning task both; none for one of the gallery."""
    if target.endswith(PLANNING):
        return Path(target), *map(Path, words)
    if is_of_maude(target):
        return (Path(_file_and_module(target)[0]),)
    file, _ = split_target(target)
    return () if file is None else (file,)


# -- the gallery ---------------------------------------------------------------------------


def gallery_puzzle(target: str, words: tuple[str, ...]) -> Loaded:
    """Return the puzzle of the gallery chosen by words only: reads no file. Raises Problem."""
    name, make = _in_gallery(target)
    try:
        puzzle = make(*words)
    except PuzzleError as error:
        raise Problem(error.message) from error
    return Loaded(puzzle, sys.modules[make.__module__], name, words, gallery=True)


def _from_gallery(target: str, words: tuple[str, ...], level: int | None, first: bool) -> Loaded:
    name, make = _in_gallery(target)
    found = chosen(name, sys.modules[make.__module__], words, level, first)
    try:
        if found is None:
            return gallery_puzzle(target, words)
        loaded = gallery_puzzle(target, found.words)
        return evolve(loaded, level=found.heading, levels=found.levels)
    except Problem as problem:
        if found is not None:
            raise Problem(f"{found.where}: {problem.message}") from problem
        if words and FILE_NAME.fullmatch(words[0]):
            raise Problem(f"{problem.message}. There is no file {words[0]!r} either") from problem
        raise


def _in_gallery(target: str) -> tuple[str, Callable[..., Puzzle]]:
    from puzzles import PUZZLES

    name = target.replace("-", "_")
    if name not in PUZZLES:
        raise Problem(
            f"{target!r} is not a puzzle of the gallery{did_you_mean(name, PUZZLES)}; `rewrite "
            "gallery` lists them, and a puzzle of your own is FILE.py:NAME"
        )
    return name, PUZZLES[name]


# -- planning tasks ------------------------------------------------------------------------


def _planning_task(domain: str, words: tuple[str, ...], level: int | None) -> Loaded:
    from rewrite.readers import pddl  # imported only for planning tasks

    if len(words) != 1 or level is not None:
        found = " ".join(words) or "nothing"
        raise Problem(f"{domain}: after a domain comes the file of one problem; found {found}")
    return Loaded(pddl.pddl(domain, words[0]), pddl, domain, words)


# -- modules of Maude ----------------------------------------------------------------------


def is_of_maude(target: str) -> bool:
    return target.endswith(MAUDE) or f"{MAUDE}:" in target


def searches_of(target: str, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the words for each search that is meant: all of a file of Maude if none is named."""
    if not is_of_maude(target) or words:
        return [words]
    number = len(_module(target).commands)
    return [("search", str(one)) for one in range(1, number + 1)] or [()]


def _file_and_module(target: str) -> tuple[str, str | None]:
    file, _, name = target.partition(f"{MAUDE}:")
    return (file + MAUDE, name) if name else (file, None)


def _module(target: str) -> Any:
    from rewrite.readers.maude import Module  # imported only for modules of Maude

    return Module.of(*_file_and_module(target))


def _of_maude(target: str, words: tuple[str, ...]) -> Loaded:
    from rewrite.readers import maude

    known, said = _module(target), " ".join(words)
    if not words and len(known.commands) > 1:
        listed = "\n".join([f"  {at}  {one}" for at, one in enumerate(known.searches, 1)])
        raise Problem(f"{target} has several searches; which one? search N:\n{listed}")
    number = re.fullmatch(r"search (\d{1,640})", said or "search 1")
    if not (number or re.match(r"s?search\b", said)):
        raise Problem(
            f"{target}: after a file of Maude comes search N, or a whole command, 'search START "
            f"=>* PATTERN .'; found {said}"
        )
    puzzle, asked = known.asked(int(number[1]) if number else said)
    return Loaded(puzzle, maude, target, words, asked=asked)


# -- files ---------------------------------------------------------------------------------


def _from_file(file: Path, name: str, words: tuple[str, ...], anew: bool) -> Loaded:
    module = _imported(file, anew)
    known = _puzzles_in(module)
    if not name and len(known) == 1:
        name = known[0]
    if not name or not hasattr(module, name):
        puzzles = ", ".join(f"{file}:{one}" for one in known) or "none"
        close = did_you_mean(name, [*known, *_functions_in(module)])
        has = f"{file} has no {name}{close}" if name else f"{file}: which one"
        raise Problem(f"{has}; the puzzles in it: {puzzles}")
    found, said = getattr(module, name), f"{file}:{name}"
    if isinstance(found, Puzzle):
        if words:
            raise Problem(
                f"{said} is a Puzzle and takes no words; found {' '.join(words)!r}. To choose a "
                "start by words, name a function that returns a Puzzle"
            )
        return Loaded(found, module, said)
    if not callable(found) or isinstance(found, Expression):
        raise Problem(f"{said} is {found!r}, which is neither a Puzzle nor a function that "
                      f"returns one; the puzzles in it: {', '.join(known) or 'none'}")  # fmt: skip
    return Loaded(_called(found, said, file, words), module, said)


def _called(make: Callable[..., Any], said: str, file: Path, words: tuple[str, ...]) -> Puzzle:
    values = _arguments(make, said, words)
    try:
        made = make(*values)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        given = ", ".join(map(repr, values))
        raise Problem(f"{said}({given}) failed: {_place(error, file)}", ERROR) from error
    if not isinstance(made, Puzzle):
        raise Problem(f"{said} returned {made!r}, which is not a Puzzle", ERROR)
    return made


def _arguments(make: Callable[..., Any], said: str, words: tuple[str, ...]) -> list[Any]:
    """Return the words, converted to numbers for parameters annotated with int."""
    try:
        signature = inspect.signature(make).replace(return_annotation=inspect.Signature.empty)
    except ValueError:
        return list(words)  # a built-in without a signature
    try:
        bound = signature.bind(*words)
    except TypeError as error:
        raise Problem(
            f"{said}{signature} takes other words: {error}; found {' '.join(words) or 'none'}"
        ) from error
    try:
        hints = get_type_hints(make)
    except Exception:  # annotations that cannot be resolved do not matter here
        hints = {}
    values: list[Any] = []
    for name, value in bound.arguments.items():
        for word in value if isinstance(value, tuple) else (value,):
            values.append(_number(word, name, said) if hints.get(name) is int else word)
    return values


def _number(word: str, name: str, said: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise Problem(f"{said}: {name} is a whole number; found {word!r}") from None


def _imported(file: Path, anew: bool = False) -> ModuleType:
    """Run a file as a module with the file's name, if free, and return it. Raises Problem."""
    import importlib.util

    bytes_of(file, 0)  # check that it is readable
    path = file.resolve()
    name = path.stem
    there = sys.modules.get(name)
    known = there is not None and getattr(there, "__file__", None) == str(path)
    if there is not None and known and not anew:
        return there
    if (there is not None and not known) or name in sys.stdlib_module_names:
        name = f"puzzle_file_{name}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))  # it may import modules beside it
    sys.modules[name] = module
    try:
        if anew:  # Python's cached bytecode may come from an older file with the same timestamp
            exec(compile(path.read_bytes(), path, "exec"), vars(module))
        else:
            spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise Problem(f"{file} does not import: {_place(error, file)}", ERROR) from error
    return module


def _place(error: BaseException, file: Path) -> str:
    """Return the line of the file where an exception was raised, and its message."""
    path, line, names = str(file.resolve()), None, list[str]()
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line, names = trace.tb_lineno, open_names(trace)
        trace = trace.tb_next
    text = str(error)
    if names and not isinstance(error, RewriteError):
        only = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} only known"
        text += f" ({only} during the search; compute with it in a function decorated with @fn)"
    if isinstance(error, SyntaxError):
        text = error.msg
        if error.filename == path:
            line = error.lineno
        else:
            text += f" ({error.filename}, line {error.lineno})"
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if line is None:
        return said
    import linecache

    linecache.checkcache(path)
    code = linecache.getline(path, line).strip()
    return f"line {line}: {said}" + (f"\n  {code}" if code else "")


def _own(module: ModuleType) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in vars(module).items() if not name.startswith("_")]


def _heuristics_in(module: ModuleType) -> list[str]:
    """Return the names of numbers over the state, and of functions that may return one."""
    return [
        name
        for name, value in _own(module)
        if (
            isinstance(value, Expression)
            and value.kind in NUMBER_KINDS
            and not isinstance(value, Variable | Wildcard)
        )
        or (
            inspect.isfunction(value)
            and value.__annotations__.get("return", int) in (int, float, "int", "float")
            and value.__module__ == module.__name__
            and takes_one(value)
        )
    ]


def _functions_in(module: ModuleType) -> list[str]:
    every = [(name, one) for name, one in _own(module) if inspect.isfunction(one)]
    return [name for name, one in every if one.__module__ == module.__name__]


def _puzzles_in(module: ModuleType) -> list[str]:
    """Return the names of the Puzzles in a module, and of functions annotated to return one."""
    return [
        name
        for name, value in _own(module)
        if isinstance(value, Puzzle)
        or (
            inspect.isfunction(value)
            and value.__annotations__.get("return") in (Puzzle, "Puzzle")
            and value.__module__ == module.__name__
        )
    ]

"""A digest of a puzzle's definition, by which a link knows whether the rules are still the same."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from types import CellType, CodeType
from typing import Any

from rewrite.language.conditions import Aggregate, Condition, OneOfStates, Predicate
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside, source
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule


def digest_of(puzzle: Puzzle) -> str:
    """Return a short text that changes with rules, start, goal and the functions in them.

    It is the same in every process, and says nothing of the view, the name or comments.

    >>> from rewrite.language.rules import rule
    >>> one, other = Puzzle(rule("on", put=[1])), Puzzle(rule("on", put=[2]))
    >>> digest_of(one) == digest_of(one.replace(name="same")), digest_of(one) == digest_of(other)
    (True, False)
    """
    made = blake2b(digest_size=9)
    for text in _texts(puzzle):
        made.update(f"{len(text)}:{text}".encode("utf-8", "backslashreplace"))
    return made.hexdigest()


def _texts(puzzle: Puzzle) -> Iterator[str]:
    for rule in (*puzzle.rules, "simplify", *puzzle.simplify):
        yield repr(rule)
    for part in (puzzle.facts, puzzle.start, puzzle.goal, *puzzle.never):
        yield repr(part)
    for part in _parts(puzzle):
        if isinstance(part, OneOfStates):
            yield repr(part.states)
        elif isinstance(part, Predicate):
            yield from _code(part.function)
        elif isinstance(part, FunctionCall):
            yield from _code(part.function.__wrapped__)


def _parts(puzzle: Puzzle) -> Iterator[Any]:
    """Yield whatever stands anywhere in rules, goal and never."""
    for rule in (*puzzle.rules, *puzzle.simplify):
        yield from everywhere(_parts_of(rule), _inside)
    yield from everywhere((puzzle.goal, *puzzle.never), _inside)


def _parts_of(rule: Rule) -> tuple[Any, ...]:
    return (*rule.take, *rule.keep, *rule.put, *rule.when, *rule.absent, rule.cost, *rule.let)


def _inside(value: Any) -> tuple[Any, ...]:
    return value.term_inside() if isinstance(value, (Condition, Aggregate)) else inside(value)


def _code(function: Any) -> Iterator[str]:
    """Yield what a user function does, as text: its compiled code without its place in a file."""
    code = getattr(function, "__code__", None)
    if code is None:
        yield type(function).__qualname__
        return
    todo: list[CodeType] = [code]
    while todo:
        one = todo.pop()
        yield one.co_code.hex()
        yield " ".join(one.co_names)
        for value in one.co_consts:
            if isinstance(value, CodeType):
                todo.append(value)
            else:
                yield _constant(value)
    cells = [cell.cell_contents for cell in function.__closure__ or () if _filled(cell)]
    for value in (function.__defaults__, function.__kwdefaults__, *cells):
        yield _constant(value)


def _constant(value: Any) -> str:
    """Return a value as text; of one that is no plain value its type alone: its text may hold an
    address, which is another one in each process.
    """
    if isinstance(value, dict):
        value = tuple(value.items())
    if isinstance(value, (tuple, list)):
        return f"({','.join(map(_constant, value))})"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(map(_constant, value)))}}}"
    if isinstance(value, int):
        return source(value)
    plain = value is None or value is ... or isinstance(value, (str, bytes, float, complex))
    return repr(value) if plain else type(value).__qualname__


def _filled(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:  # a function that calls itself, not yet named
        return False
    return True

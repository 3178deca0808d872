"""A digest of a puzzle's definition, which tells a link whether the rules have changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from types import CodeType
from typing import Any

from rewrite.language.conditions import OneOfStates, Predicate
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import source
from rewrite.language.patterns import everything_inside
from rewrite.language.puzzles import Puzzle


def digest_of(puzzle: Puzzle) -> str:
    """Return a short text that changes with the rules, start, goal and functions in them.

    It is the same in every process, and does not depend on the view, the name or comments.
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
    if puzzle.sets:
        yield "sets"
    roots: list[Any] = []
    for rule in (*puzzle.rules, *puzzle.simplify):
        roots += [rule.take, rule.keep, rule.put, rule.when, rule.absent, rule.cost, rule.let]
        roots.append(rule.effects)
    for part in everywhere((*roots, puzzle.goal, *puzzle.never), everything_inside):
        if isinstance(part, OneOfStates):
            yield repr(part.states)
        elif isinstance(part, Predicate):
            yield from _code(part.function)
        elif isinstance(part, FunctionCall):
            yield from _code(part.function.__wrapped__)


def _code(function: Any) -> Iterator[str]:
    """Yield the behaviour of a user function as text: its compiled code without file positions."""
    if isinstance(function, partial):
        yield from _code(function.func)
        for held in function.args:  # of `reachable`: its rules
            yield from _texts(held) if isinstance(held, Puzzle) else [_constant(held)]
        return
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
    yield _constant(function.__defaults__)
    yield _constant(function.__kwdefaults__)
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # an empty cell: a recursive function before its name is bound
            yield _constant(cell.cell_contents)


def _constant(value: Any) -> str:
    """Return a value as text, or only its type if its text could contain a memory address."""
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

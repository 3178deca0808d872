"""States given as text: read as Python literals, never evaluated."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from rewrite.cli.exits import Problem
from rewrite.errors import RewriteError, did_you_mean
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term
from rewrite.outcome.json_text import mentioned_constructors


def state_from(text: str, puzzle: Puzzle, option: str = "--state") -> State:
    """Return the state that a text such as "[4, (7, 'a'), At(3, 5)]" writes.

    Constructors are those that the puzzle mentions. Raises Problem (bad usage).

    >>> from rewrite.language.rules import rule
    >>> state_from("[9, (1, -2), 'a', [3]]", Puzzle(rule("on", put=[1])))
    State([9, 'a', (1, -2), [3]])
    """
    made = {one.__name__: one for one in mentioned_constructors(puzzle)}
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return State(_read(tree, made, outermost=True))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        if isinstance(error, RewriteError):
            raise Problem(f"{option}: {error.message}") from error
        raise Problem(
            f"{option}: {text!r} cannot be read ({_said(error)}); write a list of terms, e.g. "
            f"{puzzle.start or '[4, 7]'}"
        ) from error
    except RewriteError as error:
        raise Problem(f"{option}: {error.message}") from error


def _said(error: BaseException) -> str:
    return error.msg if isinstance(error, SyntaxError) else type(error).__name__


def _read(node: ast.expr, made: Mapping[str, type[Term]], outermost: bool = False) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.List(elts=parts):
            return [_read(part, made) for part in parts]
        case ast.Tuple(elts=parts):
            return tuple(_read(part, made) for part in parts)
        case ast.Call(func=ast.Name(id="State"), args=[inner], keywords=[]) if outermost:
            return _read(inner, made)
        case ast.Call(func=ast.Name(id=name), args=given, keywords=named) if name in made:
            # "**x" has no name; what it holds is refused like anything else that is no term
            named_values = {str(one.arg): _read(one.value, made) for one in named}
            return made[name](*[_read(part, made) for part in given], **named_values)
    text = ast.unparse(node)
    known = ", ".join(one.term_signature() for one in made.values())
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else text
    raise SyntaxError(
        f"column {node.col_offset + 1}: {text} is no term{did_you_mean(name, made)}; terms are "
        "numbers, quoted texts, True and False, (…) for a sequence, […] for a nested bag"
        + (f", and the constructors {known}" if known else "")
    )

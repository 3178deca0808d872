"""States as text: parsed as Python literals, never evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from rewrite.cli.exits import Problem
from rewrite.errors import RewriteError, did_you_mean
from rewrite.language.labels import cut
from rewrite.language.puzzles import Puzzle, constructors
from rewrite.language.states import State
from rewrite.language.terms import Term, freeze

LONGEST_SHOWN = 200


def state_from(text: str, puzzle: Puzzle, option: str = "--state") -> State:
    """Return the state written as a text such as "[4, (7, 'a'), At(3, 5)]". Raises Problem."""
    reader = _Reader(text, {one.__name__: one for one in constructors(puzzle)})
    try:
        return reader.state()
    except RewriteError as error:
        raise Problem(f"{option}: {error.message}") from error
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        deep = isinstance(error, (MemoryError, RecursionError))
        raise Problem(
            f"{option}: {cut(text, LONGEST_SHOWN)!r} cannot be read "
            f"({'it is nested too deep' if deep else error}); write a list of terms, "
            f"e.g. {puzzle.start or '[4, 7]'}"
        ) from error


class _Reader:
    """Reads the terms of one text; refuses anything else, with its column."""

    def __init__(self, text: str, made: Mapping[str, type[Term]]) -> None:
        self.text, self.made = text.strip(), made
        self.indent = len(text) - len(text.lstrip())

    def state(self) -> State:
        try:
            tree = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            line, column = error.lineno or 1, error.offset or 0
            at = f"{self.place(line, column)}: " if column else ""
            raise SyntaxError(at + error.msg) from error
        match tree:
            case ast.Call(func=ast.Name(id="State"), args=[inner], keywords=[]):
                tree = inner
        if isinstance(tree, ast.List):
            return State([self.term(part) for part in tree.elts])
        return State(self.term(tree))

    def term(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return self.built(node, freeze, value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if (
                type(value) is int  # not True, which Python counts as a number
            ):
                return -value
            case ast.List(elts=parts):
                return self.built(node, freeze, [self.term(part) for part in parts])
            case ast.Tuple(elts=parts):
                return self.built(node, freeze, tuple([self.term(part) for part in parts]))
            case ast.Call(func=ast.Name(id=name), args=given, keywords=named) if name in self.made:
                # "**x" has no name; its value is refused like anything else that is not a term
                values: dict[str, Any] = {}
                for one in named:
                    if one.arg in values:
                        raise self.at(node, f"{name} is given {one.arg}= twice")
                    values[str(one.arg)] = self.term(one.value)
                arguments = [self.term(part) for part in given]
                return self.built(node, self.made[name], *arguments, **values)
        text = cut(ast.unparse(node), LONGEST_SHOWN)
        known = ", ".join(one.term_signature() for one in self.made.values())
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        name = node.func.id if called else text  # type: ignore[attr-defined]
        raise self.at(
            node,
            f"{text} is not a term{did_you_mean(name, self.made)}; terms are numbers, quoted "
            "texts, True and False, (…) for a sequence, […] for a nested bag"
            + (f", and the constructors {known}" if known else ""),
        )

    def built(self, node: ast.expr, make: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        try:
            return make(*given, **named)
        except RewriteError as error:
            raise RewriteError(str(self.at(node, error.message))) from error

    def at(self, node: ast.expr, message: str) -> SyntaxError:
        """Return an error with the column of a node, counted in characters."""
        line = self.text.split("\n")[node.lineno - 1]
        before = line.encode()[: node.col_offset].decode(errors="ignore")
        return SyntaxError(f"{self.place(node.lineno, len(before) + 1)}: {message}")

    def place(self, line: int, column: int) -> str:
        return f"column {column + self.indent}" if line == 1 else f"line {line}, column {column}"

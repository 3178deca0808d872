"""Parts of a syntax tree by the form they have to be of; another form is refused (Unlowered)."""

from __future__ import annotations

import ast
from typing import TypeVar

from rewrite.native.trouble import Unlowered

Form = TypeVar("Form", bound=ast.AST)


def form(node: ast.AST | None, kind: type[Form], whole: ast.AST | None = None) -> Form:
    """Return a node that has to be of a kind. Raises Unlowered, showing `whole`, for another."""
    if not isinstance(node, kind):
        shown = node if whole is None else whole
        raise Unlowered("nothing" if shown is None else ast.unparse(shown))
    return node


def name_of(node: ast.expr) -> str:
    """Return the name that stands here. Raises Unlowered for another form."""
    return form(node, ast.Name).id


def called(node: ast.Call) -> str:
    """Return the name of what is called; '' for a method."""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def sliced(node: ast.stmt) -> ast.Name | None:
    """Return the name of what is sliced in `s0 = value[0:c0]`; None for another statement."""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)):
        return None
    whole, slices = node.value.value, isinstance(node.value.slice, ast.Slice)
    return whole if slices and isinstance(whole, ast.Name) else None

"""What a field of a constructor may hold, read from its annotation.

Checked are `int`, `str`, `bool`, `tuple`, `list` and `Bag`, classes made by `@term`, and unions of
these; an index (`tuple[int, ...]`) is not looked into. A field with any other annotation holds
whatever a term can hold.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable
from typing import Any, Union, get_args, get_origin

Admitted = frozenset[Any]
"""Kinds ("int", "str", "bool", "seq", "bag") and identities of constructors."""

PLAIN = {
    "int": "int", "str": "str", "bool": "bool", "tuple": "seq", "Tuple": "seq", "list": "bag",
    "List": "bag", "Bag": "bag",
}  # fmt: skip
NOTHING: Admitted = frozenset()
WORDS = {
    "int": "a whole number", "str": "a text", "bool": "a truth value", "seq": "a sequence",
    "bag": "a nested bag", "constructor": "a constructor term",
}  # fmt: skip


def admitted(cls: type[Any], annotation: Any) -> Admitted | None:
    """Return what an annotation of a field of `cls` admits; None where it is not checked."""
    if isinstance(annotation, str):
        try:
            return _of_node(ast.parse(annotation, mode="eval").body, _lookup(cls))
        except SyntaxError:
            return None
    if annotation is None or annotation is type(None):
        return NOTHING  # None is not a term
    origin = get_origin(annotation)
    if origin is Union or isinstance(annotation, types.UnionType):
        return _union([admitted(cls, one) for one in get_args(annotation)])
    return _of_class(annotation if origin is None else origin)


def _of_class(given: Any) -> Admitted | None:
    if given in (int, str, bool, tuple, list):
        return frozenset({PLAIN[given.__name__]})
    if not isinstance(given, type):
        return None
    if hasattr(given, "term_identity"):
        return frozenset({given.term_identity()})
    return frozenset({"bag"}) if given.__name__ == "Bag" and hasattr(given, "term_key") else None


def _union(members: list[Admitted | None]) -> Admitted | None:
    known = [one for one in members if one is not None]
    return frozenset().union(*known) if len(known) == len(members) else None


def _of_node(node: ast.expr, lookup: Callable[[str], Admitted | None]) -> Admitted | None:
    """Return what an annotation given as text admits."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([_of_node(node.left, lookup), _of_node(node.right, lookup)])
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):  # a text within a text
            return _of_node(ast.parse(node.value, mode="eval").body, lookup)
        return NOTHING if node.value is None else None
    if isinstance(node, ast.Subscript):
        name = node.value.attr if isinstance(node.value, ast.Attribute) else None
        name = node.value.id if isinstance(node.value, ast.Name) else name
        if name in ("Union", "Optional"):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return _union([_of_node(part, lookup) for part in parts])
        return _of_node(node.value, lookup) if name in ("tuple", "list", "Tuple", "List") else None
    return lookup(node.id) if isinstance(node, ast.Name) else None


def _lookup(cls: type[Any]) -> Callable[[str], Admitted | None]:
    """Return what a name means in the module of a class.

    What stands inside a function cannot be seen from here, and may hide a name of the module.
    """
    module = sys.modules.get(cls.__module__)
    names = {} if module is None or "<locals>" in cls.__qualname__ else vars(module)

    def found(name: str) -> Admitted | None:
        if name == cls.__name__:
            return _of_class(cls)
        if name in names:
            return _of_class(names[name])
        return frozenset({PLAIN[name]}) if name in PLAIN else None

    return found


def annotation_text(annotation: Any) -> str:
    """Return an annotation as it is written."""
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if type(annotation) is type else str(annotation)

"""What a field of a constructor may hold, read from its annotation.

Checked are `int`, `str`, `bool`, `tuple`, `list` and `Bag`, classes made by `@term`, and unions of
these; type arguments (`tuple[int, ...]`) are ignored. A field with any other annotation may hold
any term.
"""

from __future__ import annotations

import sys
import types
import typing
from typing import Any, Union, get_args, get_origin, get_type_hints

from rewrite.language.order import Keyed

Admitted = frozenset[Any]
"""Kinds ("int", "str", "bool", "seq", "bag") and identities of constructors."""

KINDS = {int: "int", str: "str", bool: "bool", tuple: "seq", list: "bag"}
KNOWN = {**vars(typing), "typing": typing, "Bag": list}
"""The meaning of names in annotations that their module does not define."""
WORDS = {
    "int": "a whole number", "str": "a text", "bool": "a truth value", "seq": "a sequence",
    "bag": "a nested bag", "constructor": "a constructor term",
}  # fmt: skip


def admitted(cls: type[Any], annotation: Any) -> Admitted | None:
    """Return what an annotation of a field of `cls` admits; None if it is not checked."""
    if isinstance(annotation, str):
        annotation = _read(cls, annotation)
    if annotation is None or annotation is type(None):
        return frozenset()  # None is not a term
    origin = get_origin(annotation)
    if origin is Union or isinstance(annotation, types.UnionType):
        members = [admitted(cls, one) for one in get_args(annotation)]
        known = [one for one in members if one is not None]
        return frozenset().union(*known) if len(known) == len(members) else None
    found = annotation if origin is None else origin
    if not isinstance(found, type):
        return None
    if hasattr(found, "term_identity"):
        return frozenset({found.term_identity()})
    if issubclass(found, Keyed) and found.__name__ == "Bag":
        return frozenset({"bag"})
    return frozenset({KINDS[found]}) if found in KINDS else None


def _read(cls: type[Any], annotation: str) -> Any:
    """Evaluate the text of an annotation in the module of a class; Any if that fails.

    Names local to a function are out of reach here, and may hide a name of the module.
    """
    module = sys.modules.get(cls.__module__)
    names = {} if module is None or "<locals>" in cls.__qualname__ else vars(module)
    holder = type("Holder", (), {"__annotations__": {"field": annotation}})
    try:
        return get_type_hints(holder, KNOWN, {**names, cls.__name__: cls})["field"]
    except Exception:  # an undefined name, or not Python
        return Any


def annotation_text(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if type(annotation) is type else str(annotation)

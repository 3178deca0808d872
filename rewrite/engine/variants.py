"""Engines of the same states as another: run backwards, up to symmetry, or counting apart."""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

GENERATED = ("code", "successors", "weighted", "grow", "inverse")
"""What is generated from rules and counts, and so must be made again for a variant."""

E = TypeVar("E")


def variant(engine: E, **changes: Any) -> E:
    """Return an engine that differs in these attributes; what they do not touch is shared."""
    other = copy(engine)
    for name in GENERATED:
        other.__dict__.pop(name, None)
    for name, value in changes.items():
        setattr(other, name, value)
    return other

"""Emblems: a person, animals and things, each a few shapes in a square of 40."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rewrite.show.drawing.palette import Paint
from rewrite.show.drawing.tags import Markup, tag

EYES = "M12 19a2 2 0 1 0 4 0a2 2 0 1 0-4 0zM24 19a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"
SHAPES: dict[str, tuple[tuple[str, str], ...]] = {
    "person": (
        ("M20 15c-6 0-9 2-9 8v8h3.5v-7h1v15h4V29h1v10h4V24h1v7h3.5v-8c0-6-3-8-9-8z", ""),
        ("M14.5 8.5a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z", "#ecc09a"),
    ),
    "wolf": (
        ("M5 3l9 8q6-2 12 0l9-8l1 18q-1 5-6 8l-10 9l-10-9q-5-3-6-8z", ""),
        ("M20 38l-10-9q3-7 10-7t10 7z", "#eceef2"), (EYES, "#1b1b1f"),
        ("M17 33h6l-3 4z", "#1b1b1f"),
    ),
    "goat": (
        ("M15 13c-1-6-5-10-11-9c4 2 6 6 6 10zM25 13c1-6 5-10 11-9c-4 2-6 6-6 10z", "#8c6d46"),
        ("M12 15l-9 3q4 5 10 3zM28 15l9 3q-4 5-10 3z", "#d8cbb4"),
        ("M11 14q9-5 18 0l-3 14q-1 4-3 4q-1 7-3 7t-3-7q-2 0-3-4z", ""), (EYES, "#1b1b1f"),
        ("M17 28h6l-3 3z", "#1b1b1f"),
    ),
    "cabbage": (
        ("M20 38c-12 0-18-7-16-16q-2-8 6-11q3-8 10-5q7-3 10 5q8 3 6 11c2 9-4 16-16 16z", ""),
        ("M20 37q-13-6-11-16q3-9 11-11q8 2 11 11q2 10-11 16z", "#7fcf8e"),
        ("M20 36q-8-6-7-13q2-6 7-8q5 2 7 8q1 7-7 13z", "#c4ecb8"),
        ("M19.4 36V20h1.2v16zM20 32l-5-6l.8-.8l4.2 4.4l4.2-4.4l.8.8z", "#3c8f5a"),
    ),
    "torch": (
        ("M16 20h8l-2 18h-4z", "#7a4a1e"),
        ("M20 1c7 7 9 11 7 16c-2 5-12 5-14 0c-2-5 2-8 7-16z", ""),
        ("M20 10c4 4 4 9 0 9s-4-5 0-9z", "#fff3b0"),
    ),
}  # fmt: skip
"""The paths of each emblem, and their fills; "" is that of its paint."""


def _drawn(name: str, paint: Paint, text: str) -> Markup:
    paths = [tag("path", d=d, fill=fill or paint.fill) for d, fill in SHAPES[name]]
    return tag("g", *paths, class_="rw-edge", stroke_linejoin="round")


EMBLEMS: dict[str, Callable[[Paint, str], Markup]] = {
    name: partial(_drawn, name) for name in SHAPES
}

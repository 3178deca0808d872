"""How values look in a notebook and as a page: requested here, drawn by a higher layer.

`rewrite/__init__.py` names the module that draws; it is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_load: list[Callable[[], Any]] = []


def made_by(load: Callable[[], Any]) -> None:
    """Register a loader for the module with `notebook(value)`, `page(value)`, `animated(path)`."""
    _load[:] = [load]


def faces() -> Any:
    """Return the module that draws."""
    return _load[0]()


class Faced:
    """Something that a notebook can show."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows; if drawing fails, it says why."""
        html: str = faces().notebook(self)
        return html

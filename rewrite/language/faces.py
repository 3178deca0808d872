"""How values look in a notebook, and as a page: asked here, answered by the room that draws.

What an author writes and what a search gives back know nothing of drawings. They ask for a face,
and the public door of the package has said who makes it; that room is loaded when the first one
is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rewrite.errors import RewriteError


class Faces(Protocol):
    """Who makes faces."""

    def notebook(self, value: Any) -> str:
        """Return the HTML of a value in a notebook. Raises no RewriteError."""
        ...

    def page(self, value: Any) -> str:
        """Return the page of a path or a result."""
        ...

    def animated(self, value: Any) -> str:
        """Return the animated SVG of a path."""
        ...


_made_by: list[Callable[[], Faces]] = []


def made_by(load: Callable[[], Faces]) -> None:
    """Say who makes faces; it is called when one is asked for."""
    _made_by[:] = [load]


def faces() -> Faces:
    """Return who makes faces. Raises RewriteError where nobody has said who does."""
    if not _made_by:
        raise RewriteError("nothing here draws: faces are made once `import rewrite` has been run")
    return _made_by[0]()


class Faced:
    """What has a face in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows; what cannot be drawn is told there."""
        return faces().notebook(self)

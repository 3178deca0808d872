"""How values look in a notebook, and as a page: asked for here, drawn by a room above.

`rewrite/__init__.py` says which module draws; it is loaded when the first face is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrite.errors import RewriteError

_load: list[Callable[[], Any]] = []


def made_by(load: Callable[[], Any]) -> None:
    """Say how to load the module that has `notebook(value)`, `page(value)` and `animated(path)`."""
    _load[:] = [load]


def faces() -> Any:
    """Return the module that draws. Raises RewriteError where nobody has said which."""
    if not _load:
        raise RewriteError("nothing here draws: faces are made once `import rewrite` has been run")
    return _load[0]()


class Faced:
    """What has a face in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows; what cannot be drawn is told there."""
        html: str = faces().notebook(self)
        return html

"""`Picture`: what a view makes of a state, a text that can be drawn too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from rewrite.language.states import State

if TYPE_CHECKING:
    from rewrite.drawing.drawing import Drawing


class TwoFaced(Protocol):
    """What knows how to draw a state."""

    def drawing(self, state: State) -> Drawing:
        """Return the drawing of a state. Raises ViewError."""


class Picture(str):
    """The text of a state that can be drawn too; a `str` in every other way.

    A function that is given as `show=` may return what a view made of a state, or of another one.
    """

    view: TwoFaced
    state: State

    @classmethod
    def of(cls, text: str, view: TwoFaced, state: State) -> Picture:
        """Return the picture of a state: its text, and the view that draws it when it is asked."""
        made = cls(text)
        made.view, made.state = view, state
        return made

    def drawing(self) -> Drawing:
        """Return the drawing. Raises ViewError."""
        return self.view.drawing(self.state)

    def __reduce__(self) -> Any:
        return Picture.of, (str(self), self.view, self.state)

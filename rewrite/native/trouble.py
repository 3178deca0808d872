"""Why the core cannot go on; what a search does about it is decided there."""

from __future__ import annotations

from rewrite.compiler.interning import Ctor


class Unlowered(Exception):
    """A form of generated source that the core has no instructions for."""


class Unsupported(Exception):
    """Why the core cannot go on with a search that the Python engine can do."""


class NewCtor(Exception):
    """A constructor came up that the program does not know."""

    def __init__(self, ctor: Ctor) -> None:
        super().__init__(repr(ctor))
        self.ctor = ctor


class Failed(Exception):
    """Something failed in the core, in the state of that number (if it is known)."""

    def __init__(self, why: str, state: int | None) -> None:
        super().__init__(why)
        self.state = state

"""Why the core cannot go on; what a search does about it is decided there."""

from __future__ import annotations

from types import ModuleType, TracebackType
from typing import Any

from rewrite.errors import RewriteError


class Unlowered(Exception):
    """A form of generated source that the core has no instructions for."""


class Unsupported(Exception):
    """Why the core cannot go on with a search that the Python engine can do."""


class Failed(Exception):
    """Something failed in the core, in the state of that number (if it is known)."""

    def __init__(self, why: str, state: int | None) -> None:
        super().__init__(why)
        self.state = state

    def __reduce__(self) -> Any:
        return Failed, (str(self), self.state)


class Damaged(Exception):
    """A file of a checkpoint that is not as it was written: its name, where that is seen, what."""

    def __init__(self, file: str, offset: int, what: str) -> None:
        super().__init__(f"{file}, byte {offset:,}: {what}")
        self.told = file, offset, what

    def __reduce__(self) -> Any:
        return Damaged, self.told


class DiskFull(Exception):
    """The disk has no room for states that were to be put away."""


class Reported:
    """Turns a bug of the core, inside a `with`, into the error that says so.

    Where a program neither runs nor is loaded, the core has one other exception: of damaged files.
    """

    def __init__(self, core: ModuleType) -> None:
        self._panicked: type[Exception] = core.Panicked
        self._damaged: type[Exception] = core.Damaged

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: object, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, self._panicked):
            raise bug_in_the_core(error) from error
        if isinstance(error, self._damaged):
            raise Damaged(*error.args) from None


def bug_in_the_core(error: BaseException) -> RewriteError:
    """Return the error for what the core did not expect, of itself or of what it was handed."""
    return RewriteError(
        f"the native engine failed: {error}. This is a bug in rewrite; please report it with the "
        "puzzle. engine='python' goes around it"
    )

"""Why the core cannot go on; what a search does about it is decided there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType, TracebackType
from typing import Any

from rewrite.compiler.capacity import Capacity, NeedsCapacity
from rewrite.errors import CheckpointError, RewriteError


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


def _lost(why: str) -> RewriteError:
    return CheckpointError(
        f"states of this search stand in files that cannot be read any more: {why}"
    )


def _bug(why: str) -> RewriteError:
    return RewriteError(
        f"the native engine failed: {why}. This is a bug in rewrite; please report it with the "
        "puzzle. engine='python' goes around it"
    )


class Reported:
    """Turns exceptions of the core, inside a `with`, into those of the project.

    needed  from what the core says does not fit to the capacity that is needed
    """

    def __init__(
        self, core: ModuleType, needed: Callable[[str, Any], Capacity] | None = None
    ) -> None:
        self._kinds: dict[type[Exception], Callable[..., Exception]] = {
            core.Failed: Failed,
            core.Unsupported: Unsupported,
            core.Damaged: Damaged,
            core.Lost: _lost,
            core.Panicked: _bug,
        }
        if needed is not None:
            self._kinds[core.Changed] = lambda *what: NeedsCapacity(needed(*what))

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: object, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one, made in self._kinds.items():
            if isinstance(error, one):
                raise made(*error.args) from error

    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        with self:
            return function(*given)


class Guarded:
    """An object of the core, whose methods raise the exceptions of the project."""

    def __init__(self, held: Any, reported: Reported) -> None:
        self._held, self._reported = held, reported

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._reported.call, getattr(self._held, name))

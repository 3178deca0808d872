"""Why the core cannot continue; the search decides what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.errors import CheckpointError, RewriteError


class Unsupported(Exception):
    """Why the core cannot continue a search that the Python engine can do."""


class Failed(Exception):
    """Something failed in the core, in the state with that number (if known)."""

    def __init__(self, why: str, state: int | None) -> None:
        super().__init__(why)
        self.state = state

    def __reduce__(self) -> Any:
        return Failed, (str(self), self.state)


class Damaged(Exception):
    """A damaged file of a checkpoint: its name, if known, and the damage."""

    def __init__(self, file: str, offset: int, what: str) -> None:
        super().__init__(f"{file}, byte {offset:,}: {what}")
        self.told = file, offset, what

    def __reduce__(self) -> Any:
        return Damaged, self.told


class DiskFull(Exception):
    """The disk is too full for states to be spilled."""


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
    """`needed`: from what exceeds a capacity of the core to the capacity needed."""

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

    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        try:
            return function(*given)
        except tuple(self._kinds) as error:
            made = next(made for kind, made in self._kinds.items() if isinstance(error, kind))
            raise made(*error.args) from error


class Guarded:
    """An object of the core whose methods raise the exceptions of the project."""

    def __init__(self, held: Any, reported: Reported) -> None:
        self._held, self._reported = held, reported

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = partial(self._reported.call, getattr(self._held, name))
        setattr(self, name, method)  # next time it is found at once
        return method

"""SIGTERM during a checkpointed search: it is saved before the process ends as it would have."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Any

from rewrite.budget import stop


class Termination:
    """Within `with`, the first SIGTERM stops the search, and is delivered when the block ends.

    A second one is delivered at once, and so is one with nothing to stop, unless `waits` says that
    the search has ended and is being saved. Only the main thread receives signals: elsewhere this
    does nothing.
    """

    def __init__(self) -> None:
        self.waits = False
        self._before: Any = None
        self._listens = self._asked = False

    def __enter__(self) -> Termination:
        self.waits = self._asked = False
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGTERM, self._on_signal)
            self._listens = True
        return self

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._asked or not (stop() or self.waits):
            self._end()
        self._asked = True

    def _end(self) -> None:
        self._restore()
        os.kill(os.getpid(), signal.SIGTERM)

    def _restore(self) -> None:
        if self._listens:
            # None: the previous handler was not set from Python, and cannot be restored from here
            before = signal.SIG_DFL if self._before is None else self._before
            signal.signal(signal.SIGTERM, before)
            self._listens = False

    def __exit__(self, *error: object) -> None:
        if self._listens and self._asked:
            self._end()
        self._restore()

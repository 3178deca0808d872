"""Ctrl-C during a search: the first asks the loop to stop, a second raises KeyboardInterrupt."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """Catches SIGINT while active, in the main thread only; elsewhere it does nothing."""

    def __init__(self) -> None:
        self.asked = False
        self._caught = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        self.asked = False
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_signal)
            self._caught = True
        return self

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._caught:
            # None: the handler before was not set from Python, and cannot be set from here
            before = signal.default_int_handler if self._before is None else self._before
            signal.signal(signal.SIGINT, before)
            self._caught = False

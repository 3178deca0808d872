"""Ctrl-C while the command is still being loaded: it ends quietly, as at any other time.

Loading takes some tenths of a second, in which Python would print where in which import it was.
`rewrite/__init__.py` imports this file before anything else, and `rewrite.cli.main` calls `ready`
once it can say what was interrupted. In a program that imports rewrite nothing happens.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

KILLED = 130
"""128 + the number of the signal, as a shell reports it."""


def is_command() -> bool:
    """Return whether this process is the command: `rewrite` or `python -m rewrite`."""
    words = sys.orig_argv[1:]
    if "-m" in words:
        return words[words.index("-m") + 1 :][:1] == ["rewrite"]
    return os.path.splitext(os.path.basename(sys.argv[0]))[0] == "rewrite"  # noqa: PTH119, PTH122


def _end(number: int, frame: FrameType | None) -> None:
    os.write(2, b"interrupted\n")
    os._exit(KILLED)  # not by an exception: imports would be left half-done, and printed


def begin() -> None:
    """Let Ctrl-C end the process at once, if it is the command."""
    main = threading.current_thread() is threading.main_thread()
    if main and is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def ready() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again: somebody is there who catches it."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


begin()

"""A process that answers requests, line by line, and may be ended at any time."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from json import dumps, loads
from threading import Lock, Thread

from rewrite.play.table import Table

MOST_AT_ONCE = 16
SPARE = 2 << 30
"""Bytes of address space beyond those of a search: threads and libraries reserve much of it."""


def answer_lines(table: Table) -> None:
    """Answer the requests that stdin brings, on stdout, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    _limit_memory(table.bounds.max_memory)
    requests, answers, lock = sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8"), Lock()
    os.dup2(2, 1)  # what a puzzle prints is no answer
    Thread(target=table.sweep, daemon=True).start()

    def answer(line: str) -> None:
        number, name, given = loads(line)
        text = dumps([number, *table.answered(name, given)])
        with lock, suppress(OSError):
            answers.write(f"{text}\n")
            answers.flush()

    answers.write("[0, 200, {}]\n")  # ready
    answers.flush()
    with ThreadPoolExecutor(MOST_AT_ONCE) as workers:
        for line in requests:
            workers.submit(answer, line)
        os._exit(0)  # without waiting for what nobody will read


def _limit_memory(most: int | None) -> None:
    """Let a request that asks for too much memory fail, rather than the machine."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if most is not None and (hard == resource.RLIM_INFINITY or most + SPARE < hard):
            resource.setrlimit(resource.RLIMIT_AS, (most + SPARE, hard))

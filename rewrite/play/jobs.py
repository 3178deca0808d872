"""Background searches: few at once, polled, and cancelled when nobody polls any more."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from secrets import token_hex
from typing import Any

from rewrite.budget import Stopper
from rewrite.errors import RewriteError, described
from rewrite.play.refused import Refused
from rewrite.search.drivers.interface import Progress

Answer = dict[str, Any]
Work = Callable[["Job"], Answer]

MOST_RUNNING, MOST_WAITING = 2, 6
MOST_KEPT = 100
"""The most finished jobs whose answers are kept."""
PATIENCE = 10.0
"""Seconds without polling after which a job is cancelled."""


class Job:
    """A piece of work in its own thread. `state`: waiting, running, done."""

    def __init__(self, work: Work) -> None:
        self.name = token_hex(8)
        self.work = work
        self.asked = self._began = time.monotonic()
        """When it was last polled."""
        self.state = "waiting"
        self.answer: Answer = {}
        self.stopper = Stopper()
        self.finished = threading.Event()
        self._states = self._depth = 0

    def progress(self, seen: Progress) -> None:
        self._states, self._depth = seen.states, seen.depth

    def run(self) -> None:
        try:
            with self.stopper:
                self.answer = self.work(self)
        except RewriteError as error:
            self.answer = {"status": "error", "text": error.message}
        except KeyboardInterrupt:
            self.answer = {"status": "interrupted", "text": "interrupted"}
        except BaseException as error:  # from a user function, which may even raise SystemExit
            self.answer = {"status": "error", "text": described(error)}

    def to_json(self, seconds: float = 0.0) -> dict[str, Any]:
        self.finished.wait(seconds)
        facts: dict[str, Any] = {"job": self.name, "state": self.state}
        if self.state == "done":
            return facts | {"answer": self.answer}
        seconds = time.monotonic() - self._began
        return facts | {"seconds": seconds, "states": self._states, "depth": self._depth}


class Jobs:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}  # in the order of their start
        self.over = threading.Event()

    def start(self, work: Work) -> Job:
        job = Job(work)
        with self._lock:
            if len(self._all("waiting")) >= MOST_WAITING:
                raise Refused(
                    503,
                    f"search: {MOST_RUNNING} searches run and {MOST_WAITING} wait already; "
                    "cancel one, or try again in a moment",
                )
            self._jobs[job.name] = job
            self._begin_waiting()
        return job

    def asked(self, name: str) -> Job | None:
        job = self._jobs.get(name)
        if job is not None:
            job.asked = time.monotonic()
        return job

    def cancel(self, name: str) -> Job | None:
        """Cancel a job by its name; a waiting job never starts."""
        if job := self.asked(name):
            self._cancel(job)
        return job

    def sweep(self) -> None:
        self._cancel_before(time.monotonic() - PATIENCE)

    def end(self) -> None:
        self.over.set()
        self._cancel_before(math.inf)

    def _all(self, *states: str) -> list[Job]:
        return [job for job in self._jobs.values() if job.state in states]

    def _cancel_before(self, late: float) -> None:
        with self._lock:
            left = [job for job in self._all("waiting", "running") if job.asked < late]
        for job in left:
            self._cancel(job)

    def _cancel(self, job: Job) -> None:
        with self._lock:
            if job.state == "waiting":
                job.answer = {"status": "interrupted", "text": "cancelled"}
                self._finish(job)
        job.stopper.stop()

    def _begin_waiting(self) -> None:
        """Start waiting jobs while there are free slots; the caller holds the lock."""
        for job in self._all("waiting")[: MOST_RUNNING - len(self._all("running"))]:
            job.state = "running"
            # daemon: these threads must not keep the process alive
            threading.Thread(target=self._run, args=(job,), daemon=True).start()

    def _run(self, job: Job) -> None:
        job.run()
        with self._lock:
            self._finish(job)
            self._begin_waiting()

    def _finish(self, job: Job) -> None:
        job.state = "done"
        del job.work  # it refers to the position
        job.finished.set()
        for old in self._all("done")[:-MOST_KEPT]:
            del self._jobs[old.name]

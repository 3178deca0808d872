"""Who answers requests: threads of this process, or processes that are ended if they take long."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from json import dumps, loads
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from rewrite.play.table import Facts, Table

MOST_AT_ONCE = 16
"""The most requests handled at once in threads; others wait."""
MOST_WORKERS = 3
"""The most processes, beside the one that is kept ready: the least recently used is ended."""
LONGEST_LINE = 1 << 26
PATIENCE = 5
"""How many times longer an answer may take on a machine that is busy with other things."""
QUICK = ("job", "cancel", "puzzles")
"""Requests that are not slow: equal ones are not joined."""
Answer = tuple[int, Facts]


class Threads:
    """Answers in threads of this process; equal requests once: a reloaded page waits on."""

    def __init__(self, table: Table) -> None:
        self._table, self._limiter = table, anyio.CapacityLimiter(MOST_AT_ONCE)
        self._working: dict[str, asyncio.Task[Answer]] = {}

    def begin(self) -> None:
        threading.Thread(target=self._table.sweep, daemon=True).start()

    async def answer(self, name: str, given: Facts) -> Answer:
        if name in QUICK:
            return await self._answer(name, given)
        key = f"{name} {dumps(given, sort_keys=True)}"
        task = self._working.get(key)
        if task is None:
            task = self._working[key] = asyncio.ensure_future(self._answer(name, given))
            task.add_done_callback(lambda _: self._working.pop(key))
        return await asyncio.shield(task)

    async def _answer(self, name: str, given: Facts) -> Answer:
        asked = self._table.answered
        return await anyio.to_thread.run_sync(asked, name, given, limiter=self._limiter)

    async def end(self) -> None:
        self._table.jobs.end()


class Lost(Exception):
    """Raised where a process ends before its answer."""


def _spent(pid: int) -> float:
    """Return the seconds of processor time of a process; if unknown, those that have passed."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class _Process:
    def __init__(self, command: Sequence[str]) -> None:
        self.jobs: set[str] = set()
        self._ready: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._ready.add_done_callback(lambda ready: ready.exception())  # nobody may wait for it
        self._number, self._open = 0, {0: self._ready}
        self._running = asyncio.ensure_future(self._run(command))

    async def _run(self, command: Sequence[str]) -> None:
        """Start the process and hand out its answers, until it ends or this is cancelled."""
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, limit=LONGEST_LINE
            )
            assert self._process.stdout is not None
            try:
                async for line in self._process.stdout:
                    number, status, facts = loads(line)
                    if (waiting := self._open.pop(number, None)) and not waiting.done():
                        waiting.set_result((status, facts))
            finally:
                with suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
        except (OSError, ValueError):  # ValueError: half a line, where it was ended in the middle
            pass
        finally:
            for waiting in self._open.values():
                if not waiting.done():
                    waiting.set_exception(Lost())

    @property
    def over(self) -> bool:
        return self._running.done()

    async def ask(self, name: str, given: Facts, seconds: float) -> Answer:
        """Return its answer. Raises TimeoutError, and Lost where it has ended."""
        await asyncio.wait_for(asyncio.shield(self._ready), PATIENCE * seconds)
        if self.over:
            raise Lost
        process = self._process
        assert process.stdin is not None
        self._number += 1
        waiting = self._open[self._number] = asyncio.get_running_loop().create_future()
        process.stdin.write(f"{dumps([self._number, name, given])}\n".encode())
        began, spent = time.monotonic(), _spent(process.pid)
        while True:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(waiting), seconds)
            late = time.monotonic() - began > PATIENCE * seconds
            if late or _spent(process.pid) - spent >= seconds / 2:
                raise TimeoutError

    async def end(self) -> None:
        self._running.cancel()
        await asyncio.wait([self._running])


class Processes(Threads):
    """Gives each instance of a puzzle a process of its own, which is ended if it takes too long.

    So a link that asks for too much harms only itself. One process is always ready for the next
    instance. What needs no instance is answered here.

    command  starts a process that answers; see `worker`
    seconds  of one answer
    """

    def __init__(self, table: Table, command: Sequence[str], seconds: float) -> None:
        super().__init__(table)
        self._command, self._seconds = command, seconds
        self._busy: dict[str, _Process] = {}  # the least recently used first

    def begin(self) -> None:
        self._ready = _Process(self._command)

    async def _answer(self, name: str, given: Facts) -> Answer:
        key = self._key(name, given)
        if key is None:
            return await super()._answer(name, given)
        why = "ended the process that works on it"
        for _ in range(2):  # a process may also have been ended to make room
            worker = await self._worker(key)
            try:
                status, facts = await worker.ask(name, given, self._seconds)
            except TimeoutError:
                await self._drop(key, worker)
                why = f"takes longer than the {self._seconds:g} s of --answer-seconds"
                break
            except (Lost, OSError):
                await self._drop(key, worker)
            else:
                worker.jobs |= {facts["job"]} if "job" in facts else set()
                return status, facts
        text = f"{name}: this instance {why}. Choose a smaller one, by other words"
        return 503, {"error": text}

    def _key(self, name: str, given: Facts) -> str | None:
        """Return what requests for one process have in common; None if they need none."""
        if name in QUICK:
            asked = given.get("job")
            at_work = (key for key, worker in self._busy.items() if asked in worker.jobs)
            return next(at_work, None) if isinstance(asked, str) else None
        game: Any = given.get("game")
        parts = [game.get(part) for part in "pws"] if isinstance(game, dict) else []
        return dumps(parts, sort_keys=True) if parts and isinstance(parts[0], str) else None

    async def _worker(self, key: str) -> _Process:
        found = self._busy.pop(key, None)
        if found is None or found.over:
            found = _Process(self._command) if self._ready.over else self._ready
            self._ready = _Process(self._command)
        self._busy[key] = found
        while len(self._busy) > MOST_WORKERS:
            oldest = next(iter(self._busy))
            await self._drop(oldest, self._busy[oldest])
        return found

    async def _drop(self, key: str, worker: _Process) -> None:
        if self._busy.get(key) is worker:
            del self._busy[key]
        await worker.end()

    async def end(self) -> None:
        await asyncio.gather(*(worker.end() for worker in (*self._busy.values(), self._ready)))

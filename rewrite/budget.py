"""How long a call may run: a deadline, a memory limit, and Ctrl-C, checked in one place.

Every public call that may run long opens one `Budget`. Loops below it, in any module, call `tick()`
regularly; once a limit is reached, that raises `Stopped`, which the call turns into a partial
result. `Stopped` never escapes the `with` of the budget, and is raised only within it. The budget
is not passed as an argument, because much of the slow work is computed lazily, far from the call.

The first Ctrl-C stops at the next tick; a second one raises KeyboardInterrupt at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from mmap import mmap
from types import FrameType, TracebackType
from typing import Any, NamedTuple, TypeVar

from rewrite.errors import SearchError

T = TypeVar("T")

BETWEEN_LOOKS = 500
"""Ticks between two looks at the clock. A tick is some microseconds of work, so small calls finish
under any limit, and deterministically."""
LOOKS_A_MEASUREMENT = 4
"""Looks at the clock for each look at the memory, which costs some 10 µs."""
MODULES = 16 << 20
"""Uncounted bytes that compiling may use: parts of this library are loaded when first needed."""
COMING_AND_GOING = 64 << 10
"""Growth of the process between two calls of a search that still counts, in bytes: entering and
leaving a call touches pages, once per answer if answers are requested one by one. Larger growth is
the caller's."""
LARGE_TABLE = 1 << 20
"""Bytes from which a dict or set has its growth checked beforehand."""
FOREVER = 1e9
"""Seconds; anything longer counts as no limit. Clocks cannot represent much more."""


class Stopped(BaseException):
    """Ends unfinished work. `why`: the limit's name, or "interrupted".

    A BaseException, to pass through code that catches any failure of a user function (`except
    Exception`). It never escapes the `with` of its budget, and so no public call, except a call
    that a user function makes within another one: then it ends the outer call.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Used(NamedTuple):
    """What the calls of a search have used so far.

    uncounted  bytes that may still be left out of the count: see `Budget.forgive`
    process    bytes the process held at that time; None if unknown to the next call
    """

    seconds: float = 0.0
    memory: int = 0
    uncounted: int = MODULES
    process: int | None = None


class Budget:
    """What one public call may use; active within `with`.

    max_seconds, max_memory  None for no limit; memory in bytes by which the process grows
    before                   what earlier calls of the same search used

    `asked` says whether Ctrl-C was pressed; only the main thread receives it.
    """

    def __init__(
        self,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        before: Used = Used(),  # noqa: B008 (it is frozen)
    ) -> None:
        self.max_seconds = None if max_seconds is None else min(max_seconds, FOREVER)
        self.max_memory = max_memory
        self.began = time.perf_counter() - before.seconds
        now = memory_in_use()
        self.base = now - before.memory
        if before.process is not None and abs(between := now - before.process) <= COMING_AND_GOING:
            self.base -= between
        self.uncounted = before.uncounted
        self.asked = False
        self.doing = ""
        """The slow work under way, in words: "compiling the rules"."""
        self._left, self._looks = BETWEEN_LOOKS, 0
        self._before: Any = None
        self._catches = False
        self._token: Token[Budget | None] | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the call began, plus those of earlier calls."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float | None:
        """Seconds left, 0 or less if none; None: no limit."""
        return None if self.max_seconds is None else self.max_seconds - self.seconds

    @property
    def memory(self) -> int:
        """Bytes by which the process has grown since the call began."""
        return memory_in_use() - self.base

    @property
    def used(self) -> Used:
        """What has been used until now, including earlier calls."""
        process = memory_in_use()
        return Used(self.seconds, max(0, process - self.base), self.uncounted, process)

    def forgive(self, before: int = 0) -> None:
        """Stop counting what compiling used since `memory` was `before`, up to the allowance."""
        used = min(self.memory - before, self.uncounted)
        if used > 0:
            self.base += used
            self.uncounted -= used

    def late(self) -> bool:
        return self.max_seconds is not None and self.seconds >= self.max_seconds

    def full(self, more: int = 0) -> bool:
        """Return whether the memory is used up, or would be with `more` bytes."""
        return self.max_memory is not None and self.memory + more >= self.max_memory

    def reached(self) -> str:
        """Return what stops the call now: a limit's name, "interrupted", or "" to go on."""
        if self.asked:
            return "interrupted"
        if self.late():
            return "max_seconds"
        return "max_memory" if self.full() else ""

    def tick(self, work: int) -> None:
        """Count work; after enough of it, check the limits. Raises Stopped."""
        self._left -= work
        if self._left > 0:
            return
        self._left = BETWEEN_LOOKS
        self._looks += 1
        if self.asked or self.late():
            raise Stopped(self.reached())
        if not self._looks % LOOKS_A_MEASUREMENT and self.full():
            raise Stopped("max_memory")

    def look(self, more: int = 0) -> None:
        """Check the limits now. Raises Stopped.

        more  bytes about to be allocated at once
        """
        if why := self.reached():
            raise Stopped(why)
        if more and self.full(more):
            raise Stopped("max_memory")

    # -- Ctrl-C ----------------------------------------------------------------------------
    def __enter__(self) -> Budget:
        # the handler comes first and goes last: a Ctrl-C beside it leaves nothing behind
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_signal)
            self._catches = True
        outer = _CURRENT.get()
        if outer is not None and outer.asked:
            self.stop()
        self._token = _CURRENT.set(self)
        if (stopper := _STOPPER.get()) is not None:
            stopper.opened(self)
        return self

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.stop()

    def stop(self) -> None:
        """Ask to stop, as Ctrl-C does."""
        self.asked, self._left = True, 0

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if (stopper := _STOPPER.get()) is not None:
            stopper.closed(self)
        if self._token is not None:
            _CURRENT.reset(self._token)
            self._token = None
        if self._catches:
            # None: the previous handler was not set from Python, and cannot be restored from here
            before = signal.default_int_handler if self._before is None else self._before
            self._catches = False
            signal.signal(signal.SIGINT, before)
        if self.asked and (outer := _CURRENT.get()) is not None:
            outer.stop()
        if isinstance(error, Stopped):
            raise self._without_result(error.why) from None

    def _without_result(self, why: str) -> BaseException:
        if why == "interrupted":
            return KeyboardInterrupt()
        limit = getattr(self, why)
        doing = f" while {self.doing}" if self.doing else ""
        return SearchError(
            f"{why}={limit:,} was reached{doing}, before there was anything to give back; give "
            "more, or None for no limit",
            limit=why,
            limit_value=limit,
        )


class Stopper:
    """Stops the calls made within it, as Ctrl-C does, from any thread.

    Only the main thread receives Ctrl-C; this stops calls in other threads. Calls that begin
    afterwards end at their first check.

    >>> stopper = Stopper()
    >>> stopper.stop()  # by another thread, say
    >>> with stopper, Budget() as budget:
    ...     budget.reached()
    'interrupted'
    """

    def __init__(self) -> None:
        self.asked = False
        self._open: list[Budget] = []
        self._token: Token[Stopper | None] | None = None

    def stop(self) -> None:
        """Stop the calls under way, and all later ones."""
        self.asked = True  # first: a call just being opened either reads it or is in the list
        for budget in [*self._open]:
            budget.stop()

    def opened(self, budget: Budget) -> None:
        self._open.append(budget)
        if self.asked:
            budget.stop()

    def closed(self, budget: Budget) -> None:
        self._open.remove(budget)

    def __enter__(self) -> Stopper:
        self._token = _STOPPER.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _STOPPER.reset(self._token)
            self._token = None


_STOPPER: ContextVar[Stopper | None] = ContextVar("rewrite_stopper", default=None)
_CURRENT: ContextVar[Budget | None] = ContextVar("rewrite_budget", default=None)
_THREADS: ContextVar[int] = ContextVar("rewrite_threads", default=1)


def tick(work: int = 1) -> None:
    """Report some microseconds of work. Raises Stopped if the call must end.

    work  more for longer work; BETWEEN_LOOKS or more looks at the clock at once
    """
    budget = _CURRENT.get()
    if budget is not None:
        budget.tick(work)


@contextmanager
def sharing(threads: int) -> Iterator[None]:
    """Let the core use so many threads for what is prepared within."""
    token = _THREADS.set(threads)
    try:
        yield
    finally:
        _THREADS.reset(token)


def threads() -> int:
    """Return how many threads the core may use for what is prepared."""
    return _THREADS.get()


def ticking(given: Iterable[T], work: int = 1) -> Iterator[T]:
    """Yield each item, with a tick before it."""
    for one in given:
        tick(work)
        yield one


def doing(what: str) -> None:
    """Name the slow work that begins here; if a limit stops it, the message names it."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.doing = what


def stop() -> bool:
    """Stop the call under way, as Ctrl-C does; return whether there is one."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.stop()
    return budget is not None


def memory_in_use() -> int:
    """Return the bytes of memory this process holds now (if unknown: its peak).

    Pages of mapped files do not count: the system can reclaim them at any time.
    """
    try:  # without a file object, which would double the time
        file = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            _, resident, of_files, *_ = os.read(file, 200).split()
        finally:
            os.close(file)
        return (int(resident) - int(of_files)) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        import resource  # not on every system, but where it is missing there is /proc

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def growth(tables: Iterable[dict[Any, Any] | set[Any]], more: int) -> int:
    """Return the bytes by which Python tables grow, for a moment, when `more` entries are added.

    A full table is copied into one of twice the size, and only then freed. A dict uses 20 bytes per
    slot and fills two of three slots; a set uses 16, and fills three of five.
    """
    copied = largest = 0
    for table in tables:
        size = sys.getsizeof(table)
        by_entry = 30 if isinstance(table, dict) else 27
        if size >= LARGE_TABLE and len(table) + more > size // by_entry:
            copied += size
            largest = max(largest, size)
    return copied + largest


class Spare:
    """Memory set aside for the work that remains when no other is left.

    Its pages are never touched: creating it takes no time and evicts nothing from the caches.
    """

    SIZE = 1 << 20

    def __init__(self) -> None:
        try:
            self._held = mmap(-1, self.SIZE)
        except OSError as error:
            raise MemoryError from error

    def give_back(self) -> None:
        """Free the memory; may be called again."""
        self._held.close()

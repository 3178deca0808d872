"""How long a call may go on: a deadline, a ceiling of memory, and Ctrl-C, looked at in one place.

Every public call that may take long opens one `Budget`. Whatever is looped below it, in any room,
says `tick()` now and then; where a limit is reached, that raises `Stopped`, which the call turns
into a result with what there is. What it does not turn into one never gets past the `with` of the
budget: that is the one door of all calls, and only within it can anything be stopped. Nothing has
to be handed down: much of what takes long is computed when it is first asked for, far from there.

The first Ctrl-C asks to stop at the next tick, a second one raises KeyboardInterrupt at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar, Token
from mmap import mmap
from types import FrameType, TracebackType
from typing import Any, NamedTuple, TypeVar

from rewrite.errors import SearchError

T = TypeVar("T")

BETWEEN_LOOKS = 500
"""Ticks between two looks at the clock. A tick stands for some microseconds of work, so what is
small ends under any limit, and always in the same way."""
LOOKS_A_MEASUREMENT = 4
"""Looks at the clock between two looks at the memory, which take some 10 µs each."""
MODULES = 16 << 20
"""Bytes that compiling may take uncounted: parts of this library are loaded when first needed."""
LARGE_TABLE = 1 << 20
"""Bytes of a dict or set whose growing is asked for before."""
FOREVER = 1e9
"""Seconds: more counts as no limit. Clocks cannot add up much more."""


class Stopped(BaseException):
    """Ends work that is not finished. `why`: the limit's name, or "interrupted".

    It must come through code that survives any failure of a user function (`except Exception`), so
    it is none of these. It never gets past the `with` of its budget, and so never out of a public
    call, unless that was made by a user function within another one: then it ends the outer call.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Used(NamedTuple):
    """What the calls of a search used so far.

    uncounted  bytes of it that may yet be left out: see `Budget.forgive`
    """

    seconds: float = 0.0
    memory: int = 0
    uncounted: int = MODULES


class Budget:
    """What one public call may use; active within `with`.

    max_seconds, max_memory  None for no limit; memory in bytes, as the growth of the process
    before                   what earlier calls of the same search used

    `asked` says whether Ctrl-C was pressed; only the main thread hears of it.
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
        self.base = memory_in_use() - before.memory
        self.uncounted = before.uncounted
        self.asked = False
        self.doing = ""
        """What takes long just now, in words: "compiling the rules"."""
        self._left, self._looks = BETWEEN_LOOKS, 0
        self._before: Any = None
        self._catches = False
        self._token: Token[Budget | None] | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the call began, and those of earlier calls."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float | None:
        """Seconds that are left, 0 or less where there are none; None: no limit."""
        return None if self.max_seconds is None else self.max_seconds - self.seconds

    @property
    def memory(self) -> int:
        """Bytes by which the process has grown since the call began."""
        return memory_in_use() - self.base

    @property
    def used(self) -> Used:
        """What was used until now, by earlier calls too."""
        return Used(self.seconds, max(0, self.memory), self.uncounted)

    def forgive(self, before: int = 0) -> None:
        """Leave out of the count what compiling used since `memory` was `before`, if not much."""
        used = min(self.memory - before, self.uncounted)
        if used > 0:
            self.base += used
            self.uncounted -= used

    def late(self) -> bool:
        """Return whether the time is up."""
        return self.max_seconds is not None and self.seconds >= self.max_seconds

    def full(self, more: int = 0) -> bool:
        """Return whether the memory is used up, or would be by so many bytes more."""
        return self.max_memory is not None and self.memory + more >= self.max_memory

    def reached(self) -> str:
        """Return what stops the call now: a limit's name, "interrupted", or "" to go on."""
        if self.asked:
            return "interrupted"
        if self.late():
            return "max_seconds"
        return "max_memory" if self.full() else ""

    def tick(self, work: int) -> None:
        """Count work; look whether to stop after enough of it. Raises Stopped."""
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
        """Look whether to stop, at once. Raises Stopped.

        more  bytes that will be asked for next, all at once
        """
        if why := self.reached():
            raise Stopped(why)
        if more and self.full(more):
            raise Stopped("max_memory")

    # -- Ctrl-C ----------------------------------------------------------------------------
    def __enter__(self) -> Budget:
        outer = _CURRENT.get()
        if outer is not None and outer.asked:
            self.stop()
        self._token = _CURRENT.set(self)
        if (stopper := _STOPPER.get()) is not None:
            stopper.opened(self)
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_signal)
            self._catches = True
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
        if self._catches:
            # None: the handler before was not set from Python, and cannot be set from here
            before = signal.default_int_handler if self._before is None else self._before
            signal.signal(signal.SIGINT, before)
            self._catches = False
        if (stopper := _STOPPER.get()) is not None:
            stopper.closed(self)
        if self._token is not None:
            _CURRENT.reset(self._token)
            self._token = None
        if self.asked and (outer := _CURRENT.get()) is not None:
            outer.stop()
        if isinstance(error, Stopped):
            raise self._without_result(error.why) from None

    def _without_result(self, why: str) -> BaseException:
        """Return what a call raises that was stopped and has nothing to give back."""
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
    """Asks the calls that are made within it to stop, as Ctrl-C does, from any thread.

    Ctrl-C is heard in the main thread alone; this is how what runs in another one is stopped. Calls
    that begin afterwards end at their first look.

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
        """Ask what is under way, and whatever comes after it, to stop."""
        self.asked = True  # first: a call that is just being opened reads it, or is in the list
        for budget in [*self._open]:
            budget.stop()

    def opened(self, budget: Budget) -> None:
        """Take note of a call that begins."""
        self._open.append(budget)
        if self.asked:
            budget.stop()

    def closed(self, budget: Budget) -> None:
        """Take note of a call that ends."""
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


def tick(work: int = 1) -> None:
    """Say that some microseconds of work were done. Raises Stopped where the call must end.

    work  more for what takes longer; BETWEEN_LOOKS and more looks at the clock at once
    """
    budget = _CURRENT.get()
    if budget is not None:
        budget.tick(work)


def ask_for(memory: int) -> None:
    """Say how many bytes will be asked for next, all at once. Raises Stopped if they do not fit."""
    budget = _CURRENT.get()
    if budget is not None and budget.full(memory):
        raise Stopped("max_memory")


def ticking(given: Iterable[T], work: int = 1) -> Iterator[T]:
    """Yield what is given, with a tick before each."""
    for one in given:
        tick(work)
        yield one


def doing(what: str) -> None:
    """Say what takes long from here on; a note names it if a limit stops it."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.doing = what


def stop() -> bool:
    """Ask the call under way to stop, as Ctrl-C does; return whether there is one."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.stop()
    return budget is not None


def memory_in_use() -> int:
    """Return the bytes of memory this process holds now (where that is unknown: held at most).

    Pages of files are not among them: the system can take those back at any time.
    """
    try:  # without a file object, which takes as long again
        file = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            _, resident, of_files, *_ = os.read(file, 200).split()
        finally:
            os.close(file)
        return (int(resident) - int(of_files)) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        import resource  # not on every system; there is /proc or this

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def growth(tables: Iterable[dict[Any, Any] | set[Any]], more: int) -> int:
    """Return the bytes by which tables of Python grow at once, for a moment, with `more` entries.

    One that is full is copied into another of twice the size, and given back only then. A dict
    takes 20 bytes a place and fills two of three places; a set takes 16, and fills three of five.
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
    """Memory that is set aside, so that what has to be done where none is left has some.

    Pages that nobody touches: to make it takes no time, and caches keep what they hold.
    """

    SIZE = 1 << 20

    def __init__(self) -> None:
        try:
            self._held = mmap(-1, self.SIZE)
        except OSError as error:
            raise MemoryError from error

    def give_back(self) -> None:
        """Make the memory free for others; may be called again."""
        self._held.close()

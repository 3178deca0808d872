"""`distances`: how far all states are from a start, if possible in a table without states.

If a puzzle's states can be numbered without gaps (analysis.ranking), the native engine keeps a few
bits per number. Otherwise, and in Python, it is an ordinary breadth-first search.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rewrite.analysis.fields import numbers, packed
from rewrite.budget import Budget, Stopped, memory_in_use
from rewrite.certificates.write import Evidence, Target
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.counts import Code
from rewrite.engine.interface import Engine, Reasoning
from rewrite.errors import SearchError, tells_unknown_names, warn
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.spaces import Distances
from rewrite.search.arguments import whole_space
from rewrite.search.certified import by_levels, codes_of, target_of, written
from rewrite.search.drivers.core import CoreRecord
from rewrite.search.drivers.interface import Driver, Progress, Watch
from rewrite.search.drivers.python import Record
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.twin import original, to_twin, twin

if TYPE_CHECKING:
    from rewrite.analysis.ranking import Ranking
    from rewrite.native.ranking import RankedTable
    from rewrite.search.checkpointing import Checkpointer

MOST_BYTES = 1 << 30
"""The largest table without max_memory."""


@tells_unknown_names(SearchError, "distances")
def distances(
    puzzle: Puzzle,
    start: Any = None,
    *,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | str | None = None,
    progress: Callable[[Progress], Any] | None = None,
    threads: int | None = None,
    engine: str = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    certificate: str | os.PathLike[str] | None = None,
) -> Distances:
    """Return the least number of steps from the start to every reachable state.

    Each step counts one, whatever its cost. The limits are those of `search`, including compiling;
    if one is reached, or at Ctrl-C, the result has the levels completed by then.

    If states are slots that exchange distinct values, or hold few values each, and nothing is
    forbidden by `never`, no state is stored: the native engine keeps two or three bits for each (a
    byte if some step is irreversible), if filling the table needs no more than max_memory, or by
    default if the table needs no more than 1 GiB. Otherwise all states are stored;
    `explain(puzzle)` and `.encoding` of the result say which. Two bits are filled in by all
    `threads`, any other table by one.

    checkpoint   a folder in which the table is saved, as `search` saves a search; if filling it
                 needs more than max_memory, the table is a file there, mapped into memory
    certificate  a file to which evidence for all distances is written: see
                 `docs/reference/certificates.md`; all states are then stored. A note says what
                 became of it
    """
    asked = whole_space(
        "distances", puzzle, start, None, max_depth=max_depth, max_states=max_states,
        max_seconds=max_seconds, max_memory=max_memory, progress=progress, threads=threads,
        engine=engine, symmetry="none",
    ).without_goal()  # fmt: skip
    target = None if certificate is None else target_of(certificate)
    if checkpoint is None:
        return _found(twin(asked, by_place=target is None), None, target)
    if target is not None:
        raise SearchError("distances(…): leave checkpoint= or certificate= out")
    from rewrite.search.checkpointing import Checkpointer, writer_for  # few calls use it

    checkpointer = Checkpointer(writer_for(asked, checkpoint, "distances"))
    with checkpointer.working():
        return _found(twin(asked), checkpointer)


def _found(
    asked: Question, checkpointer: Checkpointer | None, target: Target | None = None
) -> Distances:
    with asked.limits.budget() as budget:
        made = None
        try:
            by_table = checkpointer is None or checkpointer.form != "states"
            if asked.engine == "native" and by_table and target is None:
                made = numbered(asked, budget, checkpointer)
        except Stopped as stopped:
            return _description(asked, None, "limit", stopped.why, budget.seconds)
        return _stored(asked, budget, checkpointer, target) if made is None else made


def index_of(engine: Engine, start: State) -> Ranking:
    """Return how the states of an engine are numbered. Raises Unsuitable if they cannot be."""
    rules = engine.reasoning
    if rules is None:
        raise Unsuitable("states are not stored in slots")
    if engine.task.puzzle.never:
        raise Unsuitable("`never` forbids states")
    if any(change.guard for _, change in rules.changes):
        raise Unsuitable("a term may occur twice")
    from rewrite.analysis.ranking import perfect_index  # loaded on first use

    found = perfect_index(
        rules.fields, rules.transitions, numbers(rules.fields, engine.encode(start))
    )
    if not found.reversible:
        _ = engine.inverse  # paths need it: raises Unsuitable
    return found


def numbered(
    asked: Question, budget: Budget, checkpointer: Checkpointer | None
) -> Distances | None:
    """Return the distances in a table of the core; None if that is not possible."""
    from rewrite.native.ranking import RankedTable  # loaded on first use

    limits = asked.limits
    try:
        engine = build(Task(asked.puzzle, asked.start, alone=checkpointer is not None))
        index = index_of(engine, asked.start)
        budget.forgive()
        made = partial(RankedTable, index)
        unasked = limits.max_memory is None and index.bytes > MOST_BYTES
        if unasked and checkpointer is not None and checkpointer.form == "table":
            raise checkpointer.error(
                f"a table of {index.bytes:,} bytes is kept there; say how much of it may be in "
                f"memory, e.g. max_memory={index.enough!r} for all of it, or give another folder"
            )
        if unasked:
            warn(
                f"{asked.puzzle.name}: all states are stored, because a table without them takes "
                f"{index.bytes_to_fill:,} bytes, which must be asked for; if the machine has as "
                f"many, give max_memory={index.enough!r}, or less with checkpoint= on a large disk"
            )
        if budget.full(index.bytes_to_fill) and checkpointer is not None:
            made = partial(checkpointer.table_in_file, index)
        elif unasked or budget.full(index.bytes_to_fill):
            return None
        table = made()
        while not (checkpointer is None or checkpointer.attach_table(table, limits)):
            table = made()
        status, limit = _filled(asked, table, budget, checkpointer)
    except (Unsuitable, NeedsCapacity, EngineFailure, MemoryError):
        return None
    assert engine.reasoning is not None
    seconds = budget.seconds
    if checkpointer is not None:
        checkpointer.save_table(table, seconds, limits, status, limit)
        seconds += checkpointer.earlier
    return _description(
        asked, _Numbered(engine.reasoning, table, asked.start), status, limit, seconds
    )


def _filled(
    asked: Question, table: RankedTable, budget: Budget, checkpointer: Checkpointer | None
) -> tuple[str, str]:
    """Fill a table, saving it if requested; return why that ended: (status, limit)."""
    limits, pauses, full = asked.limits, False, False
    watch = Watch(
        budget, limits, asked.progress, None if checkpointer is None else checkpointer.writer.due
    )

    def pulse(states: int, depth: int) -> bool:
        nonlocal pauses, full
        watch.report(states, depth, 0, memory_in_use)
        pauses, full = watch.pauses(states), budget.full()
        return pauses or full or budget.asked

    while True:
        status, limit = table.fill(
            limits.max_depth, limits.max_states, budget.left, asked.threads or 1, pulse
        )
        if status == "interrupted" and full and not budget.asked:
            return "limit", "max_memory"
        if status != "interrupted" or not pauses or budget.asked or checkpointer is None:
            return status, limit
        pauses = False
        checkpointer.save_table(table, budget.seconds, limits)


class _Levels(ABC):
    """Known distances; `level`, `farthest` and `encoding` have two implementations."""

    name = "native"
    encoding: str

    def __init__(self, engine: Engine, start: State, levels: list[int]) -> None:
        self.engine, self.start, self.levels = engine, engine.encode(start), levels

    @abstractmethod
    def level(self, code: Code) -> int | None:
        """Return the level of a state, None if unknown."""

    @abstractmethod
    def before(self, code: Code, level: int) -> Code:
        """Return a predecessor, in the level before, of a state of this level."""

    @abstractmethod
    def farthest(self) -> Iterable[Code]:
        """Return the states of the deepest level, in any order."""

    def code(self, state: State) -> Code:
        return self.engine.encode(state)

    def distance(self, state: State) -> int | None:
        try:
            code = self.code(state)
        except NeedsCapacity:
            return None  # outside the encoding of reachable states
        return self.level(code)

    def states(self, end: State) -> list[State]:
        codes = [self.code(end)]
        for level in range(self.level(codes[0]) or 0, 0, -1):
            codes.append(self.before(codes[-1], level))
        return [self.engine.decode(code) for code in codes[::-1]]


class _Numbered(_Levels):
    """Distances in a table of the core."""

    def __init__(self, engine: Reasoning, table: RankedTable, start: State) -> None:
        super().__init__(engine, start, table.levels)
        self.fields, self.table = engine.fields, table
        self.encoding = str(table.index)

    def level(self, code: Code) -> int | None:
        held = numbers(self.fields, code)
        level = self.table.level(held) if packed(self.fields, held) == code else None
        return None if level is None or level >= len(self.levels) else level

    def before(self, code: Code, level: int) -> Code:
        if self.table.index.reversible:
            return packed(self.fields, self.table.before(numbers(self.fields, code)))
        before = self.engine.inverse.successors(code)
        known = (one for one in before if self.level(one) == level - 1)
        return next(known, self.start)  # inverse rules never lead to a forbidden start

    def farthest(self) -> Iterator[Code]:
        listed = self.table.deepest()
        assert listed is not None  # levels of up to a million states are listed
        return (packed(self.fields, held) for held in listed)


def _stored(
    asked: Question, budget: Budget, checkpointer: Checkpointer | None, target: Target | None
) -> Distances:
    run = Run(asked)
    run.checkpointer = checkpointer
    status, limit = run.advance(None, asked.limits, budget), run.limit
    seconds = budget.seconds
    if checkpointer is not None:
        checkpointer.save(run, status)
        seconds += checkpointer.earlier
    if run.out_of_memory:
        status, limit = "limit", "max_memory"
    known = None if run.driver is None else _Stored(run, run.driver)
    found = _description(asked, known, status, limit, seconds)
    if target is None:
        return found

    def claim() -> Evidence | None:
        if run.driver is None or not found.complete:
            return None
        return Evidence("distances", None, (), by_levels(run.driver, len(found.levels)))

    return evolve(found, notes=(written(target, run, budget, claim),))


class _Stored(_Levels):
    """Distances from the states that an ordinary search stored."""

    def __init__(self, run: Run, driver: Driver) -> None:
        super().__init__(driver.engine, run.asked.start, list(driver.record.levels))
        self.record, self.name = driver.record, driver.name
        self.encoding = f"all states stored: {driver.engine.encoding}"
        self.ends = list(accumulate(self.levels))

    @cached_property
    def codes(self) -> list[Code]:
        return codes_of(self.record)[: self.ends[-1]]

    @cached_property
    def numbers(self) -> dict[Code, int]:
        return {code: number for number, code in enumerate(self.codes)}

    def code(self, state: State) -> Code:
        _ = self.numbers  # first the values of the core: a state may bring others, numbered after
        return super().code(state)

    def level(self, code: Code) -> int | None:
        number = self.numbers.get(code)
        return None if number is None else bisect_right(self.ends, number)

    def before(self, code: Code, level: int) -> Code:
        record = self.record
        if isinstance(record, Record):
            return record.parents[code]
        assert isinstance(record, CoreRecord)
        return self.codes[record.parents[self.numbers[code]]]

    def farthest(self) -> list[Code]:
        return self.codes[self.ends[-1] - self.levels[-1] :]


def _description(
    asked: Question, known: _Levels | None, status: str, limit: str, seconds: float
) -> Distances:
    """Return the result; if compiling was stopped, only the start is known."""
    levels = [1] if known is None else known.levels
    puzzle, start, searched = asked.outer.puzzle, asked.outer.start, to_twin(asked)

    def distance(state: State) -> int | None:
        if known is None:
            return 0 if state == start else None
        return known.distance(searched(state))

    def states(end: State) -> list[State]:
        return [end] if known is None else [*map(original, known.states(searched(end)))]

    def farthest() -> Iterator[State]:
        if known is None:
            return iter([start])
        return (original(known.engine.decode(code)) for code in known.farthest())

    return Distances(
        puzzle=puzzle, start=start, levels=levels, complete=status == "exhausted",
        limit=asked.limits.description(limit or status),
        encoding="not known: compiling was stopped" if known is None else known.encoding,
        engine=asked.engine if known is None else known.name, seconds=seconds, distance=distance,
        states=states, farthest=farthest,
        again=partial(
            distances, puzzle, start, max_depth=len(levels) - 1,
            threads=asked.threads, engine=asked.engine,
        ),
    )  # fmt: skip

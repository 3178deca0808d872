"""Keeps a search in a folder (`checkpoint=`): what identifies a question, what is saved of a run,
and how a run resumes from it.

Only searches of the native engine can be kept; others are refused before anything is written.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve

from rewrite.checkpoints.checkpoint_writer import CheckpointWriter, Savable
from rewrite.checkpoints.identity import Identity, Unidentified, Writer, digest
from rewrite.checkpoints.manifest import Figures, Manifest
from rewrite.checkpoints.saved_setup import Unknown, capacity_of, plain
from rewrite.checkpoints.termination import Termination
from rewrite.compile.interning import Ctor, Truth
from rewrite.compile.slots.keys import Unsuitable
from rewrite.errors import CheckpointError, warn
from rewrite.language.expressions import Expression
from rewrite.language.order import source
from rewrite.language.patterns import classes
from rewrite.language.symmetry import Relabel
from rewrite.native import PROTOCOL
from rewrite.native.program import Program
from rewrite.search.core_only import refused
from rewrite.search.drivers.core import CoreDriver
from rewrite.search.drivers.interface import Driver
from rewrite.search.heuristics import FromRules
from rewrite.search.limits import Limits
from rewrite.search.question import Question
from rewrite.search.run import Run
from rewrite.search.strategies import STRATEGIES

if TYPE_CHECKING:
    from rewrite.analysis.ranking import Ranking
    from rewrite.native.ranking import RankedTable

LEAVE_OUT = "leave checkpoint= out"
STATES, TABLE, PARTS = "states", "table", "ray"
FORMS = {
    STATES: "all states that were seen",
    TABLE: "a table of distances",
    PARTS: "a search that is spread over processes",
}
"""What is saved, with a description."""


def writer_for(asked: Question, path: Any, call: str) -> CheckpointWriter:
    """Return the writer of a search for a folder, not yet opened. Raises CheckpointError.

    call   "search" or "distances"
    """
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise CheckpointError(f"checkpoint={path!r} must be the path of a folder, or None")
    if not os.fspath(path):
        raise CheckpointError("checkpoint='' must be the path of a folder; '.' is the current one")
    text = f"checkpoint={os.fspath(path)!r}"
    if asked.engine == "python":
        raise CheckpointError(refused(text, LEAVE_OUT))
    if asked.by_paths:
        raise CheckpointError(
            f"{text} keeps states, and distinct='paths' tells paths apart. Leave checkpoint= out, "
            "or give shortest=True for shortest paths only"
        )
    if not asked.strategy.kept:
        able = ", ".join(repr(one.name) for one in STRATEGIES.values() if one.kept)
        raise CheckpointError(
            f"{text} goes with strategy={able}; found strategy={asked.strategy.name!r}"
        )
    try:
        return CheckpointWriter(path, identity_of(asked, call), PROTOCOL)
    except Unidentified as why:
        raise CheckpointError(f"{text} must recognise the question later, but {why}. Or leave "
                              "checkpoint= out") from None  # fmt: skip


# -- what was asked --------------------------------------------------------------------------
def identity_of(asked: Question, call: str) -> Identity:
    """Return the parts of a question, except limits and threads. Raises Unidentified."""
    written, puzzle = Writer(), asked.puzzle
    written.add("call", call, call)
    written.add("puzzle", puzzle.name, puzzle.name)
    written.add_rules(puzzle)
    for number, one in enumerate(puzzle.symmetry, 1):
        inner = one.pairs if isinstance(one, Relabel) else one.values
        written.add(f"symmetry {number}", repr(one), type(one).__name__, inner)
    written.add("start", str(asked.start), asked.start)
    if asked.goal is not None:
        written.add("goal", repr(asked.goal), asked.goal)
    if asked.minimize is not None:
        written.add("minimize=", source(asked.minimize), asked.minimize)
    heuristic = asked.heuristic
    if isinstance(heuristic, FromRules):
        written.add("heuristic=", heuristic.name, heuristic.name)
    elif isinstance(heuristic, Expression):
        written.add("heuristic=", source(heuristic), heuristic)
    elif heuristic is not None:
        written.add_function("heuristic=", heuristic)
    for name, value in _options(asked).items():
        written.add(f"{name}=", repr(value), repr(value))
    return written.identity


def _options(asked: Question) -> dict[str, Any]:
    spread = {} if asked.partitions is None else {"partitions": asked.partitions}
    options = {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in asked.options.items()
    }
    return options | spread | {
        "strategy": "auto" if asked.free else asked.strategy.name,
        "solutions": asked.solutions, "distinct": asked.distinct, "shortest": asked.shortest,
        "min_depth": asked.limits.min_depth, "symmetry": asked.symmetry,
    }  # fmt: skip


def program_digest(program: Program) -> str:
    """Return a digest of the core's program. Sets may be listed in any order."""
    named = ("sets", "states")
    data = {name: part for name, part in program.data.items() if name not in named}
    unordered = [[{digest(one, _opened) for one in held} for held in program.data[name]]
                 for name in named]  # fmt: skip
    return digest([data, unordered, program.start], _opened)


def _opened(value: Any) -> Any:
    if isinstance(value, Ctor):
        return ("constructor", value.identity)
    if isinstance(value, Truth):
        return ("truth", value.value)
    return (type(value).__name__, asdict(value, recurse=False))


# -- a search --------------------------------------------------------------------------------
class Checkpointer:
    """Connects a search to its folder; one per search, for as long as it runs.

    earlier   seconds other processes spent on the search
    """

    def __init__(self, writer: CheckpointWriter) -> None:
        self.writer = writer
        self.earlier = 0.0
        self.termination = Termination()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Own the folder within the block; SIGTERM saves the search first."""
        with self.termination:
            self.writer.open()
            try:
                yield
            finally:
                self.writer.close()

    @property
    def form(self) -> str:
        """What the folder holds: STATES or TABLE; "" if the search is yet to begin."""
        manifest = self.writer.candidate
        return "" if manifest is None else str(manifest.setup.get("form"))

    # -- a run -----------------------------------------------------------------------------
    def prepare(self, run: Run) -> None:
        """Have a run begin with the setup of the saved search, if there is one."""
        manifest = self._next(run.form)
        if manifest is None:
            return
        try:
            known = classes((run.given.goal, *run.given.values)) | run.given.puzzle.classes
            run.capacity |= capacity_of(manifest.setup["room"], known | run.given.start.classes)
            run.outgrown = bool(run.capacity.multiset)
            run.given = evolve(run.given, free=bool(manifest.setup["free"]))
        except Unknown as why:
            raise self.error(f"{why} is not known here; import it before the search") from None
        except (KeyError, ValueError) as why:
            raise self.error(f"{manifest.name} has no room for states: {why}") from None

    def attach(self, run: Run, driver: Driver) -> bool:
        """Load what was saved, or begin. False: it was damaged, and another one is to be tried.

        Raises CheckpointError.
        """
        savable = driver.savable
        assert savable is not None
        program = program_digest(savable.program)
        apart = False
        if isinstance(driver, CoreDriver) and not run.asked.shortest:
            # shortest= looks up all states once more by their keys
            driver.spill = lambda scarce: self.writer.spill(driver.core.spill, scarce)
            apart = run.limits.max_memory is not None
        if self.writer.candidate is None:
            capacity = plain(run.capacity)
            self.writer.begin({"form": run.form, "free": run.given.free, "room": capacity}, program)
        elif not self._loaded(savable, program, run.limits, apart):
            return False
        run.earlier = self.earlier  # its answers arrive with the first turn
        return True

    def save(self, run: Run, status: str = "") -> None:
        """Save a run. Raises CheckpointError if others may have the folder by now.

        status   why its call ended, "" while it runs
        """
        self.termination.waits = bool(status)
        driver = run.driver
        if driver is None or (savable := driver.savable) is None or run.out_of_memory:
            return  # the last save has more than is left now
        record = driver.record
        figures = Figures(
            states=record.states, expanded=record.expanded, depth=record.depth,
            levels=tuple(record.levels), answers=len(run.answers),
            seconds=run.used.seconds + run.earlier, status=status,
            limit=run.limit if status == "limit" else "", max_depth=run.limits.max_depth,
            saved=time.time(), encoding=driver.engine.encoding,
        )  # fmt: skip
        self.writer.save(savable, figures)

    # -- a table of distances --------------------------------------------------------------
    def table_in_file(self, index: Ranking) -> RankedTable:
        """Return a table in a file of the folder.

        If it cannot lie there, warns and raises Unsuitable, or CheckpointError if one was saved.
        """
        from rewrite.native.ranking import RankedTable  # loaded on first use

        self.writer.take()
        try:
            return RankedTable(index, str(self.writer.folder.path))
        except OSError as why:
            error = self.error(
                f"a table of {index.bytes:,} bytes cannot be a file there: {why.strerror or why}"
            )
        if self.form == TABLE:
            raise error
        warn(f"{error}; all states are stored")
        raise Unsuitable(str(error))

    def attach_table(self, table: RankedTable, limits: Limits) -> bool:
        """Load a saved table, or begin; False as for a run."""
        index = table.index
        program = digest([index.held, index.parts, index.transitions, index.reversible], _opened)
        if self._next(TABLE) is None:
            self.writer.begin({"form": TABLE}, program)
            return True
        return self._loaded(table, program, limits)

    def save_table(
        self, table: RankedTable, seconds: float, limits: Limits, status: str = "", limit: str = ""
    ) -> None:
        self.termination.waits = bool(status)
        levels = table.levels
        figures = Figures(
            states=sum(levels), depth=len(levels) - 1, levels=tuple(levels),
            seconds=self.earlier + seconds, status=status, limit=limit,
            max_depth=limits.max_depth, saved=time.time(), encoding=str(table.index),
        )  # fmt: skip
        self.writer.save(table, figures)

    # -- both ------------------------------------------------------------------------------
    def error(self, what: str) -> CheckpointError:
        return self.writer.folder.error(what)

    def _next(self, form: str) -> Manifest | None:
        """Return the first candidate of this form, dropping others."""
        while (manifest := self.writer.candidate) and self.form != form:
            self.writer.drop(f"it keeps {FORMS.get(self.form, 'something else')}")
        return manifest

    def _loaded(self, savable: Savable, program: str, limits: Limits, apart: bool = False) -> bool:
        manifest = self.writer.candidate
        assert manifest is not None
        if not self.writer.load(savable, program, apart):
            return False
        if manifest.files:
            before = manifest.figures
            self.earlier = before.seconds
            went_on = before.limit != "max_depth" and before.status != "exhausted"
            reached = before.depth + went_on
            if limits.is_passed(Limits(max_depth=before.max_depth), reached):
                raise self.error(
                    f"max_depth={limits.max_depth}: the search there has come to states "
                    f"{reached} steps away already. Give max_depth={reached} or more, or none, or "
                    "another folder"
                )
        return True

    def refused(self, run: Run, why: object) -> CheckpointError:
        """Return the error for a search that the native engine cannot run, or cannot finish."""
        return self.error(
            refused(
                f"keeping {run.asked.puzzle.name}",
                f"{LEAVE_OUT}: then the Python engine searches",
                str(why),
            )
        )

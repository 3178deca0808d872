"""Keeps one search in a folder: finds where it stopped, resumes it, and saves it periodically.

What is saved is behind `Savable`, implemented by the core; `identity` decides whether two questions
are the same. The order of calls:

open      inspect the folder, and maybe refuse it; take its lock if it has a checkpoint
candidate the checkpoint to try next, newest first; `load` tries it
begin     nothing was there, or the search restarts: a new epoch of append-only files
save      data files by the core, then the manifest, then delete what is no longer needed
close     release the lock
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any, Protocol

from attrs import evolve

from rewrite.checkpoints.folder import KEPT, Folder, Seen, missing
from rewrite.checkpoints.identity import Identity, description, differences
from rewrite.checkpoints.manifest import Figures, Manifest
from rewrite.errors import CheckpointError, warn
from rewrite.native.program import Program
from rewrite.native.trouble import Damaged, DiskFull

OLD_PARTS = "parts"
"""What is kept in a folder of earlier versions, with parts in files or over processes."""
EVERY = 60.0
"""Seconds between two saves."""
TIMES = 20
"""The next save waits at least this many times the duration of the last one."""
FULL = (errno.ENOSPC, errno.EDQUOT)


class Savable(Protocol):
    """A running search that can save its progress, between two of its turns."""

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        """Write what is new and sync it to disk; return all files needed, with lengths.

        Raises OSError; a later save retries.
        """

    def load(
        self, folder: str, files: dict[str, int], epoch: int, number: int, apart: bool = False
    ) -> None:
        """Load what was saved, before the first turn. Raises Damaged, OSError.

        apart   finished states may stay in the files
        """


class SavableSearch(Savable, Protocol):
    @property
    def program(self) -> Program:
        """The program given to the core."""


def version() -> str:
    try:
        return metadata.version("rewrite")
    except metadata.PackageNotFoundError:  # run from a source folder
        return "(not installed)"


class CheckpointWriter:
    """Keeps one search in a folder, for as long as its calls last."""

    def __init__(self, path: str | os.PathLike[str], question: Identity, protocol: int) -> None:
        self.folder = Folder(path)
        self.question, self.protocol = question, protocol
        self.kept: list[Manifest] = []
        """The newest manifests known to be good, newest last."""
        self.candidates: list[Manifest] | None = None
        """Checkpoints to try, newest first; None once the search has begun."""
        self.damage = ""
        """What was damaged in the folder, if an older checkpoint was used instead."""
        self.not_saved = ""
        """Why the last save failed."""
        self._next = time.monotonic() + EVERY
        self._wrong: list[str] = []
        self._number = self._epoch = self._last_epoch = 0
        self._setup: dict[str, Any] = {}
        self._program = ""

    # -- opening ---------------------------------------------------------------------------
    def open(self) -> None:
        """Inspect the folder, and lock it if it has a checkpoint. Raises CheckpointError.

        Otherwise nothing is written before `begin`.
        """
        self._judged()
        if not self.candidates and not self.kept:
            return
        self.folder.take()
        try:
            seen = self._judged()  # now that nobody else writes
            if self.kept and seen.newest != self.kept[-1].number:
                raise self.folder.error(
                    "the search was continued elsewhere since; search again to continue from there"
                )
        except BaseException:
            self.close()
            raise

    def _judged(self) -> Seen:
        """Inspect the folder; raise CheckpointError if it does not fit this question."""
        seen = self.folder.look()
        for manifest in seen.manifests:
            self._check_version(manifest)
            if found := differences(manifest.question, self.question):
                raise self.folder.error(
                    f"another question was asked there. What differs: {description(found)}. Give "
                    "another folder, or ask the same question"
                )
        self._number = max(self._number, *seen.numbers, 0)
        self._last_epoch = max(self._last_epoch, *seen.epochs, 0)
        if not self.kept:
            self.candidates = list(seen.manifests)
            self._wrong = [str(damage) for damage in seen.damaged]
            if self._wrong and not self.candidates:
                raise self._all_damaged()
        return seen

    def _check_version(self, manifest: Manifest) -> None:
        if manifest.setup.get("form") == OLD_PARTS:
            raise self.folder.error(
                "an earlier version wrote it for partitions=, which needs engine='ray' now. Give "
                "another folder; to search here without Ray leave partitions= out and write "
                "strategy='breadth_first' and max_memory=…: what does not fit stays in the folder"
            )
        mine = version()
        if (manifest.version, manifest.protocol) != (mine, self.protocol):
            raise self.folder.error(
                f"rewrite {manifest.version} wrote it (protocol {manifest.protocol} of its core), "
                f"and this is rewrite {mine} (protocol {self.protocol}). Use the version that "
                "wrote it, or give another folder"
            )

    @property
    def candidate(self) -> Manifest | None:
        """The checkpoint to try; None if the search begins from its start."""
        return self.candidates[0] if self.candidates else None

    def load(self, savable: Savable, program: str, apart: bool = False) -> bool:
        """Load the candidate; return False if it is damaged, and move on to the next.

        program   a digest of the program
        apart     see `Savable.load`

        Raises CheckpointError if none is left, or if the program differs.
        """
        manifest = self.candidate
        assert manifest is not None
        if program != manifest.program:
            raise self.folder.error(
                "the question is the same, but its rules are compiled to another program here; "
                "was rewrite itself changed? Give another folder"
            )
        wrong = "; ".join(missing(self.folder.path, manifest))
        if manifest.files and not wrong:
            try:
                place = (manifest.epoch, manifest.number)
                savable.load(str(self.folder.path), manifest.files, *place, apart)
            except (Damaged, OSError) as why:
                wrong = str(why)
        if wrong:
            self.drop(wrong)
            return False
        assert self.candidates is not None
        self.kept, self.candidates = self.candidates[:KEPT][::-1], None
        self._epoch = manifest.epoch
        self._setup, self._program = manifest.setup, program
        if self._wrong:
            self.damage = (
                f"the newest checkpoint in {self.folder.path} is damaged "
                f"({'; '.join(self._wrong)}); the search went on from the one before it "
                f"({manifest.figures.states:,} states)"
            )
            self._wrong = []
            warn(self.damage)
        return True

    def go_back(self) -> int:
        """Make the saved checkpoints candidates again; return the state count of the newest."""
        if self.kept:  # else they still are candidates
            self.candidates = self.kept[::-1]
        return self.candidate.figures.states if self.candidate else 0

    def drop(self, why: str) -> None:
        """Discard the candidate. Raises CheckpointError if none is left."""
        assert self.candidates
        self._wrong.append(f"{self.candidates.pop(0).name}: {why}")
        if not self.candidates:
            raise self._all_damaged()

    def _all_damaged(self) -> CheckpointError:
        return self.folder.error(
            f"it is damaged, and was left as it is: {'; '.join(self._wrong)}. Restore the folder "
            "from a copy, or give another one"
        )

    @property
    def notes(self) -> list[str]:
        return [note for note in (self.damage, self.not_saved) if note]

    def take(self) -> None:
        """Take the folder for a search that begins there. Raises CheckpointError."""
        if self.folder.lock is None:
            self.folder.take()
            if self.folder.look().newest is not None:
                self.close()
                raise self.folder.error("another process began here just now; call again")

    def begin(self, setup: dict[str, Any], program: str) -> None:
        """Begin a search from its start; if it is the first one here, write a manifest at once.

        A new epoch begins: older saves stay until there is a new one. Raises CheckpointError.
        """
        self.take()
        self.candidates = None
        self._epoch = self._last_epoch = self._last_epoch + 1
        self._setup, self._program = setup, program
        if not self.kept:
            try:
                self._write(Figures(saved=time.time()), {})
            except OSError as why:
                raise self.folder.error(f"it cannot be written: {why.strerror or why}") from why

    # -- saving ----------------------------------------------------------------------------
    def due(self) -> bool:
        return time.monotonic() >= self._next

    def save(self, savable: Savable, figures: Figures) -> bool:
        """Save the search, unless nothing has changed since; return whether it is saved.

        A failed write does not end the search: it warns once, and the next save retries.
        Raises CheckpointError if others may be working on the folder by now.
        """
        began = time.monotonic()
        try:
            if self.kept and _progress(self.kept[-1].figures) == _progress(figures):
                return True
            self.folder.check()
            self._number += 1
            files = savable.save(str(self.folder.path), self._epoch, self._number)
            self._write(figures, files)
            self.not_saved = ""
            return True
        except (OSError, MemoryError) as why:
            self._not_saved(why, figures.status)
            return False
        finally:
            now = time.monotonic()
            self._next = now + max(EVERY, TIMES * (now - began))

    def spill(self, evict: Callable[[str, int, bool], int], scarce: bool) -> int:
        """Have a search evict memory; return bytes freed. Raises DiskFull, CheckpointError.

        evict    its method, given the folder, the epoch and `scarce`. Raises OSError
        scarce   evict also what it prefers to keep in memory
        """
        self.folder.check()
        try:
            return evict(str(self.folder.path), self._epoch, scarce)
        except OSError as why:
            if why.errno in FULL:
                raise DiskFull from why
            raise self.folder.error(f"it cannot be written: {why.strerror or why}") from why

    def _write(self, figures: Figures, files: dict[str, int]) -> None:
        manifest = Manifest(
            version=version(), protocol=self.protocol, number=self._number, epoch=self._epoch,
            question=self.question, program=self._program, setup=self._setup, files=files,
            figures=figures,
        )  # fmt: skip
        self.folder.write(manifest)
        self.kept = [*self.kept, manifest][-KEPT:]
        self.folder.clean(self.kept, self._epoch)

    def _not_saved(self, why: OSError | MemoryError, status: str) -> None:
        self.folder.check()
        if self.folder.path.is_dir():
            # a partial save only wastes space
            self.folder.clean(self.kept, self._epoch)
        reason = "no memory is left"
        if isinstance(why, OSError):
            reason = "the disk is full" if why.errno in FULL else str(why.strerror or why)
        last = self.kept[-1].figures.states if self.kept else 0
        where = f"the first {last:,} states" if last else "its start"
        text = (
            f"the search could not be saved in {self.folder.path}: {reason}. "
            f"{'What' if status else 'It goes on in memory; what'} is saved there is {where}"
        )
        if not self.not_saved:
            warn(text)
        self.not_saved = text

    def close(self) -> None:
        self.folder.give_back()


def _progress(figures: Figures) -> Figures:
    """Return the figures without what changes while nothing happens."""
    return evolve(figures, seconds=0, saved=0)

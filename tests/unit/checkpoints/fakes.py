"""A search that counts, in place of the core: what it saves is a text."""

from __future__ import annotations

from pathlib import Path

from rewrite.checkpoints.checkpoint_writer import CheckpointWriter
from rewrite.checkpoints.identity import Part
from rewrite.checkpoints.manifest import Figures
from rewrite.native.trouble import Damaged

QUESTION = (Part("goal", "contains(1)", "0a"),)
SETUP = {"form": "states"}


class Counter:
    """Counts up; its append-only file has a line for each number, as the core's has for states."""

    def __init__(self) -> None:
        self.count = 0
        self.full: OSError | None = None

    def save(self, folder: str, epoch: int, number: int) -> dict[str, int]:
        keys = Path(folder) / f"keys-{epoch}.bin"
        state = Path(folder) / f"state-{epoch}-{number}.bin"
        state.write_text(f"count {self.count}")
        if self.full is not None:
            raise self.full
        keys.write_text("".join(f"{n}\n" for n in range(self.count)))
        return {one.name: one.stat().st_size for one in (keys, state)}

    def load(
        self, folder: str, files: dict[str, int], epoch: int, number: int, apart: bool = False
    ) -> None:
        keys, state = f"keys-{epoch}.bin", f"state-{epoch}-{number}.bin"
        assert set(files) == {keys, state}
        word, _, count = (Path(folder) / state).read_text().partition(" ")
        if word != "count":
            raise Damaged(state, 0, "not a count")
        lines = (Path(folder) / keys).read_text()[: files[keys]].splitlines()
        for at, line in enumerate(lines):
            if line != str(at):
                raise Damaged(keys, at, f"{line} is not {at}")
        self.count = int(count)
        (Path(folder) / keys).write_text("".join(f"{n}\n" for n in range(self.count)))


def writer(
    folder: Path, question: tuple[Part, ...] = QUESTION, protocol: int = 8
) -> CheckpointWriter:
    return CheckpointWriter(folder, question, protocol)


def opened(folder: Path) -> tuple[CheckpointWriter, Counter]:
    kept = writer(folder)
    kept.open()
    try:
        while True:
            counter = Counter()
            if kept.candidate is None:
                kept.begin(SETUP, "program")
                return kept, counter
            if kept.load(counter, "program"):
                return kept, counter
    except BaseException:
        kept.close()
        raise


def save(kept: CheckpointWriter, counter: Counter, status: str = "") -> bool:
    return kept.save(counter, Figures(states=counter.count, status=status, seconds=1, saved=2))

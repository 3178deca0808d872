"""What is saved in a folder besides the files of the parts: their joint progress.

It is JSON preceded by its digest. The states of the first search are not saved: it is quick and
deterministic, and is repeated.
"""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen

from rewrite.checkpoints.digest import SIZE
from rewrite.native.trouble import Damaged


@frozen
class Saved:
    """The progress of all parts.

    seed    how many states each complete level of the first search had
    levels  the same over all parts; the last one is to be expanded next
    goals   goals found so far in parts: (part, number, states known by then)
    """

    parts: int
    seed: list[int]
    levels: list[int]
    expanded: int
    goals: list[tuple[int, int, int]] = field(factory=list)


def name_of(epoch: int, number: int) -> str:
    """Return the name of the file."""
    return f"cluster-{epoch}-{number}.bin"


def write(folder: str, epoch: int, number: int, saved: Saved) -> dict[str, int]:
    """Write the file and sync it to disk; return its name and length. Raises OSError."""
    path = Path(folder, name_of(epoch, number))
    text = json.dumps(asdict(saved)).encode("ascii")
    data = _digest(text) + b"\n" + text
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return {path.name: len(data)}


def read(folder: str, epoch: int, number: int) -> Saved:
    """Return what was written. Raises Damaged, OSError."""
    path = Path(folder, name_of(epoch, number))
    digest, _, text = path.read_bytes().partition(b"\n")
    if digest != _digest(text):
        raise Damaged(path.name, 0, "its bytes do not have this digest")
    found: dict[str, Any] = json.loads(text)
    goals = [(part, number, order) for part, number, order in found.pop("goals")]
    return Saved(**found, goals=goals)


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=SIZE).hexdigest().encode("ascii")

"""The manifest of a checkpoint: the question, the progress of the search, and the files needed.

It is JSON. The first line gives the format, the second a digest of all other bytes:

    {"rewrite checkpoint": 1,
    "digest": "…",
    "number": 12, …}
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from attrs import asdict, field, frozen

from rewrite.checkpoints.identity import SIZE, Identity, Part
from rewrite.native.trouble import Damaged

FORMAT = 1
FIRST, SECOND = '{"rewrite checkpoint": ', '"digest": "'


class Newer(Exception):
    """A manifest in the format of a later version."""


@frozen(kw_only=True)
class Figures:
    """The progress of a search.

    status, limit  why its last call ended, as in a result; "" while it runs
    max_depth      the depth limit it ran under, None for none
    seconds        of all calls together
    saved          the time of day, in seconds since 1970
    encoding       how states are stored, for humans
    """

    states: int = 0
    expanded: int = 0
    depth: int = 0
    levels: tuple[int, ...] = ()
    answers: int = 0
    seconds: float = 0.0
    status: str = ""
    limit: str = ""
    max_depth: int | None = None
    saved: float = 0.0
    encoding: str = ""


@frozen(kw_only=True)
class Manifest:
    """One checkpoint.

    version, protocol  of rewrite and of its core, which define the data files
    number, epoch      of the save; of the append-only files, which start over with each epoch
    program            a digest of the program given to the core
    setup              how the search was begun, as plain data; see `search.checkpointing`
    files              name -> length in bytes
    """

    version: str
    protocol: int
    number: int
    epoch: int
    question: Identity
    program: str
    setup: dict[str, Any]
    files: dict[str, int] = field(factory=dict)
    figures: Figures = field(factory=Figures)

    @property
    def name(self) -> str:
        return name_of(self.number)

    @property
    def size(self) -> int:
        """Bytes of its data files."""
        return sum(self.files.values())

    def to_bytes(self) -> bytes:
        content = asdict(self, recurse=False)
        content["question"] = [[part.name, part.text, part.digest] for part in self.question]
        content["figures"] = asdict(self.figures)
        text = json.dumps(content, ensure_ascii=True, indent=0)
        rest = text.removeprefix("{\n").encode("ascii")
        first = f"{FIRST}{FORMAT},\n".encode()
        return first + f'{SECOND}{_digest(first, rest)}",\n'.encode() + rest


def name_of(number: int) -> str:
    return f"manifest-{number:010}.json"


def read(file: str, data: bytes) -> Manifest:
    """Return the manifest in these bytes. Raises Damaged, or Newer."""
    first, found, more = data.partition(b"\n")
    second, found, rest = more.partition(b"\n")
    number = first.removeprefix(FIRST.encode()).removesuffix(b",")
    digest = second.removeprefix(SECOND.encode()).removesuffix(b'",')
    whole = first == FIRST.encode() + number + b"," and second == SECOND.encode() + digest + b'",'
    if not (found and whole and number.isdigit()):
        raise Damaged(file, 0, "this is not the beginning of a manifest")
    if digest != _digest(first + b"\n", rest).encode():
        raise Damaged(file, len(first) + 1, "its bytes do not have this digest")
    if int(number) != FORMAT:
        raise Newer(
            f"{file} has format {int(number)}, and this version of rewrite reads format {FORMAT}"
        )
    try:
        return _read(json.loads(b"{" + rest))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Damaged(file, len(data) - len(rest), f"{type(error).__name__}: {error}") from None


def _digest(first: bytes, rest: bytes) -> str:
    return blake2b(first + rest, digest_size=SIZE).hexdigest()


def _read(content: Any) -> Manifest:
    """Return a manifest from JSON values, each validated: others may use the same format number."""
    figures = dict(content["figures"])
    figures["levels"] = tuple(_each(figures["levels"], _count))
    for name in ("states", "expanded", "depth", "answers"):
        _count(figures[name])
    for name in ("seconds", "saved"):
        _number(figures[name])
    for name in ("status", "limit", "encoding"):
        _of(str, figures[name])
    if figures["max_depth"] is not None:
        _count(figures["max_depth"])
    files = _of(dict, content["files"])
    _each(files.values(), _count)
    return Manifest(
        version=_of(str, content["version"]),
        protocol=_count(content["protocol"]),
        number=_count(content["number"]),
        epoch=_count(content["epoch"]),
        question=tuple(
            Part(*[_of(str, text) for text in (name, said, digest)])
            for name, said, digest in content["question"]
        ),
        program=_of(str, content["program"]),
        setup=_of(dict, content["setup"]),
        files=files,
        figures=Figures(**figures),
    )


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r:.40} is not a {kind.__name__}")
    return value


def _count(value: Any) -> int:
    found: int = _of(int, value)
    if found < 0:
        raise ValueError(f"{found} is negative")
    return found


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError(f"{value!r:.40} is not a number")
    return float(value)


def _each(values: Any, read: Callable[[Any], Any]) -> list[Any]:
    return [read(value) for value in values]

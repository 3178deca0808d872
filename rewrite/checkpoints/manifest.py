"""The manifest of a checkpoint: the question, the progress of the search, and the files needed.

It is JSON. The first line gives the format, the second a digest of all other bytes:

    {"rewrite checkpoint": 1,
    "digest": "…",
    "number": 12, …}
"""

from __future__ import annotations

import json
from hashlib import blake2b
from math import inf
from typing import Any

from attrs import asdict, field, fields, frozen
from attrs.validators import (
    and_,
    deep_iterable,
    deep_mapping,
    ge,
    instance_of,
    lt,
    not_,
    optional,
)

from rewrite.checkpoints.identity import SIZE, Identity, Part
from rewrite.native.trouble import Damaged

FORMAT = 1
FIRST, SECOND = '{"rewrite checkpoint": ', '"digest": "'


_COUNT: Any = and_(instance_of(int), not_(instance_of(bool)), ge(0))
_SECONDS: Any = and_(instance_of((int, float)), ge(0), lt(inf))
_TEXT = instance_of(str)


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

    states: int = field(default=0, validator=_COUNT)
    expanded: int = field(default=0, validator=_COUNT)
    depth: int = field(default=0, validator=_COUNT)
    levels: tuple[int, ...] = field(default=(), validator=deep_iterable(_COUNT))
    answers: int = field(default=0, validator=_COUNT)
    seconds: float = field(default=0.0, validator=_SECONDS)
    status: str = field(default="", validator=_TEXT)
    limit: str = field(default="", validator=_TEXT)
    max_depth: int | None = field(default=None, validator=optional(_COUNT))
    saved: float = field(default=0.0, validator=_SECONDS)
    encoding: str = field(default="", validator=_TEXT)


@frozen(kw_only=True)
class Manifest:
    """One checkpoint.

    version, protocol  of rewrite and of its core, which define the data files
    number, epoch      of the save; of the append-only files, which start over with each epoch
    program            a digest of the program given to the core
    setup              how the search was begun, as plain data; see `search.checkpointing`
    files              name -> length in bytes
    """

    version: str = field(validator=_TEXT)
    protocol: int = field(validator=_COUNT)
    number: int = field(validator=_COUNT)
    epoch: int = field(validator=_COUNT)
    question: Identity
    program: str = field(validator=_TEXT)
    setup: dict[str, Any] = field(validator=instance_of(dict))
    files: dict[str, int] = field(
        factory=dict, validator=deep_mapping(_TEXT, _COUNT, instance_of(dict))
    )
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
    read = {one.name: content[one.name] for one in fields(Manifest)}
    figures = {one.name: read["figures"][one.name] for one in fields(Figures)} | read["figures"]
    read["figures"] = Figures(**figures | {"levels": tuple(figures["levels"])})
    read["question"] = tuple([Part(*part) for part in read["question"]])
    return Manifest(**read)

"""Writes certificates: see `docs/reference/certificates.md` for what is in a file."""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rewrite.certificates.listed import VERSION, described
from rewrite.language.bag import Bag
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term

BLOCK = 1 << 16
"""States of a block."""


@frozen
class Evidence:
    """What a certificate shows.

    kind     of the claim: "way", "distances", "hardest"
    least    what the cheapest way costs; None: there is none
    way      its states; none if there is no way
    labels   of each state, by its code
    terms    of states; fields, always: how codes are made of their numbers, see `Fields` of the
             checker; None: by digits. Before these are known, codes are those of an engine
    """

    kind: str
    least: int | None
    way: Sequence[State]
    labels: dict[Any, int]
    terms: Sequence[Any] = ()
    fields: Sequence[tuple[int, int, Sequence[int | None]]] | None = None
    always: Sequence[int] = ()


@frozen
class Target:
    """The file for a certificate, and what made its puzzle on the command line, if that did."""

    path: Path
    words: tuple[str, ...] = ()
    level: int | None = None

    def __fspath__(self) -> str:
        return str(self.path)


class TooLong(Exception):
    """A number has more digits than Python writes."""


def write(
    target: Target, puzzle: Puzzle, start: State, shown: Evidence, look: Callable[[], Any]
) -> tuple[int, int]:
    """Write a certificate; return how many states and bytes it has. Raises OSError, TooLong.

    puzzle   with the goal that was asked for
    look     called between blocks; it may raise what ends the work
    """
    writer, blocks = _Writer(), list[bytes]()
    codes = sorted(shown.labels)
    listed = []
    before = -1
    for at in range(0, len(codes), BLOCK):
        look()
        part = codes[at : at + BLOCK]
        steps = [one - last - 1 for last, one in zip([before, *part], part, strict=False)]
        before = part[-1]
        labels = [shown.labels[one] for one in part]
        text = packed(chain(steps, labels))
        blocks.append(lzma.compress(text, preset=4))
        listed.append([len(part), len(blocks[-1]), len(text), sha256(blocks[-1]).hexdigest()])
    head: dict[str, Any] = {
        "puzzle": described(puzzle), "kind": shown.kind, "least": shown.least,
        "start": [writer.term(one) for one in start],
        "way": [[writer.term(one) for one in state] for state in shown.way],
        "terms": [writer.term(one) for one in shown.terms],
        "fields": shown.fields, "always": shown.always, "blocks": listed,
    }  # fmt: skip
    named = {"words": target.words, "level": target.level} if target.words else {}
    try:
        text = json.dumps({**head, **named, "constructors": [*writer.constructors]}).encode()
    except ValueError as error:
        raise TooLong(f"a number has more than {sys.get_int_max_str_digits():,} digits") from error
    sums = f"{len(text)} {sha256(text).hexdigest()}\n".encode()
    whole = b"".join([VERSION, sums, text, *blocks])
    target.path.write_bytes(whole)
    return len(codes), len(whole)


def made_by(file: str | os.PathLike[str]) -> Target:
    """Return a certificate's file, with what made its puzzle if it says so."""
    try:
        head, _ = taken_apart(Path(file).read_bytes())
        words, level = [str(one) for one in head["words"]], head.get("level")
        return Target(Path(file), tuple(words), level if type(level) is int else None)
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return Target(Path(file))


def taken_apart(whole: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header and the blocks of a certificate, nothing of which is checked."""
    _, sums, rest = whole.split(b"\n", 2)
    size = int(sums.split()[0])
    head: dict[str, Any] = json.loads(rest[:size])
    return head, rest[size:]


def packed(numbers: Iterable[int]) -> bytes:
    """Return numbers as bytes of seven bits, the lowest first; the highest bit: more come."""
    made = bytearray()
    for number in numbers:
        while number > 127:
            made.append(number & 127 | 128)
            number >>= 7
        made.append(number)
    return bytes(made)


@frozen
class _Writer:
    constructors: dict[tuple[str, tuple[str, ...]], int] = field(factory=dict)

    def term(self, given: Any) -> Any:
        if isinstance(given, Term):
            name, _, fields = given.term_identity()
            key = (name, tuple(fields))
            number = self.constructors.setdefault(key, len(self.constructors))
            return [number, *map(self.term, given.term_arguments())]
        if isinstance(given, Bag):
            return ["bag", *map(self.term, given.items)]
        return ["seq", *map(self.term, given)] if isinstance(given, tuple) else given

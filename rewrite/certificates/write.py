"""Writes certificates: see `docs/reference/certificates.md` for what is in a file."""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rewrite.certificates.verify import VERSION, described
from rewrite.language.bag import Bag
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term

BLOCK = 1 << 16
"""States of a block."""


@frozen
class Evidence:
    """What a certificate shows.

    least    what the cheapest way costs; None: there is none
    way      its states; none if there is no way
    labels   of each state, by its code
    terms    of states; fields, always: how codes are made of their numbers, see `Fields` of the
             checker; None: by digits
    """

    least: int | None
    way: Sequence[State]
    labels: dict[int, int]
    terms: Sequence[Any]
    fields: Sequence[tuple[int, int, Sequence[int | None]]] | None
    always: Sequence[int]


def write(
    file: str | os.PathLike[str], puzzle: Puzzle, start: State, shown: Evidence
) -> tuple[int, int]:
    """Write a certificate; return how many states and bytes it has. The puzzle has the goal that
    was asked for.
    """
    writer, blocks = _Writer(), list[bytes]()
    codes = sorted(shown.labels)
    listed = []
    before = -1
    for at in range(0, len(codes), BLOCK):
        part = codes[at : at + BLOCK]
        steps = [one - last - 1 for last, one in zip([before, *part], part, strict=False)]
        before = part[-1]
        labels = [shown.labels[one] for one in part]
        text = packed(chain(steps, labels))
        blocks.append(lzma.compress(text, preset=4))
        listed.append([len(part), len(blocks[-1]), len(text), sha256(blocks[-1]).hexdigest()])
    head: dict[str, Any] = {
        "puzzle": described(puzzle), "least": shown.least,
        "start": [writer.term(one) for one in start],
        "way": [[writer.term(one) for one in state] for state in shown.way],
        "terms": [writer.term(one) for one in shown.terms],
        "fields": shown.fields, "always": shown.always, "blocks": listed,
    }  # fmt: skip
    whole = _whole({**head, "constructors": [*writer.constructors]}, b"".join(blocks))
    Path(file).write_bytes(whole)
    return len(codes), len(whole)


def named(file: str | os.PathLike[str], words: Sequence[str]) -> None:
    """Say in a certificate by which words of the command line its puzzle is made."""
    head, blocks = taken_apart(Path(file).read_bytes())
    Path(file).write_bytes(_whole({**head, "words": [*words]}, blocks))


def words_of(file: str | os.PathLike[str]) -> list[str]:
    """Return these words; none if there are none, or the file is no certificate."""
    try:
        head, _ = taken_apart(Path(file).read_bytes())
        return [str(one) for one in head.get("words", [])]
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return []


def taken_apart(whole: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header and the blocks of a certificate, nothing of which is checked."""
    _, sums, rest = whole.split(b"\n", 2)
    size = int(sums.split()[0])
    head: dict[str, Any] = json.loads(rest[:size])
    return head, rest[size:]


def _whole(head: dict[str, Any], blocks: bytes) -> bytes:
    text = json.dumps(head).encode()
    return VERSION + f"{len(text)} {sha256(text).hexdigest()}\n".encode() + text + blocks


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

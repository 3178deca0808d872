"""A certificate as it is read: what it claims, and the states it lists with their labels.

`docs/reference/certificates.md` says what is in a file. What is read is sound in itself: of this
puzzle, undamaged, and each number a state. Whether it shows what it claims, `verify` says.
"""

from __future__ import annotations

import json
import lzma
import math
import os
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from attrs import frozen

from rewrite.language.bag import Bag
from rewrite.language.conditions import Condition
from rewrite.language.meaning import normal_goal
from rewrite.language.order import Key, term_key
from rewrite.language.puzzles import Puzzle, constructors, has_costs
from rewrite.language.states import State
from rewrite.language.terms import Term

VERSION = b"rewrite certificate 1\n"
LONGEST, LARGEST = 1 << 26, 1 << 28
"""Bytes of a header, and of a block, unpacked."""
KINDS = ("way", "distances", "hardest")


class Refused(Exception):
    """The certificate does not show what it claims, with the reason."""


def described(puzzle: Puzzle) -> dict[str, list[str]]:
    """Return the parts of a puzzle on which a claim depends, as texts."""
    return {
        "rules": [*map(repr, puzzle.rules)], "facts": [*map(repr, puzzle.facts)],
        "never": [*map(repr, puzzle.never)], "simplify": [*map(repr, puzzle.simplify)],
        "sets": [str(puzzle.sets)], "goal": [repr(puzzle.goal)],
    }  # fmt: skip


class Listed:
    """What a file lists, read and found sound in itself."""

    def __init__(self, file: Any, puzzle: Puzzle) -> None:
        size = os.fstat(file.fileno()).st_size
        if file.readline(len(VERSION)) != VERSION:
            raise Refused("it is no certificate of this version: it does not begin with "
                          f"{VERSION.decode().strip()!r}")  # fmt: skip
        head = self._header(file)
        self.kind = _part(head, "kind", str)
        if self.kind not in KINDS:
            raise Refused(f"it claims {self.kind!r}, and not {' or '.join(map(repr, KINDS))}")
        if self.kind == "distances":
            puzzle = puzzle.replace(goal=None)
        elif not isinstance(puzzle.goal, Condition):
            raise Refused("the puzzle has no goal; give the one that was asked for")
        else:
            puzzle = puzzle.replace(goal=normal_goal(puzzle, puzzle.goal))
        self.puzzle = puzzle
        self._compare(_part(head, "puzzle", dict))
        named = [(one.term_identity(), one) for one in constructors(puzzle)]
        classes = {(name, fields): one for (name, _, fields), one in named}
        terms = [_term(one, head, classes) for one in _part(head, "terms", list)]
        self.coding = _coding(head, terms)
        kinds = {"way": (int, type(None)), "distances": type(None), "hardest": int}
        self.least: int | None = _part(head, "least", kinds[self.kind])
        self.most = math.inf  # the highest label that there may be
        if self.least is not None:
            self.most = self.least + (1 if self.kind == "hardest" else -1)
        states = [_part(head, "start", list), *_part(head, "way", list)]
        if not all(isinstance(one, list) for one in states):
            raise Refused("a state of its way is no list")
        self.start, *self.way = [State.of(_term(["seq", *one], head, classes)) for one in states]
        self.codes: list[int] = []
        self.labels: list[int] = []
        room = size - file.tell()
        for number, block in enumerate(_part(head, "blocks", list), 1):
            place = f"block {number}, from byte {file.tell():,}"
            if not isinstance(block, list) or [type(one) for one in block] != [int, int, int, str]:
                raise Refused(f"{place}: its header does not describe it")
            count, size, unpacked, known = block
            if not (0 <= size <= room and 0 <= 2 * count <= unpacked <= LARGEST):
                raise Refused(f"{place}: it cannot be as large as its header says")
            room -= size
            self._read(place, file.read(size), count, unpacked, known)
        if room:
            raise Refused(f"after its last block there are {room:,} bytes more")

    @staticmethod
    def _header(file: Any) -> dict[str, Any]:
        told = file.readline(80).split()
        if len(told) != 2 or not told[0].isdigit() or int(told[0]) > LONGEST:
            raise Refused("its second line is not the length of its header and a sum")
        text = file.read(int(told[0]))
        if sha256(text).hexdigest().encode() != told[1]:
            raise Refused("its header is damaged, or the file ends within it")
        try:
            return dict(json.loads(text))
        except (TypeError, ValueError, RecursionError) as error:
            raise Refused(f"its header cannot be read: {error}") from None

    def _compare(self, told: dict[str, Any]) -> None:
        for part, texts in described(self.puzzle).items():
            found = told.get(part)
            if not isinstance(found, list):
                raise Refused(f"it is of another puzzle: it says nothing of {part}=")
            for at, (one, other) in enumerate(zip_longest(found, texts, fillvalue="nothing"), 1):
                if one != other:
                    where = f"{part}= {at}" if len(texts) > 1 else f"{part}="
                    raise Refused(
                        f"it is of another puzzle: {where} is {one} there, and {other} here"
                    )

    def _read(self, place: str, data: bytes, count: int, unpacked: int, known: str) -> None:
        if sha256(data).hexdigest() != known:
            raise Refused(f"{place}: it is damaged")
        try:
            unpacker = lzma.LZMADecompressor(memlimit=LARGEST)
            text = unpacker.decompress(data, unpacked + 1)
        except lzma.LZMAError as error:
            raise Refused(f"{place}: {error}") from None
        code, found = (self.codes or [-1])[-1], [*_numbers(text, place)]
        whole = unpacker.eof and not unpacker.unused_data and len(text) == unpacked
        if len(found) != 2 * count or not whole:
            raise Refused(f"{place}: it holds {len(found) // 2:,} states, and not {count:,}")
        for more in found[:count]:
            code += more + 1
            self.codes.append(code)
        for label in found[count:]:
            if label > self.most:
                raise Refused(f"{place}: a label is {label}, and not at most {self.most}")
            self.labels.append(label)

    # -- claims ----------------------------------------------------------------------------
    @property
    def claim(self) -> str:
        if self.kind == "distances":
            most = max(self.labels, default=0)
            return f"{len(self.codes):,} states are reachable, the farthest after {most} steps"
        if self.kind == "hardest":
            return f"the hardest reachable state is {self.least} steps from a goal"
        costs = has_costs(self.puzzle)
        if self.least is None:
            return "there is no way to the goal"
        return f"the {'cheapest' if costs else 'shortest'} way to the goal costs {self.least}"

    def place(self, state: State) -> int | None:
        """Return which of the states this is, from 0; None if it is not among them."""
        code = self.coding.code(state)
        at = len(self.codes) if code is None else bisect_left(self.codes, code)
        return at if at < len(self.codes) and self.codes[at] == code else None

    def label(self, state: State) -> int | None:
        place = self.place(state)
        return None if place is None else self.labels[place]


# -- codes -----------------------------------------------------------------------------------
@frozen
class Fields:
    """States as numbers in which each field, some bits, says which of its terms is there.

    fields   (offset, mask, terms): what each number stands for; None: no term
    always   terms of every state; known: their keys, sorted
    places   for the key of each term, the mask of its field and the bits that it has there
    full     fields in which some term always is
    """

    fields: tuple[tuple[int, int, tuple[Any, ...]], ...]
    always: tuple[Any, ...]
    known: list[Key]
    places: dict[Key, tuple[int, int]]
    full: int

    def state(self, code: int) -> State:
        held = [*self.always]
        for offset, mask, terms in self.fields:
            number = (code & mask) >> offset
            if number >= len(terms):
                raise Refused(f"a state has the number {number} in a field of {len(terms)} terms")
            held += [] if terms[number] is None else [terms[number]]
        return State.of(held)

    def code(self, state: State) -> int | None:
        code, used, others = 0, 0, list[Key]()
        for key in map(term_key, state):
            mask, bits = self.places.get(key, (0, 0))
            if used & mask:
                return None
            others += [] if mask else [key]
            code, used = code | bits, used | mask
        return None if sorted(others) != self.known or self.full & ~used else code


@frozen
class Terms:
    """States as numbers whose digits say which terms there are, the highest first; 0: none."""

    terms: tuple[Any, ...]
    digits: dict[Key, int]

    def state(self, code: int) -> State:
        held = []
        while code > 0 and self.terms:
            code, digit = divmod(code, len(self.terms) + 1)
            held.append(self.terms[digit - 1])  # 0 comes back as another code
        return State.of(held)

    def code(self, state: State) -> int | None:
        code, digits = 0, [self.digits.get(term_key(term), 0) for term in state]
        for digit in sorted(digits, reverse=True):
            code = code * (len(self.terms) + 1) + digit
        return code if all(digits) else None


def _coding(head: dict[str, Any], terms: list[Any]) -> Fields | Terms:
    keys = [term_key(term) for term in terms]
    if len({*keys}) < len(keys):
        raise Refused("it lists a term twice")
    if head.get("fields") is None:
        return Terms(tuple(terms), {key: at for at, key in enumerate(keys, 1)})
    fields, places, full, used = [], dict[Key, tuple[int, int]](), 0, 0
    try:
        for offset, bits, numbers in head["fields"]:
            mask = (1 << bits) - 1 << offset
            known = [one for one in numbers if one is not None]
            fits = 0 < len(numbers) <= 1 << bits and len(known) >= len(numbers) - 1
            if mask & used or not fits or None in numbers[1:] or len({*known}) < len(known):
                raise Refused("its fields overlap, or hold more than they can")
            new = {
                keys[one]: (mask, at << offset) for at, one in enumerate(numbers) if one in known
            }
            if not places.keys().isdisjoint(new):
                raise Refused("a term is in two fields")
            places |= new
            used |= mask
            full |= mask if numbers[0] is not None else 0
            held = [None if one is None else terms[one] for one in numbers]
            fields.append((offset, mask, tuple(held)))
        always = tuple([terms[one] for one in head["always"]])
        fixed = sorted([keys[one] for one in head["always"]])
    except (TypeError, ValueError, LookupError, MemoryError, OverflowError) as error:
        raise Refused(f"its fields cannot be read: {error}") from None
    if not places.keys().isdisjoint(fixed):
        raise Refused("a term of every state is in a field, too")
    return Fields(tuple(fields), always, fixed, places, full)


def _numbers(text: bytes, place: str) -> Iterator[int]:
    """Yield numbers of seven bits a byte, the lowest first; the highest bit says that more come."""
    number = shift = 0
    for byte in text:
        number |= (byte & 127) << shift
        if byte < 128:
            yield number
            number = shift = 0
        else:
            shift += 7
    if shift:
        raise Refused(f"{place}: it ends within a number")


def _part(head: dict[str, Any], name: str, kind: Any) -> Any:
    found = head.get(name, ...)
    if not isinstance(found, kind) or isinstance(found, bool):
        raise Refused(f"its header has no {name}, or a wrong one")
    return found


def _term(given: Any, head: dict[str, Any], classes: dict[Any, type[Term]]) -> Any:
    """Return a term: a number, a text or a truth value is itself; ["seq", …], ["bag", …]; else the
    number of a constructor, and its arguments.
    """
    try:
        if isinstance(given, (int, str)):
            return given
        kind, *parts = given
        inside = [_term(one, head, classes) for one in parts]
        if kind == "seq":
            return tuple(inside)
        if kind == "bag":
            return Bag.of(inside)
        name, fields = head["constructors"][kind]
        cls = classes[name, tuple(fields)]
        if len(inside) != len(fields):
            raise Refused(f"a term {name} has {len(inside)} parts")
        return cls.of_parts(inside)
    except (TypeError, ValueError, LookupError, RecursionError) as error:
        raise Refused(f"its header has a term that is none of this puzzle: {error}") from None

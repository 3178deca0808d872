"""`verify`: checks a certificate, by the definition of the rules and nothing else.

This shares nothing with the engines, the compiler or the search: only `rewrite.language`, with the
definition of what a rule does. `docs/reference/certificates.md` says what is in a file.

A file claims that the cheapest way to a goal costs `least`, or that there is none, and lists states
with a label each, all lower than `least`. That is true if

* the start is among them, labelled 0, or `least` is 0;
* none of them is a goal;
* each step out of one of them, of cost w, leads to a state of at most its label + w
  that is among them, or label + w is `least` or more;
* where a way is claimed, its steps are steps of the rules, and cost `least`, to a goal.

By induction over any way, a label is at most what the way to it costs, while that is less than
`least`. So a goal on the way would be among the states, and none is.
"""

from __future__ import annotations

import json
import lzma
import math
import multiprocessing
import os
import signal
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from attrs import frozen

from rewrite.errors import ReadError, RewriteError, SearchError, tells_unknown_names
from rewrite.language.bag import Bag
from rewrite.language.conditions import Condition
from rewrite.language.meaning import is_goal, simplified, successors
from rewrite.language.nesting import everywhere
from rewrite.language.order import Key, Keyed, term_key
from rewrite.language.patterns import everything_inside
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.states import State
from rewrite.language.terms import Term

VERSION = b"rewrite certificate 1\n"
LONGEST, LARGEST = 1 << 26, 1 << 28
"""Bytes of a header, and of a block, unpacked."""
BATCH = 50  # states that a process checks at a time
Steps = Callable[[State], Sequence[tuple[int, State]]]
"""The steps out of a state: what each costs, and where it leads."""


class Refused(Exception):
    """The certificate does not show what it claims, with the reason."""


@frozen
class Verified:
    """The answer of `verify`; true if the certificate was accepted.

    why      why it was refused; "" if it was not
    claim    what it claims, in words
    states   how many states it lists; checked: of these, whose steps were looked at
    by       what made the steps: "the definition", or the engine that was asked for
    """

    why: str
    claim: str
    states: int
    checked: int
    by: str
    seconds: float

    def __bool__(self) -> bool:
        return not self.why

    def __str__(self) -> str:
        if self.why:
            return f"refused: {self.why}"
        said = f"accepted: {self.claim} ({self.states:,} states, by {self.by}"
        if self.checked < self.states:
            share = min(3 / max(self.checked, 1), 1)  # the rule of three
            said += f"; {self.checked:,} of them chosen at random: 95 % sure that at most "
            said += f"{share:.2%} of the states are wrong"
        return f"{said}, {self.seconds:.1f} s)"


@tells_unknown_names(SearchError, "verify")
def verify(
    file: str | os.PathLike[str],
    puzzle: Puzzle,
    *,
    start: Any = None,
    goal: Any = None,
    sample: float = 1,
    seed: int = 0,
    processes: int | None = None,
    max_seconds: float | None = None,
    progress: Callable[[int, int], Any] | None = None,
    steps: tuple[str, Steps] | None = None,
) -> Verified:
    """Check a certificate of a puzzle, and return the answer, true or false with `.why`.

    start, goal  what was asked for, if not those of the puzzle
    sample     the share of the states whose steps are checked, chosen by `seed`; 1 for all
    processes  how many processes check; by default one for each processor
    progress   called with (states checked, states in all)
    steps      (name, function): what makes the steps, instead of the definition

    Raises ReadError where the file cannot be read, SearchError for wrong arguments. Memory: all
    states, coded. Cost: that of the definition in every state.
    """
    _check_arguments(file, sample, seed, processes, max_seconds, progress)
    given = {name: one for name, one in (("start", start), ("goal", goal)) if one is not None}
    puzzle = the_puzzle("verify", puzzle).replace(**given)
    begun, claim, states, checked = monotonic(), "", 0, 0
    by = "the definition" if steps is None else steps[0]
    try:
        with Path(file).open("rb") as opened:
            listed = Listed(opened, puzzle)
        claim, states = listed.claim, len(listed.codes)
        made = steps[1] if steps is not None else listed.defined
        listed.check_claim(made)
        number = math.ceil(states * sample)
        chosen = sorted(Random(seed).sample(range(states), number)) if sample < 1 else range(states)
        limit = None if max_seconds is None else begun + max_seconds
        for done in _checked(listed, made, chosen, processes, limit):
            checked += done
            if progress is not None:
                progress(checked, len(chosen))
        why = ""
    except (Refused, RewriteError) as refused:
        why = str(refused)
    except OSError as error:
        raise ReadError(f"{file} cannot be read: {error.strerror or error}") from error
    return Verified(why, claim, states, checked, by, monotonic() - begun)


def _check_arguments(
    file: Any, sample: Any, seed: Any, processes: Any, max_seconds: Any, progress: Any
) -> None:
    named = callable(progress) and not isinstance(progress, (type, Keyed))
    for name, value, expected, good in (
        ("file", file, "the name of a file", isinstance(file, (str, os.PathLike))),
        ("sample", sample, "> 0, and at most 1", type(sample) in (int, float) and 0 < sample <= 1),
        ("seed", seed, "a whole number", type(seed) is int),
        ("processes", processes, "1 or more", type(processes) is int and processes > 0),
        ("max_seconds", max_seconds, "a number", type(max_seconds) in (int, float)),
        ("progress", progress, "a function of two numbers", named),
    ):
        if not good and (value is not None or name in ("file", "sample", "seed")):
            raise SearchError(f"verify(…, {name}={value!r}): must be {expected}")


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
        if not isinstance(puzzle.goal, Condition):
            raise Refused("the puzzle has no goal; give the one that was asked for")
        self.puzzle, self.goal = puzzle, puzzle.goal
        size = os.fstat(file.fileno()).st_size
        if file.readline(len(VERSION)) != VERSION:
            raise Refused("it is no certificate of this version: it does not begin with "
                          f"{VERSION.decode().strip()!r}")  # fmt: skip
        head = self._header(file)
        self._compare(_part(head, "puzzle", dict))
        classes = _classes(puzzle)
        self.terms = [_term(one, head, classes) for one in _part(head, "terms", list)]
        self.coding = _coding(head, self.terms)
        self.least = _part(head, "least", (int, type(None)))
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
            if found == texts:
                continue
            if not isinstance(found, list):
                raise Refused(f"it is of another puzzle: it says nothing of {part}=")
            pairs = enumerate(zip(found, texts, strict=False), 1)
            at, (one, other) = next(
                ((at, pair) for at, pair in pairs if pair[0] != pair[1]),
                (0, (f"{len(found)} of them", f"{len(texts)} of them")),
            )
            where = f"{part}= {at}" if at and len(texts) > 1 else f"{part}="
            raise Refused(f"it is of another puzzle: {where} is {one} there, and {other} here")

    def _read(self, place: str, data: bytes, count: int, unpacked: int, known: str) -> None:
        if sha256(data).hexdigest() != known:
            raise Refused(f"{place}: it is damaged")
        try:
            unpacker = lzma.LZMADecompressor(memlimit=LARGEST)
            text = unpacker.decompress(data, unpacked + 1)
        except lzma.LZMAError as error:
            raise Refused(f"{place}: {error}") from None
        code, last, found = (self.codes or [-1])[-1], self.least, [*_numbers(text, place)]
        whole = unpacker.eof and not unpacker.unused_data and len(text) == unpacked
        if len(found) != 2 * count or not whole:
            raise Refused(f"{place}: it holds {len(found) // 2:,} states, and not {count:,}")
        for more in found[:count]:
            code += more + 1
            self.codes.append(code)
        for label in found[count:]:
            if last is not None and label >= last:
                raise Refused(f"{place}: a label is {label}, and not less than {last}")
            self.labels.append(label)

    # -- claims ----------------------------------------------------------------------------
    @property
    def claim(self) -> str:
        """What it claims, in words."""
        costs = any(type(one.cost) is not int or one.cost != 1 for one in self.puzzle.rules)
        if self.least is None:
            return "there is no way to the goal"
        return f"the {'cheapest' if costs else 'shortest'} way to the goal costs {self.least}"

    def check_claim(self, steps: Steps) -> None:
        """Check the start, and the way if there is one."""
        start = simplified(self.puzzle, self.start)
        given = self.puzzle.start
        if given is not None and simplified(self.puzzle, given) != start:
            raise Refused(f"it is of another start: {start} there, and {given} here")
        if self.least is None:
            if self.way:
                raise Refused("it claims that there is no way, and shows one")
        else:
            self._check_way(start, steps)
        if self.least != 0 and self.label(start) != 0:
            raise Refused(f"the start is not among the states with label 0: {start}")

    def _check_way(self, start: State, steps: Steps) -> None:
        if not self.way or self.way[0] != start:
            raise Refused("its way does not begin in the start")
        cost = 0
        for number, (one, other) in enumerate(zip(self.way, self.way[1:], strict=False), 1):
            costs = [w for w, after in steps(one) if after == other]
            if not costs:
                raise Refused(f"step {number} of its way is no step of the rules: from {one}")
            cost += min(costs)
        if cost != self.least:
            raise Refused(f"its way costs {cost}, and it claims {self.least}")
        if not is_goal(self.puzzle, self.way[-1], self.goal):
            raise Refused(f"its way does not end in a goal: {self.way[-1]}")

    # -- states ----------------------------------------------------------------------------
    def label(self, state: State) -> int | None:
        """Return the label of a state, None if it is not among the states."""
        code = self.coding.code(state)
        at = len(self.codes) if code is None else bisect_left(self.codes, code)
        return self.labels[at] if at < len(self.codes) and self.codes[at] == code else None

    def defined(self, state: State) -> list[tuple[int, State]]:
        """Return the steps out of a state by the definition."""
        return [(way.cost, way.after) for way in successors(self.puzzle, state)]

    def check(self, at: int, steps: Steps) -> None:
        """Check one of the states. Raises Refused."""
        state, label, least = self.coding.state(self.codes[at]), self.labels[at], self.least
        if self.coding.code(state) != self.codes[at]:
            raise Refused(f"state {at + 1:,} has no code of a state: {state}")
        if is_goal(self.puzzle, state, self.goal):
            raise Refused(f"state {at + 1:,} is a goal, with label {label}: {state}")
        for cost, after in steps(state):
            if least is not None and label + cost >= least:
                continue
            found = self.label(after)
            if found is None or found > label + cost:
                what = "not among the states" if found is None else f"labelled {found}"
                raise Refused(
                    f"state {at + 1:,}, labelled {label}, has a step of cost {cost} to a state "
                    f"that is {what}: from {state} to {after}"
                )


# -- many states -----------------------------------------------------------------------------
_WORK: list[tuple[Listed, Steps]] = []  # what the processes of a pool inherit


def _checked(
    listed: Listed, steps: Steps, chosen: Sequence[int], processes: int | None, limit: float | None
) -> Iterator[int]:
    """Check the chosen states; yield how many were, now and then."""
    batches = [chosen[at : at + BATCH] for at in range(0, len(chosen), BATCH)]
    wanted = min(processes or os.cpu_count() or 1, len(batches))
    forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    _WORK.append((listed, steps))
    try:
        if wanted > 1 and forks:
            calm = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits
            with multiprocessing.get_context("fork").Pool(wanted, signal.signal, calm) as pool:
                yield from _in_time(pool.imap(_check_batch, batches), limit)
        else:
            yield from _in_time(map(_check_batch, batches), limit)
    finally:
        _WORK.pop()


def _check_batch(batch: Sequence[int]) -> tuple[int, str]:
    """Check some states; return how many, and what was wrong."""
    listed, steps = _WORK[-1]
    try:
        for at in batch:
            listed.check(at, steps)
    except (Refused, RewriteError) as refused:  # a rule may fail in a state that never comes up
        return 0, str(refused)
    return len(batch), ""


def _in_time(results: Iterable[tuple[int, str]], limit: float | None) -> Iterator[int]:
    for done, why in results:
        if why or (limit is not None and monotonic() > limit):
            raise Refused(why or "not checked in the time allowed, and not found wrong so far")
        yield done


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


def _classes(puzzle: Puzzle) -> dict[tuple[str, tuple[str, ...]], type[Term]]:
    """Return the constructors that a puzzle mentions, by name and fields."""
    classes = set(puzzle.classes)
    for part in everywhere((puzzle.start or (), puzzle.goal), everything_inside):
        classes |= {type(part)} if isinstance(part, Term) else {*getattr(part, "constructors", ())}
    named = [(cls.term_identity(), cls) for cls in classes]
    return {(name, tuple(fields)): cls for (name, _, fields), cls in named}


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

"""What makes two questions the same, across processes: readable parts, each with a digest.

A digest of plain data is the same in every process: no ids, no set order. Each value is written
with its type and length, so that different data never yield the same bytes.

User functions cannot be compared. They are identified by qualified name, source text, and the plain
values they close over; one without these is refused. What a function reads from elsewhere, such as
global variables, is ignored.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable
from hashlib import blake2b
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any

from attrs import field, frozen
from attrs.validators import instance_of

from rewrite.language.conditions import Predicate
from rewrite.language.functions import Function, FunctionCall
from rewrite.language.labels import cut
from rewrite.language.nesting import everywhere
from rewrite.language.order import SYMBOLIC, Keyed, term_key
from rewrite.language.patterns import everything_inside
from rewrite.language.puzzles import Puzzle

SIZE = 16
"""Bytes of a digest: enough that collisions do not happen by chance."""

Opened = Callable[[Any], Any]


def digest(value: Any, opened: Opened | None = None) -> str:
    """Return the digest of nested tuples, lists, dicts, sets, texts, bytes and numbers.

    The order of a dict counts: code that numbers things by it depends on that order.

    opened   given a value of any other type, returns plain data to represent it

    >>> digest((1, "a")) == digest((1, "a")), digest((1, "a")) == digest([1, "a"])
    (True, False)
    >>> digest({"b", "a"}) == digest({"a", "b"}), digest(True) == digest(1)
    (True, False)
    """
    made = blake2b(digest_size=SIZE)
    write = made.update
    todo: list[Any] = [value]
    while todo:
        one = todo.pop()
        if one is None:
            write(b"n")
        elif isinstance(one, bool):
            write(b"t" if one else b"f")
        elif isinstance(one, int):
            write(b"i%x;" % one)
        elif isinstance(one, str):
            text = one.encode("utf-8", "surrogatepass")
            write(b"s%d:" % len(text) + text)
        elif isinstance(one, bytes):
            write(b"b%d:" % len(one) + one)
        elif isinstance(one, float):
            write(b"r" + one.hex().encode() + b";")
        elif isinstance(one, (tuple, list)):
            write(b"%s%d:" % (b"(" if isinstance(one, tuple) else b"[", len(one)))
            todo += one[::-1]
        elif isinstance(one, dict):
            write(b"{%d:" % len(one))
            for key, held in [*one.items()][::-1]:
                todo += (held, key)
        elif isinstance(one, (set, frozenset)):
            write(b"<%d:" % len(one))
            todo.append(sorted([digest(part, opened) for part in one]))
        else:
            assert opened is not None, f"{type(one).__name__} is not plain data"
            write(b"o")
            todo.append(opened(one))
    return made.hexdigest()


MOST_TEXT = 2_000
"""Characters of a part kept for display; the digest is of the whole."""


class Unidentified(Exception):
    """A user function that another process could not recognise."""


@frozen
class Part:
    """One part of a question: its name, its text, and a digest of all of it."""

    name: str = field(validator=instance_of(str))
    text: str = field(validator=instance_of(str))
    digest: str = field(validator=instance_of(str))


Identity = tuple[Part, ...]


class Writer:
    """Collects the parts of a question; each user function in them becomes a part of its own.

    strict  whether to refuse a function that cannot be recognised; else its name stands for it
    """

    def __init__(self, strict: bool = True) -> None:
        self.strict = strict
        self.parts: list[Part] = []
        self._functions: dict[int, tuple[Any, Part]] = {}

    def add(self, name: str, text: str, *values: Any) -> None:
        """Add a part: its text, and the terms, patterns or conditions it consists of.

        Raises Unidentified.
        """
        for value in values:
            for one in everywhere(value, everything_inside):
                if isinstance(one, FunctionCall):
                    self._learn(one.function.__wrapped__)
                elif isinstance(one, Predicate):
                    self._learn(one.function)
        keys = [term_key(value) for value in values]
        self.parts.append(Part(name, cut(text, MOST_TEXT), digest(self._named(keys))))

    def add_rules(self, puzzle: Puzzle) -> None:
        """Add the parts of a puzzle that say which steps there are. Raises Unidentified."""
        if puzzle.sets:
            self.add("sets", "True", "True")
        for part, rules in (("rule", puzzle.rules), ("simplify rule", puzzle.simplify)):
            for number, rule in enumerate(rules, 1):
                named = (rule.label, rule.literal, rule.name, rule.free)
                self.add(f"{part} {number}", repr(rule), named, *rule.content)
        self.add("facts", str(puzzle.facts), puzzle.facts)
        for number, given in enumerate(puzzle.never, 1):
            self.add(f"never {number}", repr(given), given)

    def add_function(self, name: str, function: Any) -> None:
        """Add a user function. Raises Unidentified."""
        known = self._learn(function)
        self.parts.append(Part(name, known.text, known.digest))

    @property
    def identity(self) -> Identity:
        """All parts, user functions first: when two rules look alike, it is they that differ."""
        return (*[part for _, part in self._functions.values()], *self.parts)

    def _learn(self, function: Any) -> Part:
        """Return the part of a function, and keep the function alive: it is looked up by id."""
        if id(function) not in self._functions:
            try:
                part = function_part(function)
            except Unidentified:
                if self.strict:
                    raise
                name = f"function {_name(function)}"
                part = Part(name, name, digest(name))
            self._functions[id(function)] = function, part
        return self._functions[id(function)][1]

    def _named(self, keys: Any) -> Any:
        """Return keys with functions replaced by their digests; nested, so from outside in."""
        made: list[Any] = []
        todo: list[Any] = [keys]
        while todo:
            one = todo.pop()
            if not isinstance(one, (tuple, list)):
                made.append(one)
            elif len(one) == 4 and one[0] == SYMBOLIC and one[1] in ("function", "Predicate"):
                made += (one[1], self._functions[one[3]][1].digest)
            else:
                made.append(("of", len(one)))
                todo += one[::-1]
        return made


def function_part(function: Any) -> Part:
    """Return the part that identifies a user function. Raises Unidentified."""
    name = _name(function)
    inner = inspect.unwrap(function) if callable(function) else function
    text = _source(inner, name) if isinstance(inner, FunctionType) else name
    known = digest([function], _Opening(name).opened)
    return Part(f"function {name}", cut(text, MOST_TEXT), known)


def _name(function: Any) -> str:
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def digest_of(puzzle: Puzzle) -> str:
    """Return a short text that changes with the rules, start, goal and functions in them.

    It is the same in every process, and does not depend on the view or the name.
    """
    written = Writer(strict=False)
    written.add_rules(puzzle)
    for part, value in (("start", puzzle.start), ("goal", puzzle.goal)):
        if value is not None:
            written.add(part, "", value)
    return digest([(part.name, part.digest) for part in written.identity])[:18]


def _source(function: FunctionType, name: str) -> str:
    try:
        return textwrap.dedent(inspect.getsource(function)).strip()
    except (OSError, TypeError, SyntaxError, IndentationError):
        raise Unidentified(
            f"{name} has no source text (it was typed in, or made by exec), so another process "
            "could not tell whether it is the same; define it in a file"
        ) from None


class _Opening:
    """Opens one function and what it closes over, each function once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: dict[int, tuple[int, Any]] = {}

    def opened(self, one: Any) -> Any:
        if isinstance(one, CellType):
            try:
                return ("holds", one.cell_contents)
            except ValueError:
                return "nothing yet"
        if id(one) in self.seen:  # a function that calls itself closes over itself
            return ("again", self.seen[id(one)][0])
        self.seen[id(one)] = len(self.seen), one
        if isinstance(one, FunctionType):
            if hasattr(one, "__wrapped__"):
                return ("wraps", one.__wrapped__, self._plain(one))
            return self._plain(one)
        if isinstance(one, Function):
            return ("fn", one.__wrapped__)
        if isinstance(one, functools.partial):
            return ("partial", one.func, one.args, one.keywords)
        if isinstance(one, BuiltinFunctionType) and isinstance(
            one.__self__, (ModuleType, type(None))
        ):
            return ("builtin", one.__module__, one.__qualname__)
        if isinstance(one, ModuleType):
            return ("module", one.__name__)
        if isinstance(one, type):
            return ("class", one.__module__, one.__qualname__)
        if isinstance(one, (Keyed, Puzzle)):
            held = Writer()
            held.add_rules(one) if isinstance(one, Puzzle) else held.add("", "", one)
            return ("term", [part.digest for part in held.identity])
        if callable(one) and hasattr(one, "__wrapped__"):  # functools.cache
            return ("wraps", one.__wrapped__, type(one).__qualname__)
        raise Unidentified(
            f"{self.name} holds a value of type {type(one).__qualname__}, which another process "
            "could not recognise; use a plain function that closes over plain values"
        )

    def _plain(self, one: FunctionType) -> Any:
        closed = dict(zip(one.__code__.co_freevars, one.__closure__ or (), strict=True))
        source = _source(one, one.__qualname__)
        return ("function", one.__qualname__, source, one.__defaults__, one.__kwdefaults__, closed)


# -- comparing -------------------------------------------------------------------------------
MOST_SHOWN = 3
"""Differences an error names; the rest are counted."""
NOT_THERE = "(nothing)"


def differences(before: Iterable[Part], now: Iterable[Part]) -> list[str]:
    """Return the differences between two questions: for each part, both of its texts.

    >>> old, new = Part("goal", "contains(3)", "0a"), Part("goal", "contains(4)", "0b")
    >>> differences([old], [new])
    ['goal: there contains(3), here contains(4)']
    """
    old, new = _by_name(before), _by_name(now)
    found, alike = [], []
    for name in dict.fromkeys([*old, *new]):
        one, other = old.get(name), new.get(name)
        if one is not None and other is not None and one.digest == other.digest:
            continue
        texts = [NOT_THERE if part is None else part.text for part in (one, other)]
        if texts[0] == texts[1]:  # something it mentions differs, or the part cut off
            alike.append(f"{name}, which reads the same, here and there: {_clipped(texts[0], 0)}")
            continue
        at = _first_difference(*texts)
        found.append(f"{name}: there {_clipped(texts[0], at)}, here {_clipped(texts[1], at)}")
    return found or alike


def description(found: list[str]) -> str:
    """Return the first few differences as one text."""
    more = len(found) - MOST_SHOWN
    return "; ".join(found[:MOST_SHOWN]) + (f"; and {more} more" if more > 0 else "")


def _by_name(parts: Iterable[Part]) -> dict[str, Part]:
    """Return parts by name, numbering later ones of the same name."""
    found: dict[str, Part] = {}
    for part in parts:
        name, number = part.name, 1
        while name in found:
            number += 1
            name = f"{part.name} ({number})"
        found[name] = part
    return found


WIDE = 200


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _clipped(text: str, at: int) -> str:
    """Return a text as one line; of a long one, an excerpt around `at`."""
    begin = 0 if len(text) <= WIDE else max(0, at - WIDE // 2)
    part = text[begin : begin + WIDE]
    line = " ".join(part.split())
    return f"{'… ' * (begin > 0)}{line}{' …' * (begin + WIDE < len(text))}"

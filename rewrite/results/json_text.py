"""Terms, states and paths as JSON text and back.

A number, text or truth value is itself (a number of more than 1,000 digits is written in base 16,
because Python limits decimal ones), a sequence is a list, a nested bag [{"bag": true}, …], a
constructor term [{"term": n}, …] where n indexes the list "constructors" of the same text, which
gives module, qualified name and field names. Bags are in canonical order. Each level of a term
costs only one level of JSON, which matters because Python's `json` recurses.

The text may have been edited, so nothing in it is trusted: every value is checked for type, range
and place, and an error says what was found and where.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from attrs import field, frozen

from rewrite.errors import SearchError
from rewrite.language.bag import Bag
from rewrite.language.nesting import MOST_LEVELS, PLAIN
from rewrite.language.puzzles import Puzzle
from rewrite.language.puzzles import constructors as mentioned_by
from rewrite.language.states import State
from rewrite.language.terms import Term

VERSION = 2
"""Raised when an older text would be misread. A text that only lacks a later figure is still read,
with the value that held when it was written."""
SHALLOW = f"a term of at most {MOST_LEVELS} levels (long chains are written as sequences)"
LARGEST_DECIMAL_BITS = 3_300  # about 1,000 digits; Python refuses decimal texts beyond 4,300
Identity = tuple[str, str, tuple[str, ...]]


@frozen
class Writer:
    """Turns terms into values that `json` can write, and collects the constructors it meets."""

    constructors: dict[Identity, int] = field(factory=dict)

    def term(self, value: Any) -> Any:
        if type(value) is tuple:
            return [*map(self.term, value)]
        if isinstance(value, Bag):
            return [{"bag": True}, *map(self.term, value.items)]
        if isinstance(value, Term):
            number = self.constructors.setdefault(value.term_identity(), len(self.constructors))
            return [{"term": number}, *map(self.term, value.term_arguments())]
        if type(value) is int and value.bit_length() > LARGEST_DECIMAL_BITS:
            return {"int": hex(value)}
        return value

    def terms(self, values: Iterable[Any]) -> list[Any]:
        return [self.term(value) for value in values]

    def text(self, kind: str, puzzle: Puzzle, content: Mapping[str, Any]) -> str:
        listed = [
            {"module": module, "name": name, "fields": list(fields)}
            for name, module, fields in self.constructors
        ]
        head = {"rewrite": kind, "version": VERSION, "puzzle": puzzle.name, "constructors": listed}
        return json.dumps(head | dict(content), ensure_ascii=False)


@frozen
class Reading:
    """A value of a JSON document and its place; each method checks for one kind of value."""

    value: Any
    where: str
    kind: str
    constructors: tuple[type[Term], ...] = ()

    def wrong(self, expected: str, value: Any = ...) -> NoReturn:
        found = self.value if value is ... else value
        raise SearchError(
            f"this JSON text is not a complete {self.kind}: {self.where} must be {expected}; found "
            f"{shortly(found)}",
            where=self.where,
            expected=expected,
            found=found,
        )

    def of(self, value: Any, where: str) -> Reading:
        return Reading(value, where, self.kind, self.constructors)

    def part(self, name: str) -> Reading:
        place = f"{self.where}.{name}" if self.where else name
        if not self.holds(name):
            held = sorted(self.value) if type(self.value) is dict else self.value
            expected = f"an object with {name!r}"
            self.of(held, self.where or "the whole").wrong(expected)
        return self.of(self.value[name], place)

    def holds(self, name: str) -> bool:
        return type(self.value) is dict and name in self.value

    def parts(self) -> list[Reading]:
        if type(self.value) is not list:
            self.wrong("a list")
        return [self.of(one, f"{self.where}[{i}]") for i, one in enumerate(self.value)]

    def named(self) -> dict[str, Reading]:
        if type(self.value) is not dict:
            self.wrong("an object")
        return {name: self.of(one, f"{self.where}.{name}") for name, one in self.value.items()}

    def text(self, *choices: str) -> str:
        if type(self.value) is not str or (choices and self.value not in choices):
            self.wrong(f"one of {', '.join(choices)}" if choices else "a text")
        return self.value

    def truth(self) -> bool:
        if type(self.value) is not bool:
            self.wrong("true or false")
        return self.value

    def count(self) -> int:
        number = self.value
        if type(number) is dict:
            number = self.term()
        if type(number) is not int or number < 0:
            self.wrong("a whole number of 0 or more")
        return number

    def number(self) -> float:
        if type(self.value) not in (int, float) or not 0 <= self.value < float("inf"):
            self.wrong("a number of 0 or more")
        return self.value  # type: ignore[no-any-return]

    def read(self, question: str, *more: str) -> Any:
        return getattr(self, question)(*more)

    def maybe(self, question: str, *more: str) -> Any:
        return None if self.value is None else self.read(question, *more)

    def each(self, question: str) -> list[Any]:
        return [one.read(question) for one in self.parts()]

    def term(self) -> Any:
        return _term(self.value, self, MOST_LEVELS)

    def state(self) -> State:
        return State.of(self.each("term"))


def _term(value: Any, at: Reading, room: int) -> Any:
    if type(value) in PLAIN:
        return value
    if not room:
        at.wrong(SHALLOW)
    made: Callable[[list[Any]], Any] = tuple
    match value:
        case {"int": str(text), **rest} if not rest:
            try:
                return int(text, 16)
            except ValueError:
                at.wrong("a term, and a large number is written in base 16", {"int": text})
        case [{"bag": True, **rest}, *items] if not rest:
            made = Bag.of
        case [{"term": number, **rest}, *items] if not rest:
            made = _constructor(number, at)
        case [*items]:
            pass
        case {"bag": list(items), **rest} if not rest:  # the forms of version 1
            made = Bag.of
        case {"term": number, "with": list(items), **rest} if not rest:
            made = _constructor(number, at)
        case _:
            at.wrong("a term", value)
    parts: list[Any] = []
    for item in items:
        parts.append(_term(item, at, room - 1))
    return made(parts)


def _constructor(number: Any, at: Reading) -> Callable[[list[Any]], Any]:
    known = at.constructors
    if type(number) is not int or not 0 <= number < len(known):
        at.wrong(f"a term whose constructor is one of the {len(known)} listed", {"term": number})
    cls = known[number]

    def made(parts: list[Any]) -> Any:
        if len(parts) != len(cls.term_fields):
            at.wrong(f"a term {cls.term_signature()}", f"{cls.__name__} with {len(parts)} values")
        return cls.of_parts(parts)

    return made


def shortly(value: Any) -> str:
    try:
        text = repr(value) if type(value) is str else json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"


@frozen
class PathData:
    states: tuple[State, ...]
    bindings: dict[str, Any]
    labels: tuple[str, ...]
    costs: tuple[int | None, ...]
    cost: int | None


def read_path(at: Reading) -> PathData:
    states = tuple(at.part("states").each("state"))
    if not states:
        at.part("states").wrong("a list of one state or more")
    labels = tuple(at.part("labels").each("text"))
    # older texts have no cost, or none of each step
    cost = at.part("cost").count() if at.holds("cost") else None
    costs = tuple(at.part("costs").each("count")) if at.holds("costs") else (None,) * len(labels)
    for name, listed in ("labels", labels), ("costs", costs):
        if len(listed) != len(states) - 1:
            expected = f"a list of {len(states) - 1} {name}, one for each step between the states"
            at.part(name).wrong(expected, f"{len(listed)} of them")
    bindings = {name: one.term() for name, one in at.part("bindings").named().items()}
    return PathData(states, bindings, labels, costs, cost)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the key {twice!r} twice")
    return made


def opened(text: str, kind: str, puzzle: Puzzle, constructors: Iterable[type] = ()) -> Reading:
    if not isinstance(text, (str, bytes, bytearray)):
        raise SearchError(f"from_json reads a text; found a {type(text).__name__}", found=text)
    if not isinstance(puzzle, Puzzle):
        raise SearchError(
            f"from_json(…, {puzzle!r}): the second argument is the Puzzle that the text is of",
            found=puzzle,
        )
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except ValueError as error:
        raise SearchError(f"this is not a JSON text: {error}") from None
    except RecursionError:
        raise SearchError(
            f"this JSON text nests too deep to be read; where a term stands is needed {SHALLOW}"
        ) from None
    if not isinstance(found, dict) or found.get("rewrite") != kind:
        other = found.get("rewrite") if isinstance(found, dict) else None
        raise SearchError(
            f"this JSON text holds no {kind} of rewrite"
            + (f", but a {other}: read it with {other.title()}.from_json"
               if other in ("path", "result") else ""),
            found=other,
        )  # fmt: skip
    if found.get("version") not in (1, VERSION) or type(found["version"]) is not int:
        raise SearchError(
            f"this {kind} was written in version {found.get('version')!r} of the JSON form; this "
            f"rewrite reads version {VERSION} and 1. Read it with the rewrite that wrote it",
            version=found.get("version"),
        )
    whole = Reading(found, "", kind)
    whole.part("puzzle").text()
    known = {made.term_identity(): made for made in mentioned_by(puzzle)}
    known |= {made.term_identity(): made for made in constructors if issubclass(made, Term)}
    listed = [
        (
            one.part("name").text(),
            one.part("module").text(),
            tuple(one.part("fields").each("text")),
        )
        for one in whole.part("constructors").parts()
    ]
    for identity in listed:
        if identity not in known:
            raise SearchError(
                f"this {kind} holds terms {_shown(identity)}, which {puzzle.name} does not "
                f"mention; it mentions {', '.join(map(_shown, known)) or 'no constructors'}. Read "
                "it with the puzzle it is of, or give the class: constructors=[…]",
                constructor=identity,
            )
    return Reading(found, "", kind, tuple([known[identity] for identity in listed]))


def _shown(identity: Identity) -> str:
    name, module, fields = identity
    return f"{name}({', '.join(fields)}) of {module}"

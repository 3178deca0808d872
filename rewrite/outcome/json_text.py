"""Terms, states and paths as JSON text and back.

A number, text or truth value is itself (a number of more than 1,000 digits is written in base 16,
because Python limits decimal ones), a sequence is a list, a nested bag {"bag": [...]}, a
constructor term {"term": n, "with": [...]} where n counts in the list "constructors" of the same
text, which gives module, qualified name and field names. Bags stand in canonical order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from rewrite.errors import SearchError
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable
from rewrite.language.functions import OneOf
from rewrite.language.patterns import parts
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.language.symmetry import Interchangeable
from rewrite.language.terms import Term

if TYPE_CHECKING:
    from rewrite.outcome.path import Path

VERSION = 1
LARGEST_DECIMAL_BITS = 3_300  # about 1,000 digits; Python refuses decimal texts beyond 4,300
Identity = tuple[str, str, tuple[str, ...]]


@frozen
class Writer:
    """Turns terms into what `json` can write, and collects the constructors it met."""

    constructors: dict[Identity, int] = field(factory=dict)

    def term(self, value: Any) -> Any:
        """Return the JSON value of a ground term."""
        if type(value) is int:
            small = value.bit_length() <= LARGEST_DECIMAL_BITS
            return value if small else {"int": hex(value)}
        if isinstance(value, tuple):
            return self.terms(value)
        if isinstance(value, Bag):
            return {"bag": self.terms(value)}
        if isinstance(value, Term):
            number = self.constructors.setdefault(value.term_identity(), len(self.constructors))
            return {"term": number, "with": self.terms(value.term_arguments())}
        return value

    def terms(self, values: Iterable[Any]) -> list[Any]:
        """Return the JSON values of ground terms."""
        return [self.term(value) for value in values]

    def path(self, path: Path) -> dict[str, Any]:
        """Return the JSON value of a path."""
        bindings = {name: self.term(value) for name, value in path.bindings.items()}
        states = [self.terms(state) for state in path.states]
        return {"labels": path.labels, "bindings": bindings, "states": states}

    def text(self, kind: str, puzzle: Puzzle, content: Mapping[str, Any]) -> str:
        """Return the JSON text of a whole document."""
        listed = [
            {"module": module, "name": name, "fields": list(fields)}
            for name, module, fields in self.constructors
        ]
        head = {"rewrite": kind, "version": VERSION, "puzzle": puzzle.name, "constructors": listed}
        return json.dumps(head | dict(content), ensure_ascii=False)


@frozen
class Reader:
    """Turns JSON values back into terms, with the constructors of a puzzle."""

    constructors: list[type[Term]]

    def term(self, value: Any) -> Any:
        """Return the ground term of a JSON value. Raises SearchError for what is none."""
        if type(value) in (int, str, bool):
            return value
        if isinstance(value, list):
            return tuple(map(self.term, value))
        match value:
            case {"int": str(text)}:
                return int(text, 16)
            case {"bag": list(items)}:
                return Bag(map(self.term, items))
            case {"term": int(number), "with": list(items)}:
                made = self.constructors[number]
                if len(items) == len(made.term_fields):
                    term = made.__new__(made)
                    term.__attrs_init__(*map(self.term, items))  # type: ignore[attr-defined]
                    return term
        raise SearchError(f"this JSON holds {value!r}, which is no term", found=value)

    def state(self, values: list[Any]) -> State:
        """Return the state of a list of JSON values."""
        return State.of(map(self.term, values))

    def path(self, value: Mapping[str, Any]) -> tuple[list[State], dict[str, Any]]:
        """Return states and bindings of a path."""
        bindings = {name: self.term(one) for name, one in value["bindings"].items()}
        return [self.state(state) for state in value["states"]], bindings


def opened(
    text: str, kind: str, puzzle: Puzzle, constructors: Iterable[type] = ()
) -> tuple[dict[str, Any], Reader]:
    """Return the content of a JSON text of this kind and a reader for it. Raises SearchError."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise SearchError(f"this is no JSON text: {error}") from None
    if not isinstance(found, dict) or found.get("rewrite") != kind:
        other = found.get("rewrite") if isinstance(found, dict) else None
        raise SearchError(
            f"this JSON text holds no {kind} of rewrite"
            + (f" but a {other}: read it with {other.title()}.from_json" if other else ""),
            found=other,
        )
    if found.get("version") != VERSION:
        raise SearchError(
            f"this {kind} was written in version {found.get('version')!r} of the JSON form; this "
            f"rewrite reads version {VERSION}. Read it with the rewrite that wrote it",
            version=found.get("version"),
        )
    known = {made.term_identity(): made for made in mentioned_constructors(puzzle)}
    known |= {made.term_identity(): made for made in constructors if issubclass(made, Term)}
    listed = [
        (one["name"], one["module"], tuple(one["fields"])) for one in found.get("constructors", [])
    ]
    for identity in listed:
        if identity not in known:
            raise SearchError(
                f"this {kind} holds terms {_shown(identity)}, which {puzzle.name} does not "
                f"mention; it mentions {', '.join(map(_shown, known)) or 'no constructors'}. Read "
                "it with the puzzle it is of, or give the class: constructors=[…]",
                constructor=identity,
            )
    return found, Reader([known[identity] for identity in listed])


def _shown(identity: Identity) -> str:
    name, module, fields = identity
    return f"{name}({', '.join(fields)}) of {module}"


def path_to_json(path: Path) -> str:
    """Return the JSON text of a path."""
    writer = Writer()
    return writer.text("path", path.puzzle, writer.path(path))


def path_from_json(
    text: str, puzzle: Puzzle, constructors: Iterable[type]
) -> tuple[list[State], dict[str, Any]]:
    """Return states and bindings of the path in a JSON text."""
    found, reader = opened(text, "path", puzzle, constructors)
    with broken("path"):
        return reader.path(found)


@contextmanager
def broken(kind: str) -> Iterator[None]:
    """Tell what goes wrong in a document that is JSON but has not our form as a SearchError."""
    try:
        yield
    except SearchError:
        raise
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise SearchError(
            f"this JSON text is no whole {kind}: {type(error).__name__}: {error}"
        ) from error


def mentioned_constructors(puzzle: Puzzle) -> list[type[Term]]:
    """Return the constructors that occur anywhere in a puzzle, in order of occurrence."""
    rules = (*puzzle.rules, *puzzle.simplify)
    roots: list[Any] = [puzzle.start or (), puzzle.facts, *puzzle.never, puzzle.goal]
    for one in puzzle.symmetry:
        roots += [one.values] if isinstance(one, Interchangeable) else [one.pairs]
    for rule in rules:
        roots += [rule.take, rule.keep, rule.put, rule.absent, rule.when, rule.let, rule.cost]
    found = {made.term_identity(): made for root in roots for made in _constructors(root)}
    return list(found.values())


def _constructors(value: Any) -> Iterator[type[Term]]:
    if isinstance(value, Term):
        yield type(value)
    if isinstance(value, Variable):
        yield from value.constructors
        return
    if isinstance(value, Splice):
        children: tuple[Any, ...] = (value.inner,)
    elif isinstance(value, OneOf):
        options = value.options
        children = options if isinstance(options, tuple) else (options,)
    elif hasattr(value, "inner_parts"):
        children = value.inner_parts()
    elif isinstance(value, Expression):
        children = value.children()
    else:
        children = parts(value)
    for child in children:
        yield from _constructors(child)

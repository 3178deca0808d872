"""Puzzles: rules, a start, a goal and what surrounds them; a frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any

import attrs
from attrs import field, frozen

from rewrite.errors import PuzzleError, RewriteError, tells_unknown_names
from rewrite.language.conditions import (
    Condition,
    conditions,
    goal_condition,
)
from rewrite.language.order import Key, Keyed, term_key
from rewrite.language.rules import Rule, asks_terminal, check_condition
from rewrite.language.states import State
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.language.travel import by_name


@frozen(eq=False, repr=False, init=False, slots=False)
class Puzzle:
    """A puzzle as a value: frozen, compared by content; `replace(...)` gives a changed one.

    rules     rules, or nested lists of rules
    start     the first state: a list of terms, a Counter or a State
    goal      a condition, a function State -> bool, a State or a list of States
    facts     terms that every state has and no rule takes; not stored in states
    never     conditions; a state that meets one of them is not entered
    simplify  rules applied after every step until none applies; the state stored is the normal form
    symmetry  `relabel(...)` and `interchangeable(...)` declarations
    show      a view of a state for people, or a function State -> str
    name      how messages call it

    Raises PuzzleError, or the error of the part that is wrong.
    """

    rules: tuple[Rule, ...]
    start: State | None = field(default=None)
    goal: Condition | None = field(default=None)
    facts: State = field(factory=State)
    never: tuple[Condition, ...] = field(default=())
    simplify: tuple[Rule, ...] = field(default=())
    symmetry: tuple[Any, ...] = field(default=())
    show: Any = field(default=None)
    name: str = field(default="puzzle")

    @tells_unknown_names(PuzzleError, "Puzzle")
    def __init__(
        self,
        *rules: Any,
        start: Any = None,
        goal: Any = None,
        facts: Any = (),
        never: Any = (),
        simplify: Any = (),
        symmetry: Any = (),
        show: Any = None,
        name: str | None = None,
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise PuzzleError(f"Puzzle(…, name={name!r}): a name is a text")
        title = name or "puzzle"
        self.__attrs_init__(
            rules=_rules(title, "rules", rules),
            start=None if start is None else State(start),
            goal=None if goal is None else goal_condition(goal),
            facts=_facts(title, facts),
            never=_never(title, never),
            simplify=_rules(title, "simplify", simplify),
            symmetry=_symmetry(title, symmetry),
            show=show,
            name=title,
        )
        if not self.rules:
            raise PuzzleError(f"{title}: a puzzle needs at least one rule: Puzzle(rule(…), …)")
        for given in self.never:
            check_condition(f"{title}: never={given!r}", given, {})
            if asks_terminal(given):
                raise PuzzleError(
                    f"{title}: never={given!r}: terminal() would depend on itself; remove it, dead "
                    "ends are never on a path to a goal anyway"
                )
        if self.goal is not None:
            check_condition(f"{title}: goal={self.goal!r}", self.goal, {})
        if show is not None and not callable(show):
            raise PuzzleError(
                f"{title}: show={show!r} must be a view such as grid(…), or a function State -> str"
            )

    def replace(self, **changes: Any) -> Puzzle:
        """Return the puzzle with some of its parts changed."""
        known = [one.name for one in attrs.fields(Puzzle)]
        for name in changes:
            if name not in known:
                raise PuzzleError(f"a puzzle has no part {name!r}; it has {', '.join(known)}")
        values = {name: getattr(self, name) for name in known} | changes
        rules = values.pop("rules")
        return Puzzle(*(rules if isinstance(rules, (list, tuple)) else [rules]), **values)

    def key(self) -> Key:
        """Return what makes two puzzles the same one: a function in `show` is itself alone."""
        conditions_ = (*self.never, self.goal) if self.goal is not None else self.never
        return (
            tuple(one.key() for one in self.rules),
            term_key(self.start) if self.start is not None else None,
            tuple(term_key(given) for given in conditions_),
            self.goal is None,
            term_key(self.facts),
            tuple(one.key() for one in self.simplify),
            tuple(term_key(one) for one in self.symmetry),
            content_of(self.show),
            self.name,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self.show, FunctionType):
            by_name(self.show, f"{self.name}: the view show=")
        return _puzzle, (vars(self).copy(),)

    def __copy__(self) -> Puzzle:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Puzzle:
        return self

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.rules)} rule{'s' * (len(self.rules) != 1)}>"


def _puzzle(parts: dict[str, Any]) -> Puzzle:
    made = Puzzle.__new__(Puzzle)
    made.__attrs_init__(**parts)
    return made


def content_of(value: Any) -> Any:
    """Return what makes two views the same one: their kind and what they were made from."""
    if isinstance(value, Keyed):
        return term_key(value)
    if isinstance(value, (list, tuple)):
        return tuple([content_of(part) for part in value])
    if isinstance(value, Mapping):
        return tuple([(content_of(k), content_of(v)) for k, v in value.items()])
    if attrs.has(type(value)):
        fields = [content_of(getattr(value, one.name)) for one in attrs.fields(type(value))]
        return (type(value), *fields)
    return (type(value), value) if isinstance(value, (str, int)) else id(value)


def _flat(items: Any) -> Iterator[Any]:
    for item in items:
        if isinstance(item, (list, tuple)) or (
            isinstance(item, Iterable) and not isinstance(item, (str, Rule))
        ):
            yield from _flat(item)
        else:
            yield item


def _rules(title: str, part: str, given: Any) -> tuple[Rule, ...]:
    single = isinstance(given, Rule) or not isinstance(given, Iterable)
    found = list(_flat([given] if single else given))
    for one in found:
        if not isinstance(one, Rule):
            raise PuzzleError(
                f"{title}: {one!r} is no rule; {part} are made by rule(label, take=[…], put=[…])"
                + ("; start= and goal= are given by name" if part == "rules" else "")
            )
    return tuple(found)


def _facts(title: str, facts: Any) -> State:
    try:
        return State(facts)
    except RewriteError as error:
        raise PuzzleError(f"{title}: facts=: {error.message}") from None


def _never(title: str, given: Any) -> tuple[Condition, ...]:
    try:
        return conditions(given)
    except RewriteError as error:
        raise PuzzleError(f"{title}: never=: {error.message}") from None


def _symmetry(title: str, given: Any) -> tuple[Any, ...]:
    found = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    for one in found:
        if not isinstance(one, (Relabel, Interchangeable)):
            raise PuzzleError(f"{title}: symmetry={one!r}: write relabel(pattern, image) or "
                              "interchangeable(value, value, …)")  # fmt: skip
    return found

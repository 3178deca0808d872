"""Puzzles: rules, a start, a goal and the rest; a frozen value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import FunctionType
from typing import Any, TypeVar

import attrs
from attrs import field, frozen

from rewrite.errors import (
    FAILURES,
    PuzzleError,
    RewriteError,
    SearchError,
    ViewError,
    described,
    tells_unknown_names,
)
from rewrite.language.arguments import named, refuse_unlisted, takes_one
from rewrite.language.checks import (
    asks_terminal,
    check_condition,
    check_kinds,
    check_texts,
    held,
    suspicious,
)
from rewrite.language.conditions import Condition, conditions, goal_condition
from rewrite.language.expressions import Expression, decided
from rewrite.language.faces import Faced
from rewrite.language.order import Frozen, Key, Keyed, term_key
from rewrite.language.patterns import classes
from rewrite.language.pickling import by_name
from rewrite.language.rules import Rule
from rewrite.language.states import State, as_state
from rewrite.language.symmetry import Interchangeable, Relabel
from rewrite.language.terms import Term

T = TypeVar("T")


@frozen(cache_hash=True)
class Definition:
    """The rules of a puzzle and what belongs to them, as a key with a cached hash.

    User functions are compared by identity, constructors by their classes.
    """

    rules: tuple[Rule, ...]
    simplify: tuple[Rule, ...]
    facts: Key
    never: tuple[Key, ...]
    symmetry: tuple[Key, ...]
    classes: frozenset[type[Term]]
    sets: bool
    name: str


@frozen(eq=False, repr=False, init=False, slots=False)
class Puzzle(Frozen, Faced):
    """A puzzle as a value: frozen, compared by content; `replace(...)` gives a changed one.

    rules     rules, or nested lists of rules
    start     the first state: a list of terms, a Counter or a State
    goal      a condition, a function State -> bool, a State or a list of States
    facts     terms that every state has and no rule takes; not stored in states
    never     conditions; a state that meets one of them is not entered
    simplify  rules applied after every step until none applies; the normal form is stored
    symmetry  `relabel(...)` and `interchangeable(...)` declarations
    show      a view of a state, or a function State -> str
    sets      True: a state is a set: to put a term that is there already changes nothing
    name      the name used in messages

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
    sets: bool = field(default=False)
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
        sets: bool = False,
        name: str | None = None,
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise PuzzleError(f"Puzzle(…, name={name!r}): a name is a text")
        title = name or "puzzle"
        if sets is not True and sets is not False:
            raise PuzzleError(f"{title}: sets={sets!r} must be True or False")
        self.__attrs_init__(
            rules=_rules(title, "rules", rules),
            start=None if start is None else as_state(start),
            goal=None if goal is None else goal_condition(goal),
            facts=_part(title, "facts", State, facts),
            never=_part(title, "never", conditions, never),
            simplify=_rules(title, "simplify", simplify),
            symmetry=_symmetry(title, symmetry),
            show=show,
            sets=sets,
            name=title,
        )
        for made in (*self.rules, *self.simplify):
            if made.effects and not sets:
                raise PuzzleError(
                    f"{title}: rule {made.name!r}: effects= are for puzzles of sets: give sets=True"
                )
        for made in self.simplify:
            # the reader of PDDL gives derived predicates cost=0, and they do cost nothing
            costs = type(made.cost) is not int or made.cost > 1
            for part, given in {"effects": made.effects, "free": made.free, "cost": costs}.items():
                if given:
                    raise PuzzleError(
                        f"{title}: rule {made.name!r}: simplify= takes no {part}=: its rules are "
                        f"part of a step. Leave {part}= out, or give it to the rules of the puzzle"
                    )
        for given in self.never:
            check_condition(f"{title}: never={given!r}", given, {})
            if asks_terminal(given):
                raise PuzzleError(
                    f"{title}: never={given!r}: terminal() would depend on itself; remove it, dead "
                    "ends are never on a path to a goal anyway"
                )
        if self.goal is not None:
            check_condition(f"{title}: goal={self.goal!r}", self.goal, {})
        for part in ("start", "facts", "never", "goal"):
            check_slips(self, f"{part}=", getattr(self, part))
        if show is not None and (not callable(show) or isinstance(show, (Expression, type))):
            raise PuzzleError(
                f"{title}: show={show!r} must be a view such as grid(…), or a function State -> str"
            )
        if show is not None and not takes_one(show):
            raise PuzzleError(
                f"{title}: show={named(show)}: a view takes one argument, the State, and returns a "
                "text"
            )

    def shown(self, state: State) -> str:
        """Return the text of a state: by `show`, or as it prints. Raises ViewError."""
        if self.show is None:
            return str(state)
        try:
            found = self.show(state)
        except RewriteError:
            raise
        except FAILURES as cause:
            raise ViewError(
                f"{self.name}: show={named(self.show)} failed in state {state}: {described(cause)}",
                state=state,
                function=self.show,
            ) from cause
        if not isinstance(found, str):
            hint = ": is a return missing?" if found is None else ""
            raise ViewError(
                f"{self.name}: show={named(self.show)}: {named(self.show)} returned {found!r} in "
                f"state {state}; a view returns a text{hint}",
                state=state,
                found=found,
            )
        return found

    def replace(self, **changes: Any) -> Puzzle:
        """Return the puzzle with some of its parts changed."""
        for name in changes:
            if name not in self._parts:
                raise PuzzleError(f"a puzzle has no part {name!r}; it has {', '.join(self._parts)}")
        if changes.keys() == {"start"}:
            return self._started(changes["start"])
        values = self._parts | changes
        rules = values.pop("rules")
        return Puzzle(*(rules if isinstance(rules, (list, tuple)) else [rules]), **values)

    @property
    def _parts(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in attrs.fields(Puzzle)}

    def _started(self, start: Any) -> Puzzle:
        """Return the puzzle with another start; all else has been checked before."""
        made = self.begun(None if start is None else as_state(start), self.goal)
        check_slips(made, "start=", made.start)
        return made

    def begun(self, start: State | None, goal: Condition | None) -> Puzzle:
        """Return the puzzle with a start and a goal, which have been checked."""
        made = Puzzle.__new__(Puzzle)
        _ = self.definition  # computed once for all puzzles derived from this one
        made.__dict__.update(self.__dict__, start=start, goal=goal)
        return made

    def key(self) -> Key:
        """Return the puzzle's identity as a key (user functions by identity)."""
        return (
            attrs.evolve(self.definition, classes=frozenset()),  # declared again, they are the same
            *[None if one is None else term_key(one) for one in (self.start, self.goal)],
            self.show.term_key() if isinstance(self.show, Keyed) else id(self.show),
        )

    @cached_property
    def definition(self) -> Definition:
        """The part shared by puzzles that differ only in start, goal and view."""
        return Definition(
            self.rules,
            self.simplify,
            term_key(self.facts),
            tuple(term_key(given) for given in self.never),
            tuple(term_key(one) for one in self.symmetry),
            self.classes,
            self.sets,
            self.name,
        )

    @cached_property
    def classes(self) -> frozenset[Any]:
        """The constructor classes that rules, facts and `never` mention."""
        rules = [one.classes for one in (*self.rules, *self.simplify)]
        return self.facts.classes.union(*(one.classes for one in self.never), *rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self.show, FunctionType):
            by_name(self.show, f"{self.name}: the view show=")
        return _puzzle, (self._parts,)

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.rules)} rule{'s' * (len(self.rules) != 1)}>"


def _puzzle(parts: dict[str, Any]) -> Puzzle:
    made = Puzzle.__new__(Puzzle)
    made.__attrs_init__(**parts)
    return made


def the_puzzle(function: str, given: Any) -> Puzzle:
    """Return the first argument of a function if it is a puzzle. Raises SearchError."""
    if isinstance(given, Puzzle):
        return given
    rules = given if isinstance(given, (list, tuple)) else [given]
    made = all(isinstance(one, Rule) for one in rules) and bool(rules)
    out = "; make one of it: Puzzle(rule, …)" if made else ""
    raise SearchError(f"{function}({given!r}, …): the first argument is a Puzzle{out}", found=given)


def constructors(puzzle: Puzzle) -> list[type[Term]]:
    """Return the constructor classes that any part of a puzzle mentions, by name."""
    others = classes((puzzle.start or (), puzzle.goal, puzzle.symmetry))
    return sorted(puzzle.classes | others, key=lambda one: one.term_identity())


def has_costs(puzzle: Puzzle) -> bool:
    """Whether some step may have a cost other than 1."""
    return any(type(rule.cost) is not int or rule.cost != 1 for rule in puzzle.rules)


def check_slips(puzzle: Puzzle, part: str, value: Any) -> None:
    """Refuse texts and names that were meant as variables of the puzzle."""
    if value is None or (type(value) is tuple and not value):
        return
    if isinstance(value, State) and not any(map(suspicious, value.texts)):
        return  # it contains no variables, so nothing can be a slip for one
    where, (mine, texts) = f"{puzzle.name}: {part}", held(value)
    check_kinds(where, mine)
    check_texts(where, texts, mine)
    if any("{" in text for text in texts):
        for one in (*puzzle.rules, *puzzle.simplify):
            check_texts(where, texts, one.bound | mine, written=False)


def _flat(items: Any, where: str) -> Iterator[Any]:
    for item in items:
        if isinstance(item, Iterable) and not isinstance(item, (str, Rule)):
            refuse_unlisted(where, item, PuzzleError)
            yield from _flat(item, where)
        else:
            yield item


def _rules(title: str, part: str, given: Any) -> tuple[Rule, ...]:
    refuse_unlisted(f"{title}: {part}=", given, PuzzleError)
    single = isinstance(given, (Rule, str)) or not isinstance(given, Iterable)
    found = list(_flat([given] if single else given, f"{title}: {part}: "))
    for one in found:
        if isinstance(one, bool):
            raise PuzzleError(f"{title}: {part}={one}: {decided(one)}")
        if not isinstance(one, Rule):
            raise PuzzleError(
                f"{title}: {one!r} is not a rule; {part} are made by rule(label, take=[…], put=[…])"
                + ("; start= and goal= are given by name" if part == "rules" else "")
            )
    return tuple(found)


def _part(title: str, part: str, read: Callable[[Any], T], given: Any) -> T:
    try:
        return read(given)
    except RewriteError as error:
        raise PuzzleError(f"{title}: {part}=: {error.message}") from None


def _symmetry(title: str, given: Any) -> tuple[Any, ...]:
    refuse_unlisted(f"{title}: symmetry=", given, PuzzleError)
    found = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    for one in found:
        if isinstance(one, bool):
            raise PuzzleError(f"{title}: symmetry={one}: {decided(one)}")
        if not isinstance(one, (Relabel, Interchangeable)):
            raise PuzzleError(f"{title}: symmetry={one!r}: write relabel(pattern, image) or "
                              "interchangeable(value, value, …)")  # fmt: skip
    return found

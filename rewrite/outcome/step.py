"""`Step`: one application of a rule, with everything there is to know about it."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.language.meaning import RuleApplication, without
from rewrite.language.order import Key, term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.satisfaction import World
from rewrite.language.states import State


@frozen(eq=False, repr=False)
class Step:
    """One application of a rule; compared by content.

    rule      the rule
    bindings  name of a variable -> its value, in order of occurrence in the rule
    before    the state it left
    after     the state it entered: simplified
    taken     the terms that `take` matched, in its order
    put       the terms that `put` gave, in its order
    label     the rule's label, filled in
    cost      what it cost
    """

    rule: Rule
    bindings: dict[str, Any]
    before: State
    after: State
    taken: tuple[Any, ...]
    put: tuple[Any, ...]
    label: str
    cost: int

    def __reduce__(self) -> tuple[Any, ...]:
        values = (tuple(self.bindings.values()), self.taken, self.put)
        rest = (self.rule, tuple(self.bindings), self.before, self.after, self.label, self.cost)
        return _again, (values, *rest)

    def __copy__(self) -> Step:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Step:
        return self

    def choice(self) -> Key:
        """Return what makes two steps out of one state the same: rule, bindings, what it took."""
        values = tuple((name, term_key(value)) for name, value in self.bindings.items())
        return (self.rule.key, values, tuple(term_key(term) for term in self.taken))

    def key(self) -> Key:
        """Return what makes two steps the same one."""
        return (*self.choice(), term_key(self.before), term_key(self.after))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"<Step {self.label!r}>"


def _again(
    given: tuple[Any, ...], rule: Rule, names: tuple[str, ...], before: State, after: State,
    label: str, cost: int,
) -> Step:  # fmt: skip
    values, taken, put = given
    bindings = dict(zip(names, values, strict=True))
    return Step(rule, bindings, before, after, taken, put, label, cost)


def step_of(puzzle: Puzzle, before: State, way: RuleApplication) -> Step:
    """Return a way of the definition as a Step."""

    def aggregate(given: Any, env: Any) -> Any:  # few labels ask for one
        return World(without(before, way.taken), puzzle.facts).aggregate(given, env)

    return Step(
        rule=way.rule,
        bindings={variable.name: value for variable, value in way.bindings.items()},
        before=before,
        after=way.after,
        taken=way.taken,
        put=way.put,
        label=way.rule.template.fill(way.bindings, aggregate),
        cost=way.cost,
    )

"""`Step`, all steps out of a state by the definition, and walks along requested steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import Factory, field, frozen

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language import meaning
from rewrite.language.between import Between
from rewrite.language.labels import one_line
from rewrite.language.meaning import RuleApplication
from rewrite.language.order import Frozen, Key, term_key
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.rules import Rule
from rewrite.language.satisfaction import World, without
from rewrite.language.states import State


@tells_unknown_names(SearchError, "Step", out="moves(…) makes it")
@frozen(eq=False, repr=False)
class Step(Frozen):
    """One application of a rule; compared by content.

    rule      the rule
    bindings  variable name -> value, in order of occurrence in the rule
    before    the state it leaves
    after     the state it enters, simplified
    taken     the terms that `take` matched, in its order
    put       the terms that `put` produced, in its order
    label     the rule's label, filled in
    cost      the cost of the step
    """

    rule: Rule
    bindings: dict[str, Any]
    before: State
    after: State
    taken: tuple[Any, ...]
    put: tuple[Any, ...]
    label: str
    cost: int

    def choice(self) -> Key:
        """Return what identifies a step out of a given state: rule, bindings and terms taken."""
        values = tuple((name, term_key(value)) for name, value in self.bindings.items())
        return (self.rule.key, values, tuple(term_key(term) for term in self.taken))

    def key(self) -> Key:
        """Return the key that steps are compared by."""
        return (*self.choice(), term_key(self.before), term_key(self.after))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"<Step {self.label!r}>"


def step_of(puzzle: Puzzle, before: State, way: RuleApplication) -> Step:
    def aggregate(given: Any, env: Any) -> Any:  # few labels need one
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


@tells_unknown_names(SearchError, "moves")
def moves(puzzle: Puzzle, state: Any) -> list[Step]:
    """Return every step out of a state, in canonical order.

    The state is first brought to its normal form under `simplify`.
    Order: rules as declared; within a rule by the terms taken, then kept, then by the bindings.
    Steps with the same rule, bindings and taken terms are listed once. Slow and exact: uses
    `language.meaning`. Raises StateError, and RuleError if a user function fails.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> puzzle = Puzzle(rule(f"{M} - {N} → {M - N}", take=[M, N], put=[M - N], when=M > N))
    >>> [step.label for step in moves(puzzle, [5, 2, 9])]
    ['5 - 2 → 3', '9 - 2 → 7', '9 - 5 → 4']
    """
    asked = the_puzzle("moves", puzzle)
    return steps_by(asked, meaning.simplified(asked, State(state)), asked.rules)


def steps_by(puzzle: Puzzle, before: State, rules: Iterable[Rule]) -> list[Step]:
    return steps_of(puzzle, before, meaning.successors(puzzle, before, rules))


def steps_of(puzzle: Puzzle, before: State, ways: Iterable[meaning.RuleApplication]) -> list[Step]:
    """Return rule applications as steps, one for each choice."""
    found: dict[Key, Step] = {}
    for way in ways:
        step = step_of(puzzle, before, way)
        found.setdefault(step.choice(), step)
    return list(found.values())


def may_read(rule: Rule, label: str) -> bool:
    parts = (
        re.escape(one_line(part)) if isinstance(part, str) else ".*" for part in rule.template.parts
    )
    return re.fullmatch("".join(parts), label, re.DOTALL) is not None


Wish = str | Step | State
"""A requested step: its label, the step itself, or the state it enters."""


@frozen
class Walker:
    """Finds the steps that meet a wish, and caches them for later walks over the same states.

    A label may lead to several states; all are followed, and a choice counts if every later wish
    can be met from it. Cost: `moves` by the rules with a matching label, for each state followed.
    """

    puzzle: Puzzle
    _known: dict[Any, list[Step]] = field(factory=dict, repr=False)
    _between: Between = field(
        default=Factory(lambda self: Between(self.puzzle), takes_self=True), init=False, repr=False
    )

    def steps(self, before: State, wish: Wish) -> list[Step]:
        key = (before, wish)
        if key not in self._known:
            self._known[key] = self._steps(before, wish)
        return self._known[key]

    def _steps(self, before: State, wish: Wish) -> list[Step]:
        rules = self.puzzle.rules
        if isinstance(wish, State):
            return steps_of(self.puzzle, before, self._between.ways(before, wish))
        if isinstance(wish, Step):
            same = [rule for rule in rules if rule == wish.rule]
            found = steps_by(self.puzzle, before, same)
            return [step for step in found if step.choice() == wish.choice()]
        able = [rule for rule in rules if may_read(rule, wish)]
        return [step for step in steps_by(self.puzzle, before, able) if step.label == wish]

    def walk(self, start: State, wishes: Sequence[Wish]) -> list[list[Step]]:
        """Return for each wish the steps that meet it, as far as the first that none meets."""
        reached: list[list[Step]] = []
        states = [start]
        for wish in wishes:
            met = [step for state in states for step in self.steps(state, wish)]
            reached.append(met)
            if not met:
                break
            states = list(dict.fromkeys(step.after for step in met))
        return reached

    def arrives(self, start: State, wishes: Sequence[Wish], end: State) -> bool:
        reached = self.walk(start, wishes)
        return any(step.after == end for step in reached[-1]) if wishes else start == end


def leading_on(reached: list[list[Step]], end: State | None = None) -> list[list[Step]]:
    """Return the steps of each entry from which all later entries (and `end`) can be reached."""
    kept: list[list[Step]] = []
    wanted = None if end is None else {end}
    for met in reversed(reached):
        kept.insert(0, [step for step in met if wanted is None or step.after in wanted])
        wanted = {step.before for step in kept[0]}
    return kept

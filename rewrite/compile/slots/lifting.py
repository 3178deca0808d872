"""Lifting: rules that differ only in numbers and texts become one rule and a fact for each of them.

People write boards by loops: hundreds of rules of few shapes. What a rule costs before it has any
instance is then paid once for a shape: `take=[At(3, X)], put=[At(4, X)]`, … becomes
`take=[At(?0, X)], put=[At(?1, X)], keep=[Case(0, ?rule, ?0, ?1)]`, where ?rule is the number of the
rule, and 0 that of the first one of this shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.interning import constructor
from rewrite.compile.slots.keys import Family, is_balanced
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Variable
from rewrite.language.order import inside
from rewrite.language.pickling import Structured
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.terms import Term

FEWEST = 8
"""Rules of one shape that are lifted."""
MOST_ARGUMENTS = 6
KINDS = {int: "int", str: "str"}


@frozen(eq=False)
class Lifted:
    """A puzzle of fewer rules; for each of these the numbers of the rules it stands for. Those of
    `simplify` come after the others, and are not lifted.

    number   the variable that says for which one an instance stands; None: for the only one
    """

    puzzle: Puzzle
    members: tuple[tuple[int, ...], ...]
    number: tuple[Variable | None, ...]

    @classmethod
    def of(cls, puzzle: Puzzle) -> Lifted:
        """Return a puzzle of which no rules are lifted."""
        every = tuple([(number,) for number in range(len(puzzle.rules) + len(puzzle.simplify))])
        return cls(puzzle, every, (None,) * len(every))

    def by_rule(self, at: int, ground: Sequence[Variable], instances: list[Any]) -> list[list[Any]]:
        number = self.number[at]
        if number is None:
            return [instances]
        place = next(place for place, one in enumerate(ground) if one is number)
        found: dict[int, list[Any]] = {member: [] for member in self.members[at]}
        for instance in instances:
            found[instance.ground[place]].append(instance)
        return [*found.values()]


def lifted(puzzle: Puzzle) -> Lifted:
    """Return the puzzle with rules of one shape lifted, as far as that keeps all invariants."""
    shapes: dict[Any, list[int]] = {}
    for number, rule in enumerate(puzzle.rules):
        shape = number if rule.outline is None else rule.outline.shape
        shapes.setdefault(shape, []).append(number)
    rules, facts, members, numbers = [], list[Any](), list[Any](), list[Any]()
    for group in shapes.values():
        some = [puzzle.rules[one] for one in group]
        made = _lifted(some, group) if len(group) >= FEWEST else None
        if made is None:
            rules += some
            members += [(one,) for one in group]
            numbers += [None] * len(group)
            continue
        rules.append(made[0])
        facts += made[1]
        members.append(tuple(group))
        numbers.append(made[2])
    if not facts:
        return Lifted.of(puzzle)
    members += [(len(puzzle.rules) + at,) for at in range(len(puzzle.simplify))]
    numbers += [None] * len(puzzle.simplify)
    whole = puzzle.replace(rules=rules, facts=[*puzzle.facts, *facts])
    return Lifted(whole, tuple(members), tuple(numbers))


def _lifted(rules: list[Rule], group: list[int]) -> tuple[Rule, list[Any], Variable] | None:
    """Return the rule for all of a group, its facts, and the variable for the rule's number."""
    constants = [rule.outline.constants for rule in rules if rule.outline is not None]
    columns = [*zip(*constants, strict=True)]
    names: dict[Any, Variable] = {}
    for column in columns:
        if any(value != column[0] for value in column):
            kind = KINDS[type(column[0])]
            names.setdefault(column, Variable(f"?{len(names)}", kind))
    if not names:
        return None
    chosen = iter([names.get(column) for column in columns])

    def named(leaf: Any) -> Any:
        variable = next(chosen)
        return leaf if variable is None else variable

    first, number = rules[0], Variable("?rule", "int")  # names that nobody can write
    parts = (first.take, first.keep, first.put, first.absent, first.when, first.let)
    take, keep, put, absent, when, let = [_rebuilt(part, named) for part in parts]
    case: Any = constructor("Case", 2 + len(names))
    made = evolve(
        first, label=first.name, literal=True, take=take, put=put, absent=absent, when=when,
        let=let, keep=(*keep, case(group[0], number, *names.values())),
    )  # fmt: skip
    if _balances(first) != _balances(made):
        return None  # an invariant that each rule keeps would be lost
    facts = [
        case(group[0], member, *values)
        for member, values in zip(group, zip(*names, strict=True), strict=True)
    ]
    return made, facts, number


def _rebuilt(value: Any, named: Callable[[Any], Any]) -> Any:
    """Return a value with its numbers and texts replaced."""
    if type(value) in KINDS:
        return named(value)
    if isinstance(value, Holds):
        return Holds(_rebuilt(value.expression, named))
    if not isinstance(value, (tuple, Structured)):
        return value
    inner = tuple([_rebuilt(one, named) for one in inside(value)])
    if isinstance(value, tuple):
        return inner
    rebuild, first = value.term_rebuild()
    return rebuild(*first, inner)


def _balances(rule: Rule) -> list[bool]:
    """Return for each constructor, and each choice of its arguments, whether `take` and `put` agree
    in them: what keys and exchanges are found by.
    """
    classes = dict.fromkeys(type(one) for one in (*rule.take, *rule.put) if isinstance(one, Term))
    sizes = {cls: min(len(cls.term_fields), MOST_ARGUMENTS) for cls in classes}
    return [
        is_balanced(rule, Family(cls, places, ()))
        for cls, size in sizes.items()
        for length in range(size + 1)
        for places in combinations(range(size), length)
    ]

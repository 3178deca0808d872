"""Lifting: rules that differ only in numbers and texts become one rule and a fact for each of them.

People write boards by loops: hundreds of rules of few shapes. What a rule costs before it has any
instance is then paid once for a shape: `take=[At(3, X)], put=[At(4, X)]`, … becomes
`take=[At(?0, X)], put=[At(?1, X)], keep=[Case(0, ?rule, ?0, ?1)]`, where ?rule is the number of the
rule, and 0 that of the first one of this shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.rule_properties import normal_key
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call, Variable, Wildcard
from rewrite.language.order import term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.terms import Term, term

FEWEST = 8
"""Rules of one shape that are lifted."""
MOST_ARGUMENTS = 6
KINDS = {int: "int", str: "str"}
Leaf = tuple[type, Any]


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
        """Return the instances of each rule for which one stands."""
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
    leaves: list[tuple[Leaf, ...]] = []
    for number, rule in enumerate(puzzle.rules):
        found: list[Leaf] = []
        shape = _shape(rule, found)
        leaves.append(tuple(found))
        shapes.setdefault(shape if shape is not None else number, []).append(number)
    rules, facts, members, numbers = [], list[Any](), list[Any](), list[Any]()
    for group in shapes.values():
        made = None
        if len(group) >= FEWEST:
            made = _lifted(
                [puzzle.rules[one] for one in group], [leaves[one] for one in group], group
            )
        if made is None:
            rules += [puzzle.rules[one] for one in group]
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


def _lifted(
    rules: list[Rule], leaves: list[tuple[Leaf, ...]], group: list[int]
) -> tuple[Rule, list[Any], Variable] | None:
    """Return the rule for all of a group, its facts, and the variable for the rule's number."""
    columns = [tuple([value for _, value in column]) for column in zip(*leaves, strict=True)]
    kinds = [kind for kind, _ in leaves[0]]
    names: dict[Any, Variable] = {}
    for kind, column in zip(kinds, columns, strict=True):
        if any(value != column[0] for value in column):
            names.setdefault((kind, column), Variable(f"?{len(names)}", KINDS[kind]))
    if not names:
        return None
    chosen = iter([names.get((kind, column)) for kind, column in zip(kinds, columns, strict=True)])

    def named(leaf: Any) -> Any:
        variable = next(chosen)
        return leaf if variable is None else variable

    first, number = rules[0], Variable("?rule", "int")  # names that nobody can write
    take, keep, put, absent, when, let = [_rebuilt(part, named) for part in _parts(first)]
    case: Any = _case(len(names))
    made = evolve(
        first, label=first.name, literal=True, take=take, put=put, absent=absent, when=when,
        let=let, keep=(*keep, case(group[0], number, *names.values())),
    )  # fmt: skip
    if _balances(first) != _balances(made):
        return None  # an invariant that each rule keeps would be lost
    facts = [
        case(group[0], member, *values)
        for member, values in zip(
            group, zip(*[column for _, column in names], strict=True), strict=True
        )
    ]
    return made, facts, number


def _parts(rule: Rule) -> tuple[Any, ...]:
    return rule.take, rule.keep, rule.put, rule.absent, rule.when, rule.let


@lru_cache(maxsize=64)
def _case(size: int) -> type[Term]:
    """Return the constructor of the facts that say in what rules of one shape differ."""
    names = {"shape": object, "rule": object} | {f"value{number}": object for number in range(size)}
    return term(type("Case", (), {"__annotations__": names, "__module__": __name__}))


def _shape(rule: Rule, leaves: list[Leaf]) -> Any:
    """Return what a rule has in common with others, and collect its numbers and texts.

    None for a rule that is not lifted.
    """
    if rule.free or type(rule.cost) is not int:
        return None
    known: list[Any] = []

    def seen(leaf: Any) -> Any:
        leaves.append((type(leaf), leaf))
        return leaf

    try:
        for part in _parts(rule):
            known.append(_written(part, seen))
    except _Other:
        return None
    return rule.cost, tuple(known)


class _Other(Exception):
    """Something that may not be taken apart."""


def _written(value: Any, seen: Callable[[Any], Any]) -> Any:
    """Return a key of a value in which numbers and texts are left out; these are `seen`."""
    kind = type(value)
    if kind in KINDS:
        seen(value)
        return kind
    if isinstance(value, (Variable, Wildcard, bool)):
        return term_key(value)
    if not isinstance(value, (tuple, Term, Call, Holds)):
        raise _Other
    head = (
        value.op
        if isinstance(value, Call)
        else value.term_identity()
        if isinstance(value, Term)
        else kind
    )
    return (head, *[_written(one, seen) for one in _inside(value)])


def _inside(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Holds):
        return (value.expression,)
    return value if isinstance(value, tuple) else value.term_parts()


def _rebuilt(value: Any, named: Callable[[Any], Any]) -> Any:
    """Return a value with its numbers and texts replaced."""
    if type(value) in KINDS:
        return named(value)
    if not isinstance(value, (tuple, Term, Call, Holds)):
        return value
    inner = tuple([_rebuilt(one, named) for one in _inside(value)])
    if isinstance(value, Term):
        return type(value).of_parts(inner)
    if isinstance(value, Call):
        return Call(value.op, inner, value.kind)
    return inner if isinstance(value, tuple) else Holds(*inner)


def _balances(rule: Rule) -> list[bool]:
    """Return for each constructor, and each choice of its arguments, whether `take` and `put` agree
    in them: what keys and exchanges are found by.
    """
    found = []
    patterns = (*rule.take, *rule.put)
    identities = dict.fromkeys(type(one) for one in patterns if isinstance(one, Term))
    for cls in identities:
        size = min(len(cls.term_fields), MOST_ARGUMENTS)
        for length in range(size + 1):
            for places in combinations(range(size), length):
                taken, put = (
                    sorted(
                        repr(normal_key(tuple([one.term_arguments()[at] for at in places]), {}))
                        for one in part if type(one) is cls
                    )
                    for part in (rule.take, rule.put)
                )  # fmt: skip
                found.append(taken == put)
    return found

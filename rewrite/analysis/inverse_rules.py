"""Rules on multisets run backwards, as rules: take what was put, put what was taken.

By definition (`language.meaning`) the rest of a rule sees what remains after `take`, and the
facts. Backwards, what remains after taking the put terms is the same. So these parts stay, and the
inverse is exact: it leads from a state to exactly those from which the rule leads to it. Only the
variables are bound elsewhere: by what was put, kept or computed. A computed part of what was put
becomes an equation, checked if its variables are known and solved if one is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from attrs import evolve

from rewrite.compile.rule_properties import sees_state
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.bag import Bag
from rewrite.language.evaluation import composed
from rewrite.language.expressions import (
    Call,
    Expression,
    Splice,
    Variable,
    Wildcard,
    arithmetic,
    kind_of,
)
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside as directly_inside
from rewrite.language.order import source
from rewrite.language.patterns import binders, contains_wildcard, mentioned, parts, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, lets_in_order
from rewrite.language.terms import is_ground

KINDS = ("int", "str", "bool", "seq", "bag")
Lets = tuple[tuple[Any, Any], ...]


class NoInverse(Unsuitable):
    """Why a puzzle cannot be run backwards: a sentence naming the rule and its variables."""


def inverse_puzzle(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle whose successors are the predecessors, rule by rule. Raises NoInverse."""
    if puzzle.simplify:
        raise NoInverse("simplify= cannot be undone: many states may have the same normal form")
    if puzzle.sets:
        raise NoInverse("in a set, what a rule puts may have been there before, or not")
    return puzzle.replace(rules=[inverse_rule(one) for one in puzzle.rules])


def inverse_rule(rule: Rule) -> Rule:
    """Return the rule that undoes `rule`, at the same cost. Raises NoInverse."""
    start = f"rule {rule.name!r} cannot be run backwards: "
    for pattern in rule.take:
        if contains_wildcard(pattern):
            raise NoInverse(f"{start}it takes {source(pattern)}, and what ANY matched is lost")
        for part in everywhere(pattern, parts):
            inner = part.inner if isinstance(part, Splice) else None
            if isinstance(inner, Variable) and inner.kind == "term":
                raise NoInverse(
                    f"{start}*{inner.name} in {source(pattern)} may stand for anything; declare "
                    f"{inner.name} with seqs or bags"
                )
    for template in rule.put:
        for inner, container in _foreign_splices(template):
            raise NoInverse(
                f"{start}it puts the parts of {source(inner)} into a {container}, and their "
                "container is lost"
            )
    inversion = Inversion(rule.put, rule.keep, rule.let, rule)
    missing = [variable for variable in rule.bound if variable not in inversion.known]
    if missing:
        raise NoInverse(start + _undetermined(rule, missing))
    take, let = inversion.settled()
    before = {
        id(rule.let[at]): bound for at, bound in _seen_by_sums(rule.take + rule.keep, rule.let)
    }
    for at, bound in _seen_by_sums(take + rule.keep, let):
        used = mentioned(let[at][1]).keys()
        if used & bound.keys() != used & before.get(id(let[at]), rule.bound).keys():
            raise NoInverse(f"{start}{source(let[at][1])} would count other terms")
    return evolve(rule, take=take, put=rule.take, let=let)


def _seen_by_sums(
    patterns: tuple[Any, ...], let: Lets
) -> Iterator[tuple[int, dict[Variable, None]]]:
    """Yield the lets that look at the state, with what is bound before each: the rest is local."""
    for at, bound in lets_in_order(patterns, let):
        if sees_state(let[at][1]):
            yield at, bound


def _undetermined(rule: Rule, missing: list[Variable]) -> str:
    taken = {variable for pattern in rule.take for variable in binders(pattern)}
    names = [v.name for v in missing if v in taken] or [v.name for v in missing]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    verb = "does" if len(names) == 1 else "do"
    put = ", ".join(map(source, rule.put)) or "nothing"
    return f"{listed} {verb} not follow from what it puts, {put}"


def _foreign_splices(template: Any, container: str = "") -> Iterator[tuple[Any, str]]:
    """Yield splices of the other kind of container: a pattern would not match them again."""
    if isinstance(template, Splice):
        if kind_of(template.inner) != ("bag" if container == "nested bag" else "seq"):
            yield template.inner, container
    elif not is_ground(template) and not isinstance(template, Expression):
        inside = "nested bag" if isinstance(template, Bag) else "sequence"
        for part in parts(template):
            yield from _foreign_splices(part, inside)


class Inversion:
    """Works out the variables of a rule from terms that it puts, or from some that it takes.

    take    these templates as patterns, with a fresh variable for each computed part
    parts   these variables and parts; equations: further ones, from its `let`
    solved  the variables solved for, with their values
    known   the variables that follow
    used    the variables whose equations were solved, and whether exactly: if not, they are checked
    """

    def __init__(
        self, templates: Sequence[Any], keep: Sequence[Any], let: Lets, rule: Rule
    ) -> None:
        self.let = let
        self.parts: dict[Variable, Expression] = {}
        self.spliced: set[Variable] = set()
        self.solved: list[tuple[Variable, Expression]] = []
        self.used: dict[Variable, bool] = {}
        names = {variable.name for variable in mentioned(rule.content)}
        fresh = (name for number in count(1) if (name := f"q{number}") not in names)
        self.take = tuple([self._pattern(template, fresh) for template in templates])
        self.equations = [
            *self.parts.items(),
            *[(p, v) for p, v in let if isinstance(p, Variable) and isinstance(v, Expression)],
        ]
        self.known = {name: None for one in (*self.take, *keep) for name in binders(one)}
        self._solve()

    def _pattern(self, template: Any, fresh: Iterator[str], inside: str = "") -> Any:
        if isinstance(template, Splice):
            return Splice(self._pattern(template.inner, fresh, inside))
        if isinstance(template, (Variable, Wildcard)) or is_ground(template):
            return template
        if isinstance(template, Expression):
            kind = inside or kind_of(template)
            made = Variable(next(fresh), kind if kind in KINDS else "term")
            self.parts[made] = template
            if inside:
                self.spliced.add(made)
            return made
        kind = "bag" if isinstance(template, Bag) else "seq"
        return composed(template, [
            self._pattern(part, fresh, kind if isinstance(part, Splice) else "")
            for part in parts(template)
        ])  # fmt: skip

    def _solve(self) -> None:
        """Find all variables that follow: by `let` if possible, else by solving."""
        while True:
            self._spread()
            for left, value in self.equations:
                if left not in self.known or left in self.used or sees_state(value):
                    continue
                open_ = [variable for variable in variables(value) if variable not in self.known]
                if len(open_) == 1 and open_[0].kind == "int" and kind_of(value) == "int":
                    solution = _solved(open_[0], value, left)
                    if solution is not None:
                        self.solved.append((open_[0], solution[0]))
                        self.used[left] = solution[1]
                        self.known[open_[0]] = None
                        break
            else:
                return

    def _spread(self) -> None:
        before = -1
        while before < len(self.known):
            before = len(self.known)
            for pattern, value in self.let:
                if self.knows(value):
                    self.known |= binders(pattern)

    def knows(self, value: Any) -> bool:
        return variables(value).keys() <= self.known.keys()

    def settled(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return `take` and `let`, without parts that remain unknown: they may have any value."""
        back: dict[Variable, Expression] = {}
        checks: list[tuple[Variable, Expression]] = []
        for made, value in self.parts.items():
            if not self.knows(value):
                continue
            if made not in self.used and made not in self.spliced and not sees_state(value):
                back[made] = value
            elif not self.used.get(made, False):
                checks.append((made, value))
        take = tuple([_filled(pattern, back) for pattern in self.take])
        return take, (*self.solved, *[one for one in self.let if self.knows(one[1])], *checks)


def _filled(pattern: Any, back: dict[Variable, Expression]) -> Any:
    if isinstance(pattern, Variable):
        return back.get(pattern, pattern)
    if isinstance(pattern, (Splice, Expression)) or is_ground(pattern):
        return pattern
    return composed(pattern, [_filled(part, back) for part in parts(pattern)])


def _solved(wanted: Variable, value: Any, result: Expression) -> tuple[Expression, bool] | None:
    """Return the value of `wanted`, and whether it is exact: a division must leave no remainder."""
    exact = True
    while value is not wanted:
        inside = [*everywhere(value, directly_inside)]
        if not isinstance(value, Call) or sum(part is wanted for part in inside) != 1:
            return None
        if value.op == "neg":
            value, result = value.args[0], arithmetic("neg", result)
            continue
        if value.op not in ("+", "-", "*"):
            return None
        left, right = value.args
        on_left = wanted in variables(left)
        inner, other = (left, right) if on_left else (right, left)
        if value.op == "+":
            result = arithmetic("-", result, other)
        elif value.op == "-":
            result = arithmetic("+", result, other) if on_left else arithmetic("-", other, result)
        elif type(other) is int and other:
            result, exact = arithmetic("//", result, other), False
        else:
            return None
        value = inner
    return result, exact

"""Whether values are interchangeable in a puzzle on multisets: a syntactic proof.

Swapping two values throughout the author's text must map rules to rules, and facts, goal and
`never` to themselves. Anything that computes with the values, or orders them, is refused. Labels
and names of rules do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.bag import Bag
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Condition,
    Contains,
    Either,
    Exactly,
    Holds,
    Not,
    OneOfStates,
    Patterned,
    Terminal,
    operands,
)
from rewrite.language.effects import Effect
from rewrite.language.expressions import Call, Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import OneOf
from rewrite.language.nesting import everywhere
from rewrite.language.order import Key, source, term_key
from rewrite.language.patterns import everything_inside, parts
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.terms import Term, is_ground

Swap = tuple[Any, Any]
Written = Any
"""Nested tuples: equal if they mean the same."""

STRUCTURAL = {"==", "!=", "&", "|", "~", "if_"}
COLLECTIONS = {"concat", "item", "from", "slice", "reverse", "is_in", "position", "length"}
ARITHMETIC = {"+", "-", "*", "//", "%", "**", "neg", "abs", "divides", "digits", "number", "total"}
ORDER = {"<", "<=", ">", ">=", "between", "least", "greatest"}
TEXTS = {"upper", "lower", "text", "letters"}


class Interchange:
    """Proves exchanges to be symmetries; `every`: all values exchanged. Raises Unsuitable."""

    def __init__(
        self, puzzle: Puzzle, goal: Condition | None, values: Sequence[Any], every: Sequence[Any]
    ) -> None:
        self.puzzle, self.goal = puzzle, goal
        self.kinds = {kind_of(value) for value in values}
        self.classes = {type(value) for value in values if isinstance(value, Term)}
        if not self.kinds <= {"int", "str", "constructor"}:
            raise Unsuitable("in multisets only texts, whole numbers and terms are exchanged")
        if len(self.kinds) + len(self.classes) > 1 + ("constructor" in self.kinds):
            raise Unsuitable("its values are of several types")
        keys = {term_key(value) for value in every}
        for value in every:
            if any(term_key(part) in keys for part in [*everywhere(value, parts)][1:]):
                raise Unsuitable("one of its values stands in another")
        if puzzle.simplify:
            raise Unsuitable("simplify= may choose by the order of values")

    def doubt(self, swap: Swap) -> str | None:
        """Return where the proof fails; None if it succeeds. Raises Unsuitable."""
        puzzle, one, other = self.puzzle, *map(term_key, swap)
        plain, swapped = _Writer(self, {}), _Writer(self, {one: other, other: one})
        rules = {plain.rule(rule) for rule in puzzle.rules}
        for rule in puzzle.rules:
            if swapped.rule(rule) not in rules:
                return f"rule {rule.name!r}"
        if plain.any_order(puzzle.facts) != swapped.any_order(puzzle.facts):
            return "facts="
        if {*map(plain, puzzle.never)} != {*map(swapped, puzzle.never)}:
            return "never="
        if self.goal is not None and plain(self.goal) != swapped(self.goal):
            return "the goal"
        return None


class _Writer:
    """Writes out the author's text, with the values in `images` replaced."""

    def __init__(self, given: Interchange, images: dict[Key, Key]) -> None:
        self.exchanged, self.classes, self.images = given.kinds, given.classes, images

    def rule(self, given: Rule) -> Written:
        return (
            self.any_order(given.take), self.any_order(given.put), self.all_of(given.when),
            self.any_order(given.keep), self.any_order(given.absent),
            tuple([(self(name), self(value)) for name, value in given.let]),
            given.cost if type(given.cost) is int else self(given.cost),
            tuple(sorted(map(self.effect, given.effects), key=repr)),
        )  # fmt: skip

    def effect(self, given: Effect) -> Written:
        where = given.where
        return (
            self.any_order(given.take), self.any_order(given.keep), self.any_order(given.put),
            self.all_of(where.when), self.any_order(where.absent),
        )  # fmt: skip

    def any_order(self, given: Iterable[Any]) -> Written:
        return tuple(sorted([self(one) for one in given], key=repr))

    def all_of(self, given: Iterable[Any]) -> Written:
        """Write a conjunction of conditions; in order if one may bind variables for the next."""
        conditions = [part for one in given for part in operands(one, Both)]
        if any(map(_binds, conditions)):
            return tuple(map(self, conditions))
        return self.any_order(conditions)

    def __call__(self, given: Any) -> Written:
        if isinstance(given, Patterned):
            return self._patterned(given)
        if isinstance(given, Condition):
            return self._condition(given)
        if isinstance(given, Expression):
            return self._expression(given)
        if isinstance(given, Splice):
            return ("splice", self(given.inner))
        if isinstance(given, OneOf):
            if type(given.options) is tuple:
                return ("one_of", self.any_order(given.options))
            if kind_of(given.options) not in ("seq", "bag"):
                raise Unsuitable(f"{given!r} may take its values apart")
            return ("one_of", self(given.options))
        return self._term(given)

    def _term(self, given: Any) -> Written:
        if is_ground(given):
            key = term_key(given)
            if key in self.images or not parts(given):
                return self.images.get(key, key)
        elif type(given) in self.classes:
            raise Unsuitable(f"{source(given)} may look into its values")
        if isinstance(given, Bag):
            return ("bag", self.any_order(parts(given)))
        head = type(given).term_identity() if isinstance(given, Term) else ()
        return ("of", head, tuple(map(self, parts(given))))

    def _condition(self, given: Condition) -> Written:
        match given:
            case Both():
                return ("both", self.all_of([given]))
            case Either():
                return ("either", self.any_order(operands(given, Either)))
            case Not():
                return ("not", self(given.inner))
            case Holds():
                return ("holds", self(given.expression))
            case Terminal():
                return ("terminal",)
            case OneOfStates():
                return ("states", tuple(sorted([self.any_order(one) for one in given.states])))
        raise Unsuitable(f"{given!r} is a Python function")

    def _patterned(self, given: Patterned) -> Written:
        name: str = type(given).__name__
        value: Written = None
        if isinstance(given, Aggregate):
            name, value = given.name, self(given.value)
            ordered = name != "count" and kind_of(given.value) != "int"
            if "int" in self.exchanged or ordered:
                raise Unsuitable(f"{source(given)} computes with values or orders them")
        rest = None if given.rest is None else self(given.rest)
        return (
            name, value, self.any_order(given.patterns), rest, self.all_of(given.when),
            self.any_order(given.absent),
        )  # fmt: skip

    def _expression(self, given: Expression) -> Written:
        if isinstance(given, (Variable, Wildcard)):
            return term_key(given)
        if not isinstance(given, Call):
            raise Unsuitable(f"{source(given)} calls a Python function")
        if not self._is_blind(given):
            raise Unsuitable(f"{source(given)} computes with values or orders them")
        args = tuple(map(self, given.args))
        return (given.op, tuple(sorted(args, key=repr)) if given.op in ("==", "!=") else args)

    def _is_blind(self, given: Call) -> bool:
        """Whether an operation treats all exchanged values the same."""
        op, exchanged = given.op, self.exchanged
        kinds = [kind_of(arg) for arg in given.args]
        if op in STRUCTURAL:
            return True
        if op in COLLECTIONS:
            within = kinds if op == "concat" else kinds[op in ("is_in", "position") :][:1]
            known = {"seq", "bag"} | ({"str"} - exchanged)
            counts = op not in ("concat", "reverse", "is_in")
            return set(within) <= known and not (counts and "int" in exchanged)
        if op in ARITHMETIC:
            return "int" not in exchanged
        if op in ORDER:
            return "int" not in exchanged and set(kinds) == {"int"}
        return op in TEXTS and not exchanged & {"int", "str"}


def _binds(given: Any) -> bool:
    """Whether a condition may bind a variable that is used to its right."""
    inner = [*everywhere(given, everything_inside)]
    matching = any(isinstance(one, (Contains, Exactly)) for one in inner)
    return matching and any(isinstance(one, Variable) for one in inner)

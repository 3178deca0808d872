"""Whether values are interchangeable in a puzzle on multisets: a syntactic proof.

Swapping two values throughout the author's text must map rules to rules, and facts, goal and
`never` to themselves. Anything that computes with the values, or orders them, is refused. Labels
and names of rules do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.compile.rule_properties import any_order, normal_key, rule_key
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Aggregate, Condition, Predicate
from rewrite.language.expressions import Call, Expression, Splice, kind_of
from rewrite.language.functions import FunctionCall, OneOf
from rewrite.language.nesting import everywhere
from rewrite.language.order import source, term_key
from rewrite.language.patterns import everything_inside, parts
from rewrite.language.puzzles import Puzzle
from rewrite.language.terms import Term, is_ground

Swap = tuple[Any, Any]

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
        same, swapped = {one: one, other: other}, {one: other, other: one}
        for rule in puzzle.rules:
            self._refuse(rule.content)
        rules = {rule_key(rule, same) for rule in puzzle.rules}
        for rule in puzzle.rules:
            if rule_key(rule, swapped) not in rules:
                return f"rule {rule.name!r}"
        if any_order(puzzle.facts, same) != any_order(puzzle.facts, swapped):
            return "facts="
        goal = () if self.goal is None else (self.goal,)
        for what, given in (("never=", puzzle.never), ("the goal", goal)):
            self._refuse(*given)
            if {normal_key(one, same) for one in given} != {
                normal_key(one, swapped) for one in given
            }:
                return what
        return None

    def _refuse(self, *given: Any) -> None:
        """Raise Unsuitable for what may tell exchanged values apart."""
        for one in everywhere(given, everything_inside):
            match one:
                case Predicate():
                    raise Unsuitable(f"{one!r} is a Python function")
                case Aggregate():
                    ordered = one.name != "count" and kind_of(one.value) != "int"
                    if "int" in self.kinds or ordered:
                        raise Unsuitable(f"{source(one)} computes with values or orders them")
                case OneOf(options=Expression() as options):
                    if kind_of(options) not in ("seq", "bag"):
                        raise Unsuitable(f"{one!r} may take its values apart")
                case Call():
                    if not self._is_blind(one):
                        raise Unsuitable(f"{source(one)} computes with values or orders them")
                case FunctionCall():
                    raise Unsuitable(f"{source(one)} calls a Python function")
                case tuple() if any(map(_is_sorted, one)):
                    raise Unsuitable(f"{source(one)} orders what is in a nested bag")
                case Term() if type(one) in self.classes and not is_ground(one):
                    raise Unsuitable(f"{source(one)} may look into its values")

    def _is_blind(self, given: Call) -> bool:
        """Whether an operation treats all exchanged values the same."""
        op, exchanged = given.op, self.kinds
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


def _is_sorted(part: Any) -> bool:
    """Whether a part of a sequence may be a spliced bag, whose elements come in their order."""
    return isinstance(part, Splice) and kind_of(part.inner) != "seq"

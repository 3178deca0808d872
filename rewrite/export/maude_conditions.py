"""Conditions on a bag of terms, each as its own function Bag … -> Bool.

`contains(p, q, when=c)` becomes: true if p ; q ; others := the bag and c; false otherwise.
Variables bound outside are arguments of the function; the others are local to it.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rewrite.export.maude_names import Names
from rewrite.export.maude_terms import Clause, Writer, joined, total
from rewrite.language.conditions import (
    Both,
    Condition,
    Contains,
    Either,
    Exactly,
    Holds,
    Lacks,
    Not,
    OneOfStates,
    Predicate,
    Terminal,
)
from rewrite.language.expressions import Variable
from rewrite.language.patterns import binders, mentioned
from rewrite.language.states import State

Bound = dict[Variable, None]
"""The bound variables, in a fixed order."""


def in_order(clauses: list[Clause], bound: set[str]) -> list[str]:
    """Order the texts so that every variable is bound before it is used; tests come early."""
    waiting, known, texts = list(clauses), set(bound), list[str]()
    while waiting:
        ready = [clause for clause in waiting if clause.needs <= known]
        chosen = next((clause for clause in ready if not clause.gives), ready[0])
        texts.append(chosen.text)
        known |= chosen.gives
        waiting.remove(chosen)
    return texts


def lacking(absent: tuple[Any, ...]) -> list[Condition]:
    """Return the patterns of `absent` as conditions: nothing matches them."""
    return [Lacks((pattern,), (), ()) for pattern in absent]


def conditional(keyword: str, statement: str, clauses: list[str]) -> str:
    """Return `eq` or `ceq`, `rl` or `crl` with its conditions."""
    if not clauses:
        return f"{keyword} {statement} ."
    conditions = "\n  /\\ ".join(clauses)
    return f"c{keyword} {statement}\n  if {conditions} ."


@define
class Conditions:
    """Writes conditions; `statements` holds the functions that they need."""

    names: Names
    has_facts: bool
    asks_for_moves: bool = False
    """Whether a condition needs the function `can-move`."""
    statements: list[str] = field(factory=list)

    def everything(self, bag: str) -> str:
        """Return a bag together with the facts."""
        return f"{bag} ; facts" if self.has_facts else bag

    def clause(self, given: Condition, bag: str, bound: Bound, writer: Writer) -> Clause:
        """Return a condition that must hold of the bag, e.g. in a rule."""
        needs = {self.names.variable(variable) for variable in self._arguments(given, bound)}
        if isinstance(given, Holds):
            text = writer.term(given.expression)
            bare = text.startswith("(") and text.endswith(")")
            return Clause(text[1:-1] if bare else text, needs)
        return Clause(self.text(given, bag, bound, writer), needs)

    def text(self, given: Condition, bag: str, bound: Bound, writer: Writer) -> str:
        """Return the condition as a Bool that always has a value."""
        if isinstance(given, Holds):
            text = writer.term(given.expression)
            return text if total(given.expression) else writer.function("holds", text)
        if isinstance(given, Lacks):
            return f"(not {self._matching(given, (), bag, bound, writer)})"
        if isinstance(given, (Contains, Exactly)):
            return self._matching(given, (), bag, bound, writer)
        if isinstance(given, Not):
            return f"(not {self.text(given.inner, bag, bound, writer)})"
        if isinstance(given, (Both, Either)):
            if isinstance(given, Both) and isinstance(given.left, (Contains, Exactly)):
                return self._matching(given.left, (given.right,), bag, bound, writer)
            if isinstance(given, Both):
                self._refuse_flow(given, bound, writer)
            sign = "and-then" if isinstance(given, Both) else "or-else"
            left = self.text(given.left, bag, bound, writer)
            return f"({left} {sign} {self.text(given.right, bag, bound, writer)})"
        if isinstance(given, OneOfStates):
            alike = [f"(({bag}) == ({bag_of(one, writer)}))" for one in given.states]
            return f"({' or-else '.join(alike)})" if alike else "false"
        if isinstance(given, Predicate):
            raise writer.refuse(repr(given), "it is a Python function")
        assert isinstance(given, Terminal), given
        self.asks_for_moves = True
        return f"(not can-move({{ {bag} }}))"

    def _arguments(self, given: Condition, bound: Bound) -> list[Variable]:
        inside = mentioned(given)
        return [variable for variable in bound if variable in inside]

    def _refuse_flow(self, given: Both, bound: Bound, writer: Writer) -> None:
        """Refuse `(contains(X) | …) & (X > 3)`: the left binds what the right uses."""
        left = {variable for variable in _binds(given.left) if variable not in bound}
        if left & set(mentioned(given.right)):
            raise writer.refuse(
                repr(given),
                "what an alternative binds is used outside it. Write (a & c) | (b & c) instead of "
                "(a | b) & c",
            )

    def _matching(
        self, given: Any, also: tuple[Condition, ...], bag: str, bound: Bound, outer: Writer
    ) -> str:
        """Return a call of a new function that tests whether the patterns match."""
        whole = Both(given, also[0]) if also else given
        outside = self._arguments(whole, bound)
        inner = Writer(self.names, outer.where, outer.facts)
        state = self.names.own("State", "Bag")
        texts, gives = inner.patterns(given.patterns)
        whole_state = self.everything(state)
        if isinstance(given, Exactly):
            whole_state = state
        elif given.rest is not None and self.has_facts:
            raise outer.refuse(repr(given), "the rest is without facts, and there all are one bag")
        if isinstance(given.rest, Variable):
            others = self.names.variable(given.rest)
            gives = gives | {others}
        else:
            others = inner.new("Bag")
        if given.rest is not None or not isinstance(given, Exactly):
            texts = [*texts, others]
        matched = f"{joined(texts, ';', 'none')} := {whole_state}"
        known = dict.fromkeys([*outside, *binders(given.written)])
        clauses = [Clause(matched, set(), gives), *inner.clauses]
        for condition in (*given.when, *also, *lacking(given.absent)):
            clauses.append(self.clause(condition, state, known, inner))
        arguments = [self.names.variable(variable) for variable in outside]
        name = self.names.operator("exactly" if isinstance(given, Exactly) else "contains")
        sorts = " ".join(["Bag", *map(self.names.sort, outside)])
        head = f"{name}({', '.join([state, *arguments])})"
        self.statements.append("\n".join([
            f"op {name} : {sorts} -> Bool .",
            conditional("eq", f"{head} = true", in_order(clauses, set(arguments))),
            f"eq {head} = false [owise] .",
        ]))  # fmt: skip
        return f"{name}({', '.join([bag, *arguments])})"


def bag_of(state: State, writer: Writer) -> str:
    return joined([writer.term(one) for one in state.items], ";", "none")


def _binds(given: Any) -> dict[Variable, None]:
    """Return the variables that a condition may bind for what is to its right."""
    if isinstance(given, (Contains, Exactly)):
        return binders(given.written)
    if isinstance(given, (Both, Either)):
        return _binds(given.left) | _binds(given.right)
    return {}


def comment(text: str) -> str:
    """Return a text made safe for a one-line comment."""
    return " ".join(text.split())

"""Rules of a puzzle as conditional rewrite rules on a whole state.

    crl [label] : { taken ; REST } => { put ; REST } if conditions .

`keep` is matched by a condition in what is left and the facts; each `let` is a condition
`pattern := value`; each option of `one_of` makes a rule of its own. What is put and may have no
value is a condition `V := value` too, for V has a sort, and only a value has one.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from attrs import define, field

from rewrite.export.maude_conditions import Conditions, comment, conditional, in_order
from rewrite.export.maude_terms import Clause, Writer, joined, total
from rewrite.language.expressions import kind_of
from rewrite.language.functions import OneOf
from rewrite.language.order import source
from rewrite.language.rules import Rule


@define
class Rules:
    """Writes rules."""

    conditions: Conditions
    has_never: bool
    lefts: list[tuple[str, list[str]]] = field(factory=list)
    """The left side and the conditions of every rule of Maude, for `can_move`."""

    def statements(self, rule: Rule, number: int) -> list[str]:
        """Return the rules of Maude that one rule becomes: one for each choice of `one_of`."""
        made = [f"*** Rule {comment(rule.label)}"]
        label = self.conditions.names.rule(rule.name, number)
        for left, after, clauses in self._forms(rule):
            if self.has_never:
                clauses.append(f"not forbidden({after})")
            self.lefts.append((left, clauses))
            made.append(conditional("rl", f"[{label}] : {left} => {after}", clauses))
        return made

    def equations(self, rule: Rule, number: int) -> list[str]:
        """Return the equations that a simplify rule becomes."""
        made = [f"*** Simplify {comment(rule.label)}"]
        label = self.conditions.names.rule(rule.name, number)
        for left, after, clauses in self._forms(rule):
            made.append(conditional("eq", f"[{label}] : {left} = {after}", clauses))
        return made

    def can_move(self) -> str:
        """Return a function that says whether a rule applies to a state."""
        made = [conditional("eq", f"can-move({left}) = true", found) for left, found in self.lefts]
        return "\n".join([
            "*** Whether any rule applies.", "op can-move : State -> Bool .", *made,
            "eq can-move(S:State) = false [owise] .",
        ])  # fmt: skip

    def _forms(self, rule: Rule) -> list[tuple[str, str, list[str]]]:
        """Return the states before and after, and the conditions, for each choice of `one_of`."""
        sides = [_choices(value) for _, value in rule.let]
        return [self._form(rule, chosen) for chosen in product(*sides)]

    def _form(self, rule: Rule, chosen: tuple[Any, ...]) -> tuple[str, str, list[str]]:
        writer = Writer(self.conditions.names, f"rule {rule.name!r}", {"rule": rule.name})
        rest = self.conditions.names.own("Rest", "Bag")
        taken, bound = writer.patterns(rule.take)
        clauses: list[Clause] = []
        for (pattern, _), value in zip(rule.let, chosen, strict=True):
            clauses.append(self._let(pattern, value, writer))
        if rule.keep:
            kept, gives = writer.patterns(rule.keep)
            kept.append(writer.new("Bag"))
            whole = self.conditions.everything(rest)
            clauses.append(Clause(f"{joined(kept, ';', '')} := {whole}", set(), gives))
        for given in rule.when:
            clauses.append(self.conditions.clause(given, rest, rule.bound, writer))
        for pattern in rule.absent:
            clauses.append(self.conditions.lacks(pattern, rest, rule.bound, writer))
        put = [self._put(template, clauses, writer) for template in rule.put]
        if not total(rule.cost):
            self._put(rule.cost, clauses, writer)
        after = joined([*put, rest], ";", "none")
        clauses = writer.clauses + clauses
        before = joined([*taken, rest], ";", "none")
        return f"{{ {before} }}", f"{{ {after} }}", in_order(clauses, bound)

    def _put(self, template: Any, clauses: list[Clause], writer: Writer) -> str:
        text = writer.term(template)
        if total(template):
            return text
        name = writer.new("Term")
        clauses.append(Clause(f"{name} := {text}", writer.needs(template), {name}))
        return name

    def _let(self, pattern: Any, value: Any, writer: Writer) -> Clause:
        (text,), gives = writer.patterns((pattern,))
        needs = writer.needs(value)
        if not isinstance(value, OneOf):
            return Clause(f"{text} := {writer.term(value)}", needs, gives)
        if kind_of(value.options) == "bag":
            right = writer.members(value.options)
            return Clause(f"{text} ; {writer.new('Bag')} := {right}", needs, gives)
        if kind_of(value.options) == "seq":
            left = f"{writer.new('List')} ~ {text} ~ {writer.new('List')}"
            return Clause(f"{left} := {writer.elements(value.options)}", needs, gives)
        why = f"{source(value.options)} may be neither a sequence nor a nested bag"
        raise writer.refuse(repr(value), why)


def _choices(value: Any) -> tuple[Any, ...]:
    """Return the options of `one_of(a, b, c)`; anything else is the only choice."""
    if isinstance(value, OneOf) and isinstance(value.options, tuple):
        return value.options
    return (value,)

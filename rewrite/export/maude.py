"""`to_maude`: a puzzle as a system module of Maude (maude.cs.illinois.edu).

A rule of the puzzle is a conditional rewrite rule on a whole state:

    crl [label] : { taken ; REST } => { put ; REST } if conditions .

A condition matches `keep` in what is left and the facts; each `let` is a condition
`pattern := value`; each option of `one_of` makes a rule of its own. A term to put that may lack a
value also becomes a condition `V := value`: V has a sort, and only a value has one.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from rewrite.errors import ExportError, tells_unknown_names
from rewrite.export.maude_conditions import (
    Conditions,
    bag_of,
    comment,
    conditional,
    in_order,
    lacking,
)
from rewrite.export.maude_library import (
    IMPORTS,
    IMPORTS_WITH_STRING,
    SORTS,
    functions,
    within_terms,
)
from rewrite.export.maude_names import Names, module_name
from rewrite.export.maude_simplify import looked_at
from rewrite.export.maude_terms import Clause, Writer, is_call, joined, total
from rewrite.language.conditions import Condition, Terminal
from rewrite.language.expressions import kind_of
from rewrite.language.functions import FunctionCall, OneOf
from rewrite.language.order import source
from rewrite.language.puzzles import Puzzle
from rewrite.language.reaching import Reachable
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.language.subterms import subterms

STATE = "{{ {} }}"


@tells_unknown_names(ExportError, "to_maude")
def to_maude(puzzle: Puzzle, start: Any = None, *, name: str | None = None) -> str:
    """Return the puzzle as the text of a Maude module; one rewrite there is one step here.

    puzzle  the puzzle; `symmetry` and `show` are not carried over, and costs are not counted
    start   the first state; the puzzle's own by default
    name    the module's name: letters, digits and -; derived from the puzzle's name by default

    The constant `start` is the first state. Comments at the end say how to search for the goal,
    and how to count all states. Names depend only on the puzzle: same puzzle, same text.

    Raises ExportError for what Maude cannot express: `@fn` and other Python functions,
    aggregates, an order among terms of any kind, slices, upper and lower, and `simplify` if
    some state has two normal forms (only the first 1,000 states are checked).

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> text = to_maude(Puzzle(rule("add", take=[M, N], put=[M + N], when=M >= N)), [1, 2, 3])
    >>> print(text[text.index("*** Rule"):])
    *** Rule add
    crl [add] : { M ; N ; REST } => { (M + N) ; REST }
      if M >= N .
    <BLANKLINE>
    op start : -> State .
    eq start = { 1 ; 2 ; 3 } .
    endm
    <BLANKLINE>
    *** All states, counted: search in PUZZLE : start =>* S:State such that false .
    <BLANKLINE>
    """
    if not isinstance(puzzle, Puzzle):
        raise ExportError(f"to_maude({puzzle!r}): the first argument is a Puzzle")
    if puzzle.sets:
        raise ExportError(f"{puzzle.name}: sets=True cannot be carried over; have rules that put a "
                          "term say absent= for it")  # fmt: skip
    title = module_name(name, puzzle.name)
    first = puzzle.start if start is None else State(start)
    if first is None:
        raise ExportError(
            f"{puzzle.name}: where to start? Give to_maude(puzzle, start) or Puzzle(…, start=[…])"
        )
    try:
        return _Module(puzzle, title).text(first)
    except RecursionError:
        raise ExportError(
            f"{puzzle.name}: an expression nests too deep to be written here. Write it in several, "
            "bound one after the other by let="
        ) from None


class _Module:
    def __init__(self, puzzle: Puzzle, title: str) -> None:
        self.puzzle, self.title, self.names = puzzle, title, Names()
        self.conditions = Conditions(self.names, has_facts=bool(len(puzzle.facts)))
        self.lefts: list[tuple[str, list[str]]] = []
        """The left side and the conditions of every Maude rule."""
        self.reached: dict[Puzzle, str] = {}
        """By the rules of `reachable`: the constructor of the states that these rewrite."""

    def text(self, first: State) -> str:
        puzzle, plain = self.puzzle, Writer(self.names, self.puzzle.name)
        start = f"op start : -> State .\neq start = {{ {bag_of(first, plain)} }} ."
        facts = f"op facts : -> Bag .\neq facts = {bag_of(puzzle.facts, plain)} ."
        rules = [self._rule(rule, number) for number, rule in enumerate(puzzle.rules, 1)]
        simplify = [self._equation(rule, number) for number, rule in enumerate(puzzle.simplify, 1)]
        never = [self._function("forbidden", "never", puzzle.never)] if puzzle.never else []
        solved, search = self._goal()
        moves = [self._can_move()] if self.conditions.asks_for_moves else []
        if self.names.beyond_ascii and self.names.text_order is not None:
            raise self.names.text_order
        body = [
            *functions(self.names.functions),
            *within_terms(self.names.functions, self.names.constructors()),
            *[facts] * self.conditions.has_facts,
            *self.conditions.statements, *never, *simplify, *rules, *moves, *solved, start,
        ]  # fmt: skip
        heading = f"*** {comment(puzzle.name)}, written by rewrite.to_maude."
        if puzzle.simplify:
            number, all_ = looked_at(puzzle, first)
            where = f"all {number:,} states" if all_ else f"the first {number:,} states, no further"
            heading += (
                f"\n*** The equations give one normal form in every order: looked at in {where}."
            )
        text = "\n\n".join([*self._declarations("\n".join(body)), *body])
        every = (
            f"*** All states, counted: search in {self.title} : start =>* S:State such that false ."
        )
        return f"{heading}\nmod {self.title} is\n{text}\nendm\n\n{search}{every}\n"

    def _declarations(self, body: str) -> list[str]:
        names = self.names
        sorted_ = [*names.variables.values(), *[one for sorts in names.unions for one in sorts]]
        with_strings = '"' in body or "String" in body or "String" in sorted_
        atoms = ["Int", "Bool", *["String"] * with_strings]
        made = [IMPORTS_WITH_STRING if with_strings else IMPORTS]
        made.append(SORTS.format(atoms=" ".join(atoms)))
        for constructor, arity in names.constructors().items():
            made.append(
                f"sort {constructor} .\nsubsort {constructor} < Term .\n"
                f"op {constructor} : {'Term ' * arity}-> {constructor} [ctor] ."
            )
        for united, name in names.unions.items():
            made.append(
                f"sort {name} .\nsubsort {name} < Term .\nsubsorts {' '.join(united)} < {name} ."
            )
        sorts: dict[str, list[str]] = {}
        for variable, sort in names.variables.items():
            sorts.setdefault(sort, []).append(variable)
        made.append(
            "\n".join(f"vars {' '.join(found)} : {sort} ." for sort, found in sorts.items())
        )
        return made

    def _function(self, name: str, part: str, given: tuple[Condition, ...]) -> str:
        """Return a function that tests whether a state meets one of the conditions."""
        writer = Writer(self.names, f"{self.puzzle.name}: {part}")
        state = self.names.own("State", "Bag")
        texts = [self.conditions.text(one, state, {}, writer) for one in given]
        head = f"{name}({{ {state} }})"
        return f"op {name} : State -> Bool .\neq {head} = {' or-else '.join(texts)} ."

    def _goal(self) -> tuple[list[str], str]:
        """Return the statement of the goal, and the comment on how to search for it."""
        goal, search = self.puzzle.goal, f"*** The goal: search [1] in {self.title} : start =>"
        if goal is None:
            return [], ""
        if isinstance(goal, Terminal):
            return [], f"{search}! S:State .\n"
        before = len(self.conditions.statements)
        try:
            made = self._function("solved", "goal", (goal,))
        except ExportError as error:
            del self.conditions.statements[before:]
            return [], f"*** The goal is not written out. {comment(error.message)}\n"
        return [made], f"{search}* S:State such that solved(S:State) .\n"

    # -- rules -----------------------------------------------------------------------------

    def _rule(self, rule: Rule, number: int) -> str:
        """Return the Maude rules for one rule: one for each choice of `one_of`."""
        made = [f"*** Rule {comment(rule.label)}"]
        label = self.names.rule(rule.name, number)
        for left, after, clauses in self._forms(rule):
            if self.puzzle.never:
                clauses.append(f"not forbidden({after})")
            self.lefts.append((left, clauses))
            made.append(conditional("rl", f"[{label}] : {left} => {after}", clauses))
        return "\n".join(made)

    def _equation(self, rule: Rule, number: int) -> str:
        made = [f"*** Simplify {comment(rule.label)}"]
        label = self.names.rule(rule.name, number)
        if any(_rewrites(value) for _, value in rule.let):
            raise ExportError(f"rule {rule.name!r}: no equation has a condition that rewrites "
                              "there: reachable(…) stands in rules, not in simplify=")  # fmt: skip
        for left, after, clauses in self._forms(rule):
            made.append(conditional("eq", f"[{label}] : {left} = {after}", clauses))
        return "\n".join(made)

    def _can_move(self) -> str:
        made = [conditional("eq", f"can-move({left}) = true", found) for left, found in self.lefts]
        return "\n".join([
            "*** Whether any rule applies.", "op can-move : State -> Bool .", *made,
            "eq can-move(S:State) = false [owise] .",
        ])  # fmt: skip

    def _forms(self, rule: Rule, state: str = STATE) -> list[tuple[str, str, list[str]]]:
        """Return the states before and after, and the conditions, for each choice of `one_of`."""
        sides = [_choices(value) for _, value in rule.let]
        return [self._form(rule, chosen, state) for chosen in product(*sides)]

    def _form(self, rule: Rule, chosen: tuple[Any, ...], state: str) -> tuple[str, str, list[str]]:
        writer = Writer(self.names, f"rule {rule.name!r}", {"rule": rule.name})
        rest = self.names.own("Rest", "Bag")
        taken, bound = writer.patterns(rule.take)
        clauses: list[Clause] = []
        for (pattern, _), value in zip(rule.let, chosen, strict=True):
            clauses.append(self._let(pattern, value, writer))
        if rule.keep:
            kept, gives = writer.patterns(rule.keep)
            kept.append(writer.new("Bag"))
            whole = self.conditions.everything(rest)
            clauses.append(Clause(f"{joined(kept, ';', '')} := {whole}", set(), gives))
        for given in (*rule.when, *lacking(rule.absent)):
            clauses.append(self.conditions.clause(given, rest, rule.bound, writer))
        put = [self._put(template, clauses, writer) for template in rule.put]
        if not total(rule.cost):
            self._put(rule.cost, clauses, writer)
        after = joined([*put, rest], ";", "none")
        clauses = writer.clauses + clauses
        before = joined([*taken, rest], ";", "none")
        return state.format(before), state.format(after), in_order(clauses, bound)

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
        if _rewrites(value):
            return self._rewritten(text, value.options, needs, gives, writer)
        if kind_of(value.options) == "bag":
            right = writer.members(value.options)
            return Clause(f"{text} ; {writer.new('Bag')} := {right}", needs, gives)
        if kind_of(value.options) == "seq" or is_call(value.options, subterms):
            left = f"{writer.new('List')} ~ {text} ~ {writer.new('List')}"
            return Clause(f"{left} := {writer.elements(value.options)}", needs, gives)
        why = f"{source(value.options)} may be neither a sequence nor a nested bag"
        raise writer.refuse(repr(value), why)

    def _rewritten(
        self, text: str, call: Any, needs: set[str], gives: set[str], writer: Writer
    ) -> Clause:
        """Return the condition that one bag is rewritten to another, by rules of their own."""
        puzzle: Puzzle = call.function.puzzle
        more = ("facts", "never", "simplify", "sets")
        if given := [part for part in more if getattr(puzzle, part)]:
            raise writer.refuse("reachable(…)", f"{given[0]}= of its rules is not exported")
        pattern = text.removeprefix("bag(")[:-1] if text.startswith("bag(") else text
        if puzzle not in self.reached:
            self.reached[puzzle] = name = self.names.operator("reached")
            made = [f"op {name} : Bag -> State [ctor] ."]
            for number, rule in enumerate(puzzle.rules, 1):
                label = self.names.rule(rule.name, number)
                for left, after, clauses in self._forms(rule, f"{name}({{}})"):
                    made.append(conditional("rl", f"[{label}] : {left} => {after}", clauses))
            self.conditions.statements.append("\n".join(made))
        name = self.reached[puzzle]
        start = writer.members(call.args[0])
        return Clause(f"{name}({start}) => {name}({pattern})", needs, gives)


def _rewrites(value: Any) -> bool:
    """Whether a let chooses one of what rules lead to."""
    call = value.options if isinstance(value, OneOf) else None
    return isinstance(call, FunctionCall) and isinstance(call.function, Reachable)


def _choices(value: Any) -> tuple[Any, ...]:
    """Return the options of `one_of(a, b, c)`; anything else is its own only choice."""
    if isinstance(value, OneOf) and isinstance(value.options, tuple):
        return value.options
    return (value,)

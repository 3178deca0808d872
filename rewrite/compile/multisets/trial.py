"""How long a search runs as a multiset before its rules are compiled to slots.

A multiset needs no ground rules, but takes longer for each state. So where facts make many ground
rules of few rules, a search begins as a multiset, and begins again over slots after about as much
work as compiling them takes: at most twice the time of the better of both (ski rental). Work is
estimated from the facts, never measured, so that a search is deterministic.
"""

from __future__ import annotations

from math import prod

from rewrite.compile.encoding import multiset
from rewrite.compile.join_order import branches, work
from rewrite.compile.program import MultisetProgram
from rewrite.compile.task import Task
from rewrite.language.expressions import Expression
from rewrite.language.patterns import binders, mentioned
from rewrite.language.rules import Rule
from rewrite.language.terms import Term

FEW_FACTS, MOST_RULES = 200, 32
"""With fewer facts, or with more rules, slots are compiled as fast as a multiset."""
GROUND_RULE, STATE, TERM = 300.0, 150.0, 0.4
"""What takes as long as looking at so many candidates of a join: a third of compiling a ground
rule, storing a state, copying a term of a state. Measured: a candidate takes some 30 ns."""
FEW_STATES, MOST_STATES = 500, 4_000


def states_on_trial(task: Task) -> int:
    """Return up to how many states the search should run as a multiset; 0 if not at all."""
    puzzle = task.puzzle
    if len(puzzle.facts.items) < FEW_FACTS or len(puzzle.rules) > MOST_RULES:
        return 0
    if puzzle.simplify or puzzle.sets:
        return 0
    compiled = multiset(task)
    if not compiled.on_trial:
        compiled.on_trial.append(_states(compiled.program))
    return compiled.on_trial[0]


def _states(program: MultisetProgram) -> int:
    puzzle = program.puzzle
    ground = sum(_instances(program, rule) for rule in puzzle.rules)
    each = STATE
    for rule in puzzle.rules:
        candidates, matches = work(rule, program.plan(rule), program.size)
        each += candidates + TERM * len(program.start.items) * matches
    states = int(ground * GROUND_RULE / each)
    return min(states, MOST_STATES) if states >= FEW_STATES else 0


def _instances(program: MultisetProgram, rule: Rule) -> float:
    """Return about how many ground rules a rule has: by facts, choices, and the terms it takes."""
    bound, others = set(mentioned(())), list[Term]()
    number = prod([branches(value) for _, value in rule.let], start=1.0)
    for pattern in (*rule.keep, *rule.take):
        if not isinstance(pattern, (Term, tuple)):
            continue
        types = program.candidates(pattern)
        if any(one in program.layout.index for one in types):
            others += [pattern] if isinstance(pattern, Term) else []
            continue
        number *= program.size(pattern, bound)[1]
        bound |= binders(pattern).keys()
    for pattern in others:
        alike = [one.term_arguments() for one in program.start.items if type(one) is type(pattern)]
        columns = [{*column} for column in zip(*alike, strict=True)]
        for part, values in zip(pattern.term_arguments(), columns, strict=False):
            variables = mentioned(part).keys()
            if isinstance(part, Expression) and not (variables and variables <= bound):
                number *= len(values)
        bound |= binders(pattern).keys()
    return number

"""The public `explain`: that of the definition (`outcome.explain`), and how states are kept."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, overload

from attrs import evolve

from rewrite.code.failure import EngineFailure
from rewrite.compiler.capacity import LEAST, NeedsCapacity
from rewrite.compiler.slots.keys import Unsuitable
from rewrite.compiler.slots.layout import TWICE, described
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language.meaning import normal_goal, simplified
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.outcome import explain as definition
from rewrite.outcome.explain import Funnel, Overview
from rewrite.reasoning.over_slots import OverSlots
from rewrite.search.tasks.distances import MOST_BYTES, index_of


@overload
def explain(puzzle: Puzzle, state: Any = None, rule: None = None) -> Overview: ...
@overload
def explain(puzzle: Puzzle, state: Any, rule: Rule | str) -> Funnel: ...
@tells_unknown_names(SearchError, "explain")
def explain(puzzle: Puzzle, state: Any = None, rule: Rule | str | None = None) -> Funnel | Overview:
    """Return why a rule fires or does not in a state: how many matches survive each condition.

    state  a state, normalised by `simplify` (except for a rule of `simplify`); None: the puzzle's
           start
    rule   a Rule, its name, its label, or a label as displayed

    Without a rule: one line per rule with its number of steps; also without a state: what the
    puzzle consists of, how its states are kept and why (if it has a start). Raises PuzzleError for
    an unknown rule, or for a rule without a state if there is no start.

    >>> from rewrite.language.builtins import divides
    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> division = rule(f"{M} ÷ {N}", take=[M, N], put=[M // N], when=[M >= N, divides(N, M)])
    >>> print(explain(Puzzle(division), [2, 7, 8], "8 ÷ 2"))
    rule '{M} ÷ {N}' in state [2, 7, 8]
      take M              3 left
      take N              6 left
      when=M >= N         3 left, 3 dropped: e.g. M=2, N=7
      when=divides(N, M)  1 left, 2 dropped: e.g. M=7, N=2
    1 step
    >>> print(str(explain(Puzzle(division, start=[2, 7, 8]))).splitlines()[-3])
    states are kept as a multiset in groups (int): rule '{M} ÷ {N}' has the pattern M, which has \
no key
    """
    if rule is not None:
        return definition.explain(puzzle, state, rule)
    description = definition.explain(puzzle, state)
    if state is not None or puzzle.start is None:
        return description
    return evolve(description, text="\n".join([description.text, *kept(puzzle, puzzle.start)]))


def kept(puzzle: Puzzle, start: State) -> list[str]:
    """Return lines on how the states of a search from this start are kept, and why."""
    capacity = LEAST
    start = simplified(puzzle, start)
    goal = None if puzzle.goal is None else normal_goal(puzzle, puzzle.goal)
    while True:
        try:
            engine = build(Task(puzzle, start, goal), capacity)
            break
        except NeedsCapacity as needs:
            if needs.capacity in capacity:
                raise
            capacity |= needs.capacity
        except EngineFailure as failure:
            return [f"how states are kept cannot be said: {failure}"]
    # loaded on first use, to keep imports fast
    from rewrite.search.tasks.abilities import abilities

    lines = [f"states are kept as {engine.encoding}"]
    if engine.why is not None and engine.why.way_out:
        lines.append(f"  for slots: {engine.why.way_out}")
    if (rules := engine.reasoning) is not None:
        lines += [f"  {line}" for line in described(rules.layout)]
        lines += [f"  {line}" for line in twice(rules)]
        with suppress(Unsuitable, EngineFailure):
            index = index_of(engine, start)
            if index.bytes <= MOST_BYTES:
                lines.append(f"  distances(puzzle) stores no states: {index}")
    with suppress(EngineFailure):  # a user function, called on unreachable states
        lines += abilities(puzzle, start, engine)
    return lines


def twice(rules: OverSlots) -> list[str]:
    """Return a line on the rules that may put a term that is already there, if any."""
    named = rules.task.puzzle.rules
    names = list(dict.fromkeys(repr(named[at].name) for at, one in rules.changes if one.guard))
    if not names:
        return []
    shown = ", ".join(names[:3]) + ", …" * (len(names) > 3)
    return [f"if {TWICE.what} (by {shown}), the search begins again as a multiset; {TWICE.way_out}"]

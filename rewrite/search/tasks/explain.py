"""The public `explain`: that of the definition (`results.explain`), and how states are kept."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, overload

from attrs import evolve

from rewrite.compile.capacity import LEAST, Capacity, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import TWICE, described
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.interface import Engine
from rewrite.errors import SearchError, SymmetryError, tells_unknown_names
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.results.explain import Funnel, Overview, funnel, overview
from rewrite.search.abilities import abilities
from rewrite.search.arguments import question
from rewrite.search.ends import TWICE_BETWEEN, may_double
from rewrite.search.question import Question
from rewrite.search.reduction import NONE_FOUND, reduction_for
from rewrite.search.tasks.distances import MOST_BYTES, index_of
from rewrite.search.twin import twin

GROUPS = {"declared": ": those declared generate", "find": " that can be found:"}


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
    states are stored as a multiset in groups (int): rule '{M} ÷ {N}' has the pattern M, which has \
no key
    """
    the_puzzle("explain", puzzle)
    if rule is not None:
        return funnel(puzzle, state, rule)
    found = overview(puzzle, state)
    if state is not None or puzzle.start is None:
        return found
    return evolve(found, text="\n".join([found.text, *kept(puzzle, puzzle.start)]))


def kept(puzzle: Puzzle, start: State) -> list[str]:
    """Return lines on how the states of a search from this start are kept, and why."""
    capacity = LEAST
    asked = twin(question(puzzle, start, None, goal_needed=False, function="explain"))
    while True:
        try:
            return _storage(asked, build(Task(asked.puzzle, asked.start, asked.goal), capacity))
        except NeedsCapacity as needs:
            if needs.capacity in capacity:
                raise
            capacity |= needs.capacity
        except EngineFailure as failure:
            return [f"how states are stored is not known: {failure}"]


def _storage(asked: Question, engine: Engine) -> list[str]:
    """Return the lines of `kept`. Raises NeedsCapacity if some state needs another encoding."""
    puzzle = asked.puzzle
    lines = [f"states are stored as {engine.encoding}"]
    if engine.why is not None and engine.why.way_out:
        lines.append(f"  for slots: {engine.why.way_out}")
    if (rules := engine.reasoning) is not None:
        lines += [f"  {line}" for line in described(rules.layout)]
        named = [repr(puzzle.rules[at].name) for at, one in rules.changes if one.guard]
        if names := list(dict.fromkeys(named)):
            shown = ", ".join(names[:3]) + ", …" * (len(names) > 3)
            lines.append(
                f"  if {TWICE.what} (by {shown}), the search begins again as a multiset; "
                f"{TWICE.way_out}"
            )
        with suppress(Unsuitable, EngineFailure):
            index = index_of(engine, asked.start)
            most = f", max_memory={index.enough!r}" if index.bytes > MOST_BYTES else ""
            lines.append(f"  distances(puzzle{most}) stores no states: {index}")
    with suppress(EngineFailure):  # a user function, called on unreachable states
        lines += _abilities(asked, engine)
    return lines


def _abilities(asked: Question, engine: Engine) -> list[str]:
    """Return lines on inverse rules, goal states and symmetries; takes as long as finding these."""
    from_ends = engine
    lines = []
    if may_double(engine):
        from_ends = build(engine.task, Capacity(multiset=[TWICE_BETWEEN]))
        lines.append(f"a search from both ends keeps states as {from_ends.encoding}")
    lines += [one.line for one in abilities(engine, from_ends)]
    hows = ["declared"] * bool(asked.puzzle.symmetry) + ["find"] * (engine.reasoning is not None)
    return lines + _symmetries(asked, engine, hows)


def _symmetries(asked: Question, engine: Engine, hows: Iterable[str]) -> list[str]:
    lines = []
    for how in hows:
        try:
            reduction, notes = reduction_for(evolve(asked, symmetry=how), engine, None)
        except SymmetryError as error:
            lines.append(str(error))
            continue
        order = 1 if reduction is None else reduction.group.order
        group = [] if NONE_FOUND in notes else [f"symmetries{GROUPS[how]} a group of {order:,}"]
        lines.append("; ".join([*group, *notes]))
    return lines

"""All steps out of a state, by the definition of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.language import meaning
from rewrite.language.labels import one_line
from rewrite.language.order import Key
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.outcome.step import Step, step_of


@tells_unknown_names(SearchError, "moves")
def moves(puzzle: Puzzle, state: Any) -> list[Step]:
    """Return every step out of a state, in canonical order.

    The state is taken in its normal form under `simplify`.
    Order: rules as declared; within a rule by the terms taken, then kept, then by the bindings. The
    same rule with the same bindings that takes the same terms comes once. Slow and exact: by
    `language.meaning`. Raises StateError, and RuleError for what fails in a user function.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> puzzle = Puzzle(rule(f"{M} - {N} → {M - N}", take=[M, N], put=[M - N], when=M > N))
    >>> [step.label for step in moves(puzzle, [5, 2, 9])]
    ['5 - 2 → 3', '9 - 2 → 7', '9 - 5 → 4']
    """
    asked = the_puzzle("moves", puzzle)
    return steps_by(asked, meaning.simplified(asked, State(state)), asked.rules)


def steps_by(puzzle: Puzzle, before: State, rules: Iterable[Rule]) -> list[Step]:
    """Return every step out of a state by these rules of the puzzle."""
    return steps_of(puzzle, before, meaning.successors(puzzle, before, rules))


def steps_of(puzzle: Puzzle, before: State, ways: Iterable[meaning.RuleApplication]) -> list[Step]:
    """Return ways out of a state as steps, those with the same choice once."""
    found: dict[Key, Step] = {}
    for way in ways:
        step = step_of(puzzle, before, way)
        found.setdefault(step.choice(), step)
    return list(found.values())


def may_read(rule: Rule, label: str) -> bool:
    """Return whether the rule's label, filled in somehow, could be this text.

    A necessary test only, to leave rules out that need not be tried.
    """
    parts = (
        re.escape(one_line(part)) if isinstance(part, str) else ".*" for part in rule.template.parts
    )
    return re.fullmatch("".join(parts), label, re.DOTALL) is not None

"""Following a list of wishes (labels, steps, states) through the states of a puzzle.

A label may fit several resulting states; all of them are followed, and what comes after decides.
Rule: those choices count from which every later wish can be met. Cost: number of states followed
times the cost of `moves` with the rules that may read as the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from rewrite.language.between import Between
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.outcome.moves import may_read, steps_by, steps_of
from rewrite.outcome.step import Step

Wish = str | Step | State


@frozen
class Walker:
    """Finds the steps that meet a wish; remembers them, for many walks over the same states."""

    puzzle: Puzzle
    _known: dict[Any, list[Step]] = field(factory=dict, repr=False)
    _between: Between = field(init=False, repr=False)

    @_between.default
    def _prepared(self) -> Between:
        return Between(self.puzzle)

    def steps(self, before: State, wish: Wish) -> list[Step]:
        """Return the steps out of a state that meet the wish, in canonical order."""
        key = (before, wish)
        if key not in self._known:
            self._known[key] = self._steps(before, wish)
        return self._known[key]

    def _steps(self, before: State, wish: Wish) -> list[Step]:
        rules = self.puzzle.rules
        if isinstance(wish, State):
            return steps_of(self.puzzle, before, self._between.ways(before, wish))
        if isinstance(wish, Step):
            same = [rule for rule in rules if rule == wish.rule]
            found = steps_by(self.puzzle, before, same)
            return [step for step in found if step.choice() == wish.choice()]
        able = [rule for rule in rules if may_read(rule, wish)]
        return [step for step in steps_by(self.puzzle, before, able) if step.label == wish]

    def walk(self, start: State, wishes: Sequence[Wish]) -> list[list[Step]]:
        """Return for each wish the steps that meet it, from every state reached so far.

        As many entries as wishes could be met, and one that is empty where one could not.
        """
        reached: list[list[Step]] = []
        states = [start]
        for wish in wishes:
            met = [step for state in states for step in self.steps(state, wish)]
            reached.append(met)
            if not met:
                break
            states = list(dict.fromkeys(step.after for step in met))
        return reached

    def arrives(self, start: State, wishes: Sequence[Wish], end: State) -> bool:
        """Return whether the wishes can be met one after the other and lead to `end`."""
        reached = self.walk(start, wishes)
        return any(step.after == end for step in reached[-1]) if wishes else start == end


def leading_on(reached: list[list[Step]], end: State | None = None) -> list[list[Step]]:
    """Return of each entry the steps from which all later entries (and `end`) can be reached."""
    kept: list[list[Step]] = []
    wanted = None if end is None else {end}
    for met in reversed(reached):
        kept.insert(0, [step for step in met if wanted is None or step.after in wanted])
        wanted = {step.before for step in kept[0]}
    return kept

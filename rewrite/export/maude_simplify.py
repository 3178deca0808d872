"""Whether `simplify` may be written as equations, which must be confluent and terminating.

Here the first rule and its first result count; Maude applies equations in its own order. So both
agree if each reachable state has one normal form, whichever way is taken, and no way goes on
forever. That is checked state by state, by the definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from attrs import define, field

from rewrite.errors import ExportError
from rewrite.language.meaning import forbidden, ways
from rewrite.language.nesting import reached
from rewrite.language.order import term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State

STATES = 1_000
"""Most states to check, in breadth-first order."""
STEPS = 500
"""Most steps from a state to its normal form."""
ON_THE_WAY = 10_000
"""Most states to visit on the way to normal forms before giving up."""


def looked_at(puzzle: Puzzle, start: State) -> tuple[int, bool]:
    """Return how many states have a unique normal form, and whether these are all.

    Raises ExportError for a state that has two, or from which simplifying may not terminate.
    """
    forms = _Forms(puzzle)

    def following(state: State) -> Iterator[State]:
        for rule in puzzle.rules:
            for way in ways(puzzle, rule, state):
                after = forms.of(way.after)
                if forbidden(puzzle, after) is None:
                    yield after

    found = len([*islice(reached([forms.of(start)], following), STATES + 1)])
    return min(found, STATES), found <= STATES


@define
class _Forms:
    puzzle: Puzzle
    known: dict[State, State] = field(factory=dict)

    def of(self, state: State) -> State:
        """Return the only normal form of a state."""
        if state in self.known:
            return self.known[state]
        path = {state: self._next(state)}
        while path:
            here, following = next(reversed(path.items()))
            further = next((one for one in following if one not in self.known), None)
            if further is not None:
                if further in path:
                    raise self._refuse(f"from {further} they may come back to it, without end")
                if len(path) > STEPS:
                    raise self._refuse(f"{state} has none after {STEPS:,} steps")
                if len(self.known) + len(path) > ON_THE_WAY:
                    raise self._refuse(f"more than {ON_THE_WAY:,} states lie on the way to them")
                path[further] = self._next(further)
                continue
            ends = sorted({self.known[one] for one in following}, key=term_key)
            if len(ends) > 1:
                raise self._refuse(f"{here} becomes {ends[0]} in one order, {ends[1]} in another")
            self.known[here] = ends[0] if ends else here
            del path[here]
        return self.known[state]

    def _next(self, state: State) -> list[State]:
        found = (
            way.after for rule in self.puzzle.simplify for way in ways(self.puzzle, rule, state)
        )
        return list(dict.fromkeys(found))

    def _refuse(self, found: str) -> ExportError:
        return ExportError(
            f"{self.puzzle.name}: simplify= cannot be written in Maude: there every order of "
            f"equations must give the same normal form, and here {found}. Make its conditions "
            "exclude each other, so that the order makes no difference",
            rule=self.puzzle.simplify[0].name,
        )

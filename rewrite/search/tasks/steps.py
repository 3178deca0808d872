"""`Steps`: the steps out of any state of a game, soon: a page asks for them after each move."""

from __future__ import annotations

from rewrite.compile.capacity import LEAST, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.interface import Engine
from rewrite.language.between import Between
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State
from rewrite.results.moves import Step, steps_by, steps_of


class Steps:
    """Finds the steps out of states that can be reached from a start.

    The compiled rules, compiled once, tell which states come next, and the definition, asked about
    these alone, by which steps. Steps and order are those of `moves`. Cost: a few dozen matches a
    step; that of `moves` if the puzzle simplifies, or where a user function fails.
    """

    def __init__(self, puzzle: Puzzle, start: State) -> None:
        self.puzzle, self._start = puzzle, start
        self._between, self._capacity = Between(puzzle), LEAST
        self._engine: Engine | None = None

    def out_of(self, state: State) -> list[Step]:
        """Return every step out of the state. Raises RuleError."""
        try:
            following = None if self.puzzle.simplify else self._following(state)
        except EngineFailure:  # the definition does it, or says what failed
            following = None
        if following is None:
            return steps_by(self.puzzle, state, self.puzzle.rules)
        places = {rule: -at for at, rule in enumerate(reversed(self.puzzle.rules))}
        found = [way for after in following for way in self._between.ways(state, after)]
        found.sort(key=lambda way: (places[way.rule], way.order))
        return steps_of(self.puzzle, state, found)

    def _following(self, state: State) -> list[State]:
        while True:
            try:
                if self._engine is None:
                    self._engine = build(Task(self.puzzle, self._start), self._capacity)
                codes = self._engine.successors(self._engine.encode(state))
                return [self._engine.decode(code) for code in dict.fromkeys(codes)]
            except NeedsCapacity as needs:
                if needs.capacity in self._capacity:  # it would ask for ever
                    raise EngineFailure(str(needs.capacity)) from needs
                self._capacity |= needs.capacity
                self._engine = None

"""Positions of a game: a tree of states; evicted positions are replayed from the link."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from functools import cached_property
from threading import RLock
from typing import Any

from attrs import frozen

from rewrite.checkpoints.identity import digest_of
from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.cache import Cache
from rewrite.language.puzzles import Puzzle, has_costs
from rewrite.language.states import State, beyond
from rewrite.play.game import Move, in_link
from rewrite.results.moves import Step, steps_by
from rewrite.results.path import Path
from rewrite.results.spaces import Space
from rewrite.search.tasks.steps import Steps
from rewrite.show.drawing.change import marked
from rewrite.show.drawing.drawing import Drawing
from rewrite.show.views.pictures import drawn_or_told, remembered

MOST_POSITIONS = 2_000
"""The most positions of an instance to keep; beyond this, all are evicted at once."""
MOST_KNOWN = 20_000
"""The most states of an instance with a known distance to keep."""
BEFORE_CHECK, LONGEST_CHECK, BETWEEN_CHECKS = 1.0, 5.0, 0.02
"""Seconds before a position is checked in the background, for all of it, and between two rules."""
Mapped = tuple["Position", Space]
"""The position from which the last map goes out, and the space that it shows."""


@frozen
class Known:
    """What a search found out about a state.

    after    the next state on a path to a goal; None in a goal
    label    of the step that leads there
    left     the number of steps on that path; cost: their total cost
    optimal  whether it is a shortest path, or a cheapest one if steps have costs
    """

    after: State | None
    label: str
    left: int
    cost: int
    optimal: bool


class Position:
    """A state and the path that led to it. Callers lock the instance before using more of it."""

    def __init__(
        self,
        finder: Steps,
        state: State,
        step: Step | None = None,
        earlier: Position | None = None,
        move: Move | None = None,
    ) -> None:
        self.finder, self.puzzle, self.state = finder, finder.puzzle, state
        self.step, self.earlier, self.move = step, earlier, move
        self.number: int = 0 if earlier is None else earlier.number + 1
        self.cost: int = 0 if earlier is None or step is None else earlier.cost + step.cost
        self.following: dict[Move, Position] = {}
        """Those that were asked for."""
        self.past: Any = None
        """What the view remembers of the way here."""
        if earlier is not None and step is not None:
            self.past = remembered(self.puzzle, earlier.past, step)

    def beyond(self, move: Move, step: Step) -> Position:
        return Position(self.finder, step.after, step, self, move)

    @cached_property
    def steps(self) -> list[Step]:
        return self.finder.out_of(self.state)

    @cached_property
    def drawing(self) -> Drawing:
        return drawn_or_told(self.puzzle, self.state, self.past)

    @property
    def picture(self) -> Drawing:
        if self.earlier is None:
            return self.drawing
        return marked(self.earlier.drawing, self.drawing, beyond(self.state, self.earlier.state))

    def way(self) -> list[Position]:
        found = [self]
        while found[-1].earlier is not None:
            found.append(found[-1].earlier)
        return found[::-1]

    def played(self, since: int = 0) -> list[Any]:
        """Return the moves that led here from the position of a number, as written in a link."""
        return [in_link(one.move) for one in self.way()[since + 1 :] if one.move is not None]

    def moves(self) -> dict[Move, Step]:
        seen: Counter[str] = Counter()
        found = {}
        for step in self.steps:
            seen[step.label] += 1
            found[step.label, seen[step.label]] = step
        return found


class Instance:
    """A puzzle with a start (of: the puzzle it was made from), and facts about its states."""

    def __init__(self, puzzle: Puzzle, start: State, of: Puzzle) -> None:
        self.puzzle, self.of, self.finder = puzzle, of, Steps(puzzle, start)
        self.digest, self.has_costs = digest_of(puzzle), has_costs(puzzle)
        self.lock = RLock()
        self.dead: Cache[State, bool] = Cache(MOST_KNOWN)
        """States from which no goal can be reached."""
        self.known: Cache[State, Known] = Cache(MOST_KNOWN)
        self.former: Instance | None = None
        """That of the same game before the file of its puzzle changed."""
        self.fault = ""
        """Where the compiled rules are wrong, if they were found to be."""
        self.mapped: Mapped | None = None
        self.latest: Position | None = None
        """The position asked for last: work about others stops."""
        self._root = Position(self.finder, start)
        self._held = 1

    def position(self, moves: tuple[Move, ...]) -> Position:
        """Return the position after the moves, up to the first illegal one. Raises RuleError."""
        with self.lock:
            if self._held > MOST_POSITIONS + 2 * len(moves):
                self._root, self._held = Position(self.finder, self._root.state), 1
            here = self._root
            for move in moves:
                following = self.after(here, move)
                if following is None:
                    break
                here = following
            return here

    def went(self, moves: tuple[Move, ...]) -> Position:
        """Return the position after the moves; if rules have changed, by the states they led to."""
        here = self.position(moves)
        if here.number == len(moves) or self.former is None:
            return here
        with self.lock:
            for wanted in self.former.position(moves).way()[here.number + 1 :]:
                following = self.entered(here, wanted.state)
                if following is None:
                    break
                here = following
            return here

    def after(self, here: Position, move: Move) -> Position | None:
        if move not in here.following:
            step = here.moves().get(move)
            if step is None:
                return None
            here.following[move] = here.beyond(move, step)
            self._held += 1
        return here.following[move]

    def entered(self, here: Position, state: State, label: str | None = None) -> Position | None:
        """Return the position after a move into a state; one made before needs no steps."""

        def leads(step: Step | None) -> bool:
            return step is not None and step.after == state and label in (None, step.label)

        made = next((one for one in here.following.values() if leads(one.step)), None)
        if made is not None:
            return made
        move = next((move for move, step in here.moves().items() if leads(step)), None)
        return None if move is None else self.after(here, move)

    def check(self, here: Position) -> None:
        """Compare the steps with those of the definition, unless another position comes up."""
        time.sleep(BEFORE_CHECK)
        found, judged, until = [], [], time.monotonic() + LONGEST_CHECK
        with suppress(RewriteError):
            for rule in dict.fromkeys(self.puzzle.rules):
                if self.latest is not here or time.monotonic() > until:
                    return
                time.sleep(BETWEEN_CHECKS)  # what the player asks for comes first
                found += [step for step in here.steps if step.rule == rule]
                judged += steps_by(self.puzzle, here.state, [rule])
            if found != judged:
                here.steps = steps_by(self.puzzle, here.state, self.puzzle.rules)
                self.fault = (
                    "The compiled rules miss or add a move here, which is a bug in rewrite; please "
                    "report it with the puzzle. Shown are the moves by the definition of its rules"
                )

    def learn(self, path: Path, optimal: bool) -> None:
        left, cost = len(path), path.cost
        for step in path:
            self.known.keep(step.before, Known(step.after, step.label, left, cost, optimal))
            left, cost = left - 1, cost - step.cost
        self.known.keep(path.end, Known(None, "", 0, 0, optimal))

    def known_way(self, here: Position, most: int) -> Position | None:
        """Return the position after the first moves of a path to a goal, if one is known."""
        end = here
        with self.lock:
            while (known := self.known.get(end.state)) is not None:
                if known.after is None or end.number - here.number == most:
                    return end
                following = self.entered(end, known.after, known.label)
                assert following is not None
                end = following
        return None

    def told_left(self, here: Position) -> dict[str, Any] | None:
        """Return how far a goal is, if known: steps, cost (None without costs), whether proved."""
        known = self.known.get(here.state)
        if known is None:
            return None
        cost = known.cost if self.has_costs else None
        return {"left": known.left, "cost": cost, "optimal": known.optimal}

    def is_dead(self, position: Position) -> bool:
        return any(one.state in self.dead for one in position.way())

    def is_goal(self, state: State) -> bool:
        """Return whether a state is a goal; False if the goal fails."""
        try:
            goal = self.puzzle.goal
            return goal is not None and meaning.is_goal(self.puzzle, state, goal)
        except RewriteError:
            return False

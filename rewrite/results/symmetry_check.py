"""Whether declared symmetries are symmetries: tested on reachable states, by the definition.

A generator is a symmetry when it is a bijection on terms, a state and its image are both a goal or
neither, and the images of a state's successors, with their costs, are the successors of its image.
Facts are left unchanged. A test on samples can refute a symmetry, not prove it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rewrite.errors import PuzzleError, RuleError, SearchError, tells_unknown_names
from rewrite.language import meaning
from rewrite.language.meaning import RuleApplication
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.states import State
from rewrite.language.symmetry import Bijection, NoBijection, bijections
from rewrite.results.moves import step_of

BACK = 0.1  # probability that a walk jumps to another state seen before
SHOWN = 5  # differing steps in the text of a violation; .missing and .invented hold all


@frozen
class Violation:
    """A declaration that is not a symmetry, with the first counterexample.

    generator  the declaration, e.g. relabel(At(P, D), At(P, 10 - D))
    reason     what fails
    state      the state, and its image (None if the generator is not a bijection)
    missing    labels of steps out of the state whose images are not steps out of the image
    invented   labels of steps out of the image that are not the image of a step out of the state
    """

    generator: Any
    reason: str
    state: State
    image: State | None = None
    missing: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.generator!r} is not a symmetry: {self.reason}", f"  state  {self.state}"]
        if self.image is not None:
            lines.append(f"  image  {self.image}")
        for what, labels in (
            ("steps out of the state without a counterpart", self.missing),
            ("steps out of the image without a counterpart", self.invented),
        ):
            if labels:
                more = f", and {len(labels) - SHOWN:,} more" if len(labels) > SHOWN else ""
                lines.append(f"  {what}: {', '.join(map(repr, labels[:SHOWN]))}{more}")
        return "\n".join(lines)


@tells_unknown_names(SearchError, "SymmetryReport", out="check_symmetry(…) makes it")
@frozen
class SymmetryReport:
    """The outcome of `check_symmetry`; true if every declared generator held in every state.

    puzzle      the puzzle; without a goal only steps were compared
    states      how many different states were tested
    goals       how many of them were goals: if none, the test says little about the goal
    complete    whether these are all reachable states, which makes the test a proof
    violations  one for each generator that is not a symmetry
    """

    puzzle: Puzzle
    states: int
    goals: int
    complete: bool
    violations: tuple[Violation, ...]

    def __bool__(self) -> bool:
        return not self.violations

    def __str__(self) -> str:
        number = len(self.puzzle.symmetry)
        if not number:
            return f"{self.puzzle.name}: no symmetry is declared"
        held = number - len(self.violations)
        which = "reachable" if self.complete else "random"
        where = f"{'all ' * self.complete}{self.states:,} {which} state{'s' * (self.states != 1)}"
        goals = f"goals: {self.goals:,}"
        if self.puzzle.goal is None:
            goals = "steps only: there is no goal"
        elif not self.goals:
            goals = "no goal seen; start= takes a state to begin at"
        text = f"{self.puzzle.name}: {held} of {number} declared symmetries held in {where}"
        return "\n".join([f"{text} ({goals})", *map(str, self.violations)])


@tells_unknown_names(SearchError, "check_symmetry")
def check_symmetry(
    puzzle: Puzzle, samples: int = 100, *, seed: int = 0, start: Any = None
) -> SymmetryReport:
    """Test the declared symmetries on random reachable states; the report is true if they hold.

    samples  the most states to test; fewer if no more can be reached
    seed     of the random walk from the start; same seed, same states
    start    by default the puzzle's

    Uses `language.meaning` alone to test, for each generator of `relabel(…)` and
    `interchangeable(…)`, that it is a bijection on the terms met, and that goal and successors
    (with their costs) commute with it. Slow: about 1 + (number of generators) expansions by the
    definition for each state. (A search proves the symmetries it uses from the ground rules.)
    Raises PuzzleError without a start, SearchError for invalid numbers.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> from rewrite.language.symmetry import relabel
    >>> N = ints("N")
    >>> ring = Puzzle(rule("next", take=[N], put=[(N + 1) % 5]), start=[0], name="ring")
    >>> print(check_symmetry(ring.replace(symmetry=[relabel(N, (N + 2) % 5)])))
    ring: 1 of 1 declared symmetries held in all 5 reachable states (steps only: there is no goal)
    """
    the_puzzle("check_symmetry", puzzle)
    for name, value, least in (("samples", samples, 1), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise SearchError(f"{name}={value!r} must be a whole number of {least} or more")
    first = puzzle.start if start is None else State(start)
    if first is None:
        raise PuzzleError(
            f"{puzzle.name}: where to start? Give check_symmetry(puzzle, start=[…]) or "
            "Puzzle(…, start=[…])"
        )
    left = [generator for declared in puzzle.symmetry for generator in bijections(declared)]
    violations: list[Violation] = []
    pool = [meaning.simplified(puzzle, first)]
    tested = goals = 0
    walk = _walk(puzzle, pool, random.Random(seed))
    while left and tested < samples and pool:
        state, found = next(walk)
        tested += 1
        is_goal = puzzle.goal is not None and meaning.is_goal(puzzle, state, puzzle.goal)
        goals += is_goal
        for generator in list(left):
            violation = _violation(puzzle, generator, state, is_goal, found)
            if violation is not None and generator in left:
                violations.append(violation)
                left = [one for one in left if one.declared is not generator.declared]
    return SymmetryReport(puzzle, tested, goals, not pool, tuple(violations))


def _walk(
    puzzle: Puzzle, pool: list[State], chance: random.Random
) -> Iterator[tuple[State, list[RuleApplication]]]:
    """`pool`: states seen but not yet yielded; the walk continues from the last one."""
    seen = set(pool)
    while pool:
        if chance.random() < BACK:
            other = chance.randrange(len(pool))
            pool[other], pool[-1] = pool[-1], pool[other]
        state = pool.pop()
        found = meaning.successors(puzzle, state)
        fresh = [one for one in dict.fromkeys(way.after for way in found) if one not in seen]
        chance.shuffle(fresh)
        pool += fresh
        seen.update(fresh)
        yield state, found


def violation_in(puzzle: Puzzle, generator: Bijection, state: State) -> Violation | None:
    is_goal = puzzle.goal is not None and meaning.is_goal(puzzle, state, puzzle.goal)
    return _violation(puzzle, generator, state, is_goal, meaning.successors(puzzle, state))


def _violation(
    puzzle: Puzzle, generator: Bijection, state: State, is_goal: bool, found: list[RuleApplication]
) -> Violation | None:
    declared = generator.declared
    exchanged = ""
    if generator.swapped and len(declared.values) > 2:
        exchanged = "for {!r} and {!r}: ".format(*generator.swapped)
    try:
        image = generator.state(state)
        mine = [(generator.state(way.after), way) for way in found]
    except NoBijection as wrong:
        return Violation(declared, f"no bijection: {exchanged}{wrong}", state)
    try:
        too = puzzle.goal is not None and meaning.is_goal(puzzle, image, puzzle.goal)
        theirs = [(way.after, way) for way in meaning.successors(puzzle, image)]
    except RuleError as error:
        return Violation(declared, f"{exchanged}{error.message}", state, image)
    if is_goal != too:
        reason = "the state is a goal, but its image is not"
        if too:
            reason = "the image is a goal, but the state is not"
        return Violation(declared, exchanged + reason, state, image)
    missing = _labels(puzzle, state, mine, _cheapest(theirs))
    invented = _labels(puzzle, image, theirs, _cheapest(mine))
    if not missing and not invented:
        return None
    reason = "the steps out of the image are not the images of the steps out of the state"
    return Violation(declared, exchanged + reason, state, image, missing, invented)


def _cheapest(reached: list[tuple[State, RuleApplication]]) -> dict[State, int]:
    costs: dict[State, int] = {}
    for after, way in reached:
        costs[after] = min(way.cost, costs.get(after, way.cost))
    return costs


def _labels(
    puzzle: Puzzle,
    before: State,
    reached: list[tuple[State, RuleApplication]],
    others: dict[State, int],
) -> tuple[str, ...]:
    """Return the labels of steps into states that `others` lacks or reaches at another cost."""
    costs = _cheapest(reached)
    return tuple(
        step_of(puzzle, before, way).label
        for after, way in reached
        if others.get(after) != costs[after]
    )

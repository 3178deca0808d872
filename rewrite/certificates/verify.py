"""`verify`: checks a certificate, by the definition of the rules and nothing else.

This shares nothing with the engines, the compiler or the search: only `rewrite.language`, with the
definition of what a rule does. `docs/reference/certificates.md` says what is in a file.

A file claims that the cheapest way to a goal costs `least`, or that there is none, and lists states
with a label each, all lower than `least`. That is true if

* the start is among them, labelled 0, or `least` is 0;
* none of them is a goal;
* each step out of one of them, of cost w, leads to a state of at most its label + w
  that is among them, or label + w is `least` or more;
* where a way is claimed, its steps are steps of the rules, and cost `least`, to a goal.

By induction over any way, a label is at most what the way to it costs, while that is less than
`least`. So a goal on the way would be among the states, and none is.

Two more kinds of claims list all states that can come up, and count steps. "distances": labels are
steps from the start, so a step leads to each other state from a label one lower. "hardest": labels
are steps to a goal, so 0 is a goal, and any other one more than the lowest that a step leads to;
`least` is the highest, with a way to it from the start, and `least` + 1: no goal can be reached.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from attrs import field, frozen

from rewrite.certificates.listed import Listed, Refused
from rewrite.errors import ReadError, RewriteError, SearchError, tells_unknown_names
from rewrite.language.meaning import is_goal, simplified, successors
from rewrite.language.order import Keyed
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.language.states import State

BATCH = 50  # states that a process checks at a time
Steps = Callable[[State], Sequence[tuple[int, State]]]
"""The steps out of a state: what each costs, and where it leads."""


@tells_unknown_names(SearchError, "Verified", out="verify(…) makes it")
@frozen
class Verified:
    """The answer of `verify`; true if the certificate was accepted.

    why      why it was refused; "" if it was not
    claim    what it claims, in words
    states   how many states it lists; checked: of these, whose steps were looked at
    by       what made the steps: "the definition", or the engine that was asked for
    """

    why: str
    claim: str
    states: int
    checked: int
    by: str
    seconds: float

    def __bool__(self) -> bool:
        return not self.why

    def __str__(self) -> str:
        if self.why:
            return f"refused: {self.why}"
        said = f"accepted: {self.claim} ({self.states:,} states, by {self.by}"
        if self.checked < self.states:
            share = min(3 / max(self.checked, 1), 1)  # the rule of three
            said += f"; {self.checked:,} of them chosen at random: 95 % sure that at most "
            said += f"{share:.2%} of the states are wrong"
        return f"{said}, {self.seconds:.1f} s)"


@tells_unknown_names(SearchError, "verify")
def verify(
    file: str | os.PathLike[str],
    puzzle: Puzzle,
    *,
    start: Any = None,
    goal: Any = None,
    sample: float = 1,
    seed: int = 0,
    processes: int | None = None,
    max_seconds: float | None = None,
    progress: Callable[[int, int], Any] | None = None,
    steps: tuple[str, Steps] | None = None,
) -> Verified:
    """Check a certificate of a puzzle, and return the answer, true or false with `.why`.

    start, goal  what was asked for, if not those of the puzzle
    sample     the share of the states whose steps are checked, chosen by `seed`; 1 for all
    processes  how many processes check; by default one for each processor
    progress   called with (states checked, states in all)
    steps      (name, function): what makes the steps, instead of the definition

    Raises ReadError where the file cannot be read, SearchError for wrong arguments. Memory: all
    states, coded. Cost: that of the definition in every state.
    """
    _check_arguments(file, sample, seed, processes, max_seconds, progress, steps)
    given = {name: one for name, one in (("start", start), ("goal", goal)) if one is not None}
    puzzle = the_puzzle("verify", puzzle).replace(**given)
    begun, claim, states, checked = monotonic(), "", 0, 0
    by = "the definition" if steps is None else steps[0]
    try:
        with Path(file).open("rb") as opened:
            listed = Listed(opened, puzzle)
        claim, states = listed.claim, len(listed.codes)
        checker = _Checker.of(listed, steps)
        checker.check_claim(sample)
        number = math.ceil(states * sample)
        chosen = sorted(Random(seed).sample(range(states), number)) if sample < 1 else range(states)
        # a float: a whole number may have more digits than one holds
        limit = None if max_seconds is None else begun + min(max_seconds, 1e9)
        for done in _checked(checker, chosen, processes, limit):
            checked += done
            if progress is not None:
                progress(checked, len(chosen))
        checker.check_all()
        why = ""
    except (Refused, RewriteError) as refused:
        why = str(refused)
    except OSError as error:
        raise ReadError(f"{file} cannot be read: {error.strerror or error}") from error
    return Verified(why, claim, states, checked, by, monotonic() - begun)


def _check_arguments(
    file: Any, sample: Any, seed: Any, processes: Any, max_seconds: Any, progress: Any, steps: Any
) -> None:
    named = callable(progress) and not isinstance(progress, (type, Keyed))
    pair = isinstance(steps, tuple) and len(steps) == 2 and callable(steps[1])
    for name, value, expected, good in (
        ("file", file, "the name of a file", isinstance(file, (str, os.PathLike))),
        ("sample", sample, "> 0, and at most 1", type(sample) in (int, float) and 0 < sample <= 1),
        ("seed", seed, "a whole number", type(seed) is int),
        ("processes", processes, "1 or more", type(processes) is int and processes > 0),
        ("max_seconds", max_seconds, "a number", type(max_seconds) in (int, float)),
        ("progress", progress, "a function of two numbers", named),
        ("steps", steps, "a name and a function of a State", pair),
    ):
        if not good and (value is not None or name in ("file", "sample", "seed")):
            raise SearchError(f"verify(…, {name}={value!r}): must be {expected}")


@frozen
class _Checker:
    """Checks a claim about ways: the base of the others."""

    listed: Listed
    steps: Steps
    reached: set[int | None] = field(factory=set)  # of distances: states whose label a step shows

    @classmethod
    def of(cls, listed: Listed, given: tuple[str, Steps] | None) -> _Checker:
        def defined(state: State) -> list[tuple[int, State]]:
            return [(way.cost, way.after) for way in successors(listed.puzzle, state)]

        kinds = {"way": _Checker, "distances": _Distances, "hardest": _Hardest}
        return kinds[listed.kind](listed, defined if given is None else given[1])

    def check_claim(self, sample: float) -> None:
        """Check the start, and the way if there is one."""
        listed = self.listed
        start, given = simplified(listed.puzzle, listed.start), listed.puzzle.start
        if given is not None and simplified(listed.puzzle, given) != start:
            raise Refused(f"it is of another start: {start} there, and {given} here")
        if listed.least is not None:
            if not listed.way or listed.way[0] != start:
                raise Refused("its way does not begin in the start")
            self.check_end(sum(map(self._step, count(1), listed.way, listed.way[1:])))
        elif listed.way:
            raise Refused("it claims that there is no way, and shows one")
        self.check_start(listed.label(start), start)

    def check_start(self, label: int | None, start: State) -> None:
        if self.listed.least != 0 and label != 0:
            raise Refused(f"the start is not among the states with label 0: {start}")

    def check_end(self, cost: int) -> None:
        """Check that a way of this cost shows what is claimed."""
        end, least = self.listed.way[-1], self.listed.least
        if cost != least:
            raise Refused(f"its way costs {cost}, and it claims {least}")
        if not self.is_goal(end):
            raise Refused(f"its way does not end in a goal: {end}")

    def _step(self, number: int, one: State, other: State) -> int:
        costs = [cost for cost, after in self.steps(one) if after == other]
        if not costs:
            raise Refused(f"step {number} of its way is no step of the rules: from {one}")
        return min(costs)

    def is_goal(self, state: State) -> bool:
        goal = self.listed.puzzle.goal
        return goal is not None and is_goal(self.listed.puzzle, state, goal)

    def check(self, at: int) -> list[int]:
        """Check one of the states; return to which others its steps show a way. Raises Refused."""
        listed = self.listed
        state, label = listed.coding.state(listed.codes[at]), listed.labels[at]
        if listed.coding.code(state) != listed.codes[at]:
            raise Refused(f"state {at + 1:,} has no code of a state: {state}")
        return self.check_steps(f"state {at + 1:,}, labelled {label},", state, label)

    def check_steps(self, name: str, state: State, label: int) -> list[int]:
        if self.is_goal(state):
            raise Refused(f"{name} is a goal: {state}")
        for cost, after in self.steps(state):
            if self.listed.least is None or label + cost < self.listed.least:
                self.place(after, label + cost, f"{name} has a step of cost {cost}", state)
        return []

    def place(self, after: State, most: float, name: str, state: State) -> int:
        """Return where a state is listed, with a label of at most this."""
        place = self.listed.place(after)
        if place is None or self.listed.labels[place] > most:
            what = "not among the states" if place is None else "labelled "
            what += "" if place is None else str(self.listed.labels[place])
            raise Refused(f"{name} to a state that is {what}: from {state} to {after}")
        return place

    def check_all(self) -> None:
        """Check what only all states together show."""


class _Distances(_Checker):
    """Labels are the steps from the start."""

    def check_claim(self, sample: float) -> None:
        super().check_claim(sample)
        if sample < 1:
            raise Refused("distances are checked all or not at all: leave sample= out")

    def check_steps(self, name: str, state: State, label: int) -> list[int]:
        made = [
            self.place(one, label + 1, f"{name} has a step", state) for _, one in self.steps(state)
        ]
        return [place for place in made if self.listed.labels[place] == label + 1]

    def check_all(self) -> None:
        self.reached.update([self.listed.place(simplified(self.listed.puzzle, self.listed.start))])
        for at, label in enumerate(self.listed.labels):
            if at not in self.reached:
                state = self.listed.coding.state(self.listed.codes[at])
                raise Refused(
                    f"state {at + 1:,}, labelled {label}, is reached by no step from a state with "
                    f"the label before: {state}"
                )


class _Hardest(_Checker):
    """Labels are the steps to a goal."""

    def check_start(self, label: int | None, start: State) -> None:
        if label is None:
            raise Refused(f"the start is not among the states: {start}")

    def check_end(self, cost: int) -> None:
        end, least = self.listed.way[-1], self.listed.least
        if self.listed.label(end) != least:
            raise Refused(f"its way does not end in a state labelled {least}: {end}")

    def check_steps(self, name: str, state: State, label: int) -> list[int]:
        made = [
            self.place(one, math.inf, f"{name} has a step", state) for _, one in self.steps(state)
        ]
        never = self.listed.most
        left = min([self.listed.labels[place] + 1 for place in made], default=never + 1)
        left = 0 if self.is_goal(state) else left
        if left == never:  # not "no way": the state that it leads to has one
            raise Refused(f"{name} is {left} steps from a goal, more than is claimed: {state}")
        left = min(left, never)
        if left != label:
            steps = "without a way to a goal" if left == never else f"{left} steps from a goal"
            raise Refused(f"{name} is {steps}: {state}")
        return []


# -- many states -----------------------------------------------------------------------------
_WORK: list[_Checker] = []  # what the processes of a pool inherit


def _checked(
    checker: _Checker, chosen: Sequence[int], processes: int | None, limit: float | None
) -> Iterator[int]:
    """Check the chosen states; yield how many were, now and then."""
    batches = [chosen[at : at + BATCH] for at in range(0, len(chosen), BATCH)]
    wanted = min(processes or os.cpu_count() or 1, len(batches))
    forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    _WORK.append(checker)
    try:
        if wanted > 1 and forks:
            calm = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits
            with multiprocessing.get_context("fork").Pool(wanted, signal.signal, calm) as pool:
                yield from _in_time(checker, pool.imap(_check_batch, batches), limit)
        else:
            yield from _in_time(checker, map(_check_batch, batches), limit)
    finally:
        _WORK.pop()


def _check_batch(batch: Sequence[int]) -> tuple[int, list[int], str]:
    """Check some states; return how many, what their steps show, and what was wrong."""
    shown = list[int]()
    try:
        for at in batch:
            shown += _WORK[-1].check(at)
    except (Refused, RewriteError) as refused:  # a rule may fail in a state that never comes up
        return 0, shown, str(refused)
    return len(batch), shown, ""


def _in_time(
    checker: _Checker, results: Iterable[tuple[int, list[int], str]], limit: float | None
) -> Iterator[int]:
    for done, shown, why in results:
        if why or (limit is not None and monotonic() > limit):
            raise Refused(why or "not checked in the time allowed, and not found wrong so far")
        checker.reached.update(shown)
        yield done

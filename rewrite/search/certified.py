"""`search(…, certificate=…)`: the result, and a file with evidence that anybody can check.

The evidence is what a plain search sees: breadth-first, or by cost, of all states and not up to
symmetry, with no heuristic. A search that was told to go another way is followed by a plain one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import accumulate, pairwise, repeat
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from attrs import evolve

from rewrite.budget import Budget, Stopped, tick
from rewrite.certificates.write import Evidence, Target, TooLong, write
from rewrite.compile.interning import decode
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.counts import Code, cheapest
from rewrite.errors import SearchError
from rewrite.language.order import Key, term_key
from rewrite.results.result import Result
from rewrite.search.drivers.core import CoreRecord
from rewrite.search.drivers.interface import Counted, Driver
from rewrite.search.portfolio import running
from rewrite.search.question import Question
from rewrite.search.results import result_of
from rewrite.search.run import Run
from rewrite.search.strategies import STRATEGIES
from rewrite.search.twin import original


def certified(asked: Question, given: Any, best: Any, checkpointer: Any) -> Result:
    """Return the result of a search, and write the certificate if it proves anything. Raises
    SearchError.
    """
    target = target_of(given)
    several = asked.solutions != 1 or asked.distinct == "paths" or asked.limits.min_depth > 0
    other = asked.minimize is not None or checkpointer is not None or asked.engine == "ray"
    if several or other or asked.goal is None or best is not True:
        raise SearchError(
            "certificate= is for one nearest goal: leave solutions=, distinct=, shortest=, "
            "min_depth=, minimize=, best=, checkpoint= and engine='ray' out, and give a goal"
        )
    name = "uniform_cost" if asked.has_costs else "breadth_first"
    plain = evolve(
        asked, strategy=STRATEGIES[name], heuristic=None, symmetry="none", free=False, joins=False
    )
    notes, told = list[str](), not asked.free and asked.strategy.name != name
    first, limits = None, asked.limits
    if told or asked.heuristic is not None or asked.reduces or asked.joins:
        first = result_of(running(asked), limits)
        notes.append("for the certificate it was searched again, with nothing left out")
        if limits.max_seconds is not None:
            limits = evolve(limits, max_seconds=max(limits.max_seconds - first.seconds, 0))
    run = Run(plain)
    found = result_of(run, limits)
    with limits.budget(run.used) as budget:
        notes.append(written(target, run, budget, lambda: _way(run, found)))
    result = found if first is None else first
    return evolve(result, notes=(*result.notes, *notes))


def target_of(given: Any) -> Target:
    """Return the file for a certificate, checked. Raises SearchError."""
    if not isinstance(given, (str, os.PathLike)):
        raise SearchError(f"certificate={given!r} must be the name of a file")
    target = given if isinstance(given, Target) else Target(Path(given))
    try:
        why = "that is a folder" if S_ISDIR(target.path.stat().st_mode) else ""
    except FileNotFoundError:
        why = "" if target.path.parent.is_dir() else "there is no such folder"
    except (OSError, ValueError) as error:  # a name that no file can have
        why = str(error.strerror if isinstance(error, OSError) else error)
    if why:
        raise SearchError(f"certificate={str(target.path)!r}: {why}; give a file in a folder")
    return target


def written(target: Target, run: Run, budget: Budget, shows: Callable[[], Evidence | None]) -> str:
    """Write a certificate, and return what became of it.

    shows   returns what is claimed; None if the search did not come to its end
    """
    asked, none = run.given.outer, "no certificate was written: "
    try:
        claim = shows()
        if claim is None:
            return f"{none}the search did not come to its end"
        puzzle = asked.puzzle.replace(goal=asked.goal)
        budget.look()
        shown = _coded(run, claim)
        states, size = write(target, puzzle, asked.start, shown, budget.look)
    except Stopped as stopped:
        return f"{none}{asked.limits.description(stopped.why)} came first"
    except MemoryError:
        return f"{none}there is not enough memory"
    except TooLong as error:
        return f"{none}{error}"
    except OSError as error:
        return f"{none}{target.path}: {error.strerror or error}"
    return f"certificate of {states:,} states written, {size:,} bytes"


def _way(run: Run, found: Result) -> Evidence | None:
    """Return what a plain search shows. Raises Stopped, where costs are found anew."""
    driver, setup = run.driver, run.setup
    ended = found.status == "exhausted" or (found.path is not None and found.optimal)
    if driver is None or setup is None or not ended:
        return None
    if found.path is None:
        return Evidence("way", None, (), dict.fromkeys(codes_of(driver.record), 0))
    least, way = found.path.cost, found.path.states
    if run.given.has_costs:
        return Evidence("way", least, way, _by_cost(run, least))
    return Evidence("way", least, way, by_levels(driver, least))


def by_levels(driver: Driver, levels: int) -> dict[Code, int]:
    """Return the states of the first levels of a breadth-first search, with their levels."""
    ends = [0, *accumulate(driver.record.levels[:levels])]
    level = [at for at, (one, end) in enumerate(pairwise(ends)) for _ in repeat(None, end - one)]
    return dict(zip(codes_of(driver.record)[: len(level)], level, strict=True))


def _coded(run: Run, claim: Evidence) -> Evidence:
    assert run.setup is not None
    rules = run.setup.engine.reasoning
    try:
        fields = () if rules is None else rules.fields
    except Unsuitable:
        rules = None
    terms = _Numbered()
    if rules is None:
        labels = _by_terms(run.setup.engine, terms, claim.labels)
        return evolve(claim, labels=labels, terms=terms.listed)
    told = [
        (one.offset, one.bits, [v if v is None else terms.number(decode(v)) for v in one.values])
        for one in fields
    ]
    always = [terms.number(term) for term in rules.layout.static]
    return evolve(claim, terms=terms.listed, fields=told, always=always)


def codes_of(record: Counted) -> list[Code]:
    """Return the codes of all states, in order of discovery."""
    return record.core.codes() if isinstance(record, CoreRecord) else [*record.parents]  # type: ignore[attr-defined]


def _by_cost(run: Run, least: int) -> dict[Code, int]:
    """Return what the cheapest way to each state costs, where that is less than `least`.

    By the Python engine: the core does not tell what its states cost.
    """
    assert run.setup is not None
    return cheapest([run.setup.start] if least else (), run.setup.engine.weighted, least)


class _Numbered(dict[Key, tuple[int, Any]]):
    """Terms with numbers, in order of occurrence, by their keys: True is not 1."""

    def number(self, term: Any) -> int:
        return self.setdefault(term_key(term), (len(self), term))[0]

    @property
    def listed(self) -> list[Any]:
        return [original(term) for _, term in self.values()]


def _by_terms(engine: Any, terms: _Numbered, labels: dict[Code, int]) -> dict[int, int]:
    """Return the labels of states as numbers whose digits are their terms."""
    held = list[tuple[list[int], int]]()
    for code, label in labels.items():
        tick(5)
        state = engine.decode(code)
        held.append(([terms.number(one) + 1 for one in state], label))
    base, coded = len(terms) + 1, dict[int, int]()
    for digits, label in held:
        code = 0
        for digit in sorted(digits, reverse=True):
            code = code * base + digit
        coded[code] = label
    return coded

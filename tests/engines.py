"""Which engine runs a test, and engines of a form that the test chooses, not the task."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import assume

from rewrite import STRATEGIES, Condition, Puzzle, Result, SearchError, State, search
from rewrite.compile.capacity import FIRST_BITS
from rewrite.compile.encoding import multiset, slots
from rewrite.compile.interning import TermType
from rewrite.compile.reason import Reason
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.engine.tables import Tables
from rewrite.native import status

ENGINES = ["python", "native"] if status().usable else ["python"]
every_engine = pytest.mark.parametrize("engine", ENGINES)
natively = pytest.mark.skipif(not status().usable, reason="the native engine is not there")
"""Marks what only the core has."""
quiet = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")
"""Marks what makes puzzles that may deserve a warning; elsewhere one is an error."""


def engines_for(**asked: Any) -> list[str]:
    """The engines that have what is asked of `search`."""
    strategy, heuristic = asked.get("strategy"), asked.get("heuristic")
    core_only = strategy in STRATEGIES and STRATEGIES[strategy].core_only
    core_only |= isinstance(heuristic, str) or asked.get("distinct") == "paths"
    return [engine for engine in ENGINES if engine == "native" or not core_only]


def searched_by_core(puzzle: Puzzle, **asked: Any) -> Result:
    """Search for what only the core has; a drawn puzzle that it cannot run is set aside."""
    try:
        return search(puzzle, **asked)
    except SearchError as error:
        assume(not error.facts.get("cannot"))
        raise


def helped(strategy: str, heuristic: Any = 0) -> dict[str, Any]:
    """Return the options of a strategy, with this heuristic where it needs one."""
    needed = {"heuristic": heuristic} if STRATEGIES[strategy].needs_heuristic else {}
    return {"strategy": strategy, **needed}


def able(strategies: Iterable[str]) -> pytest.MarkDecorator:
    """Make a test one for each of these strategies on each engine that has it."""
    pairs = [(name, engine) for name in strategies for engine in engines_for(strategy=name)]
    return pytest.mark.parametrize(("strategy", "engine"), pairs)


def start_of(puzzle: Puzzle) -> State:
    assert puzzle.start is not None
    return puzzle.start


def goal_of(puzzle: Puzzle) -> Condition:
    assert puzzle.goal is not None
    return puzzle.goal


def task_of(puzzle: Puzzle, *asked: Any) -> Task:
    """What an engine is built for, from the start of a puzzle; with a goal and values, if asked."""
    return Task(puzzle, start_of(puzzle), *asked)


def over_slots(task: Task) -> SlotEngine:
    """The engine over slots and bits. Raises Unsuitable."""
    found = slots(task, FIRST_BITS, lambda residuals: Tables(residuals).rest)
    if isinstance(found, Reason):
        raise Unsuitable.of(found)
    return SlotEngine(task, found)


def over_multiset(task: Task, term_types: frozenset[TermType] = frozenset()) -> MultisetEngine:
    """The engine over a multiset in groups, with more heads than start and rules show."""
    return MultisetEngine(task, multiset(task, term_types))

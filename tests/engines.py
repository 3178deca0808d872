"""Engines of a form that the test chooses, not the task."""

from rewrite.code.compiled import multiset, slots
from rewrite.compiler.interning import Head
from rewrite.compiler.room import FIRST_BITS
from rewrite.compiler.task import Task
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.engine.tables import rest


def over_slots(task: Task) -> SlotEngine:
    """The engine over slots and bits. Raises Unsuitable."""
    return SlotEngine(task, slots(task, FIRST_BITS, rest))


def over_multiset(task: Task, heads: frozenset[Head] = frozenset()) -> MultisetEngine:
    """The engine over a multiset in groups, with more heads than start and rules show."""
    return MultisetEngine(task, multiset(task, heads))

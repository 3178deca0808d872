"""Builds the Python engine of a task from what the task is compiled to."""

from __future__ import annotations

from rewrite.compile.capacity import LEAST, Capacity
from rewrite.compile.encoding import CompiledMultiset, CompiledSlots, compiled
from rewrite.compile.task import Task
from rewrite.engine.definition_engine import DefinitionEngine
from rewrite.engine.interface import Engine
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.engine.slot_engine import SlotEngine
from rewrite.engine.tables import Tables


def build(task: Task, capacity: Capacity = LEAST) -> Engine:
    """Return the engine that suits the task, with this capacity."""
    found = compiled(task, capacity, lambda residuals: Tables(residuals).rest)
    if isinstance(found, CompiledSlots):
        return SlotEngine(task, found)
    if isinstance(found, CompiledMultiset):
        return MultisetEngine(task, found)
    return DefinitionEngine(task, found)

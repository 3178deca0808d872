"""Chooses and builds the Python engine of a task: slots and bits where it can, else a multiset."""

from __future__ import annotations

from rewrite.compiler.reason import Reason, joined
from rewrite.compiler.room import LEAST, Room
from rewrite.compiler.slots.keys import Unsuitable, find
from rewrite.engine.definition_engine import DefinitionEngine
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Engine, Task
from rewrite.engine.slot_engine import SlotEngine

MOST_BITS = 64
TOO_MANY_VALUES = Reason(
    "a slot would hold too many values", "bound what the rules compute, e.g. when=N < 1000"
)


def build(task: Task, room: Room = LEAST) -> Engine:
    """Return the engine that suits the task, and has so much room."""
    if room.definition:
        return DefinitionEngine(task, room.definition[0])
    reasons = [*room.multiset]
    if room.bits > MOST_BITS:
        reasons.append(TOO_MANY_VALUES)
    if room.heads or reasons:
        return GroupEngine(task, room.heads, joined(reasons) if reasons else _unsuitable(task))
    try:
        return SlotEngine(task, room.bits)
    except Unsuitable as why:
        return GroupEngine(task, why=why.reason)


def _unsuitable(task: Task) -> Reason | None:
    """Return why an earlier engine of the task kept states as multisets, where that is seen soon.

    It was asked for groups of further types, and is built again only to have them.
    """
    try:
        find(task.puzzle, task.start)
    except Unsuitable as why:
        return why.reason
    return None

"""Chooses and builds the Python engine of a task: slots and bits where it can, else a multiset."""

from __future__ import annotations

from typing import Any

from rewrite.code.write.build import ByDefinition
from rewrite.compiler.reason import Reason, joined
from rewrite.compiler.slots.keys import Unsuitable, find
from rewrite.compiler.slots.layout import FIRST_BITS, AsMultiset, Widen
from rewrite.engine.definition_engine import DefinitionEngine
from rewrite.engine.group_engine import GroupEngine
from rewrite.engine.interface import Engine, Task
from rewrite.engine.slot_engine import SlotEngine

MOST_BITS = 64
TOO_MANY_VALUES = Reason(
    "a slot would hold too many values", "bound what the rules compute, e.g. when=N < 1000"
)


def build(task: Task, changes: tuple[Any, ...] = ()) -> Engine:
    """Return the engine that suits the task.

    `changes` are what earlier engines of the same task asked for while they ran: wider slots, a
    multiset instead of slots, groups for further types of terms, or the definition itself.
    """
    for change in changes:
        if isinstance(change, ByDefinition):
            return DefinitionEngine(task, change.why)
    reasons = [change.why for change in changes if isinstance(change, AsMultiset)]
    bits = max([FIRST_BITS, *(change.bits for change in changes if isinstance(change, Widen))])
    heads = tuple(c for c in changes if not isinstance(c, (Widen, AsMultiset)))
    if bits > MOST_BITS:
        reasons.append(TOO_MANY_VALUES)
    if heads or reasons:
        return GroupEngine(task, heads, joined(reasons) if reasons else _unsuitable(task))
    try:
        return SlotEngine(task, bits)
    except Unsuitable as why:
        return GroupEngine(task, (), why.reason)


def _unsuitable(task: Task) -> Reason | None:
    """Return why an earlier engine of the task kept states as multisets, where that is seen soon.

    It was asked for groups of further types, and is built again only to have them.
    """
    try:
        find(task.puzzle, task.start)
    except Unsuitable as why:
        return why.reason
    return None

"""Chooses and builds the Python engine of a task."""

from __future__ import annotations

from rewrite.engine.bag_engine import BagEngine
from rewrite.engine.interface import Engine, Task
from rewrite.engine.values import Head


def build(task: Task, more: tuple[Head, ...] = ()) -> Engine:
    """Return the engine that suits the task; `more` are heads that came up while it ran."""
    return BagEngine(task, more)

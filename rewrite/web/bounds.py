"""What one search for a hint may use."""

from __future__ import annotations

from attrs import frozen


@frozen
class Bounds:
    """Seconds, and bytes by which the process may grow; None for no limit."""

    max_seconds: float | None = 60.0
    max_memory: int | None = 2_000_000_000

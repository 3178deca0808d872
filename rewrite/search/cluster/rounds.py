"""How parts process a level: in rounds, so that the parcels in flight fit into memory.

In a round every unfinished part expands until it has packed its share of bytes; the parcels go to
the parts that own their states. The next round begins while the parcels of this one are being
looked up, and waits for those of the previous one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rewrite.search.cluster.parts import Delivered, LevelReport, Parts, Promised

ROUND = 32 << 20
"""Bytes that a part packs per round for all parts together, unless parcels would get too large or
too small."""
LEAST_PARCEL, MOST_PARCEL = 1 << 20, 8 << 20
"""Approximate bytes of a parcel: more parts make rounds longer, fewer make them shorter."""
UNDER_WAY = 2


class Level:
    """A level that parts process. `expand` may be left between two rounds, and called again.

    fresh, memory   new states, of the next level; bytes used by the fullest part
    """

    def __init__(self, parts: Parts) -> None:
        self.parts, self.fresh, self.memory = parts, 0, 0
        self._at: dict[int, int] = dict.fromkeys(range(parts.count), 0)
        self._waiting: deque[list[Promised[Delivered]]] = deque()

    def expand(self, between: Callable[[Level], None]) -> None:
        """Expand the level, and look up the successors.

        between   called between two rounds; it may raise, leaving the level resumable
        """
        parts = self.parts
        most = max(min(ROUND, MOST_PARCEL * parts.count), LEAST_PARCEL * parts.count)
        while self._at:
            between(self)
            asked = {part: parts.expand(part, place, most) for part, place in self._at.items()}
            sources = list(asked)
            self._waiting.append([
                parts.deliver(part, sources, [asked[source][1][part] for source in sources])
                for part in range(parts.count)
            ])  # fmt: skip
            following = parts.got([place for place, _ in asked.values()])
            self._at = {
                part: place
                for part, place in zip(sources, following, strict=True)
                if place is not None
            }
            if len(self._waiting) == UNDER_WAY:
                self._look_up()
        while self._waiting:
            self._look_up()

    def close(self) -> list[LevelReport]:
        """Make the successors the level of every part; return the parts' reports."""
        return self.parts.of_all(self.parts.close)

    def _look_up(self) -> None:
        """Wait until the parcels of the oldest round are looked up."""
        delivered: list[Delivered] = self.parts.got(self._waiting.popleft())
        self.fresh += sum(one.fresh for one in delivered)
        self.memory = max(one.memory for one in delivered)

"""All parts in this process, one after the other: what every other way must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.budget import tick
from rewrite.search.cluster.parts import Delivered, Part, Work


class Within:
    """Parts that do at once what they are asked for."""

    def __init__(self, work: Work) -> None:
        self.parts = [Part(work, me) for me in range(work.parts)]
        self.count = work.parts

    def expand(self, part: int, at: int, most: int) -> tuple[int | None, list[bytes]]:
        return self.parts[part].expand(at, most)

    def deliver(self, part: int, sources: Sequence[int], parcels: Sequence[Any]) -> Delivered:
        return self.parts[part].deliver(sources, parcels)

    def ask(self, part: int, what: str, *args: Any) -> Any:
        return getattr(self.parts[part], what)(*args)

    def got(self, wanted: Sequence[Any]) -> list[Any]:
        tick(500)
        return list(wanted)

    def end(self) -> None:
        pass

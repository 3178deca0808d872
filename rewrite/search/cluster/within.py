"""All parts in this process, run one by one: the reference for all other ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewrite.search.cluster.parts import Delivered, Part, Parts, Work


class Within(Parts):
    """Parts that execute requests at once."""

    def __init__(self, work: Work) -> None:
        self.parts = [Part(work, me) for me in range(work.parts)]
        self.count = work.parts

    def expand(self, part: int, at: int, most: int) -> tuple[int | None, list[bytes]]:
        return self.parts[part].expand(at, most)

    def deliver(self, part: int, sources: Sequence[int], parcels: Sequence[Any]) -> Delivered:
        return self.parts[part].deliver(sources, parcels)

    def ask(self, part: int, what: Callable[..., Any], *args: Any) -> Any:
        return what(self.parts[part], *args)

    def got(self, wanted: Sequence[Any]) -> list[Any]:
        return list(wanted)

    def end(self) -> None:
        pass

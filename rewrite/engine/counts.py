"""Codes of states, ways between them, and what a rule did during a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count as counting
from math import inf
from operator import add, sub
from typing import Any

from attrs import astuple, define

from rewrite.budget import tick
from rewrite.language.rules import Rule

Code = Any
"""An engine's own form of a state: hashable, equal exactly for equal states."""


def trail(parents: Mapping[Code, Code], code: Code) -> list[Code]:
    """Return the codes from `code` back to the one that is its own parent."""
    path = [code]
    while parents[code] != code:
        code = parents[code]
        path.append(code)
    return path


def cheapest(
    starts: Iterable[Code], steps: Callable[[Code], Iterable[tuple[int, Code]]], below: float = inf
) -> dict[Code, int]:
    """Return what the cheapest way to each code costs, where that is less than `below` (Dijkstra).

    steps   returns (cost, code) of each step out of a code
    """
    found, order = dict.fromkeys(starts, 0), counting()
    queue = [(0, next(order), code) for code in found]
    while queue:
        tick(10)
        cost, _, code = heappop(queue)
        for more, after in steps(code) if cost == found[code] else ():
            if cost + more < found.get(after, below):
                found[after] = cost + more
                heappush(queue, (cost + more, next(order), after))
    return found


@define
class Counts:
    """What one rule did during a search.

    tried: its patterns matched; matched: its conditions held too; fired: a state was made that
    `never` does not forbid; without: an arithmetic part had no value.
    """

    tried: int = 0
    matched: int = 0
    fired: int = 0
    without: int = 0

    def note(self) -> None:
        self.tried += 1
        self.matched += 1
        self.fired += 1

    def __add__(self, more: Counts) -> Counts:
        return Counts(*map(add, astuple(self), astuple(more)))

    def __sub__(self, less: Counts) -> Counts:
        return Counts(*map(sub, astuple(self), astuple(less)))


def by_name(rules: Sequence[Rule], counts: Sequence[Counts]) -> dict[str, Counts]:
    """Return the counts by the rules' names; rules with the same name are added up."""
    found: dict[str, Counts] = {}
    for rule, count in zip(rules, counts, strict=True):
        found[rule.name] = found[rule.name] + count if rule.name in found else count
    return found

"""Codes of states, and what a rule did during a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define

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
        return Counts(
            self.tried + more.tried, self.matched + more.matched,
            self.fired + more.fired, self.without + more.without,
        )  # fmt: skip

    def __sub__(self, less: Counts) -> Counts:
        return Counts(
            self.tried - less.tried, self.matched - less.matched,
            self.fired - less.fired, self.without - less.without,
        )  # fmt: skip


def by_name(rules: Sequence[Rule], counts: Sequence[Counts]) -> dict[str, Counts]:
    """Return the counts by the rules' names; rules with the same name are added up."""
    found: dict[str, Counts] = {}
    for rule, count in zip(rules, counts, strict=True):
        found[rule.name] = found[rule.name] + count if rule.name in found else count
    return found

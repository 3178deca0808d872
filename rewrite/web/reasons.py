"""Why rules make no step in a state: for each, the first condition that nothing comes through."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator

from attrs import frozen

from rewrite.errors import RewriteError
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.outcome.explain import explain

LONGEST = 1.0
"""Seconds after which the rules that are left are named without a reason."""


@frozen
class Idle:
    """A rule that makes no step here, and why."""

    rule: Rule
    why: str


def idle_rules(puzzle: Puzzle, state: State, active: Container[int]) -> Iterator[Idle]:
    """Yield the rules that make no step in a state, with the reason.

    active  the `id`s of the rules that make steps here
    """
    until = time.monotonic() + LONGEST
    for rule in puzzle.rules:
        if id(rule) in active:
            continue
        if time.monotonic() < until:
            yield Idle(rule, _why(puzzle, state, rule))
        else:
            yield Idle(rule, "not looked into: the rules before it took long")


def _why(puzzle: Puzzle, state: State, rule: Rule) -> str:
    try:
        funnel = explain(puzzle, state, rule)
    except RewriteError as error:
        return error.message
    stage = next((stage for stage in funnel.stages if not stage.survived), None)
    if stage is None:
        return "nothing comes through"
    shown = stage.dropped and any(one.survived for one in funnel.stages)
    example = f"; e.g. {stage.example}" if stage.example and shown else ""
    return f"nothing comes through {stage.name}{example}"

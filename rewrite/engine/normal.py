"""Normal forms under `simplify`, whatever states are stored as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rewrite.engine.counts import Code
from rewrite.language.meaning import SIMPLIFY_LIMIT, endless
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State


def normalizer(
    puzzle: Puzzle, space: Mapping[str, Any], least: Callable[[set[Code]], Code],
    decode: Callable[[Code], State],
) -> Callable[[Code], Code]:  # fmt: skip
    """Return the function from a state to its normal form: the first rule that applies is used,
    until none does.

    space   what a generated module defines: for each rule the set of its results in a state
    least   the state among these that comes first in canonical order
    """
    rules = [(rule, space[f"simplify{index}"]) for index, rule in enumerate(puzzle.simplify)]

    def normal(code: Code) -> Code:
        fired = Counter[str]()
        for _ in range(SIMPLIFY_LIMIT):
            for rule, apply in rules:
                if out := apply(code):
                    fired[rule.name] += 1
                    code = out.pop() if len(out) == 1 else least(out)
                    break
            else:
                return code
        raise endless(puzzle, decode(code), fired)

    return normal

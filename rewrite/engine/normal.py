"""Normal forms under `simplify`, whatever states are stored as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rewrite.engine.counts import Code
from rewrite.errors import SimplifyError
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State

SIMPLIFY_LIMIT = 10_000


def normalizer(
    puzzle: Puzzle, space: Mapping[str, Any], least: Callable[[set[Code]], Code],
    decode: Callable[[Code], State],
) -> Callable[[Code], Code]:  # fmt: skip
    """Return the function from a state to its normal form: the first rule that applies is used,
    until none does.

    space   what a generated module defines: for each rule the set of its results in a state
    least   the state among these that comes first in canonical order
    """
    rules = [space[f"simplify{index}"] for index in range(len(puzzle.simplify))]

    def normal(code: Code) -> Code:
        fired: dict[int, int] = {}
        for _ in range(SIMPLIFY_LIMIT):
            for index, rule in enumerate(rules):
                if out := rule(code):
                    fired[index] = fired.get(index, 0) + 1
                    code = out.pop() if len(out) == 1 else least(out)
                    break
            else:
                return code
        raise _endless(puzzle, decode(code), fired)

    return normal


def _endless(puzzle: Puzzle, state: State, fired: dict[int, int]) -> SimplifyError:
    names = [puzzle.simplify[i].name for i, n in fired.items() if n > SIMPLIFY_LIMIT // 100]
    return SimplifyError(
        f"{puzzle.name}: simplify does not end: after {SIMPLIFY_LIMIT:,} rounds "
        f"{', '.join(map(repr, names))} still fires, the last state is {state}. A simplify "
        "rule must bring the state nearer to a form in which no simplify rule applies",
        rules=tuple(names),
        state=state,
    )

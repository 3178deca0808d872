"""Whole answers as text: an expression, a chain, a ring; for frames see `frames`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewrite.language.states import State
from rewrite.outcome.path import Path
from rewrite.views.cells import shown


def steps_story(path: Path, view: Callable[[State], str] | None = None) -> str:
    """Return a line for each step: number, label, and the state after it in a column of its own.

    view  how a state is shown; by default `puzzle.show`, else the terms in a row
    """
    return _table(path, view or (path.puzzle.shown if path.puzzle.show else _pool))


def expression_story(path: Path, target: Any = None) -> str:
    """Return the expression that made the target, and the pool of terms after each step.

    target  a term; by default the last one that was put

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.puzzles import Puzzle
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> plus = Puzzle(rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N))
    >>> print(expression_story(Path(plus, [State([1, 2, 9]), State([3, 9]), State([12])]), 12))
    12 = 9 + 2 + 1
                     1 2 9
      1. 2 + 1 → 3   3 9
      2. 9 + 3 → 12  12
    """
    if target is None:
        put = path.steps[-1].put if len(path) else ()
        target = put[-1] if put else path.end.items[-1] if len(path.end) else 0
    return f"{shown(target)} = {path.formula(target)}\n{_table(path, _pool)}"


def chain_story(path: Path, pattern: Any = None) -> str:
    """Return the chain at the end, then each step with its reason and the chain after it.

    pattern  which sequence is the chain; by default every sequence
    """
    from rewrite.views.lines import chain  # loaded for those puzzles that have such a view

    view = chain(pattern)
    return f"{view(path.end).split(' | ')[0]}\n{_table(path, view)}"


def ring_story(path: Path, pattern: Any) -> str:
    """Return the ring, then each step with the cell it made.

    pattern  of a cell: its first variable is the place, its second the value
    """
    from rewrite.views.lines import ring, ring_of  # as above

    return f"{ring_of(path, pattern)}\n{_table(path, ring(pattern))}"


def _pool(state: State) -> str:
    return " ".join(map(shown, state))


def _table(path: Path, view: Callable[[State], str]) -> str:
    number = len(str(len(path))) + 2
    labels = ["", *(f"{i:>{number}}. {label}" for i, label in enumerate(path.labels, 1))]
    wide = max(map(len, labels))
    blocks: list[Sequence[str]] = [view(state).split("\n") for state in path.states]
    lines = []
    for label, block in zip(labels, blocks, strict=True):
        for index, text in enumerate(block):
            lines.append(f"{label if index == 0 else '':<{wide}}  {text}".rstrip())
    return "\n".join(lines)

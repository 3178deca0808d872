"""Ground rules over slots as the core takes them: what each tests and changes, word by word."""

from __future__ import annotations

from typing import Any

from rewrite.code.flat import WORD, words_of
from rewrite.code.operations import COUNTERS, FIRED, MATCHED, Table
from rewrite.code.puzzle_code import SlotCode
from rewrite.compiler.slots.ground_rules import Change

Rules = list[tuple[Any, ...]]


def ground_rules(code: SlotCode, tables: list[Table]) -> dict[str, Any]:
    """Return the ground rules of a puzzle as plain data, for `Loader.kernel` of the core.

    tables   gets the tables in which changes are looked up; a rule names its own by its place there
    """
    return {
        "rules": [_rule(code, number, change, tables) for number, change in code.changes],
        "first": [(word, mask) for word, mask, _ in words_of(code.first, 0)],
    }


def _rule(code: SlotCode, number: int, change: Change, tables: list[Table]) -> tuple[Any, ...]:
    counter = number * len(COUNTERS)
    cost: Any = change.cost
    effect: Any
    if change.lookups:
        table = Table(change.lookups, code.rest(number), False)
        cost, effect = table.cost, len(tables)
        tables.append(table)
    else:
        effect = _effect(code, change)
    return (
        counter + MATCHED, counter + FIRED, _tests(change.tests), _tests(change.misses),
        words_of(change.guard, 0), cost, effect,
    )  # fmt: skip


def _tests(pairs: tuple[tuple[int, int], ...]) -> list[tuple[int, int, int]]:
    return [test for mask, value in pairs for test in words_of(mask, value)]


def _effect(code: SlotCode, change: Change) -> tuple[Any, Any]:
    """Return words kept and flipped, as (word, keep, flip), and fields moved."""
    words, moves = code.words, []
    keep = every = (1 << 64 * words) - 1
    if change.flip is not None:
        flip = change.flip
    else:
        keep, flip = every & ~change.clear, change.fill  # cleared bits are set by flipping them
        for mask, shift in change.copies:
            moves += _moves(code, mask, shift)
    changed = []
    for word in range(words):
        kept, flipped = keep >> 64 * word & WORD, flip >> 64 * word & WORD
        if flipped or kept != WORD:
            changed.append((word, kept, flipped))
    return changed, moves


def _moves(code: SlotCode, mask: int, shift: int) -> list[tuple[int, int, int, int]]:
    """Return moves of whole fields as (from word, to word, bits, shift to the left)."""
    found: dict[tuple[int, int, int], int] = {}
    for offset, bits in code.shape.fields:
        field = (1 << bits) - 1 << offset
        if mask & field:
            source, target = offset // 64, (offset + shift) // 64
            key = (source, target, (offset + shift) % 64 - offset % 64)
            found[key] = found.get(key, 0) | field >> 64 * source
    return [(source, target, bits, inside) for (source, target, inside), bits in found.items()]

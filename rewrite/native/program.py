"""From the code of a compiled puzzle to a program for the core, as plain data.

Code is flattened (`rewrite.compile.code.flat`); groups, slots, tables and the values they refer to
are kept alongside. Nothing here knows about searching.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from attrs import frozen

from rewrite.compile.code.flat import (
    HALF,
    NOTHING,
    WORD,
    Laid,
    Machine,
    Unlowered,
    laid_out,
    words_of,
)
from rewrite.compile.code.operations import COUNTERS, FIRED, MATCHED, Ask, Table, Unit
from rewrite.compile.code.puzzle_code import MultisetCode, PuzzleCode, SlotCode
from rewrite.compile.code.sums import summed
from rewrite.compile.interning import BAG, Ctor
from rewrite.compile.slots.canonical import Ranks, ranked
from rewrite.compile.slots.changes import Change, Lookup
from rewrite.compile.slots.layout import SlotLayout
from rewrite.engine.counts import Code
from rewrite.engine.interface import CodeEngine, Engine
from rewrite.engine.runtime import remembered
from rewrite.language.nesting import PLAIN
from rewrite.language.rules import Rule
from rewrite.native import core

MOST_WORDS, MOST_TABLES = 64, (1 << 16) - 1
REMEMBERED = 50_000
"""Verdicts of Python on states: the core asks what `never` says of each successor, new or not."""


@frozen
class Program:
    """What the core receives, and what the Python side keeps: the functions it calls back."""

    data: dict[str, Any]
    start: Any
    rules: tuple[Rule, ...]
    functions: list[Callable[..., Any]]
    tests: list[Callable[[Any], Any]]
    forbids: bool
    """Whether there is a `never`: if not, every match fires, and matches are not counted."""


TABLES: dict[str, int | None] = {}
"""A non-default layout of the core's state tables; no answer depends on it.

key_bits   None: numbers of states are never left out
split      the size in bytes at which the first full table is split into several
"""


def lowered(
    engine: Engine, start: Any, goal: bool, objective: int | None, heuristic: int | None,
    ctors: frozenset[Ctor] = frozenset(), *, inverse: Engine | None = None,
    canon: dict[str, Any] | None = None, free: dict[str, Any] | None = None,
    estimate: dict[str, Any] | None = None,
) -> Program:  # fmt: skip
    """Return the program of an engine. Raises Unlowered if the core cannot run it.

    start                  the code of the start
    objective, heuristic   numbers of the engine's values with these roles, if any
    ctors                  constructors that may occur besides those in the puzzle
    inverse                an engine of the same layout whose successors are the predecessors here;
                           its rules are the inverse ones in the same order, and are counted as
                           the rules themselves
    estimate               a heuristic over slots derived from the rules, as plain data
    canon                  the group under which states are identified. For slots "fields" as
                           (offset, bits), and "elements" as (sources, maps), including the
                           identity; place i of an image is maps[i][state[sources[i]]]. Or values
                           that are exchanged: see `symmetry.exchanges`
    free                   the free moves that join states, for slots only: "fields" as (offset,
                           bits, values) in the order in which states are compared; "moved",
                           the numbers of those that the moves write; "edges" as (rule, tests,
                           misses, sets), all pairs of a field and a number; "excluded", mutexes;
                           "checked", whether to check that moves can be undone
    """
    run, asked = _coded(engine), (goal, objective, heuristic)
    code = run.code
    if inverse is not None:
        base = _based(engine, asked, _coded(inverse).code)
    else:
        kept = code.laid.get(asked)
        base = kept if kept is not None else code.laid.setdefault(asked, _based(engine, asked))
    first = state_key(engine, start)
    if free is not None:
        edges = [(rule * len(COUNTERS) + FIRED, *rest) for rule, *rest in free["edges"]]
        free = free | {"edges": edges}
    data = base.data | {"canon": canon, "free": free} | TABLES
    if isinstance(code, MultisetCode):
        ints = [value for group in first for value in group if type(value) is int]
        data["nibbles"] = all(0 <= value < 16 for value in ints)  # as most states have them then
    values: list[Any] = [first, ctors, (canon or {}).get("values", ())]
    if (over := engine.reasoning) is not None:
        data["families"] = [
            (slots.bits, slots.closed, slots.values) for slots in over.layout.slots.values()
        ]
        values.append(data["families"])
    if estimate is not None:
        data["estimate"] = estimate
    held = base.ctors | _ctors(values) - {BAG}
    data["ctors"] = [BAG, *sorted(held, key=lambda ctor: ctor.identity)]
    remember = lru_cache(REMEMBERED)
    tests: list[Callable[[Any], Any]] = [remember(run.brought(ask)) for ask in base.asked]
    puzzle = engine.task.puzzle
    return Program(data, first, puzzle.rules, base.functions, tests, bool(puzzle.never))


def _coded(engine: Engine) -> CodeEngine:
    if not isinstance(engine, CodeEngine):
        raise Unlowered(engine.encoding)
    return engine


@frozen
class _Base:
    """The parts of a program that do not depend on the start; cached with the code."""

    data: dict[str, Any]
    ctors: frozenset[Ctor]
    functions: list[Callable[..., Any]]
    asked: list[Ask]


def _based(
    engine: Engine,
    asked: tuple[bool, int | None, int | None],
    backwards: PuzzleCode | None = None,
) -> _Base:
    code, puzzle = _coded(engine).code, engine.task.puzzle
    goal, objective, heuristic = asked
    expanding = {"forward": code} | ({} if backwards is None else {"backward": backwards})
    conditions = {"forbidden": code.forbidden} if puzzle.never else {}
    conditions |= {"goal": code.goal} if goal else {}
    wanted = sorted({number for number in (objective, heuristic) if number is not None})
    values = {f"value{number}": code.values[number] for number in wanted}
    if isinstance(code, SlotCode):
        laid, data = _over_slots(code, expanding, conditions, values)
        fields = None if heuristic is None else summed(code.values[heuristic], code.fields)
        data["sum"] = None if fields is None else sorted(fields)
    else:
        assert isinstance(code, MultisetCode)
        units = {
            name: one.expand for name, one in expanding.items() if isinstance(one, MultisetCode)
        } | conditions
        units |= {"normal": code.simplify} if puzzle.simplify else {}
        laid = laid_out(_machine(), False, units | values)
        numbers = laid.numbers
        data = {
            "term_types": list(code.program.layout.term_types),
            "successors": numbers["forward.expand"],
            "predecessors": numbers.get("backward.expand"),
            "goal": numbers.get("goal.goal"),
            "simplify": [numbers[f"normal.simplify{i}"] for i in range(len(puzzle.simplify))],
        }
    data |= laid.data | {
        "states": [[state_key(engine, one) for one in held] for held in laid.states.held],
        "counters": len(puzzle.rules) * len(COUNTERS),
        "objective": laid.numbers.get(f"value{objective}.value{objective}"),
        "heuristic": laid.numbers.get(f"value{heuristic}.value{heuristic}"),
    }
    # of a multiset all constants are terms of the puzzle, or of what is asked
    named = ("constants", "sets", "states", "tables") if isinstance(code, SlotCode) else ()
    held = _ctors([data.get(name, ()) for name in named]) - {BAG}
    task = engine.task
    spoken = puzzle.classes | task.start.classes | task.asked[-1]
    held |= {Ctor.of(one) for one in spoken}
    functions = [remembered(function) for function in laid.user_functions.held]
    return _Base(data, frozenset(held), functions, [ask for _, ask in laid.asked.values()])


@cache
def _machine() -> Machine:
    made = core()
    return Machine(
        {name: number for number, name in enumerate(made.instructions())},
        {name: number for number, name in enumerate(made.builtins())},
    )


def state_key(engine: Engine, code: Code) -> Any:
    """Return the halves of the words of a state, the low ones first, or its groups of values."""
    held = _coded(engine).code
    if isinstance(held, SlotCode):
        return [code >> 32 * half & HALF for half in range(2 * held.words)]
    return list(held.program.layout.groups(code))


# -- slots -----------------------------------------------------------------------------------
def _over_slots(
    code: SlotCode, expanding: dict[str, PuzzleCode], conditions: dict[str, Unit],
    values: dict[str, Unit],
) -> tuple[Laid, dict[str, Any]]:  # fmt: skip
    """Ground rules and conditions are functions too, numbered after those written as code."""
    words, tables, simplify = code.words, list[Table](), code.program.simplify
    if words > MOST_WORDS:
        raise Unlowered(f"states of {64 * words} bits")
    tests: Tests = {}
    usual = _usual(code.program.layout)
    kernels: dict[str, Any] = {
        name: {
            "rules": [
                _rule(one, number, change, table, tables, tests)
                for (number, change), table in zip(one.changes, one.tables, strict=True)
            ],
            "first": [(word, mask) for word, mask, _ in words_of(one.first, 0)],
            "simplify": bool(simplify),
            "usual": usual,
        }
        for name, one in expanding.items()
        if isinstance(one, SlotCode)
    }
    names = [f"simplify{place}" for place in range(len(simplify))]
    for name, changes in zip(names, simplify, strict=True):
        found = zip(changes, code.tables_of(changes), strict=True)
        kernels[name] = {
            "rules": [_rule(code, None, one, table, tables, tests) for (_, one), table in found],
            "first": [], "usual": usual, "simplify": False,
        }  # fmt: skip
    if len(tables) > MOST_TABLES:
        raise Unlowered(f"{len(tables):,} tables of what rules do")
    laid = laid_out(_machine(), True, values, conditions, tables)
    for name in expanding:
        kernels[name]["never"] = laid.formulas.get("forbidden")
    if "goal" in laid.formulas:
        kernels["goal"] = laid.formulas["goal"]
    numbers = {name: len(laid.functions) + place for place, name in enumerate(kernels)}
    places = {id(slots): place for place, slots in enumerate(code.program.layout.slots.values())}
    return laid, {
        "words": words,
        "key_bits": code.program.layout.offset,
        "tables": [
            {
                "lookups": [_lookup(table, one, places) for one in table.lookups],
                "reads": [(word, mask) for word, mask, _ in words_of(table.reads, 0)],
                "residual": residual,
                "every": table.every,
            }
            for table, residual in zip(laid.tables.held, laid.residuals, strict=True)
        ],
        "kernels": [(numbers[name], one) for name, one in kernels.items()],
        "successors": numbers["forward"],
        "predecessors": numbers.get("backward"),
        "goal": numbers.get("goal"),
        "simplify": [numbers[name] for name in names],
        "ranks": _ranks(ranked(code.program.layout)) if simplify else None,
    }


def _ranks(given: Ranks) -> Any:
    fields = [
        (offset // 64, offset % 64, (1 << bits) - 1, held) for offset, bits, held in given.fields
    ]
    return fields, given.static


Tests = dict[tuple[int, int], list[tuple[int, int, int]]]
"""Tests as they were written by words: many rules share them."""


def _usual(layout: SlotLayout) -> list[tuple[int, int, int]]:
    """Return the tests of what nearly all slots of a family hold in the start."""
    return [
        test
        for slots in layout.slots.values()
        for at in slots.offsets.values()
        if slots.usual is not None
        for test in words_of(slots.mask_at(at), slots.usual << at)
    ]


def _rule(
    code: SlotCode, number: int | None, change: Change, table: Table | None, tables: list[Table],
    tests: Tests,
) -> tuple[Any, ...]:  # fmt: skip
    """Return a ground rule for the core's `Loader.kernel`: its tests and changes, by words.

    number   of the rule, for its counters; None where nothing is counted
    tables   receives the table for a change; the rule refers to it by its index there
    """
    counters = (NOTHING, NOTHING)
    if number is not None:
        counters = (number * len(COUNTERS) + MATCHED, number * len(COUNTERS) + FIRED)
    cost: Any = change.cost
    effect: Any
    if table is not None:
        cost, effect = table.cost, len(tables)
        tables.append(table)
    else:
        effect = _effect(code, change, tests)
    return (
        *counters, _tests(change.tests, tests),
        _tests(change.misses, tests), words_of(change.guard, 0), cost, effect,
    )  # fmt: skip


def _tests(pairs: tuple[tuple[int, int], ...], known: Tests) -> list[tuple[int, int, int]]:
    found = []
    for pair in pairs:
        if pair not in known:
            known[pair] = words_of(*pair)
        found += known[pair]
    return found


def _effect(code: SlotCode, change: Change, known: Tests) -> tuple[Any, Any, Any, Any]:
    """Return words kept and flipped, as (word, keep, flip), whole fields moved, as (from word, to
    word, bits, left shift), fields mapped, as (from word, shift, mask, to word, table of bits), and
    what is done where more tests hold, as (tests, misses, bits cleared and filled).
    """
    stays, flips, maps = change.toggled()
    clear, flip = change.clear & ~stays, change.fill | flips  # cleared bits are set by flipping
    if change.flip is not None:
        clear, flip = 0, change.flip
    moved: dict[tuple[int, int, int], int] = {}
    for mask, shift in change.copies:
        for offset, bits in code.fields:
            field = (1 << bits) - 1 << offset
            if mask & field:
                source, target = offset // 64, (offset + shift) // 64
                key = (source, target, (offset + shift) % 64 - offset % 64)
                moved[key] = moved.get(key, 0) | field >> 64 * source
    return (
        [(word, WORD & ~(clear >> 64 * word), flipped)
         for word, _, flipped in words_of(clear | flip, flip)],
        [(source, target, bits, shift) for (source, target, shift), bits in moved.items()],
        [(source // 64, source % 64, (1 << bits) - 1, target // 64,
          [max(number, 0) << target % 64 for number in table])
         for source, bits, target, table in maps],
        [(_tests(one.tests, known), _tests(one.misses, known), words_of(one.clear, one.fill))
         for one in change.effects],
    )  # fmt: skip


def _lookup(table: Table, one: Lookup, places: dict[int, int]) -> tuple[Any, ...]:
    spots = [(places[id(slots)], None if offset < 0 else offset) for slots, offset in one.spots]
    # no atom's bits cross a word boundary; those given were not there, those taken were
    added = [
        (word, put - (one.taken >> 64 * word) & WORD)
        for word, _, put in words_of(one.given | one.taken, one.given)
    ]
    return spots, list(one.targets), added, list(table.residual.known(one.ground))


def _ctors(value: Any) -> set[Ctor]:
    found, todo = set[Ctor](), [value]
    while todo:
        one = todo.pop()
        if isinstance(one, Ctor):
            found.add(one)
        elif isinstance(one, (list, tuple, set, frozenset)):
            todo.extend([part for part in one if part.__class__ not in PLAIN])
        elif isinstance(one, dict):
            todo.extend(one.values())
    return found

"""Garbage for the core: mutations of real programs, and pure garbage, each loaded and run.

`python -m tests.unit.native.fuzz SEED COUNT` runs so many and prints how they ended, as JSON. A
crash or a hang ends the process, so it belongs into one of its own; so does an exception that the
core may not raise. Each case depends on its seed alone: `case(seed, number, …)` is it again.
"""

from __future__ import annotations

import contextlib
import json
import random
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from rewrite.native import core
from tests.unit.native.programs import machine, program

NAMES = (
    "digitle", "hyperjump", "two_grids", "water_jugs", "farmer", "missionaries", "eight_tuple",
    "eight_puzzle", "hanoi", "pancakes", "twenty_four",
)  # fmt: skip
"""Small programs of both encodings, with tables, conditions of their own and functions outside."""
STRATEGIES = ("breadth_first", "depth_first", "uniform_cost", "iterative_deepening", "idastar")
ROOM = 4 << 30
SECONDS = 30
"""For one case; each is told to end after a fifth of a second."""
NUMBERS = (
    0, 1, 2, 3, 5, 7, 63, 64, 255, 256, 65_534, 65_535, 65_536, 2**31, 2**32 - 1, 2**32, 2**63,
    2**64 - 1, 2**64, 2**126, -1, -2, -64, -(2**63),
)  # fmt: skip
FORMS: dict[str, int] = {
    "Jump": 1, "Count": 1, "Move": 2, "Equal": 4, "Compare": 5, "IsKind": 4, "HasCtor": 4,
    "Truthy": 3, "MustBeTruth": 1, "In": 4, "InSet": 4, "FirstOfRun": 4, "Arithmetic": 4, "Neg": 2,
    "Abs": 2, "Tuple": 5, "Len": 2, "Index": 3, "Slice": 4, "Spread": 2, "Unpack": 3, "Without": 3,
    "Insert": 3, "Find": 4, "Builtin": 3, "Outside": 3, "OutsideState": 3, "OutsideSlots": 3,
    "Call": 4, "Return": 1, "NoValue": 0, "RangeInit": 3, "RangeNext": 4, "ItemsNext": 5,
    "ChoicesNext": 5, "RowInit": 4, "RowNext": 6, "Splits": 3, "SplitsNext": 5, "ListNew": 1,
    "ListPush": 2, "ListAny": 3, "ListHas": 4, "ListFold": 3, "Emit": 3, "EmitWith": 4, "Place": 3,
    "Normal": 3, "AnySuccessor": 2, "InStates": 4, "CheckCost": 1, "Put": 2, "Bits": 5, "Make": 4,
    "MakeOut": 6, "TableInit": 2, "TableNext": 5, "TableAny": 3, "EmitX": 2, "BitCount": 3,
    "Twice": 0,
}  # fmt: skip
"""The instructions, and how many operands they take (of those that take any number, some)."""


def near(chance: random.Random, number: int) -> int:
    """Return another number, mostly one near by."""
    if chance.random() < 0.5:
        return number + chance.choice((-3, -2, -1, 1, 2, 3))
    return chance.choice(NUMBERS)


def code(chance: random.Random, data: dict[str, Any]) -> None:
    """Change the code in one place."""
    made = data["code"] = list(data["code"])
    at = chance.randrange(len(made))
    name, operands = made[at]
    operands = list(operands)
    how = chance.randrange(7)
    if how == 0 and operands:
        place = chance.randrange(len(operands))
        operands[place] = near(chance, operands[place])
        made[at] = name, operands
    elif how == 1:
        made[at] = made[chance.randrange(len(made))]
    elif how == 2:
        del made[at]
    elif how == 3:
        made.insert(at, made[chance.randrange(len(made))])
    elif how == 4:
        made[at] = instruction(chance, len(made))
    elif how == 5:
        made[at] = chance.choice(list(FORMS)), operands
    else:
        made[at] = name, [*operands, chance.randrange(8)] if chance.random() < 0.5 else operands[1:]


def call(chance: random.Random, data: dict[str, Any]) -> None:
    """Let a function call some function, perhaps itself."""
    made = data["code"] = list(data["code"])
    entry = chance.choice(data["functions"])[1]
    number = chance.randrange(len(data["functions"]))
    wanted = data["functions"][number][2]
    made[entry] = "Call", [0, number, chance.randrange(2), *range(min(wanted, 8))]


def changed(chance: random.Random, value: Any) -> Any:
    """Return plain data with one thing in it changed."""
    if isinstance(value, bool) or value is None:
        return chance.choice((None, True, False, 1, -1, "x"))
    if isinstance(value, int):
        return near(chance, value)
    if isinstance(value, str):
        return chance.choice(("", "int", "seq", "str", "\ud800", "x" * 100))
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        return value | {key: changed(chance, value[key])}
    if isinstance(value, (list, tuple)) and value:
        made, at = list(value), chance.randrange(len(value))
        if chance.random() < 0.15:
            del made[at]
        elif chance.random() < 0.15:
            made.insert(at, made[chance.randrange(len(made))])
        else:
            made[at] = changed(chance, made[at])
        return type(value)(made)
    return chance.choice((0, None, [], "x", (1, 2)))


def part(chance: random.Random, data: dict[str, Any]) -> None:
    """Change something beside the code, or leave it out."""
    key = chance.choice([key for key in data if key != "code"])
    if chance.random() < 0.1:
        del data[key]
    else:
        data[key] = changed(chance, data[key])


def instruction(chance: random.Random, length: int) -> tuple[str, list[int]]:
    """Return an instruction of pure chance, of numbers that are often in range."""
    name = chance.choice(list(FORMS))
    wanted = FORMS[name] + (chance.random() < 0.05)
    return name, [
        chance.choice(NUMBERS) if chance.random() < 0.1 else chance.randrange(max(4, length // 2))
        for _ in range(wanted)
    ]


def garbage(chance: random.Random, data: dict[str, Any]) -> None:
    """Replace all code by garbage that ends."""
    length = chance.randrange(1, 24)
    made = [instruction(chance, length) for _ in range(length)]
    data["code"] = [*made, ("Return", [0])]
    registers = chance.randrange(1, 24)
    data["functions"] = [
        (f"f{number}", chance.randrange(length), registers, [0], chance.randrange(4))
        for number in range(chance.randrange(1, 5))
    ]
    data["handlers"] = [(0, length, chance.randrange(length))] if chance.random() < 0.5 else []
    data["successors"], data["goal"] = 0, chance.choice((None, 0))
    data["simplify"] = [0] if chance.random() < 0.3 else []


KINDS: tuple[Callable[[random.Random, dict[str, Any]], None], ...] = (
    code, code, code, code, call, part, part, garbage,
)  # fmt: skip


def case(seed: int, number: int, programs: dict[str, Any]) -> str:
    """Run one case; return how it ended."""
    chance = random.Random(f"{seed} {number}")
    made = programs[chance.choice(list(programs))]
    data, start = dict(made.data), made.start
    for _ in range(1 + (chance.random() < 0.3)):
        with contextlib.suppress(LookupError, TypeError, ValueError):  # nothing left to change
            chance.choice(KINDS)(chance, data)
    if chance.random() < 0.1:
        start = changed(chance, start)
    native = core()
    asked = {
        "strategy": chance.choice(STRATEGIES), "width": 1000, "weight": 1, "seed": None,
        "distinct_paths": False, "minimize": False, "goal": True, "min_depth": 0,
        "uses_estimate": False, "eager": False,
    }  # fmt: skip
    try:
        search = native.Search(machine(data), start, asked, 1)
        search.advance(1, 60, 300, 0.2, 50_000_000, lambda *_: False)
        search.facts()
        search.code(0)
    except native.Panicked as error:
        return "panicked" if ".rs:" in str(error) else "refused"
    except (native.Failed, native.Changed, native.Unsupported):
        return "not run"
    except MemoryError:
        return "no memory"
    return "ran"


def main() -> None:
    """Run many, and print how they ended."""
    seed, count = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    programs = {name: program(name) for name in NAMES}
    ends: Counter[str] = Counter()
    for number in range(count):
        signal.alarm(SECONDS)  # ends the process: a hang is a failure
        try:
            ends[case(seed, number, programs)] += 1
        except BaseException:
            sys.stderr.write(f"case({seed}, {number}, …)\n")
            raise
    signal.alarm(0)
    sys.stdout.write(json.dumps(ends) + "\n")


if __name__ == "__main__":
    main()

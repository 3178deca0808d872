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
from functools import cache
from typing import Any

from rewrite.code.flat import HALF
from rewrite.native import core
from tests.unit.native.programs import listed, machine, packed, program

NAMES = (
    "digitle", "hyperjump", "two_grids", "water_jugs", "farmer", "missionaries", "eight_tuple",
    "eight_puzzle", "hanoi", "pancakes", "twenty_four",
)  # fmt: skip
"""Small programs of both encodings, with tables, conditions of their own and functions outside."""
STRATEGIES = ("breadth_first", "depth_first", "uniform_cost", "idastar")
ROOM = 4 << 30
SECONDS = 30
"""For one case; each is told to end after a fifth of a second."""
NUMBERS = (
    0, 1, 2, 3, 5, 7, 63, 64, 255, 256, 65_534, 65_535, 65_536, 2**31, 2**32 - 1, 2**32, 2**63,
    2**64 - 1, 2**64, 2**126, -1, -2, -64, -(2**63),
)  # fmt: skip


@cache
def forms() -> dict[str, int]:
    """Return how many operands each instruction takes; of those that take any number, some.

    Asked when it is needed: this module is also imported where there is no core.
    """
    return {
        name: len(shape.replace("*", "").replace("m", "nbbnnbs"))
        for name, shape in core().instructions()
    }


def near(chance: random.Random, number: int) -> int:
    """Return another number, mostly one near by."""
    if chance.random() < 0.5:
        return number + chance.choice((-3, -2, -1, 1, 2, 3))
    return chance.choice(NUMBERS)


def _listed(data: dict[str, Any]) -> list[Any]:
    if isinstance(data["code"], bytes):
        raise ValueError("its buffer was changed before")
    return list(data["code"])


def code(chance: random.Random, data: dict[str, Any]) -> None:
    """Change the code in one place."""
    made = data["code"] = _listed(data)
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
        made[at] = chance.choice(list(forms())), operands
    else:
        made[at] = name, [*operands, chance.randrange(8)] if chance.random() < 0.5 else operands[1:]


def words(chance: random.Random, data: dict[str, Any]) -> None:
    """Change the buffer of the code itself: a word of it, a bit, its end, or some bytes."""
    made = bytearray(data["code"] if isinstance(data["code"], bytes) else packed(data["code"]))
    at, how = chance.randrange(len(made)), chance.randrange(5)
    if how == 0:
        at -= at % 4
        made[at : at + 4] = (near(chance, made[at]) & HALF).to_bytes(4, sys.byteorder)
    elif how == 1:
        made[at] ^= 1 << chance.randrange(8)
    elif how == 2:
        del made[at - at % 4 :]
    elif how == 3:
        del made[at:]
    else:
        made[at:at] = chance.randbytes(4 * chance.randrange(1, 4))
    data["code"] = bytes(made)


def call(chance: random.Random, data: dict[str, Any]) -> None:
    """Let a function call some function, perhaps itself."""
    made = data["code"] = _listed(data)
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
    name = chance.choice(list(forms()))
    wanted = forms()[name] + (chance.random() < 0.05)
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
    code, code, code, code, words, words, call, part, part, garbage,
)  # fmt: skip


def case(seed: int, number: int, programs: dict[str, Any]) -> str:
    """Run one case; return how it ended."""
    chance = random.Random(f"{seed} {number}")
    made = programs[chance.choice(list(programs))]
    data, start = dict(made.data), made.start
    data["code"] = listed(data["code"])
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

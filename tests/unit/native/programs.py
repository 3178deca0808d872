"""Programs of the gallery as the core is given them, and small ones that are wrong."""

from array import array
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite.code.failure import EngineFailure
from rewrite.code.flat import HALF
from rewrite.compiler.interning import BAG, TRUTH
from rewrite.compiler.task import Task
from rewrite.engine.build import build
from rewrite.native import core as core_module
from rewrite.native import core_or_none
from rewrite.native.program import Program, lowered


def program(name: str) -> Program:
    """Return the program of a puzzle of the gallery."""
    puzzle = PUZZLES[name]()
    assert puzzle.start is not None
    engine = build(Task(puzzle, puzzle.start, puzzle.goal))
    return lowered(engine, engine.encode(puzzle.start), True, None, None)


class Zeros:
    """User functions of any number: their values are 0."""

    def __getitem__(self, function: int) -> Any:
        return lambda *arguments: 0


class Answering:
    """What the core calls back: it answers everything, and never asks to stop."""

    functions = Zeros()

    def state(self, test: int, code: Any) -> Any:
        return TRUTH[True]

    def estimate(self, code: Any) -> Any:
        return 0

    def stop(self) -> bool:
        return False


def machine(data: dict[str, Any]) -> Any:
    """Return a machine of the core. Skips the test where there is no core.

    Code may be listed, as (name, operands); it is packed then.
    """
    core = core_or_none()
    if core is None:
        pytest.skip("the native engine is not there")
    if isinstance(data.get("code"), list):
        data = data | {"code": packed(data["code"])}
    return core.Machine(data, Answering(), TRUTH, EngineFailure)


def packed(code: list[Any]) -> bytes:
    """Return listed code as the core takes it."""
    known = core_module().instructions()
    numbers = {name: number for number, (name, _) in enumerate(known)}
    words: list[int] = []
    for name, operands in code:
        number = numbers.get(name, len(known))
        parts = _words(dict(known).get(name, ""), operands)
        words += [number | len(parts) << 8, *parts]
    return array("I", words).tobytes()


def listed(code: bytes) -> list[tuple[str, list[int]]]:
    """Return code as (name, operands)."""
    known, words = core_module().instructions(), array("I", code).tolist()
    found, at = [], 0
    while at < len(words):
        (name, shape), length = known[words[at] & 255], words[at] >> 8
        found.append((name, _operands(shape, words[at + 1 : at + 1 + length])))
        at += 1 + length
    return found


def letters(shape: str, operands: list[int]) -> str:
    """Return the kind of each operand; see `INSTRUCTIONS` in `core-crate/src/load.rs`."""
    fixed, _, more = shape.partition("*")
    if shape.endswith("m"):
        fixed = shape[:-1]
        changes = operands[len(fixed) - 1] if len(operands) >= len(fixed) else 0
        fixed, more = fixed + "nbb" * max(0, min(changes, len(operands))), "nnbs"
    while more and len(fixed) < len(operands):
        fixed += more
    return fixed + "n" * (len(operands) - len(fixed))


def registers(name: str, operands: list[int], kinds: str) -> list[int]:
    """Return the places of operands that are registers of these kinds: r read, w only written."""
    shape = dict(core_module().instructions())[name]
    found = list(letters(shape, operands))
    if name in ("Place", "Normal"):
        found[1 : 1 + operands[0]] = "w" * operands[0]
    return [place for place, kind in enumerate(found) if kind in kinds]


def reached(data: dict[str, Any]) -> set[int]:
    """Return the places of listed code that can be come to."""
    code, known = data["code"], dict(core_module().instructions())
    found: set[int] = set()
    left = [entry for _, entry, *_ in data["functions"]]
    while left:
        at = left.pop()
        if at in found:
            continue
        found.add(at)
        name, operands = code[at]
        kinds = letters(known[name], operands)
        left += [to for to, kind in zip(operands, kinds, strict=True) if kind == "t"]
        left += [to for begin, end, to in data["handlers"] if begin <= at < end]
        if name not in ("Jump", "Return", "NoValue", "Twice"):
            left.append(at + 1)
    return found


def widened(data: dict[str, Any], at: int) -> tuple[dict[str, Any], int]:
    """Return listed code with one register more for the function at a place, and that register."""
    functions = sorted(data["functions"], key=lambda one: one[1])
    ends = [entry for _, entry, *_ in functions[1:]] + [len(data["code"])]
    begin, end, own = next(
        (one[1], end, one) for one, end in zip(functions, ends, strict=True) if at < end
    )
    fresh = own[2]
    code = list(data["code"])
    for place in range(begin, end):  # constants stand behind the registers
        name, operands = code[place][0], list(code[place][1])
        for which in registers(name, operands, "rw"):
            operands[which] += operands[which] >= fresh
        code[place] = name, operands
    wide = [(*one[:2], fresh + 1, *one[3:]) if one is own else one for one in data["functions"]]
    return data | {"code": code, "functions": wide}, fresh


def _words(shape: str, operands: list[int]) -> list[int]:
    words: list[int] = []
    for letter, operand in zip(letters(shape, operands), operands, strict=False):
        words.append(operand & HALF)
        if letter == "b":
            words.append(operand >> 32 & HALF)
    return words


def _operands(shape: str, words: list[int]) -> list[int]:
    found: list[int] = []
    left = list(words)
    while left:
        kind = letters(shape, [*found, 0])[len(found)]
        one = left.pop(0)
        if kind == "b" and left:
            one |= left.pop(0) << 32
        found.append(one - (HALF + 1) if kind == "s" and one >> 31 else one)
    return found


def tiny(
    *code: tuple[str, list[int]], registers: int = 4, functions: Any = None, **more: Any
) -> dict[str, Any]:
    """Return a program over multisets of ints, whose successors are made by this code."""
    if functions is None:
        functions = [("step", 0, registers, [0], 1)]
    return {
        "heads": ["int"], "code": list(code), "functions": functions, "handlers": [],
        "constants": [0], "sets": [], "states": [], "indexes": [], "counters": 4,
        "successors": 0, "predecessors": None, "goal": None, "objective": None, "heuristic": None,
        "simplify": [], "canon": None, "ctors": [BAG],
    } | more  # fmt: skip


def slots(*code: tuple[str, list[int]], **more: Any) -> dict[str, Any]:
    """Return such a program over states in one word."""
    changes: dict[str, Any] = {"words": 1, "tables": [], "families": [(4, True, [0, 1])]} | more
    made = tiny(*code, **changes)
    del made["heads"]
    return made

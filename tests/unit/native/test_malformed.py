"""The private core refuses what is malformed; what goes wrong inside it is an exception of its own.

Whoever writes the program is this project; so a refusal is a bug, and the text says where.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rewrite.native.engine
from puzzles import PUZZLES, hanoi
from rewrite import RewriteError, search
from rewrite.compiler.interning import BAG
from rewrite.language.builtins import BUILTINS
from rewrite.native import core, status
from rewrite.native.program import lowered
from rewrite.search.strategies import STRATEGIES, Strategy
from tests.unit.native.both_ends import USUAL
from tests.unit.native.programs import (
    listed,
    machine,
    program,
    reached,
    registers,
    slots,
    tiny,
    widened,
)

pytestmark = pytest.mark.skipif(not status().usable, reason="the native engine is not there")

ROOT = Path(__file__).parents[3]
END = ("Return", [0])
ASKED = USUAL | {"strategy": "breadth_first", "goal": False}


def refused(data: dict[str, Any], text: str) -> None:
    with pytest.raises(core().Panicked, match=text):
        machine(data)


def test_programs_of_the_gallery_load() -> None:
    for name in PUZZLES:
        made = program(name)
        assert made.data["ctors"][0] is BAG
        machine(made.data)


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (("Hop", [1]), "there is no instruction 6"),
        (("Move", [1]), "Move: operand 2 is missing"),
        (("Move", [1, 2, 3]), "Move: 1 operands are too many"),
        (("Move", [-1, 2]), "Move: 4294967295 is out of range"),
        (("Move", [1, 70_000]), "Move: 70000 is out of range"),
        (("Builtin", [0, 99]), "99 is out of range"),
        (("Call", [0, 999, 0]), "there is no function 999"),
        (("Tuple", [0, *[0] * 300]), "Tuple: 300 operands are too many"),
        (("Move", [0, 5]), "function step: 0: there is no register 5"),
        (("Tuple", [0, 1, 9]), "there is no register 9"),
        (("Tuple", [0, 1]), "half a pair"),
        (("Unpack", [0, 1, 77]), "there is no register 77"),
        (("Jump", [77]), "there is no place 77"),
        (("ListNew", [1]), "there is no list 1"),
        (("InSet", [0, 0, 1, 1]), "there is no set 0"),
        (("InStates", [3, 1, 1, 0]), "there is no set of states 3"),
        (("RowInit", [1, 2, 5, 0]), "there is no index 5"),
        (("Count", [4]), "there is no counter 4"),
        (("Count", [65_535]), "Count.* has a wrong number of operands"),
        (("TableAny", [0, 1, 1]), "there is no table 0"),
        (("Builtin", [0, 15]), "Builtin.* has a wrong number of operands"),
        (("Splits", [0, 0, 0]), "Splits.* has a wrong number of operands"),
        (("Emit", [0, 0]), "Emit.* has a wrong number of operands"),
        (("Place", [2, 0, 0, 0, 0]), "Place.* has a wrong number of operands"),
        (("EmitX", [0, 0]), "EmitX.* is for slots only"),
        (("Jump", [0]), "a loop at 0 that spends no fuel"),
        (("Call", [0, 0, 0]), "function step calls itself"),
        (("AnySuccessor", [0, 0]), "function step calls itself"),
        (("Move", [1, 2]), "function step: 0: register 2 may be read before it is written"),
        (("ListAny", [0, 1, 1]), "function step: 0: list 0 may be read before it is written"),
        (("Call", [0, 0, 0, 1, 1, 1, 1, 1]), "too many arguments for function step"),
    ],
)
def test_the_core_refuses_a_program_that_is_wrong(instruction: Any, text: str) -> None:
    refused(tiny(instruction, END), text)


@pytest.mark.parametrize("name", PUZZLES)
def test_no_program_of_the_gallery_may_read_what_nothing_has_written(name: str) -> None:
    """Some operands that are read, each replaced by a register that its function has too many."""
    chance, data = random.Random(name), dict(program(name).data)
    code = data["code"] = listed(data["code"])
    read = [(at, place) for at in sorted(reached(data)) for place in registers(*code[at], "r")]
    for at, place in chance.sample(read, min(20, len(read))):
        made, fresh = widened(data, at)
        machine(made)
        made["code"][at][1][place] = fresh
        refused(made, f": {at}: register {fresh} may be read before it is written")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"code": [("Move", [0, 1])]}, "function step: the code does not end"),
        ({"functions": [("late", 10**6, 1, [], 0)]}, "function late: it has no code"),
        ({"functions": []}, "there is no function 0"),
        ({"functions": [("one", 0, 1, [], 0), ("two", 0, 1, [], 0)]}, "in another function"),
        ({"functions": [("step", 0, 0, [0], 0)]}, "function step takes no state"),
        ({"functions": [("step", 0, 1, [7], 0)]}, "there is no such constant"),
        ({"simplify": [3]}, "there is no function 3"),
        ({"goal": 3}, "there is no function 3"),
        ({"handlers": [(0, 5, 0)]}, "a handler is outside the code"),
        ({"handlers": [(0, 1, 9)]}, "a handler is outside the code"),
        ({"handlers": [(0, 1, 0)]}, "a loop at 0 that spends no fuel"),
        ({"heads": []}, "states of no size, or too large"),
        ({"heads": ["int"] * 65}, "states of no size, or too large"),
        ({"heads": ["float"]}, "no kind of group: float"),
        ({"counters": -1}, "malformed data"),
        ({"ctors": []}, "malformed data"),
        ({"code": None}, "malformed data"),
        ({"code": b"123"}, "3 bytes of code"),
        ({"code": b"\xff\0\0\0"}, "there is no instruction 255"),
        ({"code": b"\0\5\0\0" * 2}, "Jump: the code ends before its 5 operands do"),
    ],
)
def test_the_core_refuses_what_stands_beside_the_code(change: dict[str, Any], text: str) -> None:
    refused(tiny(END) | change, text)


@pytest.mark.parametrize(
    ("code", "change", "text"),
    [
        ([("Bits", [1, 1, 1, 3, 3])], {}, "there is no word 1 in a state"),
        ([("Make", [1, 1, 0, 0])], {}, "there is no word 1 in a state"),
        ([("Make", [0, 0, 0, 1, 64])], {}, "a field is moved by 64 bits"),
        ([], {"words": 0}, "states of no size, or too large"),
        ([], {"words": 65}, "states of no size, or too large"),
        ([], {"families": [(65, True, [])]}, "a slot of 65 bits"),
        ([("Call", [0, 1, 1])], {}, "successors of successors of successors"),
    ],
)
def test_the_core_refuses_states_in_slots_that_are_none(
    code: list[Any], change: dict[str, Any], text: str
) -> None:
    functions = [("step", 0, 1, [0], 1), ("far", len(code) + 1, 1, [0], 0)]
    far = len(code) + 1
    deep = [("OutsideSlots", [0, 0, 1]), ("Call", [0, 2, 1]), END, ("MakeOut", [0, 0, 0]), END]
    functions.append(("farther", far + 3, 1, [0], 0))
    refused(slots(*code, END, *deep, functions=functions) | change, text)


def table(**change: Any) -> dict[str, Any]:
    lookup: Any = ([(0, 0)], [0], [], [])
    made = {"lookups": [lookup], "reads": [(0, 15)], "residual": 1, "every": False} | change
    functions = [("step", 0, 2, [0], 0), ("rest", 2, 1, [0], 0)]
    code = [("TableInit", [1, 0]), ("Return", [2]), END]
    return slots(*code, functions=functions, tables=[made])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"residual": 9}, "table 0: there is no function 9"),
        ({"residual": 0}, "function step calls itself"),
        ({"reads": [(4, 1)]}, "table 0: there is no word 4"),
        ({"lookups": [([(3, 0)], [0], [], [])]}, "there are no slots of family 3"),
        ({"lookups": [([(0, 640)], [0], [], [])]}, "there is no word 10"),
        ({"lookups": [([(0, 62)], [0], [], [])]}, "crosses the border of a word"),
        ({"lookups": [([(0, 0)], [1], [], [])]}, "a value is written to no spot"),
        ({"lookups": [([(0, 0)], [0], [], [1, 2])]}, "3 values for function rest"),
    ],
)
def test_the_core_refuses_tables_that_point_nowhere(change: dict[str, Any], text: str) -> None:
    machine(table())
    refused(table(**change), text)


def test_calls_that_are_too_deep_are_left_to_python() -> None:
    deep = 300  # calls inside calls; 256 are allowed, and take little of a stack
    end = ("Return", [1])
    code = [("Call", [0, number + 1, 0]) if half else end
            for number in range(deep) for half in (True, False)]  # fmt: skip
    functions = [(f"f{number}", 2 * number, 1, [0], 0) for number in range(deep)]
    functions.append(("last", 2 * deep, 1, [0], 0))
    with pytest.raises(core().Unsupported, match="conditions 257 deep"):
        machine(tiny(*code, end, functions=functions))
    code[2 * 255] = end
    found = core().Search(machine(tiny(*code, end, functions=functions)), [[1]], ASKED, 1)
    assert going_on(found) == ("exhausted", "")


@pytest.mark.parametrize("number", [600, pytest.param(3000, marks=pytest.mark.long)])
def test_garbage_neither_crashes_nor_hangs_the_core(number: int) -> None:
    """The seed is fixed; `python -m tests.unit.native.fuzz SEED COUNT` tries others."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.native.fuzz", "1", str(number)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    ends = json.loads(done.stdout)
    assert ends.pop("refused") > number / 2  # most are found out when they are loaded …
    assert ends.pop("ran") > number / 15
    assert sum(ends.values()) < number / 5  # … and few fail only when they run


# -- panics ------------------------------------------------------------------------------------


def broken() -> Any:
    """Return a search whose first step takes a number for a sequence: no check can find that."""
    made = tiny(("Unpack", [4, 1]), END)
    return core().Search(machine(made), [[1, 2]], ASKED, 1)


def going_on(found: Any) -> Any:
    return found.advance(None, None, None, None, None, lambda *_: False)


def test_a_panic_is_an_exception_and_the_search_is_not_used_any_more(
    capfd: pytest.CaptureFixture[str],
) -> None:
    found, panicked = broken(), core().Panicked
    with pytest.raises(panicked, match=r"an interned tuple \(core-crate/src/interner.rs:\d+:\d+\)"):
        going_on(found)
    for use in (going_on, lambda one: one.facts(), lambda one: one.code(0)):
        with pytest.raises(panicked, match="it failed before"):
            use(found)
    assert capfd.readouterr().err == ""
    assert search(hanoi.instance()).status == "found"


def test_a_panic_on_another_thread_ends_the_search_with_its_text() -> None:
    code, lamps = [], 16
    for bit in range(lamps):
        code += [("Bits", [0, 2 * bit + 2, 0, 1 << bit, 0]),
                 ("MakeOut", [2, 0, 1, 0, (1 << 64) - 1 - (1 << bit), 1 << bit])]  # fmt: skip
    many = 0b1111_0000_1111
    code += [("Bits", [0, 2 * lamps + 2, 0, many, many]), ("Unpack", [2, 0]), ("Return", [2])]
    data = slots(*code, functions=[("step", 0, 2, [0], 0)])
    found = core().Search(machine(data), [0, 0], ASKED, 2)
    with pytest.raises(core().Panicked, match="an interned tuple"):
        going_on(found)


def test_a_bug_of_the_core_is_an_error_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:

    def wrong(*arguments: Any, **options: Any) -> Any:
        made = lowered(*arguments, **options)
        made.data["counters"] = 0
        return made

    monkeypatch.setattr(rewrite.native.engine, "lowered", wrong)
    text = (
        "the native engine failed: function weighted.expand.*there is no counter.*This is a bug in "
    )
    with pytest.raises(RewriteError, match=text + "rewrite; please report it with the puzzle"):
        search(hanoi.instance(), engine="native")


def test_states_and_tables_that_are_not_there_are_refused() -> None:
    found = core().Search(machine(tiny(END)), [[1, 2]], ASKED, 1)
    for use in (found.code, found.successors):
        with pytest.raises(core().Panicked, match="there is no state 7"):
            use(7)
    assert found.answers(10**6) == []
    with pytest.raises(core().Panicked, match="2 groups instead of 1"):
        core().Search(machine(tiny(END)), [[1], [2]], ASKED, 1)
    with pytest.raises(core().Panicked, match="no slots of family 3"):
        machine(tiny(END)).slot_values(3, 0)
    with pytest.raises(core().Panicked, match="a part of fields that are not there"):
        core().Distances([0], [([1], [0, 1], False, None, None)], [], False)
    with pytest.raises(core().Panicked, match="a move of fields that are not there"):
        core().Distances([0], [([0], [0, 1], False, None, None)], [([(1, 0)], [], [], [])], False)
    with pytest.raises(core().Panicked, match="a pattern with numbers out of range"):
        core().pattern_distances([2], 1, False, [], [[[5]]])


def test_every_entry_of_the_module_goes_through_the_guard() -> None:
    """A panic that passes the border is a PanicException, which nobody catches."""
    sources = ROOT / "rewrite/native/python-crate/src"
    entries = 0
    for source in sorted(sources.glob("*.rs")):
        text = source.read_text("utf-8")
        parts = re.findall(r"#\[pymethods\]\nimpl \w+ \{\n(.*?)\n\}\n", text, re.DOTALL)
        bodies = [body for part in parts for body in re.split(r"\n    (?:pub )?fn ", part)[1:]]
        bodies += re.findall(r"#\[pyfunction\]\n(?:pub )?fn (.*?\n\})", text, re.DOTALL)
        for body in bodies:
            entries += 1
            guarded = re.search(r"(guard|guard::)?(\.|::|\b)(entry|entry_of_data|caught)\(\|", body)
            assert guarded or "entry(|| {" in body, f"{source.name}: {body.splitlines()[0]}"
    assert entries >= 20


# -- what the core does not know ---------------------------------------------------------------


def test_the_strategies_of_the_core_are_those_of_the_registry() -> None:
    assert set(core().strategies()) <= set(STRATEGIES)


def test_a_strategy_that_only_python_has_runs_in_python_with_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = Strategy(name="level_by_level", function="breadth_first:breadth_first", shortest=True)
    monkeypatch.setitem(STRATEGIES, mine.name, mine)
    found = search(hanoi.instance(), strategy="level_by_level")
    assert (found.status, found.engine, found.strategy) == ("found", "python", "level_by_level")
    assert found.notes == (
        "searched by the Python engine, because the native one cannot: it has no strategy "
        '"level_by_level"',
    )


def test_a_heuristic_that_the_core_does_not_know_is_refused() -> None:
    with pytest.raises(core().Unsupported, match='it has no heuristic "mine"'):
        machine(slots(END, estimate={"kind": "mine", "fields": []}))


def test_the_table_says_which_built_in_functions_the_core_has() -> None:
    known = {*core().builtins()}
    assert {row.name for row in BUILTINS.values() if row.twin} == {
        row.name for row in BUILTINS.values() if row.code in known
    }


def test_limits_beyond_a_machine_word_are_none() -> None:
    huge = 2**70
    asked = ASKED | {"width": huge, "min_depth": 0}
    found = core().Search(machine(tiny(END)), [[1, 2]], asked, huge)
    stopped = found.advance(huge, huge, huge, 10**400, huge, lambda *_: False)
    assert stopped == ("exhausted", "")
    with pytest.raises(ValueError, match="a limit must be 0 or more"):
        found.advance(1, -huge, None, None, None, lambda *_: False)
    with pytest.raises(core().Unsupported, match="it has no weights beyond 64 bits"):
        core().Search(machine(tiny(END)), [[1, 2]], ASKED | {"weight": huge}, 1)

"""What goes wrong inside the core is an exception of its own, and an error of the project."""

import re
from pathlib import Path
from typing import Any

import pytest

import rewrite.native.engine
from puzzles import hanoi
from rewrite import RewriteError, search
from rewrite.compile.code.flat import WORD, halves
from rewrite.native import core
from rewrite.native.program import lowered
from tests.engines import natively
from tests.unit.native.both_ends import USUAL
from tests.unit.native.programs import machine, slots, tiny

pytestmark = natively

ROOT = Path(__file__).parents[3]
ASKED = USUAL | {"strategy": "breadth_first", "goal": False}


def going_on(found: Any) -> Any:
    return found.advance(None, {}, None, lambda *_: False)


def test_a_panic_is_an_exception_and_the_search_is_not_used_any_more(
    capfd: pytest.CaptureFixture[str],
) -> None:
    made = tiny(("Unpack", [4, 1]), ("Return", [0]))  # takes a number for a sequence
    found, panicked = core().Search(machine(made), [[1, 2]], ASKED, 1), core().Panicked
    with pytest.raises(panicked, match=r"an interned tuple \(core-crate/src/interner.rs:\d+:\d+\)"):
        going_on(found)
    for use in (going_on, lambda one: one.facts(), lambda one: one.code(0)):
        with pytest.raises(panicked, match="it failed before"):
            use(found)
    assert capfd.readouterr().err == ""
    assert search(hanoi.instance()).status == "found"


def test_a_panic_on_another_thread_ends_the_search_with_its_text() -> None:
    lamps, many = 16, halves(0b1111_0000_1111)
    rules: list[tuple[Any, ...]] = [
        (1, 3, [(0, 1 << bit, 0)], [], [], 1, ([(0, WORD - (1 << bit), 1 << bit)], [], [], []))
        for bit in range(lamps)
    ]
    never = {
        "rules": rules, "first": [], "usual": [], "simplify": False, "never": ("call", 0),
    }  # fmt: skip
    code: list[tuple[str, list[int]]] = [
        ("Bits", [0, 2, 0, *many, *many]), ("Unpack", [2, 0]), ("Return", [2]),
    ]  # fmt: skip
    function = ("never", 0, 2, [0], 0)
    data = slots(*code, functions=[function], kernels=[(1, never)], successors=1)
    found = core().Search(machine(data), [0, 0], ASKED, 2)
    with pytest.raises(core().Panicked, match="an interned tuple"):
        going_on(found)


@pytest.mark.parametrize("change", [{"counters": 0}, {"words": 0}, {"goal": 99}, {"code": b""}])
def test_a_program_that_is_wrong_ends_in_an_error_of_the_project(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*arguments: Any, **options: Any) -> Any:
        made = lowered(*arguments, **options)
        made.data.update(change)
        return made

    monkeypatch.setattr(rewrite.native.engine, "lowered", wrong)
    text = r"the native engine failed: .* \(core-crate/src/.*\.rs:.*\). This is a bug in rewrite; "
    with pytest.raises(RewriteError, match=text + "please report it with the puzzle"):
        search(hanoi.instance(), engine="native")


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
            guarded = re.search(
                r"(\b(entry|entry_of_program)|Guarded::new|self\.0\.(entry|read|caught))\(\|", body
            )
            assert guarded, f"{source.name}: {body.splitlines()[0]}"
    assert entries >= 20

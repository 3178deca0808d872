"""From generated source to instructions: what is refused, and how numbers are taken apart."""

import ast
from typing import Any

import pytest

from rewrite.native.assembler import Assembler
from rewrite.native.lower import Lowering
from rewrite.native.trouble import Unlowered


def lowering(slots: bool = False, **space: Any) -> Any:
    made = Assembler()
    made.words, made.fields = 2, [(0, 4), (4, 4), (60, 4), (64, 4), (100, 8)]
    one = Lowering(made, space, "test", slots)
    one.open(made.functions[one._named("test")], ["s"])
    return one


@pytest.mark.parametrize(
    "statement",
    ["while s: pass", "del s", "s", "return f'{s}'", "return s @ s", "return [1 for _ in s]",
     "return unknown", "raise ValueError", "return s.thing"],
)  # fmt: skip
def test_a_form_that_the_core_has_no_instructions_for_is_refused(statement: str) -> None:
    with pytest.raises(Unlowered):
        lowering().module(f"def test(s):\n    {statement}\n")


STRANGE = [
    "out.append(s)",
    "n_tried = n_tried0 = 0; n_tried += 1",
    "n_seen0 = 0; n_seen0 += 1",
    "nothing += 1",
    "values = []; values += nothing",
    "values = []; values += s + s",
    "return",
    "for a in nothing[s]: pass",
    "for a in (1, 2)[s]: pass",
    "for a, b in nothing.get((s,), ()): pass",
    "for a, b in I0.get(s, ()): pass",
    "for a, b, c in I0.get((s,), ()): pass",
    "for a, b, c in enumerate(s): pass",
    "for a, b in rt_choices(s, s): pass",
    "for a, in rt_splits(s, s): pass",
    "if s: raise BadCost(s)",
    "if not a or s[a - 1] != s: pass",
    "if s.__class__ is float: pass",
    "if s is s: pass",
    "if rt_has_ctor(s, C0): pass",
    "if rt_has_ctor(s, I0): pass",
    "if rt_compare('<>', s, s): pass",
    "if rt_compare(s, s, s): pass",
    "return rt_find(s, s, s)",
    "return s.bit_count()",
    "return successors()",
]


@pytest.mark.parametrize("statement", STRANGE)
def test_a_form_like_a_known_one_is_refused_too(statement: str) -> None:
    lines = "".join(f"    {line.strip()}\n" for line in statement.split(";"))
    with pytest.raises(Unlowered):
        lowering(I0={}).module(f"def test(s):\n{lines}")


@pytest.mark.parametrize(
    "source", ["y & s", "s & 'all'", "s & 7 | y", "s & 7 | s << 3", "s & 7 | (s & 7) << y"]
)
def test_a_successor_that_is_made_in_another_way_is_refused(source: str) -> None:
    with pytest.raises(Unlowered):
        lowering(slots=True).slot_code(ast.parse(source, mode="eval").body)


def test_what_a_loop_laid_out_is_not_read_after_the_loop() -> None:
    """It may not be there: the loop was perhaps not entered."""
    made = lowering()
    made.module(
        "def test(s):\n"
        "    if len(s) >= 2:\n"
        "        for c0 in range(0, len(s)):\n"
        "            s0 = s[0:c0]\n"
        "    return s\n"
    )
    code = {name: operands for name, *operands in reversed(made.assembler.code)}
    laid, whole = code["Spread"]
    assert (code["Slice"][1], code["Return"]) == (laid, [whole])


def test_masks_are_taken_apart_into_words() -> None:
    made = lowering(slots=True)
    assert made.words(0) == []
    assert made.words(0b101) == [0, 0b101]
    assert made.words(1 << 63 | 3 << 64) == [0, 1 << 63, 1, 3]
    assert made.bits(0xF << 60 | 0xF << 64, 0x3 << 60 | 0x5 << 64) == [
        0, 0xF << 60, 0x3 << 60, 1, 0xF, 0x5,
    ]  # fmt: skip


def test_fields_move_within_and_between_words() -> None:
    made = lowering(slots=True)
    assert made._moves(0xF, 4) == [0, 0, 0xF, 4]
    assert made._moves(0xF << 60, 4) == [0, 1, 0xF << 60, -60]
    assert made._moves(0xF << 64, -4) == [1, 0, 0xF, 60]


def test_a_successor_is_words_kept_and_flipped_and_fields_moved() -> None:
    made = lowering(slots=True)
    every = (1 << 128) - 1
    keep = every & ~(0xFF)
    made.slot_code(ast.parse(f"s & {keep} | 3 | (s & 15) << 4", mode="eval").body)
    assert made.assembler.code[-1] == (
        "Make", 1, 0, (1 << 64) - 1 - 0xFF, 3, 0, 0, 15, 4,
    )  # fmt: skip
    made.slot_code(ast.parse(f"s ^ {1 << 63 | 1 << 64}", mode="eval").body)
    ones = (1 << 64) - 1
    assert made.assembler.code[-1] == ("Make", 2, 0, ones, 1 << 63, 1, ones, 1)

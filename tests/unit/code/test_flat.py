"""Code laid flat for the core: what registers, jumps, bits and constants become."""

from array import array
from typing import Any

import pytest

from rewrite.code import operations as o
from rewrite.code.flat import Laid, Machine, Shape, Unlaid, laid_out
from rewrite.code.types import SEQ

NAMES = (
    "Jump", "Move", "Equal", "Truthy", "FirstOfRun", "Return", "RangeInit", "RangeNext",
    "ItemsNext", "Slice", "Spread", "Len", "Insert", "Emit", "EmitWith", "Bits", "Index",
    "Arithmetic", "Call", "BitCount", "ChoicesNext", "Count",
)  # fmt: skip
MACHINE = Machine({name: number for number, name in enumerate(NAMES)}, {"text": 0})
GROUPS = Shape(1)
SLOTS = Shape(0, 2, ((0, 4), (4, 4), (60, 4), (64, 4), (100, 8)))
G, X, Y, P = o.Reg("g0", SEQ), o.Reg("x0"), o.Reg("y0"), o.Reg("p0")
ZERO, ONE = o.Const(0), o.Const(1)


def laid(shape: Shape, *body: Any, more: tuple[o.Function, ...] = ()) -> Laid:
    parameters = (G,) if shape.groups else ()
    unit = o.Unit("expand", (o.Function("expand", parameters, True, body), *more))
    return laid_out(MACHINE, shape, {"a": unit})


def listed(given: Laid) -> list[tuple[str, list[int]]]:
    words, at, found = array("I", given.code).tolist(), 0, []
    while at < len(words):
        number, length = words[at] & 255, words[at] >> 8
        found.append((NAMES[number], words[at + 1 : at + 1 + length]))
        at += 1 + length
    return found


def test_constants_stand_behind_the_registers_of_their_function() -> None:
    made = laid(GROUPS, o.Let(X, o.Arithmetic("+", ONE, ONE)), o.Return(X))
    assert listed(made) == [("Arithmetic", [0, 1, 2, 2]), ("Return", [1])]
    assert made.functions == [("a.expand", 0, 2, [0], 0)]
    assert made.constants == [1]


def test_a_test_that_fails_goes_on_at_the_next_turn_of_its_loop() -> None:
    """Not at a jump that goes there."""
    body = o.If(o.Equal(X, ONE), (o.Return(ONE),))
    made = listed(laid(GROUPS, o.Each(None, X, G, (body,))))
    assert made[:4] == [
        ("RangeInit", [1, 4, 3]), ("ItemsNext", [1, 2, 0, 3, 5]), ("Equal", [2, 5, 0, 1]),
        ("Return", [5]),
    ]  # fmt: skip


def test_what_a_loop_laid_out_is_not_read_after_the_loop() -> None:
    """It may not be there: the loop was perhaps not entered."""
    cut = o.Let(Y, o.Slice(G, ZERO, P))
    code = dict(reversed(listed(laid(GROUPS, o.EachNumber(P, ZERO, ONE, (cut,)), o.Return(G)))))
    spread, whole = code["Spread"]
    assert (code["Slice"][1], code["Return"]) == (spread, [whole])


def test_a_sequence_that_is_cut_behind_tests_is_laid_out_too() -> None:
    cut = o.If(o.Equal(P, ONE), (o.Let(Y, o.Slice(G, ZERO, P)),))
    code = dict(listed(laid(GROUPS, o.EachNumber(P, ZERO, ONE, (cut,)))))
    assert code["Slice"][1] == code["Spread"][0] != code["Spread"][1]


def test_a_sequence_that_each_turn_makes_is_not_laid_out_before() -> None:
    made, cut = o.Let(X, o.Index(G, P)), o.Let(Y, o.Slice(X, ZERO, P))
    turns = o.EachNumber(P, ZERO, ONE, (made, o.If(o.Equal(P, ONE), (cut,))))
    for before in ((), (o.Let(X, G),)):
        code = dict(listed(laid(GROUPS, *before, turns)))
        assert "Spread" not in code
        assert code["Slice"][1] == code["Index"][0]


def test_a_loop_over_equal_values_once_passes_them_by_itself() -> None:
    inside = (o.Return(X),)
    once = o.If(o.FirstOfRun(P, G, X), inside)
    made = listed(laid(GROUPS, o.Each(P, X, G, (once,))))
    assert made == listed(laid(GROUPS, o.EachFree(P, X, G, (), inside)))
    assert [name for name, _ in made[:3]] == ["RangeInit", "ChoicesNext", "Return"]
    for other in (o.FirstOfRun(P, Y, X), o.FirstOfRun(o.Reg("q0"), G, X)):
        loop = o.Each(P, X, G, (once._replace(test=other),))
        more = (o.Let(Y, G), o.Let(o.Reg("q0"), ONE))
        assert "FirstOfRun" in dict(listed(laid(GROUPS, *more, loop)))


def test_a_test_without_value_that_is_asked_for_once_needs_no_register() -> None:
    holds, missing = o.Reg("h0"), (o.Count(o.MISSING, 0),)
    asked = o.If(o.IsTrue(holds, sure=True), (o.Return(ONE),))
    attempt = o.Attempt(holds, o.Equal(o.Arithmetic("//", ONE, ZERO), ONE), missing, (asked,))
    made = laid(GROUPS, attempt)
    assert [name for name, _ in listed(made)] == [
        "Arithmetic", "Equal", "Return", "Jump", "Count", "Return"
    ]  # fmt: skip
    assert made.handlers == [(0, 2, 4)]
    twice = attempt._replace(body=(asked, asked))
    assert "Truthy" in dict(listed(laid(GROUPS, twice)))


def test_a_value_that_is_put_in_last_is_put_in_on_the_way_out() -> None:
    put = o.Let(X, o.Insert(G, (ONE,)))
    made = listed(laid(GROUPS, put, o.Emit(2, ONE, o.Groups((X,)))))
    assert made[0] == ("EmitWith", [1, 11, 0, 1])
    two = o.Let(X, o.Insert(G, (ONE, ONE)))
    made = listed(laid(GROUPS, two, o.Emit(None, ONE, o.Groups((X,)))))
    assert made[:2] == [("Insert", [1, 0, 2, 2]), ("Emit", [2, 0xFFFF, 1])]


def test_masks_are_taken_apart_into_halves_of_words() -> None:
    mask, value = 0xF << 60 | 0xF << 64, 0x3 << 60 | 0x5 << 64
    made = listed(laid(SLOTS, o.If(o.Bits(mask, value), (o.Return(ONE),))))
    assert made[0] == ("Bits", [0, 2, 0, 0, 0xF << 28, 0, 0x3 << 28, 1, 0xF, 0, 0x5, 0])


def formula(test: Any, *functions: o.Function) -> tuple[Any, Laid]:
    unit = o.Unit("goal", (*functions, o.Function("goal", (), True, (o.Return(test),))))
    made = laid_out(MACHINE, SLOTS, {}, {"a": unit})
    return made.formulas["a"], made


def test_a_condition_on_bits_is_a_formula_and_no_code() -> None:
    bits = o.Bits(0xF << 60 | 0xF << 64, 0x3 << 60 | 0x5 << 64)
    words = [(0, 0xF << 60, 0x3 << 60), (1, 0xF, 0x5)]
    ones = o.Equal(o.BitCount(7), o.Const(2))
    found, made = formula(o.And((bits, o.Not(o.Or((o.Flag(False), ones))), o.HasSuccessor(()))))
    inner = ("any", [("truth", False), ("ones", ([(0, 7, 0)], 2))])
    assert found == ("all", [("bits", words), ("not", inner), ("successor", None)])
    assert made.code == b""


def test_instances_of_which_one_must_apply_are_read_through_their_function() -> None:
    yes, no = (o.Return(o.Flag(True)),), o.Return(o.Flag(False))
    body = (o.If(o.Bits(1, 1), yes), o.If(o.Bits(2, 0), yes), no)
    matches = o.Function("matches", (), True, body)
    found, made = formula(o.IsTrue(o.Invoke("matches", (), True), sure=True), matches)
    assert found == ("any", [("bits", [(0, 1, 1)]), ("bits", [(0, 2, 0)])])
    assert made.code == b""


def test_what_needs_the_machine_is_called_with_all_that_it_calls() -> None:
    inner = o.Function("inner", (), True, (o.Return(ONE),))
    less = o.Compare("<", o.Invoke("inner", (), True), o.Const(2), plain=True)
    holds = o.Function("holds", (), True, (o.ReturnOr(less, o.Flag(False)),))
    called = o.IsTrue(o.Invoke("holds", (), True), sure=True)
    machine = Machine(MACHINE.instructions | {"Compare": len(NAMES)}, {})
    unit = o.Unit("goal", (inner, holds, o.Function("goal", (), True, (o.Return(called),))))
    made = laid_out(machine, SLOTS, {}, {"a": unit})
    assert made.formulas["a"] == ("call", made.numbers["a.holds"])
    assert all(entry < 1 << 31 for _, entry, *_ in made.functions)
    assert {name for name, *_ in made.functions} == {"a.holds", "a.inner"}


def test_a_function_that_only_calls_another_is_that_one() -> None:
    inner = o.Function("inner", (), True, (o.Return(ONE),))
    made = laid(SLOTS, o.Return(o.Invoke("inner", (), True)), more=(inner,))
    assert made.numbers["a.expand"] == made.numbers["a.inner"]
    assert len(made.functions) == 1


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (o.Return(o.Negative(ONE)), "it has no instruction Neg"),
        (o.Return(o.Builtin("hash", (ONE,))), "it has no function hash"),
    ],
)
def test_what_a_core_does_not_have_is_refused_by_name(body: Any, text: str) -> None:
    with pytest.raises(Unlaid, match=text):
        laid(GROUPS, body)

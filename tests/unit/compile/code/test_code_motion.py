"""Where values are made: out of loops that do not change them, in branches that ask for them."""

from typing import Any

from rewrite.compile.code import operations as o
from rewrite.compile.code.code_motion import placed
from rewrite.compile.code.types import INT, SEQ

G, S = o.Reg("g0", SEQ), o.Reg("s0", SEQ)
X, Y, Z = o.Reg("x0"), o.Reg("y0"), o.Reg("z0", INT)
N, P, A = o.Reg("n0", INT), o.Reg("p0", INT), o.Reg("a0")
ZERO, TWO = o.Const(0), o.Const(2)
COUNT = o.Count(o.TRIED, 0)


def body(*ops: Any, given: tuple[o.Reg, ...] = (G, N, A)) -> Any:
    unit = o.Unit("expand", (o.Function("expand", given, False, ops),))
    made = placed(unit)
    return made.functions[0].body


def each(*ops: Any) -> o.Each:
    return o.Each(P, Z, G, ops)


def out(value: Any) -> o.Emit:
    return o.Emit(0, value, o.Groups((G,)))


def test_what_no_turn_changes_is_made_before_the_loop() -> None:
    doubled = o.Arithmetic("%", o.Arithmetic("*", N, TWO), o.Const(10))
    made = body(each(COUNT, o.If(o.Equal(doubled, Z), (out(TWO),))))
    first, loop = made
    assert isinstance(first, o.Let)
    assert first.value == doubled
    assert loop == each(COUNT, o.If(o.Equal(first.into, Z), (out(TWO),)))


def test_what_may_have_no_value_or_be_no_number_stays_where_it_is() -> None:
    for value in (
        o.Arithmetic("+", A, N), o.Arithmetic("%", N, N), o.Arithmetic("//", N, ZERO),
        o.Index(G, ZERO), o.Length(A), o.Index(A, ZERO), o.Arithmetic("+", N, Z),
    ):  # fmt: skip
        loop = each(COUNT, out(value))
        assert body(loop) == (loop,)


def test_a_test_around_the_loop_makes_it_sure() -> None:
    long = o.Compare(">=", o.Length(G), TWO, True)
    not_zero = o.And((o.IsKind(A, "int"), o.Not(o.Equal(A, ZERO))))
    for test, value in (
        (long, o.Index(G, o.Const(-2))),
        (not_zero, o.Arithmetic("//", N, A)),
        (o.IsKind(A, "int"), o.Arithmetic("-", A, N)),
    ):
        [only] = body(o.If(test, (each(COUNT, out(value)),)))
        assert [type(op) for op in only.body] == [o.Let, o.Each]
        loop = each(COUNT, o.If(test, (out(value),)))  # one inside does not
        assert value not in [op.value for op in body(loop) if isinstance(op, o.Let)]
    beyond = each(COUNT, out(o.Index(G, o.Const(-3))))
    assert body(o.If(long, (beyond,))) == (o.If(long, (beyond,)),)


def test_a_register_that_is_written_to_again_is_not_known_any_more() -> None:
    inner = o.Each(None, Y, G, (COUNT, out(o.Arithmetic("-", A, N))))
    whole = o.If(o.IsKind(A, "int"), (o.Let(A, o.Index(G, ZERO)), inner))
    assert body(whole) == (whole,)


def test_what_one_branch_asks_for_is_made_there() -> None:
    rest = o.Let(S, o.Without(G, (P,)))
    wanted = o.If(o.Equal(Z, N), (COUNT, o.Emit(0, TWO, o.Groups((S,)))))
    [loop] = body(each(rest, COUNT, wanted))
    assert loop.body == (COUNT, o.If(wanted.test, (COUNT, rest, wanted.body[1])))


def test_no_value_goes_into_a_loop_or_past_a_change_of_what_it_is_made_of() -> None:
    rest = o.Let(S, o.Without(G, (P,)))
    loop = o.Each(None, Y, G, (o.Emit(0, TWO, o.Groups((S,))),))
    assert body(each(rest, loop)) == (each(rest, loop),)
    changed = (o.Let(X, ZERO), o.Let(S, o.Slice(G, X, TWO)), o.Let(X, TWO))
    asked = o.If(o.Equal(Z, N), (out(S),))
    assert body(each(*changed, asked)) == (each(*changed, asked),)


def test_a_value_that_the_next_turn_reads_is_not_put_off() -> None:
    first, again = o.Let(S, o.Slice(G, ZERO, TWO)), o.Let(S, o.Slice(G, ZERO, P))
    loop = each(out(S), again, o.If(o.Equal(Z, N), (out(S),)))
    assert body(first, loop) == (first, loop)


def test_a_length_that_is_compared_with_no_number_says_nothing_of_places() -> None:
    for test in (
        o.Equal(o.Length(G), o.Const("a")), o.Compare(">=", o.Length(G), o.Const("a"), False),
    ):  # fmt: skip
        loop = each(COUNT, out(o.Index(G, ZERO)))
        assert body(o.If(test, (loop,))) == (o.If(test, (loop,)),)

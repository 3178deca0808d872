"""The engine's values and built-in functions say what terms and the definition say."""

from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.code.operations import Reg, Return
from rewrite.compile.code.python import printed
from rewrite.compile.code.write.build import Builder
from rewrite.compile.code.write.expressions import Expressions, Names
from rewrite.compile.interning import decode, encode, key_of, ordered
from rewrite.engine.generated import module
from rewrite.engine.runtime import NO_VALUE
from rewrite.language.bag import Bag
from rewrite.language.builtins import BUILTINS, SAME, Builtin
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Call, Variable
from rewrite.language.order import term_key
from rewrite.language.terms import freeze
from tests.property.strategies import terms

X, Y, Z = (Variable(name, "term") for name in "XYZ")
M, N = (Variable(name, "int") for name in "MN")
S, T = (Variable(name, "seq") for name in "ST")
U, V = (Variable(name, "str") for name in "UV")
INTS = st.one_of(st.integers(-20, 20), st.integers(-(10**30), 10**30))
DIGITS = st.lists(st.integers(-1, 11), max_size=5).map(tuple)

OPEN = ["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|"]
ALONE = ["neg", "abs", "~"]
TEXTS = st.text("aé日𝄞", max_size=5)
SEVERAL = st.lists(terms(), max_size=3)
VALUES = {"int": INTS, "str": TEXTS, "seq": DIGITS | SEVERAL.map(tuple), "bag": SEVERAL.map(Bag),
          "term": terms().map(freeze)}  # fmt: skip


@given(terms())
def test_a_value_decodes_to_the_term_it_was_made_of(term: Any) -> None:
    frozen = freeze(term)
    back = decode(encode(frozen))
    assert term_key(back) == term_key(frozen)


@given(st.lists(terms(), max_size=6))
def test_values_are_ordered_as_their_terms_are(items: list[Any]) -> None:
    frozen = [freeze(item) for item in items]
    by_terms = [term_key(term) for term in sorted(frozen, key=term_key)]
    by_values = ordered(encode(term) for term in frozen)
    assert [term_key(decode(value)) for value in by_values] == by_terms
    assert [key_of(value) for value in by_values] == sorted(key_of(v) for v in by_values)


def worth(expression: Any, bindings: dict[Variable, Any]) -> Any:
    """What the definition says: a key, or which way it has no value."""
    try:
        return term_key(evaluate(expression, bindings))
    except NoValue:
        return "no value"
    except Failed:
        return "failed"


def computed(expression: Any, bindings: dict[Variable, Any]) -> Any:
    """What the generated code says."""
    write = Builder()
    registers = tuple([Reg(f"v_{variable.name}") for variable in bindings])
    names: Names = dict(zip(bindings, registers, strict=True))
    with write.function("run", registers):
        write.add(Return(Expressions(write).value(expression, names)))
    run = module(printed(write.unit("run")), "run", lambda asked: asked, {})["run"]
    try:
        return term_key(decode(run(*[encode(value) for value in bindings.values()])))
    except NO_VALUE:
        return "no value"
    except EngineFailure:
        return "failed"


def agree(expression: Any, bindings: dict[Variable, Any]) -> None:
    wanted, found = worth(expression, bindings), computed(expression, bindings)
    note(f"in {expression!r} the engine differs from the definition")
    assert found == wanted


@given(st.sampled_from(OPEN), terms(), terms())
def test_functions_of_two_open_values_agree(op: str, left: Any, right: Any) -> None:
    kind = "bool" if op[0] in "=!<>&|" else "term"
    agree(Call(op, (X, Y), kind), {X: freeze(left), Y: freeze(right)})


@given(st.sampled_from([*BUILTINS.values()]), st.lists(terms(), min_size=3, max_size=3))
def test_built_in_functions_of_open_values_agree(row: Builtin, values: list[Any]) -> None:
    names = (X, Y, Z)[: len(row.takes)]
    bindings = dict(zip(names, map(freeze, values), strict=False))
    agree(Call(row.name, names, "bool" if row.gives == "bool" else "term"), bindings)


@given(st.sampled_from([*BUILTINS.values()]), st.data())
def test_built_in_functions_of_values_of_the_kinds_they_take_agree(
    row: Builtin, data: st.DataObject
) -> None:
    kinds = [data.draw(st.sampled_from(taken.kinds or ("term",))) for taken in row.takes]
    names = [Variable(f"V{place}", kind) for place, kind in enumerate(kinds)]
    same = kinds[0] if len({*kinds}) == 1 else "term"
    call = Call(row.name, names, same if row.gives == SAME else row.gives)
    agree(call, {name: data.draw(VALUES[name.kind]) for name in names})


@given(st.sampled_from(ALONE), terms())
def test_functions_of_one_open_value_agree(op: str, value: Any) -> None:
    agree(Call(op, (X,), "bool" if op == "~" else "term"), {X: freeze(value)})


@given(st.sampled_from(["+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!="]),
       INTS, INTS)  # fmt: skip
def test_functions_of_two_numbers_agree(op: str, left: int, right: int) -> None:
    kind = "bool" if op[0] in "=!<>" else "int"
    agree(Call(op, (M, N), kind), {M: left, N: right})


@given(INTS, st.integers(-3, 40))
def test_powers_agree(base: int, exponent: int) -> None:
    agree(Call("**", (M, N), "int"), {M: base, N: exponent})


@given(st.sampled_from([row for row in BUILTINS.values() if len(row.takes) == 2]), terms())
def test_what_would_fail_does_not_where_an_operand_has_no_value(row: Builtin, value: Any) -> None:
    kind = "bool" if row.gives == "bool" else "term"
    agree(Call(row.name, (X, M // N), kind), {X: freeze(value), M: 1, N: 0})


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=3).map(tuple))
def test_functions_of_texts_agree(left: str, right: str, several: tuple[str, ...]) -> None:
    for op, kind in (("letters", "seq"), ("reverse", "str"), ("text", "str"), ("length", "int")):
        agree(Call(op, (U,), kind), {U: left})
    for whole in (right, left + right, right + left):
        agree(Call("is_in", (U, V), "bool"), {U: left, V: whole})
        agree(Call("position", (U, V), "int"), {U: left, V: whole})
    agree(Call("text", (S,), "str"), {S: several})
    agree(Call("reverse", (S,), "seq"), {S: several})
    agree(Call("position", (U, S), "int"), {U: left, S: (*several, left)})
    agree(Call("position", (U, S), "int"), {U: left, S: several})


@given(INTS, st.integers(0, 6000))
def test_numbers_of_any_length_are_written_alike(head: int, zeros: int) -> None:
    agree(Call("text", (M,), "str"), {M: head * 10**zeros - 7})


@given(DIGITS, st.integers(-7, 7), st.integers(-7, 7))
def test_places_and_slices_agree(digits: tuple[int, ...], first: int, last: int) -> None:
    agree(Call("item", (S, M), "term"), {S: digits, M: first})
    agree(Call("slice", (S, M, N), "seq"), {S: digits, M: first, N: last})
    agree(Call("from", (S, M), "seq"), {S: digits, M: first})
    agree(Call("concat", (S, T), "seq"), {S: digits, T: digits[:2]})


@given(st.integers(0, 10**9), st.integers(0, 6000))
def test_digits_of_numbers_of_any_length_agree(head: int, zeros: int) -> None:
    agree(Call("digits", (M,), "seq"), {M: head * 10**zeros + 7})


@given(terms(), terms(), terms())
def test_choices_agree(condition: Any, then: Any, otherwise: Any) -> None:
    found = {X: freeze(condition), Y: freeze(then), Z: freeze(otherwise)}
    agree(Call("if_", (X, Y, Z), "term"), found)

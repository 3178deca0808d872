"""What Python does with patterns before the search, told where it is written."""

import functools
import linecache
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rewrite import ANY, Bag, ExpressionError, RewriteWarning, bags, ints, seqs, terms
from tests.terms import Box

M: Any
N: Any
M, N = ints("M N")
S, T = seqs("S T")
B = bags("B")
P = terms("P")
TABLE: dict[Any, int] = {0: 1, 1: 2}
NAMES = {"a", "b"}
HELD = SimpleNamespace(table=TABLE)
EMPTY = set[Any]()
SYMBOLS: dict[Any, int] = {M: 1, 2: 2}
FN = r"Look it up in a function decorated with @fn, def look_up\(key\): return "


@pytest.mark.parametrize(
    ("look", "text"),
    [
        (lambda: TABLE[M], r"^TABLE\[M\]: Python looks M up now, but its value is only known "
         rf"during the search, and no key is a pattern. {FN}TABLE\[key\], and write look_up\(M\)$"),
        (lambda: {0: 1, 1: 0}[M + 1], rf"looks M \+ 1 up .* {FN}{{0: 1, 1: 0}}\[key\], and write"),
        (lambda: TABLE[M, 1], r"TABLE\[M, 1\]: .* return TABLE\[key\], and write look_up\(\(M, 1"),
        (lambda: HELD.table[Box(M)], r"HELD.table\[Box\(M\)\]: Python looks Box\(M\) up"),
        (lambda: TABLE[Bag([M])], r"looks Bag\(\[M\]\) up"),
    ],
)  # fmt: skip
def test_a_key_that_only_the_search_knows_is_no_bare_key_error(
    look: Callable[[], Any], text: str
) -> None:
    with pytest.raises(ExpressionError, match=text) as raised:
        look()
    assert isinstance(raised.value, KeyError)  # who catches that goes on as before


COUNTED = Counter(TABLE)


@pytest.mark.parametrize(
    ("look", "found", "text"),
    [
        (lambda: Box(TABLE.get(M, 0)), Box(0),
         rf"^TABLE.get\(M, 0\): Python looks M up now, .* {FN}TABLE.get\(key, 0\), and write"),
        (lambda: M in TABLE, False, r"M in TABLE: .* Write is_in\(M, tuple\(TABLE\)\)$"),
        (lambda: M not in NAMES, True, r"M not in NAMES: .* Write is_in\(M, tuple\(NAMES\)\)$"),
        (lambda: TABLE.get(ANY), None, r"TABLE.get\(ANY\)"),
    ],
)  # fmt: skip
def test_a_look_up_that_finds_nothing_now_is_warned_of(
    look: Callable[[], Any], found: Any, text: str
) -> None:
    with pytest.warns(RewriteWarning, match=text) as told:
        assert look() == found
    assert [one.filename for one in told] == [__file__]


@functools.cache
def cell(number: Any) -> Box:
    return Box(number)


def test_a_counter_is_no_dict_that_makes_what_is_missing() -> None:
    with pytest.raises(ExpressionError, match=r"COUNTED\[M\]: Python looks M up now"):
        COUNTED[M]


@pytest.mark.parametrize(
    "look",
    [
        lambda: {M: 1, N: 2}, lambda: {M, N}, lambda: {one: one.kind for one in (M, N)},
        lambda: SYMBOLS[M], lambda: SYMBOLS.get(N), lambda: N in SYMBOLS,  # it has patterns
        lambda: {M: 1, 0: 1}[M], lambda: {}.get(M), lambda: M in EMPTY,  # what is being filled
        lambda: defaultdict(list, {1: [2]})[M], lambda: cell(M), lambda: Counter([M, N]),
        lambda: TABLE.copy().__setitem__(M, 1), lambda: hash(M), lambda: TABLE.get(3, 0),
        lambda: Box(3) in {Box(3): 1}, lambda: eval("TABLE.get(M)"),
    ],
)  # fmt: skip
def test_other_uses_as_a_key_pass_in_silence(look: Callable[[], Any]) -> None:
    cell(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        look()


@pytest.mark.parametrize(("file", "told"), [("/x/site-packages/y.py", 0), ("/x/puzzle/y.py", 1)])
def test_libraries_may_keep_what_they_are_given(file: str, told: int) -> None:
    lines = ["def look(key):\n", "    return key in TABLE\n"]
    names: dict[str, Any] = {"TABLE": TABLE}
    exec(compile("".join(lines), file, "exec"), names)
    linecache.cache[file] = (1, None, lines, file)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert names["look"](M) is False
    assert len(caught) == told


def test_what_is_put_into_a_dict_is_not_looked_up() -> None:
    mixed: dict[Any, int] = {1: 1}
    mixed[M] = 2
    assert mixed[M] == 2
    del mixed[M]
    assert mixed == {1: 1}


def unpack(given: Any) -> None:
    _first, _second = given


def unpack_rest(given: Any) -> None:
    _first, *_rest = given


@pytest.mark.parametrize("take_apart", [unpack, unpack_rest])
@pytest.mark.parametrize(
    ("given", "text"),
    [
        (S, r"^S cannot be taken apart by Python: it is only known during the search. Match its "
            r"elements, let=\{\(X, \*T\): S\}, or write S\[0\]$"),
        (P, r"let=\{\(X, \*T\): P\}"),
        (B, r"Match its elements, let=\{Bag\(\[X, \*R\]\): B\}$"),
        (M, "M is of kind int"),
    ],
)  # fmt: skip
def test_a_sequence_that_only_the_search_knows_is_not_unpacked(
    take_apart: Callable[[Any], None], given: Any, text: str
) -> None:
    with pytest.raises(ExpressionError, match=text):
        take_apart(given)


def test_a_key_of_several_parts_is_looked_up_with_one_warning() -> None:
    cells = {(0, 1), (2, 1)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        assert (M + 1, N) not in cells
    assert ["looks (M + 1, N) up now" in str(one.message) for one in caught] == [True]


@pytest.mark.parametrize(
    "call",
    [
        lambda: sorted(S),
        lambda: tuple(zip(S, (1, 2), strict=False)),
        lambda: [*enumerate(S)],
        lambda: max(S),
        lambda: any(one == 1 for one in S),
        lambda: [Box(one) for one in S],
    ],
)
def test_what_goes_through_the_elements_before_the_search_is_refused(
    call: Callable[[], Any],
) -> None:
    for _ in range(10):  # Python replaces instructions that run often
        with pytest.raises(ExpressionError, match=r"^\*S stands for elements .*, or a function w"):
            call()
    with pytest.raises(ExpressionError, match=r"reversed\(S\): Python needs the elements now. Wr"):
        reversed(S)


def test_splices_are_still_written_with_a_star() -> None:
    assert repr((*S, 1, *T)) == "(*S, 1, *T)"
    assert repr((tuple(S), [*B, *list(B)])) == "((*S,), [*B, *B])"
    assert repr([*B, *list(B)]) == "[*B, *B]"

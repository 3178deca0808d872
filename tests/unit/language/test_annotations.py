"""Which annotations of fields are checked, and which values they admit."""

import typing
from typing import Any, Literal, NewType, Optional, Union

import pytest

from rewrite import (
    Bag,
    Puzzle,
    TermError,
    contains,
    fn,
    ints,
    lowest,
    rule,
    search,
    seqs,
    strs,
    term,
    terms,
)
from rewrite.language.annotations import admitted

Cell = int
Number = NewType("Number", int)


@term
class Box:
    at: int


@term
class Tree:
    value: "int | str"
    left: "Tree | tuple[()]" = ()


@term
class Shelf:
    cell: Cell
    number: Number
    side: Literal["left", "right"]
    names: list[str]
    pair: tuple[int, ...]
    old: Optional[int]  # noqa: UP045 (the old way to write it is what is tested)
    either: Union[str, Box]  # noqa: UP007
    missing: "NoSuchName"  # type: ignore[name-defined]  # noqa: F821
    all_kinds: Any


M = ints("M")
w = strs("w")
S = seqs("S")
X = terms("X")


@fn
def half(n: int) -> int:
    return n // 2


GOOD: dict[str, Any] = {
    "cell": 1, "number": 1, "side": "left", "names": ["a"], "pair": (1, 2), "old": 3, "either": "a",
    "missing": 1, "all_kinds": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("cell", [3, M, M + 1, X, half(M), S[0], lowest(M, M)]), ("number", [3, "a", True, (1,)]),
        ("side", ["left", "top", 3]), ("names", [["a"], Bag([1]), []]), ("pair", [(), S, ("a",)]),
        ("old", [3]), ("either", ["a", Box(1), terms("Q", Box), w]), ("missing", [1, "a", ()]),
        ("all_kinds", [1, "a", (), [], Box(1)]),
    ],
)  # fmt: skip
def test_what_fits_is_taken(field: str, values: list[Any]) -> None:
    for value in values:
        assert Shelf(**(GOOD | {field: value}))


@pytest.mark.parametrize(
    ("field", "values", "declared"),
    [
        ("cell", ["a", True, w, M > 1, (1,), [1], Box(1), S], "cell: int"),
        ("names", [(1,), 3, "a"], r"names: list\[str\]"),
        ("pair", [[1], 3], r"pair: tuple\[int, ...\]"),
        ("old", ["a", True], r"old: .*Optional\[int\]|old: .*int . None"),
        ("either", [3, Tree(1), terms("Q", Tree), M], "either: "),
    ],
)
def test_what_does_not_fit_is_told_with_the_declaration(
    field: str, values: list[Any], declared: str
) -> None:
    for value in values:
        with pytest.raises(TermError, match=declared) as caught:
            Shelf(**(GOOD | {field: value}))
        assert caught.value.field == field


def test_a_class_may_name_itself_and_defaults_are_checked_like_other_values() -> None:
    assert Tree("a", Tree(1)).left == Tree(1)
    with pytest.raises(TermError, match="left: Tree"):
        Tree(1, Box(1))  # type: ignore[arg-type]


def test_what_stands_in_a_function_is_not_found_by_name_and_not_mistaken() -> None:
    @term
    class Box:  # another one than that of the module
        at: str

    @term
    class Lid:
        of: "Box"

    assert Lid(Box("here")).of.at == "here"
    with pytest.raises(TermError, match="at: str"):
        Box(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("annotation", "kinds"),
    [
        (int, {"int"}), ("int", {"int"}), (int | str, {"int", "str"}), ("str|int", {"int", "str"}),
        ("typing.Optional[int]", {"int"}), ("'int'", {"int"}), (typing.List[int], {"bag"}),  # noqa: UP006
        ("tuple[int, str]", {"seq"}), ("Bag", {"bag"}), (Bag, {"bag"}), ("None", set()),
        ("Box", {Box.term_identity()}), (Box | int, {Box.term_identity(), "int"}),  # type: ignore[attr-defined]
        (float, None), ("Any", None), ("int | Any", None), ("int if x else str", None),
        ("not python (", None), ("dict[str, int]", None), ("puzzle.Box", None),
    ],
)  # fmt: skip
def test_annotations_as_texts_and_as_types(annotation: Any, kinds: set[Any] | None) -> None:
    assert admitted(Shelf, annotation) == kinds


def test_what_the_search_makes_is_not_checked() -> None:
    puzzle = Puzzle(rule("wrap", take=[X], put=[Box(X)]), start=["a"])
    result = search(puzzle, None, contains(Box(X)))
    assert repr(result.path.end) == "State([Box('a')])"  # type: ignore[union-attr]

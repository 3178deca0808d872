"""Random modules of Maude: their searches give what they give in Maude itself."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st

pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")

from rewrite import maude_module
from rewrite.errors import ReadError
from tests.engines import quiet
from tests.property.strategies import Draw, chance
from tests.property.strategies import choice as any_of
from tests.real_modules import check

pytestmark = quiet
TITLES = count(1)
CONSTANTS = ["a", "b", "c"]

HEAD = """
sorts Col Elt Soup List State .
subsort Elt < Soup .
subsort Col < List .
ops a b c : -> Col [ctor] .
op nil : -> List [ctor] .
op __ : List List -> List [ctor assoc id: nil] .
op at : Col Nat -> Elt [ctor] .
op box : Nat List -> Elt [ctor] .
op pair : Col Col -> Elt [ctor comm] .
op in : Elt Col -> Elt [ctor] .
op next : Col -> Col .
eq next(a) = b . eq next(b) = c . eq next(c) = a .
op size : List -> Nat .
eq size(nil) = 0 . eq size(X L) = s size(L) .
op turned : List -> List .
eq turned(nil) = nil . eq turned(X L) = turned(L) X .
op has : Col List -> Bool .
eq has(X, L X K) = true . eq has(X, L) = false [owise] .
vars X Y Z : Col . vars N M : Nat . vars L K : List . vars E F : Elt . vars R : Soup .
"""


def choice(draw: Draw, options: Sequence[str]) -> str:
    found: str = any_of(draw, options)
    return found


def color(draw: Draw, known: list[str]) -> str:
    """A color, of variables that are known."""
    one = choice(draw, known if known and chance(draw, 70) else CONSTANTS)
    return f"next({one})" if chance(draw, 25) else one


def number(draw: Draw, known: dict[str, list[str]]) -> str:
    """A number that does not grow without end: there are depths."""
    options = [*known["Nat"], "0", "1", "2"]
    made = choice(draw, options)
    if chance(draw, 35):
        other = choice(draw, options)
        sums = [f"sd({made}, {other})", f"({made} + {other}) rem 4", f"min({made}, {other})"]
        made = choice(draw, sums)
    if known["List"] and chance(draw, 15):
        made = f"size({choice(draw, known['List'])})"
    return made


def many(draw: Draw, known: dict[str, list[str]]) -> str:
    """A list."""
    parts = [color(draw, known["Col"]) for _ in range(draw(st.integers(0, 2)))]
    if known["List"]:
        one = choice(draw, known["List"])
        one = f"turned({one})" if chance(draw, 20) else one
        parts.insert(draw(st.integers(0, len(parts))), one)
    return " ".join(parts) or "nil"


def element(draw: Draw, known: dict[str, list[str]]) -> str:
    """An element for a right side."""
    options = [
        lambda: f"at({color(draw, known['Col'])}, {number(draw, known)})",
        lambda: f"box({number(draw, known)}, {many(draw, known)})",
        lambda: f"pair({color(draw, known['Col'])}, {color(draw, known['Col'])})",
    ]
    if known["Elt"]:
        options.append(lambda: choice(draw, known["Elt"]))
        options.append(lambda: f"in({choice(draw, known['Elt'])}, {color(draw, known['Col'])})")
    return str(any_of(draw, options)())


def pattern(draw: Draw, known: dict[str, list[str]]) -> str:
    """An element for a left side; its variables are known then."""

    def one(sort: str, *others: str) -> str:
        name = choice(draw, {"Col": ["X", "Y", "Z"], "Nat": ["N", "M"], "Elt": ["E", "F"]}[sort])
        if others and chance(draw, 25):
            return choice(draw, others)
        known[sort].append(name)
        return name

    def some() -> str:
        parts = [one("Col", *CONSTANTS) for _ in range(draw(st.integers(0, 2)))]
        if chance(draw, 70):
            name = choice(draw, ["L", "K"])
            known["List"].append(name)
            parts.insert(draw(st.integers(0, len(parts))), name)
        return " ".join(parts) or "nil"

    def amount() -> str:
        if chance(draw, 25):
            return "s " + one("Nat")
        return one("Nat", "0", "1")

    found: str = any_of(draw, [
        lambda: f"at({one('Col', 'a')}, {amount()})", lambda: f"box({amount()}, {some()})",
        lambda: f"pair({one('Col', 'b')}, {one('Col')})", lambda: one("Elt"),
        lambda: f"in({one('Elt')}, {one('Col')})",
    ])()  # fmt: skip
    return found


def condition(draw: Draw, known: dict[str, list[str]]) -> str:
    colors, lists = known["Col"], known["List"]
    options = [lambda: f"{number(draw, known)} < {number(draw, known)}"]
    options.append(lambda: f"{color(draw, colors)} =/= {color(draw, colors)}")
    equal = f"{color(draw, colors)} == {color(draw, colors)}"
    options.append(lambda: f"not ({equal} or {number(draw, known)} > 1)")
    if lists:
        options.append(lambda: f"has({color(draw, colors)}, {choice(draw, lists)})")
        options.append(lambda: f"size({many(draw, known)}) <= 3")
        options.append(lambda: f"{many(draw, known)} == {many(draw, known)}")
    return str(any_of(draw, options)())


@st.composite
def rules(draw: Draw, soup: str, empty: bool) -> str:
    """A rule at the top, for a part of a soup, for a list, or for a color anywhere."""
    known: dict[str, list[str]] = {"Col": [], "Nat": [], "Elt": [], "List": []}
    kind = choice(draw, ["soup", "soup", "soup", "whole", "list", "color"])
    if kind in ("list", "color"):
        names = ["X", "Y"] if kind == "list" else ["X"]
        known["Col"] += names
        left, right = " ".join(names), " ".join([color(draw, names) for _ in names])
    else:
        between = f" {soup} "
        left = between.join([pattern(draw, known) for _ in range(draw(st.integers(1, 2)))])
        made = [element(draw, known) for _ in range(draw(st.integers(0 if empty else 1, 2)))]
        if kind == "whole":
            left, right = f"{{ {left} {soup} R }}", f"{{ {between.join([*made, 'R'])} }}"
        else:
            right = between.join(made) or "none"
            if chance(draw, 15):
                right = f"if {condition(draw, known)} then {right} else {left} fi"
    conditions = [condition(draw, known) for _ in range(draw(st.integers(0, 1)))]
    if kind in ("soup", "whole") and chance(draw, 15):
        conditions.append(f"Z := {color(draw, known['Col'])}")
    when = " if " + " /\\ ".join(conditions) if conditions else ""
    return f"{'crl' if when else 'rl'} {left} => {right}{when} ."


@st.composite
def modules(draw: Draw) -> str:
    """A module with a search."""
    soup, empty = choice(draw, [";", "&", ","]), chance(draw, 70)
    identity = "id: none" if empty else ""
    lines = [HEAD, "op none : -> Soup [ctor] ." if empty else ""]
    lines += [
        f"op _{soup}_ : Soup Soup -> Soup [ctor assoc comm {identity} prec 60] .",
        "op {_} : Soup -> State [ctor] .",
    ]
    if empty and chance(draw, 20):
        lines.append(f"eq at(X, N) {soup} at(X, N) = at(X, N) .")
    lines += draw(st.lists(rules(soup, empty), min_size=1, max_size=3))
    nothing: dict[str, list[str]] = {"Col": [], "Nat": [], "Elt": [], "List": []}
    start = f" {soup} ".join([element(draw, nothing) for _ in range(draw(st.integers(1, 4)))])
    known: dict[str, list[str]] = {"Col": [], "Nat": [], "Elt": [], "List": []}
    goal = pattern(draw, known)
    if empty and chance(draw, 60):
        goal += f" {soup} R"
    such = f" such that {condition(draw, known)}" if chance(draw, 40) else ""
    bounds = choice(draw, ["[, 3]", "[, 2]", "[1, 3]"])
    search = f"search {bounds} {{ {start} }} =>{choice(draw, [*'*+1!'])} {{ {goal} }}{such} ."
    name = f"RANDOM-{next(TITLES)}"
    return "\n".join([f"mod {name} is", "pr NAT .", *lines, "endm", search])


@given(modules())
def test_a_random_module_gives_what_it_gives_in_maude(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    note(text)
    file: Path = tmp_path_factory.mktemp("maude") / "random.maude"
    file.write_text(text)
    try:
        known = maude_module(file)
        known.asked(1)
    except ReadError as error:
        event(f"refused: {' '.join(error.message.split()[-6:])}")
        assume("has no value" not in error.message)
        assume("may put several elements where one stands" not in error.message)
        raise
    states = check(known, 1, depth=3)
    event("no step" if states == 1 else "steps")

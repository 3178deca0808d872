"""Mistakes that Python lets pass: each must be told, with the way out, and never as something else.

Every entry is a small thing that people write through the public API. What must happen is an error
of the project, or a RewriteWarning; a "no solution" that nobody doubts is the worst that could.
"""

# mypy: ignore-errors
# ruff: noqa: B905, C408, C416, RUF005, SIM300, UP031

from __future__ import annotations

import functools
import math
import operator
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rewrite import (
    ANY,
    Bag,
    Puzzle,
    RewriteError,
    RewriteWarning,
    State,
    bags,
    between,
    bools,
    chain,
    check_symmetry,
    compare,
    contains,
    count,
    digits,
    distances,
    exactly,
    explain,
    explore,
    fn,
    frames,
    grid,
    highest,
    if_,
    interchangeable,
    ints,
    is_in,
    lacks,
    least,
    length,
    lowest,
    moves,
    number,
    one_of,
    pegs,
    relabel,
    replay,
    ring,
    rule,
    scramble,
    search,
    seqs,
    solutions,
    strs,
    term,
    terminal,
    terms,
    to_maude,
    total,
    upper,
)


@term
class Box:
    at: int


@term
class Man:
    name: str
    at: int


@term
class Chain:
    links: tuple


@term
class Belt:
    at: int
    links: tuple


@term
class Sack:
    inside: list


@term
class Either:
    value: int | str


@term
class Lid:
    of: Box


M, N, P = ints("M N P")
w = strs("w")
b = bools("b")
S, T = seqs("S T")
B = bags("B")
X = terms("X")
Q = terms("Q", Box)


@fn
def half(n: int) -> int:
    return n // 2


def larger(n: int) -> int:
    return 1 if n > 3 else 2


def listed(n: int) -> list[int]:
    return [n]


def mean(n: int) -> float:
    return n / 2


def unpacked(values: Any) -> Any:
    first, _rest = values
    return first


ROOMS = ["hall", "attic"]
TABLE = {0: 1}


@fn
def nothing(n: int) -> bool:
    n > 3  # forgets to return


@fn
def remainder(n: int) -> int:
    return n % 2


def good(state: State) -> bool:
    return 3 in state


def forgets(state: State) -> bool:
    3 in state  # forgets to return


def how_many(state: State) -> int:
    return state.count(3)


def nowhere(state: State) -> None:
    return None


def step() -> Any:
    return rule("step", take=[Box(M)], put=[Box(M + 1)], when=M < 5)


def walk(**parts: Any) -> Puzzle:
    """A box that goes from 0 to 5."""
    return Puzzle(step(), **({"start": [Box(0)]} | parts))


def ask(goal: Any, **options: Any) -> Any:
    return search(walk(), None, goal, **options)


def ask_python(goal: Any) -> Any:
    return search(walk(), None, goal, engine="python")


def conditional(given: Any) -> Any:
    return rule("x", take=[Box(M), Box(N)], when=given)


def twice(take: Any) -> Any:
    return rule("x", take=take, put=[1])


MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    # -- conditions that Python has decided ------------------------------------------------
    "goal: a term equal to a number": (lambda: ask(Box(3) == 3), "already False"),
    "goal: two ground terms": (lambda: ask(Box(3) == Box(4)), "already False"),
    "goal: patterns compared": (lambda: ask(Box(M) == Box(3)), "nothing binds"),
    "goal: True": (lambda: ask(True), "already True"),
    "goal: in a state": (lambda: ask(Box(3) in State([Box(0)])), "already False"),
    "goal: in a list": (lambda: ask(Box(3) in [Box(0)]), "already False"),
    "goal: identity": (lambda: ask(M is N), "already False"),
    "goal: a list with False": (lambda: ask([contains(Box(3)), Box(M) is None]), "already False"),
    "goal of a puzzle: False": (lambda: walk(goal=Box(3) == 4), "already False"),
    "never: patterns compared": (lambda: walk(never=Box(M) == Box(2)), "nothing binds"),
    "never: ground terms compared": (lambda: walk(never=Box(2) == 2), "already False"),
    "never: in a tuple": (lambda: walk(never=M in (M, 1)), "already True"),
    "when: in a tuple": (lambda: conditional(M in (M, 1)), "is_in"),
    "when: not in a tuple": (lambda: conditional(M not in (M, 1)), "already False"),
    "when: True": (lambda: conditional(True), "already True"),
    "when: False in a list": (lambda: conditional([M > 3, False]), "already False"),
    "when: is": (lambda: conditional(M is N), "already False"),
    "when: joined with False": (lambda: conditional((M > 3) & (M is N)), "already False"),
    "when: joined with True": (lambda: conditional((M in (M, 1)) | (M > 3)), "already True"),
    "when: negated": (lambda: conditional(M is not N), "already True"),
    "when: isinstance": (lambda: conditional(isinstance(M, int)), "already False"),
    "when: bool()": (lambda: conditional(bool(M > 3)), "only known during the search"),
    "when: less than, of patterns": (lambda: conditional(Box(M) < Box(N)), "compare their values"),
    "when: at most, of patterns": (lambda: conditional(Box(M) <= Box(N)), "compare their values"),
    "when: sequences compared": (lambda: conditional((M, 1) < (N, 2)), "only known"),
    "when: sequences equal": (lambda: conditional((M, 1) == (N, 2)), "only known"),
    "when: any": (lambda: conditional(any(S)), "only known"),
    "when: all": (lambda: conditional(all(S)), "only known"),
    "when: a comparison of methods": (lambda: conditional(contains == lacks), "already False"),
    "contains: when=False": (lambda: contains(Box(M), when=M is N), "already False"),
    "count: when=True": (lambda: count(Box(M), when=True), "already True"),
    "absent: a decided condition": (
        lambda: rule("x", take=[Box(M)], absent=[Box(3) == 3]), "already False"),
    "absent: patterns compared": (
        lambda: rule("x", take=[Box(M)], absent=[Box(M) == Box(3)]), "conditions stand in when="),
    "simplify: a decided condition": (lambda: walk(simplify=step() == step()), "already True"),
    "symmetry: a decided condition": (lambda: walk(symmetry=Box(3) == 3), "already False"),
    "if_: a decided condition": (lambda: if_(M is N, 1, 2), "already False"),
    "contains: a condition as pattern": (lambda: ask(contains(Box(M), M > 3)), "when="),
    "lacks: a condition as pattern": (lambda: ask(lacks(Box(M), M > 3)), "when="),
    "count: a condition as pattern": (lambda: count(Box(M), M > 3), "when="),
    "chained comparison": (lambda: conditional(0 < M < 5), "write (0 < M) & (M < 5)"),
    "and": (lambda: conditional(M > 3 and N > 3), "write (M > 3) & (N > 3)"),
    "or of conditions": (lambda: ask(contains(1) or contains(2)), "a | b"),
    "max": (lambda: max(M, N), "write greatest(M, N)"),
    "index of a list": (lambda: ROOMS.index(w), "position(w, tuple(ROOMS))"),
    "a plain function that decides": (lambda: larger(M), "decorate it with @fn"),
    "unpacking": (lambda: unpacked(S), "let={(X, *T): S}"),
    "a dict asked with get": (lambda: Box(TABLE.get(M, 0)), "return TABLE.get(key, 0)"),
    "a dict asked for a key": (lambda: Box(TABLE[M]), "return TABLE[key]"),
    "in a dict": (lambda: Box(1 if M in TABLE else 2), "is_in(M, tuple(TABLE))"),
    "@fn that returns a list": (lambda: fn(listed), "Return a tuple"),
    "@fn that returns a float": (lambda: fn(mean), "not exact"),
    "take and put swapped": (
        lambda: search(Puzzle(rule("n", ["right"], ["left"])), ["left"], lacks("left")),
        "Are they swapped?"),
    "a number for a truth value, in a sequence": (
        lambda: search(Puzzle(rule("off", take=[("lamp", 1)])), [("lamp", True)], lacks("lamp")),
        "where 1 stands there is a truth value"),
    "another name of a field": (lambda: Box(att=1), "did you mean at"),
    # -- user functions that return nothing, or something else -----------------------------
    "goal: function forgets to return": (lambda: ask(forgets), "forgets returned None"),
    "goal: the same, in Python": (lambda: ask_python(forgets), "forgets returned None"),
    "goal: function returns a number": (lambda: ask(how_many), "how_many returned 0"),
    "never: function forgets to return": (
        lambda: search(walk(never=forgets), None, contains(Box(3))), "forgets returned None"),
    "when: function forgets to return": (
        lambda: search(Puzzle(rule("x", take=[1], put=[2], when=forgets)), [1], contains(2)),
        "forgets returned None"),
    "moves: function forgets to return": (
        lambda: moves(Puzzle(rule("x", take=[1], put=[2], when=forgets)), [1]),
        "forgets returned None"),
    "explore: function forgets to return": (
        lambda: explore(walk(never=forgets)), "forgets returned None"),
    "goal: function takes no state": (lambda: ask(lambda: True), "one argument, the State"),
    "goal: function takes two": (lambda: ask(lambda a, b: True), "one argument, the State"),
    "goal: a class": (lambda: ask(Box), "Box(at)"),
    "goal: a type": (lambda: ask(int), "not a condition"),
    "goal: a function that fails": (lambda: ask(lambda state: state.nothing), "AttributeError"),
    "@fn forgets to return in when": (
        lambda: search(Puzzle(rule("x", take=[M], put=[M + 1], when=nothing(M))), [1], contains(3)),
        "nothing returned None"),
    "@fn forgets to return in put": (
        lambda: search(Puzzle(rule("x", take=[M], put=[nothing(M)])), [1], contains(3)),
        "nothing returned None"),
    "@fn gives a number as a condition": (
        lambda: search(
            Puzzle(rule("x", take=[M], put=[M + 1], when=remainder(M))), [1], contains(3)),
        "remainder(M)"),
    "heuristic forgets to return": (
        lambda: ask(contains(Box(3)), heuristic=nowhere), "nowhere returned None"),
    "heuristic returns a condition": (
        lambda: ask(contains(Box(3)), heuristic=good), "good returned False"),
    "heuristic forgets, in Python": (
        lambda: ask(contains(Box(3)), heuristic=nowhere, engine="python"), "nowhere returned None"),
    "heuristic is a condition": (
        lambda: ask(contains(Box(3)), heuristic=contains(Box(3))), "heuristic="),
    "heuristic is a comparison": (
        lambda: ask(contains(Box(3)), heuristic=count(Box(3)) == 1), "kind bool"),
    "heuristic: an @fn function, uncalled": (
        lambda: ask(contains(Box(3)), heuristic=half), "half"),
    "minimize: a condition": (lambda: search(walk(), minimize=contains(Box(3))), "minimize="),
    "minimize: a function": (lambda: search(walk(), minimize=how_many), "minimize="),
    "cost: a function": (lambda: rule("x", take=[M], cost=how_many), "how_many"),
    "cost: a comparison": (lambda: rule("x", take=[M], cost=M > 3), "whole number"),
    "cost: @fn gives None": (
        lambda: search(Puzzle(rule("x", take=[M], put=[M + 1], cost=nothing(M))), [1], contains(3)),
        "nothing returned None"),
    "cost: True": (lambda: rule("x", take=[M], cost=True), "whole number"),
    "show forgets to return": (
        lambda: search(walk(show=nowhere), None, contains(Box(1))).path.show(),
        "nowhere returned None"),
    "show forgets to return, frames": (
        lambda: frames(search(walk(show=nowhere), None, contains(Box(1))).path),
        "nowhere returned None"),
    "show fails": (
        lambda: search(walk(show=lambda state: state.nothing), None, contains(Box(1))).path.show(),
        "AttributeError"),
    "show: a variable": (lambda: walk(show=M), "view"),
    "show: takes no state": (lambda: walk(show=lambda: ""), "one argument, the State"),
    "show: a list of lines": (
        lambda: search(walk(show=lambda state: ["a"]), None, contains(Box(1))).path.show(),
        "returned ['a']"),
    # -- names that nothing makes ----------------------------------------------------------
    "goal: a constructor that nothing makes": (lambda: ask(contains(Man("a", 3))), "nothing makes"),
    "goal: a bare number": (lambda: ask(contains(3)), "nothing makes 3"),
    "goal: two arguments for one term": (lambda: ask(contains("Box", 3)), "nothing makes 'Box'"),
    "goal: lacks what nothing makes": (lambda: ask(lacks(Man(ANY, 3))), "nothing makes"),
    "goal: counts what nothing makes": (lambda: ask(count(Man(ANY, ANY)) == 1), "nothing makes"),
    "goal: a state of what nothing makes": (lambda: ask(State([Man("a", 1)])), "nothing makes"),
    "goal: exactly what nothing makes": (lambda: ask(exactly(Man("a", 1))), "nothing makes"),
    "never: a constructor that nothing makes": (
        lambda: search(walk(never=contains(Man(ANY, 3))), None, contains(Box(3))), "nothing makes"),
    "absent: a constructor that nothing makes": (
        lambda: search(
            Puzzle(rule("x", take=[Box(M)], put=[Box(M + 1)], absent=[Man(ANY, M)])),
            [Box(0)], contains(Box(3))),
        "nothing makes"),
    "when: counts what nothing makes": (
        lambda: search(
            Puzzle(rule("x", take=[Box(M)], put=[Box(M + 1)], when=count(Man(ANY, M)) == 0)),
            [Box(0)], contains(Box(3))),
        "nothing makes"),
    "heuristic: counts what nothing makes": (
        lambda: ask(contains(Box(3)), heuristic=count(Man(ANY, ANY))), "nothing makes"),
    "minimize: what nothing makes": (
        lambda: search(walk(), minimize=lowest(M, Man(ANY, M))), "nothing makes"),
    "goal: a misspelled text": (
        lambda: search(
            Puzzle(rule("cross", take=[Man("a", 1)], put=[Man("b", 1)])),
            [Man("a", 1)], contains(Man("B", 1))),
        "nothing makes Man('B', 1)"),
    "goal: a misspelled word": (
        lambda: search(Puzzle(rule("x", take=["left"], put=["right"])), ["left"],
                       contains("rihgt")),
        "did you mean 'right'"),
    "never: a misspelled text": (
        lambda: search(
            Puzzle(rule("x", take=["left"], put=["right"]), never=contains("rigth")),
            ["left"], contains("right")),
        "nothing makes 'rigth'"),
    "take: a constructor that nothing makes": (
        lambda: search(
            Puzzle(step(), rule("y", take=[Man(w, M)])), [Box(0)], contains(Box(3))),
        "can never fire"),
    # -- values that a field does not allow ------------------------------------------------
    "a text for a number": (lambda: Box("1"), "at: int"),
    "a truth value for a number": (lambda: Box(True), "at: int"),
    "a number for a text": (lambda: Man(1, 1), "name: str"),
    "swapped arguments": (lambda: Man(3, "ann"), "name: str"),
    "a text variable for a number": (lambda: Box(w), "at: int"),
    "a condition for a number": (lambda: Box(M > 3), "at: int"),
    "a sequence for a number": (lambda: Box((1, 2)), "at: int"),
    "a term for a number": (lambda: Box(Box(1)), "at: int"),
    "a nested bag for a sequence": (lambda: Belt(1, [1, 2]), "links: tuple"),
    "a sequence for a nested bag": (lambda: Sack((1, 2)), "inside: list"),
    "a truth value in a union": (lambda: Either(True), "value: int | str"),
    "another constructor": (lambda: Lid(Man("a", 1)), "of: Box"),
    "a number for a constructor": (lambda: Lid(3), "of: Box"),
    "a float": (lambda: Box(1.0), "not exact"),
    "None": (lambda: Box(None), "None is not a term"),
    "too few values": (lambda: Man("a"), "takes 2 values"),
    # -- text where a variable was meant ---------------------------------------------------
    "put: an f-string": (lambda: rule("x", take=[Box(M)], put=[f"n{M}"]), "text(M)"),
    "put: an f-string in a term": (
        lambda: rule("x", take=[Box(M)], put=[Man(f"n{M}", 1)]), "text(M)"),
    "put: an f-string that computes": (
        lambda: rule("x", take=[Box(M)], put=[("cell", f"{M + 1}")]), "M + 1"),
    "take: an f-string": (lambda: rule("x", take=[f"n{M}", Box(M)]), "text(M)"),
    "when: an f-string": (
        lambda: rule("x", take=[Box(M), w], when=w == f"n{M}"), "text(M)"),
    "absent: an f-string": (lambda: rule("x", take=[Box(M)], absent=[f"n{M}"]), "text(M)"),
    "goal: an f-string": (
        lambda: search(walk(), None, contains(f"n{M}")), "text(M)"),
    "let: an f-string": (
        lambda: rule("x", take=[Box(M)], let={w: f"n{M}"}, put=[w]), "text(M)"),
    "put: str(M)": (lambda: rule("x", take=[Box(M)], put=[str(M)]), "text(M)"),
    "put: %s": (lambda: rule("x", take=[Box(M)], put=["%s" % M]), "text(M)"),
    "let: a name as text": (lambda: rule("x", take=[M], let={"N": M + 1}, put=[1]), "let="),
    "let: a name, used": (lambda: rule("x", take=[M], let={"N": M + 1}, put=[N]), "let="),
    "let: keywords": (lambda: rule("x", take=[M], let=dict(N=M + 1), put=[1]), "let="),
    "let: a list of pairs": (lambda: rule("x", take=[M], let=[(N, M + 1)], put=[N]), "dict"),
    "one name, two kinds": (lambda: rule("x", take=[M, strs("M")]), "kind"),
    "one name, two kinds, in put": (lambda: rule("x", take=[M], put=[strs("M")]), "kind"),
    "one name, two kinds, in a goal": (lambda: ask(contains(M, strs("M"))), "two variables"),
    "a name twice": (lambda: ints("M M"), "twice"),
    "a name twice in a range": (lambda: ints("d0:3 d1"), "twice"),
    "an empty range": (lambda: ints("d3:3"), "names no variable"),
    "names as a list": (lambda: ints(["M", "N"]), "from a text"),
    "no name": (lambda: ints(""), "names no variable"),
    # -- collections -----------------------------------------------------------------------
    "take: a dict": (lambda: twice({M: 2}), "list"),
    "take: a set": (lambda: twice({M, N}), "duplicates"),
    "take: a generator": (lambda: twice(Box(i) for i in range(3)), "give a list"),
    "take: map": (lambda: twice(map(Box, range(3))), "give a list"),
    "take: dict values": (lambda: twice({}.keys()), "list"),
    "take: Counter of nothing whole": (lambda: twice(Counter({Box(1): "2"})), "whole number"),
    "take: a term": (lambda: twice(Box(M)), "must be a list"),
    "take: a text": (lambda: twice("left"), "must be a list"),
    "take: a tuple": (lambda: twice((M, N)), "one sequence"),
    "take: a list in a list": (lambda: search(
        Puzzle(twice([[Box(M), Box(N)]])), [Box(1), Box(2)], contains(1)), "can never fire"),
    "when: a generator": (lambda: conditional(M != i for i in range(3)), "give a list"),
    "when: a set": (lambda: conditional({M > 3}), "use a list"),
    "absent: a generator": (
        lambda: rule("x", take=[1], absent=(Box(i) for i in range(3))), "give a list"),
    "absent: a set": (lambda: rule("x", take=[1], absent={Box(1)}), "use a list"),
    "rules: a generator": (lambda: Puzzle(step() for _ in range(2)), "give a list"),
    "rules: a set": (lambda: Puzzle({step()}), "use a list"),
    "rules: a dict": (lambda: Puzzle({"a": step()}), "use a list"),
    "rules: None": (lambda: Puzzle(None), "is not a rule"),
    "rules: a function": (lambda: Puzzle(step), "is not a rule"),
    "simplify: a generator": (lambda: walk(simplify=(step() for _ in range(2))), "give a list"),
    "never: a generator": (
        lambda: walk(never=(contains(Box(i)) for i in range(2))), "give a list"),
    "never: a set": (lambda: walk(never={contains(Box(1))}), "use a list"),
    "never: a state": (lambda: walk(never=[Box(3)]), "contains(Box(3))"),
    "never: a number": (lambda: walk(never=3), "contains(3)"),
    "symmetry: a generator": (
        lambda: walk(symmetry=(relabel(Box(M), Box(-M)) for _ in range(2))), "give a list"),
    "facts: a generator": (lambda: walk(facts=(Box(i) for i in range(2))), "give a list"),
    "facts: a set": (lambda: walk(facts={Box(1)}), "list"),
    "facts: a dict": (lambda: walk(facts={"a": 1}), "list"),
    "start: a generator": (lambda: walk(start=(Box(i) for i in range(2))), "give a list"),
    "start: zip": (lambda: State(zip("ab", (1, 2))), "give a list"),
    "start: a text": (lambda: walk(start="left"), "write ['left']"),
    "start: a term": (lambda: walk(start=Box(1)), "write [Box(1)]"),
    "start: a variable": (lambda: walk(start=[Box(M)]), "variable"),
    "start: dict values": (lambda: State({"a": 1}.items()), "list"),
    "start: a dict": (lambda: walk(start={"a": 1}), "list"),
    "goal: a generator": (lambda: ask(contains(Box(i)) for i in range(3)), "goal"),
    "goal: a list of terms": (lambda: ask([Box(3)]), "exactly(Box(3))"),
    "goal: an empty list": (lambda: ask([]), "goal=[]"),
    "goal: a dict": (lambda: ask({"a": 1}), "goal"),
    "is_in: a generator": (lambda: is_in(M, (i for i in range(3))), "give a list"),
    "one_of: a generator": (
        lambda: rule("x", take=[1], let={M: one_of(i for i in range(3))}, put=[M]), "give a list"),
    "one_of: a dict": (lambda: one_of({"a": 1}), "no order"),
    "strategies: a generator": (
        lambda: compare(walk(), (name for name in []), goal=contains(Box(3))), "give a list"),
    "strategies: none": (lambda: compare(walk(), [], goal=contains(Box(3))), "at least one"),
    "Bag: a set": (lambda: Bag({1, 2}), "duplicates"),
    "Bag: a number": (lambda: Bag(3), "list"),
    "Bag: floats": (lambda: Bag([1.5]), "not exact"),
    "Bag: a text": (lambda: Bag("abc"), "list"),
    # -- things in the wrong place ---------------------------------------------------------
    "start and goal swapped": (lambda: search(walk(), contains(Box(3)), [Box(0)]), "swapped"),
    "start and goal swapped, a function": (lambda: search(walk(), good, [Box(0)]), "swapped"),
    "start and goal swapped, in the puzzle": (
        lambda: walk(start=contains(Box(3)), goal=State([Box(0)])), "swapped"),
    "start: a puzzle": (lambda: search(walk(), walk(), contains(Box(3))), "Puzzle"),
    "start: a path": (lambda: search(walk(), ask(contains(Box(1))).path, contains(Box(3))), ".end"),
    "start: a result": (lambda: search(walk(), ask(contains(Box(1))), contains(Box(3))), ".path"),
    "start: a rule": (lambda: search(walk(), [step()], contains(Box(3))), "cannot be a term"),
    "goal: a puzzle": (lambda: ask(walk()), "goal"),
    "goal: a rule": (lambda: ask(step()), "not a condition"),
    "goal: a variable": (lambda: ask(M), "not a condition"),
    "goal: a text": (lambda: ask("left"), "contains('left')"),
    "goal: a tuple": (lambda: ask((Box(3),)), "goal"),
    "goal: a comparison of an unbound variable": (lambda: ask(M == 3), "contains("),
    "goal: terminal without a call": (lambda: ask(terminal), "terminal()"),
    "goal: contains without a call": (lambda: ask(contains), "contains("),
    "goal: count without a comparison": (lambda: ask(count(Box(M))), "== 0"),
    "put: a function": (lambda: rule("x", take=[M], put=[half]), "call it"),
    "put: a plain function": (lambda: rule("x", take=[M], put=[math.gcd]), "@fn"),
    "put: a class": (lambda: rule("x", take=[M], put=[Box]), "Box(at)"),
    "take: a class": (lambda: rule("x", take=[Box]), "Box(at)"),
    "take: a function": (lambda: rule("x", take=[half]), "call it"),
    "take: a condition": (lambda: rule("x", take=[M, M > 3]), "when="),
    "take: contains": (lambda: rule("x", take=[contains(M)]), "when="),
    "put: a condition": (lambda: rule("x", take=[M], put=[contains(M)]), "when="),
    "put: a rule": (lambda: rule("x", take=[M], put=[step()]), "cannot be a term"),
    "put: None": (lambda: rule("x", take=[M], put=[None]), "None is not a term"),
    "put: a bare None": (lambda: rule("x", take=[M], put=None), "put=[None]"),
    "a term holds a function": (lambda: Box(half), "call it"),
    "a term holds a condition": (lambda: Chain((contains(1),)), "condition"),
    "when: an @fn function, uncalled": (lambda: conditional(half), "half("),
    "when: lambda of a variable": (lambda: conditional(lambda M: M > 3), "when=M > 3"),
    "when: lambda of two variables": (lambda: conditional(lambda M, N: M > N), "the State"),
    "when: a text": (lambda: conditional("M > 3"), "expression"),
    "when: a number": (lambda: conditional(3), "expression"),
    "when: None": (lambda: conditional(None), "expression"),
    "when: a term": (lambda: conditional(Box(3)), "contains(Box(3))"),
    "when: a rule": (lambda: conditional(step()), "not a condition"),
    "when: a class": (lambda: conditional(Box), "not a condition"),
    "@fn with no function": (lambda: fn(3), "function"),
    "@fn with a class": (lambda: fn(Box), "function"),
    "@fn with brackets": (lambda: fn(), "missing a required argument"),
    "@fn with too many arguments": (lambda: half(M, N), "half("),
    "@fn with an unknown keyword": (lambda: half(m=M), "half("),
    "@term of a function": (lambda: term(half), "class"),
    "@term without fields": (lambda: search(
        Puzzle(rule("x", take=[term(type("Empty", (), {}))])), [1], contains(1)), "Empty()"),
    "math.gcd": (lambda: math.gcd(M, 2), "@fn"),
    "int()": (lambda: int(M), "int(M)"),
    "int() of a sequence": (lambda: int(S), "number(S)"),
    "float()": (lambda: float(M), "float(M)"),
    "round()": (lambda: round(M), "round(M)"),
    "math.floor": (lambda: math.floor(M), "M"),
    "math.sqrt": (lambda: math.sqrt(M), "float(M)"),
    "divmod": (lambda: divmod(M, 2), "M // 2"),
    "sum of a sequence": (lambda: sum(S), "total(S)"),
    "sum of variables and a sequence": (lambda: sum((M, *S)), "bare splice"),
    "max of a sequence": (lambda: rule("x", take=[S], put=[max(S)]), "bare splice"),
    "sorted": (lambda: rule("x", take=[S], put=sorted(S)), "bare splice"),
    "a loop over a sequence": (lambda: [x + 1 for x in S], "*S"),
    "a loop over a number": (lambda: [x for x in M], "splice"),
    "range": (lambda: range(M), "one_of"),
    "shift": (lambda: M << 1, "M * 2 ** 1"),
    "shift right": (lambda: M >> 1, "M // 2 ** 1"),
    "shift by": (lambda: 1 << M, "1 * 2 ** M"),
    "xor": (lambda: M ^ N, "^"),
    "xor of conditions": (lambda: (M > 1) ^ (N > 1), "!="),
    "matrix product": (lambda: M @ N, "@"),
    "true division": (lambda: M / 2, "divides"),
    "append": (lambda: S.append(1), "(*S, x)"),
    "a method of texts": (lambda: w.upper(), "upper(w)"),
    "a method of texts, capital": (lambda: w.startswith("a"), "@fn"),
    "a field of a variable": (lambda: Q.at, "Box(at)"),
    "a field of a variable of any term": (lambda: X.left, "by a pattern"),
    "items of a nested bag": (lambda: B.items(), "by a pattern"),
    "a field of a number": (lambda: M.real, "M.real"),
    "assigning to an element": (lambda: operator.setitem(S, 0, 1), "S[0]"),
    "deleting an element": (lambda: operator.delitem(S, 0), "S[0]"),
    "calling a variable": (lambda: M(3), "M(3)"),
    "slicing a number": (lambda: M[0], "sequence"),
    "indexing with a text": (lambda: S["a"], "whole number"),
    "in a sequence": (lambda: conditional(1 in S), "is_in"),
    "len": (lambda: len(S), "length"),
    "abs of a text": (lambda: abs(w), "whole numbers"),
    "a number plus a text": (lambda: M + "a", "whole numbers"),
    "a list plus a variable": (lambda: [1] + M, "whole numbers"),
    "digits of a sequence": (lambda: digits(S), "whole number"),
    "number of a number": (lambda: number(M), "sequence"),
    "upper of a number": (lambda: upper(M), "text"),
    "length of a number": (lambda: length(M), "no length"),
    "total of a number": (lambda: total(M), "patterns"),
    "lowest of two": (lambda: lowest(M, N) if False else lowest(M), "least"),
    "least of a condition": (lambda: least(), "missing a required argument"),
    "between, arguments in another order": (lambda: between(M), "between"),
    "functools.reduce over conditions": (
        lambda: functools.reduce(operator.and_, [M > 1, N > 2], False), "already False"),
    "frames of None": (lambda: frames(None), "result.path"),
    "frames of a result": (lambda: frames(ask(contains(Box(1)))), ".path"),
    "frames of a list": (lambda: frames([State([1])]), "Path"),
    "grid: no pattern": (lambda: grid(3), "patterns"),
    "grid: a text": (lambda: grid("3", Man(w, M)), "whole number"),
    "ring: a number": (lambda: ring(3), "variable"),
    "pegs: a variable": (lambda: pegs(M), "variable"),
    "chain: a number": (lambda: chain(3), "chain"),
    "a view instead of a state": (lambda: moves(walk(), chain()), "state"),
    "moves without a puzzle": (lambda: moves([Box(1)], walk()), "Puzzle"),
    "moves of a rule": (lambda: moves(step(), [Box(1)]), "Puzzle"),
    "moves of None": (lambda: moves(walk(), None), "state"),
    "search of a rule": (lambda: search(step(), [Box(0)], contains(Box(3))), "Puzzle(rule"),
    "search of rules": (lambda: search([step()], [Box(0)], contains(Box(3))), "Puzzle("),
    "solutions of a rule": (lambda: list(solutions(step(), [1], contains(2))), "Puzzle"),
    "explore of a rule": (lambda: explore(step(), [1]), "Puzzle"),
    "distances of a rule": (lambda: distances(step(), [1]), "Puzzle"),
    "compare of a rule": (lambda: compare(step(), ["astar"]), "Puzzle"),
    "replay without a puzzle": (lambda: replay([Box(1)], walk()), "Puzzle"),
    "replay of None": (lambda: replay(walk(), None, None), "Path"),
    "replay of a result": (lambda: replay(walk(), None, ask(contains(Box(1)))), ".path"),
    "replay of numbers": (lambda: replay(walk(), None, [1]), "label"),
    "explain without a puzzle": (lambda: explain(step()), "Puzzle"),
    "explain an unknown rule": (lambda: explain(walk(), [Box(1)], "stpe"), "step"),
    "explain a number": (lambda: explain(walk(), [Box(1)], 3), "rule"),
    "scramble without a puzzle": (lambda: scramble(step(), [1]), "Puzzle"),
    "scramble: steps as a text": (lambda: scramble(walk(), [Box(1)], "3"), "whole number"),
    "check_symmetry without a puzzle": (lambda: check_symmetry(step()), "Puzzle"),
    "to_maude without a puzzle": (lambda: to_maude(step()), "Puzzle"),
    "relabel: one pattern": (lambda: relabel(Box(M), Box(1), Box(N)), "image"),
    "relabel: unbound": (lambda: relabel(Box(M), Box(N)), "bind"),
    "interchangeable: one": (lambda: interchangeable("a"), "two or more"),
    "interchangeable: a list": (lambda: walk(symmetry=interchangeable(["a", "b"])), "two or more"),
    "symmetry: a text": (lambda: walk(symmetry="find"), "relabel"),
    "Puzzle without rules given by name": (lambda: Puzzle(rules=[step()]), "no rules"),
    "Puzzle: unknown part": (lambda: walk(gaol=contains(Box(3))), "did you mean goal"),
    "Puzzle: start by position": (lambda: Puzzle(step(), [Box(0)]), "is not a rule"),
    "Puzzle: goal by position": (lambda: Puzzle(step(), contains(Box(3))), "is not a rule"),
    "Puzzle: a rule twice under one name, changed": (
        lambda: walk().replace(golas=contains(Box(1))), "no part"),
    "rule: label forgotten": (lambda: rule([Box(M)], [Box(M + 1)]), "label"),
    "rule: unknown part": (lambda: rule("x", take=[M], wen=M > 3), "did you mean when"),
    "rule: only a label": (lambda: rule("x"), "takes nothing"),
    "rule: a name that is no text": (lambda: rule("x", take=[M], name=3), "name"),
    "rule: too many by position": (
        lambda: rule("x", [M], [M], M > 3), "by name"),
    "a label names what nothing binds": (lambda: rule(f"go {N}", take=[M]), "nothing binds"),
    "put: unbound": (lambda: rule("x", take=[M], put=[N]), "nothing binds"),
    "put: ANY": (lambda: rule("x", take=[ANY], put=[ANY]), "ANY"),
    "goal: nothing given": (lambda: search(walk()), "what to look for"),
    "start: nothing given": (lambda: search(Puzzle(step()), None, contains(1)), "where to start"),
    "strategy: misspelled": (lambda: ask(contains(Box(3)), strategy="bfs"), "unknown"),
    "strategy: a function": (lambda: ask(contains(Box(3)), strategy=search), "unknown"),
    "strategy: a list": (lambda: ask(contains(Box(3)), strategy=["astar"]), "unknown"),
    "engine: misspelled": (lambda: ask(contains(Box(3)), engine="rust"), "unknown"),
    "engine: a list": (lambda: ask(contains(Box(3)), engine=["python"]), "unknown"),
    "solutions: 0": (lambda: ask(contains(Box(3)), solutions=0), "1 or more"),
    "solutions: 'all'": (lambda: ask(contains(Box(3)), solutions="all"), "None"),
    "solutions: True": (lambda: ask(contains(Box(3)), solutions=True), "None"),
    "distinct: misspelled": (lambda: ask(contains(Box(3)), distinct="path"), "unknown"),
    "max_depth: negative": (lambda: ask(contains(Box(3)), max_depth=-1), "max_depth"),
    "max_depth: a text": (lambda: ask(contains(Box(3)), max_depth="3"), "max_depth"),
    "max_depth: True": (lambda: ask(contains(Box(3)), max_depth=True), "max_depth"),
    "max_states: a float": (lambda: ask(contains(Box(3)), max_states=1e6), "max_states"),
    "max_seconds: a text": (lambda: ask(contains(Box(3)), max_seconds="1s"), "max_seconds"),
    "max_seconds: not a number": (
        lambda: ask(contains(Box(3)), max_seconds=float("nan")), "max_seconds"),
    "seed: a text": (
        lambda: ask(contains(Box(3)), strategy="depth_first", seed="a"), "whole number"),
    "progress: True": (lambda: ask(contains(Box(3)), progress=True), "function"),
    "unknown argument": (lambda: ask(contains(Box(3)), max_deph=3), "did you mean max_depth"),
    "heuristic: a number below 0": (lambda: ask(contains(Box(3)), heuristic=-1), "heuristic="),
    "heuristic: misspelled": (lambda: ask(contains(Box(3)), heuristic="hmx"), "did you mean hmax"),
    "heuristic: two arguments": (
        lambda: ask(contains(Box(3)), heuristic=lambda a, b: 0), "one argument"),
    "heuristic: unbound": (lambda: ask(contains(Box(3)), heuristic=abs(M - 3)), "nothing binds"),
    "highest of a pattern": (lambda: highest(Box(M)), "patterns"),
}  # fmt: skip


def outcome(mistake: Callable[[], Any]) -> tuple[str, str]:
    """What became of it: "error", "warning", "silent", or the name of an exception."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            mistake()
        except RewriteError as error:
            return "error", str(error)
        except Exception as error:
            return type(error).__name__, str(error)
    told = [str(one.message) for one in caught if issubclass(one.category, RewriteWarning)]
    return ("warning", "\n".join(told)) if told else ("silent", "")


@pytest.mark.parametrize("name", MISTAKES)
def test_it_is_told(name: str) -> None:
    mistake, fragment = MISTAKES[name]
    kind, text = outcome(mistake)
    assert kind in ("error", "warning"), f"{kind}: {text}"
    assert fragment in text


def test_there_are_many() -> None:
    assert len(MISTAKES) >= 100

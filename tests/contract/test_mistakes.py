"""Mistakes that Python lets pass: each must be told, with the way out, and never as something else.

Every entry is a small thing that people write through the public API. What must happen is an error
of the project, or a RewriteWarning; a "no solution" that nobody doubts is the worst that could.
"""

# mypy: ignore-errors

from __future__ import annotations

import linecache
import warnings
from typing import Any

import pytest

import rewrite
from rewrite import (
    Puzzle,
    RewriteError,
    RewriteWarning,
    State,
    bags,
    bools,
    contains,
    fn,
    ints,
    rule,
    search,
    seqs,
    strs,
    term,
    terms,
)
from tests.terms import Box


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


def listed(n: int) -> list[int]:
    return [n]


def mean(n: int) -> float:
    return n / 2


def unpacked(values: Any) -> Any:
    first, _rest = values
    return first


ROOMS = ["hall", "attic"]


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


def three(**options: Any) -> Any:
    return ask(contains(Box(3)), **options)


def run(one: Any, start: Any, goal: Any, **parts: Any) -> Any:
    return search(Puzzle(one, **parts), start, goal)


def way(puzzle: Puzzle) -> Any:
    return search(puzzle, None, contains(Box(1))).path


def conditional(given: Any) -> Any:
    return rule("x", take=[Box(M), Box(N)], when=given)


def twice(take: Any) -> Any:
    return rule("x", take=take, put=[1])


MISTAKES = [
    # -- conditions that Python has decided
    ("ask(Box(3) == 3)", "already False"),
    ("ask(Box(M) == Box(3))", "nothing binds"),
    ("ask(True)", "already True"),
    ("ask([contains(Box(3)), Box(M) is None])", "already False"),
    ("walk(goal=Box(3) == 4)", "already False"),
    ("walk(never=Box(M) == Box(2))", "nothing binds"),
    ("walk(never=Box(2) == 2)", "already False"),
    ("walk(never=M in (M, 1))", "already True"),
    ("conditional(M in (M, 1))", "is_in"),
    ("conditional(M not in (M, 1))", "already False"),
    ("conditional(True)", "already True"),
    ("conditional((M > 3) & (M is N))", "already False"),
    ("conditional((M in (M, 1)) | (M > 3))", "already True"),
    ("conditional(bool(M > 3))", "only known during the search"),
    ("conditional(Box(M) < Box(N))", "compare their values"),
    ("conditional((M, 1) < (N, 2))", "only known"),
    ("conditional(any(S))", "only known"),
    ("contains(Box(M), when=M is N)", "already False"),
    ("count(Box(M), when=True)", "already True"),
    ('rule("x", take=[Box(M)], absent=[Box(3) == 3])', "already False"),
    ('rule("x", take=[Box(M)], absent=[Box(M) == Box(3)])', "conditions stand in when="),
    ("walk(simplify=step() == step())", "already True"),
    ("walk(symmetry=Box(3) == 3)", "already False"),
    ("if_(M is N, 1, 2)", "already False"),
    ("ask(contains(Box(M), M > 3))", "when="),
    ("ask(lacks(Box(M), M > 3))", "when="),
    ("count(Box(M), M > 3)", "when="),
    ("conditional(0 < M < 5)", "write (0 < M) & (M < 5)"),
    ("conditional(M > 3 and N > 3)", "write (M > 3) & (N > 3)"),
    ("ask(contains(1) or contains(2))", "a | b"),
    ("max(M, N)", "write greatest(M, N)"),
    ("ROOMS.index(w)", "position(w, tuple(ROOMS))"),
    ("unpacked(S)", "let={(X, *T): S}"),
    ("fn(listed)", "Return a tuple"),
    ("fn(mean)", "not exact"),
    ('run(rule("n", ["right"], ["left"]), ["left"], lacks("left"))', "Are they swapped?"),
    ('run(rule("off", take=[("lamp", 1)]), [("lamp", True)], lacks("lamp"))',
     "where 1 stands there is a truth value"),
    # -- user functions that return nothing, or something else
    ("ask(forgets)", "forgets returned None"),
    ('ask(forgets, engine="python")', "forgets returned None"),
    ("ask(how_many)", "how_many returned 0"),
    ("search(walk(never=forgets), None, contains(Box(3)))", "forgets returned None"),
    ('run(rule("x", take=[1], put=[2], when=forgets), [1], contains(2))', "forgets returned None"),
    ('moves(Puzzle(rule("x", take=[1], put=[2], when=forgets)), [1])', "forgets returned None"),
    ("explore(walk(never=forgets))", "forgets returned None"),
    ("ask(lambda: True)", "one argument, the State"),
    ("ask(Box)", "Box(at)"),
    ("ask(int)", "not a condition"),
    ("ask(lambda state: state.nothing)", "AttributeError"),
    ('run(rule("x", take=[M], put=[M + 1], when=nothing(M)), [1], contains(3))',
     "nothing returned None"),
    ('run(rule("x", take=[M], put=[nothing(M)]), [1], contains(3))', "nothing returned None"),
    ('run(rule("x", take=[M], put=[M + 1], when=remainder(M)), [1], contains(3))', "remainder(M)"),
    ("three(heuristic=nowhere)", "nowhere returned None"),
    ("three(heuristic=good)", "good returned False"),
    ('three(heuristic=nowhere, engine="python")', "nowhere returned None"),
    ("three(heuristic=contains(Box(3)))", "heuristic="),
    ("three(heuristic=count(Box(3)) == 1)", "kind bool"),
    ("three(heuristic=half)", "half"),
    ("search(walk(), minimize=contains(Box(3)))", "minimize="),
    ('rule("x", take=[M], cost=how_many)', "how_many"),
    ('run(rule("x", take=[M], put=[M + 1], cost=nothing(M)), [1], contains(3))',
     "nothing returned None"),
    ("way(walk(show=nowhere)).show()", "nowhere returned None"),
    ("frames(way(walk(show=nowhere)))", "nowhere returned None"),
    ("way(walk(show=lambda state: state.nothing)).show()", "AttributeError"),
    ('walk(show=lambda: "")', "one argument, the State"),
    ('way(walk(show=lambda state: ["a"])).show()', "returned ['a']"),
    # -- names that nothing makes
    ('ask(contains(Man("a", 3)))', "nothing makes"),
    ("ask(contains(3))", "nothing makes 3"),
    ('ask(contains("Box", 3))', "nothing makes 'Box'"),
    ("ask(lacks(Man(ANY, 3)))", "nothing makes"),
    ("ask(count(Man(ANY, ANY)) == 1)", "nothing makes"),
    ('ask(State([Man("a", 1)]))', "nothing makes"),
    ('ask(exactly(Man("a", 1)))', "nothing makes"),
    ("search(walk(never=contains(Man(ANY, 3))), None, contains(Box(3)))", "nothing makes"),
    ('run(rule("x", take=[M], put=[M + 1], absent=[Man(ANY, M)]), [0], contains(3))',
     "nothing makes"),
    ('run(rule("x", take=[M], put=[M + 1], when=count(Man(ANY, M)) == 0), [0], contains(3))',
     "nothing makes"),
    ("three(heuristic=count(Man(ANY, ANY)))", "nothing makes"),
    ("search(walk(), minimize=lowest(M, Man(ANY, M)))", "nothing makes"),
    ('run(rule("x", take=[Man("a", 1)], put=[Man("b", 1)]), [Man("a", 1)], contains(Man("B", 1)))',
     "nothing makes Man('B', 1)"),
    ('run(rule("x", take=["left"], put=["right"]), ["left"], contains("rihgt"))',
     "did you mean 'right'"),
    ('run(rule("x", take=["a"], put=["bee"]), ["a"], contains("bee"), never=contains("be"))',
     "nothing makes 'be'"),
    ('search(Puzzle(step(), rule("y", take=[Man(w, M)])), [Box(0)], contains(Box(3)))',
     "can never fire"),
    # -- values that a field does not allow
    ('Box("1")', "at: int"),
    ("Man(1, 1)", "name: str"),
    ("Belt(1, [1, 2])", "links: tuple"),
    ("Sack((1, 2))", "inside: list"),
    ("Either(True)", "value: int | str"),
    ('Lid(Man("a", 1))', "of: Box"),
    ("Box(1.0)", "not exact"),
    ("Box(None)", "None is not a term"),
    # -- text where a variable was meant
    ('rule("x", take=[Box(M)], put=[f"n{M}"])', "text(M)"),
    ('rule("x", take=[Box(M)], put=[("cell", f"{M + 1}")])', "M + 1"),
    ('search(walk(), None, contains(f"n{M}"))', "text(M)"),
    ('rule("x", take=[Box(M)], put=[str(M)])', "text(M)"),
    ('rule("x", take=[M], let={"N": M + 1}, put=[1])', "let="),
    ('rule("x", take=[M, strs("M")])', "kind"),
    ('ask(contains(M, strs("M")))', "two variables"),
    ('ints("M M")', "twice"),
    ('ints("d3:3")', "names no variable"),
    ('ints(["M", "N"])', "from a text"),
    # -- collections
    ("twice(Box(i) for i in range(3))", "give a list"),
    ('from collections import Counter; twice(Counter({Box(1): "2"}))', "whole number"),
    ("run(twice([[Box(M), Box(N)]]), [Box(1), Box(2)], contains(1))", "can never fire"),
    ("conditional(M != i for i in range(3))", "give a list"),
    ("conditional({M > 3})", "use a list"),
    ('rule("x", take=[1], absent=(Box(i) for i in range(3)))', "give a list"),
    ('rule("x", take=[1], absent={Box(1)})', "use a list"),
    ("Puzzle(step() for _ in range(2))", "give a list"),
    ("Puzzle({step()})", "use a list"),
    ("walk(simplify=(step() for _ in range(2)))", "give a list"),
    ("walk(never=(contains(Box(i)) for i in range(2)))", "give a list"),
    ("walk(never={contains(Box(1))})", "use a list"),
    ("walk(never=[Box(3)])", "contains(Box(3))"),
    ("walk(never=3)", "contains(3)"),
    ("walk(symmetry=(relabel(Box(M), Box(-M)) for _ in range(2)))", "give a list"),
    ("walk(facts=(Box(i) for i in range(2)))", "give a list"),
    ("walk(facts={Box(1)})", "list"),
    ("walk(start=(Box(i) for i in range(2)))", "give a list"),
    ('State(zip("ab", (1, 2)))', "give a list"),
    ('walk(start="left")', "write ['left']"),
    ("walk(start=Box(1))", "write [Box(1)]"),
    ("walk(start=[Box(M)])", "variable"),
    ('State({"a": 1}.items())', "list"),
    ('walk(start={"a": 1})', "list"),
    ("ask(contains(Box(i)) for i in range(3))", "goal"),
    ("ask([Box(3)])", "exactly(Box(3))"),
    ("ask([])", "goal=[]"),
    ("is_in(M, (i for i in range(3)))", "give a list"),
    ('rule("x", take=[1], let={M: one_of(i for i in range(3))}, put=[M])', "give a list"),
    ('one_of({"a": 1})', "no order"),
    ("compare(walk(), (name for name in []), goal=contains(Box(3)))", "give a list"),
    ("compare(walk(), [], goal=contains(Box(3)))", "at least one"),
    ("Bag({1, 2})", "duplicates"),
    ("Bag(3)", "list"),
    ("Bag([1.5])", "not exact"),
    # -- things in the wrong place
    ("search(walk(), contains(Box(3)), [Box(0)])", "swapped"),
    ("walk(start=contains(Box(3)), goal=State([Box(0)]))", "swapped"),
    ("search(walk(), walk(), contains(Box(3)))", "Puzzle"),
    ("search(walk(), ask(contains(Box(1))).path, contains(Box(3)))", ".end"),
    ("search(walk(), ask(contains(Box(1))), contains(Box(3)))", ".path"),
    ("search(walk(), [step()], contains(Box(3)))", "cannot be a term"),
    ("ask(walk())", "goal"),
    ('ask("left")', "contains('left')"),
    ("ask((Box(3),))", "goal"),
    ("ask(M == 3)", "contains("),
    ("ask(terminal)", "terminal()"),
    ("ask(contains)", "contains("),
    ("ask(count(Box(M)))", "== 0"),
    ('rule("x", take=[M], put=[half])', "call it"),
    ('import math; rule("x", take=[M], put=[math.gcd])', "@fn"),
    ('rule("x", take=[M], put=[Box])', "Box(at)"),
    ('rule("x", take=[half])', "call it"),
    ('rule("x", take=[M, M > 3])', "when="),
    ('rule("x", take=[contains(M)])', "when="),
    ('rule("x", take=[M], put=[contains(M)])', "when="),
    ('rule("x", take=[M], put=[None])', "None is not a term"),
    ('rule("x", take=[M], put=None)', "put=[None]"),
    ("Box(half)", "call it"),
    ("Chain((contains(1),))", "condition"),
    ("conditional(half)", "half("),
    ("conditional(lambda M: M > 3)", "when=M > 3"),
    ("conditional(lambda M, N: M > N)", "the State"),
    ("conditional(Box(3))", "contains(Box(3))"),
    ("fn(3)", "function"),
    ("fn()", "missing a required argument"),
    ("half(M, N)", "half("),
    ("term(half)", "class"),
    ('run(rule("x", take=[term(type("Empty", (), {}))]), [1], contains(1))', "Empty()"),
    ("import math; math.gcd(M, 2)", "@fn"),
    ("int(M)", "int(M)"),
    ("int(S)", "number(S)"),
    ("float(M)", "float(M)"),
    ("round(M)", "round(M)"),
    ("divmod(M, 2)", "M // 2"),
    ("sum(S)", "total(S)"),
    ("sum((M, *S))", "bare splice"),
    ("[x + 1 for x in S]", "*S"),
    ("M << 1", "M * 2 ** 1"),
    ("M >> 1", "M // 2 ** 1"),
    ("1 << M", "1 * 2 ** M"),
    ("M ^ N", "^"),
    ("(M > 1) ^ (N > 1)", "!="),
    ("M @ N", "@"),
    ("S.append(1)", "(*S, x)"),
    ("w.upper()", "upper(w)"),
    ('w.startswith("a")', "@fn"),
    ("Q.at", "Box(at)"),
    ("X.left", "by a pattern"),
    ("M.real", "M.real"),
    ("S[0] = 1", "S[0]"),
    ("M(3)", "M(3)"),
    ('S["a"]', "whole number"),
    ("abs(w)", "whole numbers"),
    ("upper(M)", "text"),
    ("between(M)", "between"),
    ("frames(None)", "result.path"),
    ("frames(ask(contains(Box(1))))", ".path"),
    ("frames([State([1])])", "Path"),
    ("chain(3)", "chain"),
    ("moves(walk(), chain())", "state"),
    ("moves([Box(1)], walk())", "Puzzle"),
    ("moves(walk(), None)", "state"),
    ("search(step(), [Box(0)], contains(Box(3)))", "Puzzle(rule"),
    ("search([step()], [Box(0)], contains(Box(3)))", "Puzzle("),
    ("list(solutions(step(), [1], contains(2)))", "Puzzle"),
    ("explore(step(), [1])", "Puzzle"),
    ("distances(step(), [1])", "Puzzle"),
    ('compare(step(), ["astar"])', "Puzzle"),
    ("replay([Box(1)], walk())", "Puzzle"),
    ("replay(walk(), None, None)", "Path"),
    ("replay(walk(), None, ask(contains(Box(1))))", ".path"),
    ("replay(walk(), None, [1])", "label"),
    ("explain(step())", "Puzzle"),
    ('explain(walk(), [Box(1)], "stpe")', "step"),
    ("explain(walk(), [Box(1)], 3)", "rule"),
    ("scramble(step(), [1])", "Puzzle"),
    ('scramble(walk(), [Box(1)], "3")', "whole number"),
    ("scramble(walk(), max_second=3)", "scramble(…, max_second=…): there is no max_second"),
    ("check_symmetry(step())", "Puzzle"),
    ("to_maude(step())", "Puzzle"),
    ("relabel(Box(M), Box(1), Box(N))", "image"),
    ("relabel(Box(M), Box(N))", "bind"),
    ('interchangeable("a")', "two or more"),
    ("Puzzle(rules=[step()])", "no rules"),
    ("walk(gaol=contains(Box(3)))", "did you mean goal"),
    ('rule("x", take=[M], wen=M > 3)', "did you mean when"),
    ('rule("x", take=[M], name=3)', "name"),
    ('rule("x", [M], [M], M > 3)', "by name"),
    ("search(walk())", "what to look for"),
    ("run(step(), None, contains(1))", "where to start"),
    ('three(strategy="bfs")', "unknown"),
    ('three(engine="rust")', "unknown"),
    ("three(solutions=0)", "1 or more"),
    ('three(solutions="all")', "None"),
    ("three(max_depth=-1)", "max_depth"),
    ("three(max_states=1e6)", "max_states"),
    ('three(max_seconds="1s")', "max_seconds"),
    ('three(strategy="depth_first", seed="a")', "whole number"),
    ("three(progress=True)", "function"),
    ("three(max_deph=3)", "did you mean max_depth"),
    ('three(checkpiont="x")', "did you mean checkpoint"),
    ('three(heuristic="hmx")', "did you mean hmax"),
    ("three(heuristic=lambda a, b: 0)", "one argument"),
    ("three(heuristic=abs(M - 3))", "nothing binds"),
    ("highest(Box(M))", "patterns"),
    ("three(heuristic=lambda state: -(10**5000))", "4300 digits"),
    ("three(min_depth=10**5000)", "4300 digits"),
    ("run(step(), [1], goal=[10**5000])", "4300 digits"),
    ('rule("x", take=[M], cost=-(10**5000))', "4300 digits"),
    (r'three(certificate="a\0b")', "null byte"),
    ('three(certificate="a" * 300)', "too long"),
    (r'three(certificate="\ud800")', "surrogates"),
    (r'verify("a\0b", walk())', "null byte"),
    ('verify("a", walk(), steps="x")', "a name and a function"),
    (r'maude_module("a\0b")', "null byte"),
    ('State(__import__("collections").Counter({1: 10**30}))', "2,147,483,647"),
    ("frames(three().path, width=None)", "width=None"),
    ("rewrite.Result.from_json(three().to_json(), None)", "second argument"),
]  # fmt: skip


PUBLIC = {name: getattr(rewrite, name) for name in rewrite.__all__}


def outcome(mistake: str) -> tuple[str, str]:
    """What became of it: "error", "warning", "silent", or the name of an exception."""
    linecache.cache["<a mistake>"] = 0, None, [mistake], ""  # errors quote the line
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(mistake, "<a mistake>", "exec"), PUBLIC | globals())
        except RewriteError as error:
            return "error", str(error)
        except Exception as error:
            return type(error).__name__, str(error)
    told = [str(one.message) for one in caught if issubclass(one.category, RewriteWarning)]
    return ("warning", "\n".join(told)) if told else ("silent", "")


@pytest.mark.parametrize(("mistake", "fragment"), MISTAKES, ids=[code for code, _ in MISTAKES])
def test_it_is_told(mistake: str, fragment: str) -> None:
    kind, text = outcome(mistake)
    assert kind in ("error", "warning"), f"{kind}: {text}"
    assert fragment in text

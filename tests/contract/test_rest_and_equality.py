"""The rest of the state by name, and equality of patterns, in every place, on both engines."""

# ruff: noqa: SIM300 (the order is what is tested)

import re
from typing import Any

import pytest

from rewrite import (
    ANY,
    Bag,
    ExportError,
    ExpressionError,
    Puzzle,
    Result,
    RewriteError,
    State,
    bags,
    contains,
    count,
    exactly,
    explain,
    ints,
    is_in,
    lacks,
    length,
    moves,
    rule,
    search,
    seqs,
    term,
    terms,
    to_maude,
)
from tests.engines import every_engine, quiet
from tests.terms import A, Box

pytestmark = quiet
P, Q = bags("P Q")
M, N = ints("M N")
S, T = seqs("S"), terms("T")
BAG = Puzzle(start=["a", 1, 2, 2, ("x", 3)], facts=[2, "f"], name="bag")


@term
class Free:
    at: int


def answers(puzzle: Puzzle, goal: Any, engine: str) -> list[Any]:
    result = search(puzzle, None, goal, solutions=None, engine=engine)
    assert result.status == "exhausted"
    assert result.engine == engine
    return [path.bindings for path in result.paths]


@every_engine
@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (contains("a", *P), [{"P": Bag([1, 2, 2, ("x", 3)])}]),
        (contains(*P, "a"), [{"P": Bag([1, 2, 2, ("x", 3)])}]),
        (contains(*P), [{"P": Bag(["a", 1, 2, 2, ("x", 3)])}]),
        # of the three twos one is a fact: those of the state count first
        (contains(2, *P), [{"P": Bag(["a", 1, 2, ("x", 3)])}]),
        (contains(2, 2, *P), [{"P": Bag(["a", 1, ("x", 3)])}]),
        (contains(2, 2, 2, *P), [{"P": Bag(["a", 1, ("x", 3)])}]),
        (contains(2, 2, 2, 2, *P), []),
        (contains("f", *P), [{"P": Bag(["a", 1, 2, 2, ("x", 3)])}]),
        (contains(*P, when=is_in("f", P)), []),
        (exactly("f", *P), []),
        (exactly("a", 1, *P), [{"P": Bag([2, 2, ("x", 3)])}]),
        (exactly("a", *ANY), [{}]),
        (exactly("b", *ANY), []),
        (exactly("a", 1, 2, 2, ("x", M), *P), [{"M": 3, "P": Bag()}]),
        (exactly("a", 1, 2, 2, 2, ("x", M), *P), []),
        (contains("a", *ANY), [{}]),
        (contains(M, *P, when=is_in(M, P)), [{"M": 2, "P": Bag(["a", 1, 2, ("x", 3)])}]),
        (contains(M, *P, when=lacks(("x", length(P)))), [
            {"M": 1, "P": Bag(["a", 2, 2, ("x", 3)])}, {"M": 2, "P": Bag(["a", 1, 2, ("x", 3)])},
        ]),
        (contains(("x", length(P) - 1), *P), [{"P": Bag(["a", 1, 2, 2])}]),
        (lacks(M, *P, when=is_in(M, P)), []),
        (lacks("a", *P, when=length(P) > 4), [{}]),
        (contains(M, *P) & contains(N, *P) & (M != 2), [
            {"M": 1, "P": Bag(["a", 2, 2, ("x", 3)]), "N": 1},
        ]),
    ],
    ids=repr,
)  # fmt: skip
def test_the_rest_is_the_state_without_what_matched(
    goal: Any, expected: list[Any], engine: str
) -> None:
    assert answers(BAG, goal, engine) == expected
    # the same of a state that is kept as a multiset because a rule makes terms without end
    grows = BAG.replace(rules=rule("grow", take=[1], put=[1, ("more",)]))
    result = search(grows, None, goal, solutions=None, engine=engine, max_depth=0)
    assert [path.bindings for path in result.paths] == expected


@every_engine
def test_in_a_rule_the_rest_is_of_what_is_left_after_take(engine: str) -> None:
    last = rule(f"last {M}", take=[M], put=[("last", M)], when=exactly("a", *P, when=Bag([2]) == P))
    assert [step.label for step in moves(Puzzle(last), ["a", 1, 2])] == ["last 1"]
    told = search(Puzzle(last), ["a", 1, 2], contains(("last", 1)), engine=engine)
    assert told.paths[0].labels == ["last 1"]
    same = rule("same", take=[("box", P)], put=["done"], when=contains("a", *P))
    for inside, found in (([1, 2], True), ([1], False), (["a", 1, 2], False)):
        start = ["a", 1, 2, ("box", inside)]
        assert bool(search(Puzzle(same), start, contains("done"), engine=engine)) is found
    text = str(explain(Puzzle(same), ["a", 1, ("box", [1])], "same"))
    assert "when=contains('a', *P)  1 left" in text


@every_engine
@pytest.mark.parametrize("symmetry", ["none", "find"])
def test_in_slots_the_answer_is_that_of_the_definition(engine: str, symmetry: str) -> None:
    slide = Puzzle(
        rule(f"{M} to {N}", take=[Box(M), Free(N)], put=[Box(N), Free(M)], when=abs(M - N) == 1),
        start=[Box(0), Box(1), Free(2), Free(3)], never=contains(Box(2), *P, when=is_in(Free(3), P)
                                                                 & is_in(Free(1), P)),
    )  # fmt: skip
    goal = contains(Box(3), *P, when=is_in(Box(2), P))
    result = search(slide, None, goal, engine=engine, symmetry=symmetry, solutions=None)
    assert [path.end for path in result.paths] == []  # Box 1 cannot leave 0 behind
    free = search(slide.replace(never=[]), None, goal, engine=engine, symmetry=symmetry)
    assert free.paths[0].end == State([Box(2), Box(3), Free(0), Free(1)])
    assert free.bindings == {"P": Bag([Box(2), Free(0), Free(1)])}
    whole = exactly(Box(3), Box(2), *P)
    assert len(search(slide.replace(never=[]), None, whole, engine=engine).path or ()) == 4


def test_what_a_goal_leaves_open_is_no_list_of_goal_states() -> None:
    ring = Puzzle(rule("next", take=[Box(M)], put=[Box((M + 1) % 5)]), start=[Box(0), Box(2)])
    for goal in (exactly(Box(3), *P), exactly(Box(3), *ANY), contains(Box(3), *P, when=Bag() == P)):
        ways: list[dict[str, Any]] = [{"heuristic": "auto"}, {"strategy": "bidirectional"}]
        for options in ways:
            try:
                found = search(ring, None, goal, **options)
            except RewriteError:
                continue
            assert found.status == search(ring, None, goal).status


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: contains(*P, *Q), "contains(...): *P and *Q: the patterns leave one rest of the "),
        (lambda: exactly(*P, 1, *ANY), "exactly(...): *P and *ANY: the patterns leave one rest"),
        (lambda: contains(*S), "contains(...): *S is a bare splice outside a tuple; write (*S, X)"),
        (lambda: contains(*T), "named by a variable that bags(…) declares"),
        (lambda: count(M, *P), "count(...): *P is a bare splice: the rest of a state is named"),
        (lambda: contains(M, absent=[*P]), "contains(absent=...): *P is a bare splice: the rest "),
        (lambda: rule("x", take=[*P]), "what a rule does not mention stays in the state anyway"),
        (lambda: rule("x", take=[1], put=[[*P]], when=contains(M, *P)), "P, but nothing binds it"),
    ],
)
def test_a_rest_that_is_none_is_refused_where_it_is_written(wrong: Any, text: str) -> None:
    with pytest.raises((ExpressionError, RewriteError), match=re.escape(text)):
        wrong()


def test_the_rest_is_part_of_a_condition_as_a_value() -> None:
    assert contains("a", *P) == contains("a", *P) != contains("a", *Q)
    assert contains("a", *P) != contains("a") == contains("a", *ANY)
    assert exactly("a", *ANY) != exactly("a")
    assert repr(lacks("a", *P, when=length(P) > 1)) == "lacks('a', *P, when=length(P) > 1)"


def test_maude_has_a_rest_too_but_not_beside_facts() -> None:
    go = rule("go", take=[1], put=[2], when=contains("a", *P, when=length(P) < 3))
    text = to_maude(Puzzle(go, start=["a", 1]))
    assert 'if "a" ; P := STATE' in text
    with pytest.raises(ExportError, match="the rest is without facts, and there all are one bag"):
        to_maude(Puzzle(go, start=["a", 1], facts=[5]))
    assert "exactly-1(STATE)" in to_maude(Puzzle(rule("x", take=[1], when=exactly("a", *ANY)),
                                                 start=[1], facts=[5]))  # fmt: skip


@term
class Pair:
    left: Box
    right: Box


X, Y = terms("X Y", Box)
B = bags("B")
CONDITIONS = {
    "of two variables": Box(M) == Box(N),
    "not of two variables": Box(M) != Box(N),
    "of a computed part": Box(M + 1) == Box(N),
    "of a variable for a term": X == Box(N),
    "of a term and a variable for it": Box(N) != X,
    "with a value": Box(M) == Box(2),
    "of terms within terms": Pair(X, Box(M)) == Pair(Box(2), Box(N)),
    "of a sequence within": Pair(Box(M), Box(1)) != Pair(X, Box(1)),
    "of nested bags": Bag([M, N]) == Bag([1, N]),
    "joined": (Box(M) == Box(1)) | (Box(N) == Box(3)),
}


@pytest.mark.parametrize("name", CONDITIONS)
@every_engine
def test_engines_agree_with_the_definition(name: str, engine: str) -> None:
    given: Any = CONDITIONS[name]
    puzzle = Puzzle(
        rule("x", take=[("m", M), ("n", N), X], put=[("found", M, N, X)], when=given),
        start=[("m", 1), ("m", 2), ("n", 2), ("n", 3), Box(2), Box(3)],
    )
    start = puzzle.start
    assert start is not None
    expected = {step.after for step in moves(puzzle, start)}
    assert 0 < len(expected) < 8
    ends = terms("E")
    goal = contains(("found", M, N, ends))
    result: Result = search(puzzle, None, goal, solutions=None, max_depth=1, engine=engine)
    assert {path.end for path in result.paths} == expected


@every_engine
def test_it_is_a_goal_and_a_never(engine: str) -> None:
    puzzle = Puzzle(
        rule("on", take=[Box(M)], put=[Box(M + 1)], when=M < 6),
        start=[Box(0), Box(3)],
        never=contains(X, Y, when=(X == Y) & (Box(5) != X)),
    )
    result = search(puzzle, None, contains(Box(M), Box(N), when=Box(M) == Box(N)), engine=engine)
    assert result.paths[0].end == State([Box(5), Box(5)])


@pytest.mark.parametrize("facts", [[], [A(2)]])
@every_engine
def test_facts_are_no_part_of_a_state_that_is_exactly_something_and_a_rest(
    facts: list[Any], engine: str
) -> None:
    puzzle = Puzzle(
        rule("on", take=[Box(M)], put=[Box(M + 1)], when=M < 4), start=[Box(0), A(1)],
        facts=facts,
    )  # fmt: skip
    for wanted, steps in ((exactly(Box(3), *ANY), 3), (exactly(Box(N), *ANY, when=N > 1), 2)):
        assert len(search(puzzle, None, wanted, engine=engine).paths[0]) == steps
    for two in (exactly(A(M), A(N), *ANY), exactly(Box(M), Box(N), *ANY)):
        assert not search(puzzle, None, two, engine=engine)
        assert search(puzzle.replace(never=[two]), None, contains(Box(4)), engine=engine)

"""Rules that are run backwards: what they become, and why some cannot be."""

from typing import Any

import pytest

from puzzles import eight_tuple, hyperjump, pancakes, power_strike
from rewrite import (
    ANY,
    Puzzle,
    Rule,
    State,
    contains,
    count,
    ints,
    rule,
    seqs,
    term,
    terms,
)
from rewrite.analysis.inverse_rules import NoInverse, inverse_puzzle, inverse_rule
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.language import meaning
from tests.engines import over_multiset, start_of, task_of


@term
class Box:
    at: int
    what: int


K, M, N, X, Y, Z = ints("K M N X Y Z")
S = seqs("S")
B = terms("B")


def engine(*rules: Rule, start: Any, **parts: Any) -> MultisetEngine:
    puzzle = Puzzle(*rules, start=start, **parts)
    return over_multiset(task_of(puzzle, puzzle.goal))


def before(given: MultisetEngine, state: Any) -> list[State]:
    return [given.decode(code) for code in given.inverse.successors(given.encode(State(state)))]


def refused(given: Rule) -> str:
    with pytest.raises(NoInverse) as why:
        inverse_rule(given)
    return str(why.value)


@pytest.mark.parametrize(
    ("let", "put"),
    [
        ({M: count(Box(K, ANY)), K: count(Box(ANY, X))}, [(X, M, K)]),  # forwards any K counts
        ({M: count(Box(X, ANY))}, [X + M]),  # X follows from M, which counts boxes at X
        ({M: count(Box(K, ANY), when=K > X)}, [X + M]),
    ],
)
def test_a_sum_that_would_see_other_variables_has_no_inverse(let: Any, put: Any) -> None:
    told = refused(rule("go", take=[X], put=put, let=let))
    assert f"{let[M]!r} would count other terms" in told
    inverse = inverse_rule(rule("go", take=[X], put=[(X, M)], let={M: let[M]}))
    assert inverse.let == ((M, let[M]),)


def test_what_was_put_is_taken_and_what_was_taken_is_put() -> None:
    forwards = rule("go", take=[(X, *S)], put=[X, S], keep=[Box(X, ANY)], when=X > 1, cost=X)
    backwards = rule("go", take=[X, S], put=[(X, *S)], keep=[Box(X, ANY)], when=X > 1, cost=X)
    assert inverse_rule(forwards) == backwards


@pytest.mark.parametrize(
    ("put", "was"),
    [
        (X + 3, [4]),
        (3 - X, [-4]),
        (X - 3, [10]),
        (-X, [-7]),
        (7 * X, [1]),
        (2 * X, []),
        (2 * (X + 1) - 1, [3]),
        (-(X * -7), [1]),
    ],
)
def test_sums_differences_and_multiples_are_solved(put: Any, was: list[int]) -> None:
    assert before(engine(rule("go", take=[X], put=[put]), start=[1]), [7]) == [
        State([one]) for one in was
    ]


DOUBLED = rule("go", take=[X], let={Y: X * 2}, put=[(Y,)])
TALLY = rule("tally", take=[(X,)], put=[X, count(M) * 10])
OPEN = rule("open", take=[(X,)], put=[X], absent=[X])
KEEP = rule("keep", take=[(X,)], put=[X], keep=[X])
UP = rule("on", take=[X], put=[X + 1])


@pytest.mark.parametrize(
    ("given", "parts", "after", "were"),
    [
        (DOUBLED, {}, [(6,)], [[3]]),
        (DOUBLED, {}, [(7,)], []),
        (TALLY, {}, [1, 5, 10], [[(1,), 5], [(5,), 1]]),
        (TALLY, {}, [1, 5, 20], []),
        (OPEN, {}, [1], [[(1,)]]),
        (OPEN, {}, [1, 1], []),
        (KEEP, {"facts": [1]}, [1], [[(1,)]]),
        (UP, {"never": contains(3)}, [4], []),
        (UP, {"never": contains(3)}, [6], [[5]]),
    ],
)
def test_what_is_left_after_take_is_seen_backwards_too(
    given: Rule, parts: dict[str, Any], after: list[Any], were: list[list[Any]]
) -> None:
    start = [1, 3, (1,), 5] if given is not UP else [5]
    assert before(engine(given, start=start, **parts), after) == [State(one) for one in were]


def test_costs_backwards_are_those_forwards() -> None:
    given = engine(rule("up", take=[X], put=[(X + 1,)], cost=X * X), start=[3])
    after = given.encode(State([(4,)]))
    assert given.inverse.weighted(after) == [(9, given.encode(State([3])))]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (rule(f"{M} + {N}", take=[M, N], put=[M + N]),
         "M and N do not follow from what it puts, M + N"),
        (rule("drop", take=[Box(X, Y), Z], put=[X]),
         "Y and Z do not follow from what it puts, X"),
        (rule("eat", take=[X], put=[]), "X does not follow from what it puts, nothing"),
        (rule("lose", take=[Box(X, ANY)], put=[X]),
         "it takes Box(X, ANY), and what ANY matched is lost"),
        (rule("open", take=[(X, *B)], put=[X, B]),
         "*B in (X, *B) may stand for anything; declare B with seqs or bags"),
        (rule("mix", take=[(*S, X)], put=[X, [*S, X]]),
         "it puts the parts of S into a nested bag, and their container is lost"),
        (rule("zero", take=[X], put=[X * 0]), "X does not follow from what it puts, X * 0"),
        (rule("square", take=[X], put=[X * X]), "X does not follow from what it puts, X * X"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_undone_says_why(given: Rule, text: str) -> None:
    assert refused(given) == f"rule {given.name!r} cannot be run backwards: {text}"


def test_simplify_cannot_be_undone() -> None:
    one = rule("on", take=[X], put=[X + 1])
    puzzle = Puzzle(one, simplify=[rule("fall", take=[(X,)], put=[X])])
    with pytest.raises(Unsuitable) as why:
        inverse_puzzle(puzzle)
    assert str(why.value) == (
        "simplify= cannot be undone: many states may have the same normal form"
    )


def test_the_cells_of_power_strike_are_multiplied_back_but_struck_digits_are_lost() -> None:
    times, strike = power_strike.instance().rules
    puzzle = Puzzle(times, start=[power_strike.Cell(0, 41)])
    made = over_multiset(task_of(puzzle))
    cell = power_strike.Cell
    assert before(made, [cell(3, 49)]) == [State([cell(2, 7)])]
    assert before(made, [cell(3, 50)]) == []
    assert refused(strike) == (
        "rule 'strike {D} → {Y}' cannot be run backwards: X does not follow from what it puts, "
        "Cell(K + 1, Y)"
    )


@pytest.mark.parametrize("puzzle", [m.instance() for m in (pancakes, eight_tuple, hyperjump)])
def test_predecessors_of_gallery_puzzles_are_what_leads_to_a_state(puzzle: Puzzle) -> None:
    made = over_multiset(task_of(puzzle))
    seen = {made.encode(start_of(puzzle)): None}
    for code in (queue := list(seen)):
        for after in made.successors(code):
            assert code in made.inverse.successors(after)
            if after not in seen and len(seen) < 25:
                seen[after] = None
                queue.append(after)
    for code in seen:
        for one in made.inverse.successors(code):
            ways = meaning.successors(puzzle, made.decode(one))
            assert made.decode(code) in [way.after for way in ways]

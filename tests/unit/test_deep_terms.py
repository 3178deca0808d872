"""Terms of thousands of levels and expressions of as many: whatever is done with values is done
with these. The recursion limit is Python's own, so 1,500 levels are beyond it; the long form has
10,000, where what is kept on a stack of C would overflow it.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from rewrite import (
    Path,
    Puzzle,
    Result,
    State,
    contains,
    distances,
    exactly,
    explore,
    fn,
    if_,
    ints,
    moves,
    replay,
    rule,
    search,
    term,
    terms,
)
from rewrite.errors import RuleError, SearchError, TermError
from rewrite.language.evaluation import evaluate
from rewrite.language.matching import match
from rewrite.language.order import Tall, term_key
from rewrite.language.patterns import binders, mentioned
from rewrite.language.terms import freeze, is_ground

DEEP, VERY_DEEP = 1_500, 10_000  # levels
every_depth = pytest.mark.parametrize(
    "levels", [DEEP, pytest.param(VERY_DEEP, marks=pytest.mark.long)]
)


@term
class F:
    inner: Any


@term
class G:
    inner: Any


@term
class At:
    place: int
    what: Any


V, W = terms("V W")
N, X = ints("N X")
ONE: Any = {X: 1}
Wrap = Callable[[Any], Any]
WRAPS: dict[str, Wrap] = {
    "terms": G,
    "sequences": lambda inner: (inner, 1),
    "bags": lambda inner: [inner, 1],
    "mixed": lambda inner: [G((inner, "x"))],  # three levels at once
}
ENGINES = ["python", "auto"]
pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")


def deep(wrap: Wrap, core: Any = 0, levels: int = VERY_DEEP) -> Any:
    for _ in range(levels // 3 if wrap is WRAPS["mixed"] else levels):
        core = wrap(core)
    return core


@every_depth
@pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
def test_deep_terms_are_made_compared_hashed_sorted_and_printed(wrap: Wrap, levels: int) -> None:
    one, same, more = (freeze(deep(wrap, core, levels)) for core in (0, 0, 1))
    assert type(term_key(one)) is Tall
    assert term_key(one) == term_key(same)
    assert hash(term_key(one)) == hash(term_key(same))
    assert term_key(one) < term_key(more) > term_key(same)
    assert not term_key(more) < term_key(one)
    states = [State([more, one]), State([one, same])]
    assert sorted(states) == states[::-1]
    assert states[1].count(one) == 2
    assert states[0] == State([same, more]) != states[1]
    assert len({*states, State([same, one])}) == 2
    text = str(State([one]))
    assert text.count("(") + text.count("[") >= levels - 1
    assert is_ground(one)
    assert list(match((V, one), (one, same), {}))
    assert not list(match(more, one, {}))
    assert term_key(evaluate((V, one), {V: more})) == term_key((more, same))


@every_depth
@pytest.mark.parametrize("wrap", [WRAPS["terms"], WRAPS["mixed"]], ids=["terms", "mixed"])
@pytest.mark.parametrize("engine", ENGINES)
def test_deep_terms_are_searched_as_multisets_replayed_and_read_back(
    wrap: Wrap, engine: str, levels: int
) -> None:
    bottom = freeze(deep(wrap, 0, levels))
    grow = Puzzle(rule(f"grow {V}", take=[F(V)], put=[F(G(V))]), start=[F(bottom)])
    found = search(grow, goal=contains(F(G(G(bottom)))), engine=engine, max_depth=4)
    assert len(found.path or ()) == 2
    assert found.path is not None
    assert found.states == 3
    assert search(grow, goal=exactly(F(G(bottom))), engine=engine).path == Path(
        grow, found.path.states[:2]
    )
    assert replay(grow, None, found.path) == found.path
    assert replay(grow, None, found.path.labels) == found.path
    again = Result.from_json(found.to_json(), grow, constructors=[F, G])
    assert again.path == found.path
    assert again.path.labels == found.path.labels
    assert moves(grow, [F(bottom)])[0].after == found.path.states[1]
    assert len(explore(grow, max_depth=2)) == 3


@every_depth
@pytest.mark.parametrize("engine", ENGINES)
def test_deep_terms_are_searched_in_slots(engine: str, levels: int) -> None:
    bottom, other = deep(G, 0, levels), deep(G, 1, levels)
    swap = rule(
        f"swap {N} and {N + 1}", take=[At(N, V), At(N + 1, W)], put=[At(N, W), At(N + 1, V)]
    )
    puzzle = Puzzle(swap, start=[At(0, bottom), At(1, 7), At(2, 8), At(3, other)])
    found = search(puzzle, goal=contains(At(3, bottom)), engine=engine)
    assert len(found.path or ()) == 3
    known = distances(puzzle, engine=engine)
    assert (known.states, known.depth) == (24, 6)
    assert known.distance([At(3, deep(G, 0, levels)), At(2, 7), At(1, 8), At(0, other)]) == 6


def test_a_term_that_grows_level_by_level_is_searched_as_deep_as_asked() -> None:
    grow = Puzzle(rule("grow", take=[F(V)], put=[F(G(V))]), start=[F(0)])
    for engine in ENGINES:
        found = search(grow, goal=contains(99), max_depth=1_500, engine=engine)
        assert (found.status, found.limit, found.states) == ("limit", "max_depth", 1_501)


def test_terms_too_deep_for_the_stack_of_c_are_made_and_refused_by_searches() -> None:
    start = State([deep(G, 0, 50_000)])
    assert start == State([deep(G, 0, 50_000)])
    puzzle = Puzzle(rule("open", take=[G(V)], put=[V]))
    with pytest.raises(SearchError, match="start holds a term nested 50,000 levels deep; sea"):
        search(puzzle, start, contains(0))


def total(number: int) -> Any:
    made: Any = X
    for step in range(number):
        made = made + step % 3
    return made


def nested_choice(number: int) -> Any:
    made: Any = X
    for step in range(number):
        made = if_(-step - 1 == X, step, made)
    return made


@fn
def increased(number: int) -> int:
    return number + 1


def calls(number: int) -> Any:
    made: Any = X
    for _ in range(number):
        made = increased(made)
    return made


@every_depth
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [total, nested_choice, calls], ids=lambda make: make.__name__)
def test_deep_expressions_are_printed_evaluated_and_searched(
    make: Callable[[int], Any], engine: str, levels: int
) -> None:
    expression = make(levels)
    assert list(mentioned(expression)) == [X] == list(binders(X))
    worth = levels + 1
    if make is not calls:
        worth = 1 if make is nested_choice else 1 + sum(step % 3 for step in range(levels))
    assert evaluate(expression, ONE) == worth
    assert len(repr(expression)) > levels
    puzzle = Puzzle(
        rule(f"{X} counts", take=["go", X], put=[("is", expression)], when=expression >= X,
             cost=expression),
        start=["go", 1],
    )  # fmt: skip
    found = search(puzzle, goal=contains(("is", N), when=worth == N), engine=engine)
    assert found.path is not None
    assert (found.path.labels, found.path.cost) == (["1 counts"], worth)


@every_depth
def test_a_condition_of_many_parts_is_tested_from_left_to_right_as_far_as_needed(
    levels: int,
) -> None:
    left: Any = X >= 0
    right: Any = X >= 0
    for number in range(levels):
        left, right = left & (-number - 1 != X), (number + 10 != X) & right
    puzzle = Puzzle(rule(f"from {X}", take=[X], put=[X + 1], when=[left, right]), start=[1])
    for engine in ENGINES:
        found = search(puzzle, goal=contains(9), engine=engine)
        assert found.path is not None
        assert found.path.labels[-1] == "from 8"
        assert search(puzzle, goal=contains(12), engine=engine).status == "exhausted"
    # what stands behind a test that fails is not asked, however deep: 1 // 0 has no value
    assert evaluate(if_(X == 1, 5, deep(lambda one: one + 1 // (X - 1), X, levels)), ONE) == 5


def test_patterns_that_nest_too_deep_around_a_variable_are_refused() -> None:
    for make in (
        lambda: rule("x", take=[deep(G, V, 101)]),
        lambda: rule("x", take=[V], put=[deep(G, V, 101)]),
        lambda: contains(deep(lambda one: (one, 1), V, 101)),
    ):
        with pytest.raises(RuleError, match="nests 101 levels around a variable; at most 100 can"):
            make()
    puzzle = Puzzle(rule("open", take=[deep(G, V, 100)], put=[V]), start=[deep(G, 3, 100)])
    for engine in ENGINES:
        assert len(search(puzzle, goal=contains(3), engine=engine).path or ()) == 1


def test_conditions_joined_too_deep_are_refused_and_a_list_is_not() -> None:
    def chain() -> Any:
        made: Any = contains(0)
        for number in range(101):
            made = made & contains(number)
        return made

    with pytest.raises(RuleError, match="conditions are joined 101 levels deep; at most 100"):
        chain()
    puzzle = Puzzle(rule("x", take=["go"], put=["gone"]), start=["go", *range(200)])
    goal = [contains("gone"), *[contains(number) for number in range(200)]]
    assert len(search(puzzle, goal=goal, engine="python").path or ()) == 1


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    with pytest.raises(TermError, match="a list that holds itself cannot be a term"):
        State([endless])


def test_deep_terms_need_little_stack_of_c() -> None:
    told: list[Any] = []

    def work() -> None:
        bottom = deep(WRAPS["mixed"])
        grow = Puzzle(rule("grow", take=[F(V)], put=[F(G(V))]), start=[F(bottom)])
        found = search(grow, goal=contains(F(G(freeze(bottom)))))
        told.append(len(str(found.path.end)) if found.path else None)

    size = threading.stack_size(1 << 22)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert told[0] > 4 * VERY_DEEP // 3
    assert sys.getrecursionlimit() <= 1_000

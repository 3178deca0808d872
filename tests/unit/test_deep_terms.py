"""Terms and expressions have at most 500 levels: there all is done with them that is done with any
value, and one level more is refused wherever it comes up.
"""

import copy
import pickle
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from rewrite import (
    Bag,
    ExpressionError,
    Path,
    Puzzle,
    PuzzleError,
    Result,
    RewriteError,
    RuleError,
    SearchError,
    State,
    TermError,
    bags,
    chain,
    contains,
    distances,
    exactly,
    explain,
    explore,
    fn,
    if_,
    interchangeable,
    ints,
    length,
    moves,
    one_of,
    replay,
    rule,
    search,
    seqs,
    term,
    terms,
    to_maude,
)
from rewrite.language.evaluation import evaluate
from rewrite.language.expressions import Variable
from rewrite.language.matching import match
from rewrite.language.nesting import MOST_LEVELS
from rewrite.language.order import levels_of, term_key
from rewrite.language.patterns import binders, mentioned
from rewrite.language.terms import freeze, is_ground
from tests.engines import quiet


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


U, V, W = terms("U V W")
S, B = seqs("S"), bags("B")
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
every_wrap = pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
every_engine = pytest.mark.parametrize("engine", ENGINES)
pytestmark = quiet


def deep(wrap: Wrap, levels: int, core: Any = 0) -> Any:
    by = 3 if wrap is WRAPS["mixed"] else 1
    for _ in range(levels % by):
        core = (core,)
    for _ in range(levels // by):
        core = wrap(core)
    return core


def at(frames: int, work: Callable[[], Any]) -> Any:
    """Call a function from so many calls further down."""
    return work() if frames == 0 else at(frames - 1, work)


def test_the_bound_is_the_one_that_the_reference_states() -> None:
    assert MOST_LEVELS == 500


@every_wrap
def test_at_the_bound_terms_are_made_compared_hashed_sorted_printed_and_sent(wrap: Wrap) -> None:
    one, same, more = (freeze(deep(wrap, 500, core)) for core in (0, 0, 1))
    assert levels_of(one) == 500
    assert term_key(one) == term_key(same)
    assert hash(term_key(one)) == hash(term_key(same))
    assert term_key(one) < term_key(more) > term_key(same)
    states = [State([more, one]), State([one, same])]
    assert sorted(states) == states[::-1]
    assert states[1].count(one) == 2
    assert states[0] == State([same, more]) != states[1]
    assert len({*states, State([same, one])}) == 2
    text = str(State([one]))
    assert text.count("(") + text.count("[") == 501
    assert is_ground(one)
    assert list(match((V, one), (one, same), {}))
    assert not list(match(more, one, {}))
    assert term_key(evaluate((V, one), {V: more})) == term_key((more, same))
    assert pickle.loads(pickle.dumps(states)) == states
    assert copy.deepcopy(states[0]) is states[0]
    view: Any = chain()
    assert view(states[0])
    assert view.drawing(states[0]).svg()


@every_wrap
@every_engine
def test_at_the_bound_terms_are_searched_replayed_and_read_back(wrap: Wrap, engine: str) -> None:
    bottom = freeze(deep(wrap, 497))
    grow = Puzzle(rule(f"grow {V}", take=[F(V)], put=[F(G(V))]), start=[F(bottom)])
    found = search(grow, goal=contains(F(G(G(bottom)))), engine=engine)
    assert (len(found.paths[0]), found.states) == (2, 3)
    assert search(grow, goal=exactly(F(G(bottom))), engine=engine).path == Path(
        grow, found.paths[0].states[:2]
    )
    assert replay(grow, None, found.paths[0].labels) == found.paths[0]
    text = found.to_json()
    again = Result.from_json(text, grow, constructors=[F, G])
    assert again.path == found.paths[0]
    assert again.path.labels == found.paths[0].labels
    assert again.to_json() == text
    sent = pickle.loads(pickle.dumps(found))
    assert (sent.path, sent.path.steps) == (found.paths[0], found.paths[0].steps)
    assert moves(grow, found.paths[0].states[1])[0].after == found.paths[0].end
    assert len(explore(grow, max_depth=1, engine=engine)) == 2
    maude = to_maude(grow, found.paths[0].end)
    assert max(map(len, maude.splitlines())) > 500


@every_wrap
@every_engine
def test_at_the_bound_terms_are_searched_in_slots(engine: str, wrap: Wrap) -> None:
    bottom, other = deep(wrap, 499), deep(wrap, 499, 1)
    swap = rule(
        f"swap {N} and {N + 1}", take=[At(N, V), At(N + 1, W)], put=[At(N, W), At(N + 1, V)]
    )
    puzzle = Puzzle(swap, start=[At(0, bottom), At(1, 7), At(2, 8), At(3, other)])
    found = search(puzzle, goal=contains(At(3, bottom)), engine=engine)
    assert len(found.path or ()) == 3
    known = distances(puzzle, engine=engine)
    assert (known.states, known.depth) == (24, 6)
    assert known.distance([At(3, deep(wrap, 499)), At(2, 7), At(1, 8), At(0, other)]) == 6


@fn
def wrapped(value: Any) -> Any:
    return (value,)


@fn
def as_it_is(value: Any) -> Any:
    return value


NEAR = deep(G, 470)
"""Not far from the bound: each search from there on tries all levels that follow."""
GROWING = {
    "a term": Puzzle(rule("grow", take=[F(V)], put=[F(G(V))]), start=[F(NEAR)]),
    "in slots": Puzzle(rule("grow", take=[At(1, V)], put=[At(1, G(V))]), start=[At(1, NEAR)]),
    "a sequence": Puzzle(rule("grow", take=[V], put=[(V,)]), start=[(NEAR,)]),
    "elements": Puzzle(rule("grow", take=[(*S,)], put=[(S,)]), start=[(NEAR,)]),
    "a bag": Puzzle(rule("grow", take=[[*B]], put=[[B]]), start=[[NEAR]]),
    "let": Puzzle(rule("grow", take=[V], let={W: (V, 1)}, put=[W]), start=[(NEAR,)]),
    "an if": Puzzle(rule("grow", take=[V], put=[if_(V == 0, 1, (V,))]), start=[(NEAR,)]),
    "a call": Puzzle(rule("grow", take=[V], put=[(as_it_is(V),)]), start=[(NEAR,)]),
    "a function": Puzzle(rule("grow", take=[V], put=[wrapped(V)]), start=[(NEAR,)]),
    "two rules": Puzzle(
        rule("grow", take=[F(V)], put=[G(V)]), rule("turn", take=[G(V)], put=[F((V,))]),
        start=[F(NEAR)],
    ),
    "simplify": Puzzle(
        rule("go", take=[F(V)], put=["x", F(V)]), start=[F(NEAR)],
        simplify=[rule("grow", take=["x", F(V)], put=[F(G(V))])],
    ),
    "a fact": Puzzle(
        rule("go", take=[X], put=[X - 1], when=X > 0),
        rule("grow", take=[0], keep=[F(V)], put=[G(F(V))]), facts=[F(deep(G, 499))], start=[3],
    ),
}  # fmt: skip


@every_engine
@pytest.mark.parametrize("name", GROWING)
def test_a_search_ends_with_an_error_where_a_rule_would_put_a_deeper_term(
    name: str, engine: str
) -> None:
    puzzle = GROWING[name]
    with pytest.raises(RuleError, match=r"levels deep; at most 500 are possible\. Write") as raised:
        search(puzzle, goal=contains("never"), engine=engine)
    error = raised.value
    assert isinstance(error.state, State)
    assert error.rule in ("grow", "turn")
    assert str(error).startswith(f"rule {error.rule!r} failed in ")
    assert levels_of(error.state) - 1 == (0 if name == "a fact" else 500)
    with pytest.raises(RuleError, match="levels deep"):
        explore(puzzle, engine=engine)
    with pytest.raises(RuleError, match="levels deep"):
        search(puzzle, goal=contains("never"), engine=engine, strategy="greedy", heuristic=0)
    with pytest.raises(RuleError, match="levels deep"):  # by the definition
        moves(puzzle, error.state)
    depth = search(puzzle, goal=contains("never"), engine=engine, max_depth=2)
    assert depth.limit == "max_depth"


@every_engine
def test_a_value_that_is_only_looked_at_may_be_one_level_deeper(engine: str) -> None:
    puzzle = Puzzle(
        rule("no", take=[V], put=["a"], when=(V,) == W, keep=[W]),
        rule("yes", take=[V], put=["b"], when=(V,) != V),
        facts=["f"], start=[deep(G, 500)],
    )  # fmt: skip
    assert len(search(puzzle, goal=exactly("b"), engine=engine, max_depth=1).path or ()) == 1
    rest = contains(F(1), *B, when=B != 1)  # a nested bag of what the state has beside
    assert search(puzzle, [F(1), deep(G, 500)], rest, engine=engine, max_depth=0)


ENDLESS: list[Any] = [1]
ENDLESS.append(ENDLESS)
DEEP = deep(G, 500)
WRITTEN: dict[str, tuple[Callable[[], Any], str]] = {
    "a constructor": (lambda: G(DEEP), r"G\(…\) nests 501 levels deep"),
    "a sequence in one": (lambda: G((deep(G, 499),)), "nests 501 levels deep"),
    "a sequence in a state": (lambda: State([(DEEP,)]), "a term nests 501 levels deep"),
    "a list in a state": (
        lambda: State([deep(WRAPS["bags"], 501)]), "a list nests more than 500 levels deep"),
    "a very deep sequence": (
        lambda: State([deep(WRAPS["sequences"], 100_000)]), "a tuple nests more than 500 levels"),
    "a list that holds itself": (lambda: State([ENDLESS]), "a list nests more than 500 levels"),
    "a bag": (lambda: Bag([DEEP]), r"Bag\(…\) nests 501 levels deep"),
    "a pattern": (lambda: rule("x", take=[(DEEP,)]), "a term nests 501 levels deep"),
    "a template": (lambda: rule("x", take=[V], put=[(V, DEEP)]), "a term nests 501 levels deep"),
    "a goal": (lambda: contains((DEEP, X)), "a term nests 501 levels deep"),
    "a symmetry": (lambda: interchangeable((DEEP,), 1), "a term nests 501 levels deep"),
    "a start": (
        lambda: search(Puzzle(rule("x", take=[X])), [(DEEP,)], contains(X)),
        "a term nests 501 levels deep"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_one_level_more_is_refused_where_it_is_written(name: str) -> None:
    write, text = WRITTEN[name]
    with pytest.raises(TermError, match=f"{text}.*at most 500 are possible. Write long chains as"):
        write()


def test_one_level_more_is_refused_in_facts() -> None:
    with pytest.raises(PuzzleError, match="facts=: a term nests 501 levels deep; at most 500"):
        Puzzle(rule("x", take=[X]), facts=[(DEEP,)])


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("levels", [501, 700, 100_000])
def test_one_level_more_is_refused_where_it_is_read(levels: int, older: bool) -> None:
    puzzle = Puzzle(rule("x", take=[(*S,)], put=[S]), start=[()])
    text = Path(puzzle, [State([()])]).to_json()
    empty = '"states": [[[]]]'
    assert empty in text
    opening, closing = ('{"bag": [', "]}") if older else ("[", "]")
    inner = opening * levels + closing * levels
    with pytest.raises(SearchError, match=r"at most 500 levels \(long chains are wr"):
        Path.from_json(text.replace(empty, f'"states": [[{inner}]]'), puzzle)


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


# what makes an expression, and of how many such parts it has 499 levels
MADE = {"total": (total, 499), "nested_choice": (nested_choice, 498), "calls": (calls, 499)}


@every_engine
@pytest.mark.parametrize("name", MADE)
def test_at_the_bound_expressions_are_printed_sent_evaluated_and_searched(
    name: str, engine: str
) -> None:
    make, parts = MADE[name]
    expression = make(parts)
    assert levels_of(expression >= X) == 500
    assert list(mentioned(expression)) == [X] == list(binders(X))
    worth = {"calls": 500, "nested_choice": 1, "total": 1 + sum(n % 3 for n in range(499))}[name]
    assert evaluate(expression, ONE) == worth
    assert len(repr(expression)) > 500
    assert repr(pickle.loads(pickle.dumps(expression))) == repr(expression)
    puzzle = Puzzle(
        rule(f"{X} counts", take=["go", X], put=[("is", expression)], when=expression >= X,
             cost=expression),
        start=["go", 1],
    )  # fmt: skip
    found = search(puzzle, goal=contains(("is", N), when=worth == N), engine=engine)
    assert (found.paths[0].labels, found.paths[0].cost) == (["1 counts"], worth)


@pytest.mark.parametrize("name", MADE)
def test_expressions_of_one_level_more_are_refused(name: str) -> None:
    make, parts = MADE[name]
    with pytest.raises(ExpressionError, match="an expression nests 501 levels deep; at most 500"):
        make(parts + 2)


@every_engine
def test_a_condition_of_many_parts_is_tested_from_left_to_right_as_far_as_needed(
    engine: str,
) -> None:
    left: Any = X >= 0
    right: Any = X >= 0
    for number in range(498):
        left, right = left & (-number - 1 != X), (number + 10 != X) & right
    puzzle = Puzzle(rule(f"from {X}", take=[X], put=[X + 1], when=[left, right]), start=[1])
    found = search(puzzle, goal=contains(9), engine=engine)
    assert found.paths[0].labels[-1] == "from 8"
    assert search(puzzle, goal=contains(12), engine=engine).status == "exhausted"
    # what stands behind a test that fails is not asked, however deep: 1 // 0 has no value
    assert evaluate(if_(X == 1, 5, deep(lambda one: one + 1 // (X - 1), 400, X)), ONE) == 5


def test_a_formula_begins_anew_where_it_would_nest_too_deep() -> None:
    count = Puzzle(rule("on", take=[X], put=[X + 1], when=X < 600), start=[0], goal=contains(600))
    path = search(count).paths[0]
    assert path.formula(499) == "0" + " + 1" * 499
    assert path.formula(600).startswith("501 + 1")
    assert eval(path.formula(600)) == 600


def test_patterns_that_nest_too_deep_around_a_variable_are_refused() -> None:
    for make in (
        lambda: rule("x", take=[deep(G, 101, V)]),
        lambda: rule("x", take=[V], put=[deep(G, 101, V)]),
        lambda: contains(deep(lambda one: (one, 1), 101, V)),
        lambda: rule("x", take=[V], put=[1], when=length(deep(G, 101, V)) > 1),
        lambda: as_it_is(deep(G, 101, V)),
        lambda: if_(V == 1, deep(G, 51, if_(V == 2, deep(G, 50, V), 1)), 1),
        lambda: rule("x", take=[V], let={W: deep(G, 101, V)}, put=[1]),
        lambda: rule("x", take=[X], let={V: deep(G, 51, W), W: deep(G, 50, X)}, put=[1]),
        lambda: rule("x", take=[X], let={V: one_of(1, deep(G, 51, W)), W: deep(G, 50, X)}, put=[1]),
    ):
        with pytest.raises(RuleError, match="nests 101 levels around a variable; at most 100 can"):
            make()
    puzzle = Puzzle(rule("open", take=[deep(G, 100, V)], put=[V]), start=[deep(G, 100, 3)])
    for engine in ENGINES:
        assert len(search(puzzle, goal=contains(3), engine=engine).path or ()) == 1


@every_engine
def test_values_between_are_as_deep_as_the_levels_that_are_written_around_a_variable(
    engine: str,
) -> None:
    lets = {W: deep(G, 50, V), U: deep(G, 50, W), X: length((deep(G, 99, U),))}
    more = rule("more", take=[V], let=lets, put=[X], when=deep(G, 100, U) != W)
    puzzle = Puzzle(more, start=[DEEP], goal=contains(1))
    assert len(search(puzzle, engine=engine).path or ()) == 1
    assert len(moves(puzzle, puzzle.start)) == 1
    longer_ones = [S, *(Variable(f"S{number}", "seq") for number in range(1, 61))]
    long = {one: (1, *before) for before, one in pairwise(longer_ones)}
    longer = rule("longer", take=[(*S,)], let=long, put=[longer_ones[-1]])
    assert search(Puzzle(longer, start=[()], goal=contains((1,) * 60)), engine=engine)


def test_conditions_joined_too_deep_are_refused_and_a_list_is_not() -> None:
    def joined() -> Any:
        made: Any = contains(0)
        for number in range(101):
            made = made & contains(number)
        return made

    with pytest.raises(RuleError, match="conditions are joined 101 levels deep; at most 100"):
        joined()
    puzzle = Puzzle(rule("x", take=["go"], put=["gone"]), start=["go", *range(200)])
    goal = [contains("gone"), *[contains(number) for number in range(200)]]
    assert len(search(puzzle, goal=goal, engine="python").path or ()) == 1


@every_engine
def test_where_the_caller_left_no_room_on_the_stack_an_error_says_so(engine: str) -> None:
    bottom = deep(WRAPS["sequences"], 498)
    grow = Puzzle(rule("grow", take=[F(V)], put=[F(G(V))]), start=[F(bottom)])
    goal = contains(F(G(bottom)))
    assert at(300, lambda: search(grow, goal=goal, engine=engine))
    for work in (
        lambda: search(grow, goal=goal, engine=engine),
        lambda: moves(grow, grow.start),
        lambda: replay(grow, None, ["grow"]),
        lambda: explain(grow, grow.start, "grow"),
    ):
        with pytest.raises(RewriteError, match="Python's stack has no room left for it"):
            at(700, work)


def test_deep_terms_need_little_stack_of_c() -> None:
    texts: list[str] = []

    def work() -> None:
        bottom = freeze(deep(WRAPS["mixed"], 498))
        grow = Puzzle(rule("grow", take=[F(V)], put=[F(G(V))]), start=[F(bottom)])
        for engine in ENGINES:
            found = search(grow, goal=contains(F(G(bottom))), engine=engine)
            texts.append(str(found.path.end) if found.path else "")

    size = threading.stack_size(1 << 20)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert [len(text) > 4 * 498 // 3 for text in texts] == [True, True]

"""The engine finds what the definition of the rules says: states, costs, goals, values, levels.

Random puzzles are explored breadth first by `meaning.successors`, as far as a bound; each state is
then given to the engine; hypothesis reports the smallest puzzle where the two differ.
"""

import operator
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, note
from hypothesis import strategies as st

from rewrite.compile.capacity import LEAST, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.engine.interface import Engine
from rewrite.errors import RewriteError, RuleError, SimplifyError
from rewrite.language import meaning
from rewrite.language.bag import Bag
from rewrite.language.builtins import between, digits, divides
from rewrite.language.conditions import contains, count
from rewrite.language.evaluation import NoValue
from rewrite.language.expressions import ANY
from rewrite.language.functions import bags, ints, one_of, seqs, terms
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.search.api import search
from tests.engines import quiet
from tests.property.by_definition import first_states
from tests.property.set_puzzles import set_puzzles
from tests.property.strategies import At, Box, Flag, aggregate, begun, puzzles

STATES, DEPTH = 40, 3
M, N = ints("M N")

pytestmark = quiet


@st.composite
def questions(draw: Any) -> tuple[Puzzle, list[Any]]:
    """A puzzle with a start, and aggregates to be valued in its states."""
    puzzle = draw(puzzles() | set_puzzles())
    items = [*puzzle.start.items, *puzzle.facts.items]
    return puzzle, [aggregate(draw, {}, items) for _ in range(draw(st.integers(0, 2)))]


def defined(puzzle: Puzzle) -> dict[State, set[tuple[int, State]]]:
    """The states within DEPTH steps, as far as STATES go, each with what follows it."""
    try:
        known = first_states(puzzle, STATES, DEPTH)
    except SimplifyError:
        assume(False)
    return {state: {(way.cost, way.after) for way in ways} for state, ways in known.items()}


def by_engine(puzzle: Puzzle, values: list[Any], states: list[State]) -> dict[State, Any]:
    """What the engine says of each state: its successors with costs, goal, values."""
    capacity = LEAST
    while True:
        try:
            goal = None if puzzle.goal is None else meaning.normal_goal(puzzle, puzzle.goal)
            engine = build(Task(puzzle, begun(puzzle), goal, tuple(values)), capacity)
            return {state: told(engine, values, state) for state in states}
        except NeedsCapacity as needs:
            if needs.capacity in capacity:
                raise AssertionError(f"the engine asked twice for {needs.capacity}") from needs
            capacity |= needs.capacity


def told(engine: Engine, values: list[Any], state: State) -> Any:
    code = engine.encode(state)
    assert engine.decode(code) == state
    weighted = engine.weighted(code)
    assert [successor for _, successor in weighted] == engine.successors(code)
    seen: dict[Any, Any] = {}
    fresh: list[Any] = []
    engine.grow([code], seen, fresh)
    assert fresh == list(dict.fromkeys(engine.successors(code)))
    return (
        {(cost, engine.decode(successor)) for cost, successor in weighted},
        engine.goal(code),
        [engine.value(index, code) for index in range(len(values))],
    )


def judged(puzzle: Puzzle, values: list[Any], state: State) -> tuple[bool, list[Any]]:
    found: list[Any] = []
    for value in values:
        try:
            found.append(meaning.value_of(puzzle, value, state))
        except NoValue:
            found.append(None)
    return puzzle.goal is not None and meaning.is_goal(puzzle, state, puzzle.goal), found


@given(questions())
def test_the_engine_gives_every_state_the_successors_goals_and_values_of_the_definition(
    asked: tuple[Puzzle, list[Any]],
) -> None:
    puzzle, values = asked
    known = defined(puzzle)
    try:
        judgements = {state: judged(puzzle, values, state) for state in known}
    except RewriteError:
        assume(False)
    engine = by_engine(puzzle, values, list(known))
    for state, expected in known.items():
        found, goal, valued = engine[state]
        note(f"{state}: missing {expected - found}, invented {found - expected}")
        assert found == expected
        assert goal == judgements[state][0]
        for mine, theirs in zip(valued, judgements[state][1], strict=True):
            if type(theirs) in (int, str, type(None)):
                assert (type(mine), mine) == (type(theirs), theirs)


@given(puzzles() | set_puzzles())
def test_rules_that_take_and_keep_the_same_share_their_loops_and_nothing_else(
    puzzle: Puzzle,
) -> None:
    """Each rule gets a twin with the same `take` and `keep`, which puts less and asks nothing."""
    pairs = [(one, evolve(one, put=one.put[1:], when=(), absent=())) for one in puzzle.rules]
    twins = puzzle.replace(rules=pairs, goal=None)
    known = defined(twins)
    found = by_engine(twins, [], list(known))
    assert {state: told[0] for state, told in found.items()} == known


# -- variables that a rule treats alike --------------------------------------------------------


@pytest.mark.parametrize("when", [[], [M >= N], [N >= M], [M + N > 0, abs(M - N) < 10**6]])
@pytest.mark.parametrize("size", [2, 3, 6, 9])
def test_variables_that_a_rule_treats_alike_are_tried_once(when: list[Any], size: int) -> None:
    numbers = [3**n for n in range(size)]
    puzzle = Puzzle(rule("add", take=[M, N], put=[M + N], when=when), start=numbers)
    result = search(puzzle, None, contains(-1), max_depth=1)
    if size > 2:
        result = search(puzzle, None, contains(-1), max_states=2)
    pairs = size * (size - 1) // 2
    assert result.expanded == (1 if size > 2 else 2)
    assert (result.rules["add"].tried, result.rules["add"].fired) == (pairs, pairs)
    assert result.states == 1 + pairs


def test_variables_that_a_rule_treats_differently_are_tried_both_ways() -> None:
    puzzle = Puzzle(rule("sub", take=[M, N], put=[M - N]), start=[1, 3, 9, 27])
    result = search(puzzle, None, contains(-99), max_states=2)
    assert (result.expanded, result.rules["sub"].fired, result.states) == (1, 12, 13)


def test_a_rule_that_fails_in_the_engine_fails_in_the_definition_too() -> None:
    puzzle = Puzzle(rule("cost", take=[M], put=[M - 1], cost=M), start=[1])
    engine = build(Task(puzzle, State([1])))
    with pytest.raises(EngineFailure):
        engine.weighted(engine.encode(State([-1])))
    with pytest.raises(RewriteError, match=r"a cost is a whole number of 0 or more, found -1"):
        meaning.successors(puzzle, State([-1]))
    after = {(way.cost, way.after) for way in meaning.successors(puzzle, State([1]))}
    weighted = engine.weighted(engine.encode(State([1])))  # the failure has not harmed the engine
    assert {(cost, engine.decode(code)) for cost, code in weighted} == after == {(1, State([0]))}


# -- what other programs and reviewers found -----------------------------------------------------

X, Y = ints("X Y")
L = terms("L")
SLOTS = [At(0, 1), At(1, 1), Box(0)]


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle(rule("s", take=[M, N, 1], put=[0]), start=[0, 1, 1, 5]),
        Puzzle(rule("s", take=[M, N, X], put=[M + N + X]), start=[0, 1, 1, 1, 5]),
        Puzzle(rule("a", take=[(M, N)], put=[1], when=~between(0, N, 1 // M)), start=[(0, -5)]),
        Puzzle(rule("a", take=[(M, N)], put=[1], when=~divides(M, 1 // M)), start=[(0, -5)]),
        Puzzle(rule("a", take=[Y], put=[X, Y], let={X: one_of(1, 1 // Y, 3)}), start=[0]),
        Puzzle(rule("f", take=[M], keep=[Flag()], put=[M // 2]), start=[2], facts=[Flag(), Flag()]),
        Puzzle(rule("c", take=[M], put=[Box(9)], absent=[Box(count(N))]), start=[1, 3, Box(1)]),
        Puzzle(rule("p", take=[At(0, M)], put=[At(0, count(At(1, N)))], when=M < 5), start=SLOTS),
        Puzzle(rule("a", take=[At(N, M)], put=[At(N, 5)], absent=At(N, count(Box(M)))),
               start=SLOTS),
        Puzzle(rule("g", take=[At(N, M)], put=[At(N, M - 1)], when=M > 0), start=SLOTS,
               goal=contains(At(N, count(Box(M))))),
        Puzzle(rule("y", take=[At(N, M)], put=[At(N, X)], let={(X, ANY): one_of((0, N), (1, 1))}),
               start=SLOTS),
        Puzzle(rule("z", take=[At(N, M)], put=[At(N, X)], let={(X, M + 1): one_of((0, 2), (1, 1))}),
               start=SLOTS),
        Puzzle(rule("w", take=[At(N, M)], put=[At(N, X)], let={(M, X): (M, N)}), start=SLOTS),
    ],
    ids=["a constant beside alike variables", "three alike", "between", "divides", "one_of",
         "facts without fields", "what is left is counted", "put", "absent", "goal", "ANY in let",
         "a let compared with a slot", "a let of a slot"],
)  # fmt: skip
def test_systems_that_once_differed_agree(puzzle: Puzzle) -> None:
    known = defined(puzzle)
    found = by_engine(puzzle, [], list(known))
    assert {state: told[0] for state, told in found.items()} == known


OPERATIONS = [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("operand", [1 // N, digits(N)[5]], ids=["division", "item"])
@pytest.mark.parametrize("wrap", [lambda *parts: parts, At], ids=["multiset", "slots"])
def test_what_has_no_value_comes_before_what_is_not_a_number(
    operation: Any, operand: Any, wrap: Any
) -> None:
    """`"a" + 1 // 0` has no value, so the rule does not apply: that `"a"` is no number is moot."""
    made = operation(L, operand)
    guarded = rule("ask", take=[wrap(L, N)], put=[wrap(L, N)], when=made == 3)
    puzzle = Puzzle(
        rule("put", take=[wrap(L, N)], put=[wrap(made, N)]), guarded, start=[wrap("a", 0)]
    )
    assert puzzle.start is not None
    assert meaning.successors(puzzle, puzzle.start) == []
    assert by_engine(puzzle, [], [puzzle.start]) == {puzzle.start: (set(), False, [])}
    for engine in ("python", "auto"):
        assert search(puzzle, None, contains(7), engine=engine).status == "exhausted"


def test_an_operation_on_a_value_that_is_no_number_fails_where_the_other_has_a_value() -> None:
    puzzle = Puzzle(rule("put", take=[(L, N)], put=[(L - 6 // N, N)]), start=[(8, 2)])
    assert puzzle.start is not None
    found = by_engine(puzzle, [], [puzzle.start])
    assert found == {puzzle.start: ({(1, State([(5, 2)]))}, False, [])}
    for engine in ("python", "auto"):
        with pytest.raises(RuleError, match="needs a whole number, found 'a'"):
            search(puzzle, [("a", 2)], contains(7), engine=engine)


def test_a_splice_of_what_is_no_sequence_does_not_match() -> None:
    """L is True, and `(*True,)` no term: so what must be absent is absent."""
    puzzle = Puzzle(
        rule("none", take=[0], put=[0]), start=[[]], facts=[Box("a"), Box(Box(True))],
        goal=contains(Box(Box(L)), Bag([]), absent=Box((*L,))),
    )  # fmt: skip
    assert puzzle.start is not None
    found = by_engine(puzzle, [], [puzzle.start])
    assert found == {puzzle.start: (set(), True, [])}
    assert judged(puzzle, [], puzzle.start) == (True, [])


def test_a_bound_splice_before_another_one_does_not_match_where_it_is_no_sequence() -> None:
    """Where L is 4, `(*4, *S)` is no term; `(*(1,), *S)` is one, and it stands in the state."""
    whole = contains(L, absent=[(*L, *seqs("S"))])
    puzzle = Puzzle(rule("none", take=[0], put=[0]), start=[4, (1,)], goal=whole)
    assert puzzle.start is not None
    other = State([(1,)])
    found = by_engine(puzzle, [], [puzzle.start, other])
    assert found == {puzzle.start: (set(), True, []), other: (set(), False, [])}
    assert judged(puzzle, [], puzzle.start) == (True, [])


def test_a_choice_among_the_elements_of_spliced_sequences_and_bags() -> None:
    rest, box = seqs("rest"), bags("box")
    parts = one_of(*rest, N, *box)
    chosen = rule("x", take=[(*rest, N), Box(box)], let={L: parts}, put=[L])
    puzzle = Puzzle(chosen, start=[(1, 2, 3), Box(["a", "a"])])
    assert puzzle.start is not None
    found = by_engine(puzzle, [], [puzzle.start])
    assert found == {puzzle.start: ({(1, State([one])) for one in (1, 2, 3, "a")}, False, [])}

"""Real Maude finds as many states as our engine, depth by depth, in random rule systems.

A puzzle is written out by `to_maude`, read by Maude in this process (the package `maude` from PyPI)
and searched there. Nothing is shared but the text. Maude must read it without a warning: an
ambiguous term is read one way or the other.
"""

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st

pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")

import rewrite as f
from rewrite import maude_module
from rewrite.errors import ExportError, ReadError, RuleError
from rewrite.export.maude import to_maude
from rewrite.language.conditions import contains, exactly, lacks, terminal, total
from rewrite.language.meaning import is_goal, simplified
from rewrite.language.patterns import variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.terms import term
from rewrite.search.tasks.explore import explore
from tests.engines import quiet
from tests.property.strategies import Draw, chance, choice, puzzles
from tests.unit.export.real_maude import read, states

DEPTH, STATES = 3, 300
TITLES = count(1)
M, N, X, Y, Z = f.ints("M N X Y Z")

pytestmark = quiet


@term
class Fixed:
    number: int


def seen_by_maude(text: str, depth: int) -> list[int]:
    """How many states Maude sees within 0, 1, … depth steps. Raises AssertionError on a warning."""
    module = read(text)
    return [states(module, depth=bound) for bound in range(depth + 1)]


def seen_by_us(puzzle: Puzzle, depth: int) -> list[int]:
    """The same by our engine, as far as STATES go."""
    for bound in range(depth, -1, -1):
        space = explore(puzzle, max_depth=bound, max_states=STATES)
        if space.limit is None or "max_depth" in space.limit:
            return [sum(1 for level in space.level if level <= d) for d in range(bound + 1)]
    raise AssertionError("the start alone is one state")


def written(puzzle: Puzzle) -> str:
    """The puzzle as a module of its own; an example that Maude cannot express does not count."""
    try:
        return to_maude(puzzle, name=f"RANDOM-{next(TITLES)}")
    except ExportError:
        assume(False)
        raise


def check(puzzle: Puzzle, depth: int) -> None:
    text = written(puzzle)
    try:
        ours = seen_by_us(puzzle, depth)
    except RuleError:  # a value of the wrong type: an error here, and in Maude no rule applies
        assume(False)
    note(text)
    event("no rule applies" if ours[-1] == 1 else "rules apply")
    assert seen_by_maude(text, len(ours) - 1) == ours


@given(puzzles())
def test_maude_sees_as_many_states_of_a_random_puzzle_at_every_depth(puzzle: Puzzle) -> None:
    check(puzzle.replace(simplify=[]), DEPTH)


# -- pools of numbers: every rule takes more than it puts, so the whole space is compared ---------


def number(draw: Draw, known: list[Any], depth: int = 2) -> Any:
    first = choice(draw, known)
    if depth == 0 or chance(draw, 25):
        return first if chance(draw, 70) else draw(st.integers(-4, 9))
    other = number(draw, known, depth - 1)
    return choice(draw, [
        lambda: first + other, lambda: other - first, lambda: first * other, lambda: -first,
        lambda: first // other, lambda: other // first, lambda: first % other,
        lambda: other % first, lambda: abs(first - other), lambda: f.least(first, other, 3),
        lambda: f.greatest(first, other), lambda: f.if_(guard(draw, known, 0), first, other),
        lambda: (first % 3) ** other if type(other) is int else first // -2,
        lambda: f.number(f.digits(first)), lambda: total((first, other)),
        lambda: f.length((first, other)) + first,
    ])()  # fmt: skip


def guard(draw: Draw, known: list[Any], depth: int = 1) -> Any:
    """A condition on numbers; where it has no value, it does not hold."""
    first = choice(draw, known)
    left, right = number(draw, [first], depth), number(draw, known, depth)
    made = choice(draw, [
        first >= right, first < right, first <= right, first == right, first != right,
        5 // (first % 3) != right, ~(1 // first == left), left // first == right // first,
        f.divides(right, first), f.between(-3, first, right), f.is_in(first, [1, 2, left]),
    ])  # fmt: skip
    if depth and chance(draw, 40):
        other = guard(draw, known, 0)
        made = choice(draw, [made & other, made | other, ~made, ~(made & other)])
    return made


def condition(draw: Draw, known: list[Any]) -> Any:
    """A condition on what is left of the pool, with variables of its own."""
    inner = guard(draw, [*known, X])
    made = choice(draw, [
        contains(X, when=inner), lacks(X, when=inner), contains(X, when=inner, absent=X + 1),
        ~(lacks(Fixed(X), when=X > M) & inner) if X not in variables(inner) else lacks(X, 7),
        ~contains(X, Y, when=[X < Y, inner]), exactly(X, when=inner), exactly(X, Y, when=X >= Y),
        contains(X) & (X > 2), ~(contains(X) & inner), contains(X, X) | lacks(Fixed(X), when=inner),
    ])  # fmt: skip
    return made if chance(draw, 70) else ~made


@st.composite
def shrinking_rules(draw: Draw) -> Rule:
    """Rules on a pool of numbers that take two of them and put one."""
    known: list[Any] = [M, N]
    keep = [choice(draw, [Fixed(X), X, Fixed(M + N), Fixed(M)])] if chance(draw, 30) else []
    known += [X] if keep and X in variables(keep[0]) else []
    let: dict[Any, Any] = {}
    if chance(draw, 40):
        options = [number(draw, known, 1) for _ in range(draw(st.integers(2, 3)))]
        pair = (number(draw, known, 1), 5)
        let = choice(draw, [
            {Z: f.one_of(*options)}, {Z: options[0]}, {(Z, 5): f.one_of(pair, (1, options[0]))},
            {(*f.seqs("A"), Z, *f.seqs("B")): f.digits(abs(options[0]) + 10)},
        ])  # fmt: skip
        known.append(Z)
    when = [guard(draw, known)] if chance(draw, 50) else []
    when += [condition(draw, known)] if chance(draw, 35) else []
    absent = [choice(draw, [M + N, M, Fixed(N), 0])] if chance(draw, 20) else []
    take = [M, N] if chance(draw, 80) else [M, N, choice(draw, [M + N, 1, M])]
    return rule("shrink", take=take, put=[number(draw, known)], keep=keep, let=let, when=when,
                absent=absent)  # fmt: skip


@st.composite
def pools(draw: Draw) -> Puzzle:
    """Puzzles on 3 to 5 numbers; with each step there is at least one fewer."""
    start = draw(st.lists(st.integers(-5, 12) | st.integers(0, 3), min_size=3, max_size=5))
    facts = [Fixed(number) for number in draw(st.lists(st.integers(-2, 9), max_size=2))]
    never = [contains(M, when=guard(draw, [M]))] if chance(draw, 25) else []
    made = draw(st.lists(shrinking_rules(), min_size=1, max_size=3))
    return Puzzle(*made, start=start, facts=facts, never=never)


@st.composite
def simplified_pools(draw: Draw) -> Puzzle:
    """Pools whose numbers are tidied up after each step, in the same way whatever comes first."""
    tidy = choice(draw, [
        [rule("pair", take=[M, M])], [rule("rest", take=[M], put=[M % 5], when=M > 4)],
        [rule("sign", take=[M], put=[-M], when=M < 0), rule("zero", take=[0])],
        [rule("near", take=[M, N], put=[M], when=(M - N == 1) | (M - N == 2))],
        [draw(shrinking_rules())],
    ])  # fmt: skip
    puzzle: Puzzle = draw(pools()).replace(simplify=tidy)
    assert puzzle.start is not None
    try:
        return puzzle.replace(start=simplified(puzzle, puzzle.start))
    except RuleError:
        assume(False)
        raise


@given(simplified_pools())
def test_maude_sees_as_many_states_where_they_are_simplified(puzzle: Puzzle) -> None:
    check(puzzle, 5)


@given(pools(), st.data())
def test_maude_finds_the_goal_in_as_many_states_also_where_it_asks_for_moves(
    puzzle: Puzzle, data: Any
) -> None:
    other = condition(data.draw, [X])
    goal = choice(data.draw, [
        terminal() & other, other & ~terminal(), terminal() | other, ~(terminal() | other),
        contains(X, when=[X > 1, terminal()]), contains(X, when=~terminal()),
    ])  # fmt: skip
    puzzle = puzzle.replace(goal=goal)
    text = written(puzzle)
    assume("op solved" in text)
    try:
        space = explore(puzzle, max_states=STATES)
        assume(space.complete)
        ours = [state for state in space.states if is_goal(puzzle, state, goal)]
    except RuleError:
        assume(False)
    note(text)
    assert states(read(text), goal=True) == len(ours)


@given(pools())
def test_maude_sees_as_many_states_in_the_whole_space_of_a_random_pool(puzzle: Puzzle) -> None:
    check(puzzle, 5)


# -- export and import are inverse to each other ---------------------------------------------------
SHRINK = rule("shrink", take=[X], put=[X - 1], when=X > 0)
BAG, REST_OF_IT = f.bags("BAG REST_OF_IT")
WHOLE = f.terms("WHOLE")


@st.composite
def rewriting_rules(draw: Draw) -> list[Rule]:
    """Rules inside terms, and rules with a condition that rewrites."""
    inner = choice(draw, [
        lambda: rule("in", [X], [X - 1], when=X > 0, inside=True),
        lambda: rule("in", [(X, *f.seqs("A"))], [(*f.seqs("A"), X)], inside=True),
        lambda: rule("in", [f.Bag([X, *BAG])], [X], inside=True),
        lambda: rule("in", [Fixed(X)], [(X,)], inside=True, absent=[7]),
        lambda: rule("in", [f.terms("V", Fixed, str)], [0], inside=True),
    ])()  # fmt: skip
    within = draw(st.lists(shrinking_rules(), max_size=1))
    reach = f.reachable(BAG, [SHRINK, *within])
    made = choice(draw, [
        lambda: rule("reach", [BAG], [X, REST_OF_IT],
                     let={f.Bag([X, *REST_OF_IT]): f.one_of(reach)}),
        lambda: rule("reach", [BAG], [REST_OF_IT], let={REST_OF_IT: f.one_of(reach)}),
    ])()  # fmt: skip
    chosen: list[Rule] = draw(
        st.lists(st.sampled_from([inner, made]), min_size=1, max_size=2, unique=True)
    )
    return chosen


START = st.lists(
    st.integers(0, 2)
    | st.builds(Fixed, st.integers(0, 2))
    | st.lists(st.integers(0, 2), max_size=2).map(f.Bag)
    | st.lists(st.integers(0, 1) | st.builds(Fixed, st.just(1)), max_size=2).map(tuple),
    min_size=1, max_size=3,
)  # fmt: skip


def read_again(puzzle: Puzzle, folder: Path) -> Puzzle:
    file = folder / "again.maude"
    file.write_text(written(puzzle))
    return maude_module(file).puzzle("start")


@given(rules=rewriting_rules(), start=START)
def test_rules_within_rules_and_terms_are_the_same_in_maude_and_when_read_again(
    rules: list[Rule], start: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    puzzle = Puzzle(rules, start=start)
    check(puzzle, DEPTH)
    ours = seen_by_us(puzzle, DEPTH)
    again = read_again(puzzle, tmp_path_factory.getbasetemp())
    assert seen_by_us(again, len(ours) - 1) == ours


@given(puzzle=puzzles())
def test_what_is_written_of_a_random_puzzle_is_read_again_as_it_was(
    puzzle: Puzzle, tmp_path_factory: pytest.TempPathFactory
) -> None:
    puzzle = puzzle.replace(simplify=[])
    try:
        ours = seen_by_us(puzzle, DEPTH)
    except RuleError:
        assume(False)
    try:
        again = read_again(puzzle, tmp_path_factory.getbasetemp())
    except ReadError as refused:
        event(f"refused: {refused.message.split(': ')[-1]}")
        note(refused.message)
        assume(False)
    assert seen_by_us(again, len(ours) - 1) == ours

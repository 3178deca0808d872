"""What goals bind in a state, if a rule finds it, is what the definition says."""

from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from rewrite import Condition, Puzzle, RewriteError, contains, exactly, fn, ints, rule, terms
from rewrite.compile.multisets.layout import Layout
from rewrite.language import meaning
from rewrite.language.order import term_key
from rewrite.search import goal_bindings
from tests.property import strategies

M, N = ints("M N")
P = terms("P")


@pytest.fixture(autouse=True)
def by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goal_bindings, "FEW", 0)


def defined(puzzle: Puzzle, goal: Condition) -> list[dict[str, Any]]:
    state = puzzle.start
    assert state is not None
    found = meaning.bindings(meaning.world_of(puzzle, state), goal)
    return [{variable.name: value for variable, value in env.items()} for env in found]


def listed(puzzle: Puzzle, goal: Condition) -> list[dict[str, Any]]:
    assert puzzle.start is not None
    return list(goal_bindings.goal_bindings(puzzle, goal, puzzle.start))


def keys(found: list[dict[str, Any]]) -> list[Any]:
    return [sorted((name, term_key(value)) for name, value in one.items()) for one in found]


@st.composite
def goals(draw: Any) -> tuple[Puzzle, Condition]:
    puzzle = draw(strategies.puzzles())
    whole = len(puzzle.start) < 4 and draw(st.booleans())
    kind, most = (exactly, len(puzzle.start)) if whole else (contains, draw(st.integers(1, 3)))
    items = [*puzzle.start.items, *([] if whole else puzzle.facts.items)]
    sample: dict[Any, Any] = {}
    chosen, pools = draw(st.permutations(items))[:most], [strategies.VARIABLES]
    patterns = [strategies.pattern(draw, one, sample, pools) for one in chosen]
    when = [strategies.comparison(draw, sample)] if sample and draw(st.booleans()) else []
    when += [strategies.condition(draw, sample, items)] if items and draw(st.booleans()) else []
    inner = draw(st.integers(0, len(when)))
    goal: Condition = kind(*patterns, when=when[:inner])
    for one in when[inner:]:
        goal = goal & one
    return puzzle, goal


@given(goals())
def test_a_rule_finds_the_bindings_of_the_definition(drawn: tuple[Puzzle, Condition]) -> None:
    puzzle, goal = drawn
    note(f"{puzzle!r}\n{goal!r}")
    try:
        expected = keys(defined(puzzle, goal))
    except RewriteError:
        return
    found = keys(listed(puzzle, goal))
    assert sorted(found) == sorted(
        one for at, one in enumerate(expected) if one not in expected[:at]
    )


def test_bindings_of_plain_variables_come_in_the_order_of_the_definition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = Puzzle(rule("stay", take=[0], put=[0]), start=[*range(7), "a", (1, 2)], facts=[3, 8])
    goal = contains(M, N, P, when=[M + N < 6, M != N], absent=M * N + 1)
    expected = defined(puzzle, goal)
    monkeypatch.setattr(meaning, "bindings", None)  # it is not asked
    assert keys(listed(puzzle, goal)) == keys(expected)
    assert len(expected) == 18


def test_what_fails_is_left_to_the_definition() -> None:
    @fn
    def broken(number: int) -> int:
        raise ValueError("no")

    puzzle = Puzzle(rule("stay", take=[0], put=[0]), start=[*range(20)])
    with pytest.raises(RewriteError, match="broken"):
        listed(puzzle, contains(M, N, when=broken(M) == N))


def test_facts_are_no_part_of_a_state_that_matches_exactly() -> None:
    puzzle = Puzzle(rule("stay", take=[0], put=[0]), start=[1, 2], facts=[3, 4])
    assert listed(puzzle, exactly(M, N) & (M < N)) == [{"M": 1, "N": 2}]
    assert listed(puzzle.replace(facts=[]), exactly(M, N) & (M < N)) == [{"M": 1, "N": 2}]
    assert len(listed(puzzle, contains(M, N) & (M < N))) == 6


def test_no_whole_state_is_decoded_for_a_binding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Layout, "decode", None)
    puzzle = Puzzle(rule("stay", take=[0], put=[0]), start=[*range(9)])
    assert len(listed(puzzle, contains(M, N))) == 72

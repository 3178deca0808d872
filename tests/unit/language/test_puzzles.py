"""Puzzles are values: checked when declared, compared by content, replaced in part."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from rewrite import (
    Puzzle,
    PuzzleError,
    RuleError,
    State,
    StateError,
    UnboundVariable,
    contains,
    exactly,
    interchangeable,
    ints,
    lacks,
    relabel,
    rule,
    term,
    terminal,
)


@term
class Wall:
    at: int


M, N, X = ints("M N X")
ADD = rule(f"{M} + {N}", take=[M, N], put=[M + N])
DROP = rule(f"drop {M}", take=[M])

SWAP = [relabel((M, N), (N, M))]


def shown(state: State) -> str:
    return str(state)


def test_rules_may_be_nested_lists() -> None:
    turns = [rule(f"turn {i}", take=[i]) for i in range(2)]
    assert Puzzle(ADD, [DROP, [turns, ()]]).rules == (ADD, DROP, *turns)
    with pytest.raises(PuzzleError, match=r"used up by one reading.*give a list"):
        Puzzle(r for r in [ADD, DROP])


def test_every_part_is_read_when_the_puzzle_is_declared() -> None:
    puzzle = Puzzle(
        ADD,
        start=Counter([4, 4, 7]),
        goal=contains(8),
        facts=[Wall(1), Wall(1)],
        never=contains(13),
        simplify=DROP,
        symmetry=interchangeable(4, 7),
        show=shown,
        name="sums",
    )
    assert puzzle.start == State([4, 4, 7])
    assert puzzle.facts == State([Wall(1), Wall(1)])
    assert (puzzle.never, puzzle.simplify) == ((contains(13),), (DROP,))
    assert (puzzle.goal, puzzle.name) == (contains(8), "sums")
    assert repr(puzzle) == "<sums: 1 rule>"
    assert repr(Puzzle(ADD, DROP)) == "<puzzle: 2 rules>"


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (
            lambda: Puzzle([4, 4, 7]),
            "puzzle: 4 is not a rule; rules are made by rule(label, take=[",
        ),
        (lambda: Puzzle(None), "puzzle: None is not a rule; rules are made by rule(label, take=["),
        (
            lambda: Puzzle(ADD, [75, 4]),
            "puzzle: 75 is not a rule; rules are made by rule(label, take=[…], put=[…]); start= "
            "and goal= are given by name",
        ),
        (lambda: Puzzle(ADD, contains(3)), "contains(3) is not a rule; rules are made by rule("),
        (lambda: Puzzle(ADD, simplify=[3]), "3 is not a rule; simplify are made by rule("),
        (
            lambda: Puzzle(ADD, facts={Wall(1)}),
            "puzzle: facts=: {Wall(1)} cannot be a state: a set",
        ),
        (lambda: Puzzle(ADD, facts=[1.5]), "puzzle: facts=: 1.5 cannot be a term: a float"),
        (lambda: Puzzle(ADD, facts=[Wall(M)]), "facts=: Wall(M) cannot be in a state: it holds a"),
        (
            lambda: Puzzle(ADD, never=[3]),
            "puzzle: never=: 3 is not a condition: write an expression",
        ),
        (
            lambda: Puzzle(ADD, never=terminal()),
            "never=terminal(): terminal() would depend on itself; remove it, dead ends are",
        ),
        (lambda: Puzzle(ADD, never=contains(1) & ~terminal()), "terminal() would depend on itself"),
        (
            lambda: Puzzle(ADD, simplify=rule("drop", take=[0], cost=5)),
            "puzzle: rule 'drop': simplify= takes no cost=: its rules are part of a step.",
        ),
        (
            lambda: Puzzle(ADD, simplify=rule("drop", take=[M], cost=M)),
            "puzzle: rule 'drop': simplify= takes no cost=: its rules are part of a step.",
        ),
        (
            lambda: Puzzle(ADD, simplify=[rule("turn", take=[0], put=[1], free=True)]),
            "puzzle: rule 'turn': simplify= takes no free=: its rules are part of a step. Leave",
        ),
        (lambda: Puzzle(ADD, show="grid"), "show='grid' must be a view such as grid(…), or a"),
        (lambda: Puzzle(ADD, symmetry=[3]), "symmetry=3: write relabel(pattern, image) or"),
        (
            lambda: Puzzle(ADD).replace(strat=[]),
            "a puzzle has no part 'strat'; it has rules, start, goal, facts, never, simplify",
        ),
    ],
)
def test_a_puzzle_that_cannot_be_meant_is_refused(wrong: Callable[[], Any], text: str) -> None:
    with pytest.raises(PuzzleError, match=re.escape(text)) as raised:
        wrong()
    assert isinstance(raised.value, ValueError)


def test_a_set_as_a_start_is_refused_as_a_type_error() -> None:
    text = "{4, 7} cannot be a state: a set loses duplicates; use a list"
    with pytest.raises(StateError, match=re.escape(text)) as raised:
        Puzzle(ADD, start={4, 7})
    assert isinstance(raised.value, TypeError)


def test_a_goal_that_is_a_term_is_refused_with_the_way_out() -> None:
    with pytest.raises(
        RuleError, match=re.escape("goal=793: a goal is a condition; write contains")
    ):
        Puzzle(ADD, goal=793)


def full() -> Puzzle:
    return Puzzle(ADD, start=[1, 2], goal=exactly(3), facts=[Wall(1)], never=[contains(9)],
                  simplify=[DROP], symmetry=SWAP, show=shown, name="p")  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"rules": [DROP]}, {"start": [1, 3]}, {"start": [True, 2]}, {"goal": contains(3)},
        {"goal": None}, {"start": None}, {"facts": [Wall(2)]}, {"never": []}, {"simplify": []},
        {"symmetry": []}, {"show": None}, {"name": "q"},
    ],
)  # fmt: skip
def test_puzzles_are_equal_only_if_every_part_is(change: dict[str, Any]) -> None:
    assert full() == full()
    assert hash(full()) == hash(full())
    assert full().replace(**change) != full()
    assert (
        full().replace(**change).replace(**{name: getattr(full(), name) for name in change})
        == full()
    )


def test_a_replaced_part_is_checked_as_a_declared_one() -> None:
    with pytest.raises(StateError, match="a set loses duplicates"):
        full().replace(start={1, 2})
    with pytest.raises(PuzzleError, match="3 is not a rule"):
        full().replace(rules=[3])
    assert full().replace(rules=[]).rules == ()
    assert full().replace(rules=DROP).rules == (DROP,)
    assert full().replace() == full()


def test_another_start_is_the_same_as_a_declaration_with_it() -> None:
    puzzle, start = full(), State([2, 7])
    assert puzzle.replace(start=start) == Puzzle(
        *puzzle.rules, **{one.name: getattr(puzzle, one.name) for one in attrs.fields(Puzzle)[2:]},
        start=start,
    )  # fmt: skip
    assert puzzle.replace(start=start).start is start
    assert puzzle.replace(start=None).start is None
    assert puzzle.replace(start=start).definition is puzzle.definition
    assert puzzle.start != start
    with pytest.raises(RuleError, match="which Python made of"):
        puzzle.replace(start=[f"{M + N}"])


def test_a_puzzle_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        full().name = "q"  # type: ignore[misc]


def test_a_keyword_that_a_puzzle_has_not_is_told_with_what_was_meant() -> None:
    with pytest.raises(PuzzleError) as raised:
        Puzzle(ADD, star=[1])  # type: ignore[call-arg]
    assert str(raised.value) == (
        "Puzzle(…, star=…): there is no star (did you mean start?); Puzzle takes start, goal, "
        "facts, never, simplify, symmetry, show, sets, name"
    )


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (
            {"goal": M == 3},
            "puzzle: goal=M == 3: M == 3 uses M, but nothing binds it. A pattern gives a variable "
            "its value: write contains(M, when=M == 3)",
        ),
        (
            {"never": M > N},
            "puzzle: never=M > N: M > N uses M, but nothing binds it. A pattern gives a variable "
            "its value: write contains(M, N, when=M > N)",
        ),
        (
            {"goal": contains(M, when=N == 3)},
            "N == 3 uses N, but nothing binds it. Bound by its patterns: M; add one that holds N",
        ),
        (
            {"goal": lacks(M, absent=N + 1)},
            "absent=N + 1 uses N, but nothing binds it. Bound by its patterns: M; add one that "
            "holds N",
        ),
    ],
)
def test_outside_of_a_rule_the_way_out_of_an_unbound_variable_is_a_pattern(
    parts: Any, text: str
) -> None:
    with pytest.raises(UnboundVariable) as raised:
        Puzzle(ADD, **parts)
    assert str(raised.value).endswith(text)
    with pytest.raises(UnboundVariable, match=r"M > 3 uses M, but nothing binds it"):
        Puzzle(ADD, goal=lacks(M) & (M > 3))
    with pytest.raises(UnboundVariable, match=r"Bound by take=, keep= or let=: M$"):
        rule("x", take=[M], when=contains(M, when=N == 3))

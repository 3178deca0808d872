"""Boards as one sequence: which become a term for each place, and that nothing else shows it."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import (
    ANY,
    Bag,
    Puzzle,
    RuleError,
    contains,
    count,
    distances,
    exactly,
    explain,
    explore,
    fn,
    interchangeable,
    ints,
    lacks,
    length,
    number,
    relabel,
    rule,
    search,
    seqs,
    terms,
)
from rewrite.language.states import State
from rewrite.search.arguments import question
from rewrite.search.places import MOST_DIVISIONS, MOST_PLACES, MOST_RULES, Place
from rewrite.search.twin import twin
from tests.engines import every_engine, natively
from tests.terms import At, Next

X, Y = ints("X Y")
S, M, T = seqs("S M T")
W = terms("W")
SWAP = rule(f"swap {X}", take=[(*S, X, Y, *T)], put=[(*S, Y, X, *T)], when=length(S) % 4 != 3)
BOARD = Puzzle(SWAP, start=[(4, 3, 2, 1)], goal=exactly((1, 2, 3, 4)))


def by_place(puzzle: Puzzle, **options: Any) -> bool:
    asked = question(puzzle, None, None, goal_needed=False, **options)
    return any(isinstance(one, Place) for one in twin(asked).start)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"goal": contains((X, 2, Y, 4), absent=[At(1, 1)])},
        {"goal": contains("end"), "start": [(4, 3, 2, 1), "white"],
         "rules": [rule("go", take=["white", (X, *S)], put=["black", (1, *S)])]},
        {"goal": lacks((4, 3, 2, 1)) & (count((X, 3, 2, Y)) == 0)},
        {"goal": State([(1, 2, 3, 4), At(0, 1)])},
        {"start": [("a", True, 0, 1), At(1, 2)]},
        {"never": contains((1, *[X] * 3))},
        {"rules": [SWAP, rule("turn", take=[(*S, X)], put=[(X, *S)])]},
        {"rules": [SWAP, rule("cut", take=[(*S, *T)], put=[(*T, *S)])]},
        {"rules": [SWAP, rule("copy", take=[(X, *S, ANY)], put=[(X, *S, X)])]},
        {"rules": [rule("on", take=[(*S, 4, *T)], put=[(*S, X, *T)], keep=[Next(length(S), X)])],
         "facts": [Next(0, 7)]},
        {"rules": [SWAP, rule("on", keep=[(1, *S)], put=[At(0, length(S))], absent=[At(0, ANY)])]},
        {"rules": [SWAP, rule("move", take=[At(X, Y)], put=[At(Y, X)])]},
    ],
)  # fmt: skip
def test_boards_are_stored_by_place(changed: dict[str, Any]) -> None:
    assert by_place(BOARD.replace(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"start": [(4, 3, 2, 1), (1, 2)]},
        {"start": [(4, 3, 2, 1), Bag()]},
        {"start": [((4, 3), (2, 1))]},
        {"start": [(1,) * (MOST_PLACES + 1)]},
        {"facts": [(4, 3)]},
        {"goal": contains((*S, 4))},
        {"goal": contains(W)},
        {"goal": contains((1, 2))},
        {"goal": lacks(At(1, 1), absent=[(1, 2, 3, 4)])},
        {"goal": lambda state: len(state) > 1},
        {"simplify": [rule("s", take=[At(1, X)], put=[At(2, X)])]},
        {"symmetry": interchangeable(1, 2)},
        {"symmetry": relabel((1, W, X, Y), (2, W, X, Y))},
        {"rules": [rule("grow", take=[(*S, X)], put=[(*S, X, X)])]},
        {"rules": [rule("twice", take=[(*S, *M, X)], put=[(*S, X, *S)])]},
        {"rules": [rule("more", take=[(*S, X, *T)], put=[(*S, X + 1, *T)])]},
        {"rules": [rule("read", take=[(*S, X, *T)], put=[(*S, 0, *T)], when=number(S) > 9)]},
        {"rules": [rule("cost", take=[(*S, X, *T)], put=[(*S, 0, *T)], cost=number(S))]},
        {"rules": [rule("name", take=[(*S, X, *T)], put=[(*S, 0, *T)], let={M: S})]},
        {"rules": [rule("same", take=[(X, *S, X + 1)], put=[(X, *S, 0)])]},
        {"rules": [rule("gone", take=[(*S, X)])]},
        {"rules": [rule("short", take=[(X, Y)], put=[(Y, X)])]},
        {"rules": [rule("any", take=[(*ANY, X)], put=[(1, 2, 3, X)])]},
        {"rules": [rule("late", take=[(*S, X, *T)], put=[(*S, 0, *T)], when=length(S) > 9)]},
        {"rules": [rule("none", take=[At(1, X)], put=[At(2, X)], absent=[(*S, X)])]},
        {"rules": [SWAP, rule("add", take=[X], put=[At(X, 1)])], "start": [(4, 3, 2, 1), 7]},
        {"rules": [rule("all", take=[W], put=[W, At(1, 2)])]},
        {"start": [(0, 1) * 15],
         "rules": [rule("far", take=[(*S, X, *M, Y, *T)], put=[(*S, Y, *M, X, *T)])]},
    ],
)  # fmt: skip
def test_others_remain_sequences(changed: dict[str, Any]) -> None:
    assert not by_place(BOARD.replace(**changed))


def test_no_more_rules_are_made_than_are_worth_it() -> None:
    both = [rule(name, take=[(*S, X, *M, Y, *T)], put=[(*S, Y, *M, X, *T)]) for name in "ab"]
    board = [(0, 1) * 10]  # 190 pairs of places
    assert 190 < MOST_RULES < 2 * 190
    assert by_place(Puzzle(both[0], start=board))
    assert not by_place(Puzzle(*both, start=board))


def test_no_more_ways_are_tried_than_are_worth_it() -> None:
    ends = [
        rule(f"{n}", take=[(*S, n, *M, Y, *T)], put=[(*S, Y, *M, n, *T)], when=length(M) == 28)
        for n in range(5)
    ]  # of 30 places, each can be divided in 435 ways, of which one is left
    assert 4 * 435 < MOST_DIVISIONS < 5 * 435
    assert by_place(Puzzle(*ends[:4], start=[(0, 1) * 15]))
    assert not by_place(Puzzle(*ends, start=[(0, 1) * 15]))


@natively
def test_a_board_as_one_sequence_gets_all_that_slots_have() -> None:
    tuples, tiles = PUZZLES["eight_tuple"](), PUZZLES["eight_puzzle"]()
    assert "Place: a slot of 4 bits holds item, for each of 9 (place)" in str(explain(tuples))
    assert distances(tuples).levels == distances(tiles).levels
    found = [search(one, strategy="astar", heuristic="auto") for one in (tuples, tiles)]
    assert [len(one.path or ()) for one in found] == [31, 31]
    assert found[0].expanded < 2 * found[1].expanded


@every_engine
def test_paths_spaces_and_errors_show_the_sequence(engine: str) -> None:
    found = search(BOARD, engine=engine)
    assert found.path is not None
    assert found.path.states[0] == BOARD.start
    assert found.path.end == State([(1, 2, 3, 4)])
    assert [*map(len, found.path.states)] == [1] * 7
    assert found.path.labels[0] in ("swap 4", "swap 3", "swap 2")
    space = explore(BOARD, engine=engine)
    assert {len(state) for state in space.states} == {1}

    @fn
    def failing(number: int) -> bool:
        raise ValueError(f"no {number}")

    bad = rule("bad", take=[(*S, X, Y, *T)], put=[(*S, Y, X, *T)], when=failing(X))
    with pytest.raises(RuleError, match=r"in state \[\(4, 3, 2, 1\)\]") as failed:
        search(BOARD.replace(rules=[bad]), engine=engine)
    assert failed.value.state == BOARD.start


@every_engine
def test_states_with_other_sequences_are_not_reached(engine: str) -> None:
    table = distances(BOARD.replace(rules=[SWAP]), engine=engine)
    other = [(4, 3, 2), (4, 3, 2, 1, 0), (4, 3, 2, "x"), (4, 3, 2, (1,)), 7]
    assert [table.distance(State([one])) for one in other] == [None] * 5
    assert table.distance(State([(4, 3, 2, 1), At(0, 0)])) is None
    assert table.distance(State([(3, 4, 2, 1)])) == 1


@every_engine
def test_the_sequence_is_taken_also_where_nothing_of_it_changes(engine: str) -> None:
    """Conditions do not see what their rule takes; a cut before the first place changes nothing."""
    cut = rule("cut", take=[(*S, *T), "uncut"], put=[(*T, *S)], when=lacks((1, 2, 3, 4)))
    puzzle = BOARD.replace(rules=[cut], start=[(1, 2, 3, 4), "uncut"])
    assert by_place(puzzle)
    assert explore(puzzle, engine=engine).levels == [1, 4]


@every_engine
def test_a_function_is_reported_once_for_a_rule(engine: str) -> None:
    @fn
    def close(one: int, other: int) -> bool:
        return len(str(one * other)) == 1

    near = rule("near", take=[(*S, X, Y, *T)], put=[(*S, Y, X, *T)], when=close(X, Y))
    assert by_place(BOARD.replace(rules=[near]))
    result = search(BOARD.replace(rules=[near]), engine=engine, solutions=None)
    assert result.python_calls == ("rule 'near' (close)",)


@every_engine
def test_a_part_may_be_put_twice(engine: str) -> None:
    half = length(S) == length(M)
    copy = rule("copy", take=[(*S, X, *M)], put=[(*S, X, *S)], when=half)
    puzzle = Puzzle(copy, start=[(1, 2, 3, 4, 5)], goal=exactly((1, 2, 3, 1, 2)))
    assert by_place(puzzle)
    assert len(search(puzzle, engine=engine).path or ()) == 1

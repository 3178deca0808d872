"""Many interchangeable values, and values of puzzles that are kept as multisets."""

from math import comb
from typing import Any

import pytest

from rewrite.errors import SymmetryError
from rewrite.language.conditions import contains, count, highest, lacks
from rewrite.language.expressions import ANY
from rewrite.language.functions import bags, fn, ints, one_of, strs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.language.terms import term
from rewrite.results.replay import replay
from rewrite.search.api import search
from tests.answers import same_on_all
from tests.contract.symmetric import told
from tests.engines import ENGINES, quiet

A, B = ints("A B")
W, V = strs("W V")
S = bags("S")


@term
class Walker:
    who: str
    at: int


@term
class Cell:
    at: int
    who: str


@term
class Coin:
    who: str


@term
class Boat:
    people: Any


@term
class Person:
    name: str


@term
class Holds:
    who: Person


def people(number: int) -> list[str]:
    return [f"w{place:02}" for place in range(number)]


def walkers(number: int, **more: Any) -> Puzzle:
    names = people(number)
    given: dict[str, Any] = {
        "start": [Walker(name, 0) for name in names],
        "goal": contains(*[Walker(name, 2) for name in names]),
        "symmetry": interchangeable(*names),
    }
    walk = rule(f"{W} walks to {A + 1}", take=[Walker(W, A)], put=[Walker(W, A + 1)], when=A < 2)
    return Puzzle(walk, name="walkers", **given | more)


@pytest.mark.parametrize("strategy", ["breadth_first", "bidirectional", "uniform_cost"])
def test_twelve_values_are_exchanged_without_a_list_of_their_479_million_orders(
    strategy: str,
) -> None:
    puzzle = walkers(12)
    result = same_on_all(puzzle, strategy=strategy)
    assert (result.depth, result.states <= comb(14, 2)) == (24, True)
    assert told(479_001_600) in result.notes
    assert replay(puzzle, puzzle.start, result.paths[0]).states == result.paths[0].states
    never = same_on_all(puzzle, goal=contains(Walker(W, 7)), strategy="breadth_first")
    assert (never.status, never.states) == ("exhausted", comb(14, 2))  # how many stand where


def test_many_values_that_fields_hold_are_numbered_by_where_they_stand() -> None:
    """Nine colours on nine cells: neighbours are exchanged, so that any order can be reached."""
    names = people(9)
    puzzle = Puzzle(
        rule(f"exchange {A}", take=[Cell(A, W), Cell(A + 1, V)], put=[Cell(A, V), Cell(A + 1, W)]),
        start=[Cell(place, name) for place, name in enumerate(names)],
        goal=contains(Cell(10, W)), symmetry=interchangeable(*names), name="colours",
    )  # fmt: skip
    result = same_on_all(puzzle, strategy="breadth_first")
    assert (result.status, result.states) == ("exhausted", 1)
    assert told(362_880) in result.notes


def test_values_that_the_start_has_more_often_than_others_are_not_exchanged_for_these() -> None:
    names = people(8)
    puzzle = Puzzle(
        rule(f"exchange {A}", take=[Cell(A, W), Cell(A + 1, V)], put=[Cell(A, V), Cell(A + 1, W)]),
        start=[Cell(place, name) for place, name in enumerate([*names, "w00", "w00"][3:])],
        goal=contains(Cell(99, W)), symmetry=interchangeable(*names[3:], "w00"), name="colours",
    )  # fmt: skip
    result = same_on_all(puzzle, strategy="breadth_first")
    assert told(120) in result.notes
    assert "600 of 720 declared symmetries, the identity included, are not used" in str(
        result.notes
    )
    assert (result.status, result.states) == ("exhausted", comb(7, 2))


def test_another_symmetry_beside_many_exchanges_is_left_out() -> None:
    mirrored = relabel(Walker(W, A), Walker(W, 2 - A))
    back = rule(f"{W} walks back", take=[Walker(W, A)], put=[Walker(W, A - 1)], when=A > 0)
    puzzle = walkers(8, goal=contains(Walker(W, 7)))
    puzzle = puzzle.replace(rules=[*puzzle.rules, back], symmetry=[mirrored, *puzzle.symmetry])
    result = same_on_all(puzzle, strategy="breadth_first")
    large = "is not used: the group would have more than 5,040 elements"
    assert result.notes == (told(40_320), f"{mirrored!r} {large}")
    assert result.states == comb(10, 2)


FIND = rule(f"{W} finds a coin", keep=[Walker(W, 1)], put=[Coin(W)], when=count(Coin(ANY)) < 3)
PAY = rule(f"{W} pays {V}", take=[Coin(W)], keep=[Walker(V, 2), Walker(W, A)], put=[Coin(V)])
COINS = contains(Walker(W, 2), Coin(W), Coin(W), Coin(W))


def with_coins(number: int = 3, *rules: Rule, **more: Any) -> Puzzle:
    puzzle = walkers(number, **{"goal": COINS, **more})
    return puzzle.replace(rules=[*puzzle.rules, FIND, PAY, *rules])


def test_numbers_and_terms_of_multisets_are_exchanged_too() -> None:
    numbers = Puzzle(
        rule("copy", take=[B], put=[B, B], when=count(A) < 5),
        start=[3, 7, 9], goal=contains(-1), symmetry=interchangeable(3, 7, 9), name="numbers",
    )  # fmt: skip
    assert "count(A) < 5 computes with values or orders them" in str(same_on_all(numbers).notes)
    taken = numbers.replace(rules=[rule("lose", take=[A], put=[])])
    assert (same_on_all(taken).states, same_on_all(taken, symmetry="none").states) == (4, 8)
    three = [Person(name) for name in people(3)]
    terms = Puzzle(
        rule("drop", take=[Holds(ANY)], put=["dropped"]), start=[Holds(one) for one in three],
        goal=lacks("dropped") & lacks(Holds(ANY)), symmetry=interchangeable(*three), name="terms",
    )  # fmt: skip
    assert (same_on_all(terms).states, same_on_all(terms, symmetry="none").states) == (4, 8)


def test_rules_that_name_values_are_alike_where_each_value_has_one() -> None:
    each = [
        rule(f"{name} leaves", take=[Coin(name)], keep=[Walker(name, 1)], put=["gone"])
        for name in people(3)
    ]
    puzzle = with_coins(3, *each, goal=contains("gone", "gone"))
    result = same_on_all(puzzle)
    assert result.notes == (told(6),)
    assert result.depth == same_on_all(puzzle, symmetry="none").depth
    with pytest.raises(SymmetryError) as caught:
        search(with_coins(3, *each[:2], goal=contains("gone", "gone")))
    text = str(caught.value)
    assert "fails at rule 'w01 leaves'. " in text
    assert "is not a symmetry: for 'w01' and 'w02': the steps out of the image are not" in text
    assert caught.value.state is not None


def test_what_cannot_be_shown_to_be_wrong_is_not_proved() -> None:
    goal = contains(Walker("w00", 2), Coin("w00"), Coin("w00"), Coin("w01"), Coin("w02"))
    for name in ENGINES:
        with pytest.raises(SymmetryError, match="is not proved to be a symmetry: the goal is not"):
            search(with_coins(3).replace(goal=goal), engine=name)
    left_out = search(with_coins(3), goal=goal)
    assert left_out.notes[0].endswith("is not used: it does not keep the goal of this search")


@fn
def first(one: str) -> bool:
    return one == "w00"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"rules": [rule("f", take=[Coin(W)], when=first(W))]}, "first(W) calls a Python function"),
        ({"rules": [rule("f", take=[Coin(W), Coin(V)], put=[Coin(V)], when=W < V)]},
         "W < V computes with values or orders them"),
        ({"rules": [rule("b", take=[Coin(W)], put=[Boat([W])], when=count(Boat(ANY)) == 0),
                    rule("f", take=[Boat(S)], put=[("row", *S)])]},
         "('row', *S) orders what is in a nested bag"),
        ({"goal": lambda state: len(state) > 9}, "<lambda> is a Python function"),
        ({"goal": contains(Coin(W), when=highest(V, Coin(V)) == W)},
         "highest(V, Coin(V)) computes with values or orders them"),
        ({"simplify": [rule("s", take=[Coin(W)] * 4, put=[])]},
         "simplify= may choose by the order of values"),
        ({"symmetry": interchangeable("w00", 1)}, "its values are of several types"),
        ({"symmetry": interchangeable(True, False)},
         "in multisets only texts, whole numbers and terms are exchanged"),
        ({"symmetry": [relabel(Coin(W), Coin(W)), interchangeable("w00", "w01", "w02")]}, None),
    ],
)  # fmt: skip
def test_what_the_proof_for_multisets_does_not_cover_is_not_used(
    change: dict[str, Any], why: str | None
) -> None:
    puzzle = with_coins(3)
    if "rules" in change:
        change = change | {"rules": [*puzzle.rules, *change["rules"]]}
    puzzle = puzzle.replace(**change)
    result = same_on_all(puzzle, max_states=400)
    if why is None:
        assert told(6) in result.notes
        why = "states are stored as a multiset in groups (Coin, Walker): "
        assert f"relabel(Coin(W), Coin(W)) is not used: {why}" in str(result.notes)
    else:
        assert f"{puzzle.symmetry[0]!r} is not used: {why}" in result.notes


def test_values_in_a_bag_within_a_term_are_exchanged_by_python() -> None:
    board = rule(f"{W} boards", take=[Walker(W, 1), Boat(S)], put=[Boat([W, *S])])
    names = people(3)
    puzzle = with_coins(3, board).replace(
        start=[Boat([]), *[Walker(name, 0) for name in names]],
        goal=contains(Boat([ANY] * 3), *[Coin(ANY)] * 3),
    )
    plain = same_on_all(puzzle, symmetry="none")
    found = [search(puzzle, engine=name) for name in ENGINES]
    assert {(one.depth, one.states) for one in found} == {(plain.depth, found[0].states)}
    assert plain.states > 3 * found[0].states
    assert all(told(6) in one.notes for one in found)
    assert found[-1].engine == "python"
    if len(found) > 1:
        why = "interchangeable values in a bag within a term"
        assert found[-1].notes[-1].endswith(f"because the native one cannot: {why}")


@quiet
@pytest.mark.parametrize("engine", ENGINES)
def test_a_symmetry_proved_over_slots_alone_is_left_out_once_states_outgrew_them(
    engine: str,
) -> None:
    """No cell is in the state, so over slots nothing names the walker "a"."""
    puzzle = Puzzle(
        rule("pass", take=[Coin(W)], put=[Coin(V)], let={V: one_of(*"abc")}, absent=[Cell(A, "a")]),
        start=[Coin("a"), Coin("b")], goal=contains(Coin("c"), Coin("c"), Coin("c")),
        symmetry=[interchangeable("a", "b", "c")],
    )  # fmt: skip
    whole = search(puzzle, engine=engine)
    assert (whole.status, whole.states) == ("exhausted", 6)
    assert whole.notes[-1].startswith(
        "the search goes on without symmetry: puzzle: interchangeable"
    )
    first = search(puzzle, engine=engine, max_states=1)
    assert first.notes[-1].startswith("states are counted up to symmetry: 6 declared symmetries")
    resumed = first.resume()
    assert (resumed.status, resumed.states, resumed.notes) == ("exhausted", 6, whole.notes)

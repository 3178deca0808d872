"""The definition: what a rule does to a state, by examples small enough to check by hand."""

from typing import Any

from puzzles.hanoi import Peg
from rewrite import (
    ANY,
    Puzzle,
    State,
    bags,
    contains,
    count,
    digits,
    divides,
    exactly,
    if_,
    ints,
    lacks,
    least,
    lowest,
    number,
    one_of,
    rule,
    seqs,
    strs,
    terms,
    total,
)
from rewrite.language.meaning import simplified, successors, ways
from tests.property.strategies import Box
from tests.terms import Floor, On

M: Any
M, N, D, X, Y, Z, C, E = ints("M N D X Y Z C E")
S, T, A, B = seqs("S T A B")
Q, R = bags("Q R")
P = terms("P")
who, here, there, F, G = strs("who here there F G")


def after(state: Any, *parts: Any, **more: Any) -> list[Any]:
    """The states after one step, as plain lists, in the order of the definition."""
    return [list(way.after) for way in successors(Puzzle(*parts, **more), State(state))]


def labels(state: Any, *parts: Any, **more: Any) -> list[str]:
    found = successors(Puzzle(*parts, **more), State(state))
    return [way.rule.template.fill(way.bindings) for way in found]


# -- take, put, keep ---------------------------------------------------------------------------


def test_a_rule_takes_terms_out_and_puts_terms_in_and_everything_else_stays() -> None:
    found = successors(Puzzle(rule("add", take=[2, 3], put=[5, (5,)])), State([2, 3, "a"]))
    assert [way.after for way in found] == [State(["a", 5, (5,)])]
    assert (found[0].taken, found[0].put) == ((2, 3), (5, (5,)))


def test_the_ways_come_in_canonical_order_of_what_is_taken() -> None:
    assert labels([2, 1, 10], rule(f"{M} {N}", take=[M, N])) == [
        "1 2", "1 10", "2 1", "2 10", "10 1", "10 2",
    ]  # fmt: skip
    assert labels(["b", 1, "a", True], rule(f"{P}", take=[P])) == ["True", "1", "a", "b"]


def test_rules_come_in_the_order_of_their_declaration() -> None:
    assert labels([1, 2], rule(f"b{M}", take=[M]), rule(f"a{M}", take=[M])) == [
        "b1", "b2", "a1", "a2",
    ]  # fmt: skip


def test_equal_terms_are_not_tried_twice() -> None:
    assert labels([4, 4, 4], rule(f"{M} {N}", take=[M, N])) == ["4 4"]
    assert labels([4, 4, 7], rule(f"{M} {N}", take=[M, N])) == ["4 4", "4 7", "7 4"]


def test_a_rule_cannot_take_the_same_term_twice_when_the_state_holds_it_once() -> None:
    assert after([4], rule("x", take=[M, N])) == []
    assert after([4], rule("x", take=[M], keep=[N])) == []
    assert after([4, 4], rule("x", take=[M, M])) == [[]]
    assert after([4, 4], rule("x", take=[M], keep=[N])) == [[4]]
    assert after([4, 4], rule("x", take=[M], keep=[M, M])) == []


def test_true_and_one_are_never_merged_or_taken_for_each_other() -> None:
    assert [repr(state) for state in after([True, 1], rule("x", take=[1]))] == ["[True]"]
    assert [repr(state) for state in after([True, 1], rule("x", take=[True]))] == ["[1]"]
    assert [repr(state) for state in after([True, 1, 1], rule("x", take=[M]))] == ["[True, 1]"]
    assert [repr(state) for state in after([True, 1], rule("x", take=[P]))] == ["[1]", "[True]"]
    assert [repr(state) for state in after([(True,), (1,)], rule("x", take=[(1,)]))] == [
        "[(True,)]"
    ]
    assert after([Box(True)], rule("x", take=[Box(1)])) == []
    assert after([True, 1], rule("x", take=[P], keep=[1], when=P == 1)) == []


def test_the_kind_of_a_variable_is_a_guard() -> None:
    box = terms("box", Box)
    assert labels([3, "a", Box(1), On("a", "b")], rule(f"{box}", take=[box])) == ["Box(1)"]
    assert labels([3, "a", True], rule(f"{M}", take=[M])) == ["3"]


def test_keep_reads_further_occurrences_and_facts_which_stay() -> None:
    cross = rule(f"to {there}", keep=[On(here, there)], take=[(who, here)], put=[(who, there)])
    facts = [On("left", "right"), On("right", "left")]
    assert after([("a", "left")], cross, facts=facts) == [[("a", "right")]]
    assert after([("a", "left")], cross) == []
    assert after([("a", "left"), On("left", "up")], cross) == [[("a", "up"), On("left", "up")]]


def test_a_fact_is_never_taken_but_an_equal_term_of_the_state_is() -> None:
    assert after([], rule("x", take=[5]), facts=[5]) == []
    assert after([5], rule("x", take=[5]), facts=[5]) == [[]]
    assert after([5], rule("x", take=[5], keep=[5]), facts=[5]) == [[]]
    assert after([5], rule("x", take=[5], keep=[5, 5]), facts=[5]) == []


def test_a_rule_may_only_put() -> None:
    assert after([1], rule("x", put=[1])) == [[1, 1]]


# -- patterns ----------------------------------------------------------------------------------


def test_several_splices_match_in_every_possible_way() -> None:
    assert labels([(1, 2)], rule(f"{S} {T}", take=[(*S, *T)])) == [
        "() (1, 2)", "(1,) (2,)", "(1, 2) ()",
    ]  # fmt: skip
    assert labels([(1, 0, 2, 0)], rule(f"{A}|{B}", take=[(*A, 0, *B)])) == [
        "(1,)|(2, 0)", "(1, 0, 2)|()",
    ]  # fmt: skip


def test_a_nested_bag_matches_in_every_possible_way_but_equal_elements_once() -> None:
    assert labels([[2, 1, 1]], rule(f"{X} {Q}", take=[[X, *Q]])) == ["2 [1, 1]", "1 [1, 2]"]
    assert after([[1, 2], [3]], rule("x", take=[[1, *Q], [3, *R]], put=[[*Q, *R, 9]])) == [
        list(State([[2, 9]]))
    ]
    assert labels([[[1], 2]], rule(f"{X} {Q}", take=[[[X], *Q]])) == ["1 [2]"]


def test_a_computed_pattern_is_an_equality_on_what_is_bound_wherever_it_is_written() -> None:
    facts = [Floor(1), Floor(2), Floor(3)]
    step = {D: one_of(1, -1)}
    expected = [[Box(1)], [Box(3)]]
    push = rule("x", let=step, take=[Box(X)], keep=[Floor(X + D)], put=[Box(X + D)])
    assert sorted(after([Box(2)], push, facts=facts), key=repr) == expected
    assert after([Box(3)], push, facts=facts) == [[Box(2)]]
    assert labels([(3, 1), 2], rule(f"{X}", take=[(X + 1, 1), X])) == ["2"]
    assert labels([2, (3, 1)], rule(f"{X}", take=[(X + 1, Y), X])) == ["2"]
    assert labels([(2, 4)], rule(f"{X}", take=[(X, X * 2)])) == ["2"]
    assert labels([(2, 5)], rule(f"{X}", take=[(X, X * 2)])) == []


def test_a_computed_pattern_without_a_value_matches_nothing() -> None:
    assert after([2, 0], rule("x", take=[M, M // 0])) == []


# -- let ---------------------------------------------------------------------------------------


def test_let_gives_names_to_values() -> None:
    pour = rule(f"{Z}", take=[(M, N)], let={Z: least(M, C - N), C: M + 1}, put=[Z])
    assert after([(5, 4)], pour) == [[2]]


def test_a_pattern_on_the_left_of_let_destructures_in_several_ways() -> None:
    strike = rule(f"strike {D} → {Y}", take=[X], put=[Y],
                  let={(*A, D, *B): digits(X), Y: number((*A, *B))})  # fmt: skip
    assert sorted(labels([407], strike)) == ["strike 0 → 47", "strike 4 → 7", "strike 7 → 40"]
    assert labels([5], strike) == []  # number(()) has no value
    assert sorted(labels([44], strike)) == ["strike 4 → 4", "strike 4 → 4"]


def test_let_destructures_a_nested_bag_and_guards_by_kind() -> None:
    assert after([(1, [2, 3])], rule("x", take=[(1, P)], let={S: P}, put=[S])) == []
    split = rule("x", take=[P], let={(X, *S): P}, put=[X])
    assert [set(map(repr, state)) for state in after([(1, "a"), ("a",)], split)] == [
        {"1", "('a',)"}
    ]


def test_one_of_branches_over_values_and_over_a_sequence() -> None:
    assert after([1], rule("x", take=[1], let={X: one_of(5, 3)}, put=[X])) == [[3], [5]]
    assert after([(5, 3)], rule("x", take=[S], let={X: one_of(S)}, put=[X])) == [[3], [5]]
    assert after([1], rule("x", take=[X], let={Y: one_of(X + 1, X + 2)}, put=[Y])) == [[2], [3]]
    assert after([(5, 3)], rule("x", take=[S], let={X: one_of(4, *S)}, put=[X])) == [[3], [4], [5]]
    way = {(F, D): one_of(("u", -1), ("d", 1))}
    assert labels([4], rule(f"{F}{X + D}", take=[X], let=way)) == ["d5", "u3"]
    assert after([1], rule("x", take=[1], let={X: one_of(2, 2)}, put=[X])) == [[2]]
    assert after([()], rule("x", take=[S], let={X: one_of(S)}, put=[X])) == []


def test_a_name_bound_twice_must_have_one_value() -> None:
    assert labels([1, 2], rule(f"{X}", take=[X], let={X: one_of(2, 3)})) == ["2"]


def test_let_sees_what_is_left_after_take_together_with_the_facts() -> None:
    counting = rule(f"{N} {X}", take=[M], let={N: count(ANY), X: N + lowest(C, C)})
    assert labels([1, 2], counting, facts=["f"]) == ["2 4", "2 3"]


# -- when, absent ------------------------------------------------------------------------------


def test_guards_are_joined_and_see_what_is_left_after_take_together_with_the_facts() -> None:
    assert labels([1, 2, 3], rule(f"{M}", take=[M], when=[M > 1, M < 3])) == ["2"]
    assert labels([1, 2], rule(f"{M}", take=[M], when=contains(2))) == ["1"]
    assert labels([1, 2], rule(f"{M}", take=[M], when=contains("f")), facts=["f"]) == ["1", "2"]
    assert labels([1, 2], rule(f"{M}", take=[M], when=exactly(N)), facts=["f"]) == ["1", "2"]
    assert labels([1, 2], rule(f"{M}", take=[M], put=[7], when=lacks(7))) == ["1", "2"]
    assert labels([1, 2], rule(f"{M}", take=[M], when=total(C, C) > M)) == ["1"]
    assert labels([1, 2], rule(f"{M}", take=[M], when=lacks(C, when=C > M))) == ["2"]
    assert labels([1], rule(f"{M}", take=[M], when=lambda state: len(state) == 0)) == ["1"]


def test_absent_sees_what_is_left_after_take_and_the_facts() -> None:
    assert labels([1], rule(f"{M}", take=[M], absent=M)) == ["1"]
    assert labels([1, 1, 2], rule(f"{M}", take=[M], absent=M)) == ["2"]
    assert labels([1, 2], rule(f"{M}", take=[M], absent=M), facts=[1]) == ["2"]
    assert labels([1, 2], rule(f"{M}", take=[M], put=[3], absent=[3])) == ["1", "2"]
    assert labels([1, 2, 4], rule(f"{M}", take=[M], absent=[M + 1, M * 4])) == ["2", "4"]


def test_a_variable_that_only_absent_has_stands_for_any() -> None:
    assert labels([(1, 5), 1, 2], rule(f"{M}", take=[M], absent=[(M, X)])) == ["2"]
    assert labels([(1, 5), 1, 2], rule(f"{M}", take=[M], absent=[(X, Y)])) == []


def test_arithmetic_without_a_value_makes_a_rule_not_apply() -> None:
    assert labels([0, 6], rule(f"{M}/{N}", take=[M, N], put=[M // N])) == ["0/6"]
    assert labels([0, 6], rule(f"{M}", take=[M], when=6 // M == 1)) == ["6"]
    assert labels([0, 6], rule(f"{M}", take=[M], let={X: 6 // M})) == ["6"]
    assert labels([(), (1,)], rule(f"{S}", take=[S], put=[number(S)])) == ["(1,)"]
    assert labels([(), (1,)], rule(f"{S}", take=[S], cost=number(S))) == ["(1,)"]
    assert labels([3], rule("x", take=[M], when=lowest(C, C) < 9)) == []
    assert labels([0, 6], rule(f"{M}", take=[M], when=[divides(M, 6)])) == ["6"]


# -- never, simplify, cost ---------------------------------------------------------------------


def test_a_state_that_meets_never_is_not_entered() -> None:
    take = rule(f"{M}", take=[M])
    assert labels([1, 2, 3], take, never=contains(1, 2)) == ["1", "2"]
    assert labels([1, 2], take, never=[contains(1), contains(2)]) == []
    assert labels([1, 2], take, never=lambda state: 1 in state) == ["1"]
    assert labels([1, 2], take, never=contains(1, "f"), facts=["f"]) == ["1"]


def test_missionaries_count_by_occurrences_in_never() -> None:
    cross = rule(f"{who} to {there}", take=[On(who, here)], put=[On(who, there)],
                 let={there: if_(here == "left", "right", "left")})  # fmt: skip
    eaten = contains(On("missionary", here), when=count(On("cannibal", here))
                     > count(On("missionary", here)))  # fmt: skip
    bank = [On("missionary", "left")] * 3 + [On("cannibal", "left")] * 3
    assert labels(bank, cross, never=eaten) == ["cannibal to right"]


def test_simplify_runs_after_put_until_none_applies_and_before_never() -> None:
    grow = rule("grow", take=[M], put=[M, M])
    merge = rule("merge", take=[M, M], put=[M * 2])
    assert sorted(after([1, 2], grow, simplify=merge)) == [[1, 4], [4]]
    assert sorted(after([1, 2], grow, simplify=merge, never=contains(1))) == [[4]]


def test_simplify_uses_the_first_rule_and_then_the_first_state() -> None:
    first = rule("first", take=["a", M], put=["b"])
    second = rule("second", take=["a"], put=["c"])
    puzzle = Puzzle(rule("x", take=[()]), simplify=[first, second])
    assert simplified(puzzle, State(["a", 1, 2])) == State(["b", 1])
    assert simplified(puzzle, State(["a"])) == State(["c"])
    assert simplified(puzzle, State(["d"])) == State(["d"])
    assert simplified(puzzle, simplified(puzzle, State(["a", "a", 5]))) == State(["b", "c"])


def test_a_cost_is_a_number_or_computed_from_the_bindings() -> None:
    puzzle = Puzzle(rule("x", take=[M], cost=M * 2 + count(ANY)), rule("y", take=[5], cost=0))
    assert [way.cost for way in successors(puzzle, State([3, 5]))] == [7, 11, 0]


# -- whole rules of the language page ----------------------------------------------------------


def test_the_hanoi_rule_moves_a_disk_onto_a_larger_one() -> None:
    move = rule(f"disk {D}: {F} to {G}", take=[Peg(F, (D, *S)), Peg(G, (E, *T))],
                put=[Peg(F, S), Peg(G, (D, E, *T))], when=D < E)  # fmt: skip
    state = [Peg("a", (1, 2, 9)), Peg("b", (9,)), Peg("c", (9,))]
    assert labels(state, move) == ["disk 1: a to b", "disk 1: a to c"]
    assert after(state, move)[0] == [Peg("a", (2, 9)), Peg("b", (1, 9)), Peg("c", (9,))]


def test_a_push_of_sokoban_needs_a_free_floor_behind_the_box() -> None:
    push = rule(f"{D}", let={D: one_of(1, -1)}, take=[("player", X), Box(X + D)],
                keep=[Floor(X + 2 * D)], absent=[Box(X + 2 * D)],
                put=[("player", X + D), Box(X + 2 * D)])  # fmt: skip
    floor = [Floor(i) for i in range(5)]
    assert labels([("player", 1), Box(2)], push, facts=floor) == ["1"]
    assert labels([("player", 1), Box(2), Box(3)], push, facts=floor) == []
    assert labels([("player", 1), Box(0)], push, facts=floor) == []


def test_observers_are_told_every_condition_that_a_candidate_reaches() -> None:
    told: list[str] = []
    made = rule("x", take=[M], when=[M > 1, M > 2], absent=[M + 1])
    ways(Puzzle(made), made, State([1, 2, 3]),
         lambda stage, env, good: told.append(f"{env[M]} {stage} {good}"))  # fmt: skip
    assert told == [
        "1 match True",
        "1 when=M > 1 False",
        "2 match True",
        "2 when=M > 1 True",
        "2 when=M > 2 False",
        "3 match True",
        "3 when=M > 1 True",
        "3 when=M > 2 True",
        "3 absent=M + 1 True",
        "3 put True",
    ]

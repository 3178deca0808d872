"""What a puzzle loses, and why: `explain` says it, and a result where something was asked for."""

import re
from typing import Any

import pytest

from puzzles import PUZZLES, two_grids
from puzzles.lights_out import Lamp
from rewrite import (
    Puzzle,
    SearchError,
    contains,
    count,
    effect,
    explain,
    fn,
    interchangeable,
    ints,
    lacks,
    one_of,
    relabel,
    rule,
    search,
    seqs,
    strs,
    term,
)
from rewrite.compile.capacity import LEAST, Capacity
from rewrite.compile.encoding import TOO_MANY_VALUES
from rewrite.compile.reason import Reason, joined
from rewrite.engine.build import build
from tests.engines import every_engine, natively, task_of
from tests.terms import At, Mark

M, N, P, Q = ints("M N P Q")
WHO = strs("WHO")
S, T = seqs("S T")


@term
class Left:
    number: int


@fn
def after(number: int) -> Left:
    return Left(number + 1)


@fn
def named(number: int) -> str:
    return f"b{number + 1}"


STEP = rule("step", take=[At(P, M)], put=[At(P, M + 1)], when=M < 5)
START = [At(0, 0), At(1, 0)]
LOST = [
    pytest.param(
        Puzzle(rule("add", take=[M, N], put=[M + N]), start=[1, 2]),
        "rule 'add' has the pattern M, which has no key", "where each value has a place",
        "add", M, id="no key",
    ),
    pytest.param(
        Puzzle(rule("go", take=[At(P, M)], keep=[("step", M, N)], put=[At(P, N), N]),
               facts=[("step", 0, 1)], start=START),
        "rule 'go' has the pattern N, which has no key", "where each value has a place",
        "go", N, id="no key, beside facts",
    ),
    pytest.param(
        Puzzle(rule("go", take=[At(P, M), ("go",)], keep=[("step", M, N)], put=[At(P, N)]),
               rule("wait", put=[("go",)], absent=[("go", *S)]),
               facts=[("step", 0, 1)], start=START),
        "rule 'go' looks up ('step', M, N), and rules change other sequences",
        "write what rules change as terms of constructors", "go", ("step", M, N),
        id="sequences that stay, beside some that change",
    ),
    pytest.param(
        Puzzle(rule("go", take=[At(P, M)], put=[At(P, M + 1)], when=count(At(Q, 0)) > 1),
               start=START),
        "rule 'go' looks at the whole state: count(At(Q, 0)) > 1",
        "ask with keep= or absent= for the terms it depends on", "go", None, id="the whole state",
    ),
    pytest.param(
        Puzzle(STEP, start=[At(0, 0), At(0, 0)]),
        "the start holds At(0, 0) 2 times", "keep how many there are in one term", "", At(0, 0),
        id="equal terms",
    ),
    pytest.param(
        Puzzle(STEP, start=START, facts=[At(9, 9)]),
        "At occurs both in the facts and in take or put", "give what rules change in start=", "",
        At(9, 9), id="facts that change",
    ),
    pytest.param(
        Puzzle(rule("tick", take=[Left(N)], put=[Left(N + 1)]), STEP, start=[*START, Left(0)],
               simplify=[rule("none", take=[At(P, 5)], put=[At(P, 0)])]),
        "simplify= chooses among states by their terms, and not all values are known beforehand "
        "(there are more than 255)",
        "bound what rules compute, e.g. when=between(0, N, 99)", "", None,
        id="simplify",
    ),
    pytest.param(
        Puzzle(rule("two", take=[Mark(P)], put=[Mark(P + 1), Mark(P + 1)], when=P < 3),
               start=[Mark(0)]),
        "rule 'two' puts one term twice", "keep how many there are in one term", "two", None,
        id="put twice",
    ),
    pytest.param(
        Puzzle(rule("tick", take=[Left(N)], put=[Left(N + 1)]), start=[Left(0)]),
        "what its rules do depends on whole states",
        "bound what rules compute, e.g. when=between(0, N, 99), or write rules that each read",
        "", None,
        id="one value without a bound",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("puzzle", "what", "way_out", "name", "pattern"), LOST)
def test_a_multiset_says_which_rule_and_what_to_change(
    puzzle: Puzzle, what: str, way_out: str, name: str, pattern: Any
) -> None:
    engine = build(task_of(puzzle))
    why: Any = engine.why
    assert (why.what, why.rule) == (what, name)
    assert why.way_out.startswith(way_out)
    if pattern is not None:
        assert repr(why.pattern) == repr(pattern)
    lines = str(explain(puzzle)).splitlines()
    at = next(
        number for number, line in enumerate(lines) if line.startswith("states are stored as")
    )
    assert lines[at].endswith(f": {what}")
    assert lines[at + 1] == f"  for slots: {why.way_out}"


def test_what_is_kept_in_slots_has_no_reason() -> None:
    puzzle = Puzzle(STEP, start=START)
    assert build(task_of(puzzle)).why is None
    assert "for slots" not in str(explain(puzzle))


def test_groups_for_further_types_do_not_hide_the_reason() -> None:
    """The multiset is built again when a tuple first comes up, and still says why it is one."""
    anything = rule("wrap", take=[M], let={T: one_of((M,), (M, M))}, put=[(*T, "x")], when=M < 3)
    puzzle = Puzzle(anything, start=[1, 2])
    for capacity in (LEAST, Capacity(term_types=["seq"])):
        engine = build(task_of(puzzle), capacity)
        assert engine.why is not None
        assert engine.why.what == "rule 'wrap' has the pattern M, which has no key"


COPYING = Puzzle(
    rule("copy", keep=[Mark(M)], let={N: one_of(0, 1)}, put=[Mark(N)]),
    start=[Mark(0)], goal=contains(Mark(0), Mark(0), Mark(1)), name="copying",
)  # fmt: skip


def test_rules_that_may_put_a_term_twice_are_named_before_they_do() -> None:
    assert (
        "  if a term can stand twice (by 'copy'), the search begins again as a multiset; have the "
        "rule that puts it say absent= for that term, or keep how many there are in one term"
    ) in str(explain(COPYING)).splitlines()
    doubtful = COPYING.replace(goal=contains(Mark(1)), symmetry=interchangeable(0, 1))
    # states are looked at, to refute it
    assert "multiset in groups (Mark): a term can stand twice\n" in str(explain(doubtful))


@pytest.mark.parametrize("symmetry", ["find", "declared"])
def test_a_note_says_why_no_symmetry_is_used_and_what_to_change(symmetry: str) -> None:
    names = Puzzle(
        rule(f"{WHO} goes", take=[(WHO, M, *S)], put=[(WHO, M + 1, *S)], when=M < 2),
        start=[("Ann", 0), ("Bob", 0)], goal=contains(("Ann", 2), ("Bob", 2)),
        symmetry=relabel((WHO, M), (WHO, 2 - M)),
    )  # fmt: skip
    (note,) = search(names, symmetry=symmetry).notes
    assert note.startswith("no symmetry is used: states are stored as a multiset in groups (seq): ")
    assert "which has no key; where each value has a place, write a term" in note
    assert search(names, symmetry="none").notes == ()
    alike = search(names.replace(symmetry=interchangeable("Ann", "Bob")), symmetry=symmetry).notes
    assert (alike == (note,)) == (symmetry == "find")


def test_a_search_that_lost_nothing_it_was_asked_for_has_no_note() -> None:
    assert search(Puzzle(rule("add", take=[M, N], put=[M + N])), [1, 2], contains(3)).notes == ()


OPEN = [
    pytest.param(
        rule("twice", take=[At(P, M)], put=[At(P, M**2 % 7)]),
        "rule 'twice' takes a power",
        "write what it computes as facts that keep= looks up", id="power",
    ),
    pytest.param(
        rule("up", take=[At(P, M)], put=[At(P, M + 1)]),
        "there are more than 255", "bound what rules compute, e.g. when=between(0, N, 99)",
        id="unbounded",
    ),
]  # fmt: skip


@natively
@pytest.mark.parametrize(("one", "what", "way_out"), OPEN)
def test_values_that_are_not_known_beforehand_say_why(one: Any, what: str, way_out: str) -> None:
    puzzle = Puzzle(one, start=[At(0, 1), At(1, 1)], goal=contains(At(0, 4)), name="cells")
    told = str(explain(puzzle))
    assert f"for each of 2 (cell); values are numbered as they appear ({what})" in told
    with pytest.raises(SearchError) as caught:
        search(puzzle, heuristic="hmax")
    assert str(caught.value) == (
        "cells: heuristic='hmax' cannot be made: the values that At can come to hold are not known "
        f"beforehand: {what}; {way_out}, or give an expression such as total(…) or a function "
        "State -> number"
    )
    assert caught.value.reason.way_out == way_out
    (note,) = search(puzzle, symmetry="find").notes
    assert note == (
        "no symmetry is used: the values that At can come to hold are not known beforehand: "
        f"{what}; {way_out}"
    )


def test_values_computed_beside_open_ones_name_these_and_their_reason() -> None:
    @term
    class Copy:
        value: int

    puzzle = Puzzle(
        rule("twice", take=[At(P, M)], put=[At(P, M**2 % 7)]),
        rule("note", take=[Copy(N)], keep=[At(0, M)], put=[Copy(M + 1)]),
        start=[At(0, 1), Copy(0)],
    )
    assert (
        "Copy: a slot of 12 bits holds value; values are numbered as they appear (they are found "
        "together with those of At: rule 'twice' takes a power"
    ) in str(explain(puzzle))


def test_combinations_that_are_too_many_name_what_has_most_values() -> None:
    @term
    class Parcel:
        name: str
        place: int | str

    @term
    class Truck:
        name: str
        at: int
        load: int

    name, truck = strs("name truck")
    puzzle = Puzzle(
        rule("drive", take=[Truck(truck, M, N)], put=[Truck(truck, 1 - M, N)]),
        rule("load", take=[Parcel(name, M), Truck(truck, M, N)],
             put=[Parcel(name, truck), Truck(truck, M, N + 1)], when=N < 2),
        rule("unload", take=[Parcel(name, truck), Truck(truck, M, N)],
             put=[Parcel(name, M), Truck(truck, M, (N - 1) % 99)]),
        start=[Parcel("a", 0), Parcel("b", 1), Truck("s", 0, 0), Truck("t", 1, 0)],
    )  # fmt: skip
    told = [line for line in str(explain(puzzle)).splitlines() if line.startswith("  Parcel: ")]
    assert re.search(r"'load' combines too many of them, e\.g\. \d+ of Truck\)", told[0])


def test_reasons_are_joined_without_saying_one_twice() -> None:
    one, other = Reason("a", "do b"), Reason("c")
    assert joined([one, one]) == one
    assert joined([one, other, TOO_MANY_VALUES]) == Reason(
        "a; c; a slot would hold too many values",
        "do b; bound what the rules compute, e.g. when=N < 1000",
    )


def test_a_condition_that_keeps_symmetry_away_is_shown_with_a_way_out() -> None:
    @term
    class Walker:
        name: str
        place: int

    names, other = ("a", "b", "c"), strs("other")
    three = Puzzle(
        rule("step", take=[Walker(WHO, M)], put=[Walker(WHO, M + 1)], when=M < 2),
        start=[Walker(name, 0) for name in names],
        goal=contains(*[Walker(name, 2) for name in names]), symmetry=interchangeable(*names),
    )  # fmt: skip
    pair, last = (Walker(WHO, 0), Walker(other, 2)), Walker(other, 1)
    nested = contains(*pair, when=count(last) == 0)
    beside = contains(*pair) & lacks(last)
    one = contains(*pair, absent=last)
    assert search(three.replace(never=nested)).notes == (
        f"no symmetry is used: {nested!r} has a condition inside; say absent= for what must not be "
        "there",
    )
    assert search(three.replace(never=beside)).notes == (
        f"no symmetry is used: {beside!r} has a variable on both sides; say it in one "
        "contains(...), with absent= for what must not be there",
    )
    for same in one, contains(*pair, when=lacks(last)):
        (note,) = search(three.replace(never=same)).notes
        assert note.startswith("states are counted up to symmetry: 6 declared")


# -- what a search can do with a puzzle ----------------------------------------------------------


def lines(name: str) -> list[str]:
    return str(explain(PUZZLES[name]())).splitlines()


def test_the_groups_of_two_grids_are_told_with_their_orders() -> None:
    told = lines("two_grids")
    assert told[-5:] == [
        "rules can be run backwards: 18 inverse rules",
        "goal states: 64",
        "no heuristic is made from the rules: its goal lacks(Line(P, Q, R), At(P, a), At(Q, b), "
        "At(R, c), when=a + b + c != 15) says of no single term whether it must be there",
        "symmetries: those declared generate a group of 16",
        "symmetries that can be found: a group of 64",
    ]


def test_effects_leave_the_heuristics_of_relaxed_plans() -> None:
    lit = [effect(take=[At(M, 0)], put=[At(M, 1)], when=M == N + 1)]
    press = rule("press", take=[At(N, 1)], put=[At(N, 0)], effects=lit)
    start = [At(1, 1), At(2, 0), At(3, 0)]
    puzzle = Puzzle(press, start=start, goal=contains(At(3, 1)), sets=True)
    assert (
        "\nheuristics from the rules: those of relaxed plans only: its rules have effects, which "
        "depend on the state\n"
    ) in str(explain(puzzle))


@natively
def test_which_rule_keeps_tables_from_adding_up_is_told_as_a_search_uses_them() -> None:
    places = range(12)
    alone = rule("turn", take=[At(P, M)], put=[At(P, (M + 1) % 4)])
    two = [At(P, M), At(P + 1, N)]
    pair = rule("turn two", take=two, put=[At(P, (M + 1) % 4), At(P + 1, (N + 1) % 4)])
    puzzle = Puzzle(
        alone, start=[At(at, 0) for at in places], goal=contains(*[At(at, 2) for at in places])
    )
    told, how = [], "heuristic from the rules: "
    for one in (puzzle, puzzle.replace(rules=[pair])):
        [line] = [line for line in str(explain(one)).splitlines() if line.startswith(how)]
        told.append(line.removeprefix(how))
        [note] = search(one, strategy="astar", heuristic="auto", max_states=10).notes
        assert told[-1].startswith(note.removeprefix("heuristic: "))
    assert told[0] == "12 additive pattern databases of 1 slot each"
    assert "do not all add up: a step of rule 'turn two' changes" in told[1]


def test_of_multisets_the_symmetries_that_are_declared_are_told() -> None:
    alike = interchangeable("ann", "bob", "cid")
    puzzle = Puzzle(
        rule("lose", take=[WHO]), start=["ann", "ann", "bob"], goal=contains(4), symmetry=alike
    )
    group = "symmetries: those declared generate a group of"
    assert str(explain(puzzle)).splitlines()[-1] == f"{group} 6"
    told = str(explain(puzzle.replace(symmetry=relabel(P, P)))).splitlines()
    assert told[-1].startswith(f"{group} 1; no symmetry is used: states are stored as a multiset")


def test_what_is_in_the_way_is_told() -> None:
    assert lines("digitle")[-3].startswith(
        "rules cannot be run backwards: rule '{M} + {N} → {M + N}' cannot be run backwards: "
    )
    one_lamp = PUZZLES["lights_out"]("5").replace(goal=contains(Lamp(0, 0)))
    many = "the goal is met by more than 100,000 states; give a more specific goal, such as"
    assert f"goal states cannot be listed: {many} a whole state: exactly(...)" in str(
        explain(one_lamp)
    )
    assert "no symmetry was found" in lines("klotski")


def test_goal_states_that_cannot_occur_are_not_counted() -> None:
    assert "goal states: 6,795" in lines("klotski")
    assert "goal states: 12" in lines("sokoban")


def test_a_wrong_symmetry_is_told_where_the_puzzle_is_explained() -> None:
    turned = relabel(two_grids.At(P, Q), two_grids.At((P + 1) % 18, Q))
    puzzle = two_grids.instance().replace(symmetry=[turned])
    told = str(explain(puzzle))
    assert f"two_grids: the proof of {turned!r} fails at rule " in told
    assert told.splitlines()[-1] == "symmetries that can be found: a group of 64"


def test_only_groups_of_terms_that_come_up_are_named_beside_the_value_of_a_function() -> None:
    puzzle = Puzzle(
        rule("go", take=[Left(M)], put=[after(M)], when=M < 9),
        start=[Left(0)],
        goal=contains(Left(7)),
    )
    assert "stored as a multiset in groups (Left): " in str(explain(puzzle))
    assert search(puzzle).depth == 7
    other = puzzle.replace(start=[4, Left(0)])  # int is a group of what the start holds
    assert "stored as a multiset in groups (int, Left): " in str(explain(other))


@every_engine
def test_a_function_may_return_terms_of_a_group_that_nothing_names(engine: str) -> None:
    puzzle = Puzzle(
        rule("go", take=[Left(M)], put=[named(M)], when=M < 9), start=[Left(0)], goal=contains("b1")
    )
    assert search(puzzle, engine=engine).depth == 1

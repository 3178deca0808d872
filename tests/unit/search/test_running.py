"""A search while it runs: errors of a person's functions, progress, Ctrl-C, warnings."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from rewrite.errors import RewriteWarning, RuleError
from rewrite.language.builtins import digits, if_, upper
from rewrite.language.conditions import contains, count, lowest
from rewrite.language.expressions import ANY
from rewrite.language.functions import fn, ints, one_of, seqs, strs, terms
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.results.result import Result
from rewrite.search import origins, run
from rewrite.search.api import search, solutions
from rewrite.search.drivers import interface
from rewrite.search.drivers.interface import Progress
from tests.terms import Box

M, N, A = ints("M N A")
B, W = strs("B W")
X = terms("X")
(S,) = (seqs("S"),)
grow = Puzzle(
    rule("grow", take=[M], put=[M + 1]), rule("double", take=[M], put=[2 * M]), start=[1],
    name="grow",
)  # fmt: skip


@term
class Bin:
    at: int


@term
class Holder:
    thing: Any


@term
class At:
    who: str
    bank: str


@fn
def fussy(number: int) -> int:
    if number == 5:
        raise LookupError("no five")
    return number + 1


def odd(state: State) -> bool:
    raise LookupError("odd")


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["breadth_first", "uniform_cost"])
def test_a_function_that_raises_is_told_with_rule_call_bindings_and_state(strategy: str) -> None:
    puzzle = Puzzle(rule(f"next {M}", take=[M], put=[fussy(M)]), start=[1, 1])
    with pytest.raises(
        RuleError, match=r"rule 'next \{M\}' failed in fussy\(5\) with M=5, in st"
    ) as e:
        search(puzzle, None, contains(99), strategy=strategy)
    assert isinstance(e.value.__cause__, LookupError)
    assert e.value.facts["rule"] == "next {M}"
    assert e.value.facts["bindings"] == {"M": 5}
    assert 5 in e.value.facts["state"]


def test_a_function_that_raises_in_a_goal_a_heuristic_or_what_is_minimised() -> None:
    puzzle = Puzzle(rule("next", take=[M], put=[M + 1], when=M < 9), start=[1])
    cases: list[dict[str, Any]] = [
        {"goal": contains(M, when=fussy(M) == 0)},
        {"goal": contains(99), "heuristic": lowest(fussy(M), M)},
        {"minimize": lowest(fussy(M), M)},
    ]
    for options in cases:
        with pytest.raises(RuleError, match=r"failed in fussy\(.*5") as caught:
            search(puzzle, **options)
        assert isinstance(caught.value.__cause__, LookupError)
    with pytest.raises(RuleError, match=r"goal=.* failed in .*odd") as caught:
        search(puzzle, None, odd)
    assert isinstance(caught.value.__cause__, LookupError)


# -- progress ----------------------------------------------------------------------------------


def test_progress_is_called_with_sensible_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FIRST_PROGRESS", 0.0)
    monkeypatch.setattr(interface, "NEXT_PROGRESS", 0.0)
    seen: list[Progress] = []
    result = search(
        grow, None, contains(-1), max_states=3000, progress=seen.append, engine="python"
    )
    assert result.limit == "max_states"
    assert len(seen) > 2
    assert [p.states for p in seen] == sorted(p.states for p in seen)
    assert 0 < seen[-1].states <= result.states
    assert 0 < seen[-1].depth <= result.depth
    assert 0 < seen[-1].waiting < seen[-1].states
    assert 0 < seen[-1].seconds <= result.seconds
    assert seen[-1].memory > 1_000_000
    assert seen[-1].rate == seen[-1].states / seen[-1].seconds


def test_progress_is_not_called_in_a_short_search() -> None:
    seen: list[Progress] = []
    assert search(grow, None, contains(9), progress=seen.append)
    assert not seen


# -- Ctrl-C ------------------------------------------------------------------------------------

INTERRUPTED = """
import os, signal, sys
from rewrite import Puzzle, contains, ints, rule, search, solutions
M = ints("M")
grow = Puzzle(rule("grow", take=[M], put=[M + 1]), rule("double", take=[M], put=[2 * M]), start=[1])
looked = 0
def goal(state):
    global looked
    looked += 1
    if looked in AT:
        os.kill(os.getpid(), signal.SIGINT)
    return False
"""


def python(text: str, *moments: int) -> str:
    source = INTERRUPTED.replace("AT", repr(moments)) + text
    return subprocess.check_output([sys.executable, "-c", source], encoding="utf-8", timeout=60)


def test_ctrl_c_gives_what_there_is_and_leaves_the_process_usable() -> None:
    told = python(
        """
result = search(grow, None, goal, max_states=500)
print(result.status, bool(result), 0 < result.states < 500, result.limit)
print(result.summary().split()[0], result.summary().split("; ")[-1])
again = result.resume()
print(again.status, again.limit, again.states >= 500)
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print(len(search(grow, None, contains(16)).path))
""",
        100,
    )
    assert told == (
        "interrupted False True None\ninterrupted .resume() continues\nlimit max_states True\n"
        "True\n4\n"
    )


def test_a_second_ctrl_c_raises_keyboard_interrupt() -> None:
    told = python(
        """
try:
    search(grow, None, goal, max_states=500)
except KeyboardInterrupt:
    print("KeyboardInterrupt", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
import gc
print(gc.isenabled(), len(search(grow, None, contains(16)).path))
""",
        100, 101,
    )  # fmt: skip
    assert told.splitlines() == ["KeyboardInterrupt True", "True 4"]


def test_ctrl_c_while_lazy_solutions_are_sought_raises_keyboard_interrupt() -> None:
    told = python(
        """
try:
    list(solutions(grow, None, goal, max_states=500))
except KeyboardInterrupt:
    print("KeyboardInterrupt")
""",
        100,
    )
    assert told == "KeyboardInterrupt\n"


def test_a_search_in_another_thread_leaves_the_handler_alone() -> None:
    import threading

    found: list[Result] = []
    thread = threading.Thread(target=lambda: found.append(search(grow, None, contains(16))))
    thread.start()
    thread.join()
    assert found[0]


# -- warnings ----------------------------------------------------------------------------------


def warned(puzzle: Puzzle, goal: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search(puzzle, None, goal, **options)
    assert all(issubclass(one.category, RewriteWarning) for one in caught)
    assert all(one.filename == __file__ for one in caught), "it points at the caller's line"
    return [str(one.message) for one in caught]


def test_a_rule_that_never_fired_in_a_whole_space_is_told() -> None:
    puzzle = Puzzle(
        rule("take", take=[1], put=[2]), rule("never", take=[2, 2], put=[1]), start=[1], name="p"
    )
    assert warned(puzzle, contains(9)) == [
        "p: the whole space was searched and 'never' never fired; explain(puzzle, state, rule) "
        "shows where its matches are dropped"
    ]
    assert warned(puzzle, contains(2)) == []
    assert warned(puzzle, contains(9), max_states=1) == []


STUCK = "no rule fires in the start; explain(puzzle, state, rule) shows where matches are dropped"


def test_a_value_to_minimize_that_no_state_has_is_noted() -> None:
    puzzle = Puzzle(rule("up", take=[M], put=[M + 1], when=M < 3), start=[0])
    assert search(puzzle, minimize=lowest(M, M, when=M > 5)).notes == (
        "minimize=lowest(M, M, when=M > 5) has a value in none of these states",
    )
    assert search(puzzle, minimize=lowest(M, M, when=M > 2)).notes == ()
    assert search(puzzle, minimize=lowest(M, M, when=M < 1), min_depth=1).notes == ()


def test_a_start_in_which_no_rule_fires_is_noted() -> None:
    puzzle = Puzzle(rule("take", take=[1], put=[2]), start=[3])
    assert search(puzzle, goal=contains(9)).notes == (STUCK,)
    assert search(puzzle, goal=contains(3), solutions=None).notes == ()  # it is a goal
    assert search(puzzle, minimize=count(3)).notes == (STUCK,)
    assert search(Puzzle(start=[3]), goal=contains(9)).notes == ()
    forbidden = puzzle.replace(start=[1], never=contains(2))
    assert search(forbidden, goal=contains(2)).notes == ()
    hopeless = search(puzzle, goal=contains(9), strategy="astar", heuristic=lambda _: float("inf"))
    assert STUCK not in hopeless.notes  # it was not even expanded


@pytest.mark.parametrize(
    ("rules", "warns"),
    [
        ([rule("n", ["right"], ["left"])], True),
        ([rule("n", [Box(2)], [Box(1)])], True),
        ([rule("n", [Box(1), Box(2)], [Box(1), "left"])], True),
        ([rule("n", [Box(2)], [Box(1)]), rule("m", ["right"], ["left"])], True),
        ([rule("n", [Box(2)], [Box(1)]), rule("m", ["right"], ["up"])], False),
        ([rule("n", [Box(2)], [])], False),
        ([rule("n", [Box(2)], [Box(3)])], False),
        ([rule("n", [Box(A), Box(A)], [Box(A)])], False),
    ],
)
def test_take_and_put_that_look_swapped_in_all_rules_are_told(
    rules: list[Rule], warns: bool
) -> None:
    puzzle = Puzzle(rules, start=["left", Box(1)], name="p")
    names = " 'n', 'm'" if len(rules) == 2 else " 'n'"
    text = f"p: no rule fires in the start: what{names} would put is there, and what it takes is "
    text += "not. Are they swapped? What is taken comes first: rule(label, take=[…], put=[…])"
    assert (text in warned(puzzle, contains("left", "left", absent=Box(9)))) == warns
    other = puzzle.replace(start=["right", Box(2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it may be asked about because it is a dead end
        search(other, ["left", Box(1)], contains("left", ANY, ANY))


@pytest.mark.parametrize(
    ("pattern", "start", "hint"),
    [
        (("lamp", 1), [("lamp", True)], " (where 1 stands there is a truth value)"),
        (("lamp", A), [("lamp", True), ("lamp", "on")],
         " (where A stands there is a text or a truth value)"),
        (("lamp", 1), [("lamp", 1, 1)], ""),
        (Holder(1), [Holder(True)], " (where 1 stands there is a truth value)"),
        (Holder((2, Box(A))), [Holder((2, Bin(1)))], " (where Box(A) stands there is Bin(…))"),
    ],
)  # fmt: skip
def test_what_a_term_never_holds_is_told_too(pattern: Any, start: list[Any], hint: str) -> None:
    needs = f"p: rule 'go' can never fire: it needs {pattern!r}, which neither the start nor the "
    puzzle = Puzzle(rule("go", take=[pattern], put=[7]), start=start, name="p")
    assert needs + f"facts nor any rule makes{hint}" in warned(puzzle, contains(7))
    asked = f"nothing makes {pattern!r}{hint or ''}"
    assert any(asked in text for text in warned(Puzzle(start=start, name="p"), contains(pattern)))


@pytest.mark.parametrize(
    "made",
    [
        rule("r", take=[A], put=[("lamp", A)]),
        rule("r", take=[A], put=[(*S, 1)], keep=[S]),
        rule("r", take=[A], put=[digits(A)]),
        rule("r", take=[A], put=[X], let={X: one_of(("lamp", 1), "a")}),
        rule("r", take=[A], put=[Holder(fussy(A))]),
        rule("r", take=[A], put=[if_(A > 3, Box(A), Holder(("lamp", 1)))]),
        rule("r", take=[Holder(X)], put=[X]),
    ],
)
def test_what_a_rule_may_make_takes_the_warning_back(made: Rule) -> None:
    go = rule("go", take=[("lamp", 1)], put=[7])
    puzzle = Puzzle(go, made, start=[("lamp", True), 1, Holder((2,)), Holder(Box(2))], name="p")
    assert not [text for text in warned(puzzle, contains(1)) if "never fire" in text]


def test_a_constructor_that_nothing_makes_is_told() -> None:
    puzzle = Puzzle(
        rule("go", take=[1], put=[2]), rule("box", take=[Box(A)], put=[Bin(A)]), start=[1], name="p"
    )
    assert warned(puzzle, contains(2)) == [
        "p: rule 'box' can never fire: it needs Box({A}), which neither the start nor the facts "
        "nor any rule makes".replace("{A}", repr(A))
    ]
    assert warned(puzzle.replace(start=[1, Box(2)]), contains(2)) == []
    only_facts = warned(puzzle.replace(facts=[Box(2)]), contains(2))
    assert only_facts == [
        "p: rule 'box' takes Box(A), which occurs only among the facts, and facts are never taken; "
        "write keep=, or put it into the start"
    ]


def test_a_union_of_constructors_is_missing_only_where_each_of_them_is() -> None:
    either = terms("either", Box, Bin)
    go = rule("go", take=[1], put=[2])
    puzzle = Puzzle(go, rule("lift", take=[either], put=[3]), start=[1], name="p")
    assert warned(puzzle, contains(2)) == [
        "p: rule 'lift' can never fire: it needs either, which is Bin(…) or Box(…), which neither "
        "the start nor the facts nor any rule makes"
    ]
    assert warned(puzzle.replace(start=[1, Bin(2)]), contains(2)) == []
    assert warned(puzzle.replace(start=[1, Box(2)]), contains(2)) == []


def test_what_only_a_rule_makes_that_needs_it_itself_is_never_there() -> None:
    push = rule("push", take=[Box(A)], put=[Box(A + 1)])
    puzzle = Puzzle(rule("go", take=[1], put=[2]), push, start=[1], name="p")
    assert warned(puzzle, contains(2)) == [
        "p: rule 'push' can never fire: it needs Box(A), which is made only by rules that can "
        "never fire, and is neither in the start nor in the facts"
    ]
    circle = puzzle.replace(
        rules=[rule("a", take=[Box(A)], put=[Bin(A)]), rule("b", take=[Bin(A)], put=[Box(A)])]
    )
    assert [text.split(":")[1] for text in warned(circle, contains(2))] == [
        " rule 'a' can never fire", " rule 'b' can never fire",
    ]  # fmt: skip
    chain = circle.replace(rules=[*circle.rules, rule("c", take=[1], put=[Box(1)])])
    assert warned(chain, contains(2), max_states=2) == []
    assert warned(puzzle.replace(start=[1, Box(0)]), contains(2)) == []
    unknown = rule("open", take=[Bin(A)], put=[[fussy(A)]])
    assert len(warned(puzzle.replace(rules=[push, unknown]), contains(1))) == 2


def test_a_rule_that_may_make_anything_takes_every_warning_back() -> None:
    anything = rule("any", take=[1], put=[fussy(M)], keep=[M])
    push = rule("push", take=[Box(A)], put=[Box(A + 1)])
    assert warned(Puzzle(push, anything, start=[1, 2]), contains(1)) == []


def test_a_term_that_nothing_mentions_is_told() -> None:
    puzzle = Puzzle(rule("go", take=[M], put=[M + 1]), start=[1, Box(3)], name="p")
    assert warned(puzzle, contains(2)) == [
        "p: no rule and no condition mentions Box(3), which is in the start"
    ]
    assert warned(puzzle, contains(2, Box(A))) == []
    assert warned(puzzle, lambda state: 2 in state) == []


def test_a_goal_of_terms_that_nothing_makes_is_told_and_repeated_by_the_result() -> None:
    told = "nothing makes Box(1): neither the start nor the facts nor any rule"
    assert warned(grow, contains(Box(1)), max_states=100) == [
        f"grow: goal=contains(Box(1)): {told}"
    ]
    with pytest.warns(RewriteWarning, match="nothing makes 'no such term'"):
        result = search(grow, None, contains("no such term"), max_states=100)
    assert "note: nothing makes 'no such term': neither" in str(result)
    assert warned(grow, contains(-1), max_states=100) == []  # a number may come up
    with pytest.warns(RewriteWarning, match="nothing makes Box"):
        result = search(grow, None, contains(Box(1)) | contains(3), max_states=100)
    assert result
    assert "nothing makes" not in str(result)  # it matters only where there is no answer


def test_misspelled_texts_are_told_where_no_rule_can_compute_them() -> None:
    puzzle = Puzzle(
        rule("go", take=[(W, M)], put=[(W, M + 1)]),
        rule("cross", take=[At(W, "left")], put=[At(W, "right")]),
        start=[At("ann", "left"), ("x", 1)],
        name="p",
    )
    told = "nothing makes At(ANY, 'rigth') (did you mean 'right'?): neither"
    assert told in warned(puzzle, contains(At(ANY, "rigth")), max_states=9)[0]
    assert (
        "nothing makes At('bob', ANY): neither"
        in warned(puzzle, contains(At("bob", ANY)), max_states=9)[0]
    )
    assert warned(puzzle, contains(At("ann", "right")), max_states=9) == []
    computed = Puzzle(
        rule("cross", take=[At(W, B)], put=[At(W, upper(B))]), start=[At("a", "left")], name="p"
    )
    assert warned(computed, contains(At("a", "no such")), max_states=9) == []
    chosen = Puzzle(
        rule("cross", take=[At(W, ANY)], let={B: one_of("left", "right")}, put=[At(W, B)]),
        start=[At("a", "left")],
        name="p",
    )
    assert warned(chosen, contains(At(ANY, "right")), max_states=9) == []
    assert len(warned(chosen, contains(At(ANY, "top")), max_states=9)) == 1


def test_a_misspelled_text_at_the_front_of_a_tuple_in_a_rule_is_told() -> None:
    def go(*fronts: str, wall: str = "wall") -> Puzzle:
        rules = [
            rule(f"go {n}", take=[(one, M)], put=[("tile", M + 1)], when=M < 3, absent=[(wall, M)])
            for n, one in enumerate(fronts)
        ]
        return Puzzle(rules, start=[("tile", 0)], facts=[("wall", 2)], name="p")

    def doubts(puzzle: Puzzle) -> list[str]:
        return [one for one in warned(puzzle, contains(("tile", 9))) if "nothing makes" in one]

    assert doubts(go("tile")) == []
    (told,) = warned(go("tiel"), contains(("tile", 1)))  # not that take and put look swapped
    assert told == (
        "p: rule 'go 0': nothing makes ('tiel', M) (did you mean 'tile'?): neither the start nor "
        "the facts nor any rule"
    )
    (told,) = doubts(go("tile", "tiel"))  # rules of one shape
    assert told.startswith("p: rule 'go 1': nothing makes ('tiel', M)")
    assert doubts(go("tile", "tile", "tale")) == []  # by a loop over names
    assert len(doubts(go("tiel", "tiel", "tale"))) == 3
    (told,) = doubts(go("tile", wall="wal"))
    assert "nothing makes ('wal', M) (did you mean 'wall'?)" in told
    turn = rule("turn", take=[("turned", *S)], put=[(*S, 1)])
    assert doubts(go("tiel").replace(rules=[turn, *go("tiel").rules])) == []  # ("tiel", 1) may be


def test_a_start_of_one_tuple_is_told_how_to_be_written() -> None:
    walk = Puzzle(rule("walk", take=[(M, N)], put=[(M + 1, N)], when=M < 3), name="p")
    told = "; for a start that is one sequence write [(…)], a list of one term"
    assert warned(walk.replace(start=(0, 0)), contains((3, 0)))[0].endswith(told)
    assert warned(walk.replace(start=[(0, 0)]), contains((3, 0))) == []
    assert told not in warned(walk.replace(start=[(0, 0, 0), 1]), contains((3, 0)))[0]


def test_texts_in_tuples_are_looked_for_where_no_rule_can_make_them() -> None:
    sort = rule("sort", take=[("from", W)], put=[("to", W, M)], keep=[M])
    puzzle = Puzzle(sort, start=[("from", "ann"), ("to", "bob", 1), 5], name="p")
    for name in ("ann", "bob"):
        assert warned(puzzle, contains(("to", name, M))) == []
    assert "nothing makes ('to', 'eve', M): n" in warned(puzzle, contains(("to", "eve", M)))[0]
    spliced = rule("sort", take=[("from", *S)], put=[("to", *S, M)], keep=[M])
    assert warned(puzzle.replace(rules=[spliced]), contains(("to", "eve", M))) == []


def test_thousands_of_facts_that_are_tuples_are_looked_at_by_length() -> None:
    facts = [("next", n, n + 1) for n in range(500)] + [("name", n, f"n{n}") for n in range(500)]
    with patch.object(origins, "held", wraps=origins.held) as held:
        found = origins.contents([*facts, (1, (2, 3))])
    assert (("seq", 3), 2) in {one[0] for one in found if isinstance(one, tuple)}
    assert held.call_count == 1


def test_rules_of_one_family_are_told_only_if_all_of_them_never_fired() -> None:
    steps = [rule(f"step {i}", take=[M], put=[M + i], when=M + i < 4) for i in (1, 2, 3, 9)]
    assert warned(Puzzle(steps, start=[0], name="p"), contains(-1)) == []
    idle = [rule(f"back {i}", take=[M], put=[M - i], when=10 * i < M) for i in (1, 2, 3)]
    told = warned(Puzzle(steps, idle, start=[0], name="p"), contains(-1))
    assert len(told) == 1
    assert "'back 1', 'back 2', 'back 3' never fired" in told[0]


def test_a_history_kept_in_the_state_is_told() -> None:
    puzzle = Puzzle(
        rule("go", take=[M, (*S,)], put=[M + 1, (*S, M)]),
        rule("jump", take=[M, (*S,)], put=[M + 2, (*S, M)]),
        start=[0, ()],
        name="p",
    )
    told = warned(puzzle, contains(-1), max_states=11_000)
    assert len(told) == 1
    assert told[0].startswith("p: every one of 11,")
    assert "was reached in only one way. If a state keeps its own history, leave it out" in told[0]
    assert warned(puzzle, contains(-1), max_states=9_000) == []
    assert warned(grow, contains(-1), max_states=11_000) == []


def test_a_warning_is_given_once_a_search_also_when_it_is_resumed() -> None:
    puzzle = Puzzle(rule("go", take=[(*S,)], put=[(*S, 1)]), start=[()], name="p")
    with pytest.warns(RewriteWarning, match="in only one way"):
        result = search(puzzle, None, contains((2,)), max_depth=10_001)
    result.resume(max_states=10_050)  # warnings are errors here


# -- lazy solutions ----------------------------------------------------------------------------


def test_solutions_is_an_iterator_that_ends_with_the_space() -> None:
    puzzle = Puzzle(rule("split", take=[M], put=[digits(M)], when=M > 9), start=[12, 34])
    found = solutions(puzzle, None, contains((*S,)))
    assert isinstance(found, Iterator)
    assert sorted(str(path.bindings["S"]) for path in found) == [
        "(1, 2)", "(1, 2)", "(3, 4)", "(3, 4)",
    ]  # fmt: skip

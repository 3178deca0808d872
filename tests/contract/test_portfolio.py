"""A search whose strategy is left to us: plain search first, A* with tables once they pay."""

import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from puzzles import digitle, missionaries, pancakes
from puzzles.eight_puzzle import Tile, instance
from puzzles.lights_out import Lamp
from rewrite import (
    Bag,
    Progress,
    Puzzle,
    SearchError,
    contains,
    exactly,
    explain,
    fn,
    ints,
    rule,
    search,
)
from rewrite.search import candidates, portfolio
from rewrite.search.drivers import interface
from rewrite.search.heuristics import FromRules, pattern_databases
from rewrite.search.question import Question
from tests.answers import labelled
from tests.engines import every_engine, natively

pytestmark = natively

HARD = instance("867254301")  # 31 moves away, as far as it gets
STACK = pancakes.instance().replace(  # beside a nested bag it remains a sequence
    start=[(5, 7, 3, 1, 6, 2, 4), Bag()], goal=exactly((1, 2, 3, 4, 5, 6, 7), Bag())
)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the second begin soon: tables of so many entries each cost so many states, about."""

    def priced(build_cost: int, entries: int = 9**5) -> None:
        monkeypatch.setattr(portfolio, "FIRST_LOOK", 100)
        monkeypatch.setattr(candidates, "MOST_ENTRIES", entries)
        monkeypatch.setattr(pattern_databases.pattern_databases, "__defaults__", (entries,))
        patterns = {9**5: 90_720, 9**2: 1_728}[entries]  # steps that their making looks at
        monkeypatch.setattr(candidates, "STEPS_A_STATE", max(1, patterns // build_cost))

    return priced


def test_tables_are_bought_after_as_much_work_and_the_result_says_so(
    soon: Any,
) -> None:
    soon(500)
    result = search(HARD)
    assert (len(result.paths[0]), result.optimal, result.strategy) == (31, True, "astar")
    assert result.states < 3_000
    assert [note.partition(":")[0] for note in result.notes] == ["heuristic", "A* was chosen"]
    assert result.notes[1] == (
        "A* was chosen: its tables cost as much as 502 states of breadth_first, which had seen 503 "
        "states without an answer (not counted)"
    )


def test_a_search_that_ends_before_tables_pay_is_plain_search_to_the_digit() -> None:
    plain = search(HARD, strategy="breadth_first")
    assert labelled(search(HARD)) == labelled(plain)
    assert plain.states == 181_440


def test_plain_search_that_ends_first_counts_as_if_it_were_alone(
    soon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio.Portfolio, "_pace", 10**9)  # then A* has its first slice only
    soon(500)
    plain, both = search(HARD, strategy="breadth_first"), search(HARD)
    assert labelled(both) | {"notes": ()} == labelled(plain)
    [note] = both.notes
    assert note.startswith("A* with tables was tried in turn with breadth_first and saw ")
    assert note.endswith(" (not counted)")


def test_the_python_engine_goes_on_without_and_says_so(soon: Any) -> None:
    soon(500)
    result = search(HARD, engine="python")
    assert (result.strategy, result.states) == ("breadth_first", 181_440)
    assert result.notes == (
        "A* with tables beside this search needs the native engine; found engine='python'",
    )
    assert search(HARD, engine="python", max_states=90).notes == ()


@pytest.mark.parametrize("most", [90, 101, 4_000, 6_000])
def test_max_states_counts_both_arms_and_the_search_goes_on_as_if_it_had_not_stopped(
    soon: Any, most: int
) -> None:
    soon(500, entries=9**2)
    whole = search(HARD)
    assert whole.strategy == "astar"
    assert whole.states > 1_000
    stopped = search(HARD, max_states=most)
    assert (stopped.status, stopped.limit, stopped.limit_value) == ("limit", "max_states", most)
    assert most <= stopped.states <= most + 20
    assert any("counted too" in note for note in stopped.notes) == (most > 3_000)
    assert labelled(stopped.resume()) == labelled(whole)


def test_larger_tables_are_bought_when_a_star_has_done_as_much_work(
    soon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon(10, entries=9**2)
    for module in (candidates, pattern_databases):
        monkeypatch.setattr(module, "LARGE_ENTRIES", 9**5)
    result = search(HARD)
    assert len(result.paths[0]) == 31
    assert result.notes[0].startswith("heuristic: 2 additive pattern databases of 4 and 4 values")


def test_an_arm_that_fails_is_given_up_and_the_other_goes_on(
    soon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: FromRules, *_: Any) -> None:
        raise SearchError("no tables today")

    soon(500)
    monkeypatch.setattr(FromRules, "make", fails)
    result = search(HARD)
    assert (result.strategy, len(result.paths)) == ("breadth_first", 1)
    assert result.notes == ("A* was given up: no tables today",)


def test_progress_tells_the_states_of_both_arms(soon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    soon(500)
    monkeypatch.setattr(interface, "NEXT_PROGRESS", -100.0)  # at every look
    monkeypatch.setattr(import_module("rewrite.search.run"), "FIRST_PROGRESS", -100.0)
    eager = Question.for_core
    monkeypatch.setattr(Question, "for_core", lambda self, _: eager(self, True))
    seen: list[Progress] = []
    result = search(HARD, progress=seen.append)
    counts = [one.states for one in seen]
    assert counts == sorted(counts)
    assert counts[-1] > result.states


@every_engine
def test_a_multiset_is_searched_from_both_ends_beside_plain_search(soon: Any, engine: str) -> None:
    soon(500)
    result = search(STACK, engine=engine)
    assert (len(result.paths[0]), result.optimal, result.strategy) == (8, True, "bidirectional")
    assert result.notes[0].startswith("the search from both ends was chosen: breadth_first had ")
    assert result.states < search(STACK, strategy="breadth_first").states / 3


N, M, X, Y = ints("N M X Y")
PAIRS = rule("press", take=[Lamp(N, X), Lamp(M, Y)], put=[Lamp(N, 1 - X), Lamp(M, 1 - Y)])


def test_a_search_goes_on_up_to_symmetries_that_are_found(
    soon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of eight lamps change at once, so an odd one is never reached."""
    soon(500)
    monkeypatch.setattr(candidates, "FIND", 20)
    monkeypatch.setattr(candidates, "MOST_LOOKED_UP", -1)  # no tables
    monkeypatch.setattr(portfolio, "FIRST_LOOK", 10)
    goal = contains(*[Lamp(n, int(n < 7)) for n in range(8)])
    puzzle = Puzzle(PAIRS, start=[Lamp(n, 0) for n in range(8)], goal=goal)
    plain = search(puzzle, strategy="breadth_first")
    assert (plain.status, plain.states) == ("exhausted", 128)
    result = search(puzzle)
    assert (result.status, result.states) == ("exhausted", 8)
    assert result.notes[0].startswith("states are counted up to symmetry: 5,040 found symmetries")
    assert result.notes[1].startswith("the search up to symmetry was chosen: breadth_first had ")
    assert not search(puzzle, symmetry="none").notes
    assert not search(puzzle, strategy="breadth_first").notes
    monkeypatch.setattr(portfolio, "FEWEST_SYMMETRIES", 10**4)
    assert not search(puzzle).notes


def test_symmetries_that_are_asked_for_change_nothing_of_what_is_tried(soon: Any) -> None:
    soon(500)
    assert search(HARD, symmetry="find").strategy == "astar"
    result = search(STACK, symmetry="find")
    assert result.strategy == "bidirectional"
    assert result.notes[-1].startswith("the search from both ends was chosen")


@pytest.mark.parametrize("symmetry", ["none", "find"])
def test_a_rule_that_fires_in_images_alone_is_no_idle_one(symmetry: str) -> None:
    """States up to symmetry have the first of two lamps off."""
    rules = [
        rule(f"on {n}", take=[Lamp(n, 0)], put=[Lamp(n, 1)], keep=[Lamp(1 - n, 0)]) for n in (0, 1)
    ]
    off = [rule(f"off {n}", take=[Lamp(n, 1)], put=[Lamp(n, 0)]) for n in (0, 1)]
    puzzle = Puzzle(*rules, *off, start=[Lamp(0, 0), Lamp(1, 0)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = search(puzzle, goal=contains(Lamp(0, 1), Lamp(1, 1)), symmetry=symmetry)
    assert result.states == {"none": 3, "find": 2}[symmetry]


@every_engine
def test_a_multiset_is_projected_on_what_its_goal_speaks_of(engine: str) -> None:
    result = search(missionaries.instance(), heuristic="auto", engine=engine)
    assert (len(result.paths[0]), result.optimal, result.strategy) == (11, True, "astar")
    assert result.notes[0] == "heuristic: exact distances in On alone, 16 states"


def test_a_multiset_that_met_a_limit_says_why_nothing_was_tried_beside_it(soon: Any) -> None:
    soon(500)
    puzzle = digitle.instance()
    [note] = search(puzzle, goal=contains(-1), max_states=500).notes
    told = str(explain(puzzle.replace(goal=contains(-1)))).splitlines()
    why = note.removeprefix("nothing was tried beside this search: ").split("; ")
    assert why[0] == told[-3]
    assert why[-1] == told[-1]


@pytest.mark.parametrize(
    "asked",
    [
        {"solutions": None}, {"solutions": 2}, {"distinct": "paths", "max_depth": 3},
        {"max_depth": 40}, {"min_depth": 1}, {"strategy": "breadth_first"},
        {"distinct": "paths", "shortest": True, "solutions": None},
    ],
    ids=str,
)  # fmt: skip
def test_other_questions_have_one_arm(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("rewrite.search.api"), "Portfolio", None)
    assert search(instance("123456708"), **asked)


def test_a_search_in_a_folder_has_one_arm(tmp_path: Path, soon: Any) -> None:
    soon(500)
    assert search(HARD, checkpoint=tmp_path / "kept").strategy == "breadth_first"


def test_rules_that_call_python_have_one_arm(soon: Any) -> None:
    soon(500)

    @fn
    def same(number: int) -> int:
        return list(range(99))[number]  # not written out as an expression

    C, D, V = ints("C D V")
    [slide] = HARD.rules
    called = rule(
        "slide", take=[*slide.take], put=[Tile(C, 0), Tile(D, same(V))], when=[*slide.when]
    )
    assert search(HARD.replace(rules=[called])).strategy == "breadth_first"


def test_memory_that_is_too_small_for_tables_buys_none(soon: Any) -> None:
    soon(500)
    result = search(HARD, max_memory="400kB", max_states=50_000)
    assert result.strategy == "breadth_first"

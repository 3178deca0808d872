"""What a result may claim: nothing that a heuristic, a path or the machine's memory left open."""

import re
import time
from typing import Any

import pytest

from rewrite import (
    ExportError,
    HeuristicError,
    Puzzle,
    RewriteError,
    RuleError,
    SearchError,
    compare,
    contains,
    exactly,
    explain,
    fn,
    hardest,
    improve,
    ints,
    lowest,
    rate,
    rule,
    search,
    to_maude,
)
from rewrite.compile.capacity import Capacity
from rewrite.engine.multiset_engine import MultisetEngine
from rewrite.search.arguments import question
from rewrite.search.run import Run
from tests.engines import every_engine, natively, quiet
from tests.terms import Box
from tests.unit.outgrowing import counting

M, N = ints("M N")


DETOUR = Puzzle(
    rule("short", take=["s"], put=["m"]), rule("on", take=["m"], put=["g"]),
    rule("long", take=["s"], put=["g"], cost=3), start=["s"], goal=contains("g"),
)  # fmt: skip


def test_a_heuristic_that_overestimates_is_found_out_by_the_path_it_led_to() -> None:
    result = search(DETOUR, strategy="astar", heuristic=lambda s: 10 if s.count("m") else 0)
    assert result.paths[0].cost == 3
    wrong = search(DETOUR, strategy="astar", heuristic=lambda s: 0 if s.count("s") else 7)
    assert wrong.optimal is False
    assert wrong.notes == (
        "the heuristic overestimates: it gives 7 in state ['m'], from where a way to a goal costs "
        "1; so the first answer need not be the cheapest",
    )
    right = search(DETOUR, strategy="astar", heuristic=lambda s: 1 if s.count("m") else 0)
    assert (right.optimal, right.notes) == (True, ())


@natively
def test_no_overestimate_is_claimed_where_the_costs_of_ways_are_not_kept() -> None:
    walk = Puzzle(rule("on", take=[M], put=[M + 1]), start=[0], goal=contains(3), name="walk")
    for left in (lowest(3 - M, M), lowest(9 - M, M)):
        result = search(walk, strategy="beam", heuristic=left)
        assert (result.status, result.optimal, result.notes) == ("found", False, ())
    over = search(walk, strategy="astar", heuristic=lowest(9 - M, M))
    assert over.notes[0].startswith("the heuristic overestimates: it gives 9 in state [0], from")


def test_heuristics_of_any_size_are_exact() -> None:
    square = rule("square", take=[M], put=[M * M])
    far = 10**640
    puzzle = Puzzle(square, start=[10**40], goal=contains(far))
    assert search(puzzle, strategy="greedy", heuristic=lowest(abs(M - far), M))
    dear = Puzzle(rule("step", take=[M], put=[M + 1], cost=10**400), start=[0], goal=contains(2))
    for weight in (1, 1.5):
        found = search(dear, strategy="astar", heuristic=lambda s: 0.5, weight=weight)
        assert found.paths[0].cost == 2 * 10**400


def test_numbers_that_python_does_not_print_in_decimal_do_not_stop_a_text() -> None:
    huge = 10**5000
    puzzle = Puzzle(
        rule("go", take=[M], put=[M * huge], when=M == 1, cost=huge), start=[1], goal=contains(huge)
    )
    over = search(puzzle, heuristic=lambda state: 2 * huge if 1 in state else 0)
    assert "it gives 0x" in str(over.notes)
    assert "cost more than 2^16,609" in over.to_html()
    assert hex(huge) in compare(puzzle, ["breadth_first"]).to_csv()
    assert "cost more than 2^16,609" in str(rate(puzzle))
    assert "cost more than 2^16,609" in str(improve(puzzle, max_seconds=10))
    assert f"M={hex(huge)}" in str(explain(puzzle, [huge], "go"))
    with pytest.raises(ExportError, match=r"a number cannot be written in Maude: .*4300 digits"):
        to_maude(puzzle)


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


@quiet
@every_engine
@pytest.mark.parametrize("cause", [Wordless(), ValueError(10**5000)])
def test_an_exception_without_a_text_is_reported_by_its_type(cause: Exception, engine: str) -> None:
    def fails(value: int) -> int:
        raise cause

    puzzle = Puzzle(rule("go", take=[M], put=[fn(fails)(M)]), start=[1], goal=contains(0))
    text = f"{type(cause).__name__}, whose text fails with ValueError"
    with pytest.raises(
        RuleError, match=re.escape(f"rule 'go' failed in fails(1) with M=1, in state [1]: {text}")
    ):
        search(puzzle, engine=engine)
    with pytest.raises(HeuristicError, match=text):
        search(puzzle, heuristic=lambda state: fails(1), engine=engine)


def test_an_infinite_set_of_terms_is_not_ground_for_ever() -> None:
    """The compiler gives up early and keeps a multiset; the answer is three steps away."""
    puzzle = Puzzle(
        rule("r", take=[Box(M)], put=[Box(M - 1), Box(M)]), start=[Box(0)], goal=contains(Box(-3))
    )
    began = time.perf_counter()
    result = search(puzzle, max_seconds=30)
    assert (result.status, len(result.paths[0])) == ("found", 3)
    assert time.perf_counter() - began < 30


def test_running_out_of_memory_is_a_result_that_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(self: Any, *args: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(MultisetEngine, "grow", full)
    endless = Puzzle(rule("grow", take=[M], put=[M + 1]), start=[0], goal=contains(-1))
    result = search(endless, engine="python")
    assert (result.status, result.limit) == ("limit", "max_memory")
    assert "the memory of this machine ran out" in result.notes[0]
    with pytest.raises(SearchError):
        result.resume()


@natively
def test_paths_that_would_come_back_to_a_state_are_named() -> None:
    ring = Puzzle(rule("on", take=[M], put=[(M + 1) % 3]), start=[0], goal=contains(0))
    result = search(ring, distinct="paths", min_depth=4)
    assert (result.status, result.limit) == ("limit", "min_depth")
    assert result.notes == (
        "paths do not come back to a state; longer ways that do were not looked for",
    )


def test_a_text_that_an_f_string_made_is_no_term() -> None:
    with pytest.raises(RuleError, match=r"put= holds the text '\{M\}', which an f-string made"):
        rule("a", take=[M], put=[f"{M}"])


def test_a_condition_is_no_pattern() -> None:
    with pytest.raises(RuleError, match=r"take= holds the condition M > 3; conditions stand in"):
        rule("a", take=[M, M > 3], put=[])


def test_comparing_ends_when_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    from rewrite.search.tasks import compare as module

    asked: list[str] = []

    class Stopped:
        status = "interrupted"

    def stopped(*args: Any, strategy: str, **options: Any) -> Any:
        asked.append(strategy)
        return Stopped()

    monkeypatch.setattr(module, "search", stopped)
    compare(DETOUR, ["breadth_first", "depth_first"])
    assert asked == ["breadth_first"]


@every_engine
def test_the_definition_is_not_run_backwards_and_that_is_said(engine: str) -> None:
    puzzle = Puzzle(
        rule("all", take=["a"], keep=[*ints("v0:24")], put=["b"]),
        start=["a", 1], goal=exactly("b", 1),
    )  # fmt: skip
    with pytest.raises(SearchError, match="run backwards, but the definition itself runs them"):
        search(puzzle, strategy="bidirectional", engine=engine)


@fn
def listed(place: int) -> bool:
    return (False, True)[place]


@every_engine
def test_a_function_may_fail_where_the_definition_does_not_call_it(engine: str) -> None:
    """Compiled rules ask `listed(M)` as soon as M is known, also where `N > 0` does not hold."""
    down = rule("down", take=[M], put=[M - 1], when=M > 0)
    open_ = rule("open", take=["shut"], put=[("open", 1)], keep=[1])
    meet = rule("meet", take=[M, ("open", N)], put=["met"], when=[N > 0, listed(M)])
    puzzle = Puzzle(down, open_, meet, start=[4, "shut", ("open", 0)], goal=contains("met"))
    found = search(puzzle, engine=engine)
    assert len(found.path or ()) == 5
    assert "fail where the definition does not: a function failed" in str(found.notes) or (
        engine == "python"
    )
    assert hardest(puzzle, engine=engine).depth == 5
    with pytest.raises(RuleError, match=r"rule 'meet' failed in listed\(4\) with M=4"):
        search(puzzle, [4, "shut", ("open", 1)], engine=engine)


def test_asking_for_what_is_there_is_a_bug_that_is_told() -> None:
    run = Run(question(counting(5000), None, None, engine="python", function="search"))
    run.grow(Capacity(bits=24))
    with pytest.raises(RewriteError, match=r"asked twice for Capacity\(.*bits=24.*This is a bug"):
        run.grow(Capacity(bits=24))

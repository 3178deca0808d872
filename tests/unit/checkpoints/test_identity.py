"""What makes two questions the same one, and how a difference is told."""

import functools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rewrite import Bag, Puzzle, State, contains, fn, ints, rule
from rewrite.checkpoints.identity import (
    MOST_TEXT,
    Part,
    Unidentified,
    description,
    differences,
    function_part,
)
from rewrite.search.arguments import question
from rewrite.search.checkpointing import identity_of
from rewrite.search.strategies import STRATEGY_OPTIONS
from tests.terms import Box

ROOT = Path(__file__).parents[3]
M, N = ints("M N")


@fn
def half(n: int) -> int:
    return n // 2


def small(state: State) -> bool:
    return len(state) < 3


def puzzle(**changes: Any) -> Puzzle:
    parts: dict[str, Any] = {
        "start": [4, Box(2)], "goal": contains(1), "never": contains(9), "facts": [Box(7)],
        "name": "halves",
    }  # fmt: skip
    up = changes.pop("up", rule("up", take=[N], put=[N + 1], when=N < 6))
    rules = [rule("halve", take=[N], put=[half(N)], when=N > 1), up]
    return Puzzle(*rules, **(parts | changes))


def asked(given: Puzzle | None = None, call: str = "search", **options: Any) -> list[Part]:
    return list(identity_of(question(given or puzzle(), None, None, **options), call))


def test_the_same_question_has_no_differences() -> None:
    assert differences(asked(), asked(threads=2, max_states=5, max_seconds=1, max_depth=7)) == []


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (puzzle(goal=contains(0)), "goal: there contains(1), here contains(0)"),
        (puzzle(start=[5, Box(2)]), "start: there [4, Box(2)], here [5, Box(2)]"),
        (puzzle(name="thirds"), "puzzle: there halves, here thirds"),
        (puzzle(never=()), "never 1: there contains(9), here (nothing)"),
        (puzzle(facts=[Box(8)]), "facts: there [Box(7)], here [Box(8)]"),
        (puzzle(goal=small), "function small: there (nothing), here def small"),
        (
            puzzle(up=rule("up", take=[N], put=[N + 2], when=N < 6)),
            "rule 2: there rule('up', take=[N], put=[N + 1], when=[N < 6]), here "
            "rule('up', take=[N], put=[N + 2], when=[N < 6])",
        ),
    ],
)
def test_a_difference_is_told_with_both_texts(other: Puzzle, text: str) -> None:
    found = description(differences(asked(), asked(other)))
    assert text in found


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"strategy": "breadth_first"}, "strategy=: there 'auto', here 'breadth_first'"),
        ({"solutions": None}, "solutions=: there 1, here None"),
        ({"min_depth": 2}, "min_depth=: there 0, here 2"),
        ({"symmetry": "find"}, "symmetry=: there 'declared', here 'find'"),
        ({"call": "distances"}, "call: there search, here distances"),
        ({"heuristic": lambda state: 3}, "function test_"),
    ],
)
def test_options_that_change_the_answer_are_part_of_it(options: dict[str, Any], text: str) -> None:
    found = description(differences(asked(), asked(**options)))
    assert text in found or found.startswith("heuristic=: there (nothing), here ")


def test_variables_that_look_alike_but_are_of_another_kind_differ() -> None:
    from rewrite import strs

    one = puzzle(up=rule("up", take=[N], put=[Box(3)]))
    other = puzzle(up=rule("up", take=[strs("N")], put=[Box(3)]))
    (found,) = differences(asked(one), asked(other))
    assert found.startswith("rule 2, which reads the same, here and there: rule('up'")


def test_many_differences_are_counted() -> None:
    found = differences(asked(), asked(puzzle(start=[1], goal=contains(2), name="x", facts=[3])))
    assert description(found).endswith("; and 1 more")


def test_long_texts_are_shown_around_the_place_where_they_differ() -> None:
    one, other = Part("start", "1, " * 900 + "A", "0a"), Part("start", "1, " * 900 + "B", "0b")
    (found,) = differences([one], [other])
    assert len(found) < 500
    assert "A, here …" in found
    long = asked(puzzle(start=list(range(2000))))
    assert max(len(part.text) for part in long) <= MOST_TEXT + 2


# -- functions -------------------------------------------------------------------------------
def scaled(by: Any) -> Callable[[Any], Any]:
    def scale(state: Any) -> Any:
        return len(state) * by

    return scale


def test_functions_differ_by_their_source_their_defaults_and_by_what_they_close_over() -> None:
    one, same, other = (function_part(scaled(by)).digest for by in (2, 2, 3))
    assert one == same != other
    assert function_part(small).digest != function_part(scaled(2)).digest
    nested = [function_part(scaled(by)).digest for by in ([1, {"a": Box(2)}], [1, {"a": Box(3)}])]
    assert nested[0] != nested[1]
    by_default = [function_part(lambda state, by=by: by).digest for by in (1, 2)]
    assert by_default[0] != by_default[1]


def test_rules_differ_by_which_of_two_functions_of_one_name_they_call() -> None:
    one, other = fn(scaled(2)), fn(scaled(3))

    def calling(*functions: Any) -> list[Part]:
        rules = [rule("r", take=[N], put=[made(N)], when=N < 9) for made in functions]
        return asked(Puzzle(*rules, start=[1], goal=contains(8), name="calls"))

    assert differences(calling(one, other, one), calling(one, other, one)) == []
    (found,) = differences(calling(one, other, one), calling(one, other, other))
    assert found.startswith("rule 3, which reads the same")


@pytest.mark.parametrize("name", STRATEGY_OPTIONS)
def test_no_option_of_a_strategy_is_left_out_of_the_question(name: str) -> None:
    one = question(puzzle(), None, None)
    other = evolve(one, options={**one.options, name: 7})
    (found,) = differences(identity_of(one, "search"), identity_of(other, "search"))
    assert name in found


def test_a_function_that_closes_over_itself_ends() -> None:
    def down(n: int) -> int:
        return down(n - 1) if n else 0

    assert function_part(down).name.endswith("down")


@pytest.mark.parametrize(
    "function",
    [
        math.gcd, functools.partial(small), functools.cache(small), half, Box, Bag,
        scaled(half), scaled(math), scaled(Box), scaled({"a", "b"}), scaled(M + 1),
    ],
)  # fmt: skip
def test_what_can_be_recognised(function: Any) -> None:
    assert function_part(function).digest == function_part(function).digest


@pytest.mark.parametrize("held", [object(), scaled(object()), iter([]), small.__get__(3)])
def test_what_cannot_be_recognised_is_refused(held: Any) -> None:
    with pytest.raises(Unidentified, match="which another process could not recognise"):
        function_part(scaled(held))


def test_a_function_without_source_is_refused() -> None:
    made: dict[str, Any] = {}
    exec("def typed(state): return 0", made)
    with pytest.raises(Unidentified, match=r"typed has no source text \(it was typed in"):
        function_part(made["typed"])


PROGRAM = """
import sys
sys.path[:0] = [{root!r}, {folder!r}]
from given import asked
print([part.digest for part in asked()])
"""
GIVEN = """
from rewrite import *
from rewrite.search.checkpointing import identity_of
from rewrite.search.arguments import question
M, N = ints("M N")

@term
class Box:
    at: int

@fn
def half(n): return n // 2

def asked():
    made = Puzzle(
        rule("halve", take=[Box(N)], put=[Box(half(N))], when=N > 1, absent=[Box(0)]),
        start=[Box(8), "a", ["b", "c"]], goal=lambda state: len(state) == 0, name="halves",
        symmetry=interchangeable("b", "c"),
    )
    return identity_of(question(made, None, None, heuristic=lambda state: {FACTOR}), "search")
"""


def run(folder: Path, seed: str, factor: int) -> str:
    (folder / "given.py").write_text(GIVEN.replace("{FACTOR}", str(factor)))
    code = PROGRAM.format(root=str(ROOT), folder=str(folder))
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"},
    ).stdout  # fmt: skip


def test_it_is_the_same_in_every_process(tmp_path: Path) -> None:
    first = run(tmp_path, "0", 1)
    assert first == run(tmp_path, "1", 1)
    assert first != run(tmp_path, "0", 3)

"""Result and Space: texts that never mix up why a search ended, and JSON."""

import subprocess
import sys
from typing import Any

import networkx
import pytest

from rewrite.errors import SearchError
from rewrite.language.conditions import contains, total
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.results.path import Path
from rewrite.results.result import Result, RuleStats
from rewrite.results.spaces import Space
from rewrite.search.api import search

N = ints("N")
COUNT = Puzzle(
    rule(f"to {N + 1}", take=[N], put=[N + 1]), rule(f"to {N * 2}", take=[N], put=[N * 2])
)
PATH = Path(COUNT, [State([1]), State([2]), State([3])], {"N": 3})
OTHER = Path(COUNT, [State([1]), State([2]), State([4])])
STILL = Path(COUNT, [State([1])])


def result(**parts: Any) -> Result:
    figures: dict[str, Any] = {"states": 1234, "expanded": 1000, "depth": 3, "seconds": 0.0123}
    known: dict[str, Any] = {"puzzle": COUNT, "status": "found"}
    return Result(**(known | figures | parts))


def go_on(**limits: Any) -> Result:
    return result(paths=[PATH], notes=[f"resumed with {limits}"])


LIMIT = {"status": "limit", "limit": "max_states", "limit_value": 1000}


@pytest.mark.parametrize(
    ("parts", "first_line"),
    [
        ({"paths": [PATH], "optimal": True}, "2 steps, shortest (1,234 states, 0.01 s)"),
        ({"paths": [PATH]}, "2 steps (1,234 states, 0.01 s)"),
        ({"paths": [STILL], "states": 1}, "0 steps, the start is a goal (1 state, 0.01 s)"),
        (
            {"status": "exhausted", "states": 28, "seconds": 0.001},
            "no solution: all 28 states seen (0.00 s)",
        ),
        (LIMIT, "stopped by max_states=1,000: not found yet (1,234 states, depth 3, 0.01 s)"),
        (
            LIMIT | {"resume": go_on},
            "stopped by max_states=1,000: not found yet (1,234 states, depth 3, 0.01 s); "
            ".resume() continues",
        ),
        (
            {"status": "interrupted", "resume": go_on},
            "interrupted after 0.01 s: not found yet (1,234 states, depth 3); .resume() continues",
        ),
        (
            {"paths": [PATH, OTHER], "optimal": True},
            "2 answers, shortest first (1,234 states, 0.01 s)",
        ),
        (
            {"status": "exhausted", "paths": [PATH, OTHER]},
            "2 answers, no other: all 1,234 states seen (0.01 s)",
        ),
        (
            {"status": "exhausted", "paths": [PATH]},
            "2 steps, no other: all 1,234 states seen (0.01 s)",
        ),
        (
            LIMIT | {"paths": [PATH, OTHER]},
            "2 answers so far, stopped by max_states=1,000 (1,234 states, depth 3, 0.01 s)",
        ),
        (
            {"status": "interrupted", "paths": [PATH, OTHER]},
            "2 answers so far, interrupted after 0.01 s (1,234 states, depth 3)",
        ),
        (
            {"status": "limit", "limit": "heuristic", "limit_value": 1500},
            "the heuristic ruled out 1,500 states: not found (1,234 states, depth 3, 0.01 s)",
        ),
        (
            {"status": "limit", "limit": "min_depth", "limit_value": 2, "paths": [PATH, OTHER]},
            "2 answers; min_depth=2 passed nearer answers by (1,234 states, depth 3, 0.01 s)",
        ),
        (
            {"status": "exhausted", "paths": [PATH], "objective": 5, "nearest": True},
            "2 steps to the lowest value 5: all 1,234 states seen (0.01 s)",
        ),
        (
            {"status": "exhausted", "paths": [PATH], "objective": 5},
            "2 steps, no other: all 1,234 states seen (0.01 s)",
        ),
    ],
)
def test_the_first_line_says_what_was_found_and_why_it_ended(parts: Any, first_line: str) -> None:
    assert str(result(**parts)).splitlines()[0] == first_line


def test_no_two_reasons_share_a_text() -> None:
    ends: list[Any] = [{"status": "exhausted"}, LIMIT, {"status": "interrupted"}]
    for paths in ([], [PATH], [PATH, OTHER]):
        texts = [result(paths=paths, **end).summary() for end in ends]
        assert ["seen" in text for text in texts] == [True, False, False]
        assert ["stopped by" in text for text in texts] == [False, True, False]
        assert ["interrupted" in text for text in texts] == [False, False, True]


def test_costs_that_are_not_all_one_are_told() -> None:
    dear = Puzzle(rule("up", take=[N], put=[N + 1], cost=N))
    path = Path(dear, [State([3]), State([4]), State([5])])
    text = str(result(puzzle=dear, paths=[path], optimal=True))
    assert text == "2 steps, cheapest, cost 7 (1,234 states, 0.01 s)\n  1. up\n  2. up"


def test_several_answers_are_listed_with_their_bindings_and_notes_come_last() -> None:
    text = str(result(paths=[PATH, OTHER, STILL], notes=["a history is kept in the state"]))
    assert text.splitlines()[1:] == [
        "answer 1: 2 steps, where N = 3",
        "  1. to 2",
        "  2. to 3",
        "answer 2: 2 steps",
        "  1. to 2",
        "  2. to 4",
        "answer 3: 0 steps",
        "note: a history is kept in the state",
    ]


def test_truth_is_found_and_unique_is_known_only_at_the_end() -> None:
    assert bool(result(paths=[STILL]))
    assert not result(status="exhausted")
    assert result(paths=[PATH]).unique is None
    assert result(status="exhausted", paths=[PATH]).unique is True
    assert result(status="exhausted").unique is False
    assert result(paths=[PATH, OTHER]).unique is False
    assert result(**LIMIT).unique is None
    assert (result(paths=[PATH]).path, result(paths=[PATH]).bindings) == (PATH, {"N": 3})
    assert (result(**LIMIT).path, result(**LIMIT).bindings) == (None, {})


def test_resume_goes_on_or_says_why_not() -> None:
    assert result(**LIMIT, resume=go_on).resume(max_states=9).notes == (
        "resumed with {'max_states': 9}",
    )
    with pytest.raises(SearchError, match="nothing to resume: the whole space was searched"):
        result(status="exhausted").resume()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"status": "done"}, "status='done' must be one of found, exhausted, limit, interrupted"),
        ({"status": "found"}, "status='found' needs a path"),
        ({"status": "limit"}, "status='limit' does not go with limit=None"),
        ({"status": "exhausted", "limit": "max_depth"}, "does not go with limit='max_depth'"),
    ],
)
def test_parts_that_contradict_each_other_are_refused(parts: Any, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        result(**parts)


def test_json_holds_all_figures_and_paths() -> None:
    stats = {"to {N + 1}": RuleStats(5, 4, 3, 2)}
    made = result(
        **LIMIT, paths=[PATH, OTHER], rules=stats, levels=[1, 2], objective=7, notes=["n"],
        strategy="breadth_first", engine="python",
    )  # fmt: skip
    again = Result.from_json(made.to_json(), COUNT)
    assert str(again) == str(made)
    assert again.to_json() == made.to_json()
    assert (again.rules, again.levels, again.objective, again.paths[0].bindings) == (
        stats,
        [1, 2],
        7,
        {"N": 3},
    )
    with pytest.raises(SearchError, match="no result of rewrite, but a path"):
        Result.from_json(PATH.to_json(), COUNT)


SHOWN = COUNT.replace(show=lambda state: f'"{state}"\n\\')
SPACE = Space(
    puzzle=SHOWN,
    states=[State([1]), State([2]), State([3]), State([4])],
    level=[0, 1, 2, 2],
    edges=[(0, 1), (1, 2), (1, 3), (2, 3)],
)


def test_a_space_knows_its_levels_and_dead_ends() -> None:
    assert (SPACE.levels, SPACE.depth, len(SPACE)) == ([1, 1, 2], 2, 4)
    assert SPACE.farthest() == [State([3]), State([4])]
    assert SPACE.dead_ends() == [State([4])]
    assert str(SPACE) == "4 states, 4 edges, depth 2 (complete); levels: 1, 1, 2"


def test_a_state_that_was_not_expanded_is_no_dead_end() -> None:
    cut = Space(
        puzzle=COUNT, states=[State([1]), State(["x"])], level=[0, 1], edges=[],
        complete=False, limit="max_states=2",
    )  # fmt: skip
    assert cut.dead_ends() == [State(["x"])]
    assert "(stopped by max_states=2)" in str(cut)


def test_networkx_gets_states_and_levels() -> None:
    graph = SPACE.to_networkx()
    assert networkx.shortest_path_length(graph, State([1]), State([4])) == 2
    assert graph.nodes[State([3])]["level"] == 2
    assert graph.number_of_edges() == 4


def test_without_networkx_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['networkx'] = None\n"
        "from rewrite.results.spaces import Space\n"
        "try: Space(puzzle=None, states=[], level=[], edges=[]).to_networkx()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'rewrite[graph]'" in done.stdout


def test_dot_escapes_quotes_backslashes_and_newlines() -> None:
    text = SPACE.to_dot()
    assert r'  0 [label="\"[1]\"\l\\\l", style=bold];' in text
    assert r'  3 [label="\"[4]\"\l\\\l", color=gray, fontcolor=gray];' in text
    assert "  {rank=same; 2; 3}" in text
    assert text.startswith("digraph {\n")
    assert text.endswith("  2 -> 3;\n}\n")


def test_costs_and_values_too_long_for_python_to_print_are_told() -> None:
    dear = Puzzle(rule("on", take=[N], put=[N + 1], cost=10**5000), start=[0], goal=contains(2))
    assert ", cost more than 2^16,610 (" in str(search(dear))
    worth = search(dear, goal=contains(-1), max_states=9, minimize=10**5000 + 0 * total(N, N))
    assert f" value {hex(10**5000)} so far, " in str(worth)

"""Limits and Ctrl-C hold from the door on: while compiling, making heuristics, finding symmetries,
listing goals, and in whatever is built on searches."""

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from puzzles import eight_puzzle, lights_out, sliding_tiles
from rewrite import budget
from rewrite.budget import Budget, Stopped, tick
from rewrite.compile import encoding
from rewrite.errors import SearchError
from rewrite.language.conditions import contains, lowest
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.search.api import search, solutions
from rewrite.search.limits import Limits
from rewrite.search.options import memory_of
from rewrite.search.tasks.compare import compare
from rewrite.search.tasks.distances import distances
from rewrite.search.tasks.explore import explore
from rewrite.search.tasks.scramble import scramble
from tests.contract.test_any_moment import check_space
from tests.engines import engines_for, every_engine, natively

M, N = ints("M N")
ADD = Puzzle(rule(f"{M} + {N}", take=[M, N], put=[M + N]), start=[1, 2, 4, 8], goal=contains(15))
EIGHT = eight_puzzle.instance("150482763")  # 8 steps away
LAMPS = lights_out.instance("111", "111", "111")

PHASES: list[tuple[str, Puzzle, dict[str, Any]]] = [
    ("compiling the rules", EIGHT, {}),
    ("listing the goal states", EIGHT, {"strategy": "bidirectional"}),
    ("finding symmetries", LAMPS, {"symmetry": "find", "strategy": "breadth_first"}),
    ("making the heuristic 'pattern_databases'", EIGHT, {"heuristic": "pattern_databases"}),
    ("making the heuristic 'hmax'", EIGHT, {"heuristic": "hmax"}),
    ("making the heuristic 'auto'", EIGHT, {"heuristic": "auto"}),
]


LOOKS = {"max_seconds": "late", "max_memory": "full"}


def limited_while(monkeypatch: pytest.MonkeyPatch, phase: str, name: str) -> None:
    """Let a limit be reached as soon as something is under way, wherever clocks are."""
    encoding.forget()
    monkeypatch.setattr(budget, "BETWEEN_LOOKS", 1)
    monkeypatch.setattr(budget, "LOOKS_A_MEASUREMENT", 1)
    monkeypatch.setattr(Budget, LOOKS[name], lambda self, *_: self.doing == phase)


@pytest.mark.parametrize("name", ["max_seconds", "max_memory"])
@pytest.mark.parametrize(
    ("phase", "puzzle", "options", "engine"),
    [(*one, engine) for one in PHASES for engine in engines_for(**one[-1])],
)
def test_a_limit_stops_what_comes_before_the_search_and_the_result_says_so(
    monkeypatch: pytest.MonkeyPatch, phase: str, puzzle: Puzzle, options: dict[str, Any],
    name: str, engine: str,
) -> None:  # fmt: skip
    whole = search(puzzle, engine=engine, **options)
    with monkeypatch.context() as patch:
        limited_while(patch, phase, name)
        given: dict[str, Any] = {name: 10**9, **options}
        result = search(puzzle, engine=engine, **given)
    assert (result.status, result.limit, result.limit_value) == ("limit", name, 10**9)
    assert result.notes[-1] == f"stopped while {phase}, before any state was expanded"
    assert f"stopped by {name}=1,000,000,000: not found yet (1 state, depth 0" in result.summary()
    assert (result.states, result.expanded, result.levels) == (1, 0, [1])
    assert all(stats.fired == 0 for stats in result.rules.values())
    again = result.resume()
    assert (again.status, again.states, again.path) == (whole.status, whole.states, whole.path)
    assert not any(note.startswith("stopped while") for note in again.notes)


@every_engine
def test_the_start_is_tested_also_where_compiling_is_stopped(
    monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    limited_while(monkeypatch, "compiling the rules", "max_seconds")
    goal = contains(eight_puzzle.Tile(N, M), when=M + N == 1)
    result = search(EIGHT, None, goal, engine=engine, max_seconds=1)
    assert (result.status, result.bindings, result.states) == ("found", {"N": 0, "M": 1}, 1)
    assert result.paths[0].states == (EIGHT.start,)
    every = search(EIGHT, None, goal, engine=engine, max_seconds=1, solutions=None)
    assert (every.status, len(every.paths), every.states) == ("limit", 1, 1)
    later = search(EIGHT, None, goal, engine=engine, max_seconds=1, min_depth=1)
    assert (later.status, bool(later)) == ("limit", False)


def test_a_path_that_is_read_after_resuming_is_that_of_its_own_search() -> None:
    late = Puzzle(
        rule(f"to {M + 1}", take=[M], put=[M + 1], when=M < 3),
        rule("end", take=[3], put=["three"]),
        start=[0],
    )
    first = search(late, None, contains(M, when=M > 0), solutions=None, max_depth=2)
    resumed = first.resume()  # another encoding: there is a term of another type
    assert [path.labels for path in first.paths] == [["to 1"], ["to 1", "to 2"]]
    assert len(resumed.paths) == 3


def test_seconds_are_those_of_the_whole_call_and_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    encoding.forget()
    monkeypatch.setattr(budget, "BETWEEN_LOOKS", 1)
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    rows = [",".join(str(5 * row + at + 1) for at in range(5)) for row in range(5)]
    board = sliding_tiles.instance(*rows[:4], "21,22,0,23,24")
    found = lowest(24 - N, sliding_tiles.Tile(N, 0))
    first = search(board, heuristic=found, max_states=2, max_seconds=10**6)
    assert first.limit == "max_states"
    assert first.seconds > 100  # of the clock that goes on with each look: most while compiling
    again = first.resume(max_states=5)
    assert first.seconds < again.seconds < 2 * first.seconds


def test_pages_that_calls_touch_in_passing_count_and_what_the_caller_takes_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = 10**6
    monkeypatch.setattr(budget, "memory_in_use", lambda: held)
    used = Budget().used
    for _ in range(1_000):
        held += 4_096
        again = Budget(before=used)
        held += 10
        used = again.used
    assert used.memory == 4_106_000
    held -= 4_096
    assert Budget(before=used).memory == 4_106_000 - 4_096
    held += 10**8
    assert Budget(before=used).memory == 4_106_000
    held -= 2 * 10**8
    assert Budget(before=used).memory == 4_106_000


# -- explore -----------------------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize("after", [1, 5, 40])
@pytest.mark.parametrize("name", ["max_seconds", "max_memory"])
def test_explore_keeps_what_it_has(
    monkeypatch: pytest.MonkeyPatch, engine: str, name: str, after: int
) -> None:
    puzzle = EIGHT.replace(goal=None)
    whole = explore(puzzle, max_depth=13, engine=engine)
    looks = 0

    def now(self: Budget, *_: int) -> bool:
        nonlocal looks
        looks += 1
        return looks > after

    monkeypatch.setattr(Budget, LOOKS[name], now)
    part = explore(puzzle, engine=engine, **{name: 10**9})
    check_space(part, whole)
    assert part.limit == f"{name}=1,000,000,000"
    assert looks <= after + 3  # it ends there


# -- distances, scramble, compare --------------------------------------------------------------


def test_a_scramble_that_was_stopped_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([False] * 12 + [True] * 10**6)
    monkeypatch.setattr(Budget, "late", lambda self: next(looks))
    board = scramble(EIGHT, steps=25, seed=1, max_seconds=1)
    assert board.distance is not None
    assert 0 < board.distance < 25
    assert board.exact


def test_the_limits_of_a_comparison_are_those_of_each_search() -> None:
    table = compare(ADD, ["breadth_first", "uniform_cost"], goal=contains(99), max_states=3)
    assert [result.limit_value for result in table] == [3, 3]


# -- numbers and texts -------------------------------------------------------------------------

LARGE = [2**64, 2**70, 10**30]


@every_engine
@pytest.mark.parametrize("number", LARGE, ids=str)
@pytest.mark.parametrize(
    "name", ["max_depth", "max_states", "max_seconds", "max_memory", "seed", "width", "weight",
             "solutions", "threads"],
)  # fmt: skip
def test_numbers_beyond_a_machine_word_are_no_limit(engine: str, name: str, number: int) -> None:
    special: dict[str, dict[str, Any]] = {
        "seed": {"strategy": "depth_first"},
        "width": {"strategy": "beam", "heuristic": 0},
        "weight": {"strategy": "astar", "heuristic": 0},
    }
    options = special.get(name, {})
    if engine not in engines_for(**options):
        return
    given: dict[str, Any] = {name: number, **options}
    result = search(ADD, None, contains(99), engine=engine, **given)
    assert (result.status if name != "width" else "exhausted") == "exhausted"
    assert result.states == search(ADD, None, contains(99), engine=engine, **options).states


@every_engine
def test_no_limit_overflows_elsewhere(engine: str) -> None:
    for name in ("max_depth", "max_states", "max_memory", "max_seconds"):
        given: dict[str, Any] = {name: 2**70}
        assert explore(ADD, engine=engine, **given).complete
        assert distances(ADD, engine=engine, **given).complete
        assert distances(LAMPS, engine=engine, **given).complete
    assert len([*solutions(ADD, engine=engine, max_states=2**70, min_depth=2)]) == 1
    for seconds in (float("inf"), 1e400, 10**400):
        assert search(ADD, engine=engine, max_seconds=seconds).status == "found"
    with pytest.raises(SearchError, match=r"weight=1000.* must be a finite number of 1 or more"):
        search(ADD, strategy="astar", heuristic=0, weight=10**400, engine=engine)


@pytest.mark.parametrize(
    ("text", "size"),
    [("500MB", 500_000_000), ("500 mb", 500_000_000), ("2GiB", 2 << 30), ("1.5k", 1500),
     ("1000000", 1_000_000), ("0.1 TB", 10**11)],
)  # fmt: skip
def test_memory_may_be_given_as_a_text(text: str, size: int) -> None:
    assert memory_of(text) == size
    assert Limits(max_memory=text).max_memory == size
    if size > 10**6:
        assert search(ADD, max_memory=text, engine="python").status == "found"


@pytest.mark.parametrize("text", ["many", "5 parrots", "-1MB", "", "1e9", "MB"])
def test_a_text_that_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(
        SearchError, match=r"max_memory='.*' is not a size of memory; write 500MB, 2G"
    ):
        search(ADD, max_memory=text)


# -- the budget itself -------------------------------------------------------------------------


def test_ticks_look_at_the_clock_once_in_a_while_and_outside_a_budget_never() -> None:
    tick(10**9)
    with Budget(max_seconds=0):
        for _ in range(budget.BETWEEN_LOOKS - 1):
            tick()
        with pytest.raises(Stopped, match="max_seconds"):
            tick()
    tick(10**9)


def test_stopped_is_not_taken_for_the_failure_of_a_function() -> None:
    assert not issubclass(Stopped, Exception)


# -- Ctrl-C ------------------------------------------------------------------------------------

SIGNALLED = """
import os, signal, sys
from rewrite import *
from rewrite import budget
from rewrite.budget import Budget
from puzzles import eight_puzzle, lights_out
EIGHT = eight_puzzle.instance("150482763")
LAMPS = lights_out.instance("111", "111", "111")
budget.BETWEEN_LOOKS = 10**9  # only the signal makes a tick look
sent, after, real = False, 0, Budget.tick
def tick(self, work):
    global sent, after
    after += sent
    if not sent and self.doing.startswith(PHASE):
        sent = True
        os.kill(os.getpid(), signal.SIGINT)
    real(self, work)
def usable():
    Budget.tick = real
    print(after <= 1, signal.getsignal(signal.SIGINT) is signal.default_int_handler,
          len(search(EIGHT, heuristic=0).path) == len(search(EIGHT).path))
Budget.tick = tick
"""


def run(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, encoding="utf-8", timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def python(text: str, phase: str = "") -> list[str]:
    return run(f"PHASE = {phase!r}\n" + SIGNALLED + text)


@pytest.mark.parametrize(
    ("phase", "call"),
    [
        ("compiling", "EIGHT"),
        ("listing", "EIGHT, strategy='bidirectional'"),
        ("finding", "LAMPS, symmetry='find', strategy='breadth_first'"),
        pytest.param("making", "EIGHT, heuristic='pattern_databases'", marks=natively),
    ],
)
def test_ctrl_c_before_the_search_gives_a_result(phase: str, call: str) -> None:
    told = python(
        f"""
result = search({call})
ticks = after
print(result.status, result.states, result.expanded, result.notes[-1].startswith("stopped while "
      + PHASE), result.summary().startswith("interrupted after "))
print(result.resume().status)
after = ticks
usable()
""",
        phase,
    )
    assert told == ["interrupted 1 0 True True", "found", "True True True"]


def test_ctrl_c_in_other_calls() -> None:
    told = python(
        """
table = compare(EIGHT, ["breadth_first", "uniform_cost"])
print([(name, result.status) for name, result in table.results.items()])
sent = False
space = explore(EIGHT)
print(len(space), space.complete, space.limit)
sent = False
found = distances(EIGHT)
print(found.levels, found.complete, found.limit)
for call, puzzle in ((hardest, EIGHT), (rate, LAMPS)):
    sent = False
    found = call(puzzle)
    print(found.states, found.complete, found.limit)
sent = False
try:
    scramble(EIGHT)
except KeyboardInterrupt:
    print("KeyboardInterrupt")
sent = False
try:
    solutions(EIGHT)
except KeyboardInterrupt:
    print("KeyboardInterrupt")
after = 0
usable()
""",
    )
    assert told == [
        "[('breadth_first', 'interrupted')]",
        "1 False Ctrl-C",
        "[1] False Ctrl-C",
        "1 False Ctrl-C",
        "1 False Ctrl-C",
        "KeyboardInterrupt",
        "KeyboardInterrupt",
        "True True True",
    ]


@pytest.mark.parametrize("last", [1, 2], ids=["entering", "leaving"])
def test_ctrl_c_while_the_handler_is_set_or_restored_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    real, calls = signal.signal, 0

    def hit(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == last:
            raise KeyboardInterrupt
        return real(*given)

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(signal, "signal", hit)
    with pytest.raises(KeyboardInterrupt), Budget():
        pass
    monkeypatch.undo()
    real(signal.SIGINT, before)
    with Budget() as inner:
        inner.stop()  # which stops what is around it, too
    with Budget() as later:
        assert not later.asked


# -- no memory left ----------------------------------------------------------------------------

STARVED = """
import resource, warnings
warnings.simplefilter("ignore")
from rewrite import *
M = ints("M")
grow = Puzzle(rule("left", take=[M], put=[2 * M]), rule("right", take=[M], put=[2 * M + 1]),
              start=[1], goal=contains(-1))
search(grow.replace(goal=contains(9)), engine="python", strategy="astar", heuristic=0)
held = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (held + (MEGABYTES << 20), -1))
try:
    told = CALL
except RewriteError as error:
    told = error
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
print(getattr(told, "limit", told), getattr(told, "complete", False))
"""
GREEDY = "strategy='greedy', heuristic=total(1, M)"


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
@pytest.mark.parametrize(
    ("call", "options", "megabytes"),
    [
        ("search", "strategy='breadth_first'", 16),
        ("search", "strategy='uniform_cost'", 16),
        ("search", "strategy='astar', heuristic=total(1, M)", 16),
        *(("search", GREEDY, megabytes) for megabytes in (16, 17, 18, 20)),  # Python loses errors
        *((call, "", 16) for call in ("explore", "distances", "hardest", "rate")),
    ],
)
def test_memory_that_runs_out_in_python_is_an_answer_and_no_end_of_the_space(
    call: str, options: str, megabytes: int
) -> None:
    call = f"{call}(grow, engine='python', {options})"
    told = run(STARVED.replace("CALL", call).replace("MEGABYTES", str(megabytes)))
    limit = "max_memory" if options else "the memory of this machine"
    assert told == [f"{limit} False"]


# -- reading -----------------------------------------------------------------------------------


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many steps were found by the definition so far."""
    from rewrite.results.path import Path

    real, steps = Path._traced, 0

    def counted(self: Path, index: int) -> Any:
        nonlocal steps
        steps += 1
        return real(self, index)

    monkeypatch.setattr(Path, "_traced", counted)
    return lambda: steps


@every_engine
def test_the_lines_of_a_path_are_found_one_by_one(traced: Callable[[], int], engine: str) -> None:
    counting = Puzzle(rule(f"to {M + 1}", take=[M], put=[M + 1]), start=[0])
    result = search(counting, None, contains(3000), engine=engine)
    [path] = result.paths
    assert (len(path), path.cost, path.start, path.end) == (3000, 3000, State([0]), State([3000]))
    assert result.summary().startswith("3,000 steps, shortest")
    assert traced() == 0
    lines = result.lines()
    assert [next(lines) for _ in range(3)][1:] == ["     1. to 1", "     2. to 2"]
    assert next(path.pictures()) == "start\n[0]"
    assert traced() == 2
    assert path[1].label == "to 2"
    assert path[-1].label == "to 3000"
    assert [step.label for step in path[5:7]] == ["to 6", "to 7"]
    assert traced() == 5
    with pytest.raises(IndexError, match="step 3000 of a path of 3000 steps"):
        path[3000]

"""What the native engine owes: the same answers, trouble is told, nothing hangs."""

import gc
import os
import signal
import threading
import time
import weakref
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import (
    Puzzle,
    RewriteWarning,
    RuleError,
    State,
    contains,
    count,
    digits,
    exactly,
    explore,
    fn,
    ints,
    is_in,
    lacks,
    length,
    letters,
    moves,
    number,
    one_of,
    position,
    reverse,
    rule,
    search,
    seqs,
    strs,
    term,
    terms,
    text,
    total,
    upper,
)
from rewrite.search.drivers.core import CoreDriver
from rewrite.search.run import Run
from tests.answers import answer
from tests.engines import every_engine, natively

pytestmark = [
    natively,
    pytest.mark.filterwarnings("ignore:.*nothing makes -1:rewrite.errors.RewriteWarning"),  # NEVER
]

M, N = ints("M N")
S = strs("S")
P = terms("P")
NEVER = contains(-1)


@term
class Made:
    thing: Any


@term
class On:
    place: str
    thing: Any


def test_a_sequence_that_one_choice_cuts_is_whole_for_the_next_choice() -> None:
    """The first choice is too short to be cut: nothing of it may be laid out then."""
    left, right, before, after = seqs("left right before after")
    shorten = rule(
        "shorten", take=[(left, right)], let={(*before, M, N, *after): one_of(left, right)},
        put=[(left, (*before, *after))],
    )  # fmt: skip
    both(Puzzle(shorten, start=[((7,), (1, 2, 3, 4))], goal=NEVER), solutions=None)


def growing(**more: Any) -> Puzzle:
    return Puzzle(
        rule("double", take=[M], put=[2 * M]), rule("next", take=[M], put=[M + 1]),
        start=[1, 1, 1], name="growing", **more,
    )  # fmt: skip


def both(puzzle: Puzzle, **asked: Any) -> None:
    """Search with both engines; the answers are the same and came from both."""
    native, python = (search(puzzle, engine=engine, **asked) for engine in ("native", "python"))
    assert (native.engine, python.engine) == ("native", "python")
    assert answer(native) == answer(python)
    if native.status == "exhausted":
        assert {path.end for path in native.paths} == {path.end for path in python.paths}


@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_every_puzzle_of_the_gallery_is_answered_alike_by_both_engines(name: str) -> None:
    both(PUZZLES[name](), max_states=3_000)


def test_numbers_beyond_64_bits_do_not_wrap() -> None:
    squares = Puzzle(rule("square", take=[M], put=[M * M]), start=[7], name="squares")
    both(squares, goal=contains(7 ** (2**9)))
    both(squares, goal=contains(M, when=M % 10**30 == 7 ** (2**8) % 10**30))
    back = Puzzle(rule("less", take=[M], put=[M - 2**62]), start=[2**64], name="less")
    both(back, goal=contains(-(2**64)))
    long = Puzzle(rule("turn", take=[M], put=[number(digits(M)) * 10**20 + 7]), start=[3])
    both(long, goal=contains(M, when=M > 10**100))


def test_a_persons_functions_and_predicates_are_called_and_the_result_says_which_rules_did() -> (
    None
):
    calls = []

    @fn
    def half(n: int) -> int:
        calls.append(n)
        return n // 2

    puzzle = Puzzle(
        rule("halve", take=[M], put=[half(M)]), rule("up", take=[M], put=[M + 1]),
        start=[5, 5, 9], name="halves",
    )  # fmt: skip
    result = search(puzzle, goal=lambda state: len(set(state)) == 1, engine="native")
    assert (result.status, result.engine) == ("found", "native")
    assert len(calls) == len(set(calls))  # each argument once
    assert result.python_calls == ("rule 'halve' (half)", "the goal (<lambda>)")
    both(puzzle, goal=exactly(0, 0, 0))


def test_texts_are_left_to_python_where_versions_of_unicode_differ() -> None:
    puzzle = Puzzle(rule("up", take=[S], put=[upper(S)]), start=["straße"])
    result = search(puzzle, goal=contains("STRASSE"), engine="native")
    assert (result.status, result.engine) == ("found", "python")
    assert result.notes == (
        "searched by the Python engine, because the native one cannot: upper and lower of letters "
        "beyond ASCII are left to Python",
    )


def test_texts_are_cut_turned_and_searched_by_letters_not_by_bytes() -> None:
    word = strs("word")
    told = ("ä", "日", "𝄞"), 2, "𝄞日ä", "-10x𝄞ä日𝄞", (True, False), 1
    put = (
        letters(word), position("𝄞", word), reverse(word), text((text(M), "x𝄞", word)),
        (is_in("日𝄞", word), is_in("𝄞日", word)), position("日", letters(word)),
    )  # fmt: skip
    puzzle = Puzzle(rule("go", take=[word, M], put=[put]), start=["ä日𝄞", -10])
    assert [list(step.after) for step in moves(puzzle, puzzle.start)] == [[told]]
    both(puzzle, goal=exactly(told))
    boards = Puzzle(
        rule("turn", take=[Made((M, word))], put=[Made((M, reverse(word)))]),
        rule("count", take=[Made((M, word))], put=[Made((position("日", word), word))]),
        rule("write", take=[Made((M, word))], put=[Made((M, text(letters(word)) + text(M)))],
             when=~is_in(text(M), word)),
        start=[Made((7, "ä日𝄞"))],
    )  # fmt: skip
    both(boards, goal=contains(Made((1, "𝄞日ä1"))), solutions=None)
    assert search(boards, goal=contains(Made((2, "1ä日𝄞2"))), engine="native").depth == 6


@term
class Ring:
    size: int


@term
class Row:
    name: int
    cells: tuple[Any, ...]


def test_a_variable_of_several_constructors_matches_each_of_them_in_both_engines() -> None:
    one = terms("one", Made, Ring)
    loose = Puzzle(
        rule("lift", take=[one], put=[("up", one)]),
        rule("drop", take=[("up", one)], put=[one], when=lacks(one), absent=["no"]),
        rule("swap", take=[one, M], put=[M + 1, one, one], when=M < 2),
        start=[Made(1), Ring(1), "Ring", 0], name="loose",
    )  # fmt: skip
    both(loose, goal=contains(("up", one), ("up", one), "Ring"), solutions=None, max_states=2_000)
    with pytest.warns(RewriteWarning, match="nothing makes"):  # a text is no constructor
        both(loose, goal=contains(("up", "Ring"), "Ring"), solutions=None, max_states=2_000)
    answers = search(loose, goal=contains(("up", one), "Ring"), solutions=2, engine="native").paths
    assert [path.bindings for path in answers] == [{"one": Made(1)}, {"one": Ring(1)}]
    slots = Puzzle(
        rule("turn", take=[On("a", one), On("b", P)], put=[On("a", P), On("b", one)]),
        rule("shrink", take=[On(S, Ring(M))], put=[On(S, M)]),
        rule("made", keep=[On(S, one)], take=[On("c", M)], put=[On("c", one)]),
        start=[On("a", Made(1)), On("b", Ring(2)), On("c", 7)], name="slots",
    )  # fmt: skip
    both(slots, goal=contains(On("c", Made(1)), On("a", 2)), solutions=None)
    both(slots, goal=NEVER)


def test_equal_matches_of_a_value_that_is_looked_up_all_count() -> None:
    k, (a, b) = ints("k"), seqs("a b")
    rows = Puzzle(
        rule("more", take=[Row(k, a)], put=[Row(k, (*a, N))], let={N: one_of(1, 1 + length(a) % 2)},
             when=length(a) < 5),
        rule("swap", take=[Row(1, a), Row(2, b)], put=[Row(1, b), Row(2, a)]),
        start=[Row(1, (1,)), Row(2, (2,))], name="rows",
    )  # fmt: skip
    three = [
        state
        for state in explore(rows, engine="python").states
        if any(one.name == 1 and one.cells.count(1) == 3 for one in state)
    ]
    found = search(rows, goal=count(Row(1, (*a, 1, *b))) == 3, solutions=None, engine="native")
    assert (found.status, found.engine) == ("exhausted", "native")
    assert {path.end for path in found.paths} == set(three)
    assert len(found.paths) == 91


@every_engine
@pytest.mark.parametrize(
    ("made", "start", "wrong"),
    [
        (text(P), [("a", 1)], "text(P) with P=('a', 1), in state [('a', 1)]: TypeError: needs a t"),
        (position(3, P), ["a"], "position(3, P) with P='a', in state ['a']: TypeError: needs a te"),
        (is_in(3, P), [7], "TypeError: needs a sequence or a nested bag, found 7"),
    ],
)
def test_a_text_function_of_a_wrong_kind_is_the_same_error_in_each_engine(
    made: Any, start: list[Any], wrong: str, engine: str
) -> None:
    puzzle = Puzzle(rule("go", take=[P], put=[made]), start=start)
    with pytest.raises(RuleError) as raised:
        search(puzzle, goal=NEVER, engine=engine)
    assert wrong in str(raised.value)
    assert raised.value.rule == "go"


def test_an_interrupt_reaches_the_inside_of_one_state() -> None:
    numbers = ints(" ".join(f"X{i}" for i in range(12)))
    stuck = Puzzle(
        rule("all", take=[M], keep=[*numbers], put=[M + 1], when=sum(numbers[1:], numbers[0]) < 0),
        start=list(range(16)), name="stuck",
    )  # fmt: skip
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.perf_counter()
    result = search(stuck, goal=NEVER, engine="native", max_seconds=60)
    assert result.status == "interrupted"
    assert time.perf_counter() - began < 20
    assert search(stuck, goal=NEVER, engine="native", max_seconds=0.2).limit == "max_seconds"


def test_other_threads_run_while_a_search_runs() -> None:
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        search(growing(), goal=NEVER, max_seconds=0.6, engine="native")
    finally:
        done.set()
        thread.join()
    assert len(ticks) >= 10


def test_progress_is_shown_and_may_raise() -> None:
    seen: list[Any] = []
    search(growing(), goal=NEVER, max_seconds=1.6, progress=seen.append, engine="native")
    assert seen
    assert seen[-1].states >= seen[0].states > 0

    def stop(progress: object) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        search(growing(), goal=NEVER, max_seconds=10, progress=stop, engine="native")


@pytest.mark.parametrize("threads", [2, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["eight_puzzle", "pancakes", "hanoi", "digitle", "missionaries"])
def test_any_number_of_threads_gives_the_same_numbering_parents_and_counts(
    name: str, threads: int
) -> None:
    puzzle = PUZZLES[name]()
    one, more = (
        search(puzzle, goal=NEVER, engine="native", threads=count_) for count_ in (1, threads)
    )
    for fact in ("status", "states", "expanded", "depth", "levels", "rules"):
        assert getattr(one, fact) == getattr(more, fact), fact
    first, second = (
        explore(puzzle, max_states=8_000, engine="native", threads=count_)
        for count_ in (1, threads)
    )
    assert first.states == second.states
    assert first.edges == second.edges


def test_threads_do_not_change_a_path_or_where_a_search_stops() -> None:
    puzzle = growing(goal=contains(M, N, when=[M == 3 * N, M > 40]))
    results = [search(puzzle, engine="native", threads=n, solutions=5) for n in (1, 2, 4)]
    for result in results[1:]:
        assert result.paths == results[0].paths
        assert (result.states, result.expanded) == (results[0].states, results[0].expanded)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("digitle", {"strategy": "uniform_cost"}),
        ("digitle", {"strategy": "astar", "heuristic": total(M % 7, M)}),
        ("digitle", {"strategy": "beam", "heuristic": total(M, M), "width": 3_000}),
        ("pocket_cube", {"strategy": "uniform_cost"}),
        ("power_strike", {"distinct": "paths", "solutions": None}),
        *(("pocket_cube", {"strategy": strategy, "heuristic": heuristic})
          for strategy, heuristic in (
              ("astar", "lmcut"), ("astar", "hmax"), ("greedy", "ff"), ("beam", "hmax"))),
    ],
)  # fmt: skip
def test_threads_that_share_steps_and_estimates_change_nothing(
    name: str, options: dict[str, Any]
) -> None:
    one, two = (
        search(PUZZLES[name](), engine="native", threads=count_, max_states=40_000, **options)
        for count_ in (1, 2)
    )
    assert one.states > 1000
    for fact in ("status", "paths", "states", "expanded", "rules"):
        assert getattr(one, fact) == getattr(two, fact), fact


def test_never_asks_a_function_once_of_each_state_however_often_it_is_reached() -> None:
    asked: list[State] = []

    def noted(state: State) -> bool:
        asked.append(state)
        return state.count(3) == 2

    walk = [rule("up", take=[M], put=[M + 1], when=M < 3), rule("down", take=[3], put=[0])]
    for start in ([0, 1, 2], [On("a", 0), On("b", 1)]):
        asked.clear()
        ups = [rule("up", take=[On(S, M)], put=[On(S, (M + 1) % 4)])] if len(start) == 2 else walk
        found = search(Puzzle(ups, never=noted), start, NEVER)
        assert len(asked) == len({*asked}) >= found.states - 1
        assert found.rules["up"].matched > found.states


def test_the_states_of_a_search_are_freed_with_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[weakref.ref[Any]] = []
    begin = Run._begin

    def noted(self: Run) -> None:
        begin(self)
        assert isinstance(self.driver, CoreDriver)
        made.append(weakref.ref(self.driver.core))

    monkeypatch.setattr(Run, "_begin", noted)
    gc.collect()
    gc.disable()
    try:
        result = search(growing(), goal=contains(16), engine="native")
        assert len(result.paths[0]) == 4
        assert made
        del result
        assert made[0]() is None
    finally:
        gc.enable()

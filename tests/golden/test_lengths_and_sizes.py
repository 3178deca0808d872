"""Sokoban, Hanoi, Rush Hour, Klotski, peg solitaire, lights out, pancakes, 24: their golden facts.

The numbers and their sources are in lengths_and_sizes.toml.
"""

import tomllib
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from puzzles import (
    klotski,
    lights_out,
    peg_solitaire,
    rush_hour,
    sliding_blocks,
    sokoban,
    twenty_four,
)
from rewrite import (
    Puzzle,
    PuzzleError,
    State,
    check_symmetry,
    contains,
    explore,
    replay,
    search,
    solutions,
)
from rewrite.language import meaning
from tests.engines import ENGINES, natively

FACTS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("lengths_and_sizes.toml").read_text("utf-8")
)


def facts(key: str) -> list[Any]:
    return [pytest.param(fact, id=name) for name, fact in FACTS.items() if key in fact]


def puzzle_of(fact: dict[str, Any]) -> Puzzle:
    module = import_module(f"puzzles.{fact['puzzle']}")
    puzzle: Puzzle = module.instance(*fact.get("words", []))
    return puzzle


def shortest(puzzle: Puzzle) -> list[str]:
    """The labels of the shortest path."""
    path = search(puzzle).path
    assert path is not None
    return path.labels


def test_every_fact_has_a_source() -> None:
    assert [name for name, fact in FACTS.items() if not fact.get("source")] == []


@pytest.mark.parametrize("fact", facts("steps"))
def test_the_shortest_path_has_the_known_number_of_steps_and_replays(fact: dict[str, Any]) -> None:
    puzzle = puzzle_of(fact)
    result = search(puzzle)
    assert result.path is not None
    assert (result.status, len(result.path)) == ("found", fact["steps"])
    assert replay(puzzle, puzzle.start, result.path).end == result.path.end


@pytest.mark.parametrize("fact", facts("impossible"))
def test_what_has_no_answer_is_exhausted(fact: dict[str, Any]) -> None:
    assert search(puzzle_of(fact)).status == "exhausted"


@pytest.mark.parametrize("fact", facts("reachable"))
def test_the_whole_space_has_the_known_size(fact: dict[str, Any]) -> None:
    puzzle = puzzle_of(fact)
    assert puzzle.goal is not None
    nowhere = puzzle.goal & ~puzzle.goal
    result = search(puzzle, goal=nowhere, strategy="breadth_first", symmetry="none")
    assert result.status == "exhausted"
    assert (result.states, sum(result.levels)) == (fact["reachable"], fact["reachable"])
    if "farthest" in fact:
        assert len(result.levels) - 1 == fact["farthest"]


@natively
@pytest.mark.parametrize("fact", facts("solutions"))
def test_there_are_as_many_solutions_as_the_source_says(fact: dict[str, Any]) -> None:
    assert sum(1 for _ in solutions(puzzle_of(fact), distinct="paths")) == fact["solutions"]


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "uniform_cost", "engine": "python"},
        pytest.param({"heuristic": "hmax"}, marks=natively),
        pytest.param({"heuristic": "goal_count"}, marks=natively),
        {"symmetry": "find"},
    ],
    ids=str,
)
def test_sliding_blocks_of_odd_shapes_take_as_many_moves_by_every_search(
    options: dict[str, Any],
) -> None:
    for words in ([], ["klotski"]):
        puzzle = sliding_blocks.instance(*words)
        path = search(puzzle, **options).path
        assert path is not None
        fact = FACTS[f"sliding_blocks_{''.join(words) or 'trominoes'}"]
        assert len(path) == fact["steps"]
        assert replay(puzzle, puzzle.start, path).end == path.end


@pytest.mark.long
def test_sliding_trominoes_take_24_moves_by_the_definition() -> None:
    puzzle = sliding_blocks.instance()
    assert puzzle.start is not None
    assert puzzle.goal is not None
    steps = {puzzle.start: 0}
    for state in (queue := [puzzle.start]):
        for way in meaning.successors(puzzle, state):
            if way.after not in steps:
                steps[way.after] = steps[state] + 1
                queue.append(way.after)
    goals = [steps[state] for state in steps if meaning.is_goal(puzzle, state, puzzle.goal)]
    assert (min(goals), len(steps), max(steps.values())) == (24, 775, 46)


def fewest_presses(size: int) -> list[tuple[int, int]]:
    """The least (row, column) presses from all lamps on, by chasing every choice of a first row."""
    answers = []
    for first in product([False, True], repeat=size):
        on, pressed = {(r, c): True for r in range(size) for c in range(size)}, []
        for row, column in on:
            if on[row - 1, column] if row else first[column]:
                pressed.append((row, column))
                for r, c in on:
                    if abs(r - row) + abs(c - column) <= 1:
                        on[r, c] = not on[r, c]
        if not any(on.values()):
            answers.append(pressed)
    return min(answers, key=len)


@pytest.mark.parametrize(("size", "presses"), [(2, 4), (3, 5), (4, 4), (5, 15)])
def test_all_lamps_on_need_the_presses_of_oeis_a075464_and_these_replay(
    size: int, presses: int
) -> None:
    # 5×5 has 2^23 states; pressing commutes, so that the first row decides all others.
    labels = [f"press row {r + 1}, column {c + 1}" for r, c in fewest_presses(size)]
    puzzle = lights_out.instance(str(size))
    assert len(labels) == presses
    assert {lamp.on for lamp in replay(puzzle, puzzle.start, labels).end} == {0}


def test_the_labels_of_sokoban_are_the_standard_notation() -> None:
    puzzle = sokoban.instance()
    published = "dlUrrrdLullddrUluRuulDrddrruLdlUU"
    last = replay(puzzle, puzzle.start, list(published)).end
    assert search(puzzle, start=last).depth == 0
    found = "".join(shortest(puzzle))
    assert len(found) == len(published)
    assert set(found) <= set("udlrUDLR")


def test_the_labels_of_the_24_game_show_fractions() -> None:
    labels = shortest(twenty_four.instance("3", "3", "8", "8"))
    assert labels == ["8 ÷ 3 = 8/3", "3 - 8/3 = 1/3", "8 ÷ 1/3 = 24"]


def test_a_board_of_rush_hour_is_shown_as_it_is_written() -> None:
    puzzle = rush_hour.instance()
    assert puzzle.start is not None
    assert puzzle.shown(puzzle.start) == rush_hour.CARD_1.strip()


def test_peg_solitaire_is_shown_as_a_triangle() -> None:
    start = peg_solitaire.instance("5").start
    assert start is not None
    assert peg_solitaire.picture(start) == "    ●\n   ● ●\n  ● · ●\n ● ● ● ●\n● ● ● ● ●"


def test_the_first_jumps_on_the_english_board_lead_to_the_known_numbers_of_positions() -> None:
    """OEIS A112737: up to the eight symmetries of the board, which are declared."""
    puzzle = peg_solitaire.instance("english")
    mirror = {number: 7 * r + 6 - c for (r, c), number in peg_solitaire.ENGLISH.items()}
    swap = {number: 7 * c + r for (r, c), number in peg_solitaire.ENGLISH.items()}

    def orbit(state: State) -> frozenset[frozenset[int]]:
        found = [frozenset(hole.cell for hole in state if hole.pegs)]
        for pegs in found:
            for way in (mirror, swap):
                image = frozenset(way[cell] for cell in pegs)
                if image not in found:
                    found.append(image)
        return frozenset(found)

    space = explore(puzzle, max_depth=4)
    orbits = set(map(orbit, space.states))
    assert [sum(len(next(iter(one))) == 32 - jumps for one in orbits) for jumps in range(5)] == [
        1, 1, 2, 8, 39,
    ]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_a_search_up_to_symmetry_counts_the_positions_of_the_english_board(engine: str) -> None:
    """All 23,475,688 take the native engine less than a minute; see `strategies --large`."""
    facts = FACTS["peg_solitaire_english"]
    depth = 9 if engine == "native" else 6
    nowhere = contains(peg_solitaire.Hole(24, 7))
    result = search(
        peg_solitaire.instance("english"), goal=nowhere, strategy="breadth_first",
        max_depth=depth, engine=engine,
    )  # fmt: skip
    assert result.levels == facts["levels"][: depth + 1]
    assert sum(facts["levels"]) == facts["positions"]


@pytest.mark.parametrize(
    ("words", "samples"),
    [
        (["1"], 1),
        (["5"], 1),
        *[
            pytest.param([word], samples, marks=pytest.mark.long)
            for word, samples in (("1", 5), ("5", 5), ("english", 1))
        ],
    ],
)
def test_the_boards_of_peg_solitaire_have_the_symmetries_they_declare(
    words: list[str], samples: int
) -> None:
    report = check_symmetry(peg_solitaire.instance(*words), samples)
    assert report, str(report)


def test_klotski_is_shown_as_it_is_written() -> None:
    shown = klotski.klotski.show(klotski.klotski.start)
    assert "".join(shown.split()) == "".join(klotski.START.split())


def test_a_level_of_sokoban_may_be_given_as_words() -> None:
    puzzle = sokoban.instance("#####", "#@$.#", "#####")
    assert puzzle.start == State([sokoban.Player(7), sokoban.Box(8)])  # 6 cells a row
    assert shortest(puzzle) == ["R"]


def test_nothing_walks_around_the_edge_of_a_level_without_walls() -> None:
    result = search(sokoban.instance(" @", "$.", "  "), goal=lambda state: False)
    assert result.states == 15


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("###\n#@x\n###", r"line 2, column 3 of the level is 'x'; a level is made of # @ \+ \$"),
        ("###\n###", "one player .* this one has 0 players, 0 boxes, 0 targets"),
        ("@$ +", "this one has 2 players, 1 boxes, 1 targets"),
        ("@$ *", "this one has 1 players, 2 boxes, 1 targets"),
        ("", "this one has 0 players"),
    ],
)
def test_what_is_no_level_is_refused(level: str, text: str) -> None:
    with pytest.raises(PuzzleError, match=text):
        sokoban.level(level)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"P..Q.O": "P..q.O"}, "line 2, column 4 of the board is 'q'; a board is made of capital"),
        ({"B...CC": "B...C"}, r"6 lines of 6 signs, or 36 signs in one; found \['AA...O', "),
        ({"AA...O": "A.A..O"}, "car A is not 2 or 3 cells in one line"),
        ({"AA...O": "A....O"}, "car A is not 2 or 3 cells in one line"),
        ({"PXXQ.O": "P..Q.O"}, r"red car \(X, or any other letter\) must lie along the third row"),
        ({"PXXQ.O": "P..Q.O", "AA...O": "XX...O"}, "where the exit is; no car does"),
    ],
)
def test_what_is_no_board_of_rush_hour_is_refused(changes: dict[str, str], text: str) -> None:
    board = rush_hour.CARD_1
    for old, new in changes.items():
        board = board.replace(old, new, 1)
    with pytest.raises(PuzzleError, match=text):
        rush_hour.board(board)


@pytest.mark.parametrize(
    ("puzzle", "words", "text"),
    [
        ("hanoi", "4", r"number of pegs \(3 to 26\) and of disks .* e.g. 4 8; found '4'"),
        ("hanoi", "2 8", "found '2 8'"),
        ("hanoi", "27 8", "found '27 8'"),
        ("hanoi", "3 0", "found '3 0'"),
        ("hanoi", "three 8", "found 'three 8'"),
        ("klotski", "easy", "has one start and takes no words; found 'easy'"),
        ("peg_solitaire", "16", "a number from 1 to 15; found '16'"),
        ("peg_solitaire", "1 2", "a number from 1 to 15; found '1 2'"),
        ("lights_out", "0", "size of the board, e.g. 5, or as many rows .* found '0'"),
        ("lights_out", "x", "found 'x'"),
        ("lights_out", "01 1", "found '01 1'"),
        ("lights_out", "02 11", "found '02 11'"),
        ("pancakes", "1 3", "sizes 1, 2 … each once, .* e.g. 3 1 4 2; found '1 3'"),
        ("pancakes", "1", "found '1'"),
        ("pancakes", "2 2", "found '2 2'"),
        ("twenty_four", "3 x", "needs whole numbers, e.g. 3 3 8 8; found '3 x'"),
        ("twenty_four", "-3 3", "found '-3 3'"),
    ],
)
def test_a_wrong_word_is_a_value_error_that_says_what_is_expected(
    puzzle: str, words: str, text: str
) -> None:
    with pytest.raises(ValueError, match=f"^{puzzle}: .*{text}"):
        import_module(f"puzzles.{puzzle}").instance(*words.split())

"""Lengths of answers and sizes of spaces, as far as they are known, and words for instances.

The numbers and their sources are in lengths_and_sizes.toml.
"""

from importlib import import_module
from itertools import pairwise, product
from typing import Any

import pytest

from puzzles import (
    PUZZLES,
    eight_puzzle,
    eight_tuple,
    klotski,
    lights_out,
    missionaries,
    peg_solitaire,
    pocket_cube,
    rush_hour,
    sliding_blocks,
    sokoban,
    twenty_four,
)
from puzzles.pocket_cube import COLOURS, Sticker, stickers
from rewrite import (
    ANY,
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
from rewrite.native import status
from tests.engines import every_engine, goal_of, natively, start_of
from tests.golden.facts import puzzle_of, read

FACTS = read("lengths_and_sizes")


def facts(key: str) -> list[Any]:
    return [pytest.param(fact, id=name) for name, fact in FACTS.items() if key in fact]


@pytest.mark.parametrize("fact", facts("steps"))
def test_the_shortest_path_has_the_known_number_of_steps_and_replays(fact: dict[str, Any]) -> None:
    puzzle = puzzle_of(fact)
    result = search(puzzle)
    assert (result.status, len(result.paths[0])) == ("found", fact["steps"])
    assert replay(puzzle, puzzle.start, result.paths[0]).end == result.paths[0].end


@pytest.mark.parametrize("fact", facts("impossible"))
def test_what_has_no_answer_is_exhausted(fact: dict[str, Any]) -> None:
    assert search(puzzle_of(fact)).status == "exhausted"


@pytest.mark.parametrize("fact", facts("reachable"))
def test_the_whole_space_has_the_known_size(fact: dict[str, Any]) -> None:
    puzzle = puzzle_of(fact)
    nowhere = goal_of(puzzle) & ~goal_of(puzzle)
    result = search(puzzle, goal=nowhere, strategy="breadth_first", symmetry="none")
    assert result.status == "exhausted"
    assert (result.states, sum(result.levels)) == (fact["reachable"], fact["reachable"])
    assert len(result.levels) - 1 == fact.get("farthest", len(result.levels) - 1)
    assert result.levels == fact.get("levels", result.levels)


@natively
@pytest.mark.parametrize("fact", facts("shortest"))
def test_there_are_as_many_shortest_paths_as_the_source_says(fact: dict[str, Any]) -> None:
    steps = fact["steps"]
    paths = search(puzzle_of(fact), solutions=None, distinct="paths", max_depth=steps).paths
    assert [len(path) for path in paths] == [steps] * fact["shortest"]


def test_missionaries_are_never_outnumbered_on_the_way() -> None:
    for state in search(missionaries.instance()).paths[0].states:
        for bank in ("left", "right"):
            safe = state.count(missionaries.On("missionary", bank))
            assert safe == 0 or safe >= state.count(missionaries.On("cannibal", bank))


@pytest.mark.parametrize("board", ["647850321", "867254301"])
def test_a_star_solves_the_farthest_boards_in_31_moves(board: str) -> None:
    result = search(eight_puzzle.instance(board), heuristic=eight_puzzle.far)
    assert (len(result.paths[0]), result.optimal) == (FACTS["eight_puzzle"]["farthest"], True)
    assert result.states < FACTS["eight_puzzle"]["reachable"]


def test_an_answer_to_one_declaration_of_the_eight_puzzle_is_one_to_the_other() -> None:
    path = search(eight_puzzle.instance("413726580")).paths[0]
    boards = [tuple(tile.number for tile in state) for state in path.states]
    assert len(path) == len(search(eight_tuple.instance("413726580")).paths[0])
    for before, after in pairwise(boards):
        step = search(eight_tuple.tiles, [before], State([after]))
        assert len(step.paths[0]) == 1


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
        path = search(puzzle, **options).paths[0]
        fact = FACTS[f"sliding_blocks_{''.join(words) or 'trominoes'}"]
        assert len(path) == fact["steps"]
        assert replay(puzzle, puzzle.start, path).end == path.end


@pytest.mark.long
def test_sliding_trominoes_take_24_moves_by_the_definition() -> None:
    puzzle = sliding_blocks.instance()
    steps = {start_of(puzzle): 0}
    for state in (queue := [start_of(puzzle)]):
        for way in meaning.successors(puzzle, state):
            if way.after not in steps:
                steps[way.after] = steps[state] + 1
                queue.append(way.after)
    goals = [steps[state] for state in steps if meaning.is_goal(puzzle, state, goal_of(puzzle))]
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


@pytest.mark.parametrize(
    ("puzzle", "picture"),
    [
        (rush_hour.instance(), rush_hour.CARD_1.strip()),
        (peg_solitaire.instance("5"), "    ●\n   ● ●\n  ● · ●\n ● ● ● ●\n● ● ● ● ●"),
    ],
)
def test_a_board_is_shown_as_it_is_written(puzzle: Puzzle, picture: str) -> None:
    assert puzzle.shown(start_of(puzzle)) == picture


def test_klotski_is_shown_as_it_is_written() -> None:
    shown = klotski.klotski.show(klotski.klotski.start)
    assert "".join(shown.split()) == "".join(klotski.START.split())


def test_the_labels_of_the_24_game_show_fractions() -> None:
    labels = search(twenty_four.instance("3", "3", "8", "8")).paths[0].labels
    assert labels == ["8 ÷ 3 = 8/3", "3 - 8/3 = 1/3", "8 ÷ 1/3 = 24"]


def test_the_labels_of_sokoban_are_the_standard_notation() -> None:
    puzzle = sokoban.instance()
    published = "dlUrrrdLullddrUluRuulDrddrruLdlUU"
    last = replay(puzzle, puzzle.start, list(published)).end
    assert search(puzzle, start=last).depth == 0
    found = "".join(search(puzzle).paths[0].labels)
    assert len(found) == len(published)
    assert set(found) <= set("udlrUDLR")


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


@every_engine
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


def test_a_level_of_sokoban_may_be_given_as_words() -> None:
    puzzle = sokoban.instance("#####", "#@$.#", "#####")
    assert puzzle.start == State([sokoban.Player(7), sokoban.Box(8)])  # 6 cells a row
    assert search(puzzle).paths[0].labels == ["R"]


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
        ({"AA...O": "A.A..O"}, "car A is not 2 or 3 cells in one line"),
        ({"AA...O": "A....O"}, "car A is not 2 or 3 cells in one line"),
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
        ("hanoi", "3 1001", "found '3 1001'"),
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
        ("water_jugs", "4", "needs the amount to measure"),
        ("water_jugs", "4 3 0", "all above 0"),
        ("farmer", "5", "has one start"),
        ("missionaries", "3 3", "needs how many missionaries"),
        ("missionaries", "1001", "at most 1,000"),
        ("eight_puzzle", "123 456 788", "needs each of 0 to 8 once"),
        ("eight_tuple", "12", "needs each of 0 to 8 once"),
        ("digitle", "793", "needs the target and then the numbers"),
        ("digitle", "793 75 x", "found '793 75 x'"),
        ("digitle", "793 75 0", "all above 0"),
        ("digitle", "hardest 793 75 4", "or hard 793 75 4"),
        ("digits", "-4 5 7", "needs the target and then the numbers"),
        ("hyperjump", "4 4 9", "needs digits from 1 to 8"),
        ("power_strike", "6 2", "needs the first number, the factor"),
        ("two_grids", "496125", "needs 18 digits from 1 to 9"),
    ],
)
def test_a_wrong_word_is_a_value_error_that_says_what_is_expected(
    puzzle: str, words: str, text: str
) -> None:
    with pytest.raises(ValueError, match=f"^{puzzle}: .*{text}"):
        import_module(f"puzzles.{puzzle}").instance(*words.split())


@pytest.mark.parametrize("number", ["9" * 100_000, "²"])
def test_a_number_that_cannot_be_converted_is_a_wrong_word(number: str) -> None:
    for name, make in PUZZLES.items():
        for words in (1, 3, 9, 16):
            with pytest.raises(PuzzleError, match=rf"^{name}: "):
                make(*[number] * words)


# -- the pocket cube -------------------------------------------------------------------------------

METRICS = ["quarter_turns", "half_turns"]
SOLVED = State(stickers(COLOURS))
NOWHERE = contains(Sticker(2, ANY), Sticker(2, ANY))


def levels_of(metric: str, **limits: Any) -> tuple[str, list[int], list[int]]:
    """The status of a search through all states, its levels, and those of the source."""
    fact = FACTS[f"pocket_cube_{metric}"]
    result = search(puzzle_of(fact), SOLVED, NOWHERE, strategy="breadth_first", **limits)
    return result.status, list(result.levels), fact["levels"]


@pytest.mark.parametrize("metric", METRICS)
def test_the_first_levels_have_the_sizes_of_the_source(metric: str) -> None:
    status, levels, known = levels_of(metric, max_depth=6)
    assert (status, levels) == ("limit", known[:7])


@pytest.mark.skipif(not status().usable, reason="3,674,160 states take the Python engine a minute")
@pytest.mark.parametrize("metric", [METRICS[0], pytest.param(METRICS[1], marks=pytest.mark.long)])
def test_every_level_has_the_size_of_the_source_and_nothing_lies_beyond(metric: str) -> None:
    status, levels, known = levels_of(metric)
    assert (status, levels, sum(known)) == ("exhausted", known, 3_674_160)


@pytest.mark.parametrize(
    ("turns", "times"), [("U", 4), ("R", 4), ("F", 4), ("U R U' R'", 6), ("R U", 15), ("R F'", 9)]
)
def test_a_sequence_of_turns_has_the_known_order(turns: str, times: int) -> None:
    """On the cube of order 3, R U has order 105 and R F' has 63: there edges go round in sevens."""
    ends = [
        replay(pocket_cube.instance(), SOLVED, turns.split() * n).end for n in range(1, times + 1)
    ]
    assert [end == SOLVED for end in ends] == [False] * (times - 1) + [True]


def test_mixing_by_words_does_what_the_rules_do() -> None:
    mixed = pocket_cube.instance("half", "R", "U2", "F'").start
    assert mixed == replay(pocket_cube.instance("half"), SOLVED, ["R", "U2", "F'"]).end


def test_the_cube_is_shown_unfolded_with_the_corner_that_is_held_still() -> None:
    after = replay(pocket_cube.instance(), SOLVED, ["U"]).end
    lines = ["    W W", "    W W", "G G R R B B O O", "O O G G R R B B", "    Y Y", "    Y Y"]
    assert [line.rstrip() for line in pocket_cube.picture(after).splitlines()] == lines


def test_a_wrong_word_is_refused_with_the_turns_there_are() -> None:
    text = "pocket_cube: needs the turns that mix .* U U' U2 R R' R2 F F' F2, e.g. .* found 'U3 L'"
    with pytest.raises(PuzzleError, match=text):
        pocket_cube.instance("U3", "L")

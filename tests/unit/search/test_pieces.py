"""The heuristic of interchangeable pieces: what it says, and when it is taken."""

import pytest

from puzzles import eight_puzzle, sokoban
from rewrite import Puzzle, SearchError, contains, ints, lacks, rule, search
from rewrite.search.heuristics import HEURISTICS
from rewrite.search.heuristics import pieces as module
from tests.engines import goal_of, natively, over_slots, start_of, task_of
from tests.property.piece_puzzles import WIDTH, Box, Cell, Man, Target, push

C = ints("C")
pytestmark = natively
INFINITE = float("inf")

ROOM = """
#######
#.   .#
# $ $ #
#  @  #
#######
"""
SLIP = rule("slip", take=[Box(C)], keep=[Cell(C + 1)], absent=[Box(C + 1)], put=[Box(C + 1)],
            cost=3)  # fmt: skip


def row(start: list[int], targets: list[int], cells: int = 6) -> Puzzle:
    return Puzzle(
        SLIP, start=[*map(Box, start)], facts=[*map(Cell, range(cells)), *map(Target, targets)],
        goal=lacks(Box(C), absent=Target(C)), name="row",
    )  # fmt: skip


def estimate(puzzle: Puzzle, name: str = "pieces") -> float:
    engine = over_slots(task_of(puzzle, goal_of(puzzle)))
    return HEURISTICS[name].make(engine, goal_of(puzzle))(engine.encode(start_of(puzzle)))


@pytest.mark.parametrize(
    ("start", "targets", "found"),
    [
        ([0, 1], [4, 5], 3 * 8),
        ([0, 4], [1, 5], 3 * 2),  # the nearest two are not both the same one
        ([0, 1], [1, 2], 3 * 2),
        ([0, 3], [1, 2], INFINITE),  # nothing comes back
        ([0, 3], [0, 1, 4], 3 * 1),  # of three targets two
        ([3, 4], [0, 4, 5], 3 * 2),
        ([0, 1, 2], [4, 5], INFINITE),  # fewer targets than boxes
    ],
)
def test_each_piece_is_sent_to_a_place_of_its_own_at_the_least_cost(
    start: list[int], targets: list[int], found: float
) -> None:
    assert estimate(row(start, targets)) == found
    assert estimate(row(start, targets), "auto") == found


def test_places_that_the_goal_names_must_be_taken_the_others_may_be_anywhere() -> None:
    one = row([0, 1, 3], [])
    assert estimate(one.replace(goal=contains(Box(5)))) == 3 * 2
    assert estimate(one.replace(goal=contains(Box(5), Box(2)))) == 3 * 3
    assert estimate(one.replace(goal=contains(Box(0)) & lacks(Box(3)))) == 3 * 1
    # of alternatives what they have in common counts
    assert estimate(one.replace(goal=contains(Box(5), Box(4)) | contains(Box(5)))) == 3 * 2


def test_many_goal_places_are_one_to_which_any_piece_may_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = row([0, 1, 3], []).replace(goal=contains(Box(0)) & lacks(Box(1)))
    assert estimate(one) == 3
    monkeypatch.setattr(module, "MOST_COLUMNS", 0)
    assert estimate(one) == 3
    assert estimate(row([0, 1], [4, 5])) == 3 * 7  # both to the nearer one


def test_the_note_says_what_is_dead() -> None:
    level = sokoban.level(ROOM)
    result = search(level, heuristic="auto")
    assert result.optimal
    assert result.notes == (
        "heuristic: pieces: 2 Box on 15 places; dead: 5 places, 2 pairs of the others",
    )  # the lowest row; both on the left, or both on the right, where there is one target
    assert result.paths[0].cost == search(level, strategy="uniform_cost").paths[0].cost


def test_tables_that_are_too_large_are_left_out_with_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module.pieces, "__defaults__", (500,))
    result = search(sokoban.level(ROOM), heuristic="pieces")
    assert result.notes == (
        "heuristic: pieces: 2 Box on 15 places; dead: 5 places, pairs not known, they are too many",
    )


def test_a_box_in_a_corner_is_ruled_out_and_that_is_a_proof() -> None:
    lost = ROOM.replace("# $ $ #", "#   $ #").replace("#  @  #", "#$ @  #")
    result = search(sokoban.level(lost), heuristic="pieces")
    assert (result.status, result.states, result.ruled_out) == ("exhausted", 1, 1)


def test_two_boxes_for_which_there_is_one_target_are_ruled_out() -> None:
    left = ROOM.replace("# $ $ #", "#$  $ #")
    assert estimate(sokoban.level(left)) == 3
    both = ROOM.replace("#.   .#", "#*   .#").replace("# $ $ #", "#$    #")
    result = search(sokoban.level(both), heuristic="pieces")
    assert (result.status, result.states, result.ruled_out) == ("exhausted", 1, 1)


def test_a_piece_may_be_moved_from_where_moving_another_one_leads() -> None:
    """He goes nowhere without pushing: the second box is reached by pushing the first."""
    line = Puzzle(
        push(Man, Box, 5, [Box]), start=[Man(0), Box(1), Box(1 + WIDTH)],
        facts=[*map(Cell, [0, 1, 2, 1 + WIDTH, 1 + 2 * WIDTH])],
        goal=contains(Box(1 + 2 * WIDTH)), name="line",
    )  # fmt: skip
    assert estimate(line) == 5
    assert search(line, heuristic="pieces").paths[0].cost == 10


def test_auto_takes_what_says_more_where_nothing_is_dead() -> None:
    back = rule("back", take=[Box(C)], keep=[Cell(C - 1)], absent=[Box(C - 1)], put=[Box(C - 1)])
    goal = contains(Box(4), Box(5), Box(0)) & lacks(Box(1))
    free = row([0, 1, 2], []).replace(rules=[SLIP, back], goal=goal)
    note = search(free, heuristic="auto").notes[0]
    least = {name: estimate(free, name) for name in ("pieces", "pattern_databases")}
    assert estimate(free, "auto") == max(least.values())
    assert note.startswith("heuristic: ")


def test_without_pieces_it_is_refused_with_the_reason() -> None:
    with pytest.raises(SearchError, match=r"heuristic='pieces' cannot be made: its goal says of no "
                       r"pieces where they must be \(terms of one constructor, of which each rule "
                       r"moves one at most\); give an expression such as"):  # fmt: skip
        search(eight_puzzle.instance(), heuristic="pieces")

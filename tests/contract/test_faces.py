"""Every value that a person looks at has a face in a notebook, as a page or as a file."""

import csv
import io
import subprocess
import sys
from pathlib import Path as File
from typing import Any
from xml.etree import ElementTree

import pytest

from puzzles import PUZZLES
from rewrite import (
    Puzzle,
    RewriteError,
    State,
    compare,
    contains,
    distances,
    divides,
    explore,
    hardest,
    ints,
    rate,
    rule,
    search,
)
from tests.unit.show.html.reading import parsed

N = ints("N")
COUNT = Puzzle(
    rule(f"to {N + 1}", take=[N], put=[N + 1], when=N < 200), start=[0], goal=contains(3)
)
JUGS = PUZZLES["water_jugs"]()
TILES = PUZZLES["eight_puzzle"]()


def face(value: Any) -> str:
    """What IPython asks a value for."""
    made: str = value._repr_html_()
    return made


def pictures(html: str) -> int:
    """How many pictures stand in a face, each with its own style; those in a frame not counted."""
    found = [one for one in parsed(html).named("svg") if one.attributes.get("role") == "img"]
    assert len(parsed(html).named("style")) == len(found)
    return len(found)


def test_a_state_is_a_picture_with_its_text() -> None:
    html = face(State([4, 4, 7]))
    assert pictures(html) == 1
    assert parsed(html).named("code")[0].text == "[4, 4, 7]"


def test_a_large_state_is_cut() -> None:
    assert len(face(State(range(100_000)))) < 30_000


def test_a_puzzle_is_its_rules_as_a_table_its_goal_and_its_start() -> None:
    html = face(JUGS)
    table = parsed(html).named("table")[0]
    heads = [one.text for one in parsed(html).named("th")]
    assert heads == ["rule", "take", "let", "when", "put"]
    for part in ("pour {V} into {W}", "Jug(V, A), Jug(W, B)", "Z: least(A, W - B)", "Z > 0"):
        assert part in table.text
    assert "goal: contains(Jug(ANY, 4))" in parsed(html).elements[0].text
    assert pictures(html) == 1


def test_a_puzzle_that_is_rules_alone_has_a_face_too() -> None:
    html = face(Puzzle(rule("on", put=[1], cost=2, absent=[3]), name="lamp"))
    assert [one.text for one in parsed(html).named("td")] == ["on", "3", "1", "2"]
    assert pictures(html) == 0
    assert "0 rules" in face(Puzzle())


def test_a_path_is_its_player_in_a_frame_with_the_end_and_the_moves_beside_it() -> None:
    path = search(JUGS).paths[0]
    html = face(path)
    [frame] = parsed(html).named("iframe")
    assert frame.attributes["sandbox"] == "allow-scripts"
    assert frame.attributes["srcdoc"] == path.to_html()
    [moves] = parsed(html).named("pre")
    assert moves.text.split("\n") == str(path).split("\n")
    assert pictures(html) == 1


def test_a_path_that_is_too_long_for_a_notebook_says_how_to_play_it() -> None:
    path = search(COUNT.replace(start=[-1_000], goal=contains(1))).path
    html = face(path)
    assert "1,001 steps, too many for a notebook; to_html(file) plays them" in html
    assert "<iframe" not in html


def test_a_result_is_its_summary_levels_notes_and_first_path() -> None:
    result = search(JUGS, solutions=2)
    html = face(result)
    assert "2 answers" in html
    assert "to_html() plays the others" in html
    assert len(parsed(html).classed("rw-bar")) == len(result.levels)
    assert len(parsed(html).named("iframe")) == 1
    for note in result.notes:
        assert note in html


def test_a_result_that_found_nothing_says_so() -> None:
    html = face(search(PUZZLES["water_jugs"]("4", "3", "6")))
    assert "no solution: all 6 states seen" in html
    assert "<iframe" not in html


def test_a_small_space_is_a_graph_with_start_goals_and_dead_ends() -> None:
    space = explore(COUNT.replace(start=[196]).replace(goal=contains(198)))
    html = face(space)
    nodes = [one for one in parsed(html).elements if "data-node" in one.attributes]
    marks = [["rw-node-start"], [], ["rw-node-goal"], [], ["rw-node-dead"]]
    assert [one.classes[1:] for one in nodes] == marks
    assert face(space) == html


def test_a_state_that_the_goal_names_is_a_goal_in_its_normal_form() -> None:
    even = rule("halve", take=[N], put=[N // 2], when=(N > 0) & divides(2, N))
    puzzle = Puzzle(COUNT.rules[0], start=[5], goal=State([6]), simplify=[even])
    html = face(explore(puzzle))
    nodes = [one for one in parsed(html).elements if "data-node" in one.attributes]
    assert [one.classes[1:] for one in nodes] == [["rw-node-start"], ["rw-node-goal"], []]


@pytest.mark.parametrize(("start", "drawn"), [(101, True), (100, False)])
def test_a_space_of_up_to_100_states_is_drawn_and_a_larger_one_is_a_table(
    start: int, drawn: bool
) -> None:
    html = face(explore(COUNT.replace(start=[start])))
    assert ("data-node" in html) is drawn
    assert ("<table" in html) is not drawn


def test_distances_are_a_chart_and_a_table() -> None:
    found = distances(TILES, max_depth=5)
    html = face(found)
    assert "stopped by max_depth=5" in html
    assert [one.text for one in parsed(html).named("td")][1::2] == list(map(str, found.levels))
    assert len(parsed(html).classed("rw-bar")) == 6


def test_the_hardest_states_are_a_chart_a_table_and_a_picture_of_the_first() -> None:
    found = hardest(JUGS)
    html = face(found)
    assert [one.text for one in parsed(html).named("td")][1::2] == list(map(str, found.levels))
    assert len(parsed(html).classed("rw-bar")) == len(found.levels)
    assert pictures(html) == 2  # the chart is one
    assert "the first of 1 that are farthest" in parsed(html).elements[0].text
    assert pictures(face(hardest(JUGS, max_states=3))) == 0


def test_a_rating_is_its_start_and_a_table_of_its_figures() -> None:
    found = rate(JUGS)
    html = face(found)
    cells = [one.text for one in parsed(html).named("td")]
    assert list(zip(cells[::2], cells[1::2], strict=True)) == found.rows()
    assert pictures(html) == 1


def test_a_comparison_is_a_table() -> None:
    found = compare(JUGS, ["breadth_first", "uniform_cost"])
    rows = found.rows()
    cells = [one.text for one in parsed(face(found)).elements if one.name in {"th", "td"}]
    assert cells == [cell for row in rows for cell in row]


def test_distances_and_comparisons_are_written_as_csv(tmp_path: File) -> None:
    found = distances(TILES, max_depth=3)
    file = tmp_path / "depths.csv"
    text = found.to_csv(file)
    assert file.read_bytes() == text.encode()
    assert text == "depth,states\r\n0,1\r\n1,3\r\n2,5\r\n3,10\r\n"
    assert found.levels == [1, 3, 5, 10]
    compared = compare(COUNT, ["breadth_first"], goal=contains(150))
    [head, row] = csv.reader(io.StringIO(compared.to_csv()))
    assert head == list(compared.rows()[0])
    assert row[:5] == ["breadth_first", "found", "150", "150", "yes"]
    missed = compare(COUNT, ["breadth_first"], goal=contains(-1)).to_csv()
    assert missed.splitlines()[1].startswith("breadth_first,exhausted,,,no,201,201,")


@pytest.mark.parametrize("function", ["to_html", "to_svg", "to_csv"])
def test_a_file_that_cannot_be_written_is_an_error_of_the_library(
    function: str, tmp_path: File
) -> None:
    value: Any = distances(COUNT) if function == "to_csv" else search(COUNT).path
    with pytest.raises(RewriteError, match=rf"^{function}\(.*the file cannot be written: "):
        getattr(value, function)(tmp_path)


def test_a_view_that_fails_is_told_in_a_notebook_and_nothing_is_raised() -> None:
    def shown(state: State) -> str:
        raise ZeroDivisionError("no picture today")

    puzzle = COUNT.replace(show=shown)
    for value in (puzzle, search(puzzle), search(puzzle).path):
        assert "no picture today" in face(value)
    assert "data-node" in face(explore(puzzle, max_depth=2))  # circles, for want of pictures


def test_a_goal_that_fails_is_told_where_a_space_is_looked_at() -> None:
    def goal(state: State) -> bool:
        raise ZeroDivisionError("who knows")

    html = face(explore(COUNT.replace(goal=goal), max_depth=2))
    assert "RuleError" in html
    assert "who knows" in html


@pytest.mark.parametrize("name", PUZZLES)
def test_every_puzzle_of_the_gallery_has_a_face(name: str) -> None:
    puzzle = PUZZLES[name]()
    assert pictures(face(puzzle)) == (puzzle.start is not None)


@pytest.mark.parametrize("name", ["farmer", "missionaries", "water_jugs", "pancakes", "hanoi"])
def test_paths_of_the_gallery_are_animated_as_well_formed_svg(name: str) -> None:
    words = {"hanoi": ("3", "3")}.get(name, ())
    path = search(PUZZLES[name](*words)).paths[0]
    svg = path.to_svg()
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "@keyframes" in svg


def test_who_asks_for_no_face_does_not_wait_for_pages() -> None:
    code = (
        "import sys; from rewrite import *; N = ints('N')\n"
        "search(Puzzle(rule('on', take=[N], put=[N + 1])), [1], contains(3))\n"
        "print([name for name in sys.modules if name in ('jinja2', 'rewrite.show.html.faces')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"

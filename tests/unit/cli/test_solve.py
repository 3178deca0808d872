"""`rewrite solve` and `rewrite compare`: what they print, and the codes they end with."""

import json
from pathlib import Path

import pytest

from puzzles import PUZZLES
from rewrite import Result
from rewrite.native import status
from rewrite.search.strategies import comparable
from tests.engines import natively
from tests.unit.cli.conftest import Run, timeless

DIGITLE = """\
4 steps, shortest (10,479 states, … s)
  1. 7 × 2 → 14
  2. 9 + 4 → 13
  3. 75 - 14 → 61
  4. 61 × 13 → 793

793 = (75 - 7 * 2) * (9 + 4)
                    2 4 7 8 9 75
  1. 7 × 2 → 14     4 8 9 14 75
  2. 9 + 4 → 13     8 13 14 75
  3. 75 - 14 → 61   8 13 61
  4. 61 × 13 → 793  8 793
"""
AT_ONCE = "0 steps, the start is a goal (1 state, … s)\n\n"
SLID = "1 step, shortest (4 states, … s)\n"
GRIDS = """\
1 step, shortest (30 states, … s)
  1. row 1 right
note: searched from both ends: 64 goal states, inverse rules
note: states are counted up to symmetry: 16 declared symmetries, the identity included

start                           1. row 1 right
 9  2  2   13    7  6  4   17    4  9  2   15    2  7  6   15
 3  5  7   15    9  5  1   15    3  5  7   15    9  5  1   15
 8  1  6   15    4  3  8   15    8  1  6   15    4  3  8   15
20  8 15        20 14 13        15 15 15        15 15 15
"""
CHAINS = """\
7 answers, shortest first, no other: all 28 states seen (… s)

3 digits and the 9, 2 of 2:
  1 7 8 9   1 + 7 = 8, 17 - 8 = 9
  7 1 8 9   7 + 1 = 8, 1 + 8 = 9
"""


@pytest.mark.parametrize(
    ("words", "text", "code"),
    [
        ("digitle 793 75 4 7 9 8 2", DIGITLE, 0),
        ("digitle almost 30 4 40 --story", f"{AT_ONCE}40 = 40\n  4 40\n", 0),
        ("digits 2 2 12 --story", f"{AT_ONCE}2 = 2\n  2 12\n", 0),
        ("digitle 9999 2 3", "no solution: all 4 states seen (… s)\n", 1),
        ("two_grids 922764 357951 816438", GRIDS, 0),
        ("eight_puzzle 123 456 708", f"{SLID}  1. slide 8\n", 0),
        ("eight_puzzle 123 456 708 --show",
         f"{SLID}\nstart\n1 2 3\n4 5 6\n7 0 8\n\n1. slide 8\n1 2 3\n4 5 6\n7 8 0\n", 0),
        ("hyperjump 1 7 8", CHAINS, 0),
        ("hyperjump --solutions 1", "1 step, shortest (8 states, … s)\n  1. start 1 9\n", 0),
    ],
)  # fmt: skip
def test_what_is_printed_to_the_letter(run: Run, words: str, text: str, code: int) -> None:
    result = run("solve", *words.split())
    assert (timeless(result.stdout), result.exit_code) == (text, code)
    assert result.stderr == "" or (text is not DIGITLE and "never fired" in result.stderr)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("hyperjump 1 7 8 --solutions all --story",
         "1 7 8 9\n                 | 1 7 8 9\n  1. start 1 7   1 7 | 8 9\n"
         "  2. 1 + 7 = 8   1 7 8 | 9\n  3. 17 - 8 = 9  1 7 8 9\n"),
        pytest.param("power_strike 6 2 5", "\n\n6 → 12 → 24 → 48 → 96 → 6\n", marks=natively),
        pytest.param("power_strike 6 2 5", "\n  1. ×2 → 12       cell 1: 12\n", marks=natively),
        ("water_jugs", "\n  6. pour 5 into 3  3 of 3  4 of 5\n"),
        ("pancakes", "\n  8. flip 2  1 2 3 4 5 6 7\n"),
    ],
)  # fmt: skip
def test_each_answer_is_told_in_the_form_that_suits_it(run: Run, words: str, part: str) -> None:
    assert part in run("solve", *words.split()).stdout


def test_every_one_of_several_answers_is_told_under_its_number(run: Run) -> None:
    result = run("solve", "digitle", "--solutions", "all", "--story")
    heads = [line for line in result.stdout.splitlines() if line.startswith(("answer", "793"))]
    assert [head.split()[:2] for head in heads[::2]] == [["answer", str(n)] for n in (1, 2, 3, 4)]
    assert all(head.startswith("793 = ") for head in heads[1::2])


def test_frames_are_no_wider_than_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    result = run("solve", "eight_puzzle", "123", "456", "078", "--story")
    assert timeless(result.stdout) == (
        "2 steps, shortest (7 states, … s)\n\n"
        "start   1. slide 7\n1 2 3   1 2 3\n4 5 6   4 5 6\n0 7 8   7 0 8\n\n"
        "2. slide 8\n1 2 3\n4 5 6\n7 8 0\n"
    )


def test_without_words_the_board_that_is_solved_is_shown_first(run: Run) -> None:
    states = "1,058" if status().usable else "1,056"  # rules are tried in another order
    assert timeless(run("solve", "rush_hour").stdout).startswith(
        "AA...O\nP..Q.O\nPXXQ.O\nP..Q..\nB...CC\nB.RRR.\n\n"
        f"8 steps, shortest ({states} states, … s)\n  1. A +2\n"
    )
    assert run("solve", "rush_hour", "--solutions", "1").stdout.startswith("8 steps")
    assert run("solve", "rush_hour", "--quiet").stdout == ""


def test_hyperjump_lists_the_chains_that_the_game_asks_for(run: Run) -> None:
    blocks = timeless(run("solve", "hyperjump").stdout).split("\n\n")
    assert blocks[0] == "69 answers, shortest first, no other: all 500 states seen (… s)"
    assert [block.splitlines()[0] for block in blocks[1:]] == [
        "5 digits and the 9, 4 of 15:", "6 digits and the 9, 3 of 14:",
        "7 digits and the 9, 2 of 9:", "8 digits and the 9, 5 of 5:",
    ]  # fmt: skip
    assert [len(block.splitlines()) - 1 for block in blocks[1:]] == [4, 3, 2, 5]
    assert blocks[1].splitlines()[1] == (
        "  1 3 4 7 8 9   1 + 3 = 4, 3 + 4 = 7, 4 × 7 = 28, 1347 - 8 = 1339"
    )


@natively
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["6", "2", "5"], "the ring is unique"),
        ([], "the ring is one of 58, not unique"),
        (["9", "2", "8"], "the ring is unique"),
    ],
)
def test_power_strike_says_whether_its_ring_is_unique(
    run: Run, words: list[str], said: str
) -> None:
    result = run("solve", "power_strike", *words)
    assert result.stdout.split("\n\n")[1] == said
    assert result.exit_code == 0


@natively
def test_power_strike_that_is_stopped_says_nothing_about_uniqueness(run: Run) -> None:
    result = run("solve", "power_strike", "--max-states", "100")
    assert "unique" not in result.stdout
    assert result.exit_code == 3


@natively
def test_power_strike_without_a_ring_says_so(run: Run) -> None:
    result = run("solve", "power_strike", "6", "2", "3")
    assert result.stdout.startswith("no solution: all ")
    assert result.exit_code == 1


def test_sokoban_is_told_in_standard_notation_that_replays(run: Run) -> None:
    moves = run("solve", "sokoban").stdout.splitlines()[-1]
    assert moves == "dlUrrrdLullddrUluRuulDrddrruLdlUU"
    assert "every step is legal: 33 steps" in run("replay", "sokoban", *moves).stdout


@pytest.mark.parametrize(
    ("numbers", "expression"),
    [("3 3 8 8", "24 = 8 ÷ (3 - 8 ÷ 3)"), ("1 5 5 5", "24 = 5 × (5 - 1 ÷ 5)")],
)
def test_the_24_game_shows_its_expression(run: Run, numbers: str, expression: str) -> None:
    lines = run("solve", "twenty_four", *numbers.split()).stdout.splitlines()
    assert expression in lines
    assert lines[-1].split() == ["3.", *lines[3].split()[1:], "24"]


def test_every_puzzle_of_the_gallery_answers_without_words(run: Run) -> None:
    left_out = {"two_grids", "lights_out"}  # seconds each, in Python minutes
    if not status().usable:
        left_out |= {"power_strike"}  # it asks for all shortest paths
    for name in set(PUZZLES) - left_out:
        result = run("solve", name)
        assert (result.exit_code, "Traceback" in result.stderr) == (0, False), name
        assert result.stdout, name


def test_json_is_the_result_and_nothing_else(run: Run) -> None:
    result = run("solve", "digitle", "--json")
    again = Result.from_json(result.stdout, PUZZLES["digitle"]())
    assert (again.status, again.states, len(again.paths)) == ("found", 10479, 1)
    assert json.loads(result.stdout)["paths"][0]["labels"][-1] == "61 × 13 → 793"


def test_quiet_prints_nothing_and_no_warning(run: Run) -> None:
    for words, code in [(("digitle",), 0), (("own.py:endless", "--max-states", "20000"), 3)]:
        result = run("solve", *words, "--quiet")
        assert (result.output, result.exit_code) == ("", code)


def test_a_warning_of_the_library_is_one_line_on_stderr(run: Run) -> None:
    result = run("solve", "own.py:endless", "--max-states", "20000")
    assert result.stderr.startswith("warning: endless: every one of 20,000 states was reached in ")
    assert result.stderr.count("\n") == 1


# -- exit codes ----------------------------------------------------------------------------


def test_all_answers_are_found_and_the_code_is_0_as_none_is_missing(run: Run) -> None:
    result = run("solve", "digitle", "--solutions", "all")
    assert result.stdout.startswith("4 answers, shortest first, no other: all 29,459 states seen (")
    assert result.exit_code == 0


def test_a_limit_ends_with_3_and_is_named(run: Run) -> None:
    result = run("solve", "own.py:endless", "--max-states", "50")
    assert result.stdout.startswith("stopped by max_states=50: not found yet (50 states, depth ")
    assert result.exit_code == 3


def test_answers_before_a_limit_are_printed_and_the_code_is_that_of_the_limit(run: Run) -> None:
    result = run("solve", "digitle", "--solutions", "9", "--max-states", "20000")
    assert " so far, stopped by max_states=20,000 (" in result.stdout.splitlines()[0]
    assert "61 × 13 → 793" in result.stdout
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["digitel"],
            "error: 'digitel' is not a puzzle of the gallery (did you mean digitle?); `rewrite "
            "gallery` lists them, and a puzzle of your own is FILE.py:NAME\n",
        ),
        (["digitle", "abc"], "error: digitle: needs the target and then the numbers, all above 0"),
        (
            ["digitle", "--strategy", "beem"],
            "error: --strategy 'beem' is unknown (did you mean bea",
        ),
        (
            ["digitle", "--strategy", "astar"],
            "error: --strategy 'astar' needs --heuristic …: an ex",
        ),
        (
            ["digitle", "--max-states", "0"],
            "error: --max-states 0 must be a whole number of 1 or more\n",
        ),
        pytest.param(
            ["digitle", "--engine", "python", "--checkpoint", "here"],
            "error: --checkpoint 'here' needs the native engine; found --engine 'python'. Leave "
            "--engine out, or leave --checkpoint out\n",
            marks=natively,
        ),
        (
            ["digitle", "--min-depth", "3", "--max-depth", "2"],
            "error: --min-depth 3 is more than --max-depth 2: nothing can be found\n",
        ),
        (["digitle", "--start", "[1,"], "error: --start: '[1,' cannot be read ("),
        (
            ["eight_puzzle", "--heuristic", "fare"],
            "error: --heuristic fare: eight_puzzle.py has no fare (did you mean far?); the "
            "heuristics in it: far. A heuristic is an expression, a function State -> number, or "
            "one of goal_count, hmax, ff, lmcut, pattern_databases, pieces, auto\n",
        ),
        (["none.py:x"], "error: none.py: no such file\n"),
        (["none.py:x", "--heuristic", "far"], "error: none.py: no such file\n"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_is_wrong(
    run: Run, words: list[str], text: str
) -> None:
    result = run("solve", *words)
    assert result.stderr.startswith(text)
    assert (result.stdout, result.exit_code) == ("", 2)


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("--max-memory", "5XB", "'5XB' is not a size of memory; write 500MB, 2GiB or bytes"),
        ("--max-memory", "5i", "'5i' is not a size of memory; write 500MB, 2GiB or bytes"),
        ("--solutions", "0", "'0' is not a number of answers; write 1, 2, … or all"),
        ("--distinct", "ways", "'ways' is not one of 'states', 'paths'."),
        ("--symmetry", "all", "'all' is not one of 'declared', 'find', 'none'."),
        ("--improve", "-1", "'-1' is not a number of seconds; write 0 or more"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_named(
    run: Run, option: str, value: str, text: str
) -> None:
    result = run("solve", "digitle", option, value)
    assert result.stderr.endswith(f"Error: Invalid value for '{option}': {text}\n")
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("play digitle --port 0 --no-browser", "--answer-seconds"),
        ("play digitle --port 0 --no-browser", "--max-seconds"),
        ("verify own.py", "--max-seconds"),
    ],
)
@pytest.mark.parametrize("value", ["-1", "nan", "x"])
def test_seconds_are_none_or_more(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str, option: str, value: str
) -> None:
    monkeypatch.setattr("rewrite.cli.play.serve", lambda *_, **__: None)
    result = run(*words.split(), option, value)
    said = f"Invalid value for '{option}': '{value}' is not a number of seconds; write 0 or more"
    assert said in result.stderr
    assert result.exit_code == 2


def test_memory_limits_are_accepted_in_both_units(run: Run) -> None:
    for size in ("500MB", "2GiB", "1.5 gb", "500000000"):
        assert run("solve", "digitle", "--max-memory", size, "--quiet").exit_code == 0


def test_a_heuristic_is_found_by_its_name_beside_the_puzzle_or_in_a_file(run: Run) -> None:
    for name in ("far", "own.py:left"):
        words = ["solve", "eight_puzzle", "--heuristic", name, "--json"]
        result = run(*words, "--max-states", "100")
        assert json.loads(result.stdout)["strategy"] == "astar"


def test_the_heuristics_of_a_file_are_its_numbers_and_functions(run: Run, tmp_path: Path) -> None:
    more = """
from rewrite import ANY
empty = N == 0
far = lambda state: 0
def annotated(state: object) -> "float": return 0
def shown(state: object) -> str: return ""
"""
    (tmp_path / "more.py").write_text((tmp_path / "own.py").read_text("utf-8") + more, "utf-8")
    result = run("solve", "more.py:boxes", "--heuristic", "fat")
    assert (
        "has no fat (did you mean far?); the heuristics in it: left, far, annotated. A heuristi"
        in (result.stderr)
    )


ANY = "--any chooses how to search, and finds one answer:"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--any --strategy uniform_cost", f"{ANY} leave --strategy out"),
        ("--any --strategy astar", f"{ANY} leave --strategy out"),
        ("--any --weight 2 --seed 1", f"{ANY} leave --weight, --seed out"),
        ("--any --heuristic left", f"{ANY} leave --heuristic out"),
        ("--any --solutions 2", f"{ANY} leave --solutions out"),
        ("--any --engine ray", f"{ANY} leave --engine out"),
        ("--any --certificate c", "--certificate is for one nearest answer: leave --any out"),
        ("--certificate c --solutions all",
         "--certificate is for one nearest answer: leave --solutions out"),
        ("--improve 1 --any", "--improve chooses how to search: leave --any out"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_named_as_they_were_written(
    run: Run, words: str, said: str
) -> None:
    result = run("solve", "own.py:boxes", *words.split())
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, f"Error: {said}")


@pytest.mark.parametrize("option", ["--any", "--improve 1", "--certificate c"])
def test_a_puzzle_that_asks_for_all_answers_itself_can_be_asked_for_one(
    run: Run, option: str
) -> None:
    words = ("solve", "hyperjump", "1", "7", "8", *option.split())
    name = option.split()[0]
    assert run(*words).stderr.endswith(
        f"Error: {name} is for one answer of any length, but hyperjump 1 7 8 asks for more: add "
        "--solutions 1\n"
    )
    assert run(*words, "--solutions", "1").exit_code == 0


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ([], "note: states are counted up to symmetry: 16 declared symmetries, the identity incl"),
        (["--symmetry", "find"], "note: states are counted up to symmetry: 64 found symmetries, "),
    ],
)
def test_states_are_counted_up_to_the_symmetries_that_are_asked_for(
    run: Run, given: list[str], note: str
) -> None:
    result = run("solve", "two_grids", "922764", "357951", "816438", *given)
    assert f"\n{note}" in result.stdout


def test_a_search_from_both_ends_is_asked_for_by_name(run: Run) -> None:
    result = run("solve", "eight_puzzle", "--strategy", "bidirectional", "--json")
    found = json.loads(result.stdout)
    assert (found["strategy"], found["depth"], found["optimal"]) == ("bidirectional", 31, True)


# -- compare -------------------------------------------------------------------------------


def test_compare_searches_up_to_the_symmetries_that_are_asked_for(run: Run) -> None:
    words = ["lights_out", "3", "--symmetry", "find", "--strategy", "breadth_first"]
    result = run("compare", *words)
    assert "note: breadth_first: states are counted up to symmetry: 8 found sym" in result.stdout


def test_compare_prints_a_row_a_strategy(run: Run) -> None:
    result = run(
        "compare", "water_jugs", "--strategy", "breadth_first", "--strategy", "uniform_cost"
    )
    rows = [line.split()[:6] for line in result.stdout.splitlines()]
    assert rows[0] == ["strategy", "status", "steps", "cost", "optimal", "states"]
    assert rows[2] == ["breadth_first", "found", "6", "6", "yes", "14"]
    assert rows[3] == ["uniform_cost", "found", "6", "6", "yes", "15"]
    assert (len(rows), result.exit_code) == (4, 0)


@natively
def test_compare_uses_all_strategies_that_use_no_heuristic_and_ends_with_the_worst_code(
    run: Run,
) -> None:
    result = run("compare", "eight_puzzle", "123", "456", "078", "--max-states", "5000")
    names = [line.split()[0] for line in result.stdout.splitlines()[2:]]
    assert names == comparable(with_heuristic=False)
    assert names[:2] == ["breadth_first", "uniform_cost"]
    assert result.exit_code == 3


@natively
def test_compare_adds_the_strategies_that_use_a_heuristic_where_there_is_one(run: Run) -> None:
    result = run("compare", "eight_puzzle", "123", "456", "708", "--heuristic", "far")
    names = [line.split()[0] for line in result.stdout.splitlines()[2:]]
    more = ["astar", "greedy", "lazy_greedy", "beam", "depth_first", "idastar"]
    assert names[2:] == more


def test_compare_cuts_nothing_off_on_a_narrow_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    result = run("compare", "water_jugs", "--strategy", "breadth_first")
    assert result.stdout.startswith(
        "strategy: breadth_first\nstatus: found\nsteps: 6\ncost: 6\noptimal: yes\n"
    )


def test_an_option_that_was_removed_is_refused_with_what_to_write_instead(run: Run) -> None:
    for command in ("solve", "compare"):
        result = run(command, "water_jugs", "--reopen")
        assert result.exit_code == 2
        assert "Error: --reopen was removed; leave it out: states are " in result.stderr
        assert "reopen" not in run(command, "--help").stdout


def test_the_command_does_not_offer_to_resume(run: Run) -> None:
    for form in ([], ["--show"], ["--json"]):
        result = run("solve", "own.py:endless", "--max-states", "9", *form)
        assert "resume" not in result.stdout
        assert "max_states" in result.stdout
    assert result.exit_code == 3


def test_the_page_is_written_and_said_on_stderr(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "jugs.html"
    result = run("solve", "water_jugs", "--html", str(file))
    assert result.exit_code == 0
    assert result.stdout.startswith("6 steps, shortest (14 states, ")
    assert result.stderr == f"page written to {file}\n"
    page = file.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<figcaption>") == 7


def test_what_was_not_found_has_a_page_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "none.html"
    result = run("solve", "water_jugs", "4", "3", "6", "--html", str(file))
    assert result.exit_code == 1
    assert "no solution: all 6 states seen" in file.read_text("utf-8")


def test_the_page_goes_along_with_json_and_with_nothing_at_all(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "jugs.html"
    result = run("solve", "water_jugs", "--json", "--html", str(file))
    assert json.loads(result.stdout)["status"] == "found"
    assert file.exists()
    file.unlink()
    result = run("solve", "water_jugs", "--quiet", "--html", str(file))
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)
    assert file.exists()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("no/x.html", "there is no folder 'no'"),
        (".", "'.' is a directory"),
        ("", "'' cannot be written"),
        ("x" * 300, "xxx' cannot be written: File name too long"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("solve", "no_such_puzzle", "--html", file)  # it is never looked for
    assert result.exit_code == 2
    assert said in result.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["own.py"]


@pytest.mark.parametrize(
    ("option", "said"),
    [("--html", "to_html('/dev/full')"), ("--plan", "error: --plan /dev/full")],
)
def test_a_disk_that_is_full_ends_with_the_code_of_output_that_is_lost(
    run: Run, option: str, said: str
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here, which is full")
    result = run("solve", "water_jugs", option, "/dev/full")
    assert result.exit_code == 5
    assert result.stdout.startswith("6 steps, shortest")
    assert f"{said}: the file cannot be written: No space left" in result.stderr

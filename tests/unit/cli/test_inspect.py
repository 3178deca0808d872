"""`rewrite explain`, `moves` and `replay`; states as text, refused with their place."""

import subprocess
import sys
from pathlib import Path

import pytest

from puzzles import PUZZLES
from rewrite import State
from rewrite.cli.literals import state_from
from rewrite.engine.build import build
from tests.engines import task_of
from tests.unit.cli.conftest import Run

# -- explain -------------------------------------------------------------------------------


def test_explain_says_what_the_puzzle_is_how_it_is_kept_and_which_rules_fire(run: Run) -> None:
    from puzzles import PUZZLES

    puzzle = PUZZLES["water_jugs"]()
    encoding = build(task_of(puzzle, puzzle.goal)).encoding
    result = run("explain", "water_jugs", "4", "3", "5")
    assert result.stdout.startswith("water_jugs: 3 rules\n  rule('fill {V}', take=[Jug(V, A)], ")
    assert result.stdout.endswith(
        "start: [Jug(3, 0), Jug(5, 0)]\n"
        "goal: contains(Jug(ANY, 4))\n"
        f"states are stored as {encoding}\n"
        "  Jug: a slot of 3 bits holds amount, for each of 2 (size)\n"
        "  distances(puzzle) stores no states: 24 numbers, a byte each (2 fields of few values)\n"
        "rules can be run backwards: 58 inverse rules\n"
        "goal states: 2\n"
        "heuristic from the rules: a pattern database of 2 slots\n"
        "no symmetry was found\n\n"
        "water_jugs in state [Jug(3, 0), Jug(5, 0)]\n"
        "  fill {V}           2 steps\n"
        "  empty {V}          0 steps\n"
        "  pour {V} into {W}  0 steps\n"
        "  'empty {V}' makes no step: nothing comes through when=A > 0\n"
        "  'pour {V} into {W}' makes no step: nothing comes through when=Z > 0\n"
        "--rule RULE shows what each condition of one rule drops\n"
    )


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "eight_puzzle",
            [
                "Tile: a slot of 4 bits holds number, for each of 9 (cell)",
                "distances(puzzle) stores no states: 181,440 numbers, 2 bits each (9 fields "
                "exchange values, half of their orders)",
            ],
        ),
        (
            "peg_solitaire",
            [
                "Hole: a slot of 1 bit holds pegs, for each of 15 (cell)",
                "distances(puzzle) stores no states: 32,768 numbers, a byte each (15 fields of few "
                "values)",
            ],
        ),
        (
            "sokoban",
            [
                "1 slot of 4 bits, always one of terms that exclude each other, "
                "e.g. Player(8), Player(9), Player(15), …",
                "14 bits for terms that come and go, e.g. Box(22)",
                "distances(puzzle) stores no states: 229,376 numbers, a byte each (15 fields of "
                "few values)",
            ],
        ),
        (
            "digitle",
            [
                "for slots: where each value has a place, write a term that says which, such as "
                "At(place, value); a pool of values without places belongs in a multiset"
            ],
        ),
    ],
)
def test_explain_says_what_the_slots_and_bits_are(run: Run, name: str, lines: list[str]) -> None:
    shown = run("explain", name).stdout.partition("states are stored as ")[2].partition("\n\n")[0]
    inside = [line for line in shown.splitlines()[1:] if line.startswith("  ")]
    assert inside == [f"  {line}" for line in lines]


@pytest.mark.parametrize("name", ["{M} ÷ {N} → {M // N}", "8 ÷ 2 → 4", "4"])
def test_the_funnel_of_a_rule_is_shown_by_name_label_or_number(run: Run, name: str) -> None:
    result = run("explain", "digitle", "--state", "[2, 7, 8]", "--rule", name)
    assert result.stdout == (
        "rule '{M} ÷ {N} → {M // N}' in state [2, 7, 8]\n"
        "  take M              3 left\n"
        "  take N              6 left\n"
        "  when=M >= N         3 left, 3 dropped: e.g. M=2, N=7\n"
        "  when=divides(N, M)  1 left, 2 dropped: e.g. M=7, N=2\n"
        "1 step\n"
    )


@pytest.mark.parametrize(
    ("name", "near"), [("pusch {N}", " (did you mean push {N}?)"), ("2", ""), ("9" * 5000, "")]
)
def test_an_unknown_rule_is_bad_usage_and_the_rules_are_listed(
    run: Run, name: str, near: str
) -> None:
    result = run("explain", "own.py:boxes", "--rule", name)
    assert result.stderr == (
        f"error: --rule: the boxes has no rule {name!r}{near}. Its rules: 'push {{N}}'\n"
    )
    assert result.exit_code == 2


def test_a_puzzle_without_a_start_is_explained_as_far_as_it_goes(run: Run) -> None:
    result = run("explain", "own.py:bare")
    assert result.stdout.endswith(
        "start: not given\ngoal: not given\n"
        "own.py:bare has no start; --state shows how its rules fire in a state\n"
    )
    result = run("explain", "own.py:bare", "--rule", "1")
    assert (result.stderr, result.exit_code) == (
        "error: own.py:bare has no start; give --state\n",
        2,
    )


# -- states as text ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["[Box(2)]", "State([Box(at=2)])", " [Box(2),]"])
def test_a_state_is_read_with_the_constructors_of_the_puzzle(run: Run, text: str) -> None:
    result = run("moves", "own.py:boxes", "--state", text)
    assert result.stdout == "1 move out of [Box(2)]\n  1. push 2  [Box(3)]\n"


# -- moves ---------------------------------------------------------------------------------


def test_moves_are_listed_with_the_states_they_lead_to(run: Run) -> None:
    result = run("moves", "digitle", "--state", "[6, 3]")
    assert result.stdout == (
        "4 moves out of [3, 6]\n"
        "  1. 6 + 3 → 9   [9]\n  2. 6 - 3 → 3   [3]\n"
        "  3. 6 × 3 → 18  [18]\n  4. 6 ÷ 3 → 2   [2]\n"
    )


def test_a_dead_end_has_no_moves_and_says_so(run: Run) -> None:
    result = run("moves", "digitle", "--state", "[6]")
    assert (result.stdout, result.exit_code) == (
        "no moves: no rule of digitle applies in [6]\n",
        0,
    )


# -- replay --------------------------------------------------------------------------------


def test_labels_are_replayed_from_an_instance_chosen_by_words(run: Run) -> None:
    result = run("replay", "digitle", "--words", "13 9 4", "9 + 4 → 13")
    assert result.stdout == (
        "  1. 9 + 4 → 13\nevery step is legal: 1 step to [13]\nthe goal contains(13) is met there\n"
    )
    assert result.exit_code == 0


def test_a_step_that_is_not_legal_ends_with_1_and_lists_the_legal_ones(run: Run) -> None:
    result = run("replay", "digitle", "9 + 4 → 14", "--start", "[9, 4]")
    assert result.stderr == (
        "error: step 1 is not legal: asked for '9 + 4 → 14', in state [4, 9] with 3 legal moves:\n"
        "  9 + 4 → 13\n  9 - 4 → 5\n  9 × 4 → 36\n"
    )
    assert (result.stdout, result.exit_code) == ("", 1)


def test_what_solve_prints_as_json_is_replayed_from_stdin_and_from_a_file(
    run: Run, tmp_path: Path
) -> None:
    text = run("solve", "own.py:boxes", "--json").stdout
    (tmp_path / "found.json").write_text(text, "utf-8")
    told = (
        "  1. push 0\n  2. push 1\n  3. push 2\nevery step is legal: 3 steps to [Box(3)]\n"
        "the goal contains(Box(3)) is met there\n"
    )
    assert run("replay", "own.py:boxes", "-", stdin=text).stdout == told
    assert run("replay", "own.py:boxes", "found.json").stdout == told


def test_all_answers_of_a_result_are_replayed(run: Run) -> None:
    text = run("solve", "digitle", "--solutions", "all", "--json").stdout
    lines = run("replay", "digitle", "-", stdin=text).stdout.splitlines()
    assert [line for line in lines if line.startswith("answer")] == [
        f"answer {number}" for number in (1, 2, 3, 4)
    ]
    assert lines.count("the goal contains(793) is met there") == 4


def test_steps_that_cancel_and_loops_are_pointed_out(run: Run) -> None:
    labels = ["row 1 left", "column 1 up", "row 1 left", "row 1 right"]
    lines = run("replay", "two_grids", *labels).stdout.splitlines()
    assert lines[-2].endswith(" is not met there")
    assert lines[-1] == "steps 3 and 4 cancel: without them the same end is reached"
    lines = run("replay", "two_grids", *["column 1 up"] * 3).stdout.splitlines()
    assert lines[-1] == "steps 1 to 3 lead back to where they began"
    lines = run("replay", "two_grids", *["column 1 up"] * 41).stdout.splitlines()
    assert lines[-1] == "(steps that cancel are looked for in up to 40 steps only)"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{}", "bad.json: this JSON text holds no path of rewrite"),
        ("{", "bad.json: this is not a JSON text: "),
        (None, "bad.json cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_holds_no_path_is_bad_usage(
    run: Run, tmp_path: Path, content: str | None, told: str
) -> None:
    if content is not None:
        (tmp_path / "bad.json").write_text(content, "utf-8")
    result = run("replay", "digitle", "bad.json")
    assert result.stderr.startswith(f"error: {told}")
    assert result.exit_code == 2


def test_a_result_without_an_answer_has_nothing_to_replay(run: Run) -> None:
    text = run("solve", "digitle", "99", "2", "3", "--json").stdout
    result = run("replay", "digitle", "-", stdin=text)
    assert result.stderr == "error: -: this result has no path to replay\n"
    assert result.exit_code == 2


def test_words_that_cannot_be_taken_apart_are_bad_usage(run: Run) -> None:
    result = run("replay", "digitle", "9 + 4 → 13", "--words", "13 '9 4")
    assert (
        result.stderr == 'error: --words "13 \'9 4" cannot be taken apart: No closing quotation\n'
    )
    assert result.exit_code == 2


def test_json_that_is_nested_too_deep_is_bad_usage(run: Run) -> None:
    result = run("replay", "digitle", "-", stdin="[" * 100_000)
    assert result.stderr.startswith("error: -: ")
    assert "bug" not in result.stderr
    assert result.exit_code == 2


def test_standard_input_that_is_closed_is_bad_usage() -> None:
    line = f"exec {sys.executable} -m rewrite replay digitle - <&-"
    ended = subprocess.run(["sh", "-c", line], capture_output=True, encoding="utf-8", timeout=60)
    assert ended.stderr == "error: - stands for standard input, which is closed\n"
    assert ended.returncode == 2


TERMS = "terms are numbers, quoted texts, True and False, (…) for a sequence, […] for a nested bag"
BOX = f"{TERMS}, and the constructors Box(at)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[-True]", f"column 2: -True is not a term; {BOX}"),
        ("[4, -False]", f"column 5: -False is not a term; {BOX}"),
        ("-True", f"column 1: -True is not a term; {BOX}"),
        ("[-'a']", f"column 2: -'a' is not a term; {BOX}"),
        ("[--1]", f"column 2: --1 is not a term; {BOX}"),
        ("[+1]", f"column 2: +1 is not a term; {BOX}"),
        ("[~1]", f"column 2: ~1 is not a term; {BOX}"),
        ("[not True]", f"column 2: not True is not a term; {BOX}"),
        ("[1+2]", f"column 2: 1 + 2 is not a term; {BOX}"),
        ("[(1, 2*3)]", f"column 6: 2 * 3 is not a term; {BOX}"),
        ("[1 if True else 2]", f"column 2: 1 if True else 2 is not a term; {BOX}"),
        ("['a', f'b']", f"column 7: f'b' is not a term; {BOX}"),
        ("[f'{1}']", f"column 2: f'{{1}}' is not a term; {BOX}"),
        ("[*[1]]", f"column 2: *[1] is not a term; {BOX}"),
        ("{4}", f"column 1: {{4}} is not a term; {BOX}"),
        ("[{4: 5}]", f"column 2: {{4: 5}} is not a term; {BOX}"),
        ("[{4}]", f"column 2: {{4}} is not a term; {BOX}"),
        ("[x for x in [1]]", f"column 1: [x for x in [1]] is not a term; {BOX}"),
        ("[N]", f"column 2: N is not a term; {BOX}"),
        ("[true]", f"column 2: true is not a term; {BOX}"),
        ("[box(1)]", f"column 2: box(1) is not a term (did you mean Box?); {BOX}"),
        ("[Box]", f"column 2: Box is not a term (did you mean Box?); {BOX}"),
        ("[Box(at=1)(2)]", f"column 2: Box(at=1)(2) is not a term; {BOX}"),
        ("[State([1])]", f"column 2: State([1]) is not a term; {BOX}"),
        ("[Box(-True)]", f"column 6: -True is not a term; {BOX}"),
        ("[__import__('os')]", f"column 2: __import__('os') is not a term; {BOX}"),
        ("[1.5]", "column 2: 1.5 cannot be a term: a float is not exact"),
        ("[4, None]", "column 5: None cannot be a term"),
        ("[b'a']", "column 2: b'a' cannot be a term"),
        ("[...]", "column 2: Ellipsis cannot be a term"),
        ("[1j]", "column 2: 1j cannot be a term"),
        ("[Box(1, 2)]", "column 2: Box(at) takes 1 value; found Box(1, 2), which gives 2"),
        ("[Box(at=1, to=2)]", "column 2: Box"),
        ("[Box(*[1])]", f"column 6: *[1] is not a term; {BOX}"),
        ("  [4, -True]", f"column 7: -True is not a term; {BOX}"),
        ("['→', '𝄞', -True]", f"column 12: -True is not a term; {BOX}"),
        ("[4,\n -True]", f"line 2, column 2: -True is not a term; {BOX}"),
        ("[4, 5", "column 1: '[' was never closed"),
        ("[4 5]", "column 2: invalid syntax"),
        ("[4, Box(at=1, at=2)]", "column 5: Box is given at= twice"),
        ("[007]", "column 2: leading zeros in decimal integer literals are not permitted"),
        ("4; 5", "column 2: invalid syntax"),
        ("", "invalid syntax"),
        ("4", "4 cannot be a state: a state is a list of terms; write [4] for a state that holds"),
        ("[" * 1000 + "]" * 1000, "too many nested parentheses"),
        ("[" + "-" * 100_000 + "1]", ""),
        ("[" + "9" * 10_000 + "]", "Exceeds the limit (4300 digits) for integer string conversion"),
    ],
    ids=lambda text: repr(text[:30]),
)
def test_a_text_that_is_no_state_is_refused_with_the_place_of_the_word(
    run: Run, text: str, why: str
) -> None:
    result = run("solve", "own.py:boxes", "--start", text)
    assert result.stderr.startswith("error: --start: ")
    assert why in result.stderr
    if why.startswith("column"):
        assert f" cannot be read ({why}" in result.stderr or f"--start: {why}" in result.stderr
    assert "bug" not in result.stderr
    assert len(result.stderr) < 800
    assert result.exit_code == 2
    moves = run("moves", "own.py:boxes", "--state", text)
    assert moves.stderr == result.stderr.replace("--start", "--state")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("[-1, True, False, 'a' 'b', u'c']", [-1, True, False, "ab", "c"]),
        ("[(1, (-2,)), [3, [4]], ()]", [(1, (-2,)), [3, [4]], ()]),
        ("State([4, 4])", [4, 4]),
        ("(4, 5)", (4, 5)),
        ("4, 5", (4, 5)),
        ("[]", []),
        ("\n [4,\n5 ]  # a remark", [4, 5]),
    ],
)
def test_what_is_a_state_is_read(text: str, state: list[object]) -> None:
    assert state_from(text, PUZZLES["digitle"]()) == State(state)

"""`rewrite hardest` and `rewrite rate`: what they print, and the codes they end with."""

import json

import pytest

from tests.engines import natively
from tests.unit.cli.conftest import Run, timeless

both = pytest.mark.parametrize("command", ["hardest", "rate"])


def test_the_hardest_states_are_shown_as_pictures_where_the_puzzle_has_them(run: Run) -> None:
    result = run("hardest", "eight_puzzle")
    assert timeless(result.stdout) == (
        "31 steps to a goal at most: 2 of 181,440 states, all seen; a goal can be reached from "
        "each (… s)\n\n1.\n6 4 7\n8 5 0\n3 2 1\n\n2.\n8 6 7\n2 5 4\n3 0 1\n"
    )
    assert (result.stderr, result.exit_code) == ("", 0)


def test_the_hardest_states_are_texts_where_there_is_no_picture(run: Run) -> None:
    result = run("hardest", "own.py:boxes")
    assert timeless(result.stdout).splitlines()[1:] == ["levels: 1, 1, 1, 1", "[Box(0)]"]


def test_most_says_how_many_are_printed(run: Run) -> None:
    result = run("hardest", "hanoi", "3", "3", "--most", "1", "--symmetry", "none")
    assert "1 of" not in result.stdout.splitlines()[0]
    assert result.stdout.endswith("\n… 7 more\n")
    assert run("hardest", "hanoi", "3", "3", "--most", "-1").exit_code == 2


@natively
def test_a_rating_is_printed(run: Run) -> None:
    result = run("rate", "farmer")
    assert timeless(result.stdout).splitlines()[:3] == [
        "7 steps, shortest; all 10 states seen (… s)",
        "  shortest solutions              2",
        "  forced steps                    6 of 7",
    ]
    assert (result.stderr, result.exit_code) == ("", 0)


@both
def test_everything_is_json_too(run: Run, command: str) -> None:
    told = json.loads(run(command, "farmer", "--json").stdout)
    assert told["rewrite"] == {"hardest": "hardest", "rate": "rating"}[command]
    assert (told["states"], told["hopeless"], told["complete"]) == (10, 0, True)


@both
def test_the_codes_say_how_it_ended(run: Run, command: str) -> None:
    assert run(command, "farmer").exit_code == 0
    assert run(command, "water_jugs", "4", "3", "6").exit_code == 1
    limited = run(command, "own.py:endless", "--max-states", "50")
    assert limited.exit_code == 3
    assert "stopped by max_states=50" in limited.stdout
    bare = run(command, "own.py:bare")
    assert bare.exit_code == 5
    assert "bare has no start" in bare.stderr
    assert "and no goal" in bare.stderr
    assert run(command, "no_such_puzzle").exit_code == 2


@both
def test_another_start_may_be_given(run: Run, command: str) -> None:
    first = run(command, "own.py:boxes", "--start", "[Box(2)]")
    assert first.exit_code == 0
    assert "2 states" in first.stdout
    wrong = run(command, "own.py:boxes", "--start", "[Bx(2)]")
    assert (wrong.exit_code, "--start" in wrong.stderr) == (2, True)


@both
def test_ctrl_c_ends_with_what_there_is(
    run: Run, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rewrite.budget import Budget

    def enter(self: Budget) -> Budget:
        found = real(self)
        self.stop()  # as Ctrl-C does
        return found

    real = Budget.__enter__
    monkeypatch.setattr(Budget, "__enter__", enter)
    result = run(command, "farmer")
    assert (result.exit_code, "stopped by Ctrl-C" in result.stdout) == (4, True)

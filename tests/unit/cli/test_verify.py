"""`solve --certificate FILE` and `rewrite verify`."""

from pathlib import Path

from tests.helve import proves, task_of
from tests.unit.cli.conftest import Run, timeless

SOLVE = ("solve", "water_jugs", "4", "3", "5", "--certificate", "c")
CLAIM = "accepted: the shortest way to the goal costs 6 (12 states, by "


def test_a_certificate_is_written_and_its_words_make_the_puzzle_again(run: Run) -> None:
    assert "certificate of 12 states written" in run(*SOLVE).stdout
    checked = run("verify", "c")
    assert checked.exit_code == 0
    assert timeless(checked.stdout).startswith(f"{CLAIM}the definition")
    assert f"{CLAIM}the Python engine" in run("verify", "c", "--fast").stdout
    sampled = run("verify", "c", "--sample", "50%").stdout
    assert "6 of them chosen at random: 95 % sure that at most 50.00% of" in sampled


def test_no_answer_is_shown_too_and_a_limit_shows_nothing(run: Run) -> None:
    assert run("solve", "water_jugs", "2", "4", "6", "--certificate", "c").exit_code == 0
    none = run("solve", "water_jugs", "3", "4", "6", "--certificate", "c")
    assert none.exit_code == 1
    assert run("verify", "c").stdout.startswith("accepted: there is no way to the goal (")
    Path("c").unlink()
    stopped = run("solve", "klotski", "--max-states", "100", "--certificate", "c")
    assert stopped.exit_code == 3
    assert "no certificate was written: the search did not come to its end" in stopped.stdout
    assert not Path("c").exists()


def test_a_certificate_of_an_earlier_question_is_left_as_it_is(run: Run) -> None:
    run(*SOLVE)
    run("solve", "klotski", "--max-states", "100", "--certificate", "c")
    assert run("verify", "c").stdout.startswith(CLAIM)


def test_the_level_of_a_file_stands_in_the_certificate(run: Run) -> None:
    rows = "#######\n#@ $ .#\n#######\n"
    Path("levels.xsb").write_text(f"{rows}\n{rows.replace('@ $ .', '.$ @ ')}")
    solved = run("solve", "sokoban", "levels.xsb", "--level", "2", "--certificate", "c")
    assert solved.exit_code == 0
    assert run("verify", "c").exit_code == 0
    assert run("verify", "c", "sokoban", "levels.xsb", "--level", "2").exit_code == 0
    assert "another" in run("verify", "c", "sokoban", "levels.xsb", "--level", "1").stdout
    for command in ("solve", "hardest"):
        for name in (["sokoban"], []):  # the puzzle that reads a file need not be named
            asked = (*name, "levels.xsb", "--level", "2", "--certificate", f"{command}.c")
            assert "certificate of" in run(command, *asked).stdout
            assert "accepted" in run("verify", f"{command}.c").stdout


def test_a_changed_byte_and_another_puzzle_are_refused(run: Run) -> None:
    run(*SOLVE)
    other = run("verify", "c", "water_jugs", "5", "3", "4")
    assert other.exit_code == 1
    assert other.stdout.startswith("refused: it is of another puzzle: goal= is contains(Jug(ANY, 4")
    whole = Path("c").read_bytes()
    Path("c").write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    damaged = run("verify", "c")
    assert damaged.exit_code == 1
    assert damaged.stdout.startswith("refused: block 1, from byte ")
    Path("c").write_bytes(b"nothing")
    assert run("verify", "c", "water_jugs").stdout.startswith("refused: it is no certificate of")
    assert "does not say of which puzzle it is" in run("verify", "c").stderr


def test_what_is_no_share_is_refused(run: Run) -> None:
    run(*SOLVE)
    for share in ("0", "200%", "x"):
        result = run("verify", "c", "--sample", share)
        assert result.exit_code == 2
        assert f"{share} is no share, such as 1%" in result.stderr


def test_a_claim_of_none_is_written_for_helve(run: Run) -> None:
    run("solve", "water_jugs", "3", "4", "6", "--certificate", "c")
    assert run("verify", "c", "--helve", "d").exit_code == 0
    assert proves(task_of(Path("d/task.txt").read_text()), Path("d/proof.txt").read_text())
    run(*SOLVE)
    refused = run("verify", "c", "--helve", "e")
    assert refused.exit_code == 2
    assert "only that there is none is exported" in refused.stderr

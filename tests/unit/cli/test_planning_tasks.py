"""Planning tasks on the command line: two files instead of a name."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.cli.play import source_of, worker_of
from rewrite.errors import PuzzleError
from rewrite.play.source import Bounds
from tests.unit.cli.conftest import Run, timeless
from tests.unit.readers.test_pddl_files import DOMAIN, PROBLEM

FILES = ("domain.pddl", "problem.pddl")


def written() -> tuple[str, str]:
    """Write the files into the current folder; return their names."""
    for name, text in zip(FILES, (DOMAIN, PROBLEM), strict=True):
        Path(name).write_text(text)
    return FILES


def test_a_task_is_solved_and_its_plan_written_and_checked(run: Run) -> None:
    domain, problem = written()
    result = run("solve", domain, problem, "--strategy", "uniform_cost", "--plan", "plan")
    assert result.exit_code == 0
    assert timeless(result.stdout).startswith("7 steps, cheapest, cost 8")
    lines = Path("plan").read_text().splitlines()
    assert len(lines) == 8
    assert lines[-1] == "; cost = 8 (general cost)"
    assert f"  1. {lines[0]}" in result.stdout
    checked = run("replay", domain, problem, "plan")
    assert checked.exit_code == 0
    assert "every step is legal: 7 steps to" in checked.stdout
    assert "is met there" in checked.stdout


def test_a_plan_that_the_task_does_not_allow_is_refused_at_its_first_wrong_step(run: Run) -> None:
    domain, problem = written()
    Path("plan").write_text("\ufeff; by hand\n(PICK b1 hall) (pick  x1 hall)\n")
    result = run("replay", domain, problem, "plan")
    assert result.exit_code == 1
    assert "step 2 is not legal: asked for '(pick x1 hall)'" in result.stderr
    assert "step 1 is not legal" in run("replay", domain, problem, "(drop b1 den)").stderr
    Path("binary").write_text("\0" * 100_000)
    assert len(run("replay", domain, problem, "binary").stderr) < 500
    assert "which plan? A file, its steps, or -" in run("replay", domain, problem).stderr
    assert (
        '-, line 1, column 1: this "(" is never closed'
        in run("replay", domain, problem, "-", stdin="(pick").stderr
    )


def test_other_commands_take_tasks_too(run: Run) -> None:
    domain, problem = written()
    assert "states are stored as" in run("explain", domain, problem).stdout
    assert "(pick b1 hall)" in run("moves", domain, problem).stdout
    assert run("rate", domain, problem).exit_code == 0


def test_what_is_wrong_is_said(run: Run) -> None:
    domain, problem = written()
    result = run("solve", domain)
    assert result.exit_code == 2
    assert "after a domain comes the file of one problem; found nothing" in result.stderr
    assert "there is no file" not in run("solve", domain, problem).stderr
    wrong = run("solve", domain, "nowhere.pddl")
    assert wrong.exit_code == 2
    assert "nowhere.pddl cannot be read: No such file" in wrong.stderr
    Path(problem).write_text(PROBLEM.replace("(:goal", "(:gaol"))
    assert (
        "problem.pddl, line 6, column 3: unknown section :gaol"
        in run("solve", domain, problem).stderr
    )


def test_better_plans_are_told_as_they_come(run: Run) -> None:
    domain, problem = written()
    result = run("solve", domain, problem, "--improve", "60")
    assert result.exit_code == 0
    assert result.stderr.startswith("found: ")
    assert result.stderr.rstrip().endswith("steps, cost 8")
    assert timeless(result.stdout).startswith("7 steps, cheapest, cost 8")
    result = run("solve", domain, problem, "--improve", "60", "--strategy", "astar")
    assert result.exit_code == 2
    assert "--improve chooses how to search: leave --strategy out" in result.stderr


def test_a_task_is_played_and_read_again_when_either_file_changes(run: Run) -> None:
    domain, problem = written()
    source = source_of(str(Path(domain).absolute()), (str(Path(problem).absolute()),))
    name, words = source.first()
    assert (name, words) == ("domain.pddl problem.pddl", ())
    [choice] = source.choices()
    assert (choice["name"], choice["words"]) == (name, "")
    made, trouble = source.playable(name, words)
    assert (source.playable(name, words)[0] is made, trouble) == (True, "")
    changes: list[tuple[str, Callable[[str], str]]] = [
        (problem, lambda text: text.replace("(:goal", "(:goal  ")),
        (domain, lambda text: f"; \n{text}"),
    ]
    for file, change in changes:
        Path(file).write_text(change(Path(file).read_text()))
        again, trouble = source.playable(name, words)
        assert (again is made, again == made, trouble) == (False, True, "")
        made = again
    Path(problem).write_text("(define")
    again, trouble = source.playable(name, words)
    assert again is made
    assert "problem.pddl" in trouble
    Path(domain).unlink()
    assert "domain.pddl: No such file" in source.playable(name, words)[1]


def test_a_page_cannot_choose_another_problem(run: Run) -> None:
    domain, problem = written()
    source = source_of(domain, (problem,))
    with pytest.raises(PuzzleError, match=r"comes the file of one problem; found problem\.pddl x"):
        source.playable(source.first()[0], ("x",))
    with pytest.raises(PuzzleError, match=r"is a file; the page plays the gallery by name"):
        source_of("farmer", ()).playable(domain, (problem,))


def test_the_process_of_a_page_plays_the_task(run: Run) -> None:
    domain, problem = written()
    source = source_of(domain, (problem,))
    command = worker_of(source, domain, (problem,), Bounds())
    name, _ = source.first()
    with subprocess.Popen(command, text=True, stdin=-1, stdout=-1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked = [1, "position", {"game": {"p": name, "w": [], "m": []}}]
        print(json.dumps(asked), file=process.stdin, flush=True)
        _ready, answer = (json.loads(process.stdout.readline()) for _ in range(2))
        process.stdin.close()
    assert answer[:2] == [1, 200]
    assert answer[2].get("error") is None
    assert "(pick b1 hall)" in [step["label"] for step in answer[2]["steps"]]

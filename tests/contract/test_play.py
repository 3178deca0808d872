"""`rewrite play` from the door on: what it costs, files that change, servers that come back."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import click
import pytest
import uvicorn

from puzzles import PUZZLES
from rewrite import Puzzle, RewriteError, explore, ints, search
from rewrite.budget import Budget, Stopper
from rewrite.cli.exits import Problem
from rewrite.cli.play import source_of
from rewrite.play import jobs, positions, solving
from rewrite.play.app import app
from rewrite.play.game import Game
from rewrite.play.instances import Instances
from rewrite.play.position_facts import facts_at
from rewrite.play.server import Address
from rewrite.play.source import Bounds, OnePuzzle, Source
from rewrite.search.tasks.steps import Steps
from tests.unit.play.clients import ENDLESS, Page

N = ints("N")
FILE = """
from rewrite import Puzzle, contains, ints, rule
N = ints("N")
def up(by: int = 1) -> Puzzle:
    return Puzzle(rule(f"from {{N}}", take=[N], put=[N + by]), start=[{start}], goal=contains(9))
"""


class Expansions:
    """Counts how often all steps out of a state of a puzzle were found."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, puzzle: Puzzle) -> None:
        self.all, found = 0, Steps.out_of

        def finding(steps: Steps, state: Any) -> Any:
            self.all += steps.puzzle is puzzle
            return found(steps, state)

        monkeypatch.setattr(Steps, "out_of", finding)


def facts_of(instances: Instances, game: Game) -> Any:
    instance, _ = instances.of(game)
    return facts_at(instance, game, instance.went(game.moves))


def test_a_move_is_one_expansion_and_going_back_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = PUZZLES["eight_puzzle"]("150482763")
    counted, instances = Expansions(monkeypatch, puzzle), Instances(OnePuzzle(puzzle))
    game, facts = Game("eight_puzzle"), facts_of(Instances(OnePuzzle(puzzle)), Game("eight_puzzle"))
    counted.all = 0
    facts_of(instances, game)
    made: list[Any] = []
    for number in range(1, 6):
        made.append((facts["steps"][-1]["label"], 1))
        facts = facts_of(instances, Game("eight_puzzle", moves=tuple(made)))
        assert counted.all == 1 + number
    for number in range(5, -1, -1):
        facts_of(instances, Game("eight_puzzle", moves=tuple(made[:number])))
    assert counted.all == 6


def test_a_link_is_played_again_by_one_expansion_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = PUZZLES["rush_hour"]()
    way = tuple((label, 1) for label in search(puzzle).paths[0].labels)
    counted = Expansions(monkeypatch, puzzle)
    facts = facts_of(Instances(OnePuzzle(puzzle)), Game("rush_hour", moves=way))
    assert facts["goal"]["reached"]
    assert counted.all == 1 + len(way)


def test_following_hints_takes_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = PUZZLES["eight_puzzle"]("150482763")
    searches = []

    def counted(*given: Any, **more: Any) -> Any:
        searches.append(given)
        return search(*given, **more)

    monkeypatch.setattr(solving, "search", counted)
    instance, _ = Instances(OnePuzzle(puzzle)).of(Game("eight_puzzle"))
    made: list[Any] = []
    while True:
        here = instance.position(tuple(made))
        found = solving.known_answer(instance, here) or solving.solve(instance, here, Bounds())
        if not found["left"]:
            break
        made.append((found["moves"][0], 1))
    assert (len(made), len(searches)) == (8, 1)


def test_positions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "MOST_POSITIONS", 10)
    instance, _ = Instances(OnePuzzle(ENDLESS)).of(Game("endless"))
    for number in range(128):
        made = tuple(("on" if digit == "0" else "back", 1) for digit in f"{number:07b}")
        assert instance.position((("on", 1),) * 7 + made).number == 14
        assert instance._held <= 10 + 2 * 14 + 14


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_a_search_is_stopped_from_another_thread(engine: str) -> None:
    stopper = Stopper()
    threading.Timer(0.2, stopper.stop).start()
    with stopper:
        result = search(ENDLESS, engine=engine, max_seconds=60)
    assert result.status == "interrupted"
    assert result.seconds < 30


def test_what_begins_after_the_stop_ends_before_it_has_done_anything() -> None:
    stopper = Stopper()
    stopper.stop()
    with stopper:
        result = search(PUZZLES["klotski"]())
        space = explore(PUZZLES["klotski"]())
    assert (result.status, result.states) == ("interrupted", 1)
    assert not space.complete
    with Budget() as budget:
        assert budget.reached() == ""


@contextmanager
def served(source: Source) -> Iterator[Page]:
    """Serve a source in a thread, with its loop and what it does beside."""
    with Address(port=0).opened() as listening:
        port = listening.getsockname()[1]
        made = app(source, Address(port).hosts(port), "k" * 32)
        server = uvicorn.Server(uvicorn.Config(made, log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield Page(port, "k" * 32)
        finally:
            server.should_exit = True
            thread.join()


def test_a_search_whose_page_is_gone_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 0.5)
    with served(OnePuzzle(ENDLESS)) as page:
        facts = page.ask("hint", {"game": {"p": "endless"}})
        assert facts["state"] == "running"
        time.sleep(3)  # nobody asks
        facts = page.ask("job", {"job": facts["job"]})
        assert facts["state"] == "done"
        assert facts["answer"]["status"] == "interrupted"


def test_a_server_answers_while_it_searches_and_ends_while_it_searches() -> None:
    began = time.monotonic()
    with served(OnePuzzle(ENDLESS)) as page:
        for _ in range(3):
            page.ask("hint", {"game": {"p": "endless"}})
        for number in range(5):
            game = {"p": "endless", "m": ["on"] * number}
            assert page.ask("position", {"game": game})["number"] == number
    assert time.monotonic() - began < 30


def test_the_page_and_its_docs_list_the_same_keys() -> None:
    root = Path(__file__).parents[2]
    listed = (root / "rewrite" / "play" / "keys.js").read_text("utf-8")
    rows = re.findall(r'shown: "(.+?)", says: "(.+?)"', listed)
    assert len(rows) == 13
    page = (root / "docs" / "how-to" / "play-a-puzzle.md").read_text("utf-8")
    assert "\n".join(f"| {shown} | {says} |" for shown, says in rows) in page


def test_a_changed_file_is_read_again_and_the_moves_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "climbing.py"
    file.write_text(FILE.format(start=1))
    instances = Instances(source_of(f"{file}:up", ()))
    game = Game(f"{file.name}:up", moves=(("from 1", 1), ("from 2", 1)))
    first = facts_of(instances, game)
    assert first["number"] == 2
    same, _ = instances.of(game)
    assert instances.of(game)[0] is same
    file.write_text(FILE.format(start=1).replace("N + by", "N + 2 * by"))
    facts = facts_of(instances, Game(game.name, moves=game.moves, digest=first["digest"]))
    assert (facts["changed"], facts["moves"], facts["lost"]) == (True, ["from 1"], 1)


def test_moves_are_kept_where_a_label_was_renamed(tmp_path: Path) -> None:
    file = tmp_path / "renamed.py"
    file.write_text(FILE.format(start=1))
    instances = Instances(source_of(f"{file}:up", ()))
    game = Game(f"{file.name}:up", moves=(("from 1", 1), ("from 2", 1)))
    facts_of(instances, game)
    file.write_text(FILE.format(start=1).replace("from {N}", "climb {N}"))
    facts = facts_of(instances, game)
    assert (facts["moves"], facts["lost"]) == (["climb 1", "climb 2"], 0)


def test_a_broken_file_is_told_and_the_puzzle_is_played_on(tmp_path: Path) -> None:
    file = tmp_path / "climbs.py"
    file.write_text(FILE.format(start=1))
    instances = Instances(source_of(f"{file}:up", ()))
    game = Game(f"{file.name}:up", moves=(("from 1", 1),))
    before, trouble = instances.of(game)
    assert trouble == ""
    file.write_text("this is no Python")
    after, trouble = instances.of(game)
    assert after is before
    assert "does not import: line 1: SyntaxError" in trouble
    file.unlink()
    assert "No such file" in instances.of(game)[1]
    file.write_text(FILE.format(start=5))
    after, trouble = instances.of(Game(game.name))
    assert trouble == ""
    assert after.puzzle.start is not None
    assert after.puzzle.start.items == (5,)


def test_words_go_to_the_function_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "words.py"
    file.write_text(FILE.format(start=1))
    instances = Instances(source_of(f"{file}:up", ("2",)))
    facts = facts_of(instances, Game(f"{file.name}:up", ("3",), moves=(("from 1", 1),)))
    assert facts["steps"][0]["label"] == "from 4"
    with pytest.raises(RewriteError, match="by is a whole number; found 'x'"):
        instances.of(Game(f"{file.name}:up", ("x",)))


def test_the_page_cannot_name_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret.py"
    file.write_text(f"open({str(tmp_path / 'it was run')!r}, 'w')")
    source = source_of("sokoban", ())
    for name in (f"{file}:up", str(file), "../sokoban", "os.path", "puzzles.sokoban.py"):
        with pytest.raises(RewriteError):
            source.playable(name, ())
    assert [one.name for one in tmp_path.iterdir()] == ["secret.py"]
    assert source.playable("water_jugs", ())[0].name == "water_jugs"
    assert {choice["name"] for choice in source.choices()} == set(PUZZLES)


@pytest.mark.parametrize(
    ("words", "why"),
    [(["no_such_puzzle"], "is not a puzzle of the gallery"), (["none.py:x"], "no such file")],
)
def test_a_puzzle_that_is_not_there_ends_the_command(words: list[str], why: str) -> None:
    with pytest.raises(Problem, match=why) as found:
        source_of(words[0], ())
    assert isinstance(found.value, click.ClickException)


def test_the_command_prints_its_link_and_a_new_one_knows_old_pages(tmp_path: Path) -> None:
    with Address(port=0).opened() as free:
        port = free.getsockname()[1]
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path))
    command = [sys.executable, "-m", "rewrite", "play", "water_jugs", "--no-browser"]
    links = []
    for _ in range(2):
        process = subprocess.Popen(
            [*command, "--port", str(port)], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        links.append(process.stdout.readline().strip())
        address, _, fragment = links[-1].partition("#")
        assert address == f"http://127.0.0.1:{port}/"
        given = parse_qs(fragment)
        assert given["p"] == ["water_jugs"]
        page = Page(port, given["t"][0])
        assert page.ask("position", {"game": {"p": "water_jugs", "m": ["fill 3"]}})["number"] == 1
        taken = subprocess.run(
            [*command, "--port", str(port)], env=environment, text=True, capture_output=True
        )
        assert taken.returncode == 2
        assert f"port {port} is taken" in taken.stderr
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
        process.stdout.close()
        process.stderr.close()
    assert links[0] == links[1]

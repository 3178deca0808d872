"""Modules of Maude on the command line: a file, and which of its searches."""

import json
from pathlib import Path

import pytest

pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")

from rewrite.cli.exits import Problem
from rewrite.cli.play import source_of
from rewrite.errors import PuzzleError
from tests.engines import start_of
from tests.unit.cli.conftest import Run, timeless
from tests.unit.readers.maude_puzzles import BRIDGE, VENDING

FILE = "vending.maude"


def written(text: str = VENDING) -> str:
    Path(FILE).write_text(text)
    return FILE


def test_all_searches_of_a_file_are_run_one_after_the_other(run: Run) -> None:
    result = run("solve", written())
    assert result.exit_code == 0, result.stderr
    said = timeless(result.stdout)
    assert said.index("4 answers, shortest first") < said.index("5 answers, shortest first")
    assert "answer 1: 4 steps, where M = [c, c, q]" in said
    results = json.loads(run("solve", FILE, "--json").stdout)
    assert [len(one["paths"]) for one in results] == [4, 5, 2]
    refused = run("solve", FILE, "--plan", "plan")
    assert refused.exit_code == 2
    assert "vending.maude has 3 searches" in refused.stderr
    wrong = ("--strategy", "astar", "--heuristic", "hmax")
    every, one = run("solve", FILE, *wrong), run("solve", FILE, "search", "1", *wrong)
    assert (every.stderr.count("error: "), every.exit_code, one.exit_code) == (3, 2, 2)


def test_one_is_chosen_by_its_number_or_written_out(run: Run) -> None:
    written()
    result = run("solve", FILE, "search", "3", "--json")
    assert len(json.loads(result.stdout)["paths"]) == 2
    shown = run("solve", FILE, "search [1] $ $ =>* a a M .", "--show")
    assert "2. buy-a\na a q q\n" in shown.stdout
    none = run("solve", FILE, "search $ =>* c c M .")
    assert none.exit_code == 1
    assert "no solution: all 3 states seen" in none.stdout
    for words, said in (
        (("search", "9"), "there is no search 9: it has 3, numbered from 1"),
        (("search", "9" * 5000), "a search is written search [n, m] in MODULE"),
        (("serch", "1"), "after a file of Maude comes search N, or a whole command"),
        (("search", "1", "--level", "2"), "--level 2 is for puzzles of the gallery"),
        (("--module", "OTHER"), "there is no module OTHER in it"),
        (("search $ =>* $ $ b .",), "$ $ b: Maude says: bad token b"),
    ):
        result = run("solve", FILE, *words)
        assert result.exit_code == 2
        assert said in result.stderr
    assert run("solve", "nowhere.maude").exit_code == 2


@pytest.mark.parametrize("option", ["--any", "--improve 1", "--certificate c"])
def test_a_search_for_all_answers_can_be_written_for_one(run: Run, option: str) -> None:
    written()
    name, *value = option.split()
    refused = run("solve", FILE, "search", "2", name, *value)
    assert refused.stderr.endswith(
        f"Error: {name} is for one answer of any length, but {FILE} search 2 asks for more: write "
        "'search [1] START =>* PATTERN .' (or =>!)\n"
    )
    for arrow in ("=>*", "=>!"):
        assert run("solve", FILE, f"search [1] $ $ {arrow} a a M .", name, *value).exit_code == 0


def test_other_commands_take_a_search_too(run: Run) -> None:
    written(VENDING + BRIDGE)
    explained = run("explain", FILE, "search", "4")
    assert "BRIDGE: 2 rules" in explained.stdout
    moves = run("moves", FILE, "search", "1", "--module", "X")
    assert moves.exit_code == 2
    several = run("moves", FILE)
    assert "which one? search N:\n  1  search [4] $ $ $ $" in several.stderr
    assert "buy-a" in run("moves", FILE, "search", "1").stdout
    chosen = run("solve", f"{FILE}:VENDING-MACHINE", "search $ =>1 M .")
    assert "2 answers" in chosen.stdout
    assert run("solve", FILE, "--module", "VENDING-MACHINE", "search $ =>1 M .").exit_code == 0
    refused = run("solve", "farmer", "--module", "X")
    assert refused.exit_code == 2
    assert "--module X is for files of Maude, and not for farmer" in refused.stderr


def test_a_search_that_is_wrong_does_not_keep_the_others_from_being_searched(run: Run) -> None:
    file = written(
        "mod THREE is sort S . ops a b c : -> S [ctor] . rl a => b . rl c => c . endm\n"
        "search a =>* b .\nsearch d =>* b .\nsearch a =># b .\nsearch b =>* a .\n"
    )
    result = run("solve", file)
    assert result.exit_code == 2
    assert "1 step" in result.stdout
    assert "no solution" in result.stdout
    assert "line 3: d: Maude says: bad token d" in result.stderr
    assert "line 4: search a =># b: a search is written search" in result.stderr
    assert "never fire" not in result.stderr  # there are rules for other searches
    assert run("solve", file, "--json").exit_code == 2


def test_a_search_that_fails_does_not_keep_the_others_from_being_searched(run: Run) -> None:
    deep = f"{'f(' * 600}a{')' * 600}"
    file = written(
        "mod DEEP is sort S . op a : -> S [ctor] . op f : S -> S [ctor] . rl a => f(a) . endm\n"
        f"search {deep} =>* a .\nsearch [1] a =>* f(a) .\n"
    )
    result = run("solve", file)
    assert result.exit_code == 2
    assert "line 2: terms of the search are nested too deep" in result.stderr
    assert "1 step" in result.stdout


def test_a_search_is_played_and_the_page_may_ask_for_another(run: Run) -> None:
    written()
    with pytest.raises(Problem, match="has several searches; which one"):
        source_of(FILE, ())
    source = source_of(f"{FILE}:VENDING-MACHINE", ("search", "1"))
    name, words = source.first()
    assert (name, words) == ("vending.maude:VENDING-MACHINE", ("search", "1"))
    assert source.choices()[0]["words"] == "search N, or a whole command"
    made, _ = source.playable(name, words)
    other, _ = source.playable(name, ("search $ =>* a M .",))
    assert (str(start_of(made)), str(start_of(other))) == ("[$, $, $, $]", "[$]")
    with pytest.raises(PuzzleError, match="after a file of Maude comes search N"):
        source.playable(name, ("other.maude",))
    Path(FILE).write_text(VENDING.replace("rl [buy-c]", "rl [coffee]"))
    again, trouble = source.playable(name, words)
    assert (again.rules[0].name, trouble) == ("coffee", "")

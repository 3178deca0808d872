"""Modules of Maude: what their searches give, what is refused, and how that is said."""

import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")

from rewrite import MaudeModule, ReadError, explain, explore, maude_module, to_maude
from rewrite.readers.maude_files import maude
from tests.real_modules import check
from tests.unit.readers import maude_puzzles

pytestmark = pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")


def module(folder: Path, text: str) -> MaudeModule:
    file = folder / "module.maude"
    file.write_text(text)
    return maude_module(file)


@pytest.mark.parametrize("name", maude_puzzles.ALL)
def test_a_puzzle_gives_what_it_gives_in_maude(tmp_path: Path, name: str) -> None:
    known = module(tmp_path, maude_puzzles.ALL[name])
    assert known.searches
    for number in range(1, len(known.searches) + 1):
        assert check(known, number, depth=6) > 1


@pytest.mark.parametrize(
    ("name", "states"),
    [("RECOLORING", 64), ("RABBITS", 72), ("VENDING", 18), ("CROSSING", 28), ("BLOCKS", 22),
     ("HANOI", 27), ("READERS", 8), ("JUGS", 16)],
)  # fmt: skip
def test_states_are_counted_as_maude_does(tmp_path: Path, name: str, states: int) -> None:
    known = module(tmp_path, maude_puzzles.ALL[name])
    found = known.search(2 if name in ("JUGS", "CROSSING", "BLOCKS") else 1, solutions=None)
    assert found.status == "exhausted"
    assert found.states == states


def test_answers_come_with_their_substitutions_in_maudes_own_words(tmp_path: Path) -> None:
    known = module(tmp_path, maude_puzzles.CROSSING)
    answers = known.search(2, solutions=1)
    assert answers.path is not None
    assert str(answers.path.bindings["B"]) == "[cabbage(left), shepherd(right), wolf(left)]"
    assert answers.path.labels == ["goat"]
    puzzle, asked = known.asked(2)
    assert asked == {"solutions": None}
    assert puzzle.shown(answers.path.end) == "cabbage(left) goat(right) shepherd(right) wolf(left)"
    assert "S = right" not in str(answers.path)


def test_rules_of_a_part_do_not_mention_the_rest(tmp_path: Path) -> None:
    known = module(tmp_path, maude_puzzles.BRIDGE)
    puzzle, _ = known.asked(1)
    assert [len(one.take) for one in puzzle.rules] == [3, 4]
    assert all("P" not in repr(one) for one in puzzle.rules)
    found = known.search(1)
    assert [path.bindings for path in found.paths] == [{"T": 17}]
    assert "BRIDGE: 2 rules" in str(explain(puzzle))


def test_what_we_export_is_read_again(tmp_path: Path) -> None:
    from puzzles import PUZZLES

    for name in ("water_jugs", "eight_puzzle", "hanoi", "power_strike", "farmer", "rush_hour"):
        puzzle = PUZZLES[name]()
        again = module(tmp_path, to_maude(puzzle, name=f"AGAIN-{name.upper().replace('_', '-')}"))
        limits: dict[str, Any] = {"max_depth": 4}
        read = explore(again.puzzle("start"), **limits)
        assert read.levels == explore(puzzle, **limits).levels


def test_a_file_may_load_others_beside_it_and_none_of_its_commands_is_run(tmp_path: Path) -> None:
    (tmp_path / "base.maude").write_text("fmod BASE is pr NAT . sort S . endfm\nred 1 + 1 .\n")
    text = """load base
      --- a comment ( that opens nothing
      ***( and one
           of several lines )
      mod LOOP is pr BASE . op f : Nat -> S [ctor] . var N : Nat .
        rl f(N) => f(s N) . endm
      rew f(0) .
      search f(0) =>! f(N) .
      search [1] in LOOP : f(0) =>* f(3) .
      quit
      mod NOT-READ is endm
    """
    known = module(tmp_path, text)
    assert len(known.searches) == 2
    found = known.search(1, max_states=50)
    assert (found.status, found.states) == ("limit", 50)
    assert known.search(2).path is not None
    text = text.replace("load base", "load ../base")
    (tmp_path.parent / "base.maude").write_text("fmod BASE is endfm")
    with pytest.raises(ReadError, match=r"line 1: load ../base: it is outside of the folder"):
        module(tmp_path, text)
    with pytest.raises(ReadError, match=r"line 1: load nothing: there is no such file"):
        module(tmp_path, text.replace("../base", "nothing"))
    (tmp_path / "base.maude").write_text("load module.maude\n")
    with pytest.raises(ReadError, match="loads itself"):
        module(tmp_path, text.replace("../base", "base"))


HEAD = (
    "mod M is pr NAT . pr QID . sorts S L . subsort S < L . op f : Nat -> S [ctor] . op a : -> S . "
)
REST = (
    "op __ : L L -> L [ctor assoc comm id: none] . op none : -> L . vars X Y : S . var N : Nat . "
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mb f(3) : L .", "membership axioms are not read"),
        ("op g : S S -> S [comm idem] .", "op g: the attribute idem is not read"),
        ("op _;_ : L L -> L [ctor assoc comm] . rl a => a ; a .", "are collections of one kind"),
        ("op g : S S -> S [id: a] .", "an identity without assoc is not read"),
        ("rl N => s N .", "rl N => s N . applies to numbers, and so to what is within a number"),
        ("rl f(N) => f(modExp(N, 2, 3)) .", "modExp is not read"),
        ("op h : S -> S [ctor] . rl a => f(1) f(2) . rl f(1) => h(a) .",
         "may put several elements where one stands"),
        ("rl f(N + 1) => f(N) .", "a pattern in which _+_ is calculated"),
        ("rl f(N) => f((5 quo 0) + N) .", "5 quo 0 cannot be calculated"),
        ("rl f(N) => f(N) a [nonexec] . rl f(0) = a .", "line 1"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ReadError) as caught:
        module(tmp_path, f"{HEAD}{REST}{text} endm\nsearch f(0) a =>* X Y .").search()
    assert said in caught.value.message
    assert "module.maude" in caught.value.message
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("omod O is endom", "line 1: omod O: an object-oriented module is not read"),
        ("smod T is endsm", "line 1: smod T: a module of strategies is not read"),
        ("\nmod M is sort A", r"line 2: mod … has no end: 'endm' is missing"),
        ("red 1 .", "there is no module in it"),
        (HEAD + "\nendm\nsearch f(0) .", "line 3: search f(0): a search is written search"),
        ("search f(0) =>* f(1) .", "there is no module before it"),
        (HEAD + "\n rl g(0) => a . endm", "line 2: "),
    ],
)  # fmt: skip
def test_what_is_no_module_is_said_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ReadError) as caught:
        module(tmp_path, text)
    assert said in caught.value.message
    assert "Warning" not in caught.value.message


def test_a_search_that_does_not_parse_is_said_as_maude_says_it(tmp_path: Path) -> None:
    known = module(tmp_path, f"{HEAD}endm\nsearch f(0) =>* f(1) .")
    for asked, said in (
        ("search g(0) =>* f(1) .", "g(0): Maude says: bad token g"),
        ("search f(0) =>* f(1) such that 3 : Nut .", "there is no sort Nut"),
        ("search in N : f(0) =>* f(1) .", "there is no module N"),
        ("search f(0) =>* f(1) such that f(0) => f(1) .", "conditions that rewrite are not read"),
        ("rew f(0) .", "a search is written search"),
        (2, "there is no search 2: it has 1, numbered from 1"),
    ):
        with pytest.raises(ReadError) as caught:
            known.search(asked)
        assert said in caught.value.message
    with pytest.raises(ReadError, match=r"no module Q in it"):
        maude_module(tmp_path / "module.maude", "Q")
    with pytest.raises(ReadError, match="nowhere cannot be read: No such file"):
        maude_module(tmp_path / "nowhere")
    with pytest.raises(ReadError, match="expected the name of a file"):
        maude_module(5)  # type: ignore[arg-type]


def test_without_maude_one_error_says_what_to_install(tmp_path: Path) -> None:
    maude.cache_clear()
    try:
        with (
            patch.dict(sys.modules, {"maude": None}),
            pytest.raises(ReadError, match=r"pip install 'rewrite\[maude\]'"),
        ):
            module(tmp_path, f"{HEAD}endm")
    finally:
        maude.cache_clear()


def test_a_rule_for_what_never_comes_up_is_none(tmp_path: Path) -> None:
    text = "sort U . op u : U -> S [ctor] . op v : -> U [ctor] . var V : U . rl u(V) => a . "
    known = module(tmp_path, f"{HEAD}{REST}{text}rl f(N) => f(s N) . endm\nsearch f(0) =>* f(3) .")
    puzzle, _ = known.asked(1)
    assert [len(one.take) for one in puzzle.rules] == [1]
    assert known.search(1, max_states=9).path is not None
    assert known.search("search f(0) =>* u(V) .", max_states=9).path is None


def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    file = tmp_path / "my module (1).maude"
    file.write_text(f"{HEAD}{REST}rl f(N) => a . endm\nsearch f(0) =>* a .")
    assert maude_module(file).search(1).path is not None

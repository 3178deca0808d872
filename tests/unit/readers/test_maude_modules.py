"""Modules of Maude: what their searches give, what is refused, and how that is said."""

import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")

from rewrite import (
    MaudeModule,
    ReadError,
    RewriteError,
    RewriteWarning,
    explain,
    explore,
    maude_module,
    to_maude,
)
from rewrite.readers.maude_files import fragments, maude
from tests.engines import quiet, start_of
from tests.real_modules import check
from tests.unit.readers import maude_puzzles

pytestmark = quiet


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
    assert str(answers.paths[0].bindings["B"]) == "[cabbage(left), shepherd(right), wolf(left)]"
    assert answers.paths[0].labels == ["goat"]
    puzzle, asked = known.asked(2)
    assert asked == {"solutions": None}
    assert (
        puzzle.shown(answers.paths[0].end) == "cabbage(left) goat(right) shepherd(right) wolf(left)"
    )
    assert "S = right" not in str(answers.paths[0])


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
    for name in ("nothing", "n" * 300):
        with pytest.raises(ReadError, match=rf"line 1: load {name}: there is no such file"):
            module(tmp_path, text.replace("../base", name))
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
        ("op l : S -> S [ctor strat (0)] .", "the attribute strat of a constructor is not read"),
        ("pr COUNTER . rl f(N) => f(counter) .", "counter is not read"),
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
        (10**5000, "there is no search 0x"),
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


COUNTING = """
    mod COUNT is pr NAT . sorts S Box Any . subsorts Box S < Any .
      op s : Nat -> S [ctor] . op box : NzNat -> Box [ctor] . op none : -> Any [ctor] .
      op f : Nat -> Nat . op g : Nat -> Bool . vars N M : Nat . var B : Box .
      {rules}
    endm
"""


@pytest.mark.parametrize(
    ("rules", "search"),
    [
        ("crl s(N) => s(sd(N, 1)) if N :: NzNat .", "s(3) =>! X:S"),
        ("crl s(N) => s(sd(N, 1)) if N : NzNat .", "s(3) =>! X:S"),
        ("crl s(N) => s(sd(N, 1)) if not (sd(N, 1) :: Zero) .", "s(3) =>! X:S"),
        ("rl s(s N) => s(N) .", "s(3) =>* s(N) such that N :: NzNat"),
        ("rl s(s N) => s(N) .", "s(3) =>* s(N) such that N : NzNat /\\\\ N < 3"),
        ("rl box(N) => box(sd(N, 1)) . rl B => none .", "box(2) =>* X:Any"),  # box(0) is no Box
        ("rl box(N) => box(sd(N, 1)) .", "box(2) =>* B"),
        ("eq f(s N) = N . crl s(N) => s(s M) if M := f(N) + 0 .", "[, 3] s(1) =>* s(N)"),
        ("eq f(s N) = N . rl s(N) => s(f(N)) .", "[, 3] s(1) =>* X:S"),
        ("eq g(s N) = true . crl s(N) => s(sd(N, 1)) if g(N) .", "s(1) =>! X:S"),
    ],
)  # fmt: skip
def test_sorts_are_tested_and_what_a_function_leaves_is_no_number(
    tmp_path: Path, rules: str, search: str
) -> None:
    text = COUNTING.format(rules=rules) + f"search {search} .".replace("\\\\", "\\")
    check(module(tmp_path, text), 1, depth=5)


def test_a_sum_that_is_reduced_in_the_state(tmp_path: Path) -> None:
    text = """mod SUM is pr NAT . sorts M St .
      op m : Nat -> M [ctor] . op _+_ : M M -> M [assoc comm] . op st : M -> St [ctor] .
      vars I J : Nat . var X : M .
      ceq m(I) = m(I rem 3) if I >= 3 . eq m(I) + m(J) = m(I + J) .
      rl [inc] : st(X) => st(X + m(1)) .
    endm
    search st(m(0)) =>* st(X) ."""
    assert check(module(tmp_path, text), 1, depth=5) == 3


def test_a_command_for_another_module_makes_it_the_one_that_commands_are_for(
    tmp_path: Path,
) -> None:
    text = """mod A is sort S . ops a b : -> S . rl a => b . endm
      mod B is sort S . ops a b c : -> S . rl a => c . endm
      search a =>+ X:S .
      red in A : a .
      search a =>+ X:S .
      search in B : a =>+ X:S .
      search a =>+ X:S .
      select A .
      search a =>+ X:S .
      view V from TRIV to A is sort Elt to S . endv
      search a =>+ X:S ."""
    known = module(tmp_path, text)
    assert [one.module for one in known.commands] == ["B", "A", "B", "B", "A", "A"]


def test_a_command_for_no_module_is_refused_alone(tmp_path: Path) -> None:
    text = """mod T is sort S . ops a b : -> S . rl a => b . endm
      search in FOO : a =>* b .
      search a =>* b .
      select FOO .
      search a =>* b .
      red in LATER : c .
      search a =>* b .
      red in NAT : 1 .
      search 1 =>* 1 .
      mod LATER is sort S . op c : -> S . endm"""
    for _ in range(2):  # the second time, Maude knows LATER from the start
        known = module(tmp_path, text)
        assert [one.module for one in known.commands] == ["FOO", "T", "T", "T", "NAT"]
    with pytest.raises(ReadError, match=r"module.maude, line 2: there is no module FOO"):
        known.search(1)
    assert known.search(2).path is not None


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("search f(N) =>* f(N) .", "f(N): a search with variables in its start is not read"),
        ("search f(0) N =>* X .", "f(0) N: a search with variables in its start is not read"),
        ("search f(0) =>* " + "g(" * 150 + "X" + ")" * 150 + " .", "at most 100 can be written"),
        ("search [0] f(0) =>* X .", "search [0] f(0) =>* X: a bound of a search is 1 or more"),
        ("search [1, 0] f(0) =>+ X .", "a bound of a search is 1 or more, and here one is 0"),
        (f"search [{'9' * 5000}] f(0) =>+ X .", "Maude says: didn't expect token [:"),
        ("search [1] f(0) =>+ .", "a search is written search [n, m] in MODULE : start =>*"),
    ],
)  # fmt: skip
def test_a_search_that_cannot_be_made_is_refused_with_its_line(
    tmp_path: Path, search: str, said: str
) -> None:
    text = f"{HEAD}{REST}op g : L -> S [ctor] . subsort Nat < L . rl a => f(0) . endm\n{search}\n"
    known = module(tmp_path, text + "search a =>* f(0) .")
    with pytest.raises(ReadError) as caught:
        known.search(1)
    assert caught.value.message.startswith(f"{tmp_path / 'module.maude'}, line 2: ")
    assert said in caught.value.message
    assert known.search(2).path is not None


@pytest.mark.parametrize("name", ["\n.maude", "\udcff.maude", '".maude'])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(f"{HEAD}{REST}rl a => f(0) . endm\nsearch a =>! f(0) .\n")
    assert maude_module(tmp_path / name).search(1).path is not None
    (tmp_path / "link.maude").symlink_to(tmp_path / "link.maude")
    with pytest.raises(ReadError, match=r"link.maude cannot be read: Too many levels"):
        maude_module(tmp_path / "link.maude")


def test_a_file_in_latin_1_is_read(tmp_path: Path) -> None:
    text = """--- café
    mod M is pr STRING . sort S . op say : String -> S [ctor] . op b : -> S [ctor] .
      rl say("é") => b . endm
    search say("é") =>* b .
    search say("è") =>* b ."""
    file = tmp_path / "module.maude"
    file.write_text(text, "latin-1")
    known = maude_module(file)
    assert known.search(1).path is not None
    assert known.search(2).path is None


def test_truth_values_of_ones_own_are_constructors(tmp_path: Path) -> None:
    text = """set include BOOL off .
      fmod OWN is sort Bool . ops true false : -> Bool [ctor] . op not_ : Bool -> Bool .
        eq not true = false . eq not false = true . endfm
      mod FLIP is pr OWN . sort St . op <_,_> : Bool Bool -> St [ctor] . vars B C : Bool .
        rl < B, C > => < not B, C > . rl < B, C > => < C, not B > . endm
      search < false, false > =>* < B, C > ."""
    assert check(module(tmp_path, text), 1) == 4
    plain = "mod PLAIN is sort S . ops a b : -> S . crl a => b if true and not false . endm\n"
    assert check(module(tmp_path, plain + "search a =>* X:S ."), 1) == 2


def test_states_are_written_so_that_maude_reads_them(tmp_path: Path) -> None:
    text = """mod WRITTEN is pr QID . pr STRING . sorts A L R . subsort A < L .
      op bal :_ : String -> A [ctor gather (&)] . op _;_ : L L -> L [ctor assoc] .
      op ___ : Qid Qid Qid -> A [ctor] . op [_|_] : L L -> R [ctor] .
      vars X Y : L . vars P Q S : Qid .
      rl [ X | Y ] => [ Y | X ; Y ] . rl P Q S => Q S P . endm
      search [, 2] [ bal : "a" ; ('a 'b 'c) | 'c 'b 'a ] =>* R:R ."""
    known = module(tmp_path, text)
    assert check(known, 1, depth=2) > 4
    puzzle, _ = known.asked(1)
    assert puzzle.shown(start_of(puzzle)) == "[(bal : \"a\") ; ('a 'b 'c) | 'c 'b 'a]"


def test_maudes_own_files_are_loaded(tmp_path: Path) -> None:
    text = """load model-checker
      mod M is inc SATISFACTION . ops a b : -> State . op p : -> Prop .
        eq a |= p = true . rl a => b . endm
      mod M2 is inc M . rl b => a . endm
      search in M2 : a =>* S:State such that S:State |= p ."""
    assert check(module(tmp_path, text), 1) == 2


def test_an_element_may_vanish(tmp_path: Path) -> None:
    text = """mod VANISHING is pr NAT . sorts C G . subsort C < G . op c : Nat -> C .
      op mt : -> G [ctor] . op __ : G G -> G [ctor assoc comm id: mt] . var I : Nat .
      eq c(0) = mt . rl c(s I) => c(I) . endm
    search c(1) c(2) =>! X:G ."""
    assert check(module(tmp_path, text), 1, depth=4) == 5


def test_texts_in_a_search_are_not_taken_apart(tmp_path: Path) -> None:
    text = """mod SAYING is pr STRING . sort S . op say : String -> S .
      rl say("a =>* b  c") => say("such that") . endm
    ls
    search say("a =>* b  c") =>* X:S such that X:S =/= say("such that")
      /\\ X:S =/= say(" /\\ ") ."""
    known = module(tmp_path, text)
    assert known.commands[0].start == 'say("a =>* b  c")'
    assert check(known, 1) == 2
    with pytest.raises(ReadError, match="a text has no end"):  # Maude itself would end
        known.search('search say("a") =>* X:S such that X:S =/= say(" .')


def test_numbers_are_of_any_size(tmp_path: Path) -> None:
    text = """mod LARGE is pr INT . sort S . op s : Int -> S [ctor] . var I : Int .
      crl s(I) => s(I quo 2) if I > 18446744073709551615 or I < -18446744073709551615 . endm
    search s(36893488147419103232) =>! X:S .
    search s(-36893488147419103232) =>* s(I) ."""
    known = module(tmp_path, text)
    assert check(known, 1) == check(known, 2) == 3


@pytest.mark.parametrize("rule", ["rl 2 => 9 .", "rl N => 0 ."])
def test_rules_for_numbers_are_refused_in_collections_too(tmp_path: Path, rule: str) -> None:
    text = f"""mod NUMBERS is pr NAT . sort S . subsort Nat < S . op a : -> S [ctor] . var N : Nat .
      op __ : S S -> S [ctor assoc comm] . {rule} endm
    search 3 a =>* X:S ."""
    with pytest.raises(ReadError, match="applies to numbers, and so to what is within a number"):
        module(tmp_path, text).search(1)


def test_rules_of_any_element_in_a_soup_and_within_terms(tmp_path: Path) -> None:
    text = """mod VARIABLES is sorts A B E S . subsorts A B < E < S . op a : -> A [ctor] .
      op b : -> B [ctor] . op c : -> E [ctor] . op _&_ : S S -> S [ctor assoc comm] .
      op f : E -> E [ctor] . var X : A . var Y : B . var Z : E .
      rl X => b . rl Y => c . crl Z => f(a) if Z = c . endm
    search [, 5] a & f(a) =>* S:S ."""
    check(module(tmp_path, text), 1, depth=5)


def test_lists_that_a_partial_function_gives_by_another_or_by_a_branch(tmp_path: Path) -> None:
    text = """fmod LISTS is pr LIST{Nat} . endfm
    view Lists from TRIV to LISTS is sort Elt to List{Nat} . endv
    mod GIVEN is pr MAP{Nat, Lists} . sort S . op st : Map{Nat,Lists} -> S [ctor] .
      op ls : List{Nat} -> S [ctor] . ops on on2 : List{Nat} ~> List{Nat} .
      vars L K : List{Nat} . var M : Map{Nat,Lists} . var N : Nat .
      eq on(L) = L 1 . eq on2(L) = on(L) .
      crl st(M) => ls(9) if M[1] = 2 1 . crl st(M) => ls(L) if L := M[1] .
      crl ls(2 L) => ls(on2(L)) if on2(L) = 1 1 . endm
    search st(1 |-> (2 1)) =>* ls(L) ."""
    assert check(module(tmp_path, text), 1, depth=5) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("eq g(N:Nat + 1) = 2 .", "eq g(N:Nat + 1) = 2 . N:Nat + 1: a pattern in which _+_ is"),
        ("eq g(N:Nat) = modExp(N:Nat, 2, 3) .", "eq g(N:Nat) = modExp(N:Nat, 2, 3) . modExp"),
        ("subsort T < S . mb s(3) : T .", "mb s(3) : T . membership axioms are not read"),
        ("op _;_ : S S -> S [comm idem] .", "op _;_: the attribute idem is not read"),
        ("rl s(N:Nat) => s(modExp(2, 2, 3)) .", "rl s(N:Nat) => s(modExp(2, 2, 3)) . modExp"),
    ],
)
def test_a_statement_that_is_not_read_is_named_with_its_own_file_and_line(
    tmp_path: Path, text: str, said: str
) -> None:
    head = "mod BASE is pr NAT . sorts S T . op s : Nat -> S [ctor] . op g : Nat -> Nat ."
    (tmp_path / "base.maude").write_text(f"{head}\n{text}\nendm")
    user = "load base\nmod USER is inc BASE . rl s(0) => s(g(1)) . endm\nsearch s(0) =>* s(N:Nat) ."
    with pytest.raises(ReadError) as caught:
        module(tmp_path, user).search()
    base = tmp_path / "base.maude"
    assert f"module.maude, line 3: {base}, line 2: {said}" in caught.value.message


def test_a_state_that_looks_like_a_bound_of_a_search_is_a_state(tmp_path: Path) -> None:
    text = """mod PAIRS is pr NAT . sort S . op [_,_] : Nat Nat -> S [ctor] . vars N M : Nat .
      rl [ N, M ] => [ 4, M ] . rl [ N, M ] => [ N, 3 ] . rl [ N, M ] => [ 0, M ] . endm
    search [0, 0] =>* [N, 3] .
    search [1] [0, 2] =>* [4, M] .
    search [1, 0] =>! [N, M] ."""
    known = module(tmp_path, text)
    assert [one.bounds for one in known.commands] == [(None, None), (1, None), (None, None)]
    assert [check(known, number) for number in (1, 2, 3)] == [4, 4, 6]


def test_what_maude_warns_of_but_reads_is_read_with_a_warning(tmp_path: Path) -> None:
    text = """mod TWICE is pr NAT . sorts S T S . op s : Nat -> S [ctor prec 3] . var N : Nat .
      op <_> : Nat -> S [ctor] . op t : Nat -> T [ctor gather (e)] . rl s(s N) => < N > .
      var N : Nat . rl < s N > => < N > . endm
    search < 3 > =>* < N > ."""
    with pytest.warns(RewriteWarning) as warned:
        known = module(tmp_path, text)
    said = [str(one.message).partition(", line ")[2] for one in warned]
    assert said == [
        "1: redeclaration of sort S.", "1: prec attribute without mixfix syntax for operator s.",
        "2: gather attribute without mixfix syntax for operator t.",
        "3: redeclaration of variable alias N.",
    ]  # fmt: skip
    assert check(known, 1) == 4


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("s(" + "7" * 5000 + ")", "a number of 5,000 digits; Python reads as many as sys."),
        ("s(-" + "7" * 5000 + ")", "a number of 5,000 digits; Python reads as many as sys."),
        ("q(1/2)", "1/2: fractions (FLOAT, RAT) are not read; write whole numbers"),
        ("f(1.5)", "1.5: fractions (FLOAT, RAT) are not read; write whole numbers"),
    ],
)  # fmt: skip
def test_numbers_that_are_not_read_are_refused_as_such(
    tmp_path: Path, start: str, said: str
) -> None:
    text = f"""mod NUMBERS is pr RAT . pr FLOAT . sort S . op s : Int -> S [ctor] .
      op q : Rat -> S [ctor] . op f : Float -> S [ctor] . endm
    search {start} =>* X:S ."""
    with pytest.raises(ReadError, match="line 3: ") as caught:
        module(tmp_path, text).search(1)
    assert said in caught.value.message


def test_equations_that_never_end_are_one_short_error(tmp_path: Path) -> None:
    text = """mod ENDLESS is sorts S . op a : -> S [ctor] . ops f g : S -> S . var X : S .
      op b : S -> S [ctor] . eq f(X) = g(b(X)) . eq g(X) = f(b(X)) . rl a => f(a) . endm
    search a =>* b(X) ."""
    with pytest.raises(RewriteError, match="failed in ") as caught:
        module(tmp_path, text).search(1)
    assert "call themselves, or others, too many levels deep for Python" in str(caught.value)
    assert len(str(caught.value)) < 300


def test_of_several_equations_the_first_is_taken_also_for_a_choice(tmp_path: Path) -> None:
    text = """mod FIRST is sorts C S . ops w b : -> C [ctor] . op s : C C -> S [ctor] .
      vars X Y : C . op other : C -> C . eq other(w) = b . eq other(w) = w .
      eq other(X) = w [owise] .
      rl s(X, Y) => s(other(X), Y) . rl s(X, Y) => s(Y, X) . endm
    search s(w, w) =>* s(X, Y) ."""
    assert check(module(tmp_path, text), 1) == 4


def test_quotes_that_nothing_closes_are_read_in_one_pass(tmp_path: Path) -> None:
    """Each was looked for its end to the end of the line: 20,000 of them took a minute."""
    open_quotes = 'a\\"' * 100_000
    commands = f"red {open_quotes} .\n" + 'red a\\" .\n' * 20_000
    known = module(tmp_path, f"{maude_puzzles.JUGS}\n{commands}search jug(3, 0) =>* none .\n")
    assert len(known.searches) == 3
    parts = ["A = B", f"C = {open_quotes}", "D = E"]
    assert fragments(" /\\ ".join(parts)) == parts


def test_a_quote_in_a_comment_of_several_lines_hides_no_comment_after_it(tmp_path: Path) -> None:
    text = '***( a\n" in lines ) *** none"\n'
    known = module(tmp_path, f"{maude_puzzles.JUGS}{text}search jug(3, 0) =>* none .")
    assert len(known.searches) == 3

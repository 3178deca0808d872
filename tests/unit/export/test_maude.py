"""`to_maude`: the text of small puzzles, what is refused, and what real Maude makes of it."""

import keyword
import re
from pathlib import Path
from typing import Any

import pytest

import rewrite as f
from puzzles import PUZZLES
from rewrite.errors import ExportError
from rewrite.export.maude import to_maude
from rewrite.language.conditions import contains, count, exactly, lacks, terminal, total
from rewrite.language.expressions import ANY
from rewrite.language.meaning import is_goal
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.terms import term
from rewrite.search.tasks.explore import explore
from tests.engines import quiet
from tests.property.strategies import Box
from tests.unit.export.real_maude import read, states

M, N, X = f.ints("M N X")
S, T = f.seqs("S T")
B = f.bags("B")
P, Q = f.terms("P Q")
U, V = f.strs("U V")


@term
class Ring:
    pass


EITHER = f.terms("either", Box, Ring)


@f.fn
def twice(value: int) -> int:
    return 2 * value


def of_rule(*args: Any, start: Any = (1, 2), **parts: Any) -> str:
    text = to_maude(Puzzle(rule("go", *args, **parts), start=list(start)))
    return text[text.index("*** Rule go") :].split("\n\n")[0].split("\n", 1)[1]


def body(text: str, word: str) -> str:
    return text[text.index(f"\n{word}") :].split("\n\n")[0].strip()


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"take": [M], "put": [M + 1]}, "rl [go] : { M ; REST } => { (M + 1) ; REST } ."),
        ({"take": [M]}, "rl [go] : { M ; REST } => { REST } ."),
        (
            {"take": [M, N], "put": [M - N], "when": [M >= N, ~(M == 3)]},
            "crl [go] : { M ; N ; REST } => { (M - N) ; REST }\n  if M >= N\n  /\\ not (M == 3) .",
        ),
        (
            {"take": [M, N], "put": [M // N]},
            "crl [go] : { M ; N ; REST } => { TERM1 ; REST }\n  if TERM1 := (M div N) .",
        ),
        (
            {"take": [M], "put": [M // 2, -7]},
            "rl [go] : { M ; REST } => { (M div 2) ; -7 ; REST } .",
        ),
        (
            {"take": [(*S, 0, X, *T)], "put": [(*S, X, 0, *T)]},
            "rl [go] : { seq(S ~ 0 ~ X ~ T) ; REST } => { seq(S ~ X ~ 0 ~ T) ; REST } .",
        ),
        (
            {"take": [[X, *B]], "put": [Box([*B])]},
            "rl [go] : { bag(B ; X) ; REST } => { Box(bag(B)) ; REST } .",
        ),
        (
            {"take": [Box(M), Box(M + 1)], "put": [True, U], "keep": [U]},
            "crl [go] : { Box(M) ; Box(TERM1) ; REST } => { true ; U ; REST }\n"
            "  if TERM1 == (M + 1)\n  /\\ U ; BAG1 := REST .",
        ),
        (
            {"take": [M], "put": [X], "let": {(*S, X, *T): f.digits(M)}},
            "crl [go] : { M ; REST } => { X ; REST }\n  if seq(S ~ X ~ T) := seq(digits(M)) .",
        ),
        (
            {"take": [M], "put": [X], "let": {X: f.one_of(1, M)}},
            "crl [go] : { M ; REST } => { X ; REST }\n  if X := 1 .\n"
            "crl [go] : { M ; REST } => { X ; REST }\n  if X := M .",
        ),
        (
            {"take": [S], "put": [X], "let": {X: f.one_of(S)}},
            "crl [go] : { seq(S) ; REST } => { X ; REST }\n  if LIST1 ~ X ~ LIST2 := S .",
        ),
        (
            {"take": [Box(ANY), (*ANY, M)], "put": [f.if_(M > 0, M, 0)]},
            "rl [go] : { Box(TERM1) ; seq(LIST1 ~ M) ; REST }"
            " => { choose((M > 0), M, 0) ; REST } .",
        ),
    ],
)  # fmt: skip
def test_a_rule_becomes_this_text(parts: dict[str, Any], text: str) -> None:
    assert of_rule(**parts) == text


def test_a_condition_on_the_state_becomes_a_function_with_the_outer_variables_as_arguments() -> (
    None
):
    text = to_maude(Puzzle(rule("go", take=[M], absent=[Box(M)], when=contains(X, when=X > M)),
                           start=[1], facts=[Box(2)]))  # fmt: skip
    assert body(text, "op contains-1") == (
        "op contains-1 : Bag Int -> Bool .\nceq contains-1(STATE, M) = true\n"
        "  if X ; BAG1 := STATE ; facts\n  /\\ X > M .\n"
        "eq contains-1(STATE, M) = false [owise] ."
    )
    assert "if contains-1(REST, M)\n  /\\ (not contains-2(REST, M)) ." in text
    assert "eq facts = Box(2) ." in text


def test_only_the_functions_that_are_needed_are_defined() -> None:
    text = to_maude(Puzzle(rule("go", take=[M], put=[M % 3])), [1])
    assert "op _mod_" in text
    assert "op _div_" not in text
    assert "STRING" not in text


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"put": [twice(M)]}, r"twice\(M\) cannot be written in Maude: it calls a Python function"),
        ({"when": count(X) > 1}, r"count\(X\) cannot .*: aggregates over the whole state are not"),
        ({"when": total(X, X) > 1}, r"total\(X, X\) cannot be written in Maude: aggregates"),
        ({"when": lambda state: True}, "cannot be written in Maude: it is a Python function"),
        ({"keep": [P], "when": P > 3}, "P > 3 cannot .*: an order is known there among numbers"),
        ({"keep": [U], "put": [f.upper(U)]}, r"upper\(U\) cannot .*: upper\(…\) is not exported"),
        ({"keep": [S], "put": [S[1:]]}, r"S\[1:\] cannot .*: S\[a:\] is not exported"),
        ({"keep": [(*P, 1)]}, r"\*P cannot be written in Maude: declare P with seqs\(…\)"),
        (
            {"keep": [P], "let": {X: f.one_of(P)}},
            r"one_of\(P\) cannot .*: P may be neither a sequence",
        ),
        ({"keep": [B], "put": [(*B,)]}, r"\*B cannot .*: only a sequence \(seqs\) is spliced"),
        ({"keep": [U], "when": U < "é"}, "U < 'é' cannot .*: the order of letters beyond ASCII is"),
        ({"put": ["\ud800"]}, "half of a surrogate pair"),
        (
            {"when": (contains(X) | contains(X, 1)) & (X > 3)},
            r"what an alternative binds is used outside it. Write \(a & c\) \| \(b & c\)",
        ),
    ],
)
def test_what_maude_cannot_express_is_an_error_that_names_the_rule(
    parts: dict[str, Any], message: str
) -> None:
    with pytest.raises(ExportError, match=rf"rule 'go': .*{message}") as raised:
        of_rule(take=[M], **parts)
    assert raised.value.rule == "go"


def test_a_missing_start_and_wrong_names_are_errors() -> None:
    go = rule("go", take=[M], put=[M + 1])
    with pytest.raises(ExportError, match=r"where to start\? Give to_maude\(puzzle, start\)"):
        to_maude(Puzzle(go))
    with pytest.raises(ExportError, match="is written with letters, digits and -"):
        to_maude(Puzzle(go), [1], name="TWO WORDS")
    with pytest.raises(ExportError, match="Maude has a module of this name already"):
        to_maude(Puzzle(go), [1], name="NAT")
    with pytest.raises(ExportError, match="the first argument is a Puzzle"):
        to_maude([go], [1])  # type: ignore[arg-type]


def test_a_goal_that_maude_cannot_express_is_told_in_a_comment() -> None:
    go = rule("go", take=[M], put=[M + 1])
    told = to_maude(Puzzle(go, goal=lambda state: True), [1])
    assert "*** The goal is not written out. puzzle: goal: " in told
    assert "start =>! S:State ." in to_maude(Puzzle(go, goal=terminal()), [1])
    assert "such that solved(S:State) ." in to_maude(Puzzle(go, goal=exactly(3)), [1])


# -- read by real Maude ------------------------------------------------------------------------


def states_in_maude(text: str, depth: int | None = None, goal: bool = False) -> int:
    """How many states real Maude reaches, or how many of them are solved."""
    pytest.importorskip("maude", reason="real Maude is an optional peer: pip install maude")
    return states(read(text), depth, goal)


@pytest.mark.parametrize(
    ("puzzle", "words", "expected"),
    [
        ("digitle", ["793", "75", "4", "7", "9", "8", "2"], 29_459),
        ("water_jugs", [], 16),
        ("farmer", [], 10),
        ("hanoi", ["3", "4"], 81),
    ],
)
def test_maude_finds_all_states_of_a_puzzle_of_the_gallery(
    puzzle: str, words: list[str], expected: int
) -> None:
    made = PUZZLES[puzzle](*words)
    assert states_in_maude(to_maude(made, name=f"GALLERY-{puzzle.replace('_', '-')}")) == expected


EVERY = [
    (rule("div", take=[M, N], put=[M // N, M % N]), [-7, 3, -2, 0]),
    (rule("abs", take=[M, N], put=[abs(M - N), f.least(M, N, 3), f.greatest(M, N)]), [-7, 3, 9]),
    (rule("pow", take=[M, N], put=[(M % 5) ** (N % 4)]), [7, -1, 3, 2]),
    (rule("big", take=[M, N], put=[M * N]), [10**20, -(2**64), 3]),
    (rule("option", take=[M], put=[X], let={X: f.one_of(1 // M, 7, M // 2)}), [0, 3]),
    (rule("item", take=[(*S, M)], put=[S[M], S[-1], f.length(S)]), [(4, 5, -2), (1, 3), (7, 0)]),
    (rule("number", take=[S], put=[f.number(S), total(S)]),
     [(0, 4, 2), (), (1, 12), (3, -1)]),
    (rule("text", take=[U], put=[Box(U + "x")], when=(U < "x") & (U != 'a"\\\n')),
     ['a"\\\n', "b", "z", "", "\x01"]),
    (rule("é", take=[U], put=[(U, U + "→")], when=U != "é", name="letters"), ["é", "日本", "e"]),
    (rule("bools", take=[P], put=[(P,)], when=(P == True) | (P == 1)), [True, 1, "1", (1,)]),  # noqa: E712
    (rule("nested", take=[[M, *B]], put=[[*B, *S], f.length(B)], keep=[S]), [[3, 1, 1], (5, 6)]),
    (rule("twice", take=[(*S, *S)], put=[S]), [(1, 2, 1, 2), (3, 3, 3, 3)]),
    (rule("in", take=[M], put=[-M - 1], keep=[S], when=f.is_in(M, S)), [(1, -2, 3), 1, 3, -4]),
    (rule("lack", take=[M], put=[M - 1], when=[M > 0, lacks(X, when=X > M)]), [3, 3, 2]),
    (rule("whole", take=[M], put=[M + 1], when=exactly(M, X, when=X < 4)), [2, 2, 0]),
    (rule("unbound", take=[M], put=[M + 1], when=[M < 6, ~(contains(X) & (1 // (X - 1) == 1))]),
     [0, 1]),
    (rule("unequal", take=[M, N], put=[M], when=1 // N != 5), [0, 2, -1]),
    (rule("two without a value", take=[M, N], put=[M], when=1 // M == 1 // N), [0, 0, 1]),
    (rule("not", take=[M, N], put=[M], when=~(lacks(Box(X)) & (1 // N == 5))), [0, 2, 3]),
    (rule("no further", take=[M, N], put=[M], when=(M == 0) | (6 // M == N)), [0, 2, 3]),
    (rule("written", take=[M, U], put=[f.text((f.text(M), U, "é")), f.text(U)]),
     [0, -10**20, 305, "日", "", 7]),
    (rule("letters", take=[U], put=[Box(f.letters(U)), f.length(U), U[-1]]),
     ["aé日𝄞", "", "é", "x\"y"]),
    (rule("reversed", take=[U, S], put=[f.reverse(U), S[::-1], f.text(f.letters(U)[::-1])]),
     ["aé日𝄞", "", (1, (2, 3), "é"), ()]),
    (rule("part", take=[U], put=[U + "!"], keep=[V], when=f.is_in(V, U)), ["aé日", "é", "", "日é"]),
    (rule("position", take=[U, P], keep=[S],
          put=[f.position(P, S), f.position(U, "aé日aé"), f.position("é", U), U]),
     ["é", "日aé", "a", "x", 3, 1, (1, "é", 3, 1, "x", "日aé")]),
    (rule("either", take=[EITHER, M], put=[(EITHER, M)], when=contains(EITHER, EITHER)),
     [Box(1), Box(1), Ring(), Ring(), "Ring", (Box(2),), 3, 4, 5, 6]),
    (rule("choice", take=[M, N], put=[f.if_(M == 0, N, N // M)]), [0, 2, 7]),
]  # fmt: skip


@pytest.mark.parametrize(("made", "start"), EVERY, ids=[made.name for made, _ in EVERY])
@quiet
def test_maude_reads_each_part_of_the_language_as_we_do(made: Any, start: list[Any]) -> None:
    puzzle = Puzzle(made, start=start, never=contains(X, when=X > 10**90))
    text = to_maude(puzzle, name=f"PART-{EVERY.index((made, start))}")
    assert states_in_maude(text, depth=4) == len(explore(puzzle, max_depth=4).states)


def test_names_of_a_puzzle_never_meet_words_of_maude() -> None:
    @term
    class seq:
        cells: Any

    @term
    class Int:
        value: Any

    @term
    class M_1:
        """A constant with an underscore, which would be a place for an argument."""

    rest, start, state = f.ints("REST start ü_")
    made = Puzzle(
        rule("if: [x] (y) ***", take=[seq((rest, start)), Int(state), M_1()], put=[rest]),
        start=[seq((1, 2)), Int(3), M_1()], facts=["endm"], name="*** {name}\nlist",
    )  # fmt: skip
    assert states_in_maude(to_maude(made)) == 2
    assert states_in_maude(to_maude(made, name="TWICE")) == 2


@pytest.mark.parametrize(
    "goal",
    [
        terminal() & contains(0), contains(0) & terminal(), ~terminal(), terminal() | contains(5),
        ~terminal() & lacks(3), contains(X, when=[X < 3, terminal()]), ~(terminal() & contains(2)),
        (contains(0) & ~terminal()) | exactly(X), contains(X, X) & (X > 1) & ~terminal(),
    ],
)  # fmt: skip
def test_terminal_stands_anywhere_in_a_goal(goal: Any) -> None:
    made = Puzzle(
        rule("minus", take=[M, N], put=[M - N], when=M >= N), rule("half", take=[M], put=[6 // M]),
        rule("option", take=[M], put=[X], let={X: f.one_of(M - 1, 6 // (M - 2))}, when=M > 2),
        start=[5, 3, 3], never=contains(4), goal=goal,
    )  # fmt: skip
    ours = [state for state in explore(made).states if is_goal(made, state, goal)]
    text = to_maude(made, name="TERMINAL")
    assert "ceq can-move({ M ; N ; REST }) = true\n  if M >= N\n  /\\ not forbidden(" in text
    assert states_in_maude(text) == len(explore(made).states)
    assert states_in_maude(text, goal=True) == len(ours) > 0


def test_only_a_goal_that_asks_for_the_moves_brings_the_function_for_it() -> None:
    go = rule("go", take=[M], put=[M + 1], when=M < 3)
    assert "can-move" not in to_maude(Puzzle(go, start=[1], goal=terminal()))
    assert "can-move" in to_maude(Puzzle(go, start=[1], goal=terminal() & contains(3)))


SIMPLIFIED = [
    Puzzle(
        rule("drop", take=[("loose", M), ("loose", N)], put=[("sum", M + N)], when=M < N),
        simplify=[
            rule("clear tens", take=[("sum", 10)]),
            rule("merge", take=[("sum", M), ("sum", N)], put=[("sum", M + N)], when=M + N < 10),
        ],
        start=[("loose", n) for n in (3, 4, 7, 1, 6, 2)], never=contains(("sum", 9)),
    ),
    Puzzle(
        rule("push", take=[(*S, M)], put=[(*S, M, M + 1)], when=M < 6),
        rule("drop", take=[(M, *S)], put=[S]),
        simplify=rule("carry", take=[(*S, M, N, *T)], put=[(*S, M * N, *T)], when=[N % 3 == 0]),
        start=[(1,)], goal=contains(S, when=f.length(S) == 2) & ~terminal(),
    ),
    Puzzle(
        rule("open", take=[M], put=[Box(M), Box(M - 1)], when=M > 0), facts=[Box(2)],
        simplify=[
            rule("take off", take=[Box(X)], keep=[Box(X)], absent=["stop"]),
            rule("sort", take=[Box(0)], put=["stop"], when=contains(M, when=M < 2)),
        ],
        start=[1, 2, 3],
    ),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SIMPLIFIED)))
def test_simplify_becomes_equations_where_every_order_gives_the_same(number: int) -> None:
    made = SIMPLIFIED[number].replace(name=f"simple {number}")
    space = explore(made)
    text = to_maude(made)
    assert f"one normal form in every order: looked at in all {len(space.states)} states." in text
    assert f"eq [{['clear-tens', 'carry', 'take-off'][number]}] : {{" in text
    assert states_in_maude(text) == len(space.states) > 4
    if made.goal is not None:
        goals = [state for state in space.states if is_goal(made, state, made.goal)]
        assert states_in_maude(text, goal=True) == len(goals) > 0


def test_a_space_without_end_is_looked_at_as_far_as_1000_states() -> None:
    made = Puzzle(rule("up", take=[M], put=[M + 1, 0]), simplify=rule("off", take=[0]), start=[1])
    text = to_maude(made)
    assert "looked at in the first 1,000 states, no further." in text
    assert states_in_maude(text, depth=5) == 6


@pytest.mark.parametrize(
    ("simplify", "found"),
    [
        (
            [rule("less", take=[M, N], put=[M - N])],
            "and here [1, 2] becomes [-1] in one order, [1] in another. Make its conditions",
        ),
        (
            [rule("one", take=[2], put=["a"]), rule("two", take=[2], put=["b"])],
            "and here [1, 2] becomes [1, 'a'] in one order, [1, 'b'] in another",
        ),
        (
            [rule("there", take=[2], put=["a"]), rule("back", take=["a"], put=[2])],
            "and here from [1, 2] they may come back to it, without end",
        ),
        (
            [rule("grow", take=[2], put=[2, 2])],
            "and here [1, 2] has none after 500 steps",
        ),
    ],
)
def test_simplify_that_depends_on_the_order_is_refused_with_the_state(
    simplify: list[Any], found: str
) -> None:
    go = rule("go", take=[1], put=[1, 2], absent=[2])
    with pytest.raises(ExportError, match=re.escape(found)) as raised:
        to_maude(Puzzle(go, simplify=simplify), [1])
    assert raised.value.message.startswith("puzzle: simplify= cannot be written in Maude: there")
    assert raised.value.rule == simplify[0].name


KEYWORDS = """
    mod fmod endm endfm protecting pr extending ex including inc using sort sorts subsort subsorts
    class msg op ops var vars mb cmb eq ceq cq rl crl strat sd csd is from to label if then else fi
    assoc comm id left right idem iter memo prec gather format ctor config object frozen poly ditto
    special owise otherwise nonexec variant metadata print narrowing pconst portal latex s such that
    Infinity NaN match xmatch top all one idle fail test set show select load quit eof red rewrite
"""


@pytest.mark.parametrize("arity", [0, 1])
def test_no_name_of_a_class_means_something_else_to_maude(arity: int) -> None:
    """Each word that its prelude or its grammar knows, as constructor, as fact and in a pattern."""
    prelude = Path(pytest.importorskip("maude").__file__).with_name("prelude.maude").read_text()
    known = {*re.findall(r"[A-Za-z][A-Za-z0-9]*", prelude), *KEYWORDS.split()}
    words = sorted(word for word in known if not keyword.iskeyword(word))
    assert {"s", "portal", "Nat", "endm", "find"} <= set(words)
    body = {"__annotations__": {"at": int}} if arity else {}
    classes: list[Any] = [term(type(word, (), dict(body))) for word in words]
    made = [one(*[2] * arity) for one in classes]
    go = rule("go", take=[M], put=[M + 1], when=M < 2)
    some = [made[place : place + 40] for place in range(0, len(made), 40)]
    never = [contains(*together, M, when=M > 1) for together in some]
    puzzle = Puzzle(go, start=[0], facts=made, never=never)
    assert states_in_maude(to_maude(puzzle, name=f"WORDS-{arity}")) == 2


def test_maude_finds_the_goal_in_as_many_states_as_we_do() -> None:
    jugs = PUZZLES["water_jugs"]()
    assert jugs.goal is not None
    goals = [state for state in explore(jugs).states if is_goal(jugs, state, jugs.goal)]
    assert states_in_maude(to_maude(jugs, name="SOLVED-JUGS"), goal=True) == len(goals) > 0


def test_maude_counts_letters_and_not_bytes_and_writes_numbers_as_we_do() -> None:
    word = f.strs("word")
    values = [
        f.letters(word), f.length(word), f.reverse(word), f.position("日", word), word[2],
        f.text((f.text(M), word)), f.is_in("é日", word), f.is_in("日é", word),
    ]  # fmt: skip
    told = ("ä", "é", "日", "𝄞"), 4, "𝄞日éä", 2, "日", "-1050äé日𝄞", True, False
    go = rule("go", take=[word, M], put=[tuple(values)])
    made = Puzzle(go, start=["äé日𝄞", -1050], goal=exactly(told), name="letters and bytes")
    assert [state for state in explore(made).states if is_goal(made, state, made.goal)]  # type: ignore[arg-type]
    assert states_in_maude(to_maude(made), goal=True) == 1

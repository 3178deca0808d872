"""Why a rule has no move, and what of a goal holds, in sentences."""

from typing import Any

import pytest
from hypothesis import given

from puzzles.water_jugs import Jug
from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.builtins import digits, divides
from rewrite.language.conditions import contains, count, exactly, lacks, terminal
from rewrite.language.expressions import ANY
from rewrite.language.functions import bags, fn, ints, one_of, seqs, strs, terms
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.results import sentences
from rewrite.results.sentences import told_goal, told_stop
from tests.property.by_definition import first_states
from tests.property.computed_puzzles import computed_puzzles
from tests.property.drawn import drawn
from tests.property.strategies import puzzles
from tests.terms import Box, Next

A, B, C, D, M, N, P = ints("A B C D M N P")
L, who = strs("L who")
S, T = seqs("S T")
REST = bags("REST")


@term
class Floor:
    cell: int


@term
class On:
    cell: int
    thing: str


def told(made: Rule, state: list[Any], **parts: Any) -> tuple[str, str]:
    return told_stop(Puzzle(made, **parts), State(state), made)


CELLS = [Floor(cell) for cell in range(4)]
WALK = rule(
    f"walk {L}",
    let={(L, D): one_of(("left", -1), ("right", 1))},
    take=[On(P, "you")],
    keep=[Floor(P + D)],
    absent=[On(P + D, ANY)],
    put=[On(P + D, "you")],
)


@pytest.mark.parametrize(
    ("made", "state", "sentence", "raw"),
    [
        (
            rule("up", take=[On(P - 5, "."), On(P, "□")], put=[On(P, ".")]),
            [On(7, "."), On(9, "⊓")],
            "there is no On with thing □",
            "take On(P, '□')",
        ),
        (
            rule(f"block at {P} up", take=[On(P - 5, "."), On(P, "□")], put=[On(P, ".")]),
            [On(7, "."), On(9, "⊓"), On(3, "□"), On(14, "□")],
            "block at 14 up: there is no On with cell 9 and thing '.' (1 other fails too)",
            "take On(P - 5, '.')",
        ),
        (
            rule(f"fill {A} to {B}", take=[Jug(A, B)], put=[Jug(A, A)], when=B < A),
            [Jug(5, 5)],
            "fill 5 to 5: 5 < 5 does not hold",
            "when=B < A",
        ),
        (
            rule(f"{M} ÷ {N}", take=[M, N], put=[M // N], when=[M >= N, divides(M, N)]),
            [2, 7, 8],
            "7 ÷ 2: 7 divides 2 does not hold (2 others fail too)",
            "when=divides(M, N)",
        ),
        (
            rule(f"{A} and {B}", take=[A, B], put=[A], when=A * 2 >= B + 9),
            [1, 3],
            "1 and 3: 1 * 2 ≥ 3 + 9 does not hold (now 2 and 12) (1 other fails too)",
            "when=A * 2 >= B + 9",
        ),
        (
            rule(f"{A} ÷ {B}", take=[A, B], put=[A // B]),
            [0, 0],
            "0 ÷ 0: there is no value for 0 // 0",
            "put",
        ),
        (
            rule(f"{A} + {B} → {A + B}", take=[A, B], put=[A + B]),
            [7],
            "7 + … → …: there is no other number",
            "take B",
        ),
        (
            rule("first", take=[(1, *S)], put=[S]),
            [(2, 3)],
            "there is no sequence (1, …)",
            "take (1, *S)",
        ),
        (
            rule(f"tail of {P}", take=[(P, *S)], keep=[S], put=[P]),
            [(2, 3)],
            "tail of 2: there is no sequence (3,)",
            "keep S",
        ),
        (
            rule("none", take=[terms("X", Box, Jug)], put=[1]),
            [1],
            "there is no Box or Jug",
            "take X",
        ),
        (
            rule("few", take=[M], put=[], when=[count(Box(ANY)) > 2, M > 5]),
            [1, Box(1)],
            "the number of Boxes > 2 does not hold",
            "when=count(Box(ANY)) > 2",
        ),
        (
            rule(f"open {P}", take=[Box(P)], put=[], when=contains(Jug(P, N), when=N > 3)),
            [Box(4), Jug(4, 1)],
            "open 4: there must be a Jug with size 4 and amount N, such that N > 3",
            "when=contains(Jug(P, N), when=N > 3)",
        ),
        (
            rule("late", take=[M], put=[N], let={(N, 1): (M, count(ANY))}),
            [5],
            "there is no value for (N, 1) = (M, count(ANY))",
            "let",
        ),
        (
            rule(f"root of {A}", take=[Box(A)], put=[M], let={(M, 1): digits(A)}),
            [Box(7)],
            "there is no value for (M, 1) = digits(A)",
            "take Box(A)",
        ),
        (
            rule(f"{A} over {B}", take=[Jug(A, 1), Jug(B, 1)], put=[], keep=[Next(A, B)]),
            [Jug(1, 1), Jug(2, 1), Jug(5, 1), Next(5, 6)],
            "5 over 1: there is no Next with at 5 and to 1 (5 others fail too)",
            "keep Next(A, B)",
        ),
        (
            rule("\u202elabel", take=["\u202e\n"], put=[]),
            [5],
            r"there is no text '\u202e\n'",
            r"take '\u202e\n'",
        ),
    ],
)
def test_a_rule_without_a_move_says_why_with_its_values(
    made: Rule, state: list[Any], sentence: str, raw: str
) -> None:
    assert told(made, state) == (sentence, raw)


@pytest.mark.parametrize(
    ("state", "facts", "sentence", "raw"),
    [
        (
            [On(1, "you")],
            [Floor(1)],
            "walk left: there is no Floor with cell 0",
            "keep Floor(P + D)",
        ),
        (
            [On(0, "you"), On(1, "box")],
            CELLS,
            "walk right: there must be no On with cell 1",
            "absent=On(P + D, ANY)",
        ),
        (
            [On(0, "you")],
            CELLS,
            "walk right: not allowed, for then there is an On with cell 1 and thing you",
            "never=contains(On(P, 'you'), when=P == 1)",
        ),
        ([On(2, "you")], CELLS, "it has a move", ""),
    ],
)
def test_a_let_is_chosen_before_patterns_are_matched(
    state: list[Any], facts: list[Any], sentence: str, raw: str
) -> None:
    never = contains(On(P, "you"), when=P == 1)
    found = told(WALK, state, facts=facts, never=never)
    assert found[0].startswith(sentence)
    assert found[1] == raw


def test_a_fact_is_not_there_to_be_taken() -> None:
    made = rule(f"off {P}", take=[On(P, "you"), Floor(P)], put=[], let={M: P + 1})
    found = told(made, [On(1, "you"), Floor(2)], facts=CELLS)
    assert found == ("off 1: there is no Floor with cell 1", "take Floor(P)")


def test_a_rule_with_many_matches_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "LONGEST", 1e9)
    many = rule("many", take=[A, B, C, D], put=[], when=A > 99)
    assert told(many, [*range(60)]) == (sentences.LATE, sentences.LATE)


def test_when_time_is_up_nothing_more_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "LONGEST", -1.0)
    assert told(WALK, [On(1, "you")]) == (sentences.LATE, sentences.LATE)
    puzzle = Puzzle(goal=contains(1) & contains(M, when=M > 3))
    assert told_goal(puzzle, State([1])) == [
        ("the number 1", True, "1"),
        (
            f"there is a number M, such that M > 3 ({sentences.LATE})",
            None,
            "contains(M, when=M > 3)",
        ),
    ]


def test_a_function_that_fails_is_the_reason() -> None:
    @fn
    def broken(value: int) -> bool:
        return 1 // value > 5

    failing = rule("x", take=[M], put=[], when=broken(M))
    assert "rule 'x' failed in broken(0) with M=0" in told(failing, [0])[0]
    failing = rule("x", take=[M, Box(broken(M))], put=[])
    assert told(failing, [0, Box(1)])[0].startswith("broken(0): ZeroDivisionError: integer")


def test_functions_are_called_with_values_only() -> None:
    asked = []

    @fn
    def near(value: int) -> int:
        asked.append(value)
        return value + 1

    goal = contains(Box(M), Box(near(M)))
    assert told_goal(Puzzle(goal=goal), State([Box(1), Box(3)])) == [
        ("a Box with at M, and a Box with at near(M)", False, "contains(Box(M), Box(near(M)))")
    ]
    assert {*asked} == {1, 3}


def test_deep_expressions_and_conditions_are_shown_as_source() -> None:
    value, goal = M, lacks(Box(1))
    for _ in range(80):
        value, goal = value + 1, lacks(Box(1), when=goal)
    sentence, _ = told(rule("x", take=[M], put=[], when=value > 99), [1])
    assert sentence.startswith("M + 1 + 1 + ")
    for _ in range(300):
        value += 1
    sentence, _ = told(rule("x", take=[M], put=[value // 0]), [1])
    assert sentence.startswith("there is no value for (M + 1 + 1 + ")
    assert told_goal(Puzzle(goal=goal), State([1]))[0][0].startswith("lacks(Box(1), when=lacks(")


def test_sentences_are_bounded() -> None:
    made = rule("x", take=["ab" * 500], put=[])
    sentence, raw = told(made, [1])
    assert sentence == f"there is no text {'ab' * 500}"[: sentences.LONGEST_TEXT - 1] + "…"
    assert len(raw) == 1007


LAMPS = [On(cell, "off") for cell in range(12)]


@pytest.mark.parametrize(
    ("goal", "state", "parts"),
    [
        (contains(1, 2), [1, 3], [("the number 1", True, "1"), ("the number 2", False, "2")]),
        (contains(1, 1), [1, 3], [("2 times the number 1", False, "1 × 2")]),
        (
            contains(Jug(ANY, 4)),
            [Jug(5, 4)],
            [("a Jug with amount 4", True, "contains(Jug(ANY, 4))")],
        ),
        (contains(ANY, ANY), [1], [("a term, and a term", False, "contains(ANY, ANY)")]),
        (
            contains(On(1, "x"), On(2, "y")),
            [On(1, "x")],
            [
                ("an On with cell 1 and thing x", True, "On(1, 'x')"),
                ("an On with cell 2 and thing y", False, "On(2, 'y')"),
            ],
        ),
        (
            contains(1) & lacks(3),
            [1, 3],
            [("the number 1", True, "1"), ("no number 3; there is a number 3", False, "lacks(3)")],
        ),
        (
            contains(M) & contains(N, when=N > M),
            [1],
            [
                (
                    "a number M, and there is a number N, such that N > M",
                    False,
                    "(contains(M) & contains(N, when=N > M))",
                )
            ],
        ),
        (
            contains(1) | ~contains(2),
            [2],
            [("a number 1, or ~contains(2)", False, "(contains(1) | ~contains(2))")],
        ),
        (exactly(1), [1, 3], [("exactly the number 1", False, "exactly(1)")]),
        (exactly(1), [3], [("exactly the number 1", False, "exactly(1)")]),
        (
            contains(1, absent=2),
            [1, 2],
            [("a number 1 without a number 2", False, "contains(1, absent=2)")],
        ),
        (
            exactly(M, *REST, when=M > 2),
            [1],
            [
                (
                    "exactly a number M and any others, such that M > 2",
                    False,
                    "exactly(M, *REST, when=M > 2)",
                )
            ],
        ),
        (
            State([1, 2]),
            [1, 2],
            [("exactly these: the number 1 and the number 2", True, "State([1, 2])")],
        ),
        (
            State([1, 2, 3, 4]),
            [1, 2, 3, 9],
            [
                *((f"the number {n}", n < 4, str(n)) for n in range(1, 5)),
                ("nothing else", True, "State([1, 2, 3, 4])"),
            ],
        ),
        (
            lacks(Box(P), absent=Floor(P)),
            [Box(3), Box(4), Floor(3)],
            [
                (
                    "no Box with at P without a Floor with cell P; there is a Box with at 4",
                    False,
                    "lacks(Box(P), absent=Floor(P))",
                )
            ],
        ),
        (
            count(On(ANY, "off")) == 1,
            LAMPS,
            [
                (
                    "the number of Ons with thing off = 1 (now 12)",
                    False,
                    "count(On(ANY, 'off')) == 1",
                )
            ],
        ),
        (terminal(), [1], [("terminal()", False, "terminal()")]),
        (
            [State([1]), State([2])],
            [2],
            [("one of 2 states", True, "one of 2 states")],
        ),
    ],
)
def test_the_parts_of_a_goal_and_whether_they_hold(
    goal: Any, state: list[Any], parts: list[Any]
) -> None:
    puzzle = Puzzle(rule("on", take=[N], put=[N + 1]), goal=goal)
    assert told_goal(puzzle, State(state)) == parts


def test_terms_of_a_goal_that_differ_in_one_field_are_one_part() -> None:
    puzzle = Puzzle(goal=contains(*LAMPS))
    lit = [On(3, "on"), On(4, "on")]
    [(sentence, holds, raw)] = told_goal(puzzle, State([*LAMPS[:3], *lit, *LAMPS[5:]]))
    assert sentence == "every On has thing off: 10 of 12 hold; not for cell 3 and 4"
    assert holds is False
    assert raw.startswith("On(0, 'off'), On(1, 'off'), ")
    found = told_goal(puzzle, State(LAMPS[:1]))
    assert [part[0] for part in found] == [
        "12 Ons with thing off and cell 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11: 1 of 12 hold"
    ]
    boxes = Puzzle(goal=contains(Box(1), Box(2), Box(3)))
    assert told_goal(boxes, State([Box(1), Box(2), Box(3)]))[0][:2] == (
        "3 Boxes with at 1, 2 and 3: 3 of 3 hold",
        True,
    )


def test_a_goal_that_fails_is_neither_held_nor_missed_and_none_has_no_parts() -> None:
    def solved(state: State) -> bool:
        return 1 // (len(state) - 1) > 0

    puzzle = Puzzle(goal=solved)
    assert told_goal(puzzle, State([1])) == [("solved", None, "solved")]
    assert told_goal(puzzle, State([1, 2])) == [("solved", True, "solved")]
    assert told_goal(Puzzle(), State([1])) == []


def test_a_goal_of_many_parts_is_cut() -> None:
    puzzle = Puzzle(goal=contains(*range(300)))
    assert len(told_goal(puzzle, State([1]))) == sentences.MOST_PARTS


def check(puzzle: Puzzle) -> int:
    """Ask everything of the first states; return how many rules without a move were told."""
    stops = 0
    try:
        found = first_states(puzzle, 6)
    except RewriteError:
        return 0
    for state, ways in found.items():
        moved = {way.rule for way in ways}
        for made in puzzle.rules:
            sentence, raw = told_stop(puzzle, state, made)
            assert (sentence == "it has a move") == (made in moved)
            assert 0 < len(sentence) <= sentences.LONGEST_TEXT * 10
            assert raw or made in moved
            stops += made not in moved
        parts = told_goal(puzzle, state)
        held = [holds for _, holds, _ in parts]
        if puzzle.goal is not None and None not in held:
            assert all(held) == meaning.is_goal(puzzle, state, puzzle.goal)
    return stops


@given(puzzles())
def test_parts_hold_as_the_definition_says(puzzle: Puzzle) -> None:
    check(puzzle)


@given(computed_puzzles())
def test_they_do_with_computed_patterns(puzzle: Puzzle) -> None:
    check(puzzle)


def test_many_of_the_puzzles_have_rules_without_a_move() -> None:
    assert sum(map(check, drawn(puzzles, 100))) > 100


@pytest.mark.parametrize("parts", [100, 101, 250])
def test_of_very_many_parts_the_last_one_stands_for_those_that_are_not_told(parts: int) -> None:
    goal = [contains(number) for number in range(parts)]
    found = told_goal(Puzzle(goal=goal), State(range(50)))
    assert len(found) == 100
    assert [holds for _, holds, _ in found[:99]] == [True] * 50 + [False] * 49
    more = ("more, which are not listed", None, "")
    assert (found[99] == more) == (parts > 100)

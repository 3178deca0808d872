"""Path: traced by the definition, formulas with provenance, loops and cancelling pairs."""

import json
import re
from itertools import product
from typing import Any

import pytest

from puzzles.digitle import digitle
from puzzles.power_strike import Cell
from rewrite.errors import ReplayError, SearchError, ViewError
from rewrite.language.bag import Bag
from rewrite.language.builtins import digits, number
from rewrite.language.conditions import contains
from rewrite.language.effects import effect
from rewrite.language.functions import ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.results.moves import moves
from rewrite.results.path import Path
from rewrite.results.replay import replay
from tests.terms import At

M, N, P, D, K, X, Y = ints("M N P D K X Y")
A, B, S = seqs("A B S")


@term
class Q:
    over: int
    under: int


START = [75, 4, 7, 9, 8, 2]
LABELS = ["9 + 4 → 13", "7 × 2 → 14", "75 - 14 → 61", "61 × 13 → 793"]


def turn(name: str, cells: list[int]) -> Any:
    d = ints(f"d0:{len(cells)}")
    return rule(
        name,
        take=[At(c, x) for c, x in zip(cells, d, strict=True)],
        put=[At(c, x) for c, x in zip(cells, d[-1:] + d[:-1], strict=True)],
    )


ROWS = [[3 * r + c for c in range(3)] for r in range(3)]
COLUMNS = [[c, c + 3, c + 6] for c in range(3)]
TURNS = Puzzle(
    [turn(f"row {i} right", row) for i, row in enumerate(ROWS, 1)],
    [turn(f"row {i} left", row[::-1]) for i, row in enumerate(ROWS, 1)],
    [turn(f"column {i} down", column) for i, column in enumerate(COLUMNS, 1)],
    start=[At(c, c + 1) for c in range(9)],
)


def test_a_path_of_states_finds_its_steps_by_the_definition() -> None:
    found = replay(digitle, START, LABELS)
    path = Path(digitle, found.states)
    assert path.labels == LABELS
    step = path[0]
    assert step.bindings == {"M": 9, "N": 4}
    assert (step.taken, step.put, step.cost) == ((9, 4), (13,), 1)
    assert (step.before, step.after) == (State(START), State([75, 7, 8, 2, 13]))
    assert [one.rule.name for one in path] == [digitle.rules[i].name for i in (0, 2, 1, 2)]


def test_states_are_asked_for_only_when_they_are_needed() -> None:
    asked = []

    def states() -> list[State]:
        asked.append(1)
        return [State([2, 1]), State([3])]

    path = Path(digitle, states)
    assert asked == []
    assert (len(path), path.start, path.end, path.labels) == (
        1,
        State([1, 2]),
        State([3]),
        ["2 + 1 → 3"],
    )
    assert asked == [1]


def test_the_length_is_known_without_tracing_and_a_false_state_is_found_by_tracing() -> None:
    path = Path(digitle, [State([1, 2]), State([4])])
    assert len(path) == 1
    with pytest.raises(
        ReplayError, match=r"step 1: no rule of digitle leads from \[1, 2\] to \[4\]"
    ):
        path.labels


def test_the_cheapest_of_several_steps_is_taken_and_of_these_the_first() -> None:
    puzzle = Puzzle(
        rule("dear", take=[N], put=[N + 1], cost=3),
        rule("cheap", take=[N], put=[N + 1], cost=2),
        rule("as cheap", take=[N], put=[N + 1], cost=2),
    )
    path = Path(puzzle, [State([1]), State([2])])
    assert (path.labels, path.cost) == (["cheap"], 2)


def test_true_and_1_are_different_states_of_a_path() -> None:
    assert Path(digitle, [State([1])]) != Path(digitle, [State([True])])
    assert Path(digitle, [State([1])]) == Path(digitle.replace(name="other"), [State([1])])


def test_the_text_is_numbered_and_aligned_past_nine() -> None:
    count = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]))
    lines = str(Path(count, [State([n]) for n in range(11)])).splitlines()
    assert lines[0] == "   1. to 1"
    assert lines[9] == "  10. to 10"
    assert str(Path(count, [State([0])])) == "  (no steps)"


def test_a_path_has_at_least_one_state() -> None:
    with pytest.raises(SearchError, match="a path has at least one state"):
        len(Path(digitle, []))


def test_show_uses_the_view_of_the_puzzle() -> None:
    path = Path(digitle.replace(show=lambda state: f"<{len(state)}>"), [State([1, 2]), State([3])])
    assert path.show() == "start\n<2>\n\n1. 2 + 1 → 3\n<1>"


def test_the_formula_of_a_made_a_consumed_and_an_untouched_term() -> None:
    path = replay(digitle, START, LABELS)
    assert path.formula(793) == "(75 - 7 * 2) * (9 + 4)"
    assert path.formula(61) == "75 - 7 * 2"
    assert path.formula(8) == "8"
    with pytest.raises(ViewError, match=r"formula\(0x31.*: no state of this path holds 0x31"):
        path.formula(10**5000)
    with pytest.raises(ViewError, match=r"formula\(5\): no state of this path holds 5"):
        path.formula(5)


def test_equal_terms_keep_apart_where_they_came_from() -> None:
    path = replay(digitle, [4, 1, 3, 2], ["3 + 1 → 4", "4 × 2 → 8", "8 - 4 → 4"])
    assert path.formula(8) == "4 * 2"  # the oldest of equal terms is taken first
    assert path.formula(4) == "4 * 2 - (3 + 1)"


def test_every_formula_is_worth_its_term_and_no_bracket_can_go() -> None:
    arithmetic = Puzzle(
        rule("add", take=[M, N], put=[M + N]),
        rule("sub", take=[M, N], put=[M - N]),
        rule("mul", take=[M, N], put=[M * N]),
        rule("div", take=[M, N], put=[M // N]),
    )

    paths = [[State([101, 7, 13, 5])]]
    for _ in range(3):
        after = [dict.fromkeys(step.after for step in moves(arithmetic, p[-1])) for p in paths]
        paths = [[*p, end] for p, ends in zip(paths, after, strict=True) for end in ends]
    assert len(paths) > 3000
    for path in paths[::7]:
        (value,) = path[-1]
        text = Path(arithmetic, path).formula(value)
        assert eval(text) == value, text
        for shorter in without_one_pair(text):
            assert eval_or_none(shorter) != value or not same_tree(shorter, text), text


def without_one_pair(text: str) -> list[str]:
    found, stack = [], []
    for place, letter in enumerate(text):
        if letter == "(":
            stack.append(place)
        elif letter == ")":
            first = stack.pop()
            found.append(text[:first] + text[first + 1 : place] + text[place + 1 :])
    return found


def eval_or_none(text: str) -> Any:
    try:
        return eval(text)
    except ZeroDivisionError:
        return None


def same_tree(one: str, other: str) -> bool:
    """Whether two texts agree for other numbers too, so that the brackets said nothing."""
    for numbers in product((3, 50), repeat=4):
        renamed = dict(zip(("101", "13", "7", "5"), map(str, numbers), strict=True))
        values = [eval_or_none(renumbered(text, renamed)) for text in (one, other)]
        if values[0] != values[1]:
            return False
    return True


def renumbered(text: str, names: dict[str, str]) -> str:
    return re.sub(r"\d+", lambda number: names[number[0]], text)


def test_a_formula_inside_a_constructor_and_a_sequence() -> None:
    ring = Puzzle(
        rule("times", take=[Cell(K, X)], put=[Cell(K + 1, X * 7)]),
        rule(
            "strike",
            take=[Cell(K, X)],
            let={(*A, D, *B): digits(X), Y: number((*A, *B))},
            put=[Cell(K + 1, Y)],
        ),
    )
    path = Path(ring, [State([Cell(0, 41)]), State([Cell(1, 287)]), State([Cell(2, 28)])])
    assert path.formula(Cell(1, 287)) == "Cell(0 + 1, 41 * 7)"
    assert path.formula(Cell(2, 28)) == "Cell(0 + 1 + 1, 28)"
    chain = Puzzle(rule("grow", take=[(*S, X, Y)], put=[(*S, X, Y, X + Y)]))
    grown = Path(chain, [State([(1, 2)]), State([(1, 2, 3)]), State([(1, 2, 3, 5)])])
    assert grown.formula((1, 2, 3, 5)) == "(1, 2, 1 + 2, 2 + 1 + 2)"


def test_a_formula_of_fractions_with_operators_for_the_rules() -> None:
    a, b, c, d = ints("a b c d")
    puzzle = Puzzle(
        rule("minus", take=[Q(a, b), Q(c, d)], put=[Q(a * d - c * b, b * d)]),
        rule("over", take=[Q(a, b), Q(c, d)], put=[Q(a * d, b * c)]),
    )
    path = Path(
        puzzle,
        [
            State([Q(8, 1), Q(8, 1), Q(3, 1), Q(3, 1)]),
            State([Q(8, 1), Q(3, 1), Q(8, 3)]),
            State([Q(8, 1), Q(1, 3)]),
            State([Q(24, 1)]),
        ],
    )
    signs = {"minus": "-", "over": "/"}
    text = path.formula(Q(24, 1), operators=signs, atom=lambda q: str(q.over))
    assert text == "8 / (3 - 8 / 3)"


def test_a_copied_variable_a_let_and_what_simplify_adds() -> None:
    puzzle = Puzzle(
        rule("double", take=[M], let={Y: M + M}, put=[(Y, M)]),
        simplify=rule("unpack", take=[(X, Y)], put=[X, Y]),
    )
    path = Path(puzzle, [State([3]), State([3, 6])])
    assert path.formula(6) == "6"  # simplify's terms are plain values
    bare = Path(puzzle.replace(simplify=()), [State([3]), State([(6, 3)])])
    assert bare.formula((6, 3)) == "(3 + 3, 3)"


def test_what_effects_add_is_a_plain_value_and_what_they_take_is_none_of_the_rule() -> None:
    grow = effect(take=[(P, "in")], put=[(P + 1, "in")])
    add = rule("add", take=[M, N], put=[M + N], effects=[grow])
    path = replay(Puzzle(add, start=[3, 4, (1, "in"), (5, "in")], sets=True), None, ["add"])
    assert path.end == [7, (2, "in"), (6, "in")]
    for operators, written in ({}, "3 + 4"), ({"add": "-"}, "3 - 4"):
        assert path.formula(7, operators=operators) == written
        assert path.formula((2, "in"), operators=operators) == "(2, 'in')"


def test_loops_are_pairs_of_steps_between_equal_states() -> None:
    path = replay(TURNS, None, ["row 1 right", "row 1 right", "row 1 right", "row 2 right"])
    assert path.loops() == [(1, 3)]


def test_two_moves_that_undo_each_other_cancel_across_independent_moves() -> None:
    labels = ["row 1 right", "row 2 right", "row 3 left", "row 1 left", "column 1 down"]
    path = replay(TURNS, None, labels)
    assert path.loops() == []
    assert path.cancelling() == [(1, 4)]
    short = path.shortened()
    assert short.labels == ["row 2 right", "row 3 left", "column 1 down"]
    assert (short.start, short.end) == (path.start, path.end)


def test_moves_that_do_not_commute_do_not_cancel() -> None:
    path = replay(TURNS, None, ["row 1 right", "column 1 down", "row 1 left"])
    assert path.cancelling() == []
    assert path.shortened() is path


def test_nested_pairs_cancel_from_the_inside() -> None:
    path = replay(TURNS, None, ["row 1 right", "column 1 down", "row 2 left", "row 2 right"])
    assert path.cancelling() == [(3, 4)]
    deep = [
        "row 1 right",
        "column 1 down",
        "row 2 left",
        "row 2 right",
        "row 3 left",
        "row 3 right",
    ]
    assert replay(TURNS, None, deep).cancelling() == [(3, 4), (5, 6)]


def test_json_keeps_every_kind_of_term() -> None:
    huge = 10**5000 + 7
    start = State([-1, huge, "ä", True, 1, (1, (True, "x")), [2, 1, 1], At(1, 2)])
    puzzle = Puzzle(rule("x", take=[At(P, D)], put=[At(P, D + 1)]))
    path = Path(puzzle, [start], bindings={"P": (At(1, huge), False)})
    again = Path.from_json(path.to_json(), puzzle)
    assert again == path
    (value,) = again.bindings.values()
    assert value == (At(1, huge), False)
    assert value[1] is False
    assert type(next(t for t in again.start if isinstance(t, Bag))) is Bag
    assert "labels" in json.loads(path.to_json())


def test_json_of_a_replayed_path_replays() -> None:
    path = replay(TURNS, None, ["row 1 right", "column 2 down"])
    again = Path.from_json(path.to_json(), TURNS)
    assert replay(TURNS, None, again).labels == path.labels


def test_json_of_a_constructor_the_puzzle_does_not_mention_is_refused() -> None:
    text = Path(TURNS, [State([At(0, 1)])]).to_json()
    with pytest.raises(SearchError, match=r"holds terms At\(cell, value\) of .*digitle does not"):
        Path.from_json(text, digitle)
    assert Path.from_json(text, digitle, constructors=[At]).start == State([At(0, 1)])


@pytest.mark.parametrize("goal", [contains(At(1, X)), contains(1, when=contains(At(0, 1)))])
def test_a_constructor_in_the_goal_alone_is_known(goal: Any) -> None:
    text = Path(TURNS, [State([At(0, 1)])]).to_json()
    assert Path.from_json(text, digitle.replace(goal=goal)).start == State([At(0, 1)])


def test_json_of_version_1_is_read() -> None:
    path = Path(TURNS, [State([At(0, 1), [2, (3, [4])]])])
    document = json.loads(path.to_json())
    inner = [3, [{"bag": True}, 4]]
    assert document["states"] == [[[{"bag": True}, 2, inner], [{"term": 0}, 0, 1]]]
    states = [[{"bag": [2, [3, {"bag": [4]}]]}, {"term": 0, "with": [0, 1]}]]
    again = Path.from_json(json.dumps(document | {"version": 1, "states": states}), TURNS)
    assert again.states == path.states


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d | {"version": 3}, "written in version 3 of the JSON form; this rewrite reads"),
        (lambda d: d | {"rewrite": "result"}, "no path of rewrite, but a result: read it with Re"),
        (lambda d: [], "this JSON text holds no path of rewrite"),
        (lambda d: d | {"states": [[1.5]]}, r"states\[0\]\[0\] must be a term; found 1.5"),
        (
            lambda d: d | {"states": [[[{"term": 0}]]]},
            r"must be a term At\(cell, value\); found",
        ),
    ],
)
def test_json_that_is_no_path_is_refused(change: Any, message: str) -> None:
    document = json.loads(Path(TURNS, [State([At(0, 1)])]).to_json())
    with pytest.raises(SearchError, match=message):
        Path.from_json(json.dumps(change(document)), TURNS)

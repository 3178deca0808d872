"""Views and stories: what a person sees, to the character."""

from collections.abc import Callable
from typing import Any

import pytest

from puzzles.digitle import digitle
from puzzles.hanoi import Peg
from puzzles.power_strike import Cell
from rewrite.errors import ViewError
from rewrite.language.builtins import if_, length
from rewrite.language.functions import fn, ints, seqs, strs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.results.path import Path
from rewrite.results.replay import replay
from rewrite.show.views.grid import grid
from rewrite.show.views.lines import banks, chain, pegs, ring, ring_of
from rewrite.show.views.stories import (
    chain_story,
    expression_story,
    frames,
    ring_story,
    steps_story,
)
from tests.terms import At, Box, Player

P, D, K, X, Y, Z, M, N, L = ints("P D K X Y Z M N L")
S, T = seqs("S T")
name = strs("name")


@term
class Car:
    name: str
    at: int
    step: int
    size: int


def test_two_grids_stand_side_by_side() -> None:
    state = State([At(c, c % 9 + 1) for c in range(18)])
    assert grid(6, At(P, D), gap_after=3)(state) == ("1 2 3   4 5 6\n7 8 9   1 2 3\n4 5 6   7 8 9")


def test_columns_are_aligned_where_numbers_are_of_different_width() -> None:
    assert grid(2, At(P, D), empty="-")(State([At(0, 10), At(3, 4)])) == "10  -\n -  4"


def test_a_sequence_is_a_grid_in_order() -> None:
    assert grid(2, S)(State([(1, 2, 3)])) == "1 2\n3 ."


def test_walls_are_drawn_where_nothing_else_matches() -> None:
    view = grid(
        4, (Player(P), "@"), (Box(P), {".": "*", " ": "$"}), background="""
####
# .#
#  #
"""
    )  # fmt: skip
    assert view(State([Player(9), Box(6), Box(10)])) == "####\n# *#\n#@$#"
    assert view(State([Player(5), Box(9)])) == "####\n#@.#\n#$ #"


def test_the_first_pattern_is_shown_where_several_match() -> None:
    view = grid(1, (Player(P), "@"), (Box(P), "$"))
    assert view(State([Player(0), Box(0)])) == "@"


def test_a_term_may_cover_several_cells() -> None:
    cells = if_(L == 2, (P, P + D), (P, P + D, P + 2 * D))
    view = grid(3, (Car(name, P, D, L), name, cells), rows=2)
    assert view(State([Car("A", 0, 1, 2), Car("b", 2, 3, 2)])) == "A A b\n. . b"

    @fn
    def covered(at: int, size: int) -> tuple[int, ...]:
        return tuple(range(at, at + size))

    view = grid(3, (Car(name, P, 1, L), name, covered(P, L)))
    assert view(State([Car("A", 0, 1, 3), Car("b", 2, 3, 2)])) == "A A A"


def test_a_symbol_may_compute() -> None:
    assert grid(2, (At(P, D), D * 10))(State([At(0, 1), At(1, 2)])) == "10 20"


@pytest.mark.parametrize("cell", [-1, 6, 100])
def test_a_cell_outside_of_the_grid_is_an_error(cell: int) -> None:
    with pytest.raises(ViewError, match=rf"At\({cell}, 1\) is in cell {cell}; .* from 0 to 5"):
        grid(3, At(P, D), rows=2)(State([At(cell, 1)]))


def test_a_cell_that_is_no_number_is_an_error() -> None:
    with pytest.raises(ViewError, match=r"in cell 'a'; .* to 29999.* \(pattern, symbol, cell\)"):
        grid(3, (Peg(name, S), "x"))(State([Peg("a", ())]))


def test_a_cell_far_beyond_any_board_is_an_error_and_no_picture_of_that_height() -> None:
    end = r"in cell 1000000000000; .* from 0 to 29999, the end of row 10,000; for more give rows="
    with pytest.raises(ViewError, match=end):
        grid(3, At(P, D))(State([At(10**12, 1)]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: grid(0, At(P, D)), r"grid\(0, …\): columns is a whole number of 1 or more"),
        (lambda: grid(3), r"grid\(3\) shows nothing; give patterns: grid\(3, At\(P, D\)\)"),
        (lambda: grid(3, At(P, D), gap_after=0), "gap_after=0"),
        (lambda: grid(3, Player(P)), r"has 1 variable; .* write \(Player\(P\), '@'\)"),
        (lambda: grid(3, (Player(1), "@")), "has 0 variables; the first one is the cell"),
        (lambda: grid(3, (Player(P), N)), r"N uses N, which Player\(P\) does not bind"),
        (lambda: grid(3, (Player(P), "@", P, 1)), "must be .pattern, symbol. or"),
        (
            lambda: grid(3, (Player(P), "@"), background="#####"),
            "line 1 of the background, '#####'",
        ),
        (lambda: grid(3, (Player(P), "@"), background=""), "the background is empty"),
        (lambda: grid(3, (Player(P), "@"), background="#", rows=2), "the background has 1 rows"),
        (lambda: ring(Player(P)), "has 1 variable; the first one is the place"),
        (lambda: pegs(Peg(name, S), top="up"), "top is 'first' or 'last'"),
        (lambda: pegs(S), "has 1 variable; the first one names the peg"),
        (lambda: chain(1.5), "1.5 cannot be a term"),
    ],
)
def test_a_view_that_is_declared_wrongly_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ViewError, match=message):
        make()


def test_a_symbol_without_a_value_is_an_error() -> None:
    with pytest.raises(ViewError, match=r"grid\(…\): D // P has no value for P=0, D=1"):
        grid(2, (At(P, D), D // P))(State([At(0, 1)]))


def test_pegs_show_the_bottom_at_the_left() -> None:
    state = State([Peg("a", (1, 3)), Peg("long", (2,)), Peg("c", ())])
    assert pegs(Peg(name, S))(state) == "   a: 3 1\n   c:\nlong: 2"
    assert pegs(Peg(name, S), top="last")(State([Peg("a", (3, 1))])) == "a: 3 1"
    with pytest.raises(ViewError, match="holds no sequence but 1"):
        pegs(At(P, D))(State([At(0, 1)]))


def test_a_chain_stands_before_the_rest() -> None:
    assert chain()(State([(), 4, 4])) == "| 4 4"
    assert chain(separator="-")(State([(4, 8)])) == "4-8"
    assert chain((1, *S))(State([(1, 2), (3,)])) == "1 2 | 3"


RING = Puzzle(rule(f"×{2} → {X * 2}", take=[Cell(K, X)], put=[Cell(K + 1, X * 2)]))
RING_PATH = Path(RING, [State([Cell(k, 3 * 2**k)]) for k in range(3)])


def test_a_ring_is_read_off_the_whole_path() -> None:
    assert ring_of(RING_PATH, Cell(K, X)) == "3 → 6 → 12"
    assert ring(Cell(K, X))(State([Cell(2, 12)])) == "cell 2: 12"
    assert ring_story(RING_PATH, Cell(K, X)) == (
        "3 → 6 → 12\n              cell 0: 3\n  1. ×2 → 6   cell 1: 6\n  2. ×2 → 12  cell 2: 12"
    )
    with pytest.raises(ViewError, match="no state of the path holds"):
        ring_of(RING_PATH, At(P, D))


def test_frames_are_wrapped_and_never_cut_off() -> None:
    puzzle = RING.replace(show=lambda state: f"[{state.items[0].number}]\n!")
    path = Path(puzzle, RING_PATH.states)
    assert frames(path) == (
        "start   1. ×2 → 6   2. ×2 → 12\n[3]     [6]         [12]\n!       !           !"
    )
    assert frames(path, per_row=2).count("\n\n") == 1
    assert frames(path, width=17).splitlines()[0] == "start   1. ×2 → 6"
    assert frames(path, width=16).splitlines()[0] == "start"
    narrow = frames(path, width=1)
    assert all(label in narrow for label in ("start", "1. ×2 → 6", "2. ×2 → 12", "[12]"))
    with pytest.raises(ViewError, match="per_row=0"):
        frames(path, per_row=0)


def test_the_story_of_an_expression_shows_the_pool_after_each_step() -> None:
    labels = ["9 + 4 → 13", "7 × 2 → 14", "75 - 14 → 61", "61 × 13 → 793"]
    path = replay(digitle, [75, 4, 7, 9, 8, 2], labels)
    assert expression_story(path) == (
        "793 = (75 - 7 * 2) * (9 + 4)\n"
        "                    2 4 7 8 9 75\n"
        "  1. 9 + 4 → 13     2 7 8 13 75\n"
        "  2. 7 × 2 → 14     8 13 14 75\n"
        "  3. 75 - 14 → 61   8 13 61\n"
        "  4. 61 × 13 → 793  8 793"
    )
    assert expression_story(path, 61).splitlines()[0] == "61 = 75 - 7 * 2"


def test_the_story_of_a_chain_gives_the_reasons() -> None:
    puzzle = Puzzle(
        rule(f"start {X} {Y}", take=[(), X, Y], put=[(X, Y)]),
        rule(
            f"{X} + {Y} = {X + Y}",
            take=[(*S, X, Y), Z],
            put=[(*S, X, Y, Z)],
            when=(X + Y) % 10 == Z,
        ),
    )
    path = replay(puzzle, [(), 4, 4, 8, 1], ["start 4 4", "4 + 4 = 8"])
    assert chain_story(path) == (
        "4 4 8\n                | 1 4 4 8\n  1. start 4 4  4 4 | 1 8\n  2. 4 + 4 = 8  4 4 8 | 1"
    )
    shown = Path(puzzle.replace(show=lambda state: f"{len(state)}\nterms"), path.states)
    assert steps_story(shown).splitlines()[:3] == [
        "                5",
        "                terms",
        "  1. start 4 4  3",
    ]


def test_a_view_may_be_the_show_of_a_puzzle() -> None:
    show = grid(3, (At(P, D), length((1, 2))))
    assert RING.replace(show=show).show is show


def test_the_order_in_which_operators_are_named_does_not_matter() -> None:
    assert chain(formula={"add": "+", "take": "-"}) == chain(formula={"take": "-", "add": "+"})


def test_the_story_of_an_expression_writes_terms_as_the_view_does() -> None:
    times = Puzzle(rule("×", take=[At(P, D), At(P, M)], put=[At(P, D * M)], when=M > D))
    path = Path(times, [State([At(0, 2), At(0, 3)]), State([At(0, 6)])])
    story = expression_story(path, None, {"×": "×"}, lambda at: str(at.value))
    assert story == "6 = 2 × 3\n        2 3\n  1. ×  6"


VIEWS: list[Callable[[], Any]] = [
    lambda: grid(3, At(P, D)),
    lambda: grid(3, At(P, D), empty=" "),
    lambda: grid(3, (At(P, D), "x")),
    lambda: grid(3, (At(P, D), {"#": "x"}), background="#..\n..."),
    lambda: grid(3, (At(P, D), D + 1, (P, P + 1))),
    lambda: ring(At(P, D)),
    lambda: ring(At(D, P)),
    lambda: ring(At(P, D), keeps=True),
    lambda: grid(4, At(P, D)),
    lambda: grid(4, At(P, D), folded=True),
    lambda: grid(3, At(P, D), sums=True),
    lambda: grid(3, At(P, D), sums=15),
    lambda: chain(goal=9),
    lambda: chain(goal=9, formula=True),
    lambda: chain(goal=9, formula={"add": "+", "take": "-"}),
    lambda: banks((Peg(name, S), name, name)),
    lambda: banks((Peg(name, S), name, name), sides=("a", "b")),
    lambda: banks((Peg(name, S), name, name), boat=Peg(name, S)),
    chain,
    lambda: chain(separator=", "),
    lambda: pegs((P, seqs("S"))),
    lambda: pegs((P, seqs("S")), floor=9),
]


def test_views_and_puzzles_that_show_them_compare_by_content() -> None:
    for number, one in enumerate(VIEWS):
        for other, another in enumerate(VIEWS):
            assert (one() == another()) == (number == other)
            shown, likewise = RING.replace(show=one()), RING.replace(show=another())
            assert (shown == likewise) == (number == other)
        assert hash(one()) == hash(one())
        assert hash(RING.replace(show=one())) == hash(RING.replace(show=one()))
    assert RING.replace(show=lambda state: "") != RING.replace(show=lambda state: "")
    shown = VIEWS[0]()
    assert shown != "grid"

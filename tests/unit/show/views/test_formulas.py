"""Pictures of a path show below each number the expression that computed it."""

import re
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import Path, Puzzle, Step, chain, ints, moves, replay, rule, search, term
from rewrite.play.positions import Instance
from rewrite.show.drawing.drawing import Drawing
from rewrite.show.html.page import path_page
from rewrite.show.views.pictures import drawn_or_told, film
from tests.engines import start_of

M, N = ints("M N")


def tiles(drawing: Drawing) -> list[tuple[str, str]]:
    """The text of each tile, and the line below it."""
    found = [re.findall(">([^<]+)</text>", mark.look.svg) for mark in drawing.marks if mark.terms]
    return [(texts[0], texts[1] if len(texts) > 1 else "") for texts in found]


def last_of(puzzle: Puzzle, start: list[Any], labels: list[str]) -> list[tuple[str, str]]:
    return tiles(film(replay(puzzle, start, labels))[-1])


def test_each_number_that_was_computed_shows_its_expression() -> None:
    path = search(PUZZLES["digitle"]()).paths[0]
    assert [tiles(drawing) for drawing in film(path)] == [
        [(number, "") for number in ("2", "4", "7", "8", "9", "75")],
        [("4", ""), ("8", ""), ("9", ""), ("14", "7 × 2"), ("75", "")],
        [("8", ""), ("13", "9 + 4"), ("14", "7 × 2"), ("75", "")],
        [("8", ""), ("13", "9 + 4"), ("61", "75 - 7 × 2")],
        [("8", ""), ("793", "(75 - 7 × 2) × (9 + 4)")],
    ]


def value_of(expression: str) -> Fraction:
    """What an expression is worth, by Python's own rules."""
    python = expression.replace("×", "*").replace("÷", "/")
    value: Fraction = eval(re.sub(r"\d+", r"Fraction(\g<0>)", python))
    return value


def numbers_in(tile: tuple[str, str]) -> list[str]:
    number, expression = tile
    return re.findall(r"\d+", expression) or [number]


def random_path(puzzle: Puzzle, random: Random) -> Path:
    steps: list[Step] = []
    while found := moves(puzzle, steps[-1].after if steps else start_of(puzzle)):
        steps.append(random.choice(found))
    return Path.of_steps(puzzle, start_of(puzzle), steps)


@pytest.mark.parametrize("name", ["digitle", "digits", "twenty_four"])
def test_every_expression_is_worth_its_number_and_each_given_number_is_used_once(
    name: str,
) -> None:
    random, computed, equal = Random(1), 0, 0
    for _ in range(60):
        numbers = [str(random.choice((1, 2, 2, 3, 4, 6, 8, 9))) for _ in range(5)]
        words = numbers if name == "twenty_four" else ["1000", *numbers]
        for drawing in film(random_path(PUZZLES[name](*words), random)):
            found = tiles(drawing)
            for number, expression in found:
                assert not expression or value_of(expression) == Fraction(number), expression
            assert Counter(one for tile in found for one in numbers_in(tile)) == Counter(numbers)
            computed += sum(1 for _, expression in found if expression)
            equal += len({number for number, _ in found}) < len(found)
    assert computed > 300
    assert equal > 60


def test_equal_numbers_have_expressions_of_their_own_the_oldest_first() -> None:
    digits = PUZZLES["digits"]("1000", "4", "1", "3", "2", "2")
    start = list(start_of(digits))
    assert last_of(digits, start, ["1 + 3 → 4", "2 × 2 → 4"]) == [
        ("4", ""), ("4", "1 + 3"), ("4", "2 × 2"),
    ]  # fmt: skip
    assert last_of(digits, start, ["2 × 2 → 4", "1 + 3 → 4", "4 + 4 → 8"]) == [
        ("4", "1 + 3"), ("8", "4 + 2 × 2"),
    ]  # fmt: skip


def test_an_expression_that_grows_too_long_starts_over() -> None:
    double = Puzzle(rule("double", take=[M], put=[M + M])).replace(
        show=chain(M, shows=M, formula=True)
    )
    path = replay(double, [7], ["double"] * 100)
    lines = [line for drawing in film(path)[1:] for _, line in tiles(drawing)]
    assert lines[:3] == ["7 + 7", "7 + 7 + 7 + 7", "7 + 7 + 7 + 7 + 7 + 7 + 7 + 7"]
    assert lines[3] == "56 + 56"
    for power, line in enumerate(lines, 1):
        assert len(line) <= 48
        assert not line or value_of(line) == 7 * 2**power
    assert lines[-1] == ""  # too long by itself


@term
class Num:
    value: int


def test_a_dict_names_the_operators_of_rules_whose_terms_are_no_numbers() -> None:
    plain = Puzzle(
        rule("join", name="add", take=[Num(M), Num(N)], put=[Num(M + N)], when=M >= N),
        rule("split", name="apart", take=[Num(M)], put=[Num(M - 1), Num(1)], when=M > 1),
    )
    view = chain(Num(M), shows=M, formula={"add": "+"})
    for start, label, expected in (
        ([Num(2), Num(5)], "join", [("7", "5 + 2")]),
        ([Num(5)], "split", [("1", ""), ("4", "")]),
    ):
        assert last_of(plain.replace(show=view), start, [label]) == expected


def test_a_view_without_formula_and_a_picture_of_a_state_alone_show_none() -> None:
    digits = PUZZLES["digits"]("14", "7", "2")
    path = replay(digits, [7, 2], ["7 × 2 → 14"])
    assert tiles(drawn_or_told(digits, path.end)) == [("14", "")]
    plain = digits.replace(show=chain(M, shows=M, goal=14))
    assert last_of(plain, [7, 2], path.labels) == [("14", "")]


def test_pages_and_animated_pictures_and_notebooks_show_them() -> None:
    path = replay(PUZZLES["digits"]("14", "7", "2"), [7, 2], ["7 × 2 → 14"])
    for text in (path_page(path), path.to_svg(), path._repr_html_()):
        assert ">7 × 2</text>" in text or "&gt;7 × 2&lt;/text&gt;" in text
    assert path._repr_html_().count(">7 × 2</text>") == 1  # that of the end, beside the player


def test_a_game_shows_how_it_was_played() -> None:
    digits = PUZZLES["digits"]("8", "2", "2", "3")
    game = Instance(digits, start_of(digits), digits)
    for label, line in (("2 × 2 → 4", "2 × 2"), ("2 + 2 → 4", "2 + 2")):
        here = game.position(((label, 1),))
        assert tiles(here.picture) == [("3", ""), ("4", line)]

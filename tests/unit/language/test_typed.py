"""The puzzle file that shows mypy the language also does what it says."""

from rewrite import Puzzle, State
from rewrite.language.meaning import successors
from tests.unit.language import typed_puzzle


def labels(puzzle: Puzzle) -> list[str]:
    assert puzzle.start is not None
    found = successors(puzzle, puzzle.start)
    return [way.rule.template.fill(way.bindings) for way in found]


def test_the_typed_puzzles_have_the_steps_that_they_declare() -> None:
    assert labels(typed_puzzle.digitle) == [
        "3 + 1 → 4",
        "7 + 1 → 8",
        "7 + 3 → 10",
        "3 ÷ 1 → 3",
        "7 ÷ 1 → 7",
    ]
    assert labels(typed_puzzle.jugs) == ["fill 3", "fill 5"]
    assert labels(typed_puzzle.crossing) == ["goat crosses", "wolf crosses"]
    assert labels(typed_puzzle.strike) == ["strike 4", "strike 0", "strike 7"]
    assert typed_puzzle.across("left") == "right"
    assert typed_puzzle.spread(State([7, 7, 1])) == 5

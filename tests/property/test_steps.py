"""The steps that a page asks for are those of the definition, in its order."""

import warnings

from hypothesis import given

from rewrite import RewriteError, RewriteWarning
from rewrite.language.puzzles import Puzzle
from rewrite.results.moves import steps_by
from rewrite.search.tasks.steps import Steps
from tests.property.strategies import begun, puzzles


@given(puzzles())
def test_steps_by_the_compiled_rules_are_those_of_the_definition(puzzle: Puzzle) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RewriteWarning)
        try:
            todo = [begun(puzzle)]
            expected = [steps_by(puzzle, todo[0], puzzle.rules)]
            todo += [step.after for step in expected[0]][:3]
            expected += [steps_by(puzzle, state, puzzle.rules) for state in todo[1:]]
        except RewriteError:
            return
        steps = Steps(puzzle, todo[0])
        assert [steps.out_of(state) for state in todo] == expected

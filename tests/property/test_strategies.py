"""The generated rule systems are worth comparing engines on: they are valid and often apply."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rewrite.language.meaning import simplified, successors
from rewrite.language.patterns import parts
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from tests.property.strategies import puzzles, rules, states, terms

EXAMPLES = 200


@cache
def drawn(make: Callable[[], st.SearchStrategy[Any]]) -> list[Any]:
    """Always the same EXAMPLES values of a strategy."""
    found: list[Any] = []

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.generate])
    @given(make())
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


@given(puzzles())
def test_the_definition_never_raises_on_a_generated_puzzle(puzzle: Puzzle) -> None:
    assert puzzle.start is not None
    for way in successors(puzzle, puzzle.start)[:3]:
        successors(puzzle, way.after)
        simplified(puzzle, way.after)


def test_a_good_share_of_the_generated_puzzles_has_successors() -> None:
    found = drawn(puzzles)
    applying = sum(1 for puzzle in found if successors(puzzle, puzzle.start))
    assert applying > len(found) / 2


def test_every_part_of_a_rule_and_of_a_puzzle_is_generated() -> None:
    seen: Counter[str] = Counter()
    for puzzle in drawn(puzzles):
        for name in ("facts", "never", "simplify", "goal"):
            seen[name] += getattr(puzzle, name) not in (None, (), State())
        for one in puzzle.rules:
            for name in ("take", "put", "keep", "when", "absent", "let"):
                seen[name] += bool(getattr(one, name))
            text = repr(one)
            for word in ("one_of", "digits", "count(", "total(", "lowest(", "lacks(", "contains(",
                         "exactly(", "*S", "*B", "ANY", "Box(", "At(", "Chain(", "wrapped(",
                         " + ", "True", "number(", "text(", "letters(", "reverse(",
                         "position("):  # fmt: skip
                seen[word] += word in text
    assert not [name for name, number in seen.items() if number == 0], seen


def all_parts(value: Any) -> list[Any]:
    return [value, *(inner for part in parts(value) for inner in all_parts(part))]


def test_terms_of_every_kind_and_numbers_beyond_64_bits_are_generated() -> None:
    found = [part for value in drawn(terms) for part in all_parts(value)]
    assert {type(value).__name__ for value in found} >= {
        "int", "str", "bool", "tuple", "Bag", "Box", "At", "Chain",
    }  # fmt: skip
    assert any(type(value) is int and value > 2**64 for value in found)
    assert any(type(value) is int and value < -(2**63) for value in found)


@given(states(), rules())
def test_states_are_small_and_rules_are_equal_to_themselves(state: State, one: Rule) -> None:
    assert 1 <= len(state) <= 5
    assert one == one

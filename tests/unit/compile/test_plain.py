"""What ground rules over atoms alone change: read in short, and as all others."""

from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from rewrite import Puzzle, ints, rule, term
from rewrite.compile.program import SlotProgram, compile_slots
from rewrite.compile.slots.instances import RuleInstances
from rewrite.compile.slots.keys import Unsuitable


@term
class A:
    at: int


@term
class B:
    at: int


@term
class C:
    at: int
    to: int


@term
class Next:
    at: int
    to: int


P, Q = ints("P Q")
PATTERNS = st.one_of(
    st.builds(A, st.sampled_from([P, Q])), st.builds(B, st.sampled_from([P, Q])),
    st.builds(C, st.sampled_from([P, Q]), st.sampled_from([P, Q])),
)  # fmt: skip
FEW = st.lists(PATTERNS, max_size=2)
RULES = st.tuples(FEW, FEW, FEW).filter(lambda parts: parts[0] or parts[2])
STARTS = st.sets(st.sampled_from([A(0), A(1), B(0), B(1), B(2), C(0, 1), C(1, 1)]), max_size=4)


def compiled(puzzle: Puzzle) -> SlotProgram | str:
    def rest(*_: Any) -> Any:
        raise AssertionError("nothing is computed")

    assert puzzle.start is not None
    try:
        return compile_slots(puzzle, puzzle.start, 8, rest)
    except Unsuitable as why:
        return str(why)


@given(STARTS, st.lists(RULES, min_size=1, max_size=3))
def test_it_changes_what_it_changes_when_read_as_all_others(
    start: set[Any], parts: list[Any]
) -> None:
    rules = [
        rule(f"r{number}", take=take, keep=[Next(P, Q), *keep], put=put)
        for number, (take, keep, put) in enumerate(parts)
    ]
    puzzle = Puzzle(*rules, start=[*start], facts=[Next(0, 1), Next(1, 2), Next(2, 2)], name="p")
    short = compiled(puzzle)
    with patch.object(RuleInstances, "_plain", lambda self: None):
        long = compiled(puzzle)
    if isinstance(short, str) or isinstance(long, str):
        assert short == long
    else:
        assert [changes for _, changes in short.rules] == [changes for _, changes in long.rules]

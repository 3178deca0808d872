"""What ground rules change of which each part asks for one field: read in short, and as others."""

from contextlib import suppress
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from rewrite import ANY, Puzzle, RuleError, ints, least, rule, term
from rewrite.compile.program import SlotProgram, compile_slots
from rewrite.compile.slots.instances import RuleInstances
from rewrite.compile.slots.keys import Unsuitable
from tests.terms import A, B, C, Next


@term
class Dial:
    at: int
    shows: int


P, Q, V, W = ints("P Q V W")
PLACES = st.sampled_from([P, Q])
PATTERNS = st.one_of(st.builds(A, PLACES), st.builds(B, PLACES), st.builds(C, PLACES, PLACES))
FEW = st.lists(PATTERNS, max_size=2)
VALUES = st.sampled_from([0, V, W, V, W, (V + 1) % 3, V + W, least(V, Q), 1 - V, Q])
TURN = st.tuples(
    st.sampled_from([V, V, V, 0, 1]), st.sampled_from([W, W, W, V, 0]), VALUES, VALUES,
    st.integers(0, 2),
)  # fmt: skip
"""What two dials show before and after, and how many of them there are."""
ABSENT = st.one_of(
    PATTERNS, st.builds(C, PLACES, st.just(ANY)),
    st.builds(Dial, st.just(ANY), st.sampled_from([0, 2, P])),
)  # fmt: skip
GUARDS = st.sampled_from([(), (), (), (V > 0,), (V != Q,), (V == W,), (Q > P,)])
RULES = st.tuples(FEW, FEW, FEW, TURN, st.booleans(), st.lists(ABSENT, max_size=2), GUARDS)
STARTS = st.sets(st.sampled_from([A(0), A(1), B(0), B(1), B(2), C(0, 1), C(1, 1)]), min_size=2)
DIALS = st.tuples(*[st.integers(0, 2)] * 3)


def compiled(puzzle: Puzzle) -> SlotProgram | str:
    def rest(*_: Any) -> Any:
        raise AssertionError("nothing is computed")

    assert puzzle.start is not None
    try:
        return compile_slots(puzzle, puzzle.start, 8, rest)
    except Unsuitable as why:
        return str(why)


@given(STARTS, DIALS, st.lists(RULES, min_size=1, max_size=3))
def test_it_changes_what_it_changes_when_read_as_all_others(
    start: set[Any], dials: tuple[int, ...], parts: list[Any]
) -> None:
    rules = []
    for number, (take, keep, put, (v, w, x, y, turned), reads, absent, guards) in enumerate(parts):
        before, after = [Dial(P, v), Dial(Q, w)], [Dial(P, x), Dial(Q, y)]
        with suppress(RuleError):  # a variable that nothing binds, or no change
            rules.append(rule(
                f"r{number}", take=[*take, *before[:turned]], put=[*put, *after[:turned]],
                keep=[Next(P, Q), *keep, *(before[turned:] if reads else [])],
                absent=absent, when=guards,
            ))  # fmt: skip
    terms = [*start, *[Dial(at, shows) for at, shows in enumerate(dials)]]
    puzzle = Puzzle(
        rules, start=terms, facts=[Next(0, 1), Next(1, 2), Next(2, 2), Next(1, 0)], name="p"
    )
    short = compiled(puzzle)
    with patch.object(RuleInstances, "_plain", lambda self: None):
        long = compiled(puzzle)
    if isinstance(short, str) or isinstance(long, str):
        assert short == long
    else:
        assert shown(short) == shown(long)


def shown(program: SlotProgram) -> Any:
    return [changes for _, changes in program.rules], program.layout.slots

"""Tuples of a few ints, which the core writes out in its states, at the borders of what is few."""

from itertools import pairwise

from rewrite import ANY, Puzzle, contains, digits, ints, length, number, rule, search, seqs, term
from tests.engines import natively, quiet

pytestmark = [natively, quiet]

X, Y, P, D = ints("X Y P D")
A, B = seqs("A B")


@term
class Pair:
    left: object
    right: object


BORDERS = [
    edge + near for power in (4, 8, 10, 16, 20, 30, 31, 32, 61, 62, 64)
    for edge in (1 << power, -(1 << power)) for near in (-1, 0, 1)
]  # fmt: skip
SEVERAL = [(), (0,), (-1, 15), (1, (2, 3)), ("a", True), "a", 1 << 62]


def agree(puzzle: Puzzle) -> None:
    """Whether the whole space is the same to both engines, and to any number of threads."""
    told = []
    for engine, threads in (("python", None), ("native", 1), ("native", 2)):
        found = search(
            puzzle, engine=engine, threads=threads, goal=contains("no such term"),
            strategy="breadth_first",
        )  # fmt: skip
        assert found.status == "exhausted", found
        told.append((found.states, found.levels))
    assert told[0] == told[1] == told[2]
    assert told[0][0] > 5


def test_sequences_that_grow_and_shrink_have_the_same_space() -> None:
    grows = rule("grow", take=[(*A, X), Y], put=[(*A, X, Y)])
    turns = rule("turn", take=[(X, *A, Y)], put=[(Y, *A, X)], when=X < Y)
    nests = rule("nest", take=[(X, Y)], put=[((X, Y), Pair(X, (Y,)))])
    for low, high in pairwise(BORDERS):
        puzzle = Puzzle(grows, turns, nests, start=[(low,), (low,), (high,), high, low])
        agree(puzzle)


def test_values_of_several_kinds_stand_beside_each_other() -> None:
    cut = rule("cut", take=[(*A, ANY), (ANY, *B)], put=[(*A,), (*B,)])
    wrap = rule("wrap", take=[(*A,), "go"], put=[Pair((*A,), length(A)), (*A,)])
    puzzle = Puzzle(cut, wrap, start=[*SEVERAL, SEVERAL[1], "go"])
    agree(puzzle)


def test_long_sequences_are_found_again_whatever_their_length() -> None:
    longer = rule("longer", take=[(*A,)], put=[(*A, 3)], when=length(A) < 70)
    wider = rule("wider", take=[(*A, 3)], put=[(*A, 300)], when=length(A) % 9 == 8)
    puzzle = Puzzle(longer, wider, start=[()])
    agree(puzzle)


def test_numbers_and_their_digits_agree_as_terms() -> None:
    times = rule("×7", take=[Pair(P, X)], put=[Pair(P + 1, X * 7)], when=P < 26)
    strike = rule(
        "strike", take=[Pair(P, X)], let={(*A, D, *B): digits(X), Y: number((*A, *B))},
        put=[Pair(P + 9, Y)], when=P < 26,
    )  # fmt: skip
    puzzle = Puzzle(times, strike, start=[Pair(0, 41)])
    agree(puzzle)

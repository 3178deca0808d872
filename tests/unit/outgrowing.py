"""Puzzles that outgrow the room in which their states are first kept."""

from rewrite import Puzzle, contains, exactly, ints, one_of, rule, term
from tests.terms import Mark

M, N, X = ints("M N X")


@term
class Count:
    name: str
    value: int


def counting(most: int) -> Puzzle:
    """One of two numbers counts up to `most`: slots of 12 bits hold 4,096 values."""
    return Puzzle(
        rule("up", take=[Count("a", X)], put=[Count("a", X + 1)], when=most > X),
        start=[Count("a", 0), Count("b", 0)], goal=contains(Count("a", most)),
    )  # fmt: skip


COPYING = Puzzle(
    rule("copy", keep=[Mark(M)], let={N: one_of(0, 1)}, put=[Mark(N)], take=[]),
    start=[Mark(0)], goal=exactly(Mark(0), Mark(0), Mark(1)),
)  # fmt: skip
"""A term comes to stand twice, which a bit for each cannot say."""

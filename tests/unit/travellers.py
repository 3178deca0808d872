"""A puzzle with everything that can travel; a module, because functions travel by name."""

from typing import Any

from rewrite import Puzzle, contains, count, fn, grid, ints, lacks, one_of, rule, seqs, terms
from rewrite.language.states import State
from tests.terms import Box

M, N, P = ints("M N P")
S = seqs("S")
V: Any = terms("V")


@fn
def doubled(n: int) -> int:
    return 2 * n


def is_far(state: State) -> bool:
    return any(isinstance(one, Box) and one.at >= 4 for one in state)


WALK = Puzzle(
    rule(f"from {M} to {M + N:>2}", take=[Box(M)], let={N: one_of(1, doubled(1))},
         put=[Box(M + N)], when=[M + N < 9, lacks(Box(99)), count(Box(P), when=P > 50) == 0]),
    start=[Box(0), ("row", 1, 2)],
    goal=contains(Box(M), ("row", *S), when=M == 4),
    facts=["wall"],
    never=contains(Box(7)),
    show=grid(10, (Box(P), P, "b")),
    name="walk",
)  # fmt: skip

"""Symmetric puzzles."""

from collections.abc import Callable

from puzzles import lights_out
from rewrite.language.conditions import count
from rewrite.language.expressions import ANY
from rewrite.language.functions import bools, ints, strs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.language.terms import term

C, D, M, N, V = ints("C D M N V")
W = strs("W")
U = bools("U")
Lamp = lights_out.Lamp

TURNED = relabel(Lamp(C, V), Lamp(C % 3 * 3 + 2 - C // 3, V))
MIRRORED = relabel(Lamp(C, V), Lamp(C // 3 * 3 + 2 - C % 3, V))
LAMPS = lights_out.lights_out(["110", "100", "001"])
SQUARE = LAMPS.replace(symmetry=[TURNED, MIRRORED])


def told(order: int, how: str = "declared") -> str:
    return f"states are counted up to symmetry: {order:,} {how} symmetries, the identity included"


def cells_to(image: Callable[[int], int]) -> Callable[[State], State]:
    return lambda state: State([Lamp(image(one.cell), one.on) for one in state])


@term
class Token:
    at: int
    who: str


@term
class Flag:
    at: int
    up: bool


RING = Puzzle(
    rule(f"{W} steps from {M}", take=[Token(M, W)], keep=[Flag((M + 1) % 6, False)],
         absent=[Token((M + 1) % 6, ANY)], put=[Token((M + 1) % 6, W)]),
    rule(f"{W} turns the flag at {M}", keep=[Token(M, W)], take=[Flag(M, False)],
         put=[Flag(M, True)]),
    rule(f"{W} turns the flag at {M} back", keep=[Token((M + 1) % 6, W)],
         take=[Flag(M, True)], put=[Flag(M, False)]),
    start=[Token(0, "ann"), Token(1, "bob"), Token(3, "cid"), *[Flag(n, n == 2) for n in range(6)]],
    goal=count(Flag(M, True)) == 4,
    name="ring",
)  # fmt: skip
ROUND = relabel(Token(M, W), Token((M + 1) % 6, W), Flag(M, U), Flag((M + 1) % 6, U))
PEOPLE = interchangeable("ann", "bob", "cid")
NEVER_MET = count(Token(M, W)) == 9

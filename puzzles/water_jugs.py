"""Water jugs: measure an amount with jugs that have no marks.

The three jugs of eight, five and three are in the Annales Stadenses (13th century); measuring 4
with a tap and jugs of 3 and 5 is from the film Die Hard with a Vengeance (1995). A jug can be
filled, emptied, or poured into another until one is full or the other empty.
"""

from puzzles.words import is_number
from rewrite import ANY, Puzzle, PuzzleError, contains, ints, least, rule, term, vessels


@term
class Jug:
    size: int
    amount: int


V, W, A, B, Z = ints("V W A B Z")


jugs = Puzzle(
    rule(f"fill {V}", take=[Jug(V, A)], put=[Jug(V, V)], when=A < V),
    rule(f"empty {V}", take=[Jug(V, A)], put=[Jug(V, 0)], when=A > 0),
    rule(
        f"pour {V} into {W}",
        take=[Jug(V, A), Jug(W, B)],
        let={Z: least(A, W - B)},
        put=[Jug(V, A - Z), Jug(W, B + Z)],
        when=Z > 0,
    ),
    show=vessels(Jug(V, A)),
    name="water_jugs",
)


def instance(*words: str) -> Puzzle:
    """The amount to measure and then the sizes of the jugs; without words, 4 3 5."""
    numbers = words or ("4", "3", "5")
    if len(numbers) < 2 or not all(is_number(word) and int(word) for word in numbers):
        raise PuzzleError(
            "water_jugs: needs the amount to measure and then the sizes of the jugs, all above 0, "
            f"e.g. 4 3 5; found {' '.join(words)!r}"
        )
    amount, *sizes = map(int, numbers)
    return jugs.replace(
        start=[Jug(size, 0) for size in sizes],
        goal=contains(Jug(ANY, amount)),
    )

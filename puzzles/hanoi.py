"""The Tower of Hanoi: move the tower to the last peg, one disk at a time, no disk on a smaller one.

Édouard Lucas, 1883, with 3 pegs and 8 disks: 255 moves. With 4 pegs it is the Reve's puzzle of
Henry Dudeney (The Canterbury Puzzles, 1907): 8 disks need 33 moves.

A peg is a name and its disks, smallest first. At the bottom of each is one that is larger than any
disk and never moves, so that an empty peg needs no rule of its own.
"""

from rewrite import Puzzle, PuzzleError, contains, ints, pegs, rule, seqs, strs, term

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@term
class Peg:
    name: str
    disks: tuple[int, ...]


D, E = ints("D E")
F, G = strs("F G")
S, T = seqs("S T")

move = rule(
    f"disk {D}: {F} to {G}",
    take=[Peg(F, (D, *S)), Peg(G, (E, *T))],
    put=[Peg(F, S), Peg(G, (D, E, *T))],
    when=D < E,
)


def hanoi(names: str, disks: int) -> Puzzle:
    """The puzzle with these pegs, from the first to the last."""
    tower, ground = tuple(range(1, disks + 2)), (disks + 1,)
    return Puzzle(
        move,
        start=[Peg(names[0], tower), *[Peg(name, ground) for name in names[1:]]],
        goal=contains(Peg(names[-1], tower)),
        show=pegs(Peg(F, S), ground=disks + 1),
        name="hanoi",
    )


def instance(*words: str) -> Puzzle:
    """The number of pegs and the number of disks; without words, 3 and 8."""
    try:
        number, disks = (int(word) for word in words or ("3", "8"))
    except ValueError:
        number = disks = 0
    if not (3 <= number <= len(NAMES) and 1 <= disks <= 1_000):
        raise PuzzleError(
            "hanoi: needs the number of pegs (3 to 26) and of disks (1 to 1,000), e.g. 4 8; "
            f"found {' '.join(words)!r}"
        )
    return hanoi(NAMES[:number], disks)

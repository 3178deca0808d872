"""Digitle: make a target from six numbers with + - × ÷, each of them used at most once.

A web game (c.eev.ee/digitle): the numbers round of the television show Countdown. Numbers may be
left over; every result on the way is a whole number above zero. Declared as rewrite rules on a pool
of numbers in "digitle in maude" (blog.niss.website, 14 March 2022).
"""

from puzzles.words import is_number
from rewrite import Puzzle, PuzzleError, chain, contains, divides, exactly, ints, lowest, rule

M, N = ints("M N")

digitle = Puzzle(
    rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N),
    rule(f"{M} - {N} → {M - N}", take=[M, N], put=[M - N], when=M > N),
    rule(f"{M} × {N} → {M * N}", take=[M, N], put=[M * N], when=M >= N),
    rule(f"{M} ÷ {N} → {M // N}", take=[M, N], put=[M // N], when=[M >= N, divides(N, M)]),
    name="digitle",
)


def easy(target: int) -> object:
    """The goal of the game: the target is in the pool; numbers may be left over."""
    return contains(target)


def hard(target: int) -> object:
    """The goal of the hard mode: every number is used."""
    return exactly(target)


def almost(target: int) -> object:
    """A weaker goal: a number M within 10 of the target."""
    return contains(M, when=abs(M - target) <= 10)


def nearest(target: int) -> int:
    """For `minimize=` if the target cannot be made: the distance of the nearest number."""
    return lowest(abs(M - target), M)


GOALS = {"easy": easy, "hard": hard, "almost": almost}


def instance(*words: str) -> Puzzle:
    """The mode if not easy, the target, the numbers; without words, 793 75 4 7 9 8 2."""
    given = words or ("793", "75", "4", "7", "9", "8", "2")
    mode, *numbers = given if given[0] in GOALS else ("easy", *given)
    if len(numbers) < 2 or not all(is_number(word) and int(word) for word in numbers):
        raise PuzzleError(
            "digitle: needs the target and then the numbers, all above 0, e.g. 793 75 4 7 9 8 2 or "
            f"hard 793 75 4 7 9 8 2 (or almost …); found {' '.join(words)!r}"
        )
    target, *pool = map(int, numbers)
    picture = chain(M, shows=M, goal=target, formula=True)
    return digitle.replace(start=pool, goal=GOALS[mode](target), show=picture)

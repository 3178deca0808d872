"""Digits: make a target from six numbers with + - × ÷, each of them used at most once.

The New York Times' game of April to August 2023. Every intermediate result is a whole number of 0
or more: unlike in Digitle, zero counts. Two numbers may be equal. Any tree of operations is
possible, including one that joins two results: `path.formula(target)` shows it.
"""

from puzzles.words import is_number
from rewrite import Puzzle, PuzzleError, chain, contains, divides, ints, rule

M, N = ints("M N")

digits = Puzzle(
    rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N]),
    rule(f"{M} - {N} → {M - N}", take=[M, N], put=[M - N], when=M >= N),
    rule(f"{M} × {N} → {M * N}", take=[M, N], put=[M * N]),
    rule(f"{M} ÷ {N} → {M // N}", take=[M, N], put=[M // N], when=divides(N, M)),
    name="digits",
)


def instance(*words: str) -> Puzzle:
    """The target and then the numbers; without words, 469 5 7 11 13 19 23."""
    numbers = words or ("469", "5", "7", "11", "13", "19", "23")
    if len(numbers) < 2 or not all(is_number(word) for word in numbers):
        raise PuzzleError(
            "digits: needs the target and then the numbers, e.g. 469 5 7 11 13 19 23; "
            f"found {' '.join(words)!r}"
        )
    target, *pool = map(int, numbers)
    picture = chain(M, shows=M, goal=target, formula=True)
    return digits.replace(start=pool, goal=contains(target), show=picture)

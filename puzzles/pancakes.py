"""Pancake sorting: turn over some pancakes from the top, until the smallest is on top.

"Harry Dweighter" (Jacob Goodman), American Mathematical Monthly 82 (1975), 1010; William Gates and
Christos Papadimitriou, Bounds for sorting by prefix reversal (1979). The worst stack of n needs
0, 1, 3, 4, 5, 7, 8, 9, 10, 11 flips (OEIS A058986). Without words, a worst stack of 7.
"""

from rewrite import Puzzle, PuzzleError, Rule, chain, contains, ints, rule, seqs

WORST = ("5", "7", "3", "1", "6", "2", "4")
S = seqs("S")


def flip(k: int) -> Rule:
    """The rule that turns over the first `k` pancakes."""
    d = ints(f"d0:{k}")
    return rule(f"flip {k}", take=[(*d, *S)], put=[(*d[::-1], *S)])


def instance(*words: str) -> Puzzle:
    """The stack from the top, the sizes 1 to n in any order."""
    if sorted(words) != sorted(map(str, range(1, len(words) + 1))) or len(words) == 1:
        raise PuzzleError(
            "pancakes: needs the sizes 1, 2 … each once, in the order of the stack from its top, "
            f"e.g. 3 1 4 2; found {' '.join(words)!r}"
        )
    stack = tuple(int(word) for word in words or WORST)
    return Puzzle(
        [flip(k) for k in range(2, len(stack) + 1)],
        start=[stack],
        goal=contains(tuple(sorted(stack))),
        show=chain(S, stacked=True),
        name="pancakes",
    )

"""What somebody writes in plain Python for one puzzle: the bar that a general tool must reach.

Honest loops, each fitted to its puzzle: a compact hashable state, one dict from a state to its
parent (so that a path could be read off, as ours can), and breadth-first levels as lists.
"""

from collections.abc import Callable, Iterable
from itertools import combinations, permutations

from tests.benchmarks.workloads import Workload


def full_space(workload: Workload) -> int:
    """The number of states that the hand-written loop for this puzzle reaches."""
    return LOOPS[workload.puzzle](*workload.words)


def digitle(target: str, *words: str) -> int:
    """The number of reachable pools; the target is not looked at. A pool is a sorted tuple."""
    start = tuple(sorted(map(int, words)))
    parents: dict[tuple[int, ...], tuple[int, ...] | None] = {start: None}
    level = [start]
    while level:
        following = []
        for pool in level:
            for i, j in combinations(range(len(pool)), 2):
                small, large = pool[i], pool[j]
                rest = pool[:i] + pool[i + 1 : j] + pool[j + 1 :]
                results = [large + small, large * small]
                if large > small:
                    results.append(large - small)
                if large % small == 0:
                    results.append(large // small)
                for result in results:
                    new = tuple(sorted((*rest, result)))
                    if new not in parents:
                        parents[new] = pool
                        following.append(new)
        level = following
    return len(parents)


def eight_puzzle(*rows: str) -> int:
    """The number of reachable boards. A board is a string of nine digits, 0 for the gap."""
    start = "".join(rows)
    neighbours = [
        [near for near in range(9) if abs(near // 3 - at // 3) + abs(near % 3 - at % 3) == 1]
        for at in range(9)
    ]
    parents: dict[str, str | None] = {start: None}
    level = [start]
    while level:
        following = []
        for board in level:
            gap = board.index("0")
            for near in neighbours[gap]:
                a, b = (gap, near) if gap < near else (near, gap)
                new = board[:a] + board[b] + board[a + 1 : b] + board[a] + board[b + 1 :]
                if new not in parents:
                    parents[new] = board
                    following.append(new)
        level = following
    return len(parents)


def hanoi(pegs: str, disks: str) -> int:
    """The number of reachable positions. A position is a string: the peg of each disk."""
    names = [chr(ord("A") + peg) for peg in range(int(pegs))]
    start = names[0] * int(disks)
    parents: dict[str, str | None] = {start: None}
    level = [start]
    while level:
        following = []
        for position in level:
            tops = [(position.find(name), name) for name in names]  # -1: nothing on that peg
            for disk, _ in tops:
                if disk < 0:
                    continue
                for top, target in tops:
                    if top < 0 or top > disk:
                        new = position[:disk] + target + position[disk + 1 :]
                        if new not in parents:
                            parents[new] = position
                            following.append(new)
        level = following
    return len(parents)


KLOTSKI_START = "VBbVvbbvVHhVvSSvS..S"
KLOTSKI_BLOCKS = {"S": ["S"], "V": ["V", "v"], "H": ["Hh"], "B": ["Bb", "bb"]}


def klotski() -> int:
    """The number of reachable boards. A board is a string of 20 cells, each a part of a block.

    A capital letter is the upper left part of its block, whose slides are looked up.
    """
    slides = klotski_slides()
    parents: dict[str, str | None] = {KLOTSKI_START: None}
    level = [KLOTSKI_START]
    while level:
        following = []
        for board in level:
            gaps = {board.index("."), board.rindex(".")}
            for at, part in enumerate(board):
                for needed, changes in slides.get((part, at), ()):
                    if needed <= gaps:
                        cells = list(board)
                        for cell, new_part in changes:
                            cells[cell] = new_part
                        new = "".join(cells)
                        if new not in parents:
                            parents[new] = board
                            following.append(new)
        level = following
    return len(parents)


Slide = tuple[set[int], Iterable[tuple[int, str]]]


def klotski_slides() -> dict[tuple[str, int], list[Slide]]:
    """By block and cell: the cells that must be empty, and what each cell holds afterwards."""
    slides: dict[tuple[str, int], list[Slide]] = {}
    for block, rows in KLOTSKI_BLOCKS.items():
        shape = {4 * i + j: part for i, row in enumerate(rows) for j, part in enumerate(row)}
        places = [(i, j) for i in range(6 - len(rows)) for j in range(5 - len(rows[0]))]
        for (i, j), (k, m) in permutations(places, 2):
            if abs(i - k) + abs(j - m) == 1:
                before = {4 * i + j + cell: "." for cell in shape}
                after = {4 * k + m + cell: part for cell, part in shape.items()}
                slide = after.keys() - before, tuple({**before, **after}.items())
                slides.setdefault((block, 4 * i + j), []).append(slide)
    return slides


LOOPS: dict[str, Callable[..., int]] = {
    "digitle": digitle,
    "eight_puzzle": eight_puzzle,
    "hanoi": hanoi,
    "klotski": klotski,
}

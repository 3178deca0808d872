"""What somebody writes in plain Python for one puzzle: the bar that a general tool must reach.

Honest loops, each fitted to its puzzle: a compact hashable state, one dict from a state to its
parent (so that a path could be read off, as ours can), and breadth-first levels as lists.
"""

from collections.abc import Callable, Iterable
from itertools import combinations, combinations_with_replacement, permutations

from tests.benchmarks.workloads import Workload


def full_space(workload: Workload) -> tuple[int, int]:
    """How many states the hand-written loop for this puzzle reaches, and how many answers."""
    found = LOOPS[workload.puzzle](*workload.words)
    return found if isinstance(found, tuple) else (found, 0)


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


Step = tuple[str, int, int]


def digitle_steps(*words: str) -> int:
    """The number of pairs of a pool and the steps that led to it, all different."""
    start: tuple[tuple[int, ...], tuple[Step, ...]] = tuple(sorted(map(int, words))), ()
    parents: dict[tuple[tuple[int, ...], tuple[Step, ...]], object] = {start: None}
    level = [start]
    while level:
        following = []
        for state in level:
            pool, steps = state
            for i, j in combinations(range(len(pool)), 2):
                small, large = pool[i], pool[j]
                rest = pool[:i] + pool[i + 1 : j] + pool[j + 1 :]
                results = [("+", large + small), ("×", large * small)]
                if large > small:
                    results.append(("-", large - small))
                if large % small == 0:
                    results.append(("÷", large // small))
                for sign, result in results:
                    new = tuple(sorted((*rest, result))), (*steps, (sign, large, small))
                    if new not in parents:
                        parents[new] = state
                        following.append(new)
        level = following
    return len(parents)


def power_strike(first: str, times: str, cells: str) -> tuple[int, int]:
    """The numbers of (cell, number) that are reached, and of rings: all of them as tuples."""
    factor, start = int(times.removeprefix("×")), int(first)
    layers: list[dict[int, list[int]]] = [{start: []}]  # number -> those that lead to it
    for _ in range(int(cells)):
        layer: dict[int, list[int]] = {}
        for number in layers[-1]:
            text = str(number)
            struck = {int("0" + text[:at] + text[at + 1 :]) for at in range(len(text))} - {0}
            for new in {number * factor, *struck}:
                layer.setdefault(new, []).append(number)
        layers.append(layer)
    rings: list[tuple[int, ...]] = [(start,)] if start in layers[-1] else []
    for layer in layers[:0:-1]:
        rings = [(before, *ring) for ring in rings for before in layer[ring[0]]]
    return sum(map(len, layers)), len(rings)


def hyperjump_sets() -> int:
    """The number of chains of all sets of eight digits from 1 to 8, and one for the beginning."""
    sets = combinations_with_replacement("12345678", 8)
    return 1 + sum(hyperjump("".join(digits)) for digits in sets)


def hyperjump(digits: str) -> int:
    """The number of chains that can be laid of these digits. A chain is a string."""
    parents: dict[str, str | None] = {"": None}
    level = [("", digits)]
    while level:
        following = []
        for chain, loose in level:
            ends = set(loose) if len(chain) < 2 else set(loose) & next_digits(chain)
            for digit in ends:
                new = chain + digit
                if new not in parents:
                    parents[new] = chain
                    following.append((new, loose.replace(digit, "", 1)))
        level = following
    return len(parents)


def next_digits(chain: str) -> set[str]:
    """The last digits of what can be computed from the end of a chain of two or more."""
    x, y = int(chain[-2]), int(chain[-1])
    results = {x + y, x * y}
    for at in range(len(chain) - 1):
        large = int(chain[at:-1])
        if large > y:
            results.add(large - y)
        if large % y == 0:
            results.add(large // y)
    return {str(result % 10) for result in results}


def eight_puzzle(*rows: str) -> int:
    """The number of reachable boards. A board is a string of nine digits, 0 for the gap."""
    return boards("".join(rows), 3)


def sliding(columns: str, rows: str) -> int:
    """The number of reachable boards from the one in order."""
    cells = int(columns) * int(rows)
    return boards(
        "".join(chr(ord("0") + (cell + 1) % cells) for cell in range(cells)), int(columns)
    )


def boards(start: str, width: int) -> int:
    """The number of boards that slide from this one. A board is a string, 0 for the gap."""
    neighbours = [
        [
            near
            for near in range(len(start))
            if abs(near // width - at // width) + abs(near % width - at % width) == 1
        ]
        for at in range(len(start))
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


LOOPS: dict[str, Callable[..., int | tuple[int, int]]] = {
    "digitle": digitle,
    "digitle_steps": digitle_steps,
    "power_strike": power_strike,
    "hyperjump_sets": hyperjump_sets,
    "eight_puzzle": eight_puzzle,
    "eight_tuple": eight_puzzle,
    "sliding": sliding,
    "hanoi": hanoi,
    "klotski": klotski,
}

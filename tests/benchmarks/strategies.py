"""`python -m tests.benchmarks.strategies`: what strategy, heuristics and symmetry buy.

Each instance has a known least number of moves; everyone has to prove it. Ratios are to the first
of an instance: of what each calls its search, and of what a person waits for.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import click

from rewrite import STRATEGIES
from tests.benchmarks import peers_planner, peers_sat
from tests.benchmarks.contests import HEAD, Contest, Contestant
from tests.benchmarks.ours import DISTANCES, WHOLE, Call, ours
from tests.benchmarks.report import machine, refuse_debug, rounds, show, to_file, today

TWO_GRIDS = (
    ("526844871793165329", 6),
    ("452624871783165399", 8),
    ("496125583779241638", 11),
)
"""Two walks of 6 and 8 moves from a goal (`scramble`), and the board of the gallery."""

EIGHT = (("867254301", 31), ("647850321", 31))
"""The two boards that are farthest from the goal."""

FIFTEEN = (
    ("9 2 0 3 6 4 7 5 14 10 12 8 15 1 13 11", 42),
    ("3 4 0 12 2 6 9 13 5 1 10 15 7 14 8 11", 44),
    ("1 10 3 4 5 9 2 15 6 8 0 13 14 7 11 12", 40),
    ("5 12 11 2 6 1 7 14 0 3 4 10 13 8 9 15", 48),
    ("1 6 3 14 7 0 2 13 12 11 4 8 5 9 15 10", 44),
)
"""Walks of 100 moves from the goal that never go straight back, `random.Random(seed)`: of the seeds
1, 2, 3, … the first five that are 40 to 50 moves away. Fast Downward proves the same lengths."""


@attrs.frozen
class Wishes:
    """What was asked for on the command line.

    limit   seconds that each run may take
    slow    also the Python engine on eleven moves, which takes gigabytes
    large   also spaces of 10^7 to 10^10 states, which take 11 GB
    """

    limit: float = 60
    slow: bool = False
    large: bool = False
    without: frozenset[str] = frozenset()


def two_grids(wishes: Wishes) -> list[Contest]:
    """Symmetry: search from both ends, and a SAT solver."""

    def contestants(digits: str, moves: int) -> list[Contestant]:
        def by(name: str, limit: float | None = wishes.limit, **options: Any) -> Contestant:
            return ours(name, Call("two_grids", (digits,), options), limit)

        found = [
            by('symmetry="declared"', symmetry="declared"),
            by('symmetry="find"', symmetry="find"),
            by('symmetry="none"', symmetry="none"),
        ]
        if moves < 9 or wishes.slow:
            found.append(by('symmetry="find", Python', None, symmetry="find", engine="python"))
        return [*found, peers_sat.peer(digits, wishes.limit)]

    return [
        Contest(f"two grids, {moves} moves", moves, contestants(digits, moves))
        for digits, moves in TWO_GRIDS
    ]


def eight_puzzle(wishes: Wishes) -> list[Contest]:
    """Search from both ends, a heuristic made from the rules, and neither; a planner."""

    def contestants(digits: str) -> list[Contestant]:
        def by(strategy: str, **options: Any) -> Contestant:
            name = ", ".join([strategy, *options.values()])
            call = Call("eight_puzzle", (digits,), {"strategy": strategy, **options})
            return ours(name, call, wishes.limit)

        board = [int(digit) for digit in digits]
        return [
            by("bidirectional"),
            by("astar", heuristic="auto"),
            by("breadth_first"),
            *[
                peers_planner.peer(board, heuristic, wishes.limit)
                for heuristic in ("blind", "lmcut", "ipdb", "cpdbs, systematic(3)")
            ],
        ]

    return [Contest(f"8-puzzle {digits}", moves, contestants(digits)) for digits, moves in EIGHT]


def fifteen_puzzle(wishes: Wishes) -> list[Contest]:
    """Heuristics made from the rules, ours and a planner's."""

    def contestants(words: tuple[str, ...]) -> list[Contestant]:
        return [
            *[
                ours(
                    f"{strategy}, auto",
                    Call("eight_puzzle", words, {"strategy": strategy, "heuristic": "auto"}),
                    wishes.limit,
                )
                for strategy in ("astar", "idastar")
                if strategy in STRATEGIES
            ],
            *[
                peers_planner.peer([int(word) for word in words], heuristic, wishes.limit)
                for heuristic in ("ipdb", "merge-and-shrink")
            ],
        ]

    return [
        Contest(f"15-puzzle {number}", moves, contestants(tuple(words.split())))
        for number, (words, moves) in enumerate(FIFTEEN, 1)
    ]


def spaces(wishes: Wishes) -> list[Contest]:
    """Whole spaces: distances to every state, and states up to symmetry."""

    def by(name: str, strategy: str, puzzle: str, *words: str, **more: Any) -> Contestant:
        return ours(name, Call(puzzle, words, {"strategy": strategy, **more}), None)

    def both(puzzle: str, *words: str) -> list[Contestant]:
        named = (("distances", DISTANCES), ("search, whole space", WHOLE))
        return [by(name, strategy, puzzle, *words) for name, strategy in named]

    found = [
        Contest("sliding 5×2", 55, both("sliding", "5", "2"), 1_814_400),
        Contest("pocket cube, quarter turns", 14, both("pocket_cube"), 3_674_160),
    ]
    if wishes.large:
        pegs = by("search, whole space", WHOLE, "peg_solitaire", "english")
        table = by("distances", DISTANCES, "sliding", "4", "3")
        two = by("distances, 2 threads", DISTANCES, "sliding", "4", "3", threads=2)
        all_of = by(
            "distances, 2 threads", DISTANCES, "sliding", "7", "2", threads=2, max_memory="12 GB"
        )
        found += [
            Contest("peg solitaire, English, up to symmetry", 31, [pegs], 23_475_688),
            Contest("sliding 4×3", 53, [table, two], 239_500_800),
            Contest("sliding 7×2", 108, [all_of], 43_589_145_600),
        ]
    return found


PARTS: dict[str, Callable[[Wishes], list[Contest]]] = {
    "two-grids": two_grids,
    "8-puzzle": eight_puzzle,
    "15-puzzle": fifteen_puzzle,
    "spaces": spaces,
}
PEERS = {"python-sat": peers_sat.NAME, "fast-downward": peers_planner.NAME}


def invited(contest: Contest, without: frozenset[str]) -> Contest:
    names = tuple(PEERS[peer] for peer in without)
    kept = [each for each in contest.contestants if not each.name.startswith(names or ("\0",))]
    return attrs.evolve(contest, contestants=kept)


def circumstances(runs: int, limit: float) -> list[str]:
    planner = peers_planner.version() or f"{peers_planner.NAME} is not installed"
    return [
        f"Medians of {runs} rounds in turn, each run in a process of its own, by the clock on the "
        f"wall; ratios to the first of an instance. Limit of a run: {limit:g} s; who came to it "
        "ran once.",
        today(planner),
        machine(),
    ]


@click.command(help=__doc__)
@click.option(
    "--part",
    "parts",
    type=click.Choice(list(PARTS)),
    multiple=True,
    help="Only this part; may be repeated.",
)
@click.option(
    "--without",
    type=click.Choice(list(PEERS)),
    multiple=True,
    help="Without this peer; may be repeated.",
)
@rounds(3)
@click.option(
    "--limit",
    type=click.FloatRange(min=1),
    default=60,
    show_default=True,
    help="Seconds that a run may take.",
)
@click.option("--slow", is_flag=True, help="Also eleven moves in the Python engine.")
@click.option(
    "--large", is_flag=True, help="Also spaces of 23 million states to 44 thousand million: 11 GB."
)
@to_file
def main(
    parts: tuple[str, ...],
    without: tuple[str, ...],
    runs: int,
    limit: float,
    slow: bool,
    large: bool,
    file: Path | None,
) -> None:
    refuse_debug()
    wishes = Wishes(limit, slow, large, frozenset(without))
    lines: list[list[str]] = []
    for part in parts or PARTS:
        for contest in PARTS[part](wishes):
            asked = invited(contest, wishes.without)
            lines += asked.held(runs, lambda line: click.echo(line, err=True))
    notes = circumstances(runs, limit)
    show([(HEAD, lines)], notes, file, 200)


if __name__ == "__main__":
    main()

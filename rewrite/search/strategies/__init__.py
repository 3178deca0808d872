"""The registry of strategies: one file each, and one entry here with its properties as data."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.native import core_or_none, word
from rewrite.search.options import Number, Option, Word

WIDTH = Option(
    "width", 1000, Number(least=1), "States kept on a level by --strategy beam.",
    core=word,
)  # fmt: skip
WEIGHT = Option(
    "weight", 1, Number(whole=False, least=1, below=2.0**1000),  # a machine's numbers overflow
    "Of the heuristic in --strategy astar or idastar; above 1: faster, less exact.",
)  # fmt: skip
SEED = Option(
    "seed", None, Number(none=""), "Shuffle the successors in --strategy depth_first.",
    core=lambda seed: None if seed is None else seed % 2**64,
)  # fmt: skip


@frozen(kw_only=True)
class Strategy:
    """A strategy with the facts the rest of the search relies on; nothing tests its name."""

    name: str
    function: str = ""
    """Its Python implementation, "file:function"; by default both have its name."""
    shortest: bool = False
    """The first answer has the fewest steps."""
    cheapest: bool = False
    """The first answer has the lowest cost (with an admissible heuristic)."""
    complete: bool = True
    """Ends with every reachable state seen, if there is no answer and the space is finite."""
    needs_heuristic: bool = False
    takes_heuristic: bool = False
    """Uses a heuristic if given; otherwise every estimate is 0."""
    needs_inverse: bool = False
    """Runs rules backwards, and needs all goal states."""
    keeps_cheapest: bool = False
    """Goes by cost, so it does not know whether a state has a path of few steps."""
    remembers: bool = True
    """Keeps the states it has seen; else only its path, and counts the states of the longest."""
    minimizes: bool = True
    """Visits all states, in an order that suits `minimize`."""
    lists_paths: bool = False
    """Has a variant that lists every path: `distinct="paths"`."""
    expands_once: bool = False
    """Expands each state once and counts all its successors, so that counts describe the space."""
    reopens: bool = False
    """Reopens a state reached more cheaply, which only inconsistent estimates require."""
    kept: bool = False
    """The native engine can save such a search in a folder, and resume it."""
    core_only: bool = False
    """Only the native engine has it; without one, `search.core_only` says so."""
    options: tuple[Option, ...] = ()
    """The arguments of `search` specific to this strategy."""

    @property
    def uses_heuristic(self) -> bool:
        return self.needs_heuristic or self.takes_heuristic

    @property
    def sweeps(self) -> str:
        """What it has covered when nothing is left; see `Result.swept`."""
        return "ends" if self.needs_inverse else "states" if self.remembers else "paths"


STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        Strategy(
            name="breadth_first", shortest=True, lists_paths=True, expands_once=True, kept=True,
        ),
        Strategy(
            name="bidirectional", shortest=True, cheapest=True, keeps_cheapest=True,
            needs_inverse=True, kept=True,
        ),
        Strategy(
            name="uniform_cost", function="best_first:uniform_cost", cheapest=True,
            keeps_cheapest=True, kept=True,
        ),
        Strategy(
            name="astar", function="best_first:astar", cheapest=True, needs_heuristic=True,
            keeps_cheapest=True, reopens=True, kept=True, options=(WEIGHT,),
        ),
        Strategy(
            name="greedy", function="best_first:greedy", needs_heuristic=True,
            keeps_cheapest=True, minimizes=False, kept=True,
        ),
        Strategy(
            name="lazy_greedy", needs_heuristic=True, keeps_cheapest=True, minimizes=False,
            core_only=True,
        ),
        Strategy(
            name="beam", complete=False, needs_heuristic=True, minimizes=False, core_only=True,
            options=(WIDTH,),
        ),
        Strategy(name="depth_first", core_only=True, options=(SEED,)),
        Strategy(
            name="idastar", cheapest=True, takes_heuristic=True, remembers=False,
            minimizes=False, core_only=True, options=(WEIGHT,),
        ),
    )
}  # fmt: skip

STRATEGY_OPTIONS = {
    option.name: option for strategy in STRATEGIES.values() for option in strategy.options
}

STRATEGY_NAME = Word(
    ("auto", *STRATEGIES),
    {
        "bfs": "breadth_first", "dfs": "depth_first", "dijkstra": "uniform_cost",
        "ucs": "uniform_cost", "a*": "astar", "ida*": "idastar", "iddfs": "idastar",
        "iterative_deepening": "idastar", "gbfs": "greedy",
    },
)  # fmt: skip

REMOVED_OPTIONS = {
    "reopen": "leave it out: states are expanded again where a promise needs it, and a lower "
    "weight gives shorter answers",
}
"""Arguments of `search` of earlier versions, likewise."""


def comparable(with_heuristic: bool, engine: Any = "auto") -> list[str]:
    """Return the names of the strategies of an engine that work for every puzzle and goal."""
    natively = engine != "python" and core_or_none() is not None
    return [
        entry.name
        for entry in STRATEGIES.values()
        if not entry.needs_inverse
        and (with_heuristic or not entry.uses_heuristic)
        and (natively or not entry.core_only)
    ]

"""`python inside.py WORKLOAD`: the seconds that one search of a whole space spends in the core.

`python inside.py idastar 5 12 …` is IDA* on a 15-puzzle, by the Manhattan distance, an expression.
Run as a file of its own by `cores`, with the rewrite that PYTHONPATH names: it uses nothing that
older states do not have. Prints states, answers, CPU seconds, wall seconds; of IDA* how many boards
were made, and the length of the path.
"""

import sys
import time
import warnings
from typing import Any

from puzzles.eight_puzzle import Tile, instance
from rewrite import RewriteWarning, ints, search, total
from rewrite.native import engine
from tests.benchmarks.rows import full_space
from tests.benchmarks.workloads import WORKLOADS


def idastar(words: list[str]) -> tuple[int, int]:
    """Boards that were made, and the least number of moves."""
    C, V = ints("C V")
    far = total(abs(C // 4 - (V - 1) // 4) + abs(C % 4 - (V - 1) % 4), Tile(C, V), when=V > 0)
    found = search(instance(*words), strategy="idastar", heuristic=far)
    assert found.path is not None
    assert found.engine == "native", found.notes
    return sum(rule.fired for rule in found.rules.values()), len(found.path)


def main(name: str, words: list[str]) -> None:
    warnings.simplefilter("ignore", RewriteWarning)
    inner, spent = engine.NativeSearch.advance, {"cpu": 0.0, "wall": 0.0}

    def advance(self: Any, *given: Any) -> Any:
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            return inner(self, *given)
        finally:
            spent["cpu"] += time.process_time() - cpu
            spent["wall"] += time.perf_counter() - wall

    setattr(engine.NativeSearch, "advance", advance)  # noqa: B010 (its type says more than ours)
    if name == "idastar":
        states, answers = idastar(words)
    else:
        found = full_space(WORKLOADS[name], "auto")
        states, answers = found.states, found.answers
    print(states, answers, spent["cpu"], spent["wall"])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

"""`python inside.py WORKLOAD`: the seconds that one search of a whole space spends in the core.

Run as a file of its own by `cores`, with the rewrite that PYTHONPATH names: it uses nothing that
older states do not have. Prints states, answers, CPU seconds, wall seconds.
"""

import sys
import time
import warnings
from typing import Any

from rewrite import RewriteWarning
from rewrite.native import engine
from tests.benchmarks.rows import full_space
from tests.benchmarks.workloads import WORKLOADS


def main(name: str) -> None:
    warnings.simplefilter("ignore", RewriteWarning)
    search, spent = engine.NativeSearch.advance, {"cpu": 0.0, "wall": 0.0}

    def advance(self: Any, *given: Any) -> Any:
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            return search(self, *given)
        finally:
            spent["cpu"] += time.process_time() - cpu
            spent["wall"] += time.perf_counter() - wall

    setattr(engine.NativeSearch, "advance", advance)  # noqa: B010 (its type says more than ours)
    found = full_space(WORKLOADS[name], "auto")
    print(found.states, found.answers, spent["cpu"], spent["wall"])


if __name__ == "__main__":
    main(sys.argv[1])

"""Tables with and without the numbers of states, for one and several threads: the same answers."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import Result, search
from rewrite.native import program
from tests.engines import natively

pytestmark = natively

LAYOUTS: list[dict[str, int | None]] = [{}, {"split": 0}]
NUMBERED: dict[str, int | None] = {"key_bits": None}


def told(result: Result) -> list[Any]:
    paths = [(path.states, tuple(path.labels)) for path in result.paths]
    return [
        result.status, result.limit, result.states, result.expanded, tuple(result.levels), paths,
        result.rules,
    ]  # fmt: skip


def searched(patch: pytest.MonkeyPatch, layout: dict[str, int | None], **given: Any) -> list[Any]:
    """What a search of the 8-puzzle says, and its continuation where a limit ended it."""
    patch.setattr(program, "TABLES", layout)
    result = search(PUZZLES["eight_puzzle"](), engine="native", symmetry="none", **given)
    found = told(result)
    if result.status == "limit":
        more = {name: 2 * given[name] for name in ("max_states", "max_depth") if name in given}
        found += told(result.resume(**more))
    return found


@pytest.mark.parametrize(
    "given",
    [
        {"strategy": "breadth_first"},
        # the start again, through a cycle, and what comes after it
        {"strategy": "breadth_first", "goal": PUZZLES["eight_puzzle"]().start, "min_depth": 1},
        {"strategy": "breadth_first", "max_depth": 20},
        {"strategy": "breadth_first", "max_states": 60_000},
        {"strategy": "bidirectional"},
        {"strategy": "uniform_cost", "max_states": 60_000},
    ],
)
def test_answers_do_not_depend_on_tables_and_threads(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = searched(monkeypatch, NUMBERED, **given)
    for layout in LAYOUTS:
        for threads in (1, 2, 4):
            assert searched(monkeypatch, layout, threads=threads, **given) == wanted

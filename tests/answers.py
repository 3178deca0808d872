"""What a search answers, whichever engine runs it: no order, and no count that goes by one."""

from typing import Any

from rewrite import STRATEGIES, Puzzle, Result, search
from tests.engines import engines_for


def same_on_all(puzzle: Puzzle, **options: Any) -> Result:
    """Search on each engine that can; return the first result, whose answer all give."""
    first, *others = (search(puzzle, engine=name, **options) for name in engines_for(**options))
    for other in others:
        assert answer(other) == answer(first)
    return first


FACTS = ("status", "limit", "limit_value", "optimal", "states", "expanded", "depth", "levels",
         "rules", "notes", "strategy", "objective")  # fmt: skip


def facts(result: Result, *more: str) -> dict[str, Any]:
    """Return all that a result says but how long the search took: the same each time."""
    told = {name: getattr(result, name) for name in (*FACTS, *more)}
    told |= {"ends": [(len(path), path.end, path.bindings) for path in result.paths]}
    # If terms nest deeper with each step, reading all states of all paths takes minutes. With all
    # goals asked for, most states in the middle of a path are the end of another one.
    read = result.paths if result.depth < 100 else result.paths[:5]
    return told | {"paths": [path.states for path in read]}


def labelled(result: Result, *more: str) -> dict[str, Any]:
    """Return its facts with the labels of its paths, which are found step by step: slow."""
    return facts(result, *more) | {"labels": [path.labels for path in result.paths]}


def answer(result: Result) -> dict[str, Any]:
    """Return why it ended, how good its first answer is, and the size of a space seen whole."""
    told: dict[str, Any] = {
        "status": result.status, "limit": result.limit, "optimal": result.optimal,
        "answers": len(result.paths), "objective": result.objective,
    }  # fmt: skip
    if result.path is not None and result.optimal:
        cheapest = STRATEGIES[result.strategy].cheapest
        told["worth"] = result.path.cost if cheapest else len(result.path)
    if result.status == "exhausted" and result.swept == "states" and not result.ruled_out:
        told["states"] = result.states
    return told

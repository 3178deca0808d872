"""The public API: its names, that each is explained, and what importing it costs."""

import inspect
import subprocess
import sys
import time
from typing import Any

import pytest

import rewrite

NAMES = [
    "ANY", "Bag", "Comparison", "Condition", "Distances", "ExportError", "ExpressionError",
    "Funnel", "HeuristicError", "Path", "Progress", "Puzzle", "PuzzleError", "ReplayError",
    "Result",
    "RewriteError", "RewriteWarning", "Rule", "RuleError", "RuleStats", "STRATEGIES", "Scrambled",
    "SearchError", "SimplifyError", "Space", "State", "StateError", "Step", "SymmetryError",
    "SymmetryReport",
    "TermError", "UnboundVariable", "ViewError", "bags", "between", "bools", "chain",
    "check_symmetry", "compare", "contains", "count", "digits", "distances", "divides", "exactly",
    "explain", "explore", "fn", "frames", "greatest", "grid", "highest", "if_",
    "interchangeable", "ints",
    "is_in", "lacks", "least", "length", "letters", "lower", "lowest", "moves", "number",
    "one_of", "pegs", "position", "relabel", "replay", "reverse", "ring", "rule", "scramble",
    "search", "seqs", "solutions", "strs",
    "term", "terminal", "terms", "text", "to_maude", "total", "upper",
]  # fmt: skip
HEAVY = (
    "rich",
    "click",
    "networkx",
    "graphviz",
    "hypothesis",
    "numpy",
    "asyncio",
    "typing_extensions",
)


def public() -> list[Any]:
    return [pytest.param(getattr(rewrite, name), id=name) for name in rewrite.__all__]


def test_the_public_names_are_these_and_no_others() -> None:
    assert sorted(rewrite.__all__) == sorted(NAMES)
    assert len(set(rewrite.__all__)) == len(rewrite.__all__)


@pytest.mark.parametrize("thing", public())
def test_everything_public_exists_and_what_can_be_called_is_explained(thing: Any) -> None:
    if callable(thing):
        text = inspect.getdoc(thing) or ""
        assert text, f"{thing} has no docstring"
        assert text[0].isupper() or text[0] in "'`\"", f"{thing}: {text.splitlines()[0]}"


@pytest.mark.parametrize(
    "function", [rewrite.search, rewrite.solutions, rewrite.explore, rewrite.compare]
)
def test_after_the_first_three_arguments_everything_is_given_by_name(function: Any) -> None:
    kinds = [p.kind for p in inspect.signature(function).parameters.values()]
    assert all(kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds[:2])
    allowed = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    assert all(kind in allowed for kind in kinds[3:])


def test_lazy_solutions_take_what_search_takes() -> None:
    def options(function: Any) -> dict[str, Any]:
        return {p.name: p.default for p in inspect.signature(function).parameters.values()}

    expected = options(rewrite.search)
    del expected["solutions"], expected["minimize"]
    assert options(rewrite.solutions) == expected


def test_importing_rewrite_loads_no_heavy_module() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, rewrite; print(*sys.modules)"],
        capture_output=True, encoding="utf-8", check=True,
    ).stdout.split()  # fmt: skip
    assert "rewrite.search.api" in told
    assert [name for name in HEAVY if name in told] == []


def test_importing_rewrite_takes_no_more_than_a_few_starts_of_python() -> None:
    def seconds(text: str) -> float:
        times = []
        for _ in range(5):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", text], check=True)
            times.append(time.perf_counter() - began)
        return min(times)

    seconds("import rewrite")  # writes the byte code
    assert seconds("import rewrite") < 20 * seconds("pass")

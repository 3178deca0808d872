"""The public API: its names, that each is explained, and what importing it costs."""

import ast
import inspect
import pydoc
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import rewrite
from rewrite.search.limits import LIMITS
from rewrite.search.options import OPTIONS
from rewrite.search.strategies import STRATEGY_OPTIONS

NAMES = [
    "ANY", "Bag", "CheckpointError", "Comparison", "Condition", "Distances", "ExportError",
    "ExpressionError",
    "Funnel", "Hardest", "HeuristicError", "MaudeModule", "Path", "Progress", "Puzzle",
    "PuzzleError",
    "Rating", "ReadError", "ReplayError", "Result",
    "RewriteError", "RewriteWarning", "Rule", "RuleError", "RuleStats", "STRATEGIES", "Scrambled",
    "SearchError", "SimplifyError", "Space", "State", "StateError", "Step", "SymmetryError",
    "SymmetryReport",
    "TermError", "UnboundVariable", "Verified", "ViewError", "bags", "banks", "between", "bools",
    "chain",
    "check_symmetry", "compare", "contains", "count", "digits", "distances", "divides", "effect",
    "exactly",
    "explain", "explore", "fn", "frames", "greatest", "grid", "hardest", "highest", "if_",
    "improve",
    "interchangeable", "ints",
    "is_in", "lacks", "least", "length", "letters", "lower", "lowest", "maude_module", "moves",
    "number",
    "one_of", "pddl", "pegs", "play", "position", "rate", "reachable",
    "relabel", "replaced", "replay", "reverse", "ring",
    "rule", "scramble", "search", "seqs", "solutions", "strs", "subterms",
    "term", "terminal", "terms", "text", "to_maude", "total", "upper", "verify", "vessels",
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


@pytest.mark.parametrize("name", ["search", "solutions", "explore", "compare", "hardest", "rate"])
def test_after_the_first_three_arguments_everything_is_given_by_name(name: str) -> None:
    kinds = [p.kind for p in inspect.signature(getattr(rewrite, name)).parameters.values()]
    assert all(kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds[:2])
    allowed = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    assert all(kind in allowed for kind in kinds[3:])


def test_lazy_solutions_take_what_search_takes() -> None:
    def options(function: Any) -> dict[str, Any]:
        return {p.name: p.default for p in inspect.signature(function).parameters.values()}

    expected = options(rewrite.search)
    del expected["solutions"], expected["minimize"], expected["checkpoint"], expected["best"]
    del expected["certificate"]
    assert options(rewrite.solutions) == expected


def told_to_type_checkers() -> dict[str, str]:
    """The names that `rewrite/__init__.py` imports under TYPE_CHECKING, with their modules."""
    assert rewrite.__file__ is not None
    tree = ast.parse(Path(rewrite.__file__).read_text("utf-8"))
    (block,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {
        alias.asname or alias.name: node.module or ""
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_what_is_usual_is_declared_as_the_signature_says() -> None:
    signature = inspect.signature(rewrite.search).parameters
    for option in (*OPTIONS.values(), *STRATEGY_OPTIONS.values(), *LIMITS.values()):
        assert signature[option.name].default == option.usual, option.name


def test_type_checkers_star_imports_and_the_running_program_see_the_same_names() -> None:
    table: dict[str, str] = vars(rewrite)["_HOMES"]
    assert told_to_type_checkers() == table
    assert sorted(table) == sorted(rewrite.__all__)
    listed = [name for names in vars(rewrite)["_NAMES"].values() for name in names.split()]
    assert sorted(listed) == sorted(table)  # no name twice, in two modules


def printed(code: str) -> str:
    """What a program prints in a Python process of its own, in which nothing is loaded yet."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout


def test_dir_help_and_star_imports_show_names_that_nobody_has_asked_for_yet() -> None:
    code = "import rewrite; print(*(name for name in dir(rewrite) if name in rewrite.__all__))"
    assert printed(code).split() == sorted(NAMES)
    code = "from rewrite import *; print(*sorted(name for name in dir() if name[:2] != '__'))"
    assert printed(code).split() == sorted(NAMES)
    text = pydoc.plain(pydoc.render_doc(rewrite))
    assert [name for name in NAMES if name not in text] == []
    assert "search(puzzle: 'Puzzle', start: 'Any' = None" in text


@pytest.mark.parametrize(
    "first",
    [
        "import rewrite.search",
        "import rewrite.search.tasks.explore",
        "from rewrite import explore",
        "from rewrite.search.api import solutions",
        "from rewrite.search import strategies",
    ],
)
def test_search_is_the_function_whatever_was_loaded_of_the_folder_before(first: str) -> None:
    code = f"{first}\nfrom rewrite import search\nprint(search.__module__, search.__qualname__)"
    assert printed(code) == "rewrite.search.api search\n"


def test_a_name_that_there_is_not_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match=r"^module 'rewrite' has no attribute 'serach'"):
        _ = rewrite.serach  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="cannot import name 'serach' from 'rewrite'"):
        exec("from rewrite import serach")


def loaded(code: str) -> set[str]:
    """The modules that are there after a program has run."""
    return set(printed(f"import sys\n{code}\nprint(*sys.modules)").split())


def test_importing_rewrite_loads_no_heavy_module() -> None:
    everything = loaded("from rewrite import *")
    assert "rewrite.search.api" in everything
    assert [name for name in HEAVY if name in everything] == []


@pytest.mark.parametrize("code", ["import rewrite", "import puzzles.digitle"])
def test_who_only_writes_a_puzzle_waits_for_no_search(code: str) -> None:
    rooms = {name.split(".")[1] for name in loaded(code) if name.startswith("rewrite.")}
    views = {"show", "results"} if "puzzles" in code else set()
    assert rooms <= {"starting", "search", "play", "errors", "language", *views}
    assert not {
        name for name in loaded(code) if name.startswith(("rewrite.search.", "rewrite.play."))
    }


def test_a_puzzle_of_the_gallery_is_loaded_when_it_is_asked_for() -> None:
    found = loaded("from puzzles import PUZZLES\nlist(PUZZLES), len(PUZZLES)\nPUZZLES['farmer']")
    assert {name for name in found if name.startswith("puzzles.")} == {"puzzles.farmer"}


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

"""No modules of the product import each other in a circle.

Every import statement counts: at the top of a file, inside a function, under TYPE_CHECKING.
"""

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.house.test_architecture import ROOT, imported

ONE_TYPE = {"bag", "callers", "expressions", "terms"}
"""Of `language`: terms hold bags, bags hold terms, and what compares terms makes expressions."""


def imports(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Which modules each module imports, of those given; `a.b` and `a.b.__init__` are one."""
    names = {_module(path): path for path in sources}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        used = found.setdefault(name, set())
        for _, module, part in imported(Path(path), sources[path]):
            inner = f"{module}.{part}"
            used.add(inner if inner in names else module)
        used &= names.keys() - {name}
    return found


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def circle(found: Mapping[str, Iterable[str]]) -> list[str]:
    """One circle, as modules of which each imports the next; empty where there is none."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    files = sorted((ROOT / "rewrite").rglob("*.py"))
    sources = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in files}
    found = imports(sources)
    assert len(found) > 200, "nothing was checked"
    one = {f"rewrite.language.{name}" for name in ONE_TYPE}
    for name in one:
        found[name] -= one
    assert circle(found) == []


@pytest.mark.parametrize(
    "source",
    [
        "from rewrite.a import A",
        "def late():\n    from rewrite.a import A",
        "if TYPE_CHECKING:\n    from rewrite import a",
        "import rewrite.a",
    ],
)
def test_the_checker_reports_a_circle(source: str) -> None:
    found = imports({"rewrite/a.py": "from rewrite.b import B", "rewrite/b/__init__.py": source})
    assert set(circle(found)) == {"rewrite.a", "rewrite.b"}


def test_the_checker_is_silent_on_a_chain() -> None:
    found = imports({"rewrite/a.py": "from rewrite.b import B", "rewrite/b.py": "import os"})
    assert found == {"rewrite.a": {"rewrite.b"}, "rewrite.b": set()}
    assert circle(found) == []

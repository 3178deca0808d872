"""No modules of the product import each other in a circle, in Python and in the core.

Every import statement counts: at the top of a file, inside a function, under TYPE_CHECKING.
"""

import re
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePath

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


# -- the crate of the core -----------------------------------------------------------------------
CRATE = ROOT / "rewrite/native/core-crate/src"
USED = re.compile(r"\bcrate::(?:(\w+)|\{([^;]*)\};)", re.DOTALL)
ABOVE = "super::"
"""In a file right below the root it means the crate."""


def crate_imports(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Which modules right below the root of a crate each of them uses, tests left out."""
    found: dict[str, set[str]] = {}
    for path, source in sources.items():
        parts = PurePath(path).with_suffix("").parts
        if parts[0] == "lib" or {"tests", "toy"} & set(parts):
            continue
        used = found.setdefault(parts[0], set())
        code = re.sub(r"//.*", "", source).partition("#[cfg(test)]\nmod tests {")[0]
        if len(parts) == 1:
            code = code.replace(ABOVE, "crate::")
        for one, several in USED.findall(code):
            used |= {one} if one else set(re.findall(r"(?:^|,)\s*(\w+)", _outermost(several)))
    return {name: (used & found.keys()) - {name} for name, used in found.items()}


def _outermost(text: str) -> str:
    while (shorter := re.sub(r"\{[^{}]*\}", "", text)) != text:
        text = shorter
    return text


def test_no_modules_of_the_core_use_each_other_in_a_circle() -> None:
    files = sorted(CRATE.rglob("*.rs"))
    found = crate_imports({str(one.relative_to(CRATE)): one.read_text("utf-8") for one in files})
    assert sum(map(len, found.values())) > 50, "nothing was checked"
    assert circle(found) == []


@pytest.mark.parametrize(
    "source",
    [
        "use crate::a::A;",
        "use crate::{a::{A, B}, c};",
        "fn late() {\n    crate::a::run();\n}",
    ],
)
def test_the_checker_reports_a_circle_in_the_crate(source: str) -> None:
    found = crate_imports({"a.rs": "use crate::b::B;", "b/inner.rs": source})
    assert set(circle(found)) == {"a", "b"}


def test_the_crate_may_be_called_super_right_below_the_root() -> None:
    found = crate_imports({"a.rs": "use super::b::B;", "b.rs": "use crate::a::A;"})
    assert set(circle(found)) == {"a", "b"}
    assert crate_imports({"a/in.rs": "use super::b::B;", "b.rs": ""})["a"] == set()


def test_the_checker_is_silent_on_tests_and_comments_in_the_crate() -> None:
    inside = "// crate::a\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"
    sources = {"a.rs": "use crate::b::B;", "b.rs": inside, "b/tests.rs": "use crate::a::A;"}
    assert crate_imports(sources) == {"a": {"b"}, "b": set()}

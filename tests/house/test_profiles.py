"""What everybody runs draws the same examples each time; only a soak looks for new ones."""

import importlib
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
MAY_SET = {"conftest.py", "property/drawn.py"}


@pytest.mark.parametrize("name", ["dev", "ci"])
def test_the_examples_of_a_profile_that_everybody_runs_are_fixed(name: str) -> None:
    profile = settings.get_profile(name)
    assert profile.derandomize
    assert profile.database is None
    assert profile.deadline is None

    def drawn() -> list[int]:
        found: list[int] = []

        @settings(profile)
        @given(st.integers())
        def collect(number: int) -> None:
            found.append(number)

        collect()
        return found

    assert len(drawn()) > 10
    assert drawn() == drawn()


@pytest.mark.skipif(
    os.environ.get("HYPOTHESIS_PROFILE") == "soak", reason="a soak looks for new examples"
)
def test_the_examples_do_not_depend_on_what_was_imported_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis would draw the numbers and texts that it finds in modules of ours."""
    found: list[list[int]] = [[]]

    @settings(settings.get_profile("ci"))
    @given(st.integers())
    def collect(number: int) -> None:
        found[-1].append(number)

    collect()
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = {list(range(7_000, 8_000))}")
    monkeypatch.syspath_prepend(tmp_path)
    found.append([])
    importlib.import_module("full_of_numbers")
    collect()
    monkeypatch.delitem(sys.modules, "full_of_numbers")
    assert found[0] == found[1]


def test_a_soak_looks_for_new_examples() -> None:
    assert not settings.get_profile("soak").derandomize


def test_no_test_sets_aside_the_profile_that_was_chosen() -> None:
    """Else its examples would be others than those of the profile, or as few in a soak."""
    setting = re.compile(
        r"^\s*@?(hypothesis\.)?(settings\([^()]*\b(max_examples|derandomize|database)\b|seed\()",
        re.MULTILINE,
    )
    found = {
        str(file.relative_to(TESTS))
        for file in TESTS.rglob("*.py")
        if setting.search(file.read_text("utf-8"))
    }
    assert found - {"house/test_profiles.py"} <= MAY_SET


# -- the long form -----------------------------------------------------------------------------


def test_the_whole_check_runs_what_the_usual_command_leaves_out() -> None:
    settings_of_pytest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
        "pytest"
    ]
    options = settings_of_pytest["ini_options"]["addopts"]
    assert options[options.index("-m") + 1] == "not long"
    check = (ROOT / ".ci/run").read_text("utf-8")
    stages = dict(re.findall(r"^stage (\S+) \S+ ['\"](.*)['\"]$", check, re.MULTILINE))
    assert stages["test-long"].endswith("pytest -q -m 'hypothesis or long'")
    assert stages["test-python"] == "REWRITE_NATIVE=off .venv/bin/pytest -q -m ''"


def test_what_is_long_is_there_in_short() -> None:
    """A test that is long as a whole is named here, with what checks the same in short."""
    whole = {
        "contract/test_any_moment.py": 1,  # a thousand moments: by some
        "contract/test_checkpoints.py": 1,  # a hundred kills: by a few
        "contract/test_memory_ceilings.py": 1,  # 150 MB each: by the searches of test_budget
        "contract/test_ray.py": 7,  # each starts processes: by two parts, and parts in one process
        "golden/test_lengths_and_sizes.py": 1,  # trominoes by the definition: by every search
        "property/test_strategies.py": 2,  # what generators draw, which they alone change
    }
    marks = re.compile(r"^@pytest\.mark\.long$", re.MULTILINE)
    found = {
        str(file.relative_to(TESTS)): len(marks.findall(file.read_text("utf-8")))
        for file in TESTS.rglob("test_*.py")
    }
    assert {name: number for name, number in found.items() if number} == whole


def test_processes_that_tests_start_may_keep_bytecode() -> None:
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ

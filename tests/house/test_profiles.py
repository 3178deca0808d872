"""What everybody runs draws the same examples each time; only a soak looks for new ones."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TESTS = Path(__file__).parents[1]
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

"""What a strategy draws, as a list: for tests that ask what the generated examples are like.

Always the same examples, and more than such a test needs: another version of hypothesis draws
others, and they must show the same.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st


@cache
def drawn(make: Callable[[], st.SearchStrategy[Any]], number: int = 200) -> list[Any]:
    """The first values of a strategy."""
    found: list[Any] = []

    @settings(
        max_examples=number, derandomize=True, database=None, phases=[Phase.generate],
        deadline=None, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(make())
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found

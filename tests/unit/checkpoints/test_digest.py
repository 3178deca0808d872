"""Digests: the same in every process, and different for different data."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rewrite.checkpoints.identity import digest

ROOT = Path(__file__).parents[3]
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.binary(max_size=4),
    st.floats(allow_nan=False),
)  # fmt: skip
DATA = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=3),
    ),
    max_leaves=8,
)


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal with all their types; 0.0 and -0.0 are two."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return repr(one) == repr(other)


@given(DATA, DATA)
def test_two_values_have_one_digest_where_they_are_the_same_only(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == same(one, other)


def test_deep_and_long_values_have_digests() -> None:
    deep: Any = ()
    for _ in range(100_000):
        deep = (deep,)
    assert digest(deep) != digest((deep,))
    assert digest(10**5000) != digest(10**5000 + 1)


def test_a_set_is_read_in_an_order_of_its_own_in_every_process() -> None:
    code = """
from rewrite.checkpoints.identity import digest
print(digest({'a', 'b', ('c', 'd'), 'e'}))
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True, cwd=ROOT,
        ).stdout
        for seed in ("0", "1", "2")
    }  # fmt: skip
    assert found == {digest({"a", "b", ("c", "d"), "e"}) + "\n"}

"""Generated modules: what is printed twice is compiled once."""

import linecache

import pytest

from rewrite.engine import generated
from rewrite.engine.generated import defined


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "_CODE", {})


def test_the_same_source_is_compiled_once_and_sees_its_own_constants() -> None:
    source = "def answer():\n    return K\n"
    one, two = (defined(source, "answer", {"K": number})["answer"] for number in (1, 2))
    assert (one(), two()) == (1, 2)
    assert one.__code__ is two.__code__
    assert linecache.getlines(one.__code__.co_filename) == source.splitlines(True)


def test_modules_are_let_go_in_the_order_of_their_last_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "MOST_KEPT", 2)
    sources = [f"def answer():\n    return {number}\n" for number in range(3)]
    made = [defined(sources[number], "answer", {})["answer"] for number in (0, 1, 0, 2)]
    assert {source for source, _ in generated._CODE} == {sources[0], sources[2]}
    assert [one() for one in made] == [0, 1, 0, 2]
    assert made[0].__code__.co_filename in linecache.cache
    assert made[1].__code__.co_filename not in linecache.cache

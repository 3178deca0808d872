"""What is said where a search needs more room than it can have."""

import pytest

from rewrite import Puzzle, exactly, ints, rule, search
from rewrite.compiler.capacity import Capacity
from rewrite.errors import RewriteError, SearchError
from rewrite.native import status
from rewrite.search.arguments import question
from rewrite.search.run import Run
from tests.unit.outgrowing import counting

M, N, X = ints("M N X")
USABLE = status().usable
ENGINES = ["python", *(["native"] if USABLE else [])]


COUNTING = counting(5000)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_definition_is_not_run_backwards_and_that_is_said(engine: str) -> None:
    puzzle = Puzzle(
        rule("all", take=["a"], keep=[*ints("v0:24")], put=["b"]),
        start=["a", 1], goal=exactly("b", 1),
    )  # fmt: skip
    with pytest.raises(SearchError, match="run backwards, but the definition itself runs them"):
        search(puzzle, strategy="bidirectional", engine=engine)


def test_asking_for_what_is_there_is_a_bug_that_is_told() -> None:
    run = Run(question(COUNTING, None, None, engine="python", function="search"))
    run.grow(Capacity(bits=24))
    with pytest.raises(RewriteError, match=r"asked twice for Capacity\(.*bits=24.*This is a bug"):
        run.grow(Capacity(bits=24))

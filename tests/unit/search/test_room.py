"""Each way in which a search comes to ask for more room, and what it then has."""

from typing import Any

import pytest

from rewrite import Puzzle, contains, exactly, fn, ints, rule, search, term, terms
from rewrite.code.write.build import TOO_DEEP
from rewrite.compiler.interning import encode
from rewrite.compiler.reason import Reason
from rewrite.compiler.room import LEAST, NeedsRoom, Room
from rewrite.compiler.slots.layout import TWICE
from rewrite.errors import RewriteError, SearchError
from rewrite.native import core, status
from rewrite.search.arguments import question
from rewrite.search.run import Run
from tests.unit.native.both_ends import Searched, engine_of
from tests.unit.outgrowing import COPYING, Count, counting

M, N, X = ints("M N X")
ANYTHING = terms("ANYTHING")
USABLE = status().usable
ENGINES = ["python", *(["native"] if USABLE else [])]


@term
class Hidden:
    at: int


HIDDEN = encode(Hidden(1))[0]


@fn
def wrapped(value: Any) -> Any:
    return (value,)


@fn
def hidden(value: Any) -> Any:
    return (Hidden(1),)


COUNTING = counting(5000)
WRAPPING = Puzzle(
    rule("wrap", take=[ANYTHING], put=[wrapped(ANYTHING)]), start=[1], goal=exactly((1,))
)
MANY = Puzzle(
    rule("all", take=[*ints("v0:24")], put=["done"]), start=[0], goal=contains("done")
)  # fmt: skip


def room_after(puzzle: Puzzle, engine: str) -> tuple[Room, bool]:
    """The room that a search has in the end, and whether it found an answer."""
    asked = question(puzzle, None, None, engine=engine, max_depth=10_000, function="search")
    run = Run(asked)
    run.advance(1, asked.limits)
    return run.room, bool(run.answers)


@pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("puzzle", "room", "found"),
    [
        pytest.param(COUNTING.replace(goal=contains(Count("a", 9))), LEAST, True, id="none"),
        pytest.param(COUNTING, Room(bits=24), True, id="wider slots"),
        pytest.param(COPYING, Room(multiset=[TWICE]), True, id="equal terms"),
        pytest.param(WRAPPING, Room(heads=["seq"]), True, id="another type"),
        pytest.param(MANY, TOO_DEEP, False, id="too many patterns"),
    ],
)
def test_a_search_asks_for_the_room_that_it_needs(
    puzzle: Puzzle, room: Room, found: bool, engine: str
) -> None:
    assert room_after(puzzle, engine) == (room, found)


@pytest.mark.skipif(not USABLE, reason="the core is not there")
@pytest.mark.filterwarnings("ignore::rewrite.errors.RewriteWarning")
def test_a_constructor_that_the_core_does_not_know_is_asked_for() -> None:
    puzzle = Puzzle(
        rule("hide", take=[ANYTHING], put=[hidden(ANYTHING)]), start=[(1,)], goal=contains((1, 2))
    )
    room, found = room_after(puzzle, "native")
    assert room == Room(ctors=[HIDDEN])
    assert not found


@pytest.mark.skipif(not USABLE, reason="the core is not there")
def test_what_the_core_asks_for_is_the_room_that_python_asks_for() -> None:
    assert COUNTING.start is not None
    core_search = Searched(engine_of(COUNTING), COUNTING.start).core
    changed = core().Changed
    for asked, room in (
        (("head", "a text"), Room(heads=["str"])),
        (("ctor", HIDDEN), Room(ctors=[HIDDEN])),
        (("widen", None), Room(bits=24)),
        (("multiset", "a term can stand twice"), Room(multiset=[TWICE])),
        (("multiset", "something else"), Room(multiset=[Reason("something else")])),
    ):
        needs = core_search.translated(changed(*asked))
        assert isinstance(needs, NeedsRoom)
        assert needs.room == room


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
    run.grow(Room(bits=24))
    with pytest.raises(RewriteError, match=r"asked twice for Room\(.*bits=24.*This is a bug"):
        run.grow(Room(bits=24))

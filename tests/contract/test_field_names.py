"""A field of a constructor may be called whatever an author likes: nothing is read from its name.

Every attribute that values, patterns, expressions or conditions of rewrite have of their own is
tried as the name of a field, in terms of which a puzzle, its goals and its choices are made.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from rewrite import (
    Puzzle,
    RuleError,
    State,
    TermError,
    contains,
    count,
    explain,
    ints,
    lacks,
    one_of,
    rule,
    search,
    term,
    terms,
    total,
)
from rewrite.language.order import Keyed
from rewrite.language.terms import Term

M, N = ints("M N")
P = terms("P")


def kinds_of_values(base: type[Any] = Keyed) -> Iterator[type[Any]]:
    yield base
    for kind in base.__subclasses__():
        if not issubclass(kind, Term):
            yield from kinds_of_values(kind)


NAMES = sorted(
    {
        name
        for kind in kinds_of_values()
        for name in dir(kind)
        if not name.startswith("__") and not hasattr(Term, name)
    }
)


def constructor(field: str) -> Any:
    """A constructor with one field of this name; its identity is else the same."""
    body = {"__annotations__": {field: Any}, "__module__": __name__, "__qualname__": "Thing"}
    return term(type("Thing", (), body))


def told(field: str, engine: str) -> Any:
    """What searches and explanations say, as text: it does not depend on the name of the field."""
    thing: Any = constructor(field)
    rise = rule("rise", take=[thing(M)], put=[thing(M + 1)], when=[M < 4, count(thing(N)) < 3])
    fork = rule("fork", take=[thing(M)], put=[thing(N)], let={N: one_of(M + 1, M + 2)}, when=M < 4)
    wrap = rule("wrap", take=[(P, thing(M))], put=[(thing((M, P)), thing(M + 1))], when=M < 3)
    puzzle = Puzzle(rise, fork, wrap, start=[thing(0), (7, thing(0))], never=lacks(thing(M)))
    goals = [
        contains(thing(4)) & ~contains(thing(3), absent=thing(5)),
        contains((thing(P), thing(3))) | (count(thing(M), when=M > 3) == 2),
        State([thing(2), (7, thing(0))]),
    ]
    found = [search(puzzle, None, goal, engine=engine) for goal in goals]
    least = search(puzzle, minimize=total(-M, thing(M)), engine=engine)
    return (
        [[str(path.end) for path in one.paths] for one in (*found, least)],
        [one.notes for one in found],
        str(explain(puzzle, puzzle.start)),
    )


EXPECTED = {engine: told("at", engine) for engine in ("auto", "python")}


def test_the_puzzle_has_answers() -> None:
    ends, _, _ = EXPECTED["python"]
    assert ends[:3] == [
        ["[(7, Thing(0)), Thing(4)]"],
        ["[(Thing((2, Thing((1, Thing((0, 7)))))), Thing(3)), Thing(0)]"],
        ["[(7, Thing(0)), Thing(2)]"],
    ]


def test_many_names_are_tried() -> None:
    assert {"patterns", "absent", "rest", "items", "kind", "left", "value"} <= {*NAMES}


@pytest.mark.parametrize("engine", EXPECTED)
@pytest.mark.parametrize("field", [*NAMES, "codes"])
def test_a_field_may_have_any_name(field: str, engine: str) -> None:
    assert told(field, engine) == EXPECTED[engine]


@pytest.mark.parametrize("engine", EXPECTED)
def test_a_term_is_no_collection_to_choose_from_whatever_its_field_is_called(engine: str) -> None:
    thing = constructor("items")
    puzzle = Puzzle(rule("pick", take=[P], put=[N], let={N: one_of(P)}), start=[thing((1, 2))])
    with pytest.raises(RuleError, match=r"needs a sequence, found Thing\(\(1, 2\)\)"):
        search(puzzle, None, contains(2), engine=engine)


@pytest.mark.parametrize("field", ["term_key", "term_inside", "term_fields", "of_parts"])
def test_a_name_that_every_constructor_needs_is_refused_as_a_field(field: str) -> None:
    with pytest.raises(TermError, match=f"a field cannot be called {field}.*another name") as info:
        constructor(field)
    assert (info.value.constructor, info.value.field) == ("Thing", field)

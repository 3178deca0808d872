"""States that symmetries make equal are one state in the core."""

from functools import cache
from itertools import pairwise, permutations
from typing import Any

import pytest

from puzzles import two_grids
from rewrite.language.states import State
from rewrite.search.limits import Limits
from tests.unit.native.both_ends import Searched, engine_of

NEAR = ("286449", "571393", "816572")
Element = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]


def product(a: Element, b: Element) -> Element:
    """First `a`, then `b`."""
    sources = tuple(a[0][middle] for middle in b[0])
    maps = tuple(
        tuple(after[value] for value in a[1][middle])
        for middle, after in zip(b[0], b[1], strict=True)
    )
    return sources, maps


def group(engine: Any) -> dict[str, Any]:
    """The sixteen symmetries that two_grids declares, by hand: for its slots, as the core wants."""
    (slots,) = engine.layout.slots.values()
    cells = [cell for (cell,) in slots.offsets]
    held = [number for (number,) in slots.values]
    same: Element = tuple(range(18)), (tuple(range(9)),) * 18

    def moved(cell_of: Any) -> Element:
        image = {cell_of(cell): place for place, cell in enumerate(cells)}
        return tuple(image[cell] for cell in cells), same[1]

    generators = [
        moved(lambda cell: cell // 6 * 6 + (cell + 3) % 6),
        moved(lambda cell: cell // 6 * 6 + 5 - cell % 6),
        moved(lambda cell: (2 - cell // 6) * 6 + cell % 6),
        (same[0], (tuple(held.index(10 - number) for number in held),) * 18),
    ]
    elements = {same: None}
    for generator in generators:  # each of order two, and they commute
        elements |= {product(one, generator): None for one in elements}
    fields = [(offset, slots.bits) for offset in slots.offsets.values()]
    return {"fields": fields, "elements": list(elements)}


def least(canon: dict[str, Any], code: int) -> int:
    """The code of the canonical form, by its definition."""
    state = [code >> offset & (1 << bits) - 1 for offset, bits in canon["fields"]]
    images = [
        [values[state[source]] for source, values in zip(sources, maps, strict=True)]
        for sources, maps in canon["elements"]
    ]
    pairs = zip(min(images), canon["fields"], strict=True)
    return sum(value << offset for value, (offset, _) in pairs)


@cache
def magic_squares() -> tuple[tuple[int, ...], ...]:
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    squares = permutations(range(1, 10))
    return tuple(q for q in squares if all(sum(q[i] for i in line) == 15 for line in lines))


def solved(engine: Any) -> list[int]:
    """The codes of the 64 boards that are two magic squares."""
    assert len(magic_squares()) == 8
    return [
        engine.encode(
            State(
                [
                    two_grids.At(6 * row + 3 * side + column, square[3 * row + column])
                    for side, square in enumerate((left, right))
                    for row in range(3)
                    for column in range(3)
                ]
            )
        )
        for left in magic_squares()
        for right in magic_squares()
    ]


def begun(*words: str) -> tuple[Any, dict[str, Any], State]:
    """An engine of two_grids, its group, and the canonical form of its start."""
    engine = engine_of(two_grids.instance(*words))
    canon = group(engine)
    assert len(canon["elements"]) == 16
    return engine, canon, engine.decode(least(canon, engine.encode(engine.task.start)))


def test_under_symmetry_a_state_stands_for_all_of_its_images() -> None:
    engine, canon, start = begun()
    limits = Limits(max_depth=3)
    every = Searched(engine, engine.task.start, strategy="breadth_first", limits=limits)
    found = Searched(engine, start, strategy="breadth_first", limits=limits, canon=canon)
    assert every.facts["states"] == 1 + 18 + 222 + 2639
    forms = {least(canon, engine.encode(state)) for state in every.states()}
    assert {engine.encode(state) for state in found.states()} == forms
    assert found.facts["states"] == len(forms)
    assert found.facts["expanded"] == 1 + 18 + 222


def test_under_symmetry_any_number_of_threads_finds_the_same() -> None:
    engine, canon, start = begun(*NEAR)
    found = [
        Searched(engine, start, strategy="breadth_first", limits=Limits(max_depth=4), canon=canon,
                 threads=threads, goal=False)
        for threads in (1, 2, 3)
    ]  # fmt: skip
    assert found[0].facts["states"] > 20_000
    assert [one.facts for one in found[1:]] == [found[0].facts] * 2
    assert [one.core.parents() for one in found[1:]] == [found[0].core.parents()] * 2


@pytest.mark.parametrize(("words", "steps"), [(NEAR, 4), ((), 11)], ids=["near", "eleven"])
def test_under_symmetry_both_ends_meet_after_as_many_steps_as_without(
    words: tuple[str, ...], steps: int
) -> None:
    engine, canon, start = begun(*words)
    goals = dict.fromkeys(least(canon, code) for code in solved(engine))
    assert len(goals) == 12
    found = Searched(engine, start, goals, inverse=engine, canon=canon, threads=2)
    codes = [engine.encode(state) for state in found.way]
    assert (len(codes) - 1, codes[0], codes[-1] in goals) == (steps, engine.encode(start), True)
    for code, following in pairwise(codes):
        assert following in {least(canon, one) for one in engine.successors(code)}
    if words:
        plain = Searched(engine, engine.task.start, solved(engine), inverse=engine)
        assert len(plain.way) - 1 == steps
        assert plain.facts["states"] > 2 * found.facts["states"]


def test_successors_that_are_looked_at_again_are_in_canonical_form_too() -> None:
    engine, canon, start = begun()
    limits = Limits(max_depth=1)
    found = Searched(engine, start, strategy="breadth_first", limits=limits, canon=canon)
    forms = [least(canon, code) for code in engine.successors(engine.encode(start))]
    told = found.core.successors(0)
    assert None not in told
    assert [engine.encode(found.core.decode(one)) for one in told if one is not None] == list(
        dict.fromkeys(forms)
    )

"""Perfect indexes: what of a puzzle is a permutation, what a digit, and when there is none."""

from typing import Any

import pytest

from puzzles import eight_puzzle, hanoi, peg_solitaire, sliding_tiles, two_grids
from rewrite import Puzzle, distances, ints, rule, term, terms
from rewrite.analysis import ranking
from rewrite.analysis.fields import numbers
from rewrite.analysis.ranking import Ranking, perfect_index
from rewrite.compile.slots.keys import Unsuitable
from tests.engines import over_slots, start_of, task_of
from tests.terms import At

P, Q, X, Y, Z = ints("P Q X Y Z")


@term
class Lamp:
    place: int
    on: int


def index(puzzle: Puzzle) -> Ranking:
    """The index of a puzzle's own encoding."""
    engine = over_slots(task_of(puzzle))
    return perfect_index(
        engine.fields, engine.transitions, numbers(engine.fields, engine.encode(start_of(puzzle)))
    )


def ring(size: int, *rules: Any) -> Puzzle:
    return Puzzle(*rules, start=[At(place, place) for place in range(size)], name="ring")


def test_sliding_tiles_are_a_permutation_of_known_parity_with_the_hole_as_mover() -> None:
    found = index(eight_puzzle.instance())
    (part,) = found.parts
    assert (part.permuted, len(part.fields), part.odd is not None) == (True, 9, True)
    assert part.mover is not None
    assert (found.size, found.reversible, found.bytes) == (181_440, True, 16 * 2_835)
    told = "181,440 numbers, 2 bits each (9 fields exchange values, half of their orders)"
    assert str(found) == told


def test_what_each_field_costs_does_not_grow_with_the_number_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = 0

    def counted(*args: Any) -> dict[int, int] | None:
        nonlocal calls
        calls += 1
        return sources(*args)

    sources = ranking._sources
    monkeypatch.setattr(ranking, "_sources", counted)
    press = [rule("press", take=[Lamp(P, on)], put=[Lamp(P, 1 - on)]) for on in (0, 1)]
    lamps = index(Puzzle(*press, start=[Lamp(place, 0) for place in range(30)]))
    assert (lamps.size, calls) == (2**30, 2 * 30)


def test_two_bits_need_a_mover_that_alternates_between_two_colours() -> None:
    found = index(sliding_tiles.instance("4x2", *map(str, range(8))))
    assert (found.alternating, found.modulus, found.bits) == (True, 4, 2)
    # by columns: a hole that moves along its row passes one tile instead of three
    assert [found.parts[0].fields.index(place) for place in range(8)] == [0, 2, 4, 6, 1, 3, 5, 7]

    def walk(*places: int) -> Ranking:
        """A hole that walks on a cycle of places."""
        steps = [*zip(places, places[1:] + places[:1], strict=True)]
        moves = [
            rule("go", take=[At(here, 0), At(there, X)], put=[At(here, X), At(there, 0)])
            for one, other in steps for here, there in ((one, other), (other, one))
        ]  # fmt: skip
        return index(ring(len(places), *moves))

    assert walk(0, 1, 2, 3).alternating
    assert not walk(0, 1, 2).alternating
    assert not walk(0, 1, 2, 3, 4).alternating


def test_a_turn_that_is_even_keeps_half_of_the_orders_and_one_that_is_odd_keeps_all() -> None:
    three = rule("turn", take=[At(0, X), At(1, Y), At(2, Z)], put=[At(0, Y), At(1, Z), At(2, X)])
    swap = rule("swap", take=[At(1, X), At(2, Y)], put=[At(1, Y), At(2, X)])
    (even,) = index(ring(3, three)).parts
    assert (even.mover, even.odd, even.size) == (None, (False,), 3)
    (odd,) = index(ring(3, three, swap)).parts
    assert (odd.mover, odd.odd, odd.size) == (None, None, 6)
    assert not index(ring(3, three)).reversible  # turned thrice, but no rule turns back
    back = rule("back", take=[At(0, X), At(1, Y), At(2, Z)], put=[At(0, Z), At(1, X), At(2, Y)])
    assert index(ring(3, three, back)).reversible


def test_fields_of_few_values_are_digits_and_only_values_that_can_come_up_count() -> None:
    press = rule(f"press {P}", take=[Lamp(P, X)], put=[Lamp(P, 1 - X)])
    start = [Lamp(place, 0) for place in range(4)]
    found = index(Puzzle(press, start=start))
    assert [part.permuted for part in found.parts] == [False] * 4
    assert (found.size, found.reversible) == (16, True)
    assert str(found) == "16 numbers, 3 bits each (4 fields of few values)"
    peg = index(peg_solitaire.instance())
    assert not peg.reversible
    assert "a byte each" in str(peg)


def test_permutations_and_digits_stand_together() -> None:
    swap = rule("swap", take=[At(0, X), At(1, Y)], put=[At(0, Y), At(1, X)])
    press = rule(f"press {P}", take=[Lamp(P, X)], put=[Lamp(P, 1 - X)], keep=[At(P, P)])
    start = [*(At(place, place) for place in range(2)), *(Lamp(place, 0) for place in range(2))]
    found = index(Puzzle(swap, press, start=start))
    assert sorted((part.permuted, part.size) for part in found.parts) == [
        (False, 2), (False, 2), (True, 2),
    ]  # fmt: skip


def test_values_that_are_copied_and_kept_are_no_permutation() -> None:
    spread = rule("copy", take=[At(0, X), At(1, Y)], put=[At(0, X), At(1, X)])
    found = index(ring(3, spread))
    assert not any(part.permuted for part in found.parts)


def test_a_step_that_changes_nothing_is_no_move_of_the_mover() -> None:
    P, Q, X, Y = terms("P Q X Y")
    swap = rule("swap", take=[At(X, P), At(Y, Q)], put=[At(X, Q), At(Y, P)], when=[P == 5, X < Y])
    equal = Puzzle(swap, start=[At(0, 5), At(1, 7), At(2, 5)])
    assert len(index(equal).transitions) == 1
    assert distances(equal).levels == [1, 1]


def test_too_many_numbers_are_no_index() -> None:
    with pytest.raises(Unsuitable, match=r"numbers, more than 4,294,967,295"):
        index(two_grids.instance())


def test_a_field_of_too_many_values_is_no_index() -> None:
    with pytest.raises(Unsuitable, match=r"values that Peg can come to hold|more than 255 values"):
        index(hanoi.instance("3", "8"))

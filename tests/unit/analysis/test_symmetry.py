"""Actions on fields: images, products, groups; and bijections on terms that are none."""

import random
from itertools import product
from typing import Any

import pytest

from rewrite.analysis.fields import Field, fields, numbers, packed
from rewrite.analysis.symmetry.actions import Action, action_of, canonical, closure, identity
from rewrite.analysis.transitions import Transition
from rewrite.compile.interning import encode
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language.conditions import contains
from rewrite.language.expressions import ANY
from rewrite.language.functions import ints
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import Bijection, NoBijection, bijections, relabel
from rewrite.language.terms import term
from tests.engines import over_slots, task_of
from tests.terms import At

M, N, A, B = ints("M N A B")
FIELDS = tuple([Field(2 * place, 2, ("a", "b", "c"), 0) for place in range(3)])
TURN = Action((2, 0, 1), ((0, 1, 2),) * 3)
SHIFT = Action((0, 1, 2), ((1, 2, 0),) * 3)
SWAP = Action((1, 0, 2), ((0, 2, 1), (0, 1, 2), (2, 1, 0)))
UNEVEN = Action((0, 1, 2), ((0, 1, 2), (1, 0, 2), (0, 1, 2)))


@term
class Fixed:
    at: int


def moved(**parts: Any) -> Transition:
    given = {"tests": (), "misses": (), "sets": (), "copies": ()} | parts
    return Transition(0, 1, **given)


def effects(one: Transition) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of states between which a transition leads, by its definition."""
    found = set()
    for held in product(range(3), repeat=3):
        fits = all(held[place] == value for place, value in one.tests)
        if fits and all(held[place] != value for place, value in one.misses):
            after = list(held)
            for place, value in one.sets:
                after[place] = value
            for place, source in one.copies:
                after[place] = held[source]
            found.add((held, tuple(after)))
    return found


# -- images and products -----------------------------------------------------------------------


def test_a_field_and_its_value_go_where_the_image_of_a_state_has_them() -> None:
    for action in (TURN, SWAP, SHIFT, UNEVEN):
        for held in product(range(3), repeat=3):
            image = action.image(held)
            for place, value in enumerate(held):
                target, becomes = action.pair(place, value)
                assert image[target] == becomes
    assert TURN.pairs(((0, 2), (2, 1))) == ((0, 1), (1, 2))


def test_one_action_then_another_is_the_image_of_the_image() -> None:
    for one, other in product([TURN, SWAP, SHIFT, UNEVEN], repeat=2):
        both = one.then(other)
        for held in product(range(3), repeat=3):
            assert both.image(held) == other.image(one.image(held))


# -- transitions -------------------------------------------------------------------------------


UNIFORM = [TURN, SHIFT, TURN.then(SHIFT)]
ACTIONS = [*UNIFORM, SWAP, UNEVEN]


@pytest.mark.parametrize(
    ("one", "actions"),
    [
        (moved(tests=((0, 1),), sets=((0, 2), (1, 0))), ACTIONS),
        (moved(tests=((0, 1),), misses=((1, 0), (1, 2)), sets=((2, 0),)), ACTIONS),
        (moved(misses=((2, 1),), sets=((0, 1),)), ACTIONS),
        (moved(tests=((0, 1),), copies=((0, 1), (1, 0))), UNIFORM),  # all values change alike
    ],
)
def test_the_image_of_a_transition_leads_between_the_images_of_states(
    one: Transition, actions: list[Action]
) -> None:
    for action in actions:
        wanted = {(action.image(before), action.image(after)) for before, after in effects(one)}
        assert effects(action.transition(one)) == wanted


def test_a_copy_between_fields_whose_values_change_otherwise_has_no_image() -> None:
    told = "it changes values that rules move, and not everywhere alike"
    with pytest.raises(Unsuitable, match=told):
        UNEVEN.transition(moved(copies=((0, 1),)))


# -- groups ------------------------------------------------------------------------------------


def test_the_closure_is_the_group_with_the_identity_first() -> None:
    start = identity(FIELDS)
    assert closure([TURN], start, 3) == [start, TURN, TURN.then(TURN)]
    whole = closure([TURN, SHIFT], start, 9)
    assert whole is not None
    assert (len(whole), whole[0]) == (9, start)
    assert closure([], start, 1) == [start]


def test_the_closure_of_too_many_is_none() -> None:
    assert closure([TURN], identity(FIELDS), 2) is None
    assert closure([TURN, SHIFT], identity(FIELDS), 8) is None


# -- bijections on terms -----------------------------------------------------------------------


def ring(*extra: Any) -> SlotEngine:
    puzzle = Puzzle(
        rule(f"swap {M}", take=[At(M, A), At((M + 1) % 4, B)], put=[At(M, B), At((M + 1) % 4, A)]),
        start=[*[At(cell, cell % 3) for cell in range(4)], *extra],
        goal=contains(At(0, 2)),
    )
    return over_slots(task_of(puzzle, puzzle.goal))


def made(engine: SlotEngine, bijection: Bijection) -> Action:
    return action_of(bijection, engine.fields, engine.layout.static)


@pytest.mark.parametrize(
    "declared",
    [relabel(At(M, A), At((M + 1) % 4, A)), relabel(At(M, A), At(3 - M, (A + 1) % 3)),
     relabel(At(M, A), At(M, 2 - A))],
)  # fmt: skip
def test_an_action_does_to_codes_what_the_bijection_does_to_states(declared: Any) -> None:
    engine = ring()
    (bijection,) = bijections(declared)
    action, chance = made(engine, bijection), random.Random(3)
    for _ in range(20):
        state = State([At(cell, chance.randrange(3)) for cell in range(4)])
        code = packed(engine.fields, action.image(numbers(engine.fields, engine.encode(state))))
        assert engine.decode(code) == bijection.state(state)


@pytest.mark.parametrize(
    ("declared", "extra", "told"),
    [
        (relabel(At(M, A), At(M + 1, A)), (),
         r"it makes At\(4, 0\) of At\(3, 0\), which cannot come up from this start"),
        (relabel(At(M, A), At(M, A + 1)), (),
         r"it makes At\(0, 3\) of At\(0, 2\), which cannot come up from this start"),
        (relabel(Fixed(M), Fixed(M + 1)), (Fixed(7),),
         r"it changes Fixed\(7\), which no rule changes"),
        (relabel(At(M, A), At((M + A) % 4, A)), (), "it takes what stands in one slot to several"),
    ],
)  # fmt: skip
def test_what_is_no_action_on_fields_is_told(declared: Any, extra: Any, told: str) -> None:
    (bijection,) = bijections(declared)
    with pytest.raises(Unsuitable, match=told):
        made(ring(*extra), bijection)


def test_two_terms_with_one_image_are_no_bijection() -> None:
    (bijection,) = bijections(relabel(At(M, A), At(0, A)))
    with pytest.raises(NoBijection, match=r"both become At\(0, "):
        made(ring(), bijection)


def test_terms_that_no_pattern_matches_stay() -> None:
    engine = ring(Fixed(7))
    (bijection,) = bijections(relabel(At(M, A), At((M + 1) % 4, A)))
    action = made(engine, bijection)
    assert sorted(action.sources) == list(range(len(engine.fields)))
    assert not any(encode(Fixed(7)) in field.values for field in fields(engine.layout))
    (same,) = bijections(relabel(Fixed(ANY), Fixed(7)))
    assert made(engine, same) == identity(engine.fields)


# -- canonical forms --------------------------------------------------------------------------


def random_fields(chance: random.Random) -> tuple[Field, ...]:
    """Fields of one to three kinds, with a gap of bits between some."""
    sizes = [chance.randint(2, 5) for _ in range(chance.randint(1, 3))]
    found, offset = [], 0
    for _ in range(chance.randint(2, 6)):
        kind = chance.randrange(len(sizes))
        bits = (sizes[kind] - 1).bit_length()
        found.append(Field(offset, bits, tuple(range(sizes[kind])), kind))
        offset += bits + chance.randint(0, 1)
    return tuple(found)


def random_action(chance: random.Random, fields: tuple[Field, ...]) -> Action:
    """Fields of a kind change places, and the values of each are permuted on the way."""
    sources = list(range(len(fields)))
    for kind in {field.kind for field in fields}:
        places = [place for place in sources if fields[place].kind == kind]
        mixed = chance.sample(places, len(places))
        for place, source in zip(places, mixed, strict=True):
            sources[place] = source
    alike = chance.random() < 0.5  # all fields of a kind alike, as rules with copies ask for
    tables = {field.kind: tuple(chance.sample(field.values, len(field.values))) for field in fields}
    maps = [
        tables[field.kind] if alike else tuple(chance.sample(field.values, len(field.values)))
        for field in fields
    ]
    return Action(tuple(sources), tuple(maps))


def random_group(chance: random.Random, fields: tuple[Field, ...], most: int) -> list[Action]:
    """The group of one to three random actions, of `most` elements at most."""
    start = identity(fields)
    while True:
        generators = [random_action(chance, fields) for _ in range(chance.randint(1, 3))]
        group = closure(generators, start, most)
        if group is not None:
            return group


@pytest.mark.parametrize("seed", range(40))
def test_the_canonical_form_is_the_least_image_field_by_field_and_its_own(seed: int) -> None:
    chance = random.Random(seed)
    fields = random_fields(chance)
    group = random_group(chance, fields, 200)
    least = canonical(fields, group)
    for _ in range(30):
        code = packed(fields, [chance.randrange(len(field.values)) for field in fields])
        images = [element.image(numbers(fields, code)) for element in group]
        assert numbers(fields, least(code)) == min(images)
        assert {least(packed(fields, image)) for image in images[:20]} == {least(code)}
        assert least(least(code)) == least(code)

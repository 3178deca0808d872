"""Values that are exchanged without a list of the group: the form is one for all images."""

import random
from itertools import permutations, product
from typing import Any

import pytest

from rewrite.analysis.fields import Field, numbers, packed
from rewrite.analysis.symmetry.actions import Action
from rewrite.analysis.symmetry.exchanges import Exchanges, conjugate
from rewrite.compile.interning import encode
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.bag import Bag
from rewrite.language.terms import term


@term
class Has:
    who: str
    what: int


@term
class At:
    cell: int
    who: str


@term
class Near:
    one: str
    other: str


@term
class Ring:
    one: str
    other: str
    third: str


@term
class Crowd:
    who: Any


NAMES = ("ann", "bob", "cid", "dan", "eve")
Sets = list[list[str]]


def laid_out(rows: list[list[Any]]) -> tuple[Field, ...]:
    found: list[Field] = []
    offset = 0
    for row in rows:
        bits = (len(row) - 1).bit_length() or 1
        values = tuple([None if one is None else encode(one) for one in row])
        found.append(Field(offset, bits, values, len(found)))
        offset += bits
    return tuple(found)


def bits(terms: list[Any]) -> list[list[Any]]:
    return [[None, one] for one in terms]


HAS = [[None, *[Has(name, what) for what in (1, 2)]] for name in NAMES]
CELLS = [[None, At(cell, "wall"), *[At(cell, name) for name in NAMES]] for cell in range(3)]
PAIRS = bits([Near(*pair) for pair in permutations(NAMES, 2)])
RINGS = bits([Ring(*three) for three in product(NAMES[:4], repeat=3)])
ALL: Sets = [list(NAMES)]
FORMS: dict[str, tuple[list[list[Any]], Sets]] = {
    "what is exchanged moves": (HAS, ALL),
    "what is exchanged is held": (CELLS, ALL),
    "both": (HAS + CELLS, ALL),
    "pairs": (PAIRS, ALL),
    "pairs and what is held": (PAIRS + CELLS[:1] + HAS, ALL),
    "threes": (RINGS, [list(NAMES[:4])]),
    "two sets": (PAIRS + CELLS, [["ann", "eve"], ["bob", "cid", "dan"]]),
}


def image(fields: tuple[Field, ...], code: int, table: dict[str, str]) -> int:
    """The state with other names, by the definition."""
    places = {one: (at, number) for at, field in enumerate(fields)
              for number, one in enumerate(field.values) if one is not None}  # fmt: skip
    held = [0] * len(fields)
    for field, number in zip(fields, numbers(fields, code), strict=True):
        if field.values[number] is not None:
            ctor, *parts = field.values[number]
            at, number = places[ctor, *[table.get(part, part) for part in parts]]
            held[at] = number
    return packed(fields, held)


def tables(sets: Sets) -> list[dict[str, str]]:
    """All ways to exchange names within sets."""
    each = [[dict(zip(one, mixed, strict=True)) for mixed in permutations(one)] for one in sets]
    return [{name: to for part in parts for name, to in part.items()} for parts in product(*each)]


def random_code(chance: random.Random, fields: tuple[Field, ...]) -> int:
    rate = chance.choice([0.1, 0.3, 0.5, 0.9])
    held = [chance.randrange(1, len(one.values)) if chance.random() < rate else 0 for one in fields]
    return packed(fields, held)


@pytest.mark.parametrize("form", FORMS)
def test_all_images_of_a_state_have_one_form_which_is_one_of_them(form: str) -> None:
    rows, sets = FORMS[form]
    fields, chance = laid_out(rows), random.Random(form)
    canonical = Exchanges(fields, sets).canonical
    moved = 0
    for _ in range(40):
        code = random_code(chance, fields)
        images = {image(fields, code, table) for table in tables(sets)}
        forms = {canonical(one) for one in images}
        assert len(forms) == 1
        assert forms <= images
        moved += len(images) > 1
    assert moved > 10


def test_what_nothing_tells_apart_has_one_form_however_it_is_joined() -> None:
    """Rings of six, one or two: refinement alone cannot tell the two apart."""
    names = [f"n{place}" for place in range(6)]
    pairs = list(permutations(names, 2))
    fields = laid_out(bits([Near(*pair) for pair in pairs]))
    canonical = Exchanges(fields, [names]).canonical

    def joined(*rings: list[str]) -> int:
        edges = {(one, other) for ring in rings
                 for one, other in zip(ring, ring[1:] + ring[:1], strict=True)}  # fmt: skip
        both = edges | {(other, one) for one, other in edges}
        return packed(fields, [int(pair in both) for pair in pairs])

    chance = random.Random(5)
    mixed = [chance.sample(names, 6) for _ in range(20)]
    one, two = ({canonical(joined(row)) for row in mixed},
                {canonical(joined(row[:3], row[3:])) for row in mixed})  # fmt: skip
    assert len(one) == len(two) == 1
    assert one != two


def test_many_values_that_are_all_alike_take_few_steps() -> None:
    names = [f"n{place:02}" for place in range(12)]
    fields = laid_out(bits([Near(*pair) for pair in permutations(names, 2)]))
    canonical = Exchanges(fields, [names]).canonical
    full = packed(fields, [1] * len(fields))  # each is near each: 12! ways, none of them another
    assert canonical(full) == full
    for place in (0, 7, 50, 131):
        fewer = [1] * len(fields)
        fewer[place] = 0
        assert canonical(packed(fields, fewer)) == canonical(packed(fields, [0] + [1] * 131))


def swap(fields: tuple[Field, ...], one: str, other: str) -> Action:
    """What an exchange does, as an action."""
    sources, maps = list(range(len(fields))), [list(range(len(one.values))) for one in fields]
    for place, field in enumerate(fields):
        for number, _ in enumerate(field.values):
            if number:
                code = packed(fields, [number if at == place else 0 for at in range(len(fields))])
                held = numbers(fields, image(fields, code, {one: other, other: one}))
                target = next(at for at, number in enumerate(held) if number)
                sources[target] = place
                maps[target][number] = held[target]
    return Action(tuple(sources), tuple([tuple(table) for table in maps]))


def test_an_exchange_by_way_of_a_third_value_is_the_exchange_of_the_two() -> None:
    fields = laid_out(HAS + CELLS)
    by_way = conjugate(swap(fields, "ann", "bob"), swap(fields, "bob", "cid"))
    assert by_way == swap(fields, "ann", "cid")


@pytest.mark.parametrize(
    ("rows", "names", "why"),
    [
        (bits([Crowd(Bag(["ann", "bob"]))]), NAMES, "its values stand in a bag within a term"),
        (bits([Crowd(("ann",) * 5)]), NAMES, "more than 4 of its values stand in one term"),
        (HAS, [f"n{at}" for at in range(251)], "it exchanges more than 250 values"),
        (bits([Crowd(("n0",) * 4)]), [f"n{at}" for at in range(33)],
         "too many of its values stand in one term"),
    ],
)  # fmt: skip
def test_what_cannot_be_exchanged_without_a_list_says_why(rows: Any, names: Any, why: str) -> None:
    with pytest.raises(Unsuitable) as caught:
        Exchanges(laid_out(rows), [list(names)])
    assert caught.value.reason.what == why

"""The canonical form is the least of all images, made one by one."""

import random

import pytest

from rewrite.reasoning.fields import Field, numbers, packed
from rewrite.reasoning.symmetry.actions import Action, closure, identity
from rewrite.reasoning.symmetry.canonical import canonical


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


def random_code(chance: random.Random, fields: tuple[Field, ...]) -> int:
    return packed(fields, [chance.randrange(len(field.values)) for field in fields])


@pytest.mark.parametrize("seed", range(40))
def test_the_canonical_form_is_the_least_image_field_by_field(seed: int) -> None:
    chance = random.Random(seed)
    fields = random_fields(chance)
    group = random_group(chance, fields, 200)
    least = canonical(fields, group)
    for _ in range(30):
        code = random_code(chance, fields)
        images = [element.image(numbers(fields, code)) for element in group]
        assert numbers(fields, least(code)) == min(images)


@pytest.mark.parametrize("seed", range(20))
def test_images_of_one_state_have_one_canonical_form_which_is_its_own(seed: int) -> None:
    chance = random.Random(seed)
    fields = random_fields(chance)
    group = random_group(chance, fields, 200)
    least = canonical(fields, group)
    for _ in range(10):
        code = random_code(chance, fields)
        held = numbers(fields, code)
        forms = {least(packed(fields, element.image(held))) for element in group}
        assert forms == {least(code)}
        assert least(least(code)) == least(code)

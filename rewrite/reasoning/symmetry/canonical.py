"""Canonical forms: of all images of a state under a group, the least, field by field.

The images are not made: field by field it is looked up which elements of the group reach the least
value there, until one is left or all that are left agree (Ip and Dill, Better verification through
symmetry, 1996).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from attrs import define

from rewrite.reasoning.fields import Field
from rewrite.reasoning.symmetry.actions import Action

Stage = list[tuple[int, int, tuple[int, ...], int]]
"""For each way in which a field of the image is read: shift, mask, table, the elements (bits)."""


@define(eq=False)
class Listed:
    """A group of which all elements are listed, the identity first."""

    fields: Sequence[Field]
    elements: Sequence[Action]

    @property
    def order(self) -> int:
        """The number of elements."""
        return len(self.elements)

    @cached_property
    def canonical(self) -> Callable[[int], int]:
        """The function from a state to its canonical form."""
        return canonical(self.fields, self.elements)

    def for_core(self) -> dict[str, Any]:
        """Return the group as the core takes it."""
        return {
            "fields": [(one.offset, one.bits) for one in self.fields],
            "elements": [(one.sources, one.maps) for one in self.elements],
        }


def canonical(fields: Sequence[Field], elements: Sequence[Action]) -> Callable[[int], int]:
    """Return the function from a state to its canonical form. `elements`: all, identity first."""
    if len(elements) == 1:
        return lambda code: code
    whole = (1 << len(elements)) - 1
    stages: dict[tuple[int, int], Stage] = {}
    moves = [
        [
            (fields[source].offset, (1 << fields[source].bits) - 1,
             tuple([value << one.offset for value in table]))
            for one, source, table in zip(fields, element.sources, element.maps, strict=True)
        ]
        for element in elements
    ]  # fmt: skip
    """For each field of each image: shift and mask of what is read, and its table."""

    def stage(place: int, left: int) -> Stage:
        ways: dict[tuple[int, tuple[int, ...]], int] = {}
        for number, element in enumerate(elements):
            if left >> number & 1:
                way = element.sources[place], element.maps[place]
                ways[way] = ways.get(way, 0) | 1 << number
        return [
            (fields[source].offset, (1 << fields[source].bits) - 1, table, bits)
            for (source, table), bits in ways.items()
        ]

    def least(code: int) -> int:
        left, place = whole, 0
        while left & left - 1 and place < len(fields):
            options = stages.get((place, left))
            if options is None:
                options = stages[place, left] = stage(place, left)
            place += 1
            if len(options) == 1:
                continue
            best = -1
            for shift, mask, table, bits in options:
                value = table[code >> shift & mask]
                if best < 0 or value < best:
                    best, left = value, bits
                elif value == best:
                    left |= bits
        if left & 1:
            return code  # the identity is among them
        image = 0
        for shift, mask, table in moves[(left & -left).bit_length() - 1]:
            image |= table[code >> shift & mask]
        return image

    return least

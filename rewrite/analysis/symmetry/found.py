"""Undeclared symmetries: automorphisms of a graph built from rules, goal and fields.

Fields, values, pairs of both, ground rules and goal states are vertices, coloured by type (Pochter,
Zohar and Rosenschein, Exploiting problem symmetries in state-based planners, AAAI 2011). An
automorphism permutes fields and values so that rules map to rules and goals to goals.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rewrite.analysis.symmetry.actions import Action, identity
from rewrite.analysis.symmetry.automorphisms import automorphism_group
from rewrite.analysis.symmetry.proof import Instances, Proof, States
from rewrite.analysis.symmetry.refinement import Graph
from rewrite.budget import ticking
from rewrite.compile.slots.changes import NEVER_HELD
from rewrite.compile.slots.keys import Unsuitable

MOST_VERTICES = 20_000
TEST, MISS, SET, MEMBER, SOURCE, TARGET, GUARD = range(7)
"""Labels of edges."""


def found_group(proof: Proof, most: int) -> tuple[list[Action], int]:
    """Return symmetries (beyond `most`, those that fix some fields), and the group's order."""
    drawn = _Drawn(proof)
    group = automorphism_group(Graph(drawn.colours, drawn.arcs))
    elements = ticking(group.subgroup(most, drawn.of_states), 20)
    actions = dict.fromkeys([identity(proof.fields), *map(drawn.action, elements)])
    if any(map(proof.doubt, map(drawn.action, group.generators))):
        raise Unsuitable("a symmetry that was found fails its proof")
    return list(actions), group.order


class _Drawn:
    def __init__(self, proof: Proof) -> None:
        self.fields = proof.fields
        self.colours: list[int] = []
        self.numbers: dict[Hashable, int] = {}
        self.arcs: list[tuple[int, int, int]] = []
        for field in self.fields:  # a field's vertex has the field's number
            self._vertex(("field", field.bits, len(field.values)))
        values: dict[tuple[int, int], int] = {}
        self.pairs: list[list[int]] = []
        for at, field in enumerate(self.fields):
            self.pairs.append([])
            for number, term in enumerate(field.values):
                pair = self._vertex(("pair", term is None))
                value = values.get((field.kind, number))
                if value is None:
                    value = values[field.kind, number] = self._vertex("value")
                self.arcs += [(pair, at, MEMBER), (pair, value, MEMBER)]
                self.pairs[-1].append(pair)
        self.of_states = len(self.colours)
        """The number of the vertices so far, on which an action on states depends."""
        for one in proof.rules.transitions:
            self._transition(one)
        for held in sorted(proof.goals):
            self._pairs(self._vertex("goal"), enumerate(held), MEMBER)
        for what, given in proof.forms:
            self._form(given, self._vertex(what))

    def _vertex(self, colour: Hashable) -> int:
        self.colours.append(self.numbers.setdefault(colour, len(self.numbers)))
        if len(self.colours) > MOST_VERTICES:
            raise Unsuitable("there are too many rules and goals to find symmetries among them")
        return len(self.colours) - 1

    def _pairs(self, vertex: int, given: Any, label: int) -> None:
        self.arcs += [(vertex, self.pairs[field][value], label) for field, value in given]

    def _transition(self, one: Any) -> None:
        vertex = self._vertex(("rule", one.cost, one.free))
        self._pairs(vertex, one.tests, TEST)
        self._pairs(vertex, one.misses, MISS)
        self._pairs(vertex, one.sets, SET)
        self._pairs(vertex, [(field, 0) for field in one.guards], GUARD)
        for field, source in one.copies:
            move = self._vertex("move")
            self.arcs += [
                (vertex, move, MEMBER),
                (move, source, SOURCE),
                (move, field, TARGET),
            ]
        for field, source, table in one.maps:
            move = self._vertex("map")
            self.arcs.append((vertex, move, MEMBER))
            for before, after in enumerate(table):
                if after != NEVER_HELD:
                    entry = self._vertex("entry")
                    self.arcs.append((move, entry, MEMBER))
                    self._pairs(entry, [(source, before)], SOURCE)
                    self._pairs(entry, [(field, after)], TARGET)

    def _form(self, given: Any, vertex: int) -> None:
        """Draw a form below a vertex; the parts of a tuple stay in order."""
        if isinstance(given, Instances):
            for tests, misses, *rest in sorted(given.found):
                instance = self._vertex(("instance", *rest))
                self.arcs.append((vertex, instance, MEMBER))
                self._pairs(instance, tests, TEST)
                self._pairs(instance, misses, MISS)
        elif isinstance(given, States):
            for held in sorted(given.held):
                state = self._vertex("state")
                self.arcs.append((vertex, state, MEMBER))
                self._pairs(state, enumerate(held), MEMBER)
        else:
            ordered = isinstance(given, tuple)
            for place, part in enumerate(given if ordered else sorted(given, key=repr)):
                plain = ordered and _is_plain(part)
                below = self._vertex(("part", place if ordered else "any", part if plain else None))
                self.arcs.append((vertex, below, MEMBER))
                if not plain:
                    self._form(part, below)

    def action(self, image: tuple[int, ...]) -> Action:
        sources = [0] * len(self.fields)
        maps: list[tuple[int, ...]] = [()] * len(self.fields)
        for place in range(len(self.fields)):
            target = image[place]
            number_of = {pair: number for number, pair in enumerate(self.pairs[target])}
            sources[target] = place
            maps[target] = tuple([number_of[image[pair]] for pair in self.pairs[place]])
        return Action(tuple(sources), tuple(maps))


def _is_plain(part: Any) -> bool:
    if isinstance(part, (tuple, frozenset)):
        return all(map(_is_plain, part))
    return not isinstance(part, (Instances, States))

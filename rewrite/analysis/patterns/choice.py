"""Chooses the projections for a heuristic, from the rules alone and deterministically.

Patterns are additive if no two count the cost of the same step (Korf and Felner, *Disjoint pattern
database heuristics*, AIJ 2002); of others the maximum counts. In sliding tiles, described by where
each tile is, a move changes one tile and the blank. So patterns of tiles are additive if moves of
the blank cost nothing; the blank is an uncounted variable of each pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count

from attrs import frozen

from rewrite.analysis.conserved import keeping_counts
from rewrite.analysis.disjoint_sets import DisjointSets
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.patterns.projections import (
    Exchange,
    Pattern,
    exchanges,
    field_pattern,
    place_pattern,
)
from rewrite.analysis.symmetry.actions import Action
from rewrite.analysis.transitions import Transition
from rewrite.budget import ticking
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Condition

MOST_PATTERNS = 20
MOST_FAILED = 2
"""Patterns of several fields that have too many steps: then no others of several are tried."""
MOST_HELPERS = 2
MOST_LISTED = 4
"""Equal sizes that a description repeats."""
MOST_ELEMENTS = 16
"""Most symmetries to examine."""
MOST_IMAGES = 3
"""Most images to look up: each costs as much per state as the state itself."""

Goals = tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
"""Alternatives, each (field, allowed values) pairs."""


@frozen
class PatternSet:
    """Patterns whose estimate is the sum over groups of the maximum in each group."""

    groups: tuple[tuple[Pattern, ...], ...]
    adds: bool
    """Known to count each step once and to cover every goal variable."""

    def says_nothing_of(self, start: Sequence[int]) -> bool:
        """Whether a state is a goal of every projection: then its estimate is 0."""
        return all(one.is_goal(start) for group in self.groups for one in group)

    def informs(self, start: Sequence[int]) -> bool:
        """Whether estimates may save more than look-ups cost: not the maximum of single slots."""
        single = all(len(one.variables) == 1 for group in self.groups for one in group)
        useful = self.adds or len(self.groups) > 1 or not single
        return useful and not self.says_nothing_of(start)

    def step_of_several(self, given: Sequence[Transition]) -> Transition | None:
        """Return a transition because of which patterns of a group do not add up, if any."""
        for group in self.groups:
            held = {field for one in group for field in one.places or one.variables}
            several = [one for one in given if len(one.written) > 1 and one.written & held]
            if len(group) > 1 and several:
                return max(several, key=lambda one: len(one.written & held))
        return None

    def description(self) -> str:
        patterns = [one for group in self.groups for one in group]
        sizes = [str(one.counted) for one in patterns]
        what = "value" if patterns[0].places else "slot"
        first = f"{sizes[0]} {what}{'s' * (sizes[0] != '1')}"
        if len(patterns) == 1:
            return f"a pattern database of {first}"
        how = "additive " if len(self.groups) == len(patterns) else ""
        listed = f"{', '.join(sizes[:-1])} and {sizes[-1]} {what}s"
        if len(sizes) > MOST_LISTED and len({*sizes}) == 1:
            listed = f"{first} each"
        return f"{len(patterns)} {how}pattern databases of {listed}"


class Choice:
    def __init__(self, rules: OverSlots, goals: Goals, most_entries: int) -> None:
        self.given, self.fields = rules.transitions, rules.fields
        self.start = rules.begun
        self.goals, self.most = goals, most_entries

    def sets(self) -> list[PatternSet]:
        """Return the candidates; a single one if it is additive over the whole goal."""
        found = [*self._by_places()]
        return [one for one in found if one.adds] or [*self._by_fields(), *found]

    # -- where values are ------------------------------------------------------------------
    def _by_places(self) -> Iterator[PatternSet]:
        for kind in dict.fromkeys(field.kind for field in self.fields):
            places = tuple([at for at, field in enumerate(self.fields) if field.kind == kind])
            if len(places) > 1 and (found := self._of_kind(places)):
                yield found

    def _of_kind(self, places: tuple[int, ...]) -> PatternSet | None:
        held = [self.start[place] for place in places]
        tracked = frozenset(value for value in held if held.count(value) == 1)
        moved = exchanges(self.given, places, tracked)
        allowed = [_places_of(needs, places, held, tracked) for needs in self.goals]
        wanted = sorted(v for v in tracked if any(len(one[v]) == 1 for one in allowed))
        if moved is None or not wanted:
            return None
        helpers = _helpers(moved, tracked)
        counted = [value for value in wanted if helpers is None or value not in helpers]
        helping = sorted(helpers or ())
        room = next(number for number in count() if len(places) ** (number + 1) > self.most)
        if len(helping) > MOST_HELPERS or room - len(helping) < 2:
            helping = []
        adds = helpers is not None and bool(counted)
        if not counted:
            counted, helping = wanted, []
        near = _nearness(moved, allowed, counted)
        patterns = []
        for group in _partition(counted, room - len(helping), near):
            values = (*group, *helping)
            goals = tuple(dict.fromkeys(tuple([one[v] for v in values]) for one in allowed))
            pattern = place_pattern(moved, places, values, len(group), goals)
            if pattern.steps:
                patterns.append(pattern)
        if not patterns or len(patterns) > MOST_PATTERNS:
            return None
        together = tuple((one,) for one in patterns) if adds else (tuple(patterns),)
        goal_places = {field for needs in self.goals for field, _ in needs}
        return PatternSet(together, adds and goal_places <= set(places))

    # -- what fields hold ------------------------------------------------------------------
    def _by_fields(self) -> Iterator[PatternSet]:
        """Grow a pattern from each goal field not yet covered, by fields that rules connect to it.

        A pattern avoids fields that change together with those of another pattern, unless they
        change together with its own first field.
        """
        left = sorted({field for needs in self.goals for field, _ in needs})
        sets = DisjointSets(len(self.fields))
        for step in self.given:
            sets.join_all(sorted(step.written))
        joined = [sets.find(field) for field in range(len(self.fields))]
        links = [sorted(one.written | one.read) for one in self.given]
        used, patterns, failed = set[int](), list[Pattern](), 0
        while left and len(patterns) < MOST_PATTERNS:
            seed, pattern = left.pop(0), None
            if failed < MOST_FAILED:
                chosen = self._grown(seed, links, joined, used - {joined[seed]}, set(left))
                pattern = self._field_pattern(chosen)
                failed += pattern is None
            pattern = pattern or self._field_pattern([seed])
            if pattern is not None and pattern.steps:
                left = [field for field in left if field not in pattern.variables]
                used |= {joined[field] for field in pattern.variables}
                patterns.append(pattern)
        # patterns that change together form one group, of which the maximum counts
        for one in patterns:
            sets.join_all(one.variables)
        groups: dict[int, list[Pattern]] = {}
        for one in patterns:
            groups.setdefault(sets.find(one.variables[0]), []).append(one)
        if groups:
            yield PatternSet(tuple(map(tuple, groups.values())), adds=False)

    def _grown(
        self, seed: int, links: list[list[int]], joined: list[int], barred: set[int], goal: set[int]
    ) -> list[int]:
        chosen, entries = [seed], len(self.fields[seed].values)
        while True:
            near = [each for each in ticking(links) if any(field in chosen for field in each)]
            score = Counter(field for each in near for field in each)
            able = [
                field for field in score
                if field not in chosen and joined[field] not in barred
                and entries * len(self.fields[field].values) <= self.most
            ]  # fmt: skip
            if not able:
                return chosen
            best = max(able, key=lambda field: (score[field], field in goal, -field))
            chosen.append(best)
            entries *= len(self.fields[best].values)

    def _field_pattern(self, chosen: list[int]) -> Pattern | None:
        every = {field: tuple(range(len(self.fields[field].values))) for field in chosen}
        goals = [tuple([(every | dict(needs))[field] for field in chosen]) for needs in self.goals]
        try:
            return field_pattern(self.given, self.fields, chosen, tuple(dict.fromkeys(goals)))
        except Unsuitable:
            return None


def _places_of(
    needs: Sequence[tuple[int, tuple[int, ...]]], places: tuple[int, ...], held: list[int],
    tracked: frozenset[int],
) -> dict[int, tuple[int, ...]]:  # fmt: skip
    """Return, for each value, the places (by number) where it may be in a goal."""
    allowed = {place: values for place, values in needs if place in places}
    sure = {values[0]: number for number, place in enumerate(places)
            if len(values := allowed.get(place, ())) == 1}  # fmt: skip
    return {
        value: (sure[value],) if value in sure
        else tuple([at for at, place in enumerate(places) if value in allowed.get(place, held)])
        for value in tracked
    }  # fmt: skip


def _helpers(moved: Sequence[Exchange], tracked: frozenset[int]) -> set[int] | None:
    """Return values to leave uncounted, so that no step moves two counted ones; or None.

    If steps move pairs of known values, those in the most pairs: the blank, where costs depend on
    the tile.
    """
    helpers: set[int] = set()
    known_of: list[set[int]] = []
    for one in moved:
        unknown = sum(to != came for to, came in one.moves)
        known = {value for value, to, came in one.known if to != came and value in tracked}
        if unknown > 1:
            return None
        if unknown == 1:
            helpers |= known
        known_of.append(known)
    while open_ := [known - helpers for known in known_of if len(known - helpers) > 1]:
        if len(helpers) == MOST_HELPERS:
            return None
        often = Counter(value for known in open_ for value in sorted(known))
        helpers.add(max(often, key=lambda value: (often[value], -value)))
    return helpers


def _nearness(
    moved: Sequence[Exchange], allowed: Sequence[dict[int, tuple[int, ...]]], values: Sequence[int]
) -> dict[tuple[int, int], int]:
    links: Counter[tuple[int, int]] = Counter()
    for one in moved:
        links.update([*one.moves, *((to, came) for _, to, came in one.known)])
    home = {v: next(one[v][0] for one in allowed if len(one[v]) == 1) for v in values}
    return {
        (a, b): links[home[a], home[b]] + links[home[b], home[a]] for a in values for b in values
    }


def _partition(
    values: Sequence[int], most: int, near: dict[tuple[int, int], int]
) -> list[list[int]]:
    """Return groups of nearly equal size, each grown from the first unassigned value."""
    if most < 1:
        return []
    number = -(-len(values) // most)
    left, groups = list(values), []
    for at in range(number):
        size = -(-len(left) // (number - at))
        group = [left.pop(0)]
        while len(group) < size:
            best = max(left, key=lambda v: (sum(near[v, other] for other in group), -left.index(v)))
            left.remove(best)
            group.append(best)
        groups.append(group)
    return groups


Shown = frozenset[tuple[frozenset[int], frozenset[int]]]
"""For each pattern of a set, its counted variables and the others."""


def images(rules: OverSlots, goal: Condition, chosen: PatternSet) -> list[Action]:
    """Return symmetries that map a pattern set to different patterns: images worth looking up too.

    A symmetry of rules and goal preserves distances, so the estimate for the image of a state holds
    for the state: in sliding tiles, for its reflection in the diagonal. Only for additive patterns
    of places: elsewhere finding images may take longer than they save.
    """
    if not chosen.adds:
        return []
    # imported lazily: most heuristics do not need them
    from rewrite.analysis.symmetry.found import found_group
    from rewrite.analysis.symmetry.proof import Proof

    group: list[Action] = []
    with suppress(Unsuitable):
        group, _ = found_group(Proof(rules, goal, None), MOST_ELEMENTS)
    if len(group) < 2:
        return []
    keeps = keeping_counts(rules)
    found: dict[Shown, Action] = {}
    for action in group:
        # the tables cover states with as many values of each kind as the start has
        if keeps(action):
            found.setdefault(_shown(chosen, action), action)
    return [*found.values()][1 : 1 + MOST_IMAGES]  # the identity comes first


def _shown(chosen: PatternSet, action: Action) -> Shown:
    """Return the variables of a state that are looked up through its image."""
    found = set()
    for one in [one for together in chosen.groups for one in together]:
        renamed = action.maps[one.places[0]]  # values are renamed identically in all places
        seen = [renamed.index(value) for value in one.variables]
        found.add((frozenset(seen[: one.counted]), frozenset(seen[one.counted :])))
    return frozenset(found)

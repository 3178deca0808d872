"""Projections of ground rules onto few variables: the patterns of pattern databases.

(Culberson and Schaeffer, *Pattern databases*, Computational Intelligence 1998; Edelkamp, *Planning
with pattern databases*, ECP 2001.) A variable is a field with what it holds or, in the dual view,
a value with the field that holds it (`places`). An abstract state gives each variable of a pattern
a number; the steps of a pattern lead *back*, from abstract states after a transition to those
before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import perm, prod

from attrs import evolve, frozen

from rewrite.analysis.fields import Field
from rewrite.analysis.inverse_transitions import inverted
from rewrite.analysis.transitions import Pairs, Transition
from rewrite.budget import tick
from rewrite.compile.slots.keys import Unsuitable

MOST_STEPS = 4_000


@frozen
class Step:
    """From an abstract state after a transition to the one before.

    tests, misses   (variable, number): what must and must not hold after
    sets, copies    (variable, number), (variable, variable): what other variables held before
    shifts          (number after, before) for any variable: places whose values moved
    """

    cost: int
    tests: Pairs = ()
    misses: Pairs = ()
    sets: Pairs = ()
    copies: Pairs = ()
    shifts: Pairs = ()


@frozen
class Pattern:
    """A projection.

    variables   fields or, where `places` is not empty, values of the fields `places`
    counted     the first so many variables are counted: a step that changes one has its cost; the
                others only inform: other patterns count their changes, or none does
    sizes       how many numbers each variable can have
    goals       alternatives: for each variable the numbers that it may have in a goal
    """

    variables: tuple[int, ...]
    counted: int
    sizes: tuple[int, ...]
    steps: tuple[Step, ...]
    goals: tuple[tuple[tuple[int, ...], ...], ...]
    places: tuple[int, ...] = ()

    @property
    def entries(self) -> int:
        return prod(self.sizes)

    def is_goal(self, held: Sequence[int]) -> bool:
        """Whether a state, as the numbers that its fields hold, is a goal of the projection."""
        numbers = [held[field] for field in self.variables]
        if self.places:
            values = [held[place] for place in self.places]
            numbers = [values.index(value) for value in self.variables]
        return any(
            all(number in allowed for number, allowed in zip(numbers, goal, strict=True))
            for goal in self.goals
        )

    @property
    def strides(self) -> tuple[int, ...]:
        """The factor of each variable in the index; uncounted ones, as the blank, come last."""
        return tuple([prod(self.sizes[at + 1 :]) for at in range(len(self.sizes))])

    @property
    def work(self) -> int:
        """About how many steps building the table inspects, sorted by one tested variable."""
        states = self.entries
        if self.places:
            states = perm(len(self.places), len(self.variables))
        tested = Counter([variable for step in self.steps for variable, _ in step.tests])
        [(variable, sorted_out)] = tested.most_common(1) or [(0, 0)]
        return states * (len(self.steps) - sorted_out + -(-sorted_out // self.sizes[variable]))


def field_pattern(
    given: Sequence[Transition], fields: Sequence[Field], chosen: Sequence[int],
    goals: tuple[tuple[tuple[int, ...], ...], ...],
) -> Pattern:  # fmt: skip
    """Return the projection onto fields. Raises Unsuitable if it has too many steps."""
    local = {field: number for number, field in enumerate(chosen)}
    abstract: dict[Transition, None] = {}
    for one in given:
        tick()
        # a value copied from outside the pattern may be any value
        outside = {source for field, source in one.copies if field in local} - local.keys()
        outside |= {source for field, source, _ in one.maps if field in local}
        for known in one.testing(outside, fields) if one.written & local.keys() else ():
            tick(4)
            abstract[known.within(local)] = None
            if len(abstract) > MOST_STEPS:
                raise Unsuitable(f"a projection of its rules has more than {MOST_STEPS:,} steps")
    inverses = inverted(list(abstract), [fields[field] for field in chosen])
    steps = cheapest(
        Step(one.cost, one.tests, one.misses, one.sets, one.copies) for one in inverses
    )
    sizes = tuple([len(fields[field].values) for field in chosen])
    return Pattern(tuple(chosen), len(chosen), sizes, steps, goals)


def cheapest(given: Iterable[Step]) -> tuple[Step, ...]:
    """Return the cheapest of the steps that differ only in cost."""
    best: dict[Step, int] = {}
    for one in given:
        key = evolve(one, cost=0)
        best[key] = min(one.cost, best.get(key, one.cost))
    return tuple([evolve(key, cost=cost) for key, cost in best.items()])


# -- the dual view -----------------------------------------------------------------------------
@frozen
class Exchange:
    """What a transition does to the places of one kind, if it only permutes their values.

    stays    (place, value): held before and after
    misses   (place, value): not held before
    moves    (place after, place before) of values not known
    known    (value, place after, place before) of known values
    """

    cost: int
    stays: Pairs
    misses: Pairs
    moves: Pairs
    known: tuple[tuple[int, int, int], ...]


def exchanges(
    given: Sequence[Transition], places: Sequence[int], tracked: frozenset[int]
) -> list[Exchange] | None:
    """Return what the transitions do to places; None if one changes which values there are.

    tracked   the values that are in one place each; places are numbered in their order here.
    Transitions that leave the places alone, or that can never apply, are left out.
    """
    local = {field: number for number, field in enumerate(places)}
    found = []
    for one in given:
        written = one.written & local.keys()
        if not written:
            continue
        tests = {local[field]: value for field, value in one.tests if field in local}
        if any(field in local for field, *_ in one.maps):
            return None
        copies = {local[field]: source for field, source in one.copies if field in local}
        if any(source not in local for source in copies.values()):
            return None
        after = {local[field]: ("value", value) for field, value in one.sets if field in local}
        after |= {to: _content(local[source], tests) for to, source in copies.items()}
        before = [_content(local[field], tests) for field in written]
        if sorted(before) != sorted(after.values()):
            return None
        held = [value for value in tests.values() if value in tracked]
        if len(held) != len(set(held)):
            continue
        came = {value: place for place, value in tests.items()}
        wrote = {local[field] for field in written}
        found.append(
            Exchange(
                one.cost,
                tuple(sorted((p, v) for p, v in tests.items() if p not in wrote)),
                tuple([(local[f], v) for f, v in one.misses if f in local]),
                tuple(sorted((p, x) for p, (kind, x) in after.items() if kind == "place")),
                tuple(sorted((x, p, came[x]) for p, (kind, x) in after.items() if kind == "value")),
            )
        )
    return found


def _content(place: int, tests: dict[int, int]) -> tuple[str, int]:
    return ("value", tests[place]) if place in tests else ("place", place)


def place_pattern(
    given: Sequence[Exchange], places: tuple[int, ...], values: Sequence[int], counted: int,
    goals: tuple[tuple[tuple[int, ...], ...], ...],
) -> Pattern:  # fmt: skip
    local = {value: number for number, value in enumerate(values)}
    steps = cheapest(step for one in given if (step := _back(one, local)).sets or step.shifts)
    return Pattern(tuple(values), counted, (len(places),) * len(values), steps, goals, places)


def _back(one: Exchange, local: dict[int, int]) -> Step:
    there = [*one.stays, *((to, value) for value, to, _ in one.known)]
    tests = [(local[value], place) for place, value in there if value in local]
    sets = [(local[value], came) for value, _, came in one.known if value in local]
    misses = [
        (variable, place) for place, value in there if value not in local
        for variable in local.values()
    ]  # fmt: skip
    went = {came: to for to, came in one.moves}
    fixed = {came for _, _, came in one.known} | {place for place, _ in one.stays}
    misses += [
        (local[value], went.get(place, place))
        for place, value in one.misses
        if value in local and place not in fixed
    ]
    shifts = tuple([(to, came) for to, came in one.moves if to != came])
    own = {variable for variable, _ in tests}
    return Step(
        one.cost, tuple(sorted(tests)),
        tuple(sorted({miss for miss in misses if miss[0] not in own})),
        tuple(sorted(sets)), (), shifts,
    )  # fmt: skip

"""Interchangeable pieces: terms of one constructor that rules only move, one at a time.

The boxes of Sokoban are such pieces, and the player is their mover. As each transition moves at
most one piece, the cost of every step belongs to that piece. So the cost of moving each piece by
itself, summed over pieces, never exceeds the cost of a solution: projections that follow one piece
and its movers, and count only the steps that move that piece, are additive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import prod

from attrs import evolve, frozen

from rewrite.analysis.conserved import conserved_heads
from rewrite.analysis.fields import Field, bits
from rewrite.analysis.patterns.projections import Pattern, Step, cheapest
from rewrite.analysis.transitions import Pairs, Transition, pairs
from rewrite.budget import tick
from rewrite.compile.interning import Ctor, term_type_of

A_PIECE = -1
"""Stands for the field of a variable that holds the place of a piece."""


@frozen
class Pieces:
    """Pieces of one constructor; every state has the same number of them.

    places   (field, number): a piece is there if the field holds the number; a place is named by
             its index here
    count    the number of pieces
    blanks   for each field of the places, a number that stands for no piece
    movers   the fields that move them, most helpful first
    acts     what each transition does
    """

    name: str
    places: Pairs
    count: int
    blanks: Pairs
    movers: tuple[int, ...]
    acts: tuple[Act, ...]

    def within(self, most: int, fields: Sequence[Field]) -> Pieces:
        """Return the same with movers that can hold at most this many values together."""
        chosen: list[int] = []
        for field in self.movers:
            if prod(len(fields[one].values) for one in [*chosen, field]) <= most:
                chosen.append(field)
        return evolve(self, movers=tuple(chosen))


@frozen
class Act:
    """What a transition does to pieces.

    taken, put   the places between which it moves a piece; None if it moves none
    closed       places without a piece before it, or after it
    """

    transition: Transition
    taken: int | None
    put: int | None
    closed: frozenset[int]


def pieces(
    given: Sequence[Transition], fields: Sequence[Field], start: Sequence[int],
    asked: Collection[int],
) -> list[Pieces]:  # fmt: skip
    """Return all pieces that have places among the fields `asked`, in the order of the fields.

    No transition moves pieces of two of the constructors returned, so their costs are additive.
    Takes time in proportion to what the transitions test, for each constructor.
    """
    heads = [own for own in conserved_heads(given, fields) if len({at for at, _ in own}) > 1]
    of_heads = {field for own in heads for field, _ in own}
    found: list[Pieces] = []
    moved_before: set[int] = set()
    for own in heads:
        count = sum(start[field] == number for field, number in own)
        blanks = _blanks(own, fields)
        acts = _acts(given, own) if count and blanks and any(at in asked for at, _ in own) else []
        moves = {number for number, act in enumerate(acts) if act.taken is not None}
        if moves and moved_before.isdisjoint(moves):
            moved_before |= moves
            used: Counter[int] = Counter()
            for one in map(given.__getitem__, moves):
                used.update((one.written | one.read) - of_heads)
                used.update(one.written - of_heads)
            movers = tuple(sorted(used, key=lambda field: (-used[field], field)))
            head = term_type_of(fields[own[0][0]].values[own[0][1]])
            name = head.cls.__name__ if isinstance(head, Ctor) and head.cls else str(head)
            found.append(Pieces(name, own, count, blanks, movers, tuple(acts)))
    return found


def _blanks(own: Pairs, fields: Sequence[Field]) -> Pairs:
    """Return for each field a number without a piece; empty if some field has none."""
    free = {
        field: [number for number in range(len(fields[field].values)) if (field, number) not in own]
        for field, _ in own
    }
    return pairs({at: each[0] for at, each in free.items()}) if all(free.values()) else ()


def _acts(given: Sequence[Transition], places: Pairs) -> list[Act]:
    """Return what each transition does; empty if one moves several. Each tests all it writes."""
    by_field: dict[int, list[tuple[int, int]]] = {}
    for place, (field, number) in enumerate(places):
        by_field.setdefault(field, []).append((place, number))
    found = []
    for one in given:
        tick(2 + len(one.tests) + len(one.misses))
        sets = dict(one.sets)
        taken, put, closed = list[int](), list[int](), set[int]()
        for field, before in one.tests:
            after = sets.get(field, before)
            for place, number in by_field.get(field, ()):
                if not before == number == after:
                    closed.add(place)
                if before == number != after:
                    taken.append(place)
                if after == number != before:
                    put.append(place)
        for field, missed in one.misses:
            closed |= {place for place, number in by_field.get(field, ()) if number == missed}
        if len(taken) > 1:
            return []
        ends = [*taken, None][0], [*put, None][0]
        found.append(Act(one, *ends, frozenset(closed)))
    return found


def followed(
    pieces: Pieces, fields: Sequence[Field], how_many: int, where: Sequence[int]
) -> Pattern:
    """Return the projection onto one piece or two, and their movers, without goals.

    where   the places that pieces can be at; the first variables are indices into these

    With one piece, the steps that move it count; with two nothing does: the question is only
    whether there is a way.
    """
    local = {place: number for number, place in enumerate(where)}
    variables = {field: how_many + number for number, field in enumerate(pieces.movers)}
    others = pieces.count > how_many
    every = [_steps(act, how_many, local, variables, others) for act in pieces.acts]
    steps = cheapest(chain.from_iterable(every))
    sizes = (len(local),) * how_many + tuple([len(fields[at].values) for at in pieces.movers])
    counted = 1 if how_many == 1 else 0
    return Pattern((A_PIECE,) * how_many + pieces.movers, counted, sizes, steps, ())


def _steps(
    act: Act, how_many: int, local: dict[int, int], variables: dict[int, int], others: bool
) -> Iterator[Step]:
    """Yield the backward steps of a transition; `others`: a piece that is not followed may move."""
    one = act.transition
    sets = dict(one.sets)
    tests = [(variables[at], sets.get(at, held)) for at, held in one.tests if at in variables]
    misses = [(variables[at], held) for at, held in one.misses if at in variables]
    before = [(variables[at], held) for at, held in one.tests if at in variables and at in sets]
    closed = sorted(local[place] for place in act.closed if place in local)
    tick(10)

    def step(cost: int, moved: int | None) -> Step:
        kept = [(piece, at) for piece in range(how_many) if piece != moved for at in closed]
        came, went = list[tuple[int, int]](), list[tuple[int, int]]()
        if moved is not None and act.taken is not None and act.put is not None:
            came, went = [(moved, local[act.put])], [(moved, local[act.taken])]
        return Step(
            cost, tuple(sorted([*tests, *came])), tuple(sorted([*misses, *kept])),
            tuple(sorted([*before, *went])),
        )  # fmt: skip

    if before and (act.taken is None or others):
        yield step(0, None)
    if act.taken in local and act.put in local:
        for moved in range(how_many):
            yield step(one.cost, moved)


@frozen
class Frozen:
    """Detects pieces that block each other, so that none of them can ever move again.

    A piece is frozen if each of its moves leads to a dead place, or needs a place to be empty
    where another frozen piece is, by its rule or because its mover must be there. Moving the first
    would need another to be gone, so they must be on goal places already.

    moves   by place: for each move to a place that is not dead, the places that must be empty
    apart   (field, for each number that it may hold the places that are empty then): an invariant,
            preserved by every transition; nothing is known about states that violate it
    Sets of places are the bits of a number.
    """

    moves: tuple[tuple[int, ...], ...]
    apart: tuple[tuple[int, tuple[int, ...]], ...]


def frozen_pieces(
    pieces: Pieces, fields: Sequence[Field], start: Sequence[int], live: Mapping[int, int]
) -> Frozen:
    """`live`: the places that are not dead, with their numbers here."""
    apart = {field: _kept_empty(pieces, fields, start, field) for field in pieces.movers}

    def numbered(places: int) -> int:
        return bits(number for place, number in live.items() if places >> place & 1)

    moves: list[list[int]] = [[] for _ in live]
    for act in pieces.acts:
        if act.taken is not None and act.taken in live and act.put in live:
            needs = bits(act.closed - {act.taken})
            for field, value in act.transition.tests:
                if field in apart:
                    needs |= apart[field][value]
            moves[live[act.taken]].append(numbered(needs))
    return Frozen(
        tuple([tuple(dict.fromkeys(one)) for one in moves]),
        tuple([(field, tuple(map(numbered, empty))) for field, empty in apart.items()]),
    )


def _kept_empty(
    pieces: Pieces, fields: Sequence[Field], start: Sequence[int], field: int
) -> list[int]:
    """Return, for each value of a field, the places that stay empty while it holds that value."""
    there = bits(place for place, (at, number) in enumerate(pieces.places) if start[at] == number)
    # the largest sets that the start satisfies and every transition preserves
    every = (1 << len(pieces.places)) - 1
    empty = [every] * len(fields[field].values)
    empty[start[field]] &= ~there
    steps = []
    for act in pieces.acts:
        tests, sets = dict(act.transition.tests), dict(act.transition.sets)
        put = 0 if act.put is None else 1 << act.put
        # afterwards there may be pieces where it put one, and where one was before
        if field in tests:
            steps.append((tests[field], sets.get(field, tests[field]), bits(act.closed), put))
        elif put:
            missed = {value for at, value in act.transition.misses if at == field}
            for value in range(len(empty)):
                empty[value] &= -1 if value in missed else ~put
    changed = True
    while changed:
        changed = False
        tick(len(steps))
        for before, after, closed, put in steps:
            broken = empty[after] & (~empty[before] & ~closed | put)
            if broken:
                empty[after] ^= broken
                changed = True
    return empty

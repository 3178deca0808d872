"""Frozen pieces: those that block each other, so that none of them ever moves again.

A piece is frozen where each of its moves leads to a dead place, or needs a place to be empty where
another frozen piece stands. The first of them to move would need one of the others gone before, so
on a way to a goal none moves: they must stand on goal places already.

A move needs places to be empty because its rule says so, or because who moves the piece stands
there. That nobody stands where a piece is follows from the rules: it is an invariant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from rewrite.budget import tick
from rewrite.reasoning.fields import Field
from rewrite.reasoning.pieces import Pieces


@frozen
class Frozen:
    """What tells which pieces are frozen; sets of places are the bits of a number.

    moves   by place: for each move to a place that is not dead, the places that must be empty
    apart   (field, for each number that it may hold the places that are empty then): an invariant,
            kept by every transition; of a state that does not meet it nothing is known
    """

    moves: tuple[tuple[int, ...], ...]
    apart: tuple[tuple[int, tuple[int, ...]], ...]


def frozen_pieces(
    pieces: Pieces, fields: Sequence[Field], start: Sequence[int], live: Mapping[int, int]
) -> Frozen:
    """Return what tells it.

    live   the places that are not dead, with the numbers that stand for them here
    """
    apart = {field: _kept_empty(pieces, fields, start, field) for field in pieces.movers}

    def numbered(places: int) -> int:
        return _bits(number for place, number in live.items() if places >> place & 1)

    moves: list[list[int]] = [[] for _ in live]
    for act in pieces.acts:
        if act.taken is not None and act.taken in live and act.put in live:
            needs = _bits(act.closed - {act.taken})
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
    """Return, by what a field holds, places that stay empty while it does.

    The largest such sets that the start meets and every transition keeps: what one breaks is taken
    out until none breaks any.
    """
    there = _bits(place for place, (at, number) in enumerate(pieces.places) if start[at] == number)
    every = (1 << len(pieces.places)) - 1
    empty = [every] * len(fields[field].values)
    empty[start[field]] &= ~there
    steps = []
    for act in pieces.acts:
        tests, sets = dict(act.transition.tests), dict(act.transition.sets)
        put = 0 if act.put is None else 1 << act.put
        # after the transition there may be pieces where it put one, and where one was before
        if field in tests:
            steps.append((tests[field], sets.get(field, tests[field]), _bits(act.closed), put))
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


def _bits(places: Iterable[int]) -> int:
    found = 0
    for place in places:
        found |= 1 << place
    return found

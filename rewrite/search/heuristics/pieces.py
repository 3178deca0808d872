"""Pieces: the cost of moving each to a goal place, summed by a minimum-cost assignment.

Each goal place for pieces has a table: the least cost of moving one piece there, alone with its
movers. A second table lists the pairs of places from which two pieces can never reach two goal
places; and pieces that block each other forever must be at goal places already (see
`analysis.pieces`). All this is admissible, as explained in `analysis.pieces`: each step counts
only for the piece it moves. The minimum sum decides which piece goes where.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from attrs import evolve, frozen

from rewrite.analysis.fields import Field, set_bits
from rewrite.analysis.goals.facts import Needs, common, goal_facts_or_ways_out
from rewrite.analysis.over_slots import OverSlots
from rewrite.analysis.pieces import Frozen, Pieces, followed, frozen_pieces
from rewrite.analysis.pieces import pieces as pieces_of
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.results.result import counted
from rewrite.search.heuristics.heuristic import Heuristic, hopeless
from rewrite.search.heuristics.pattern_databases import NO_WAY, table

MOST_ENTRIES = 1 << 23
"""Entries of all tables of single pieces together, and of the table of pairs."""
MOST_COLUMNS = 48
"""Goal places with a table each; if there are more, they share one, open to any piece."""


def pieces(rules: OverSlots, goal: Condition, most_entries: int = MOST_ENTRIES) -> Heuristic:
    """Return the heuristic, its tables with at most `most_entries`. Raises Unsuitable."""
    asked, found = _pieces(rules, goal)
    if asked is None:  # no state can be a goal
        return hopeless(rules.fields)
    if not found:
        raise Unsuitable(
            "its goal says of no pieces where they must be (terms of one constructor, of which "
            "each rule moves one at most)"
        )
    start = rules.begun
    tables = [_Tables.of(one, rules.fields, start, asked, most_entries) for one in found]
    data = {"kind": "pieces", "groups": [one.for_core() for one in tables]}
    note = "; ".join(["pieces: " + one.description() for one in tables])
    return Heuristic(rules.fields, data, note, rules_out=any(one.dead for one in tables))


def pieces_build_cost(rules: OverSlots, goal: Condition) -> tuple[int, int] | None:
    """Return the approximate number of table entries, and of steps from them.

    None if there are no such pieces. Raises Unsuitable.
    """
    asked, found = _pieces(rules, goal)
    entries = steps = 0
    for given in found:
        wanted = _wanted(given, asked or {})
        one = given.within(MOST_ENTRIES // (len(given.places) * len(wanted)), rules.fields)
        ways = prod(len(rules.fields[field].values) for field in one.movers)
        own = len(given.places) * ways * len(dict.fromkeys(goal for goal, _ in wanted))
        if one.count > 1 and len(given.places) ** 2 * ways <= MOST_ENTRIES:
            own += len(given.places) ** 2 * ways
        entries += own
        steps += own * (1 + len(rules.transitions) // ways)
    return (entries, steps) if found else None


def _pieces(rules: OverSlots, goal: Condition) -> tuple[Needs | None, list[Pieces]]:
    """Return what every goal requires of fields, None if no state can be one; and its pieces."""
    goals = goal_facts_or_ways_out(rules, goal)
    if not goals:
        return None, []
    asked = common([dict(one) for one in goals])
    start = rules.begun
    return asked, pieces_of(rules.transitions, rules.fields, start, asked) if asked else []


@frozen
class _Tables:
    """Pieces with their tables.

    strides   the stride of each mover's number in an index, in places
    ways      the number of ways to fill the movers
    columns   goal places, each one or several that a piece may choose from, at least as many as
              there are pieces: whether a goal requires a piece there, and the least cost by place
              and by the values of the movers
    live      the places from which a piece can reach a goal, with their numbers; others are dead
    alive     whether two pieces can reach goals: by their live-place numbers and by the values of
              the movers; empty if unknown
    frozen    which pieces block each other forever, by their live-place numbers
    goals     the numbers of live places where a piece may be in a goal
    """

    pieces: Pieces
    strides: tuple[int, ...]
    ways: int
    columns: tuple[tuple[bool, bytes], ...]
    live: dict[int, int]
    alive: bytes
    frozen: Frozen
    goals: tuple[int, ...]

    @staticmethod
    def of(
        given: Pieces, fields: Sequence[Field], start: tuple[int, ...], asked: Needs,
        most_entries: int,
    ) -> _Tables:  # fmt: skip
        places = range(len(given.places))
        wanted = _wanted(given, asked)
        one = given.within(most_entries // (len(places) * len(wanted)), fields)
        held = tuple([
            tuple(sorted(asked.get(at, range(len(fields[at].values))))) for at in one.movers
        ])  # fmt: skip
        ways = prod(len(fields[field].values) for field in one.movers)
        alone = followed(one, fields, 1, places)
        entries = {
            goal: _by_movers(table(evolve(alone, goals=((goal, *held),))), ways)
            for goal in dict.fromkeys(goal for goal, _ in wanted)
        }
        left = [
            at for at in places
            if any(set(column[at :: len(places)]) != {NO_WAY} for column in entries.values())
        ]  # fmt: skip
        live = {place: number for number, place in enumerate(left)}
        alive = b""
        ends = tuple([number for at, number in live.items() if _may_be(given, at, asked)])
        if left and len(left) ** 2 * ways <= most_entries and one.count > 1:
            # two in the same place never separate, so goals containing these add nothing
            both = evolve(followed(one, fields, 2, left), goals=((ends, ends, *held),))
            alive = _by_movers(table(both), ways)
        blocked = frozen_pieces(one, fields, start, live)
        columns = tuple([(must, entries[goal]) for goal, must in wanted])
        return _Tables(one, alone.strides[1:], ways, columns, live, alive, blocked, ends)

    def for_core(self) -> Any:
        one = self.pieces
        return (
            one.places, one.blanks, [*zip(one.movers, self.strides, strict=True)], one.count,
            self.columns, [*self.live], self.alive,
            [[[*set_bits(held)] for held in one] for one in self.frozen.moves],
            [(at, [[*set_bits(one)] for one in empty]) for at, empty in self.frozen.apart],
            self.goals,
        )  # fmt: skip

    def description(self) -> str:
        one, size = self.pieces, len(self.live)
        dead = [counted(self.dead, "place")]
        if self.alive:
            pairs = [(at, other) for other in range(size) for at in range(other)]
            lost = [self.alive[at + size * other :: size * size].count(NO_WAY) == self.ways
                    for at, other in pairs]  # fmt: skip
            dead.append(f"{counted(sum(lost), 'pair')} of the others")
        elif one.count > 1:
            dead.append("pairs not known, they are too many")
        places = counted(len(one.places), "place")
        return f"{one.count} {one.name} on {places}; dead: {', '.join(dead)}"

    @property
    def dead(self) -> int:
        return len(self.pieces.places) - len(self.live)


def _by_movers(entries: bytes, ways: int) -> bytes:
    """Return a table with the costs of all places, or pairs, adjacent for each way."""
    return b"".join([entries[at::ways] for at in range(ways)])


def _may_be(given: Pieces, place: int, asked: Needs) -> bool:
    field, number = given.places[place]
    return number in asked.get(field, (number,))


def _wanted(given: Pieces, asked: Needs) -> list[tuple[tuple[int, ...], bool]]:
    """Return the columns: alternative places for a piece, and whether one is required there."""
    allowed = [at for at in range(len(given.places)) if _may_be(given, at, asked)]
    must = [at for at in allowed if len(asked.get(given.places[at][0], ())) == 1]
    others = [at for at in allowed if at not in must]
    found: list[tuple[tuple[int, ...], bool]] = [((at,), False) for at in others]
    if len(allowed) > MOST_COLUMNS:
        found = [(tuple(others), False)] * (given.count - len(must))
    found += [((at,), True) for at in must]
    return found + [((), False)] * (given.count - len(found))

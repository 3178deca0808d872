"""A certificate of "none" for helve, a published checker of certificates of planning tasks.

helve (Eriksson, Röger and Helmert, *A proof system for unsolvable planning tasks*, ICAPS 2018)
reads a task in STRIPS and a proof. The task has an atom for each value of each field of a state, an
action for each ground rule, and one that reaches the goal for each way in which it is met. The
proof says that the listed states are closed under actions, hold the start, and that none is a goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, product
from math import prod

from rewrite.analysis.fields import Field, numbers
from rewrite.analysis.goals.facts import goal_facts
from rewrite.analysis.transitions import Transition
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.interning import decode
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.build import build
from rewrite.errors import ExportError
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State

MOST_WAYS = 10_000
"""Ways in which a goal is met that are written out."""
PROOF = """e 2 p 1 0
e 3 u 1 0
e 4 c g
e 5 i 1 4
k 1 s 2 3 b2
k 2 s 5 0 b1
k 3 d 5 sd 0 2
k 4 d 1 pg 1 0 3
e 6 c i
k 5 s 6 1 b1
k 6 d 6 sd 4 5
k 7 u ci 6
"""
"""The listed states are e 1: their successors are among them, they share nothing with the goal, so
they are dead (no way from them to a goal); and the start is one of them."""


def for_helve(puzzle: Puzzle, states: Iterable[State]) -> tuple[str, str]:
    """Return the task and the proof. The puzzle has a start and a goal. Raises ExportError for a
    puzzle whose ground rules are no actions of STRIPS.
    """
    assert puzzle.start is not None
    assert puzzle.goal is not None
    try:
        engine = build(Task(puzzle, puzzle.start, puzzle.goal))
        rules = engine.reasoning
        if rules is None or puzzle.never:
            raise Unsuitable(
                "`never` forbids states" if rules else "states are not stored in slots"
            )
        fields, given = rules.fields, rules.transitions
        goals = goal_facts(rules, puzzle.goal)
        if sum(prod(len(held) for _, held in one) for one in goals) > MOST_WAYS:
            raise Unsuitable("its goal is met in too many ways")
    except Unsuitable as why:
        raise ExportError(f"{puzzle.name} is no task for helve: {why}") from why
    first = [*accumulate((len(one.values) for one in fields), initial=0)]
    reached = first[-1]

    def coded(state: State) -> list[int]:
        try:
            held = numbers(fields, engine.encode(state))
        except NeedsCapacity as needs:
            raise ExportError(
                f"{puzzle.name} is no task for helve: a state is not stored in slots"
            ) from needs
        return [first[field] + value for field, value in enumerate(held)]

    atoms = [
        f"nothing in place {number}" if value is None else repr(decode(value)).replace("\n", " ")
        for number, one in enumerate(fields) for value in one.values
    ]  # fmt: skip
    actions = [
        _action(puzzle.rules[one.rule].name, one, first)
        for changed in given for one in _plain(changed, fields)
    ]  # fmt: skip
    for alternative in goals:
        for values in product(*[held for _, held in alternative]):
            needs = [first[field] + v for (field, _), v in zip(alternative, values, strict=True)]
            actions.append(_written("reach the goal", 0, needs, [reached], []))
    task = [
        f"begin_atoms:{reached + 1}", *atoms, "the goal is reached", "end_atoms", "begin_init",
        *map(str, coded(puzzle.start)), "end_init", "begin_goal", str(reached), "end_goal",
        f"begin_actions:{len(actions)}", *actions, "end_actions",
    ]  # fmt: skip
    every_state = [coded(state) for state in states]
    wanted = [[{first[field] + v for v in held} for field, held in one] for one in goals]
    if any(not any(some.isdisjoint(state) for some in one) for one in wanted
           for state in every_state):  # fmt: skip
        raise ExportError(
            f"{puzzle.name} is no task for helve: a listed state is a goal, by its terms"
        )
    listed = " ".join([_hex(held, reached + 1) for held in every_state])
    every = " ".join(map(str, range(reached + 1)))
    head = f"a 0 a\ne 0 c e\nk 0 d 0 ed\ne 1 e {reached + 1} {every} : {listed} ;\n"
    return "\n".join([*task, ""]), head + PROOF


def _plain(given: Transition, fields: Sequence[Field]) -> Iterable[Transition]:
    """Return transitions that together do the same, which miss, copy and map nothing."""
    wanted = given.sources | {field for field, _ in given.misses}
    return given.testing(wanted, fields) if wanted else [given]


def _action(name: str, given: Transition, first: Sequence[int]) -> str:
    """first   the first atom of each field, and how many there are"""
    needs = [first[field] + value for field, value in given.tests]
    adds = [first[field] + value for field, value in given.sets]
    atoms = [one for field, _ in given.sets for one in range(first[field], first[field + 1])]
    return _written(name, given.cost, needs, adds, [one for one in atoms if one not in adds])


def _written(
    name: str, cost: int, needs: Sequence[int], adds: Sequence[int], deletes: Sequence[int]
) -> str:
    parts = [f"PRE:{one}" for one in needs] + [f"ADD:{one}" for one in adds]
    parts += [f"DEL:{one}" for one in deletes]
    one_line = " ".join(name.split()) or "step"
    return "\n".join(["begin_action", one_line, f"cost: {cost}", *parts, "end_action"])


def _hex(held: Sequence[int], size: int) -> str:
    """Return a state: a bit for each atom, the first highest, filled up with zeros."""
    digits = -(-size // 4)
    return f"{sum(1 << 4 * digits - 1 - one for one in held):0{digits}x}"

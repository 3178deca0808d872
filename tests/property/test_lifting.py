"""Rules of one shape, compiled together: they lead where each by itself leads."""

from typing import Any
from unittest import mock

import pytest
from attrs import evolve
from hypothesis import assume, event, given

from rewrite import ANY, Puzzle, Rule, contains, ints, rule, search, term, terms
from rewrite.compile import encoding, program
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.slots import lifting
from rewrite.compile.slots.keys import Unsuitable, find
from rewrite.engine.slot_engine import SlotEngine
from rewrite.errors import RewriteError
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call
from rewrite.language.states import State
from rewrite.language.terms import Term
from tests.engines import over_slots, task_of
from tests.property.board_puzzles import P, board_puzzles

STATES = 30


@pytest.fixture(autouse=True)
def two_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifting, "FEWEST", 2)


def filled(value: Any, cell: int) -> Any:
    """A value in which P is a cell. Raises TypeError for what is not taken apart here."""
    if value is P:
        return cell
    if isinstance(value, tuple):
        return tuple([filled(one, cell) for one in value])
    if isinstance(value, Term):
        return type(value).of_parts([filled(one, cell) for one in value.term_arguments()])
    if isinstance(value, Call):
        return Call(value.op, [filled(one, cell) for one in value.args], value.kind)
    if isinstance(value, Holds):
        return Holds(filled(value.expression, cell))
    return value


def by_cells(one: Rule) -> list[Rule]:
    """A rule as people write it in a loop over cells; as it is, where that cannot be said."""
    if P not in one.bound or type(one.cost) is not int:
        return [one]
    try:
        parts = {
            name: [filled(getattr(one, name), cell) for cell in range(4)]
            for name in ("take", "keep", "put", "absent", "when", "let")
        }
        return [
            evolve(
                one, label=f"{one.name} {cell}", name=f"{one.name} {cell}", literal=True,
                **{name: made[cell] for name, made in parts.items()},
            )
            for cell in range(4)
        ]  # fmt: skip
    except RewriteError:
        return [one]


def steps(engine: SlotEngine, state: State) -> set[tuple[int, Any, State]]:
    code = engine.encode(state)
    return {(cost, engine.goal(code), engine.decode(one)) for cost, one in engine.weighted(code)}


@given(board_puzzles())
def test_lifted_rules_lead_where_each_by_itself_leads(puzzle: Puzzle) -> None:
    loop = puzzle.replace(rules=[each for one in puzzle.rules for each in by_cells(one)])
    assume(lifting.lifted(loop).puzzle is not loop)
    assert loop.start is not None
    try:
        lifted = find(lifting.lifted(loop).puzzle, loop.start)
        assert lifted.families == find(loop, loop.start).families
        engine = over_slots(task_of(loop, loop.goal))
        encoding.forget()
        with mock.patch.object(program, "lifted", lifting.Lifted.of):
            plain = over_slots(task_of(loop, loop.goal))
        event("in slots")
        seen = {loop.start: None}
        for state in (queue := list(seen)):
            found = steps(plain, state)
            assert steps(engine, state) == found
            for _, _, one in sorted(found, key=str):
                if one not in seen and len(seen) < STATES:
                    seen[one] = None
                    queue.append(one)
    except (Unsuitable, NeedsCapacity, EngineFailure) as why:
        event(type(why).__name__)
        return
    numbers = [number for number, _ in engine.changes]
    assert numbers == sorted(numbers)


@term
class Token:
    cell: int
    value: Any


@pytest.mark.parametrize("name", ["n", "c0", "rule", "value0", "any0"])
def test_variables_may_have_any_name(name: str) -> None:
    """Lifting, and ANY, make variables of their own."""
    value, thing = ints(name), terms(name)
    line = [
        rule(f"go {i}", take=[Token(i, value), Token(i + 1, 0)],
             put=[Token(i, 0), Token(i + 1, value)])
        for i in range(9)
    ]  # fmt: skip
    puzzle = Puzzle(line, start=[Token(0, 7), *[Token(i, 0) for i in range(1, 10)]])
    assert len(search(puzzle, None, contains(Token(9, 7))).paths[0]) == 9
    near = rule("near", take=[Token(0, 7)], keep=[Pair(thing, ANY)], put=[Token(0, 8)])
    found = search(Puzzle(near, facts=[Pair(1, 2)]), [Token(0, 7)], contains(Token(0, 8)))
    assert len(found.paths[0]) == 1


@term
class Pair:
    left: Any
    right: Any


def test_a_puzzle_that_cannot_be_lifted_is_compiled_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from puzzles import PUZZLES

    tried: list[Puzzle] = []
    compiled = program._compiled

    def once(puzzle: Puzzle, short: lifting.Lifted, *rest: Any) -> Any:
        tried.append(short.puzzle)
        if short.puzzle is not puzzle:
            raise Unsuitable("it is lifted")
        return compiled(puzzle, short, *rest)

    monkeypatch.setattr(program, "_compiled", once)
    puzzle = PUZZLES["water_jugs"]()
    over_slots(task_of(puzzle, puzzle.goal))
    assert tried[-1] is puzzle

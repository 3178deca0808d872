"""Rules of one shape, compiled together: they lead where each by itself leads."""

from itertools import combinations
from typing import Any
from unittest import mock

import pytest
from attrs import evolve
from hypothesis import assume, event, given

from rewrite import ANY, Puzzle, Rule, contains, ints, lacks, rule, search, term, terms
from rewrite.compile import encoding, program
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.rule_properties import one_of_each
from rewrite.compile.slots import lifting
from rewrite.compile.slots.keys import Family, Rules, Unsuitable, find
from rewrite.engine.slot_engine import SlotEngine
from rewrite.errors import RewriteError
from rewrite.language.conditions import Holds
from rewrite.language.expressions import Call
from rewrite.language.patterns import classes
from rewrite.language.states import State
from rewrite.language.terms import Term
from rewrite.search import warn
from rewrite.search.arguments import question
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
    loop = loops(puzzle)
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


def loops(puzzle: Puzzle) -> Puzzle:
    return puzzle.replace(rules=[each for one in puzzle.rules for each in by_cells(one)])


@given(board_puzzles())
def test_one_rule_of_each_shape_says_what_all_say(puzzle: Puzzle) -> None:
    """Doubts, constructors, functions and keys do not hang on numbers and texts."""
    loop = loops(puzzle)
    assume(len(one_of_each(loop.rules)) < len(loop.rules))
    asked = question(loop, None, None)
    every = asked.puzzle.rules
    few = warn._doubts_about(asked, one_of_each(every), every)
    whole = warn._doubts_about(asked, every, every)
    assert bool(few.warnings) == bool(whole.warnings)
    assert (few.goal, few.mentioned) == (whole.goal, whole.mentioned)
    assert warn._doubts(asked) == whole
    for one in loop.rules:
        parts = (one.take, one.put, one.when, one.keep, one.absent, one.let)
        assert one.classes == classes(parts)
    few_rules, all_rules = Rules(loop.rules), Rules(loop.rules)
    all_rules.rules = loop.rules
    for identity, found in find_families(loop):
        assert few_rules.is_balanced(identity, found) == all_rules.is_balanced(identity, found)


def find_families(puzzle: Puzzle) -> list[tuple[Any, Family]]:
    """Each choice of keys of each constructor."""
    shown = {type(one): None for one in puzzle.start or () if isinstance(one, Term)}
    return [
        (one.term_identity(), Family(one, key, tuple(at for at in places if at not in key)))
        for one in shown
        for places in [range(len(one.term_fields))]
        for size in range(len(places))
        for key in combinations(places, size)
    ]


def test_a_key_is_one_of_all_rules_of_a_shape() -> None:
    stays = rule("stays", take=[Token(1, 2)], put=[Token(1, 3)])
    goes = rule("goes", take=[Token(1, 3)], put=[Token(2, 3)])
    puzzle = Puzzle(stays, goes, start=[Token(1, 2)])
    [by_cell] = [one for one in find_families(puzzle) if one[1].key == (0,)]
    assert Rules((stays, stays)).is_balanced(*by_cell)
    assert not Rules((stays, goes)).is_balanced(*by_cell)
    assert search(puzzle, goal=contains(Token(2, 3))).depth == 2


def test_an_outline_tells_apart_what_is_more_than_numbers_and_texts() -> None:
    first, *others = [
        rule("a", take=[Token(1, 2)], put=[Token(1, 3)]),
        rule("b", take=[Token(4, 5)], put=[Token(4, 4)]),
        rule("c", take=[Token(1, "2")], put=[Token(1, 3)]),
        rule("d", take=[Token(1, True)], put=[Token(1, 3)]),
        rule("e", take=[Token(1, 2)], put=[Token(1, 3)], cost=2),
        rule("f", take=[Token(1, 2)], keep=[Token(1, 3)]),
        rule("g", take=[Token(1, ints("X"))], put=[Token(1, 3)]),
    ]
    assert first.outline is not None
    assert first.outline.constants == (1, 2, 1, 3)
    assert [one.outline.shape == first.outline.shape for one in others if one.outline] == [
        True, False, False, False, False, False
    ]  # fmt: skip
    assert one_of_each([first, others[0]]) == (first,)
    assert one_of_each([first, others[0]], exactly=True) == (first, others[0])
    assert rule("h", take=[Token(1, 2)], put=[Token(1, 3)], free=True).outline is None
    assert rule("i", take=[Token(1, 2)], put=[], when=lacks(Token(1, 3))).outline is None


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

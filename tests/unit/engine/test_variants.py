"""Variants of an engine: what they share with it, and what they do not."""

from puzzles import PUZZLES
from rewrite.engine.slot_engine import SlotEngine
from tests.engines import over_slots, task_of


def slots() -> SlotEngine:
    puzzle = PUZZLES["eight_puzzle"]()
    return over_slots(task_of(puzzle, puzzle.goal))


def fired(engine: SlotEngine) -> int:
    return sum(count.fired for count in engine.counts().values())


def test_an_engine_apart_counts_for_itself_also_if_the_first_one_has_run_before() -> None:
    engine = slots()
    start = engine.encode(engine.task.start)
    before = engine.successors(start)
    apart, known = engine.apart(), fired(engine)
    assert apart.successors(start) == before
    assert (fired(apart), fired(engine)) == (len(before), known)


def test_an_inverse_engine_counts_with_the_one_whose_rules_it_runs_backwards() -> None:
    engine = slots()
    start = engine.encode(engine.task.start)
    forwards = len(engine.successors(start))
    backwards = len(engine.inverse.successors(start))
    assert fired(engine) == forwards + backwards

"""Values that never hold together, and what is done with that."""

from puzzles import PUZZLES
from puzzles.sokoban import Box, Player
from rewrite import Puzzle
from rewrite.analysis.conserved import conserved_heads
from rewrite.analysis.fields import Field, numbers
from rewrite.analysis.inverse_transitions import inverted, narrowed
from rewrite.analysis.mutexes import MOST_VALUES, Mutexes, mutexes
from rewrite.analysis.transitions import Transition
from rewrite.search.goal_states import goal_codes, never_together
from tests.engines import over_slots, start_of, task_of


def beside(known: Mutexes | None, field: int, number: int) -> list[tuple[int, int]]:
    assert known is not None
    return known.pairs(known.beside[known.bit(field, number)])


def level(*rows: str) -> Puzzle:
    return PUZZLES["sokoban"](*rows)


def test_nothing_is_looked_for_among_more_values_than_are_compared_in_seconds() -> None:
    def known(number: int) -> Mutexes | None:
        many = [Field(place, 1, (None, "a"), place) for place in range(number)]
        step = Transition(0, 1, ((0, 1), (1, 0)), (), ((0, 0), (1, 1)), ())
        return mutexes([step], many, (1, *[0] * (number - 1)))

    assert known(MOST_VALUES // 2) is not None
    assert known(MOST_VALUES // 2 + 1) is None


def test_player_and_box_never_share_a_cell_and_there_are_always_as_many_boxes() -> None:
    puzzle = level("#######", "#@$ $.#", "#  .  #", "#######")
    assert puzzle.goal is not None
    engine = over_slots(task_of(puzzle, puzzle.goal))
    known = never_together(engine)
    assert known is not None
    place = {term: (at, n) for at, one in enumerate(engine.fields) for n, term in
             enumerate(one.values) if term is not None}  # fmt: skip
    players = [term for term in place if term[0].cls is Player]
    boxes = [term for term in place if term[0].cls is Box]
    for player in players:
        for box in boxes:
            together = place[box] in beside(known, *place[player])
            assert not (together and player[1] == box[1])
    [own] = conserved_heads(engine.transitions, engine.fields)
    assert {term[0].cls for term, pair in place.items() if pair in own} == {Box}
    goals = [engine.decode(code) for code in goal_codes(engine, puzzle.goal, known=known)]
    every = [engine.decode(code) for code in goal_codes(engine, puzzle.goal)]
    assert {*goals} < {*every}
    assert all(sum(isinstance(term, Box) for term in state) == 2 for state in goals)


def test_rules_run_backwards_miss_what_cannot_have_been() -> None:
    puzzle = PUZZLES["sokoban"]()
    engine = over_slots(task_of(puzzle))
    known = mutexes(
        engine.transitions, engine.fields, numbers(engine.fields, engine.encode(start_of(puzzle)))
    )
    assert known is not None
    whole = inverted(engine.transitions, engine.fields)
    within = narrowed(whole, known)
    assert len(within) <= len(whole)
    assert sum(len(one.misses) for one in within) > sum(len(one.misses) for one in whole)

"""Values that rules compute from one slot each: the definition, both engines, and what is derived.

Transitions keep such values as tables where writing them out is too much; here it always is.
"""

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from rewrite import Puzzle, contains, if_, ints, least, rule, search
from rewrite.analysis import transitions
from rewrite.analysis.fields import numbers, packed
from rewrite.analysis.transitions import Transition
from rewrite.compile.slots.keys import Unsuitable
from rewrite.language import meaning
from rewrite.search.heuristics.relaxed import hmax
from tests.engines import ENGINES, goal_of, natively, over_slots, quiet, task_of
from tests.property.test_backwards import check_predecessors
from tests.property.test_heuristics_are_right import check_estimates, space, true_distances
from tests.property.test_symmetry_agrees import check_group
from tests.terms import At

pytestmark = quiet


V = ints("v0:3")
FUNCTIONS: list[Any] = [
    lambda x: x, lambda x: (x + 1) % 3, lambda x: (2 * x) % 3, lambda x: 2 - x,
    lambda x: abs(1 - x), lambda x: least(x + 1, 2), lambda x: x // 2,
    lambda x: if_(x == 0, 2, x - 1),
]  # fmt: skip
GUARDS: list[Any] = [lambda x: x < 2, lambda x: x > 0, lambda x: x != 1, lambda x: x * x < 9]


@pytest.fixture(autouse=True)
def tables_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transitions, "MOST_MAPPED", 0)


@st.composite
def mapped_puzzles(draw: Any) -> Puzzle:
    def made(number: int) -> Any:
        places = draw(st.permutations(range(3)))[: draw(st.integers(1, 3))]
        to = draw(st.permutations(places))
        guards = draw(st.lists(st.tuples(st.sampled_from(GUARDS), st.sampled_from(places)),
                               max_size=1))  # fmt: skip
        return rule(
            f"r{number}", take=[At(at, V[at]) for at in places],
            put=[At(at, draw(st.sampled_from(FUNCTIONS))(V[of]))
                 for at, of in zip(to, places, strict=True)],
            when=[guard(V[at]) for guard, at in guards], cost=draw(st.sampled_from([1, 1, 2])),
        )  # fmt: skip

    start = [At(at, draw(st.integers(0, 2))) for at in range(3)]
    goal = contains(*[At(at, draw(st.integers(0, 2))) for at in range(3)])
    rules = [made(number) for number in range(draw(st.integers(1, 3)))]
    return Puzzle(*rules, start=start, goal=goal, name="mapped")


def after(one: Transition, held: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the state to which a transition leads, None where it does not apply."""
    if any(held[place] != value for place, value in one.tests):
        return None
    if any(held[place] == value for place, value in one.misses):
        return None
    found = list(held)
    for place, value in one.sets:
        found[place] = value
    for place, source in one.copies:
        found[place] = held[source]
    for place, source, table in one.maps:
        assert table[held[source]] >= 0
        found[place] = table[held[source]]
    return tuple(found)


@given(mapped_puzzles())
def test_engines_and_transitions_lead_where_the_definition_leads(puzzle: Puzzle) -> None:
    engine = over_slots(task_of(puzzle, puzzle.goal))
    assert not any(change.lookups for _, change in engine.changes)
    event(f"maps: {any(one.maps for one in engine.transitions)}")
    for code in space(engine):
        state = engine.decode(code)
        wanted = {(way.cost, way.after) for way in meaning.successors(puzzle, state)}
        assert {(cost, engine.decode(one)) for cost, one in engine.weighted(code)} == wanted
        held = numbers(engine.fields, code)
        found = [(one.cost, after(one, held)) for one in engine.transitions]
        made = {(cost, engine.decode(packed(engine.fields, one))) for cost, one in found if one}
        assert made == wanted
    results = [search(puzzle, engine=engine, strategy="uniform_cost") for engine in ENGINES]
    assert len({(one.status, one.path and one.path.cost) for one in results}) == 1


@given(mapped_puzzles())
def test_inverse_rules_lead_back(puzzle: Puzzle) -> None:
    check_predecessors(puzzle, over_slots(task_of(puzzle, puzzle.goal)))


@given(mapped_puzzles())
def test_symmetries_are_kept(puzzle: Puzzle) -> None:
    check_group(puzzle)


@natively
@given(mapped_puzzles())
def test_estimates_never_exceed_the_distances(puzzle: Puzzle) -> None:
    engine = over_slots(task_of(puzzle, goal_of(puzzle)))
    try:
        estimate = hmax(engine, goal_of(puzzle))
    except Unsuitable:  # a goal that holds in every state
        return
    steps = space(engine)
    check_estimates(engine, estimate, steps, true_distances(engine, steps))

"""Puzzles of tuples: which have a twin of constructors, and that nothing else shows it."""

import pickle
from typing import Any

import pytest

from rewrite.certificates.verify import verify
from rewrite.certificates.write import taken_apart
from rewrite.checkpoints.overview import overview
from rewrite.errors import RuleError
from rewrite.language.bag import Bag
from rewrite.language.conditions import OneOfStates, contains, count, exactly, lacks, lowest, total
from rewrite.language.evaluation import evaluate
from rewrite.language.expressions import ANY
from rewrite.language.functions import bags, fn, ints, seqs, strs, terms
from rewrite.language.meaning import successors
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.results.path import Path
from rewrite.search.api import search, solutions
from rewrite.search.arguments import question
from rewrite.search.tasks.distances import distances
from rewrite.search.tasks.explain import explain
from rewrite.search.tasks.explore import explore
from rewrite.search.tasks.hardest import hardest
from rewrite.search.tasks.rate import rate
from rewrite.search.tasks.scramble import scramble
from rewrite.search.twin import twin
from tests.engines import every_engine, natively
from tests.terms import At

C, V = ints("C V")
W, X, S, B = strs("W"), terms("X"), seqs("S"), bags("B")
UP = rule("{C} up", take=[("lamp", C, V)], put=[("lamp", C, V + 1)], when=V < 3)
LAMPS = Puzzle(UP, start=[("lamp", 1, 0), ("lamp", 2, 2)], goal=contains(("lamp", C, 3)))


def has_twin(puzzle: Puzzle, **options: Any) -> bool:
    asked = question(puzzle, None, None, goal_needed=False, **options)
    return twin(asked) is not asked


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"goal": State([("lamp", 1, 3), ("lamp", 2, 2)])},
        {"goal": total(V, ("lamp", C, V)) == 5},
        {"goal": exactly(("lamp", C, 3), *ANY)},
        {"start": [("lamp", 1, 0), ("lamp", 2, 2), 7, At(3, 4)]},
        {"facts": [("lamp", 1), (3, 4), (), (1, 2, 3, 4, 5, 6, 7, 8)]},
        {"rules": [UP, rule("any {W}", take=[(W, C, V)], put=[(W, C, 0)])]},
        {"rules": [UP, rule("odd", take=[("lamp", C, V)], put=[C + V])]},
        {"never": lacks(("lamp", C, V), absent=[("lamp", C, 3)], when=count(("lamp", C, 2)) == 9)},
        {"symmetry": [relabel(("lamp", C, V), ("lamp", 3 - C, V))]},
    ],
)
def test_tuples_have_a_twin(changed: dict[str, Any]) -> None:
    assert has_twin(LAMPS.replace(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"rules": [UP, rule("turn", take=[("lamp", *S)], put=[(*S, "lamp")])]},
        {"rules": [UP, rule("drop", take=[X])]},
        {"rules": [UP, rule("drop", take=[("lamp", 1, V)], absent=[ANY])]},
        {"goal": lambda state: ("lamp", 1, 3) in state},
        {"goal": contains(("lamp", C, 3), *B)},
        {"goal": count(X) == 3},
        {"start": [("lamp", 1, 0), 7]},
        {"facts": [(1, 2, 3, 4, 5, 6, 7, 8, 9)]},
        {"symmetry": [interchangeable("lamp", "bulb")]},
        {"symmetry": [interchangeable(("lamp", 1, 0), ("lamp", 2, 2))]},
    ],
)
def test_whole_terms_single_tuples_and_long_ones_have_none(
    changed: dict[str, Any],
) -> None:
    assert not has_twin(LAMPS.replace(**changed))


def test_puzzles_without_tuples_have_none_and_functions_of_states_neither() -> None:
    assert not has_twin(Puzzle(rule("up", take=[C], put=[C + 1]), start=[1]))
    assert not has_twin(LAMPS, strategy="astar", heuristic=lambda state: 0)


def test_what_a_rule_makes_of_any_front_meets_the_others() -> None:
    puzzle = LAMPS.replace(
        rules=[rule("light", take=[(W, C, 2)], put=[(W, C, 3)])],
        start=[("lamp", 1, 2), ("lamp", 2, 0)],
    )
    assert len(search(puzzle).path or ()) == 1


ON = [contains(("lamp", lamp, 3)) for lamp in (1, 2)]


@pytest.mark.parametrize(
    ("goal", "steps"),
    [
        (ON[0] & ON[1], 4),
        (ON[0] | ON[1], 1),
        (ON[1] & ~lacks(("lamp", 1, 1)), 2),
        (ON[1] & (total(V, ("lamp", C, V)) + count(("lamp", 1, 2)) == 6), 3),
        (lacks(("lamp", C, V), when=V < 3), 4),
        (lacks(("lamp", C, 2), absent=[("lamp", 1, 1)]), 1),
    ],
)
def test_every_part_of_a_goal_is_that_of_the_twin(goal: Any, steps: int) -> None:
    assert has_twin(LAMPS.replace(goal=goal))
    assert len(search(LAMPS, goal=goal).path or ()) == steps


def test_tuples_are_stored_in_slots_and_explained_as_they_were_written() -> None:
    told = str(explain(LAMPS))
    assert "take=[('lamp', C, V)]" in told
    assert "states are stored as 2 slots" in told
    assert "'lamp': a slot of 2 bits holds item2, for each of 2 (item1)" in told


@pytest.mark.parametrize(("start", "levels"), [([], [1, 6, 10, 4]), ([("on", 0)], [1, 5, 6, 1])])
def test_tuples_that_only_rules_put_are_stored_in_slots(
    start: list[Any], levels: list[int]
) -> None:
    x, y = ints("x y")
    put = [("on", x), ("on", y)]
    lay = rule("lay", put=put, keep=[("next", x, y)], absent=put)
    facts = [("next", one, one + 1) for one in range(6)]
    puzzle = Puzzle(lay, start=start, goal=count(("on", ANY)) == 6, facts=facts)
    assert "7 bits in all" in str(explain(puzzle))
    assert explore(puzzle).levels == levels


@every_engine
def test_other_tasks_run_on_the_twin_and_show_tuples(engine: str) -> None:
    first, both = LAMPS.start, State([("lamp", 1, 3), ("lamp", 2, 3)])
    assert first is not None
    space = explore(LAMPS, engine=engine)
    assert space.puzzle is LAMPS
    assert (len(space.states), space.states[0]) == (8, first)

    table = distances(LAMPS, engine=engine)
    assert table.puzzle is LAMPS
    assert {"native": "2 fields", "python": "2 slots"}[engine] in table.encoding
    assert (table.start, table.farthest(), table.distance(both)) == (first, [both], 4)
    assert table.path(both).states[::4] == (first, both)
    assert table.distance(State([("lamp", 1, 3), ("bulb", 2, 3), (1, 2)])) is None
    assert pickle.loads(pickle.dumps(table)).distance(both) == 4

    found = hardest(LAMPS, goal=both, engine=engine)
    assert (found.puzzle, found.start, found.goal) == (LAMPS, first, OneOfStates([both]))
    assert (found.farthest, found.path().end) == ((first,), both)
    assert hardest(LAMPS, engine=engine).farthest[0] == first

    rating = rate(LAMPS, engine=engine)
    assert rating.puzzle is LAMPS
    assert rating.path is not None
    assert (rating.length, rating.path.start) == (1, first)

    board = scramble(LAMPS, both, 4, seed=1)
    assert (board, board.distance, board.exact) == (first, 4, True)


@natively
def test_a_folder_keeps_the_slots_of_the_twin(tmp_path: Any) -> None:
    far = [State([("lamp", 1, 3), ("lamp", 2, 3)])]
    assert search(LAMPS, goal=far, checkpoint=tmp_path, max_states=3).status == "limit"
    shown = dict(overview(tmp_path))
    assert shown["start"] == "[('lamp', 1, 0), ('lamp', 2, 2)]"
    assert shown["kept as"].startswith("2 slots")
    result = search(LAMPS, goal=far, checkpoint=tmp_path)
    assert (result.status, result.puzzle) == ("found", LAMPS)
    assert result.path is not None
    assert result.path.end == far[0]


@every_engine
def test_paths_are_those_of_the_puzzle(engine: str) -> None:
    result = search(LAMPS, engine=engine)
    path = result.path
    assert isinstance(path, Path)
    assert result.puzzle is path.puzzle is LAMPS
    assert str(path.states[-1]) == "[('lamp', 1, 0), ('lamp', 2, 3)]"
    assert type(path.end.items[0]) is tuple
    assert (path.bindings, [step.label for step in path]) == ({"C": 2}, ["2 up"])
    assert pickle.loads(pickle.dumps(path)) == path
    ends = {one.end for one in solutions(LAMPS, engine=engine)}
    assert len(ends) == 5
    both = State([("lamp", 1, 3), ("lamp", 2, 3)])
    limited = search(LAMPS, goal=both, max_states=2, engine=engine)
    assert limited.status == "limit"
    assert len(limited.resume(max_states=None).path or ()) == 4
    at_start = search(LAMPS, goal=contains(("lamp", 2, 2)), max_states=1, engine=engine).path
    assert at_start is not None
    assert at_start.end == LAMPS.start
    least = search(LAMPS, goal=lacks(("lamp", C, V)), minimize=-lowest(V, ("lamp", C, V)))
    assert least.objective == -3


@every_engine
@pytest.mark.parametrize(
    ("one", "other", "has"),
    [
        (("a", C), ("b", V), True),
        (("a", C), ("a!", V), False),  # repr has them the other way round
        ((C,), ("b", V), False),
        (("a", C), ("a", V, 1), False),
        (("a", C), Bag([V]), False),  # bags come after tuples, and before constructor terms
    ],
)
def test_of_several_normal_forms_it_is_the_one_that_comes_first_as_tuples(
    one: Any, other: Any, has: bool, engine: str
) -> None:
    start: list[Any] = [("go", 0)]
    for number in range(2):
        env: Any = {C: number, V: number}
        start += [evaluate(one, env), evaluate(other, env)]
    meet = rule("meet", take=[one, other, ("gone", 0)], put=[("met", 0)], when=C != V)
    go = rule("go", take=[("go", 0)], put=[("gone", 0)])
    puzzle = Puzzle(go, start=start, simplify=meet, goal=contains(("met", 0)))
    assert has_twin(puzzle) == has
    (step,) = successors(puzzle, State(start))
    path = search(puzzle, engine=engine).path
    assert path is not None
    assert path.end == step.after


@pytest.mark.parametrize("term", [(10**5000, 1), (True, 2), (), (1,) * 20, ("lamp", 1)])
def test_a_state_with_another_tuple_is_not_reached(term: Any) -> None:
    assert distances(LAMPS).distance([term]) is None


@every_engine
def test_errors_show_states_of_the_puzzle(engine: str) -> None:
    @fn
    def fails(value: int) -> int:
        raise LookupError(value)

    broken = LAMPS.replace(rules=[rule("up", take=[("lamp", C, V)], put=[("lamp", C, fails(V))])])
    with pytest.raises(
        RuleError, match=r"in state \[\('lamp', 1, 0\), \('lamp', 2, 2\)\]"
    ) as error:
        search(broken, engine=engine)
    assert error.value.state == LAMPS.start
    one_way = rule("go", take=[("lamp", C, 0)], put=[("lamp", C, 1)], free=True)
    other = rule("x", take=[("lamp", 2, 2)], put=[("lamp", 2, 3)])
    with pytest.raises(RuleError, match=r"from \[\('lamp', 1, 0\)") as error:
        search(LAMPS.replace(rules=[one_way, other]), engine=engine)
    assert error.value.state == LAMPS.start


@every_engine
def test_certificates_tell_of_tuples(engine: str, tmp_path: Any) -> None:
    file = tmp_path / "certificate"
    for task in (search, hardest, distances):
        task(LAMPS, certificate=file, engine=engine)
        head, _ = taken_apart(file.read_bytes())
        assert head["fields"]
        assert verify(file, LAMPS, processes=1).checked

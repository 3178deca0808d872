"""Effects: what a rule does besides, for each match of some patterns."""

from typing import Any

import pytest

from rewrite import (
    ANY,
    Puzzle,
    PuzzleError,
    RuleError,
    UnboundVariable,
    contains,
    effect,
    explore,
    ints,
    moves,
    replay,
    rule,
    search,
)
from tests.engines import ENGINES
from tests.terms import A, B, C

N, M = ints("N M")


def after(*effects: Any, start: list[Any], take: Any = (), put: Any = ()) -> str:
    """The only state after a step; the same by the definition and by all engines."""
    step = rule("go", take=take, put=put, keep=[B(ANY)] if not take else [], effects=[*effects])
    puzzle = Puzzle(step, start=start, sets=True)
    (found,) = {str(one.after) for one in moves(puzzle, puzzle.start)}
    for engine in ENGINES:
        assert found in {str(state) for state in explore(puzzle, engine=engine).states}
    return found


def test_all_matches_happen_at_once_and_what_is_put_stays() -> None:
    swap = [effect(take=[A(0)], put=[A(1)]), effect(take=[A(1)], put=[A(0)])]
    assert after(*swap, start=[A(0), A(1), B(0)]) == "[A(0), A(1), B(0)]"
    assert after(*swap, start=[A(1), B(0)]) == "[A(0), B(0)]"
    up = effect(take=[A(N)], put=[A(N + 1)], when=N < 2)
    assert after(up, start=[A(0), A(1), A(2), B(0)]) == "[A(1), A(2), B(0)]"


def test_an_effect_sees_what_the_rule_takes_and_not_what_it_puts() -> None:
    seen = effect(keep=[A(N)], put=[C(N, N)])
    assert after(seen, start=[A(0)], take=[A(0)], put=[A(1)]) == "[A(1), C(0, 0)]"
    gone = effect(take=[A(N)])
    assert after(gone, start=[A(0), A(2)], take=[A(0)], put=[A(1), A(2)]) == "[A(1), A(2)]"


def test_an_effect_knows_the_variables_of_its_rule() -> None:
    step = rule(
        "from {N}", take=[A(N)], put=[A(N + 1)], when=N < 3,
        effects=[effect(take=[B(M)], put=[B(M + 1)], when=(M <= N))],
    )  # fmt: skip
    puzzle = Puzzle(step, start=[A(0), B(0), B(2)], goal=contains(A(3)), sets=True)
    path = search(puzzle).paths[0]
    assert str(path.end) == "[A(3), B(3)]"
    assert replay(puzzle, None, path.labels).end == path.end
    assert repr(step).endswith("effects=[effect(take=[B(M)], put=[B(M + 1)], when=[M <= N])])")


def test_facts_are_never_taken() -> None:
    step = rule("go", keep=[A(0)], effects=[effect(take=[B(N)], put=[C(N, N)])])
    puzzle = Puzzle(step, start=[A(0)], facts=[B(1)], sets=True)
    assert [str(one.after) for one in moves(puzzle, puzzle.start)] == ["[A(0)]"]


def test_rules_with_other_effects_are_other_rules() -> None:
    one, other = (rule("go", take=[A(0)], effects=[effect(put=[A(at)])]) for at in (1, 2))
    assert one != other
    assert one == rule("go", take=[A(0)], effects=[effect(put=[A(1)])])
    for put, fewest in ((one, 1), (other, None)):
        found = search(Puzzle(put, start=[A(0)], goal=contains(A(1)), sets=True))
        assert (None if found.path is None else len(found.path)) == fewest


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(RuleError, match="takes nothing and puts nothing"):
        effect(keep=[A(0)])
    with pytest.raises(UnboundVariable, match=r"rule 'go': effect\(…\): put=\[A\(M\)\] uses M"):
        rule("go", take=[A(N)], effects=[effect(put=[A(M)])])
    with pytest.raises(RuleError, match="must be a list of effect"):
        rule("go", take=[A(N)], effects=[A(0)])
    with pytest.raises(RuleError, match="a free move has no effects="):
        rule("go", take=[A(0)], put=[A(1)], free=True, effects=[effect(take=[B(0)])])
    step = rule("go", take=[A(0)], effects=[effect(take=[B(0)])])
    with pytest.raises(PuzzleError, match="effects= are for puzzles of sets: give sets=True"):
        Puzzle(step)
    with pytest.raises(PuzzleError, match="simplify= takes no effects=: its rules are"):
        Puzzle(simplify=[step], sets=True)

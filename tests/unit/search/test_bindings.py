"""What an answer binds: found when it is asked for, where each state is one answer for sure."""

from typing import Any

import pytest

from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.conditions import contains, exactly
from rewrite.language.expressions import ANY
from rewrite.language.functions import bags, ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.search.api import search
from rewrite.search.arguments import question
from rewrite.search.reduction import Reduction
from tests.contract.symmetric import SQUARE, Lamp
from tests.engines import every_engine

M, N = ints("M N")
S, T = seqs("S T")
B = bags("B")
add = Puzzle(
    rule(f"{M} + {N}", take=[M, N], put=[M + N]),
    rule("pair", take=[M, N], put=[(M, N)]),
    start=[1, 2, 4],
    name="add",
)


@pytest.mark.parametrize(
    ("goal", "is_many"),
    [
        (exactly(M), False),
        (exactly(M, when=M > 3), False),
        (exactly(M, when=contains(N, when=N >= M)), False),
        (exactly((M, N)) & (M < N), False),
        (exactly(7), False),
        (exactly(M, N), True),
        (exactly((*S, *T)), True),
        (exactly(M, *ANY), True),
        (exactly(M, *B), True),
        (exactly(M) & contains(N), True),
        (exactly(M) | exactly((M, N)), True),
        (contains(M), True),
    ],
)
def test_answers_are_all_bindings_of_all_goal_states(goal: Any, is_many: bool) -> None:
    assert question(add, None, goal).is_many == is_many
    result = search(add, goal=goal, solutions=None)
    found = [(path.end, path.bindings) for path in result.paths]
    expected = []
    for end in dict.fromkeys(path.end for path in result.paths):
        each = [
            {variable.name: value for variable, value in env.items()}
            for env in meaning.bindings(meaning.world_of(add, end), goal)
        ]
        expected += [(end, one) for at, one in enumerate(each) if one not in each[:at]]
    assert found == expected


def test_a_binding_that_is_sure_is_found_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    bindings = meaning.bindings

    def counted(world: Any, given: Any) -> Any:
        asked.append(given)
        return bindings(world, given)

    monkeypatch.setattr(meaning, "bindings", counted)
    result = search(add, goal=exactly(M), solutions=None)
    assert len(result.paths) == 1
    assert not asked
    assert [result.paths[0].bindings for _ in range(2)] == [{"M": 7}] * 2
    assert len(asked) == 1


@every_engine
def test_bindings_and_path_of_an_answer_are_of_the_same_states_found_once(
    monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """With symmetry the real states are found by walking the path again: once for both."""
    walked: list[Any] = []
    real = Reduction.real

    def counted(self: Reduction, codes: Any) -> Any:
        walked.append(codes)
        return real(self, codes)

    monkeypatch.setattr(Reduction, "real", counted)
    alike = exactly(*[Lamp(place, N) for place in range(9)])
    result = search(SQUARE, None, alike, symmetry="declared", engine=engine)
    assert result.paths[0].end == State([Lamp(place, 1) for place in range(9)])
    assert result.bindings == {"N": 1}
    assert len(walked) == 1


def test_a_goal_state_that_is_none_by_the_definition_is_a_bug(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = search(add, goal=exactly(M))
    monkeypatch.setattr(meaning, "bindings", lambda world, given: iter(()))
    with pytest.raises(RewriteError, match=r"add: the engine took \[7\] for a goal, and the defin"):
        _ = result.bindings

"""One tree of exceptions, each also a built-in; the facts of an error are attributes."""

import pickle
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from operator import lt
from typing import Any

import pytest

import rewrite
from rewrite import Bag, Puzzle, State, contains, distances, errors, fn, ints, rule, search, term
from rewrite.errors import RewriteError, UnboundVariable, did_you_mean
from tests.engines import ENGINES

BUILT_IN = {
    "TermError": TypeError,
    "ExpressionError": TypeError,
    "StateError": TypeError,
    "RuleError": ValueError,
    "UnboundVariable": ValueError,
    "PuzzleError": ValueError,
    "SymmetryError": ValueError,
    "SimplifyError": RuntimeError,
    "SearchError": ValueError,
    "CheckpointError": ValueError,
    "HeuristicError": ValueError,
    "ReadError": ValueError,
    "ReplayError": ValueError,
    "ViewError": ValueError,
    "ExportError": ValueError,
}


@pytest.mark.parametrize(("name", "built_in"), BUILT_IN.items())
def test_every_exception_is_a_rewrite_error_and_a_built_in(
    name: str, built_in: type[Exception]
) -> None:
    assert issubclass(getattr(errors, name), RewriteError)
    assert issubclass(getattr(errors, name), built_in)


def test_no_exception_is_missing_in_the_table() -> None:
    found = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, RewriteError)
    }
    assert found - {"RewriteError"} == set(BUILT_IN)


def test_the_facts_of_an_error_are_its_attributes_also_after_pickling() -> None:
    made = UnboundVariable("text", variable="N", bound=("M",))
    for error in (made, pickle.loads(pickle.dumps(made))):
        assert str(error) == error.message == "text"
        assert (error.variable, error.bound) == ("N", ("M",))
        assert error.facts == {"variable": "N", "bound": ("M",)}


def test_a_typo_gets_the_closest_name_and_a_stranger_gets_none() -> None:
    assert did_you_mean("NN", ["M", "N"]) == " (did you mean N?)"
    assert did_you_mean("weather", ["M", "N"]) == ""


class Mute:
    def __repr__(self) -> str:
        raise KeyError("no text")


class Wrong:
    def __repr__(this) -> str:
        raise TypeError("no text")


@term
class Pair:
    left: int
    right: int


MUTE: Any = Mute()
WRONG: Any = Wrong()
untyped: Any = rewrite
HUGE: Any = 10**5_000
X = ints("X")
COUNT = Puzzle(rule("add", take=[X], put=[X + 1], when=X < 3), start=[0], goal=contains(3))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Bag([MUTE]), "Mute object at .* cannot be a term"),
        (lambda: X + MUTE, "Mute object at .* cannot be a term"),
        (
            lambda: contains(X, when=MUTE),
            "Mute object at .* is not a condition: write an expression",
        ),
        (lambda: search(COUNT, strategy=MUTE), "is a Mute, whose text fails with KeyError"),
        (lambda: search(COUNT, heuristic=lambda _: MUTE), "a Mute, whose text fails"),
        (lambda: search(COUNT, strategy=WRONG), "is a Wrong, whose text fails with TypeError"),
    ],
)
def test_what_has_no_text_is_reported_by_its_class(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(RewriteError, match=said):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: untyped.ANY(HUGE), "ANY(0x"),
        (lambda: untyped.ANY(MUTE), "is a value, not a function"),
        (lambda: untyped.State([1]) & HUGE, "is not a condition: write an expression"),
        (lambda: contains(3) & {HUGE: 1}, "is not a condition: write an expression"),
        (lambda: lt(Pair(X, 1), (HUGE,)), "patterns are not compared by order"),
        (lambda: distances(COUNT).farthest(-HUGE), "most is a whole number of 0 or more"),
        (lambda: distances(COUNT).to_csv(HUGE), "the file cannot be written"),
    ],
)
def test_errors_show_what_python_cannot_print(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(RewriteError, match=re.escape(said)):
        call()


def test_a_path_has_no_step_of_a_huge_number() -> None:
    path = search(COUNT).path
    assert path is not None
    with pytest.raises(IndexError, match="of a path of 3 steps"):
        path[HUGE]


CALLABLE = {
    name for name in rewrite.__all__
    if callable(one := getattr(rewrite, name))
    and not (isinstance(one, type) and issubclass(one, (Exception, rewrite.Condition)))
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CALLABLE))
def test_a_wrong_argument_of_a_public_function_or_class_is_a_rewrite_error(name: str) -> None:
    with pytest.raises(RewriteError):
        getattr(rewrite, name)(nonsense=1)
    with suppress(RewriteError):  # some take any number
        getattr(rewrite, name)(*range(30))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: untyped.Bag(1, 2), "Bag takes items; write one list, Bag([…])"),
        (lambda: untyped.State(1, 2), "State takes value; write one list, State([…])"),
        (lambda: untyped.compare(), "missing a required argument: 'puzzle'; compare takes puzzle"),
        (lambda: untyped.compare(COUNT, max_stats=3), "search(…, max_stats=…): there is no"),
        (
            lambda: untyped.Path(stats=1),
            "no stats (did you mean states?); Path takes puzzle, states",
        ),
        (lambda: untyped.Space(1), "Space takes by name puzzle, states, level, edges"),
        (lambda: untyped.replaced(1, 2), "replaced(1, 2): missing a required argument: 'new'"),
    ],
)
def test_wrong_arguments_are_reported_with_those_there_are(
    call: Callable[[], Any], said: str
) -> None:
    with pytest.raises(RewriteError, match=re.escape(said)):
        call()


def leaves(*given: Any) -> Any:
    sys.exit("enough")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"puzzle": COUNT.replace(rules=[rule("add", take=[X], put=[fn(leaves)(X)])])},
         "rule 'add' failed in leaves(0) with X=0, in state [0]: SystemExit: enough"),
        ({"goal": leaves}, "goal=leaves failed in leaves([0]), in state [0]: SystemExit: enough"),
        ({"puzzle": COUNT.replace(never=leaves)}, "never=leaves failed in leaves("),
        ({"heuristic": leaves, "strategy": "astar"}, "in state [0]: SystemExit: enough"),
    ],
)  # fmt: skip
def test_a_user_function_that_ends_the_process_has_failed(
    asked: dict[str, Any], said: str, engine: str
) -> None:
    with pytest.raises(RewriteError, match=re.escape(said)) as caught:
        search(**({"puzzle": COUNT} | asked), engine=engine)
    assert isinstance(caught.value.__cause__, SystemExit)


def test_a_view_that_ends_the_process_has_failed() -> None:
    with pytest.raises(RewriteError, match=r"show=leaves failed in state .*: SystemExit"):
        COUNT.replace(show=leaves).shown(State([0]))

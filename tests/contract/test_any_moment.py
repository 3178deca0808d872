"""A limit, or Ctrl-C, at any moment of any call: what comes out is a part of the truth, or an error
of this library; and what can be resumed still comes to the truth.

A moment is a look at the limits, or a tick, which would be a look if enough had been done.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import frozen

from puzzles import lights_out, pancakes, sliding_tiles, sokoban
from rewrite.budget import Budget
from rewrite.compile import encoding
from rewrite.errors import RuleError
from rewrite.language.bag import Bag
from rewrite.language.conditions import contains, exactly
from rewrite.language.functions import fn, ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.language.symmetry import relabel
from rewrite.language.terms import term
from rewrite.results.path import Path
from rewrite.results.result import Result
from rewrite.search import portfolio
from rewrite.search.api import search, solutions
from rewrite.search.question import Question
from rewrite.search.tasks.compare import compare
from rewrite.search.tasks.distances import distances
from rewrite.search.tasks.explain import explain
from rewrite.search.tasks.explore import explore
from rewrite.search.tasks.hardest import hardest
from rewrite.search.tasks.rate import rate
from rewrite.search.tasks.scramble import scramble
from tests.answers import answer
from tests.contract.graphs import At
from tests.engines import ENGINES, engines_for, quiet, start_of

pytestmark = quiet
KINDS = ("max_seconds", "max_memory", "Ctrl-C")
LARGE: dict[str, Any] = {"max_seconds": 10**6, "max_memory": 10**15}


# -- the moment --------------------------------------------------------------------------------


class Moments:
    """Counts moments, and lets something happen in one of them; from then on limits are reached.

    Ctrl-C comes once, to the call that is open then.
    """

    def __init__(self, kind: str = "", at: int = -1) -> None:
        self.kind, self.at, self.passed = kind, at, 0
        self.reached = False

    def pass_one(self, open_: Budget) -> None:
        self.passed += 1
        if self.passed == self.at:
            self.reached = True
            if self.kind == "Ctrl-C":
                open_.stop()

    def stops(self, kind: str) -> bool:
        return self.reached and self.kind == kind


@contextmanager
def moments(kind: str = "", at: int = -1) -> Iterator[Moments]:
    """Within it, `kind` happens in the moment with this number, from 1; perhaps beyond the end."""
    encoding.forget()
    now = Moments(kind, at)

    def looking(name: str) -> Callable[..., bool]:
        def look(self: Budget, *_: int) -> bool:
            now.pass_one(self)
            return now.stops(name)

        return look

    def tick(self: Any, work: int) -> None:
        now.pass_one(self)
        if self._asked or now.stops("max_seconds") or now.stops("max_memory"):
            self.look()

    def asked(self: Any) -> bool:
        now.pass_one(self)
        return bool(self._asked)

    def left(self: Budget) -> float:
        now.pass_one(self)
        return 0.0 if now.stops("max_seconds") else 10.0**6

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Budget, "late", looking("max_seconds"))
        patch.setattr(Budget, "full", looking("max_memory"))
        patch.setattr(Budget, "tick", tick)
        patch.setattr(Budget, "left", property(left))
        patch.setattr(
            Budget, "asked", property(asked, lambda self, asked: setattr(self, "_asked", asked)),
            raising=False,
        )  # fmt: skip
        looked = Question.for_core
        patch.setattr(Question, "for_core", lambda self, eager: looked(self, True))
        yield now


# -- puzzles -----------------------------------------------------------------------------------

M, N, C, V = ints("M N C V")
S = seqs("S")


@term
class Piece:
    place: int
    colour: int


@fn
def half(number: int) -> int:
    return number // 2


PLAIN: dict[str, Puzzle] = {
    "slots": sliding_tiles.instance("1,5,2", "4,0,3"),
    "one way": Puzzle(
        rule(f"on {M}", take=[At(M)], put=[At(M + 1)], when=M < 9),
        rule("jump", take=[At(2)], put=[At(7)]),
        rule("two", take=[At(N), Piece(V, 1)], put=[At(N), Piece(V + 1, 1)], when=V < N),
        start=[At(0), Piece(0, 1)],
        goal=contains(At(9), Piece(4, 1)),
    ),
    "multiset": Puzzle(
        rule(f"{M} + {N}", take=[M, N], put=[M + N]),
        rule(f"{M} - {N}", take=[M, N], put=[M - N], when=M > N),
        start=[1, 2, 4, 9],
        goal=contains(14),
    ),
    "sequences": pancakes.instance("3", "5", "1", "4", "2").replace(start=[(3, 5, 1, 4, 2), Bag()]),
    "costs": Puzzle(
        rule("on", take=[At(M)], put=[At((M + 1) % 8)], cost=2),
        rule("far", take=[At(M)], put=[At((M + 3) % 8)], cost=5),
        rule("turn", take=[Piece(0, C)], put=[Piece(0, (C + 1) % 3)]),
        start=[At(0), Piece(0, 0)],
        goal=contains(At(5), Piece(0, 2)),
    ),
    "functions": Puzzle(
        rule("halve", take=[M], put=[half(M)], when=M > 0),
        rule("more", take=[M], put=[3 * M + 1], when=M < 30),
        start=[7],
        goal=contains(4),
    ),
    "never": Puzzle(
        rule("on", take=[M], put=[M + 1], when=M < 40),
        rule("twice", take=[M], put=[2 * M], when=M < 20),
        start=[1],
        goal=exactly(37),
        never=exactly(M, when=M % 5 == 0),
    ),
    "hopeless": Puzzle(
        rule("swap", take=[Piece(0, M), Piece(1, N)], put=[Piece(0, N), Piece(1, M)]),
        rule("turn", take=[Piece(0, M)], put=[Piece(0, (M + 2) % 6)]),
        start=[Piece(0, 0), Piece(1, 2)],
        goal=contains(Piece(0, 3)),
    ),
}
LAMPS = lights_out.instance("101", "010", "110")
TURNED = relabel(lights_out.Lamp(C, V), lights_out.Lamp(8 - C, V))
SYMMETRIC = {"lamps": LAMPS, "turned": LAMPS.replace(symmetry=[TURNED])}
FREE: dict[str, Puzzle] = {
    "pushes": sokoban.level("######\n#  . #\n# $  #\n# @$.#\n#    #\n######", pushes=True),
    "round": Puzzle(
        rule("on", take=[At(M)], put=[At((M + 1) % 5)], free=True),
        rule("back", take=[At(M)], put=[At((M + 4) % 5)], free=True),
        rule("turn", take=[At(2), Piece(0, C)], put=[At(0), Piece(0, C + 1)], when=C < 6),
        start=[At(2), Piece(0, 0)],
        goal=contains(At(3), Piece(0, 4)),
    ),
}


# -- calls, and what they may give --------------------------------------------------------------


@frozen
class Case:
    """A call under limits, and the check of what it gave when it was stopped, if it was.

    raises  whether Ctrl-C raises KeyboardInterrupt there
    """

    call: Callable[..., Any]
    check: Callable[[Any, Any], None]
    engines: list[str]
    raises: bool = False


def check_paths(result: Result) -> None:
    for path in result.paths[:20]:
        assert path.states[0] == result.paths[0].start
        assert len(path.steps) == len(path)  # by the definition


def check_result(part: Result, whole: Result) -> None:
    check_paths(part)
    if part.status in ("limit", "interrupted") and part.limit not in ("width", "min_depth"):
        assert part.limit in (None, "max_seconds", "max_memory")
        part = part.resume()
        check_paths(part)
    assert (answer(part), part.shortest_paths) == (answer(whole), whole.shortest_paths)


def check_listed(part: list[Path], whole: list[Path]) -> None:
    assert [path.cost for path in part] == [path.cost for path in whole][: len(part)]


def check_space(part: Any, whole: Any) -> None:
    number = len(part)
    assert 1 <= number <= len(whole)
    assert (part.states, part.level) == (whole.states[:number], whole.level[:number])
    assert part.edges == [edge for edge in whole.edges if max(edge) < number]
    assert part.complete == (part.limit is None)
    assert not part.complete or number == len(whole)


def check_distances(part: Any, whole: Any) -> None:
    assert len(part.levels) <= len(whole.levels)
    assert part.levels == whole.levels[: len(part.levels)]
    assert part.complete == (part.limit is None)
    assert not part.complete or part.levels == whole.levels
    for state in part.farthest()[:3]:
        assert part.distance(state) == whole.distance(state) == part.depth
        assert len(part.path(state).steps) == part.depth


def check_hardest(part: Any, whole: Any) -> None:
    assert part.complete == (part.limit is None)
    assert part.levels == (whole.levels if part.complete else ())
    assert part.farthest == (whole.farthest if part.complete else ())
    if part.farthest:
        assert len(part.path().steps) == whole.depth


def check_rating(part: Any, whole: Any) -> None:
    assert part.complete == (part.limit is None)
    for name in ("length", "cost", "shortest_paths", "forced", "branching", "goals", "hopeless",
                 "dead_ends", "space_branching", "farthest", "fatal", "detour"):  # fmt: skip
        value = getattr(part, name)
        assert value == getattr(whole, name) or (value is None and not part.complete)
    assert part.path is None or len(part.path.steps) == whole.length


def check_table(part: Any, whole: Any) -> None:
    for name, result in part.results.items():
        check_result(result, whole.results[name])


def check_scrambled(puzzle: Puzzle) -> Callable[[Any, Any], None]:
    def check(part: Any, whole: Any) -> None:
        if part.distance is None:
            return
        try:
            back = search(puzzle, part, exactly(*start_of(puzzle)), strategy="breadth_first")
        except RuleError as error:  # nothing leads there: its free moves cannot be taken back
            if "free moves can be taken back" not in error.message:
                raise
            return
        assert len(back.paths[0]) <= part.distance <= 12
        assert not part.exact or len(back.paths[0]) == part.distance

    return check


def asking_inside(state: State) -> int:
    """A heuristic that itself makes calls which look at limits."""
    other = PLAIN["one way"]
    explain(other)
    return 0 * search(other, max_states=len(state) + 2).states


def case(check: Callable[[Any, Any], None], function: Callable[..., Any], *given: Any,
         raises: bool = False, **options: Any) -> Case:  # fmt: skip
    engines = engines_for(**options)
    return Case(lambda **limits: function(*given, **options, **limits), check, engines, raises)


def listed(*given: Any, **options: Any) -> list[Path]:
    return list(solutions(*given, **options))


def in_python(*given: Any, engine: str, **options: Any) -> Any:
    """Scramble, which takes no engine."""
    return scramble(*given, **options)


def kept(check: Callable[[Any, Any], None], function: Callable[..., Any], *given: Any,
         **options: Any) -> Case:  # fmt: skip
    """A call in a folder of its own; what was stopped there comes to the truth in a new call."""

    def call(engine: str, **limits: Any) -> tuple[Any, TemporaryDirectory[str]]:
        folder = TemporaryDirectory()
        return function(*given, checkpoint=folder.name, **options, **limits), folder

    def check_kept(part: tuple[Any, TemporaryDirectory[str]], whole: Any) -> None:
        result, folder = part
        with folder:
            check(result, whole[0])
            again = function(*given, checkpoint=folder.name, **options)
            check(again, whole[0])
            assert not again.limit

    return Case(call, check_kept, [name for name in ENGINES if name == "native"])


def cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for name, puzzle in (PLAIN | FREE | SYMMETRIC).items():
        found |= {
            f"search {name}": case(check_result, search, puzzle),
            f"all {name}": case(check_result, search, puzzle, solutions=None),
            f"cost {name}": case(check_result, search, puzzle, strategy="uniform_cost"),
            f"solutions {name}": case(check_listed, listed, puzzle, raises=True),
            f"explore {name}": case(check_space, explore, puzzle),
            f"distances {name}": case(check_distances, distances, puzzle),
            f"hardest {name}": case(check_hardest, hardest, puzzle),
            f"rate {name}": case(check_rating, rate, puzzle),
            f"compare {name}": case(check_table, compare, puzzle, ["breadth_first", "auto"]),
            f"scramble {name}": case(check_scrambled(puzzle), in_python, puzzle, None, 12, 1,
                                     raises=True),
        }  # fmt: skip
        if name not in FREE and name != "costs":
            found[f"shortest {name}"] = case(check_result, search, puzzle, shortest=True,
                                             distinct="paths", solutions=3)  # fmt: skip
    for name in ("slots", "costs", "one way", *SYMMETRIC, *FREE):
        puzzle = (PLAIN | FREE | SYMMETRIC)[name]
        for strategy, heuristic in (("astar", "hmax"), ("astar", "pattern_databases"),
                                    ("greedy", "goal_count")):  # fmt: skip
            found[f"{heuristic} {name}"] = case(check_result, search, puzzle, strategy=strategy,
                                                heuristic=heuristic)  # fmt: skip
    for name in ("slots", "costs", "one way", "lamps", "turned", "pushes"):
        puzzle = (PLAIN | FREE | SYMMETRIC)[name]
        found[f"both ends {name}"] = case(check_result, search, puzzle, strategy="bidirectional")
    for name in ("lamps", "turned", "round"):
        puzzle = (FREE | SYMMETRIC)[name]
        found[f"found {name}"] = case(check_result, search, puzzle, symmetry="find")
        found[f"hardest found {name}"] = case(check_hardest, hardest, puzzle, symmetry="find")
    for name in ("slots", "multiset", "sequences", "functions", "turned"):
        puzzle = (PLAIN | SYMMETRIC)[name]
        found[f"kept {name}"] = kept(check_result, search, puzzle, strategy="breadth_first",
                                     solutions=None)  # fmt: skip
        found[f"kept distances {name}"] = kept(check_distances, distances, puzzle)
    found["inside"] = case(check_result, search, PLAIN["hopeless"], strategy="astar",
                           heuristic=asking_inside)  # fmt: skip
    return found


CASES = cases()
WHOLE: dict[tuple[str, str], tuple[Any, int]] = {}
"""What a call gives that nothing stops, and how many moments it has."""


def whole(name: str, engine: str) -> tuple[Any, int]:
    if (name, engine) not in WHOLE:
        with moments() as now:
            WHOLE[name, engine] = CASES[name].call(engine=engine, **LARGE), now.passed
    return WHOLE[name, engine]


def check_moment(name: str, engine: str, kind: str, at: int) -> None:
    """Let something happen in one moment of a call, and check what comes of it."""
    one, (all_of_it, passed) = CASES[name], whole(name, engine)
    said = f"{name}, {engine}, {kind} at moment {at} of {passed}"
    try:
        with moments(kind, at):
            part = one.call(engine=engine, **LARGE)
    except KeyboardInterrupt:
        assert one.raises, said
        assert kind == "Ctrl-C", said
        return
    except BaseException as error:
        raise AssertionError(said) from error
    try:
        one.check(part, all_of_it)
    except BaseException as error:
        raise AssertionError(f"{said}: {part!r}") from error


def drawn(number: int) -> Iterator[tuple[str, str, str, int]]:
    """Moments of calls, the same in every run: every case comes, if there are enough."""
    chance = random.Random(21)
    names: list[tuple[str, str]] = []
    for _ in range(number):
        names = names or chance.sample(
            both := [(n, e) for n in CASES for e in CASES[n].engines], len(both)
        )
        name, engine = names.pop()
        yield name, engine, chance.choice(KINDS), chance.randint(1, max(1, whole(name, engine)[1]))


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second member of a search begins early."""
    monkeypatch.setattr(portfolio, "FIRST_LOOK", 30)


def test_a_limit_at_any_moment_leaves_a_part_of_the_truth() -> None:
    for moment in drawn(100):
        check_moment(*moment)


@pytest.mark.long
def test_a_limit_at_any_of_a_thousand_moments_leaves_a_part_of_the_truth() -> None:
    for moment in drawn(1_000):
        check_moment(*moment)

"""What is asked of a search, checked: the arguments of `search(...)` as one frozen value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from rewrite.errors import SearchError, did_you_mean
from rewrite.language.conditions import Both, Condition, Contains, Either, Exactly, goal_condition
from rewrite.language.expressions import Expression, kind_of
from rewrite.language.listed import takes_one
from rewrite.language.meaning import normal_goal, simplified
from rewrite.language.order import source
from rewrite.language.patterns import binders, matches_once
from rewrite.language.puzzles import Puzzle, check_slips, the_puzzle
from rewrite.language.rules import check_condition, check_value
from rewrite.language.states import State, as_state
from rewrite.native import core, core_or_none
from rewrite.outcome.path import Path
from rewrite.outcome.result import Result
from rewrite.search.checks import check_spread, check_together
from rewrite.search.heuristics import HEURISTICS, FromRules
from rewrite.search.limits import Limits
from rewrite.search.strategies import REMOVED, STRATEGIES, Strategy

ENGINES = ("auto", "python", "native", "ray")
DISTINCT = ("states", "paths")
SYMMETRY = ("declared", "find", "none")
MOST_WEIGHT = 2.0**1000
"""Beyond, a machine's numbers overflow."""


@frozen(kw_only=True)
class Question:
    """A search that was asked for; every argument has been checked."""

    puzzle: Puzzle
    start: State
    goal: Condition | None
    strategy: Strategy
    heuristic: Expression | Callable[[State], Any] | FromRules | None
    solutions: int | None
    distinct: str
    limits: Limits
    minimize: Expression | None
    progress: Callable[[Any], Any] | None
    seed: int | None
    width: int
    weight: float
    engine: str
    """"native" or "python": the one that is to run it; "ray": the native one, in many processes."""
    partitions: int | None
    """Of engine "ray": how many processes; None for one each processor."""
    threads: int | None
    symmetry: str
    """"declared", "find" or "none": what symmetries reduce the search."""
    free: bool = False
    """Whether the strategy was left to us: "auto"."""
    lazy: bool = False
    """Whether answers are asked for one after the other."""
    shortest: bool = False
    """Whether only paths of the least number of steps are asked for, all of them."""
    joins: bool = False
    """Whether states that free moves join may be counted as one: there are such moves."""

    @property
    def binds(self) -> bool:
        """Whether the goal has variables, which an answer gives values."""
        return self.goal is not None and _has_binders(self.goal)

    @property
    def is_many(self) -> bool:
        """Whether one state may be several answers: the goal's variables have several values."""
        return self.binds and self.goal is not None and not _binds_once(self.goal)

    def without_goal(self) -> Question:
        """Return the question of the whole space."""
        return evolve(self, goal=None, minimize=None)

    def for_core(self, eager: bool) -> dict[str, Any]:
        """Return what the core needs to know, by its names.

        eager   look for Ctrl-C after every batch: Python is called anyway
        """
        seed = None if self.seed is None else self.seed % 2**64
        return {
            "strategy": self.strategy.name, "width": self.width, "weight": self.weight,
            "seed": seed, "distinct_paths": self.by_paths,
            "minimize": self.minimize is not None, "goal": self.goal is not None,
            "min_depth": self.limits.min_depth, "uses_estimate": self.heuristic is not None,
            "eager": eager,
        }  # fmt: skip

    @property
    def by_paths(self) -> bool:
        """Whether paths are told apart while searching, not states."""
        return self.distinct == "paths" and not self.shortest

    @property
    def reduces(self) -> bool:
        """Whether states may be stored up to symmetry."""
        declared = self.symmetry == "declared" and bool(self.puzzle.symmetry)
        return self.symmetry == "find" or declared

    @property
    def is_plain(self) -> bool:
        """Whether nothing of the search goes by how the states are kept."""
        reduced = self.reduces
        made = isinstance(self.heuristic, FromRules)
        return not (reduced or made or self.strategy.needs_inverse or self.joins)

    @property
    def has_costs(self) -> bool:
        """Whether some step may cost something else than 1."""
        return any(type(rule.cost) is not int or rule.cost != 1 for rule in self.puzzle.rules)

    @property
    def is_weighted(self) -> bool:
        """Whether some step that is counted may cost something else than 1."""
        return _is_weighted(self.puzzle)


def _is_weighted(puzzle: Puzzle) -> bool:
    counted = [rule.cost for rule in puzzle.rules if not rule.free]
    return any(type(cost) is not int or cost != 1 for cost in counted)


def _engine(name: str) -> str:
    """Return the engine that is meant. Raises SearchError where it cannot be had."""
    if name in ("native", "ray"):
        core()
    elif name == "auto":
        return "python" if core_or_none() is None else "native"
    return name


def _partitions(engine: str, given: int | None) -> int | None:
    """Return how many processes there are to be. Raises SearchError where they cannot be had."""
    if engine != "ray":
        return given
    from rewrite.search.cluster.on_ray import partitions_for  # it loads Ray

    return partitions_for(given)


def _has_binders(given: Condition) -> bool:
    if isinstance(given, (Contains, Exactly)):
        return any(binders(pattern) for pattern in given.written)
    if isinstance(given, (Both, Either)):
        return _has_binders(given.left) or _has_binders(given.right)
    return False


def _binds_once(given: Condition) -> bool:
    """Whether a state that meets the condition gives its variables one value each."""
    if isinstance(given, Both):
        return _binds_once(given.left) and not _has_binders(given.right)
    if not isinstance(given, Exactly) or given.rest is not None:
        return False
    return len(given.patterns) == 1 and matches_once(given.patterns[0])


def question(
    puzzle: Any,
    start: Any,
    goal: Any,
    *,
    strategy: Any = "auto",
    heuristic: Any = None,
    solutions: Any = 1,
    distinct: Any = "states",
    shortest: Any = False,
    minimize: Any = None,
    progress: Any = None,
    seed: Any = None,
    threads: Any = None,
    engine: Any = "auto",
    partitions: Any = None,
    width: Any = 1000,
    weight: Any = 1,
    symmetry: Any = "declared",
    goal_needed: bool = True,
    function: str = "search",
    **limits: Any,
) -> Question:
    """Return the checked question. Raises SearchError, or the error of the part that is wrong."""
    the_puzzle(function, puzzle)
    first = puzzle.start if start is None else _start(puzzle, function, start)
    if first is None:
        given = "state" if function == "scramble" else "start"
        raise SearchError(
            f"{puzzle.name}: where to start? Give {function}(puzzle, {given}, …) or "
            "Puzzle(…, start=[…])"
        )
    first = simplified(puzzle, first)
    wanted = puzzle.goal if goal is None else _goal(puzzle, goal)
    if wanted is None and minimize is None and goal_needed:
        raise SearchError(
            f"{puzzle.name}: what to look for? Give search(puzzle, start, goal), Puzzle(…, goal=…) "
            "or minimize=…; to see the whole space use explore(puzzle, start)"
        )
    wanted = None if wanted is None else normal_goal(puzzle, wanted)
    known_word("engine", engine, ENGINES)
    known_word("distinct", distinct, DISTINCT)
    known_word("symmetry", symmetry, SYMMETRY)
    known_word("strategy", strategy, ("auto", *STRATEGIES))
    _count("threads", threads)
    _count("partitions", partitions)
    _count("solutions", solutions)
    if type(width) is not int or width < 1:
        raise SearchError(f"width={width!r} must be a whole number of 1 or more")
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if not number or not 1 <= weight < MOST_WEIGHT:
        raise SearchError(f"weight={weight!r} must be a finite number of 1 or more")
    if seed is not None and type(seed) is not int:
        raise SearchError(f"seed={seed!r} must be a whole number")
    estimate = _heuristic(puzzle, heuristic)
    asked = Question(
        puzzle=puzzle,
        start=first,
        goal=wanted,
        strategy=_strategy(puzzle, strategy, estimate, minimize),
        heuristic=estimate,
        solutions=solutions,
        distinct=distinct,
        limits=Limits(**limits),
        minimize=_minimize(puzzle, minimize),
        progress=_progress(progress),
        seed=seed,
        width=width,
        weight=weight,
        engine=_engine(engine),
        partitions=_partitions(engine, partitions),
        threads=threads,
        symmetry=symmetry,
        free=strategy == "auto" and estimate is None,
        lazy=function == "solutions",
        shortest=shortest,
        joins=function in ("search", "solutions") and any(rule.free for rule in puzzle.rules),
    )
    check_together(asked)
    check_spread(asked, function)
    return asked


def _start(puzzle: Puzzle, function: str, given: Any) -> State:
    """Return the state that is given, where it is not something else that leads to one."""
    instead = {Path: "path.end, or path.start", Result: "result.path.end", Puzzle: "puzzle.start"}
    for kind, way in instead.items():
        if isinstance(given, kind):
            raise SearchError(
                f"{function}({puzzle.name}, {given!r}, …): a {kind.__name__} is not a state; write "
                f"{way}"
            )
    state = as_state(given)
    check_slips(puzzle, "start=", state)
    return state


def known_word(name: str, value: Any, known: tuple[str, ...]) -> None:
    """Raise SearchError for anything but one of the words."""
    if not isinstance(value, str) or value not in known:
        if name == "strategy" and isinstance(value, str) and value in REMOVED:
            raise SearchError(f"strategy={value!r} was removed; {REMOVED[value]}")
        hint = did_you_mean(str(value), known)
        raise SearchError(f"{name}={value!r} is unknown{hint}; known: {', '.join(known)}")


def _count(name: str, value: Any) -> None:
    if value is not None and (type(value) is not int or value < 1):
        raise SearchError(f"{name}={value!r} must be a whole number of 1 or more, or None")


def _goal(puzzle: Puzzle, goal: Any) -> Condition:
    if isinstance(goal, (Puzzle, Path, Result)):
        raise SearchError(
            f"{puzzle.name}: goal={goal!r}: a goal is a condition, a State or a list of States; "
            f"found a {type(goal).__name__}"
        )
    condition = goal_condition(goal)
    check_slips(puzzle, "goal=", condition)
    check_condition(f"{puzzle.name}: goal={condition!r}", condition, {})
    return condition


def _strategy(puzzle: Puzzle, name: str, heuristic: Any, minimize: Any) -> Strategy:
    costly = _is_weighted(puzzle)
    if name == "auto":
        if minimize is None and heuristic is not None:
            return STRATEGIES["astar"]
        return STRATEGIES["uniform_cost" if costly else "breadth_first"]
    chosen = STRATEGIES[name]
    if chosen.needs_heuristic and heuristic is None:
        raise SearchError(
            f"strategy={name!r} needs heuristic=…: an expression such as total(…) or a function "
            "State -> number that says how far a state is from the goal"
        )
    if heuristic is not None and not (chosen.needs_heuristic or chosen.takes_heuristic):
        raise SearchError(
            f"strategy={name!r} uses no heuristic; use strategy='astar' (shortest), 'greedy' or "
            "'beam'"
        )
    return chosen


def _heuristic(puzzle: Puzzle, given: Any) -> Any:
    if given is None:
        return None
    if isinstance(given, str):
        if given not in HEURISTICS:
            raise SearchError(
                f"heuristic={given!r} is unknown{did_you_mean(given, tuple(HEURISTICS))}; known: "
                f"{', '.join(HEURISTICS)}; or give an expression such as total(…), or a function "
                "State -> number"
            )
        return HEURISTICS[given]
    if isinstance(given, Expression):
        if kind_of(given) == "bool":
            raise SearchError(
                f"heuristic={source(given)} is of kind {given.kind}; a heuristic is a number of 0 "
                f"or more. Write if_({source(given)}, 0, 1) for a condition"
            )
        check_value(f"{puzzle.name}: heuristic", given)
        return given
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return lambda state: given
    if callable(given):
        if not takes_one(given):
            raise SearchError(f"heuristic={given!r} must take one argument, the State")
        return given
    raise SearchError(
        f"heuristic={given!r} must be an expression such as total(…), a function State -> number, "
        f"or one of {', '.join(map(repr, HEURISTICS))}"
    )


def _minimize(puzzle: Puzzle, given: Any) -> Expression | None:
    if given is None:
        return None
    if not isinstance(given, Expression):
        raise SearchError(
            f"minimize={given!r} must be an expression over the state, such as "
            "lowest(abs(M - 793), M)"
        )
    check_value(f"{puzzle.name}: minimize", given)
    return given


def _progress(given: Any) -> Callable[[Any], Any] | None:
    if given is None or given is False:
        return None
    if not callable(given):
        raise SearchError(f"progress={given!r} must be a function that takes a Progress")
    return given  # type: ignore[no-any-return]

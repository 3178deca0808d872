"""What a person asks of a search, checked: the arguments of `search(...)` as one frozen value."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from attrs import evolve, field, frozen

from rewrite.errors import SearchError, did_you_mean
from rewrite.language.conditions import Condition, goal_condition
from rewrite.language.expressions import Expression
from rewrite.language.patterns import binders
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import check_condition, check_value
from rewrite.language.states import State
from rewrite.native import core, core_or_none
from rewrite.search.heuristics import HEURISTICS, FromRules
from rewrite.search.limits import Limits
from rewrite.search.strategies import STRATEGIES, Strategy

ENGINES = ("auto", "python", "native")
DISTINCT = ("states", "paths")


@frozen
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
    """"native" or "python": the one that is to run it."""
    threads: int | None
    notes: tuple[str, ...] = field(default=())

    @property
    def binds(self) -> bool:
        """Whether the goal has variables, so that one state may be several answers."""
        return self.goal is not None and _has_binders(self.goal)

    def without_goal(self) -> Question:
        """Return the question of the whole space."""
        return evolve(self, goal=None, minimize=None)

    def for_core(self, eager: bool) -> dict[str, Any]:
        """Return what the core needs to know, by its names.

        eager   look for Ctrl-C after every batch: Python is called anyway
        """
        seed = None if self.seed is None else _digits32(abs(self.seed))
        return {
            "strategy": self.strategy.name, "width": self.width, "weight": self.weight,
            "seed": seed, "distinct_paths": self.distinct == "paths",
            "minimize": self.minimize is not None, "goal": self.goal is not None,
            "min_depth": self.limits.min_depth, "uses_estimate": self.heuristic is not None,
            "eager": eager,
        }  # fmt: skip

    @property
    def has_costs(self) -> bool:
        """Whether some step may cost something else than 1."""
        return any(type(rule.cost) is not int or rule.cost != 1 for rule in self.puzzle.rules)


def _digits32(number: int) -> list[int]:
    """Return the 32-bit digits of a number, the lowest first."""
    return [number >> at & 0xFFFFFFFF for at in range(0, max(1, number.bit_length()), 32)]


def _engine(name: str) -> str:
    """Return the engine that is meant. Raises SearchError where it cannot be had."""
    if name == "native":
        core()
    elif name == "auto":
        return "python" if core_or_none() is None else "native"
    return name


def _has_binders(given: Any) -> bool:
    if type(given).__name__ in ("Contains", "Exactly"):
        return any(binders(pattern) for pattern in given.patterns)
    if hasattr(given, "left"):
        return _has_binders(given.left) or _has_binders(given.right)
    return False


def question(
    puzzle: Any,
    start: Any,
    goal: Any,
    *,
    strategy: Any = "auto",
    heuristic: Any = None,
    solutions: Any = 1,
    distinct: Any = "states",
    minimize: Any = None,
    progress: Any = None,
    seed: Any = None,
    threads: Any = None,
    engine: Any = "auto",
    width: Any = 1000,
    weight: Any = 1,
    goal_needed: bool = True,
    function: str = "search",
    **limits: Any,
) -> Question:
    """Return the checked question. Raises SearchError, or the error of the part that is wrong."""
    if not isinstance(puzzle, Puzzle):
        raise SearchError(f"{function}({puzzle!r}, …): the first argument is a Puzzle")
    first = puzzle.start if start is None else State(start)
    if first is None:
        given = "state" if function == "scramble" else "start"
        raise SearchError(
            f"{puzzle.name}: where to start? Give {function}(puzzle, {given}, …) or "
            "Puzzle(…, start=[…])"
        )
    wanted = puzzle.goal if goal is None else _goal(puzzle, goal)
    if wanted is None and minimize is None and goal_needed:
        raise SearchError(
            f"{puzzle.name}: what to look for? Give search(puzzle, start, goal), Puzzle(…, goal=…) "
            "or minimize=…; to see the whole space use explore(puzzle, start)"
        )
    _known("engine", engine, ENGINES)
    _known("distinct", distinct, DISTINCT)
    _count("threads", threads)
    _count("solutions", solutions)
    _count("width", width)
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or weight < 1:
        raise SearchError(f"weight={weight!r} must be a number of 1 or more")
    if seed is not None and type(seed) is not int:
        raise SearchError(f"seed={seed!r} must be a whole number")
    estimate = _heuristic(puzzle, heuristic)
    chosen, notes = _strategy(puzzle, strategy, estimate, minimize)
    made_limits = Limits(**limits)
    asked = Question(
        puzzle, first, wanted, chosen, estimate, solutions, distinct, made_limits,
        _minimize(puzzle, minimize), _progress(progress), seed, width, weight,
        _engine(engine), threads, notes,
    )  # fmt: skip
    _check_together(asked)
    return asked


def _check_together(asked: Question) -> None:
    name, seed = asked.strategy.name, asked.seed
    if isinstance(asked.heuristic, FromRules) and asked.goal is None:
        raise SearchError(
            f"heuristic={asked.heuristic.name!r} estimates the way to a goal, and there is none; "
            "give goal=…, or leave the heuristic out"
        )
    if asked.distinct == "paths" and name != "breadth_first":
        raise SearchError(
            f"distinct='paths' lists paths by length and goes with strategy='breadth_first'; found "
            f"strategy={name!r}"
        )
    if asked.limits.max_depth is not None and asked.has_costs and asked.strategy.keeps_cheapest:
        raise SearchError(
            f"max_depth counts steps, but strategy={name!r} keeps the cheapest way to a state, and "
            f"steps of {asked.puzzle.name} do not all cost 1: the cheapest way may be too long "
            "while a dearer one is not. Use strategy='breadth_first', or leave max_depth out"
        )
    if seed is not None and not asked.strategy.random:
        able = [entry.name for entry in STRATEGIES.values() if entry.random]
        raise SearchError(
            f"seed={seed}: strategy={name!r} has no choice to make at random; {', '.join(able)} has"
        )
    for option, given, usual, owner in (
        ("width", asked.width, 1000, "beam"),
        ("weight", asked.weight, 1, "astar"),
    ):
        if given != usual and name != owner and not (option == "weight" and name == "idastar"):
            raise SearchError(
                f"{option}={given} goes with strategy={owner!r} only; found strategy={name!r}"
            )
    if not asked.strategy.remembers and asked.limits.min_depth:
        raise SearchError(
            f"min_depth={asked.limits.min_depth}: strategy={name!r} does not remember the states "
            "that it has seen, so it cannot tell cycles from ways already tried; use "
            "strategy='astar'"
        )
    if asked.minimize is not None and (name in ("greedy", "beam") or not asked.strategy.remembers):
        raise SearchError(
            f"minimize= looks at the whole space; use strategy='breadth_first', found "
            f"strategy={name!r}"
        )


def _known(name: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        hint = did_you_mean(str(value), known)
        raise SearchError(f"{name}={value!r} is unknown{hint}; known: {', '.join(known)}")


def _count(name: str, value: Any) -> None:
    if value is not None and (type(value) is not int or value < 1):
        raise SearchError(f"{name}={value!r} must be a whole number of 1 or more, or None")


def _goal(puzzle: Puzzle, goal: Any) -> Condition:
    condition = goal_condition(goal)
    check_condition(f"{puzzle.name}: goal={condition!r}", condition, {})
    return condition


def _strategy(
    puzzle: Puzzle, name: Any, heuristic: Any, minimize: Any
) -> tuple[Strategy, tuple[str, ...]]:
    costly = any(type(rule.cost) is not int or rule.cost != 1 for rule in puzzle.rules)
    if name == "auto":
        if minimize is None and heuristic is not None:
            return STRATEGIES["astar"], ()
        return STRATEGIES["uniform_cost" if costly else "breadth_first"], ()
    if name == "bidirectional":
        raise SearchError(
            "strategy='bidirectional' is not part of this version; use 'breadth_first', or 'astar' "
            "with a heuristic"
        )
    if not isinstance(name, str) or name not in STRATEGIES:
        known = ("auto", *STRATEGIES)
        hint = did_you_mean(str(name), known)
        raise SearchError(f"strategy={name!r} is unknown{hint}; known: {', '.join(known)}")
    chosen = STRATEGIES[name]
    if chosen.needs_heuristic and heuristic is None:
        raise SearchError(
            f"strategy={name!r} needs heuristic=…: an expression such as total(…) or a function "
            "State -> number that says how far a state is from the goal"
        )
    if heuristic is not None and not chosen.needs_heuristic:
        raise SearchError(
            f"strategy={name!r} uses no heuristic; use strategy='astar' (shortest), 'greedy' or "
            "'beam'"
        )
    return chosen, ()


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
        check_value(f"{puzzle.name}: heuristic", given)
        return given
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return lambda state: given
    if callable(given):
        try:
            inspect.signature(given).bind(puzzle.start)
        except TypeError:
            raise SearchError(f"heuristic={given!r} must take one argument, the State") from None
        except ValueError:
            pass  # a built-in without a signature
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
        raise SearchError(f"progress={given!r} must be a function that is called with a Progress")
    return given  # type: ignore[no-any-return]

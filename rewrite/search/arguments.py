"""Turns the arguments of a public function into a checked question."""

from __future__ import annotations

from typing import Any

from rewrite.errors import SearchError, did_you_mean
from rewrite.language.arguments import takes_one
from rewrite.language.checks import check_condition, check_value
from rewrite.language.conditions import Condition, goal_condition
from rewrite.language.expressions import Expression, kind_of
from rewrite.language.meaning import normal_goal, simplified
from rewrite.language.order import source
from rewrite.language.puzzles import Puzzle, check_slips, the_puzzle
from rewrite.language.states import State, as_state
from rewrite.native import core, core_or_none
from rewrite.results.path import Path
from rewrite.results.result import Result
from rewrite.search.checks import check_spread, check_together
from rewrite.search.heuristics import HEURISTICS
from rewrite.search.limits import LIMITS, Limits
from rewrite.search.options import OPTIONS, Option
from rewrite.search.question import Question, is_weighted
from rewrite.search.strategies import STRATEGIES, STRATEGY_NAME, STRATEGY_OPTIONS, Strategy


def question(
    puzzle: Any,
    start: Any,
    goal: Any,
    *,
    strategy: Any = "auto",
    heuristic: Any = None,
    shortest: Any = False,
    minimize: Any = None,
    progress: Any = None,
    goal_needed: bool = True,
    function: str = "search",
    **given: Any,
) -> Question:
    """Return the checked question: limits and options by name, others have their defaults.

    Raises SearchError, or the error of the invalid part.
    """
    the_puzzle(function, puzzle)
    first = puzzle.start if start is None else _start(puzzle, function, start)
    if first is None:
        name = "state" if function == "scramble" else "start"
        raise SearchError(
            f"{puzzle.name}: where to start? Give {function}(puzzle, {name}, …) or "
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
    STRATEGY_NAME.check("strategy", strategy)
    assert given.keys() <= OPTIONS.keys() | STRATEGY_OPTIONS.keys() | LIMITS.keys(), given
    common, options = _values(OPTIONS, given), _values(STRATEGY_OPTIONS, given)
    limits = Limits(**{name: given[name] for name in LIMITS if name in given})
    estimate = _heuristic(puzzle, heuristic)
    if common["engine"] == "auto":
        common["engine"] = "python" if core_or_none() is None else "native"
    elif common["engine"] != "python":
        core()  # raises SearchError if it is not available
    if common["engine"] == "ray":
        from rewrite.search.cluster.on_ray import partitions_for  # it loads Ray

        common["partitions"] = partitions_for(common["partitions"])
    chosen = _strategy(puzzle, strategy, estimate, minimize)
    if minimize is not None:
        _check_minimize(puzzle, minimize)
    if progress is False:
        progress = None
    if progress is not None and not callable(progress):
        raise SearchError(f"progress={progress!r} must be a function that takes a Progress")
    searches = function in ("search", "solutions")
    asked = Question(
        puzzle=puzzle, start=first, goal=wanted, strategy=chosen, heuristic=estimate,
        options=options, limits=limits, minimize=minimize, progress=progress,
        free=strategy == "auto" and estimate is None, lazy=function == "solutions",
        shortest=shortest, joins=searches and any(rule.free for rule in puzzle.rules), **common,
    )  # fmt: skip
    check_together(asked)
    check_spread(asked, function)
    return asked


def whole_space(function: str, puzzle: Any, start: Any, goal: Any, **given: Any) -> Question:
    """Return the checked question of a whole space, for the public `function`."""
    return question(
        puzzle, start, goal, strategy="breadth_first", solutions=None, goal_needed=False,
        function=function, **given,
    )  # fmt: skip


def _start(puzzle: Puzzle, function: str, given: Any) -> State:
    # refuse objects that merely contain a state
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


def _values(options: dict[str, Option], given: dict[str, Any]) -> dict[str, Any]:
    return {
        name: option.kind.check(name, given.get(name, option.usual))
        for name, option in options.items()
    }


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
    if name == "auto":
        if minimize is None and heuristic is not None:
            return STRATEGIES["astar"]
        return STRATEGIES["uniform_cost" if is_weighted(puzzle) else "breadth_first"]
    chosen = STRATEGIES[name]
    if chosen.needs_heuristic and heuristic is None:
        raise SearchError(
            f"strategy={name!r} needs heuristic=…: an expression such as total(…) or a function "
            "State -> number that says how far a state is from the goal"
        )
    if heuristic is not None and not chosen.uses_heuristic:
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
            hint = did_you_mean(given.lower(), tuple(HEURISTICS))
            raise SearchError(
                f"heuristic={given!r} is unknown{hint}; known: "
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


def _check_minimize(puzzle: Puzzle, given: Any) -> None:
    if callable(given) and not isinstance(given, Expression):
        raise SearchError(
            f"minimize={getattr(given, '__name__', given)!s} is a function of the state: only an "
            "expression can be minimized, such as lowest(abs(M - 793), M). For a function of a "
            "term, decorate it with @fn: lowest(size(X), X) with X = terms('X')"
        )
    if not isinstance(given, Expression):
        raise SearchError(
            f"minimize={given!r} must be an expression over the state, such as "
            "lowest(abs(M - 793), M)"
        )
    check_value(f"{puzzle.name}: minimize", given)

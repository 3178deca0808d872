"""Which arguments of a search go together."""

from __future__ import annotations

from rewrite.errors import SearchError
from rewrite.language.conditions import Predicate
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import everything_inside
from rewrite.search.heuristics import FromRules
from rewrite.search.question import Question
from rewrite.search.strategies import STRATEGIES, STRATEGY_OPTIONS

MOST_PARTITIONS = 2**16 - 2
"""A state stores its parent's part in 16 bits, and one value means none."""


def check_together(asked: Question) -> None:
    if asked.shortest is not False:
        _check_shortest(asked)
    name, strategy = asked.strategy.name, asked.strategy
    if isinstance(asked.heuristic, FromRules) and asked.goal is None:
        raise SearchError(
            f"heuristic={asked.heuristic.name!r} estimates the way to a goal, but there is no "
            "goal; give goal=…, or leave the heuristic out"
        )
    if asked.distinct == "paths" and not strategy.lists_paths:
        raise SearchError(
            f"distinct='paths' lists paths by length and goes with strategy='breadth_first'; found "
            f"strategy={name!r}"
        )
    if asked.joins and asked.by_paths:
        raise SearchError(
            "distinct='paths' lists every path, and free moves can be made in ever new ways. Leave "
            "one of the two out"
        )
    if asked.limits.max_depth is not None and asked.is_weighted and strategy.keeps_cheapest:
        raise SearchError(
            f"max_depth counts steps, but strategy={name!r} keeps the cheapest way to a state, and "
            f"steps of {asked.puzzle.name} do not all cost 1: the cheapest way may be too long "
            "while a more expensive one is not. Use strategy='breadth_first', or leave max_depth "
            "out"
        )
    for option in STRATEGY_OPTIONS.values():
        given = asked.options[option.name]
        if given != option.usual and option not in strategy.options:
            able = [repr(one.name) for one in STRATEGIES.values() if option in one.options]
            raise SearchError(
                f"{option.name}={given} goes with strategy={' or '.join(able)} only; found "
                f"strategy={name!r}"
            )
    if strategy.needs_inverse:
        _check_ends(asked)
    if not strategy.remembers and asked.limits.min_depth:
        raise SearchError(
            f"min_depth={asked.limits.min_depth}: strategy={name!r} does not remember the states "
            "that it has seen, so it cannot tell cycles from ways already tried; use "
            "strategy='astar'"
        )
    if asked.minimize is not None and not strategy.minimizes:
        raise SearchError(
            f"minimize= looks at the whole space; use strategy='breadth_first', found "
            f"strategy={name!r}"
        )


def _check_ends(asked: Question) -> None:
    text = f"strategy={asked.strategy.name!r} finds one shortest way to a goal"
    if asked.goal is None or asked.minimize is not None:
        raise SearchError(f"{text}, and needs one: goal=…; minimize= looks at the whole space")
    if asked.solutions != 1 or asked.lazy:
        found = "solutions(…)" if asked.lazy else f"solutions={asked.solutions}"
        raise SearchError(
            f"{text}; found {found}. Use strategy='breadth_first' for more answers, or "
            "search(…) for one"
        )
    if asked.limits.min_depth:
        raise SearchError(
            f"{text}; found min_depth={asked.limits.min_depth}. Use strategy='breadth_first'"
        )


def _check_shortest(asked: Question) -> None:
    if asked.shortest is not True:
        raise SearchError(f"shortest={asked.shortest!r} must be True or False")
    if asked.distinct != "paths":
        raise SearchError(
            "shortest=True finds all paths of the least number of steps and goes with "
            f"distinct='paths'; found distinct={asked.distinct!r}, where the first answer of "
            "strategy='breadth_first' is a shortest one anyway"
        )
    if asked.has_costs:
        raise SearchError(
            f"shortest=True counts steps, and steps of {asked.puzzle.name} do not all cost 1: what "
            "would be shortest need not be cheapest. Leave shortest= out and use "
            "strategy='uniform_cost', or give every rule cost=1"
        )
    if asked.limits.min_depth:
        raise SearchError(
            f"shortest=True finds paths of the least number of steps; found "
            f"min_depth={asked.limits.min_depth}, which passes them by. Leave one of the two out"
        )
    if asked.minimize is not None:
        raise SearchError(
            "shortest=True finds paths to goals, minimize= the state with the lowest value. Leave "
            "one of the two out"
        )


def check_spread(asked: Question, function: str) -> None:
    """Raise SearchError for what cannot be distributed over processes, by the public `function`."""
    if asked.engine != "ray":
        if asked.partitions is not None:
            raise SearchError(
                f"partitions={asked.partitions} divides states over the processes of "
                f"engine='ray'; found engine={asked.engine!r}. For more states than memory write "
                "strategy='breadth_first', checkpoint=… and max_memory=…: what does not fit stays "
                "in the folder"
            )
        return
    text = "engine='ray' spreads breadth-first search over processes"
    if asked.joins:
        raise SearchError(f"{text}, which does not join states by free moves. Leave engine= out")
    if asked.partitions is not None and asked.partitions > MOST_PARTITIONS:
        raise SearchError(
            f"partitions={asked.partitions} are more than there may be: {MOST_PARTITIONS:,}"
        )
    if function not in ("search", "solutions"):
        raise SearchError(f"{text}, and goes with search(…); found {function}(…)")
    if asked.strategy.name != "breadth_first":
        why = " (steps do not all cost 1)" if asked.free and asked.has_costs else ""
        raise SearchError(
            f"{text}; found strategy={asked.strategy.name!r}{why}. Leave engine= out, or give "
            "strategy='breadth_first'"
        )
    for name, value, given in (
        ("distinct", asked.distinct, asked.distinct != "states"),
        ("minimize", asked.minimize, asked.minimize is not None),
        ("threads", asked.threads, asked.threads is not None),
        ("min_depth", asked.limits.min_depth, asked.limits.min_depth != 0),
    ):
        if given:
            instead = "; give partitions=" if name == "threads" else ", or engine= and partitions="
            raise SearchError(
                f"{text}, which cannot heed {name}={value!r}. Leave {name}= out{instead}"
            )
    inside = () if asked.goal is None else everywhere(asked.goal, everything_inside)
    if any(isinstance(one, Predicate) for one in inside):
        raise SearchError(
            f"{text}, and {asked.puzzle.name} has a goal that is a Python function of the whole "
            "state. Write it as a condition: contains(…), exactly(…), or leave engine= out"
        )

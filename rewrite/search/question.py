"""The question of a search: the checked arguments of `search(...)`, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.inlining import inlined
from rewrite.language.conditions import Both, Condition, Contains, Either, Exactly, Predicate
from rewrite.language.expressions import Expression
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import binders, everything_inside, matches_once
from rewrite.language.puzzles import Puzzle, has_costs
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.search.heuristics import FromRules
from rewrite.search.limits import Limits
from rewrite.search.strategies import STRATEGY_OPTIONS, Strategy


@frozen(kw_only=True)
class Question:
    """A requested search; every argument has been checked.

    engine      "native" or "python", the engine to run it; "ray": the native one, in many processes
    partitions  with engine "ray": how many processes; None for one per processor
    symmetry    "declared", "find" or "none": what symmetries reduce the search
    options     the values of all arguments specific to some strategies
    free        whether the strategy is "auto"
    lazy        whether answers are requested one by one
    shortest    whether to find all paths with the fewest steps, and only those
    joins       whether there are free moves, so that states they join may count as one
    doubts      parts of the goal that nothing makes: reported if there is no answer
    twin_of     the question as it was asked, if this is the one about its twin: see `search.twin`
    """

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
    options: Mapping[str, Any]
    engine: str
    partitions: int | None
    threads: int | None
    symmetry: str
    free: bool = False
    lazy: bool = False
    shortest: bool = False
    joins: bool = False
    doubts: tuple[str, ...] = ()
    twin_of: Question | None = None

    @property
    def outer(self) -> Question:
        """The question about the puzzle itself."""
        return self.twin_of or self

    @cached_property
    def binds(self) -> bool:
        """Whether the goal has variables, which an answer binds."""
        return self.goal is not None and _has_binders(self.goal)

    @cached_property
    def is_many(self) -> bool:
        """Whether one state may be several answers, with different bindings."""
        return self.binds and self.goal is not None and not _binds_once(self.goal)

    @property
    def values(self) -> tuple[Expression, ...]:
        """The expressions to evaluate in states, the heuristic's last."""
        both = self.minimize, self.heuristic
        return tuple([value for value in both if isinstance(value, Expression)])

    @property
    def one_nearest(self) -> bool:
        """Whether one path to a nearest goal is asked for, and no condition on its length."""
        one = self.solutions == 1 and self.distinct == "states" and not self.lazy
        one = one and self.goal is not None and self.minimize is None
        return one and self.limits.min_depth == 0 and not self.puzzle.simplify

    def without_goal(self) -> Question:
        return evolve(self, goal=None, minimize=None)

    def for_core(self, eager: bool) -> dict[str, Any]:
        """Return the core's options, by its names.

        eager   check for Ctrl-C after every batch: Python is called anyway
        """
        options = {name: STRATEGY_OPTIONS[name].core(value) for name, value in self.options.items()}
        return {
            "strategy": self.strategy.name, "options": options, "distinct_paths": self.by_paths,
            "minimize": self.minimize is not None, "goal": self.goal is not None,
            "min_depth": self.limits.min_depth, "uses_estimate": self.heuristic is not None,
            "eager": eager,
        }  # fmt: skip

    @property
    def by_paths(self) -> bool:
        return self.distinct == "paths" and not self.shortest

    @property
    def reduces(self) -> bool:
        declared = self.symmetry == "declared" and bool(self.puzzle.symmetry)
        return self.symmetry == "find" or declared

    @property
    def is_plain(self) -> bool:
        """Whether nothing in the search depends on how states are encoded."""
        from_rules = isinstance(self.heuristic, FromRules)
        return not (self.reduces or from_rules or self.strategy.needs_inverse or self.joins)

    @cached_property
    def python_calls(self) -> tuple[str, ...]:
        """The rules and conditions that call Python, each with its functions: that takes time."""
        puzzle, heuristic = self.puzzle, self.heuristic
        found = [(f"rule {one.name!r}", _of_rule(one)) for one in (*puzzle.rules, *puzzle.simplify)]
        found += [
            ("never", _functions(puzzle.never)), ("the goal", _functions(self.goal)),
            ("minimize", _functions(self.minimize)),
            ("the heuristic", [] if isinstance(heuristic, FromRules) else _functions(heuristic)),
        ]  # fmt: skip
        return tuple(
            [f"{name} ({', '.join(dict.fromkeys(called))})" for name, called in found if called]
        )

    @property
    def has_costs(self) -> bool:
        """Whether some step may have a cost other than 1."""
        return has_costs(self.puzzle)

    @property
    def is_weighted(self) -> bool:
        return is_weighted(self.puzzle)


def is_weighted(puzzle: Puzzle) -> bool:
    counted = [rule.cost for rule in puzzle.rules if not rule.free]
    return any(type(cost) is not int or cost != 1 for cost in counted)


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


@lru_cache(maxsize=1_000)
def _of_rule(rule: Rule) -> list[str]:
    if rule.outline is not None:
        return []  # it consists of terms, built-in functions and variables
    return _functions(rule.content)


def _functions(part: Any) -> list[str]:
    found: list[str] = []
    for one in everywhere(part, everything_inside):
        if isinstance(one, FunctionCall):
            found += [one.function.name] * (inlined(one) is None)
        elif isinstance(one, Predicate) or (callable(one) and not isinstance(one, Expression)):
            function = one.function if isinstance(one, Predicate) else one
            found.append(getattr(function, "__name__", repr(function)))
    return found

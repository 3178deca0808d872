"""Puzzles declared as rewrite rules on bags of terms, searched, and replayed.

The public API and nothing else; `docs/reference/language.md` says what everything means.

A name is loaded when it is first asked for: who writes a puzzle does not wait for the search, and
who searches does not wait for views and exports. So each name stands here three times, as type
checkers, `import *` and the running program each read it in their own way; a test compares them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rewrite import starting  # noqa: F401  (first: Ctrl-C is heard while the rest is loaded)
from rewrite.language.faces import made_by

if TYPE_CHECKING:
    from rewrite.errors import (
        CheckpointError,
        ExportError,
        ExpressionError,
        HeuristicError,
        PuzzleError,
        ReplayError,
        RewriteError,
        RewriteWarning,
        RuleError,
        SearchError,
        SimplifyError,
        StateError,
        SymmetryError,
        TermError,
        UnboundVariable,
        ViewError,
    )
    from rewrite.export.maude import to_maude
    from rewrite.language.bag import Bag
    from rewrite.language.builtins import (
        between,
        digits,
        divides,
        greatest,
        if_,
        is_in,
        least,
        length,
        letters,
        lower,
        number,
        position,
        reverse,
        text,
        upper,
    )
    from rewrite.language.conditions import (
        Condition,
        contains,
        count,
        exactly,
        highest,
        lacks,
        lowest,
        terminal,
        total,
    )
    from rewrite.language.expressions import ANY
    from rewrite.language.functions import bags, bools, fn, ints, one_of, seqs, strs, terms
    from rewrite.language.puzzles import Puzzle
    from rewrite.language.rules import Rule, rule
    from rewrite.language.states import State
    from rewrite.language.symmetry import interchangeable, relabel
    from rewrite.language.terms import term
    from rewrite.outcome.explain import Funnel
    from rewrite.outcome.moves import Step, moves
    from rewrite.outcome.path import Path
    from rewrite.outcome.replay import replay
    from rewrite.outcome.result import Comparison, Result, RuleStats
    from rewrite.outcome.spaces import Distances, Hardest, Rating, Scrambled, Space
    from rewrite.outcome.symmetry_check import SymmetryReport, check_symmetry
    from rewrite.search.api import search, solutions
    from rewrite.search.drivers.interface import Progress
    from rewrite.search.strategies import STRATEGIES
    from rewrite.search.tasks.compare import compare
    from rewrite.search.tasks.distances import distances
    from rewrite.search.tasks.explain import explain
    from rewrite.search.tasks.explore import explore
    from rewrite.search.tasks.hardest import hardest
    from rewrite.search.tasks.rate import rate
    from rewrite.search.tasks.scramble import scramble
    from rewrite.views.grid import grid
    from rewrite.views.lines import chain, pegs, ring, vessels
    from rewrite.views.stories import frames
    from rewrite.web.play import play

__all__ = [
    "ANY",
    "STRATEGIES",
    "Bag",
    "CheckpointError",
    "Comparison",
    "Condition",
    "Distances",
    "ExportError",
    "ExpressionError",
    "Funnel",
    "Hardest",
    "HeuristicError",
    "Path",
    "Progress",
    "Puzzle",
    "PuzzleError",
    "Rating",
    "ReplayError",
    "Result",
    "RewriteError",
    "RewriteWarning",
    "Rule",
    "RuleError",
    "RuleStats",
    "Scrambled",
    "SearchError",
    "SimplifyError",
    "Space",
    "State",
    "StateError",
    "Step",
    "SymmetryError",
    "SymmetryReport",
    "TermError",
    "UnboundVariable",
    "ViewError",
    "bags",
    "between",
    "bools",
    "chain",
    "check_symmetry",
    "compare",
    "contains",
    "count",
    "digits",
    "distances",
    "divides",
    "exactly",
    "explain",
    "explore",
    "fn",
    "frames",
    "greatest",
    "grid",
    "hardest",
    "highest",
    "if_",
    "interchangeable",
    "ints",
    "is_in",
    "lacks",
    "least",
    "length",
    "letters",
    "lower",
    "lowest",
    "moves",
    "number",
    "one_of",
    "pegs",
    "play",
    "position",
    "rate",
    "relabel",
    "replay",
    "reverse",
    "ring",
    "rule",
    "scramble",
    "search",
    "seqs",
    "solutions",
    "strs",
    "term",
    "terminal",
    "terms",
    "text",
    "to_maude",
    "total",
    "upper",
    "vessels",
]

_NAMES = {
    "rewrite.errors": (
        "CheckpointError ExportError ExpressionError HeuristicError PuzzleError ReplayError "
        "RewriteError RewriteWarning RuleError SearchError SimplifyError StateError "
        "SymmetryError TermError UnboundVariable ViewError"
    ),
    "rewrite.export.maude": "to_maude",
    "rewrite.language.bag": "Bag",
    "rewrite.language.builtins": (
        "between digits divides greatest if_ is_in least length letters lower number position "
        "reverse text upper"
    ),
    "rewrite.language.conditions": (
        "Condition contains count exactly highest lacks lowest terminal total"
    ),
    "rewrite.language.expressions": "ANY",
    "rewrite.language.functions": "bags bools fn ints one_of seqs strs terms",
    "rewrite.language.puzzles": "Puzzle",
    "rewrite.language.rules": "Rule rule",
    "rewrite.language.states": "State",
    "rewrite.language.symmetry": "interchangeable relabel",
    "rewrite.language.terms": "term",
    "rewrite.outcome.explain": "Funnel",
    "rewrite.outcome.moves": "Step moves",
    "rewrite.outcome.path": "Path",
    "rewrite.outcome.replay": "replay",
    "rewrite.outcome.result": "Comparison Result RuleStats",
    "rewrite.outcome.spaces": "Distances Hardest Rating Scrambled Space",
    "rewrite.outcome.symmetry_check": "SymmetryReport check_symmetry",
    "rewrite.search.api": "search solutions",
    "rewrite.search.tasks.compare": "compare",
    "rewrite.search.drivers.interface": "Progress",
    "rewrite.search.tasks.distances": "distances",
    "rewrite.search.tasks.explain": "explain",
    "rewrite.search.tasks.explore": "explore",
    "rewrite.search.tasks.hardest": "hardest",
    "rewrite.search.tasks.rate": "rate",
    "rewrite.search.tasks.scramble": "scramble",
    "rewrite.search.strategies": "STRATEGIES",
    "rewrite.views.grid": "grid",
    "rewrite.views.lines": "chain pegs ring vessels",
    "rewrite.views.stories": "frames",
    "rewrite.web.play": "play",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

# The folder `search` has the name of a function. Python makes a loaded folder an attribute of the
# package, but only the first time: it is loaded now, so that it never comes to hide the function.
import_module("rewrite.search")
globals().pop("search", None)

# Rooms below do not know who draws what they hold: it is said here, and loaded when it is needed.
made_by(lambda: import_module("rewrite.html.faces"))

if not TYPE_CHECKING:  # else every name would be one, to a type checker

    def __getattr__(name: str) -> Any:
        """Load what a public name stands for, once."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value


def __dir__() -> list[str]:
    """The names that are there, and those that are loaded when they are asked for."""
    return sorted({*globals(), *__all__})

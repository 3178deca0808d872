"""Puzzles declared as rewrite rules on bags of terms, searched, and replayed.

The public API and nothing else; `docs/reference/language.md` says what everything means.
"""

from rewrite import starting  # noqa: F401  (first: Ctrl-C is heard while the rest is loaded)
from rewrite.errors import (
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
from rewrite.language.functions import (
    bags,
    between,
    bools,
    digits,
    divides,
    fn,
    greatest,
    if_,
    ints,
    is_in,
    least,
    length,
    letters,
    lower,
    number,
    one_of,
    position,
    reverse,
    seqs,
    strs,
    terms,
    text,
    upper,
)
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.states import State
from rewrite.language.symmetry import interchangeable, relabel
from rewrite.language.terms import term
from rewrite.outcome.distances import Distances
from rewrite.outcome.explain import Funnel
from rewrite.outcome.moves import moves
from rewrite.outcome.path import Path
from rewrite.outcome.replay import replay
from rewrite.outcome.result import Result, RuleStats
from rewrite.outcome.scrambled import Scrambled
from rewrite.outcome.space import Space
from rewrite.outcome.step import Step
from rewrite.outcome.symmetry_check import SymmetryReport, check_symmetry
from rewrite.search.api import search, solutions
from rewrite.search.compare import Comparison, compare
from rewrite.search.course import Progress
from rewrite.search.distances import distances
from rewrite.search.explain import explain
from rewrite.search.explore import explore
from rewrite.search.scramble import scramble
from rewrite.search.strategies import STRATEGIES
from rewrite.views.frames import frames
from rewrite.views.grid import grid
from rewrite.views.lines import chain, pegs, ring

__all__ = [
    "ANY",
    "STRATEGIES",
    "Bag",
    "Comparison",
    "Condition",
    "Distances",
    "ExportError",
    "ExpressionError",
    "Funnel",
    "HeuristicError",
    "Path",
    "Progress",
    "Puzzle",
    "PuzzleError",
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
    "position",
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
]

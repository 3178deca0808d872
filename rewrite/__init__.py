"""Puzzles declared as rewrite rules on bags of terms, searched, and replayed.

The public API and nothing else; `docs/reference/language.md` says what everything means.

A name is loaded when it is first asked for: who writes a puzzle does not wait for the search, and
who searches does not wait for views and exports. So each name stands here twice, for type checkers
and for the running program; a test compares the two.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rewrite import starting  # noqa: F401  (first: Ctrl-C is heard while the rest is loaded)
from rewrite.language.expressions import conditions_from
from rewrite.language.faces import made_by

if TYPE_CHECKING:
    from rewrite.certificates.verify import Verified as Verified
    from rewrite.certificates.verify import verify as verify
    from rewrite.errors import CheckpointError as CheckpointError
    from rewrite.errors import ExportError as ExportError
    from rewrite.errors import ExpressionError as ExpressionError
    from rewrite.errors import HeuristicError as HeuristicError
    from rewrite.errors import PuzzleError as PuzzleError
    from rewrite.errors import ReadError as ReadError
    from rewrite.errors import ReplayError as ReplayError
    from rewrite.errors import RewriteError as RewriteError
    from rewrite.errors import RewriteWarning as RewriteWarning
    from rewrite.errors import RuleError as RuleError
    from rewrite.errors import SearchError as SearchError
    from rewrite.errors import SimplifyError as SimplifyError
    from rewrite.errors import StateError as StateError
    from rewrite.errors import SymmetryError as SymmetryError
    from rewrite.errors import TermError as TermError
    from rewrite.errors import UnboundVariable as UnboundVariable
    from rewrite.errors import ViewError as ViewError
    from rewrite.export.maude import to_maude as to_maude
    from rewrite.language.bag import Bag as Bag
    from rewrite.language.builtins import between as between
    from rewrite.language.builtins import digits as digits
    from rewrite.language.builtins import divides as divides
    from rewrite.language.builtins import greatest as greatest
    from rewrite.language.builtins import if_ as if_
    from rewrite.language.builtins import is_in as is_in
    from rewrite.language.builtins import least as least
    from rewrite.language.builtins import length as length
    from rewrite.language.builtins import letters as letters
    from rewrite.language.builtins import lower as lower
    from rewrite.language.builtins import number as number
    from rewrite.language.builtins import position as position
    from rewrite.language.builtins import reverse as reverse
    from rewrite.language.builtins import text as text
    from rewrite.language.builtins import upper as upper
    from rewrite.language.conditions import Condition as Condition
    from rewrite.language.conditions import contains as contains
    from rewrite.language.conditions import count as count
    from rewrite.language.conditions import exactly as exactly
    from rewrite.language.conditions import highest as highest
    from rewrite.language.conditions import lacks as lacks
    from rewrite.language.conditions import lowest as lowest
    from rewrite.language.conditions import terminal as terminal
    from rewrite.language.conditions import total as total
    from rewrite.language.effects import effect as effect
    from rewrite.language.expressions import ANY as ANY
    from rewrite.language.functions import bags as bags
    from rewrite.language.functions import bools as bools
    from rewrite.language.functions import fn as fn
    from rewrite.language.functions import ints as ints
    from rewrite.language.functions import one_of as one_of
    from rewrite.language.functions import seqs as seqs
    from rewrite.language.functions import strs as strs
    from rewrite.language.functions import terms as terms
    from rewrite.language.puzzles import Puzzle as Puzzle
    from rewrite.language.reaching import reachable as reachable
    from rewrite.language.rules import Rule as Rule
    from rewrite.language.rules import rule as rule
    from rewrite.language.states import State as State
    from rewrite.language.subterms import replaced as replaced
    from rewrite.language.subterms import subterms as subterms
    from rewrite.language.symmetry import interchangeable as interchangeable
    from rewrite.language.symmetry import relabel as relabel
    from rewrite.language.terms import term as term
    from rewrite.play.play import play as play
    from rewrite.readers.pddl import pddl as pddl
    from rewrite.results.explain import Funnel as Funnel
    from rewrite.results.moves import Step as Step
    from rewrite.results.moves import moves as moves
    from rewrite.results.path import Path as Path
    from rewrite.results.replay import replay as replay
    from rewrite.results.result import Comparison as Comparison
    from rewrite.results.result import Result as Result
    from rewrite.results.result import RuleStats as RuleStats
    from rewrite.results.spaces import Distances as Distances
    from rewrite.results.spaces import Hardest as Hardest
    from rewrite.results.spaces import Rating as Rating
    from rewrite.results.spaces import Scrambled as Scrambled
    from rewrite.results.spaces import Space as Space
    from rewrite.results.symmetry_check import SymmetryReport as SymmetryReport
    from rewrite.results.symmetry_check import check_symmetry as check_symmetry
    from rewrite.search.api import search as search
    from rewrite.search.api import solutions as solutions
    from rewrite.search.drivers.interface import Progress as Progress
    from rewrite.search.strategies import STRATEGIES as STRATEGIES
    from rewrite.search.tasks.compare import compare as compare
    from rewrite.search.tasks.distances import distances as distances
    from rewrite.search.tasks.explain import explain as explain
    from rewrite.search.tasks.explore import explore as explore
    from rewrite.search.tasks.hardest import hardest as hardest
    from rewrite.search.tasks.improve import improve as improve
    from rewrite.search.tasks.maude import MaudeModule as MaudeModule
    from rewrite.search.tasks.maude import maude_module as maude_module
    from rewrite.search.tasks.rate import rate as rate
    from rewrite.search.tasks.scramble import scramble as scramble
    from rewrite.show.views.grid import grid as grid
    from rewrite.show.views.lines import banks as banks
    from rewrite.show.views.lines import chain as chain
    from rewrite.show.views.lines import pegs as pegs
    from rewrite.show.views.lines import ring as ring
    from rewrite.show.views.lines import vessels as vessels
    from rewrite.show.views.stories import frames as frames

_NAMES = {
    "rewrite.certificates.verify": "Verified verify",
    "rewrite.errors": (
        "CheckpointError ExportError ExpressionError HeuristicError PuzzleError ReadError "
        "ReplayError RewriteError RewriteWarning RuleError SearchError SimplifyError StateError "
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
    "rewrite.language.effects": "effect",
    "rewrite.language.expressions": "ANY",
    "rewrite.language.functions": "bags bools fn ints one_of seqs strs terms",
    "rewrite.language.puzzles": "Puzzle",
    "rewrite.language.reaching": "reachable",
    "rewrite.language.rules": "Rule rule",
    "rewrite.language.states": "State",
    "rewrite.language.subterms": "replaced subterms",
    "rewrite.language.symmetry": "interchangeable relabel",
    "rewrite.language.terms": "term",
    "rewrite.readers.pddl": "pddl",
    "rewrite.results.explain": "Funnel",
    "rewrite.results.moves": "Step moves",
    "rewrite.results.path": "Path",
    "rewrite.results.replay": "replay",
    "rewrite.results.result": "Comparison Result RuleStats",
    "rewrite.results.spaces": "Distances Hardest Rating Scrambled Space",
    "rewrite.results.symmetry_check": "SymmetryReport check_symmetry",
    "rewrite.search.api": "search solutions",
    "rewrite.search.tasks.compare": "compare",
    "rewrite.search.drivers.interface": "Progress",
    "rewrite.search.tasks.distances": "distances",
    "rewrite.search.tasks.explain": "explain",
    "rewrite.search.tasks.explore": "explore",
    "rewrite.search.tasks.hardest": "hardest",
    "rewrite.search.tasks.improve": "improve",
    "rewrite.search.tasks.maude": "MaudeModule maude_module",
    "rewrite.search.tasks.rate": "rate",
    "rewrite.search.tasks.scramble": "scramble",
    "rewrite.search.strategies": "STRATEGIES",
    "rewrite.show.views.grid": "grid",
    "rewrite.show.views.lines": "banks chain pegs ring vessels",
    "rewrite.show.views.stories": "frames",
    "rewrite.play.play": "play",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

# The folders `search` and `play` have the names of functions. Python makes a loaded folder an
# attribute of the package, but only the first time: they are loaded now, so that they never come to
# hide the functions.
for folder in ("search", "play"):
    import_module(f"rewrite.{folder}")
    globals().pop(folder)
del folder

# Rooms below do not know who draws what they hold: it is said here, and loaded when it is needed.
made_by(lambda: import_module("rewrite.show.html.faces"))
conditions_from(lambda: import_module("rewrite.language.conditions"))

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:  # else every name would be one, to a type checker

    def __getattr__(name: str) -> Any:
        """Load what a public name stands for, once."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value


def __dir__() -> list[str]:
    """The names that are there, and those that are loaded when they are asked for."""
    return sorted({*globals(), *_HOMES})

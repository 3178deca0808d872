"""The registry of heuristics derived from the rules alone: one line each.

Their modules are loaded on first use, to keep imports fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from attrs import frozen

from rewrite.compile.slots.keys import Unsuitable
from rewrite.errors import SearchError

if TYPE_CHECKING:
    from rewrite.analysis.over_slots import OverSlots
    from rewrite.engine.interface import Engine
    from rewrite.language.conditions import Condition
    from rewrite.search.heuristics.heuristic import Heuristic
    from rewrite.search.heuristics.projection import Projection


@frozen
class FromRules:
    """A heuristic with the properties the search relies on; nothing tests its name.

    admissible   never more than the remaining cost
    core_only    without the native engine, which evaluates states, it is refused; if False, the
                 search goes on without it
    projects     over multisets it is made from a projection
    module       the module here that has the function; by default it has the same name
    """

    name: str
    admissible: bool = False
    module: str = ""
    core_only: bool = True
    projects: bool = False

    def make(self, rules: OverSlots, goal: Condition) -> Heuristic:
        """Return the heuristic for a goal. Raises Unsuitable."""
        module = import_module(f"{__name__}.{self.module or self.name}")
        found: Heuristic = getattr(module, self.name)(rules, goal)
        return found


HEURISTICS = {
    one.name: one
    for one in (
        FromRules("goal_count", module="relaxed"),
        FromRules("hmax", admissible=True, module="relaxed"),
        FromRules("ff", module="relaxed"),
        FromRules("lmcut", admissible=True, module="relaxed"),
        FromRules("pattern_databases", admissible=True),
        FromRules("pieces", admissible=True),
        FromRules("auto", admissible=True, core_only=False, projects=True),
    )
}


def heuristic_for(
    chosen: FromRules, engine: Engine, goal: Condition, puzzle: str
) -> Heuristic | Projection:
    """Return the heuristic for a goal. Raises SearchError if the puzzle cannot have it."""
    subject = f"{puzzle}: heuristic={chosen.name!r}"
    else_give = "give an expression such as total(…) or a function State -> number"
    rules, projected = engine.reasoning, ""
    if rules is None and chosen.projects:
        from rewrite.search.heuristics.projection import projection

        try:
            return projection(engine, goal)
        except Unsuitable as no:
            projected = f", nor can states be projected: {no}"
    if rules is None:
        why = engine.why
        out = f"{why.way_out}, or {else_give}" if why and why.way_out else else_give
        raise SearchError(
            f"{subject} is made from rules over slots, and this puzzle is not stored in slots "
            f"({engine.encoding}){projected}; {out}",
            reason=why,
        )
    try:
        return chosen.make(rules, goal)
    except Unsuitable as no:
        why = no.reason
        description = f"{why.description}, or {else_give}" if why.way_out else f"{why}; {else_give}"
        raise SearchError(f"{subject} cannot be made: {description}", reason=why) from None

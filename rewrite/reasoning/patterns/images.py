"""Symmetries that show a pattern set other patterns: images of a state worth looking up as well.

A symmetry of rules and goal keeps distances, so what the tables say of the image of a state holds
for the state. Where it maps the patterns onto each other that is nothing new; else it is as if
there were further patterns, without tables of their own. In sliding tiles it is the reflection at
the diagonal (Culberson and Schaeffer, *Pattern databases*, Computational Intelligence 1998).
"""

from __future__ import annotations

from contextlib import suppress

from rewrite.compiler.slots.keys import Unsuitable
from rewrite.language.conditions import Condition
from rewrite.reasoning.conserved import conserved, keeps_counts
from rewrite.reasoning.fields import numbers
from rewrite.reasoning.over_slots import OverSlots
from rewrite.reasoning.patterns.choice import PatternSet
from rewrite.reasoning.patterns.projections import Pattern
from rewrite.reasoning.symmetry.actions import Action

MOST_ELEMENTS = 16
"""Symmetries that are looked at."""
MOST_IMAGES = 3
"""Images that are looked up: each costs every state as much as the state itself."""

Shown = frozenset[tuple[frozenset[int], frozenset[int]]]
"""Of each pattern of a set: its counted variables, and the others."""


def images(rules: OverSlots, goal: Condition, chosen: PatternSet) -> list[Action]:
    """Return the symmetries that show other patterns, where these are of places and add up.

    Elsewhere finding them may take longer than they save.
    """
    if not chosen.adds:
        return []
    # loaded where it is needed: most heuristics are of other kinds
    from rewrite.reasoning.symmetry.found import found_group
    from rewrite.reasoning.symmetry.proof import Proof

    group: list[Action] = []
    with suppress(Unsuitable):
        group, _ = found_group(Proof(rules, goal, None), MOST_ELEMENTS)
    if len(group) < 2:
        return []
    kept = rules.known("conserved", lambda: conserved(rules.transitions, rules.fields))
    start = numbers(rules.fields, rules.layout.encode(rules.task.start))
    patterns = [one for together in chosen.groups for one in together]
    seen = {_shown(patterns, group[0])}
    found = []
    for action in group[1:]:
        # the tables are those of states with as many values of each kind as the start has
        if keeps_counts(action, kept, rules.fields, start):
            shown = _shown(patterns, action)
            if shown not in seen:
                seen.add(shown)
                found.append(action)
    return found[:MOST_IMAGES]


def _shown(patterns: list[Pattern], action: Action) -> Shown:
    """Return the variables of a state that are looked up where its image is."""
    return frozenset([
        (frozenset(seen[: one.counted]), frozenset(seen[one.counted :]))
        for one in patterns
        for seen in [_variables(one, action)]
    ])  # fmt: skip


def _variables(one: Pattern, action: Action) -> list[int]:
    renamed = action.maps[one.places[0]]  # what stands in places is renamed alike in all of them
    return [renamed.index(value) for value in one.variables]

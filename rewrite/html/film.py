"""A path as a film: the picture of every state, and what changes from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

from rewrite.drawing.animated import animated
from rewrite.drawing.change import Change, change, marked
from rewrite.drawing.drawing import Drawing
from rewrite.drawing.sheet import of_one_size
from rewrite.language.labels import one_line
from rewrite.outcome.moves import Step
from rewrite.outcome.path import Path
from rewrite.views.pictures import drawn_or_told, fresh


@frozen(eq=False)
class Film:
    """The pictures of a path.

    drawings  of every state, on panels of one size
    changes   how each becomes the next
    steps     the steps between them
    """

    path: Path
    drawings: Sequence[Drawing]
    changes: Sequence[Change]
    steps: Sequence[Step]

    def marked(self) -> list[Drawing]:
        """Return the drawings, in each of which what the last step put there is marked."""
        later = [
            marked(before, after, fresh(step.before, step.after))
            for (before, after), step in zip(pairwise(self.drawings), self.steps, strict=True)
        ]
        return [self.drawings[0], *later]

    def captions(self) -> list[str]:
        """Return what stands under each picture."""
        labels = [one_line(step.label) for step in self.steps]
        return ["start", *(f"{number}. {label}" for number, label in enumerate(labels, 1))]

    def travels(self) -> list[str]:
        """Return for each picture which marks of the one before travelled there: "3-4 5-6"."""
        return ["", *(" ".join(f"{a}-{b}" for a, b in one.travels) for one in self.changes)]

    def animated(self) -> str:
        """Return the film as an animated SVG."""
        name, length = one_line(self.path.puzzle.name), len(self.steps)
        title = f"{name}, {length:,} step{'s' * (length != 1)}"
        return str(animated(self.drawings, self.changes, title)) + "\n"


def film_of(path: Path) -> Film:
    """Return the film of a path. Raises ReplayError; a view that fails is told in its picture."""
    drawings = of_one_size([drawn_or_told(path.puzzle, state) for state in path.states])
    changes = [
        change(before, after, step.taken, step.put)
        for (before, after), step in zip(pairwise(drawings), path.steps, strict=True)
    ]
    return Film(path, drawings, changes, path.steps)

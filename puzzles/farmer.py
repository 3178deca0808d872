"""The farmer, the wolf, the goat and the cabbage: all are to cross the river.

Problem 18 of the Propositiones ad acuendos juvenes, ascribed to Alcuin of York (about 800). The
boat carries the farmer and at most one of the others. Without the farmer, the wolf eats the goat
and the goat eats the cabbage.
"""

from typing import Never

from rewrite import Puzzle, PuzzleError, banks, contains, lacks, rule, strs, term


@term
class On:
    who: str
    bank: str


@term
class Opposite:
    bank: str
    other: str


who, here, there = strs("who here there")

farmer = Puzzle(
    rule(
        f"the farmer crosses to the {there}",
        keep=[Opposite(here, there)],
        take=[On("farmer", here)],
        put=[On("farmer", there)],
    ),
    rule(
        f"the farmer takes the {who} to the {there}",
        keep=[Opposite(here, there)],
        take=[On("farmer", here), On(who, here)],
        put=[On("farmer", there), On(who, there)],
    ),
    facts=[Opposite("left", "right"), Opposite("right", "left")],
    never=[
        contains(On("wolf", here), On("goat", here), absent=On("farmer", here)),
        contains(On("goat", here), On("cabbage", here), absent=On("farmer", here)),
    ],
    start=[On(name, "left") for name in ("farmer", "wolf", "goat", "cabbage")],
    goal=lacks(On(who, "left")),
    show=banks(
        (On(who, here), who, here),
        boat=On("farmer", here),
        looks={"farmer": "blue person", "wolf": "wolf", "goat": "goat", "cabbage": "cabbage"},
    ),
    name="farmer",
)


def instance(*words: Never) -> Puzzle:
    """All four on the left; takes no words."""
    if words:
        raise PuzzleError(f"farmer: has one start and takes no words; found {' '.join(words)!r}")
    return farmer

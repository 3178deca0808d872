"""Missionaries and cannibals: three of each are to cross the river in a boat that holds two.

Wherever there are missionaries, the cannibals must not outnumber them. A form of Alcuin's problem
17 (about 800); Saul Amarel, "On representations of problems of reasoning about actions" (1968),
made it the classic of state spaces. The three missionaries are equal terms: one match, but they
count as three.
"""

from puzzles.words import is_number
from rewrite import Puzzle, PuzzleError, banks, contains, count, lacks, rule, strs, term


@term
class On:
    who: str
    bank: str


@term
class Boat:
    bank: str


@term
class Opposite:
    bank: str
    other: str


who, other, here, there = strs("who other here there")

missionaries = Puzzle(
    rule(
        f"a {who} crosses to the {there}",
        keep=[Opposite(here, there)],
        take=[Boat(here), On(who, here)],
        put=[Boat(there), On(who, there)],
    ),
    rule(
        f"a {who} and a {other} cross to the {there}",
        keep=[Opposite(here, there)],
        take=[Boat(here), On(who, here), On(other, here)],
        put=[Boat(there), On(who, there), On(other, there)],
    ),
    facts=[Opposite("left", "right"), Opposite("right", "left")],
    never=contains(
        On("missionary", here),
        when=count(On("cannibal", here)) > count(On("missionary", here)),
    ),
    goal=lacks(On(who, "left")),
    show=banks(
        (On(who, here), who, here),
        boat=Boat(here),
        looks={"missionary": "blue person", "cannibal": "orange person"},
    ),
    name="missionaries",
)


def instance(*words: str) -> Puzzle:
    """How many missionaries, and as many cannibals; without words, 3."""
    given = words or ("3",)
    each = int(given[0]) if len(given) == 1 and is_number(given[0]) else 0
    if not 1 <= each <= 1_000:
        raise PuzzleError(
            "missionaries: needs how many missionaries there are (and as many cannibals), at most "
            f"1,000, e.g. 3; found {' '.join(words)!r}"
        )
    people = [On(name, "left") for name in ("missionary", "cannibal") for _ in range(each)]
    return missionaries.replace(start=[Boat("left"), *people])

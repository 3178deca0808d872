"""What explain says a search can do with a puzzle."""

from puzzles import PUZZLES, two_grids
from rewrite import explain, ints, relabel

P, D = ints("P D")


def lines(name: str) -> list[str]:
    return str(explain(PUZZLES[name]())).splitlines()


def test_the_groups_of_two_grids_are_told_with_their_orders() -> None:
    told = lines("two_grids")
    assert told[-4:] == [
        "rules can be run backwards: 18 inverse rules",
        "goal states: 64",
        "symmetries: those declared generate a group of 16",
        "symmetries that can be found: a group of 64",
    ]


def test_what_is_in_the_way_is_told() -> None:
    assert lines("digitle")[-2].startswith(
        "rules cannot be run backwards: rule '{M} + {N} → {M + N}' cannot be run backwards: "
    )
    assert "goal states cannot be listed: the goal is met by more than 100,000 states" in lines(
        "klotski"
    )
    assert "no symmetry was found" in lines("klotski")


def test_a_wrong_symmetry_is_told_where_the_puzzle_is_explained() -> None:
    turned = relabel(two_grids.At(P, D), two_grids.At((P + 1) % 18, D))
    puzzle = two_grids.instance().replace(symmetry=[turned])
    told = str(explain(puzzle))
    assert f"two_grids: the proof of {turned!r} fails at rule " in told
    assert told.splitlines()[-1] == "symmetries that can be found: a group of 64"

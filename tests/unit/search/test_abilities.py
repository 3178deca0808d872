"""What explain says a search can do with a puzzle."""

from puzzles import PUZZLES, two_grids
from puzzles.lights_out import Lamp
from rewrite import Puzzle, contains, explain, interchangeable, ints, relabel, rule, strs

P, D = ints("P D")
V = strs("V")


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


def test_of_multisets_the_symmetries_that_are_declared_are_told() -> None:
    alike = interchangeable("ann", "bob", "cid")
    puzzle = Puzzle(
        rule("lose", take=[V]), start=["ann", "ann", "bob"], goal=contains(4), symmetry=alike
    )
    group = "symmetries: those declared generate a group of"
    assert str(explain(puzzle)).splitlines()[-1] == f"{group} 6"
    told = str(explain(puzzle.replace(symmetry=relabel(P, P)))).splitlines()
    assert told[-1].startswith(f"{group} 1; no symmetry is used: states are kept as a multiset")


def test_what_is_in_the_way_is_told() -> None:
    assert lines("digitle")[-2].startswith(
        "rules cannot be run backwards: rule '{M} + {N} → {M + N}' cannot be run backwards: "
    )
    one_lamp = PUZZLES["lights_out"]("5").replace(goal=contains(Lamp(0, 0)))
    many = "goal states cannot be listed: the goal is met by more than 100,000 states"
    assert many in str(explain(one_lamp)).splitlines()
    assert "no symmetry was found" in lines("klotski")


def test_goal_states_that_cannot_occur_are_not_counted() -> None:
    assert "goal states: 6,795" in lines("klotski")
    assert "goal states: 12" in lines("sokoban")


def test_a_wrong_symmetry_is_told_where_the_puzzle_is_explained() -> None:
    turned = relabel(two_grids.At(P, D), two_grids.At((P + 1) % 18, D))
    puzzle = two_grids.instance().replace(symmetry=[turned])
    told = str(explain(puzzle))
    assert f"two_grids: the proof of {turned!r} fails at rule " in told
    assert told.splitlines()[-1] == "symmetries that can be found: a group of 64"

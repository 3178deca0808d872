"""Walks, the map to walk in, dead ends, levels, and what the compiled rules might miss."""

from importlib import import_module
from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite import Puzzle, contains, ints, rule
from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.play.game import Game
from rewrite.play.instances import BOUNDS, Instances
from rewrite.play.position_facts import facts_at
from rewrite.play.source import Bounds, OnePuzzle
from rewrite.results.moves import steps_by
from rewrite.search.tasks.steps import Steps
from tests.unit.play.clients import JSON, ask, client_of, ended, position

N = ints("N")
ROOM = ("#######", "#@    #", "# ##$ #", "#   . #", "#######")


def player(facts: Any) -> int:
    """The mark that a walk in Sokoban goes by."""
    [mark] = {mark for step in facts["steps"] for mark in step["marks"] if len(step["marks"]) == 1}
    return int(mark)


def test_a_piece_walks_to_a_far_place_by_itself() -> None:
    client = client_of(PUZZLES["sokoban"](*ROOM))
    facts = position(client, "sokoban")
    [right] = [step for step in facts["steps"] if step["way"] == "right"]
    x, y = right["goals"][0]
    asked = {"game": {"p": "sokoban"}, "mark": player(facts)}
    assert ask(client, "walk", asked | {"to": [x, y]})["moves"] == [right["move"]]
    far = ask(client, "walk", asked | {"to": [x, y + 80]})["moves"]  # two cells below
    assert far == ["d", "d", "r"]
    assert position(client, "sokoban", far)["lost"] == 0


def test_where_a_piece_cannot_walk_the_reason_is_told() -> None:
    client = client_of(PUZZLES["sokoban"](*ROOM))
    facts = position(client, "sokoban")
    asked = {"game": {"p": "sokoban"}, "mark": player(facts)}
    behind = facts["steps"][0]["goals"][0]
    assert "cannot go there" in ask(client, "walk", asked | {"to": [behind[0] + 900, 0]})["error"]
    assert "no piece" in ask(client, "walk", asked | {"mark": 9_999, "to": behind})["error"]
    for wrong in ({}, {"mark": "1", "to": behind}, {"mark": 1, "to": [1]}, {"to": [10**400, 0]}):
        game = asked | wrong
        assert client.post("/api/walk", json=game, headers=JSON).status_code == 400


@pytest.mark.parametrize("name", ["digitle", "lights_out", "power_strike", "rush_hour"])
def test_what_is_drawn_ahead_is_what_the_moves_lead_to(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("rewrite.play.position_facts"), "LONGEST_AHEAD", 60)
    client = client_of(PUZZLES[name]())
    made = [position(client, name)["steps"][-1]["move"]]
    steps = position(client, name, made)["steps"]
    ahead = ask(client, "ahead", {"game": {"p": name, "m": made}})["pictures"]
    assert [one["move"] for one in ahead] == [step["move"] for step in steps]
    for one in ahead:
        facts = position(client, name, [*made, one["move"]])
        assert (one["picture"], one["travels"]) == (facts["picture"], facts["travels"])


def test_of_two_equal_numbers_the_older_one_is_pointed_at_and_the_other_keeps_its_line() -> None:
    puzzle, game = PUZZLES["digitle"]("6", "1", "2", "2", "4"), Game("digitle")
    instance, _ = Instances(OnePuzzle(puzzle)).of(game)
    here = instance.position((("2 + 2 → 4", 1),))
    marks = dict(enumerate(here.drawing.marks))
    older, made = sorted(
        (number for number, mark in marks.items() if mark.terms == (4,)),
        key=lambda number: "2 + 2" in marks[number].look.svg,
    )
    steps = {step["label"]: step for step in facts_at(instance, game, here)["steps"]}
    assert {older, made} & {*steps["4 + 1 → 5"]["marks"]} == {older}
    following = instance.after(here, ("4 + 1 → 5", 1))
    assert following is not None
    assert "2 + 2" in str(following.drawing.svg())


@pytest.mark.parametrize("most", [None, 2_000])
def test_every_state_of_the_map_can_be_visited(most: int | None) -> None:
    client = client_of(PUZZLES["water_jugs"]())
    game = {"p": "water_jugs", "m": ["fill 3"]}
    drawn = ask(client, "map", {"game": game} | ({} if most is None else {"most": most}))
    assert drawn["text"].startswith(f"All {drawn['nodes']} states.")
    seen = set()
    for node in range(drawn["nodes"]):
        moves = ask(client, "visit", {"game": game, "node": node})["moves"]
        facts = position(client, "water_jugs", moves)
        assert facts["lost"] == 0
        seen.add(facts["text"])
    assert len(seen) == drawn["nodes"] == 16


def test_of_a_large_space_the_map_goes_out_from_here() -> None:
    client = client_of(PUZZLES["eight_puzzle"]())
    first = position(client, "eight_puzzle")["steps"][0]["move"]
    game = {"p": "eight_puzzle", "m": [first]}
    drawn = ask(client, "map", {"game": game})
    assert (drawn["nodes"], drawn["text"].split(":")[0]) == (50, "The space is larger")
    assert "Green" not in drawn["text"]  # no goal is that near
    moves = ask(client, "visit", {"game": game, "node": 49})["moves"]
    assert moves[0] == first
    assert len(moves) > 2
    assert "open it again" in ask(client, "visit", {"game": game, "node": 50})["error"]
    assert (
        "open it again"
        in ask(client_of(PUZZLES["hanoi"]()), "visit", {"game": {"p": "hanoi"}, "node": 1})["error"]
    )


def test_a_dead_end_without_moves_is_called_one() -> None:
    puzzle = Puzzle(
        rule("halve", take=[N], put=[N // 2], when=N % 2 == 0), start=[12], goal=contains(5)
    )
    client = client_of(puzzle)
    assert position(client, puzzle.name)["end"] == ""
    stuck = position(client, puzzle.name, ["halve", "halve"])
    assert (stuck["steps"], stuck["end"]) == ([], "No move leads on: a dead end.")
    assert (
        position(client_of(puzzle.replace(goal=contains(3))), puzzle.name, ["halve", "halve"])[
            "end"
        ]
        == ""
    )


def test_screen_readers_are_told_the_move_and_not_the_board() -> None:
    client = client_of(PUZZLES["water_jugs"]())
    assert position(client, "water_jugs")["said"] == ""
    assert position(client, "water_jugs", ["fill 3"])["said"] == "fill 3; 3 moves"


def test_the_definition_corrects_what_the_compiled_rules_miss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = PUZZLES["water_jugs"]()
    real = Steps.out_of
    monkeypatch.setattr(Steps, "out_of", lambda steps, state: real(steps, state)[1:])
    instance, _ = Instances(OnePuzzle(puzzle)).of(Game("water_jugs"))
    here = instance.position(())
    assert len(here.steps) == 1
    instance.latest = here
    instance.check(here)
    assert here.steps == steps_by(puzzle, here.state, puzzle.rules)
    assert "bug in rewrite" in instance.fault
    monkeypatch.undo()
    sound, _ = Instances(OnePuzzle(puzzle)).of(Game("water_jugs"))
    sound.latest = sound.position(())
    sound.check(sound.latest)
    assert sound.fault == ""


@pytest.mark.parametrize("name", ["lights_out", "two_grids", "hanoi"])
def test_an_instance_is_made_from_a_goal_that_no_search_need_find(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOUNDS, "max_seconds", 60.0)
    patient = Bounds(answer=60.0)
    facts = position(client_of(PUZZLES[name](), patient), name, s=[4, 1])
    assert facts["steps"]
    assert not facts["goal"]["reached"]


def test_of_a_hint_the_first_move_suffices() -> None:
    client, game = client_of(PUZZLES["eight_puzzle"]("150482763")), {"p": "eight_puzzle"}
    every = ended(client, ask(client, "hint", {"game": game}))
    assert (len(every["moves"]), every["left"]) == (8, 8)
    first = ask(client, "hint", {"game": game, "first": True})["answer"]
    assert (first["moves"], first["left"]) == (every["moves"][:1], 8)
    fresh = client_of(PUZZLES["eight_puzzle"]("150482763"))
    assert len(ended(fresh, ask(fresh, "hint", {"game": game, "first": True}))["moves"]) == 1


def test_an_engine_that_asks_for_the_same_again_leaves_it_to_the_definition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asks(*_: Any) -> Any:
        raise NeedsCapacity(Capacity(bits=24))

    puzzle = PUZZLES["water_jugs"]()
    assert puzzle.start is not None
    monkeypatch.setattr(import_module("rewrite.search.tasks.steps"), "build", asks)
    expected = steps_by(puzzle, puzzle.start, puzzle.rules)
    assert Steps(puzzle, puzzle.start).out_of(puzzle.start) == expected

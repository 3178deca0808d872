"""What the page is told of games, good ones and bad ones."""

import threading
from typing import Any
from xml.etree import ElementTree

import pytest

from puzzles import PUZZLES
from rewrite import Puzzle, State, contains, fn, ints, rule
from rewrite.play import positions
from rewrite.play.source import Bounds
from rewrite.show.views import pictures
from tests.unit.play.clients import ENDLESS, JSON, answer, ask, client_of, ended, position

N = ints("N")
JUGS = PUZZLES["water_jugs"]()
EIGHT = PUZZLES["eight_puzzle"]("150482763")
COUNTING = Puzzle(
    rule(f"from {N}", take=[N], put=[N + 1], when=N < 4, name="on"),
    rule("stop", take=[4], put=[0]),
    start=[1],
    goal=contains(4),
    name="counting",
)


def labels(facts: Any) -> list[str]:
    return [step["label"] for step in facts["steps"]]


def test_a_position_has_a_picture_moves_reasons_and_what_holds_of_the_goal() -> None:
    facts = position(client_of(COUNTING), "counting", ["from 1"])
    assert labels(facts) == ["from 2"]
    assert (facts["number"], facts["label"], facts["cost"]) == (1, "from 1", None)
    assert ElementTree.fromstring(facts["picture"]).tag == "{http://www.w3.org/2000/svg}svg"
    assert "<style" not in facts["picture"]
    assert facts["goal"] == {
        "reached": False,
        "parts": [{"text": "the number 4", "holds": False, "raw": "4"}],
    }
    game = {"p": "counting", "m": ["from 1"]}
    [idle] = ask(client_of(COUNTING), "why", {"game": game})["idle"]
    assert idle["rule"] == "stop"
    assert "4" in idle["why"]
    end = position(client_of(COUNTING), "counting", ["from 1", "from 2", "from 3"])
    assert end["goal"]["reached"]
    assert end["goal"]["parts"][0]["holds"]


def test_states_that_were_visited_are_marked() -> None:
    facts = position(client_of(JUGS), "water_jugs", ["fill 3"])
    visited = {step["label"]: step["visited"] for step in facts["steps"]}
    assert visited["empty 3"]
    assert not visited["fill 5"]


def test_moves_that_read_alike_are_told_apart() -> None:
    twins = Puzzle(rule("on", take=[N], put=[N + 10], when=N < 10), start=[1, 2], name="twins")
    client = client_of(twins)
    facts = position(client, "twins")
    assert [step["move"] for step in facts["steps"]] == ["on", ["on", 2]]
    assert (
        position(client, "twins", [["on", 2]])["text"] != position(client, "twins", ["on"])["text"]
    )
    assert position(client, "twins", [["on", 3]])["lost"] == 1


@pytest.mark.parametrize("wrong", ["no such move", "", "from 2", "<script>"])
def test_moves_that_are_not_legal_are_left_out_and_counted(wrong: str) -> None:
    facts = position(client_of(COUNTING), "counting", ["from 1", wrong, "from 2"])
    assert facts["moves"] == (["from 1"] if wrong != "from 2" else ["from 1", "from 2"])
    assert facts["lost"] == 3 - len(facts["moves"])


def test_a_link_of_other_rules_says_so_and_keeps_what_is_legal() -> None:
    before = position(client_of(COUNTING), "counting", ["from 1", "from 2"])
    other = COUNTING.replace(rules=[rule(f"from {N}", take=[N], put=[N + 2], name="on")])
    facts = position(client_of(other), "counting", before["moves"], d=before["digest"])
    assert (facts["changed"], facts["moves"], facts["lost"]) == (True, ["from 1"], 1)
    same = position(client_of(COUNTING), "counting", before["moves"], d=before["digest"])
    assert (same["changed"], same["lost"]) == (False, 0)


def test_a_puzzle_without_start_is_an_answer_that_says_what_is_missing() -> None:
    client = client_of(Puzzle(rule("on", take=[N], put=[N + 1]), name="bare"))
    assert "has no start" in position(client, "bare")["error"]
    assert "start=" in position(client, "bare")["error"]


def test_another_name_and_words_are_answers_that_say_so() -> None:
    client = client_of(COUNTING)
    assert "is not the puzzle that is played here" in position(client, "/etc/passwd")["error"]
    assert "takes no words" in position(client, "counting", w=["1"])["error"]


def test_a_view_that_raises_is_shown_and_the_game_goes_on() -> None:
    def broken(state: State) -> str:
        if 2 in state:
            raise RuntimeError("<b>not today</b>")
        return "fine"

    client = client_of(COUNTING.replace(show=broken))
    facts = position(client, "counting", ["from 1"])
    read = ElementTree.fromstring(facts["picture"])
    assert "RuntimeError: <b>not today</b>" in "".join(read.itertext())
    assert labels(facts) == ["from 2"]
    assert "fine" in position(client, "counting", ["from 1", "from 2"])["text"]


def test_a_rule_that_fails_is_told_and_the_position_is_there() -> None:
    @fn
    def careless(n: int) -> int:
        return 1 // (n - 2)

    puzzle = Puzzle(
        rule("on", take=[N], put=[N + 1], when=careless(N) != 7), start=[1], name="careless"
    )
    client = client_of(puzzle)
    facts = position(client, "careless", ["on"])
    assert "ZeroDivisionError" in facts["fault"]
    assert (facts["number"], facts["steps"]) == (1, [])


def test_texts_of_a_puzzle_are_never_markup() -> None:
    evil = "<script>alert('1')</script>\"&"
    puzzle = Puzzle(rule(evil, take=["<i>"], put=[evil]), start=["<i>"], goal=contains(evil))
    facts = position(client_of(puzzle), "puzzle", [evil])
    assert facts["label"] == evil
    read = ElementTree.fromstring(facts["picture"])
    kinds = {one.tag.rpartition("}")[2] for one in read.iter()}
    assert kinds <= {"svg", "g", "rect", "text", "tspan", "path", "title", "circle", "line"}
    assert not any("on" + "error" in name for one in read.iter() for name in one.attrib)


def test_a_state_too_large_to_draw_is_text() -> None:
    client = client_of(COUNTING.replace(show=lambda state: "x" * 10_000))
    facts = position(client, "counting")
    assert labels(facts) == ["from 1"]
    assert "too large to draw" in facts["picture"]
    assert len(facts["text"]) < 5_000


def test_the_way_to_a_goal_is_found_and_then_known() -> None:
    client = client_of(EIGHT)
    found = answer(client, "eight_puzzle")
    assert (found["status"], found["optimal"]) == ("found", True)
    assert len(found["moves"]) == found["left"] == 8
    after = position(client, "eight_puzzle", found["moves"][:1])
    left = found["left"] - 1
    assert after["left"] == {"left": left, "cost": None, "optimal": True}
    end = position(client, "eight_puzzle", found["moves"])
    assert end["goal"]["reached"]


def test_where_steps_have_costs_the_cheapest_way_is_told_with_what_it_costs() -> None:
    tolls = Puzzle(
        rule("leap", take=[0], put=[5], cost=100),
        rule("walk", take=[N], put=[N + 1], when=N < 5),
        start=[0],
        goal=contains(5),
        name="tolls",
    )
    client = client_of(tolls)
    for _ in range(2):  # by a search, and from what is known then
        found = answer(client, "tolls")
        assert (found["left"], found["cost"], found["optimal"]) == (5, 5, True)
    after = position(client, "tolls", ["walk", "walk"])
    assert (after["left"]["left"], after["left"]["cost"]) == (3, 3)
    assert "whatever they cost" in ask(client, "map", {"game": {"p": "tolls"}})["text"]


@pytest.mark.parametrize("wants", [SystemExit(3), KeyboardInterrupt()])
def test_a_function_that_wants_to_end_the_process_is_told_and_does_not(wants: Any) -> None:
    def ends(state: State) -> str:
        raise wants

    client = client_of(COUNTING.replace(show=ends))
    for _ in range(2):
        facts = ask(client, "position", {"game": {"p": "counting"}})
        # a view that fails is shown as text, with the state
        told = facts["text" if isinstance(wants, SystemExit) else "error"]
        assert type(wants).__name__ in told
    assert ask(client, "puzzles")["choices"]


def test_a_text_that_utf_8_cannot_hold_is_played_with_all_the_same() -> None:
    half = Puzzle(rule("to \ud800", take=["\ud800"], put=["b"]), start=["\ud800"], name="half")
    client = client_of(half)
    [step] = position(client, "half")["steps"]
    assert position(client, "half", [step["move"]])["number"] == 1


def test_a_position_that_takes_long_and_is_asked_for_again_and_again_blocks_nobody() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(state: State) -> str:
        begun.set()
        assert go_on.wait(30)
        return "shown"

    client = client_of(COUNTING.replace(show=slow))
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(position(client, "counting")))
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    assert begun.wait(30)
    assert ask(client, "puzzles")["choices"]
    assert found == []  # that was answered before
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert len(found) == 20
    assert all(one["picture"] == found[0]["picture"] for one in found)


def test_moves_of_a_state_that_is_shown_as_text_are_buttons_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[State] = []
    picture = pictures.drawn_or_told

    def counted(puzzle: Puzzle, state: State, past: Any) -> Any:
        drawn.append(state)
        return picture(puzzle, state, past)

    monkeypatch.setattr(positions, "drawn_or_told", counted)
    client = client_of(COUNTING.replace(show=lambda state: str(state)))
    assert position(client, "counting")["steps"][0]["marks"] == []
    assert drawn == [COUNTING.start]
    assert position(client_of(COUNTING), "counting")["steps"][0]["marks"] != []
    assert len(drawn) > 2


def test_where_no_goal_can_be_reached_all_moves_are_marked() -> None:
    lost = Puzzle(
        rule("on", take=[N], put=[N + 1], when=N < 4),
        rule("off", take=[N], put=[N - 1], when=N > 1),
        start=[1],
        goal=contains(9),
        name="lost",
    )
    client = client_of(lost)
    assert not position(client, "lost")["dead"]
    found = answer(client, "lost")
    assert (found["status"], found["moves"]) == ("exhausted", [])
    assert found["text"].startswith("no solution from here: all 4 states seen")
    facts = position(client, "lost", ["on"])
    assert facts["dead"]
    assert all(step["dead"] for step in facts["steps"])


def test_a_search_that_hits_its_limit_says_which() -> None:
    client = client_of(ENDLESS, Bounds(max_seconds=0.3))
    found = answer(client, "endless")
    assert found["status"] == "limit", found
    assert found["text"].startswith("stopped by max_seconds=0.3: not found yet")


def test_a_way_that_is_longer_than_a_link_can_be_is_told_and_not_played() -> None:
    found = answer(client_of(ENDLESS.replace(goal=contains(6_000))), "endless")
    assert (found["status"], found["moves"]) == ("limit", [])
    assert "5,999 steps, shortest" in found["text"]
    assert "5,000 moves at most" in found["text"]


def test_without_a_goal_there_is_nothing_to_search_for() -> None:
    found = answer(client_of(COUNTING.replace(goal=None)), "counting")
    assert found["status"] == "error"
    assert "has no goal" in found["text"]


def test_a_long_search_is_cancelled_at_once_and_the_server_answers_meanwhile() -> None:
    client = client_of(ENDLESS)
    facts = ask(client, "hint", {"game": {"p": "endless"}})
    assert facts["state"] == "running"
    assert position(client, "endless", ["on"])["number"] == 1
    facts = ask(client, "cancel", {"job": facts["job"]})
    assert ended(client, facts)["status"] == "interrupted"


def test_an_unknown_search_is_not_there() -> None:
    client = client_of(COUNTING)
    for name, status in (("nothing", 404), (5, 400), (None, 400)):
        found = client.post("/api/job", json={"job": name}, headers=JSON)
        assert found.status_code == status
        assert found.json()["error"].startswith("job:")


def test_searches_are_bounded_and_what_is_too_much_is_told_to_come_back() -> None:
    client = client_of(ENDLESS)
    answers = [
        client.post("/api/hint", json={"game": {"p": "endless"}}, headers=JSON) for _ in range(12)
    ]
    assert [one.status_code for one in answers] == [200] * 8 + [503] * 4
    states = [one.json()["state"] for one in answers[:8]]
    assert states == ["running"] * 2 + ["waiting"] * 6
    assert "2 searches run and 6 wait already" in answers[-1].json()["error"]
    for one in answers[:8]:
        ask(client, "cancel", {"job": one.json()["job"]})


def test_fifty_requests_at_once_are_all_answered_rightly() -> None:
    client = client_of(EIGHT)
    first = position(client, "eight_puzzle")
    games = [[step["move"]] for step in first["steps"]] * 25
    found: dict[int, Any] = {}

    def play(number: int) -> None:
        found[number] = position(client, "eight_puzzle", games[number])

    threads = [threading.Thread(target=play, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = {tuple(game): position(client_of(EIGHT), "eight_puzzle", game) for game in games[:4]}
    assert [found[n] for n in range(50)] == [alone[tuple(games[n])] for n in range(50)]


def test_another_instance_is_made_from_a_goal_and_is_the_same_for_the_same_link() -> None:
    facts = position(client_of(EIGHT), "eight_puzzle", s=[6, 7])
    again = position(client_of(EIGHT), "eight_puzzle", s=[6, 7])
    other = position(client_of(EIGHT), "eight_puzzle", s=[6, 8])
    assert facts["text"] == again["text"] != other["text"]
    assert answer(client_of(EIGHT), "eight_puzzle", s=[6, 7])["left"] == 6


def test_where_no_instance_can_be_made_the_reason_is_told() -> None:
    for puzzle, why in (
        (PUZZLES["digitle"](), "cannot be run backwards"),
        (COUNTING.replace(goal=None), "it has none"),
        (COUNTING.replace(goal=contains(9)), "none was found"),
    ):
        facts = position(client_of(puzzle), puzzle.name, s=[5, 1])
        assert why in facts["error"]


def test_a_map_shows_the_way_walked_and_the_shortest_way_to_a_goal() -> None:
    client = client_of(JUGS)
    facts = ask(client, "map", {"game": {"p": "water_jugs", "m": ["fill 3"]}})
    read = ElementTree.fromstring(facts["picture"])
    nodes = [one for one in read.iter() if "data-node" in one.attrib]
    assert facts["text"].startswith(f"All {len(nodes)} states.")
    assert "rw-link-walked" in facts["picture"]
    assert "rw-link-shortest" in facts["picture"]
    large = ask(client_of(EIGHT), "map", {"game": {"p": "eight_puzzle"}})
    assert large["text"].startswith("The space is larger: the 50 states nearest to here.")

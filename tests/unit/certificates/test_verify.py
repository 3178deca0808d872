"""What a certificate must say, and what is refused: one way each in which it can be wrong."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from rewrite import (
    Puzzle,
    ReadError,
    RewriteError,
    SearchError,
    State,
    contains,
    distances,
    hardest,
    ints,
    lowest,
    rule,
    search,
    verify,
)
from rewrite.certificates.listed import LARGEST
from rewrite.certificates.write import Evidence, Target, write
from rewrite.results.result import Result
from rewrite.search.limits import Limits
from rewrite.search.results import result_of
from rewrite.search.run import Run
from tests.engines import quiet
from tests.forging import closed, opened
from tests.second_checker import accepts
from tests.terms import A, C

N, M = ints("N M")
WALK = Puzzle(
    rule("on {N}", take=[A(N)], put=[A(N + 1)], when=N < 9, cost=2),
    rule("back {N}", take=[A(N)], put=[A(0)], cost=0),
    rule("note {N}", keep=[A(N)], put=[C(N, N)], absent=[C(N, N)], when=N > 7),
    start=[A(0)],
    goal=contains(A(5)),
    name="walk",
)
LINE = WALK.replace(rules=WALK.rules[:2])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    search(WALK, certificate=tmp_path / "c")
    return tmp_path / "c"


def refused(file: Path, of: Puzzle = WALK, **changes: Any) -> str:
    head, rows = opened(file.read_bytes())
    rows = changes.pop("rows", rows)
    file.write_bytes(closed({**head, **changes}, rows))
    found = verify(file, of, processes=1)
    assert not found
    return str(found)


def test_costs_are_those_of_the_rules(file: Path) -> None:
    found = verify(file, WALK)
    assert found
    assert (found.claim, found.states) == ("the cheapest way to the goal costs 10", 5)
    _, rows = opened(file.read_bytes())
    assert sorted(label for _, label in rows) == [0, 2, 4, 6, 8]


def test_each_part_of_a_claim_is_checked(file: Path) -> None:
    head, rows = opened(file.read_bytes())
    assert "a step of cost 2 to a state that is not among the states" in refused(
        file, rows=[row for row in rows if row[1] != 4]
    )
    assert "has a step of cost 2 to a state that is labelled 7" in refused(
        file, rows=[[code, label + (label == 6)] for code, label in rows]
    )
    assert "a label is 8, and not at most 7" in refused(file, least=8)
    assert "its way costs 10, and it claims 12" in refused(file, least=12, rows=rows)
    assert "claims that there is no way, and shows one" in refused(file, least=None, rows=rows)
    shorter = head["way"][:-1]
    assert "its way costs 8, and" in refused(file, rows=rows, least=10, way=shorter)
    jump = [head["way"][0], head["way"][2]]
    assert "step 1 of its way is no step of the rules" in refused(file, rows=rows, way=jump)
    assert "its way does not begin in the start" in refused(file, rows=rows, way=[])
    assert "it is of another start" in refused(
        file, rows=rows, way=head["way"], start=head["way"][1]
    )


def test_a_goal_among_the_states_is_found(tmp_path: Path) -> None:
    file = tmp_path / "c"
    search(WALK, goal=contains(A(10)), certificate=file)  # there is none
    assert verify(file, WALK, goal=contains(A(10)))
    assert "it is of another puzzle: goal= is contains(A(10)) there" in str(verify(file, WALK))
    head, rows = opened(file.read_bytes())
    told = {**head["puzzle"], "goal": [repr(WALK.goal)]}
    assert "labelled 0, is a goal" in refused(file, puzzle=told, rows=rows)


def test_sizes_that_lie_are_refused_before_memory_is_taken(file: Path) -> None:
    head, _ = opened(file.read_bytes())
    whole = file.read_bytes()
    for wrong in ([1 << 60, 10, 1 << 61, ""], [1, 1 << 40, 8, ""], [1, 5, LARGEST + 1, ""], [1]):
        told = {**head, "blocks": [wrong]}
        file.write_bytes(closed(told, []))
        # `closed` writes its own blocks, so the header is written here
        from hashlib import sha256
        from json import dumps

        text = dumps(told).encode()
        first = whole.split(b"\n", 1)[0]
        sums = f"{len(text)} {sha256(text).hexdigest()}\n".encode()
        file.write_bytes(first + b"\n" + sums + text + b"12345")
        assert "block 1, from byte" in str(verify(file, WALK))


def test_a_file_that_cannot_be_read_and_wrong_arguments_are_errors(
    file: Path, tmp_path: Path
) -> None:
    with pytest.raises(ReadError, match="nowhere cannot be read: No such file"):
        verify(tmp_path / "nowhere", WALK)
    with pytest.raises(SearchError, match="sample=2"):
        verify(file, WALK, sample=2)
    for asked in (
        {"solutions": None},
        {"best": False},
        {"minimize": lowest(N, A(N))},
        {"min_depth": 1},
    ):
        with pytest.raises(SearchError, match="certificate= is for one nearest goal"):
            search(WALK, certificate=file, **asked)
    with pytest.raises(SearchError, match="there is no such folder"):
        search(WALK, certificate=tmp_path / "no" / "c")
    with pytest.raises(SearchError, match="that is a folder"):
        search(WALK, certificate=tmp_path)
    for wrong in ({"goal": N + 1}, {"start": "A(0)"}):
        with pytest.raises(RewriteError):  # not an answer about the certificate
            verify(file, WALK, **wrong)


def test_what_cannot_be_written_is_said_and_the_answer_kept(tmp_path: Path) -> None:
    (tmp_path / "c").touch(mode=0o400)
    with patch("pathlib.Path.write_bytes", side_effect=OSError(28, "No space left on device")):
        found = search(WALK, certificate=tmp_path / "c")
    assert found.path is not None
    assert found.notes[-1].endswith("c: No space left on device")


def test_both_searches_share_the_time(tmp_path: Path) -> None:
    given = []

    def recorded(run: Run, limits: Limits) -> Result:
        given.append(limits.max_seconds)
        return result_of(run, limits)

    with patch("rewrite.search.certified.result_of", recorded):
        asked = {"strategy": "astar", "heuristic": "auto"}
        found = search(WALK, certificate=tmp_path / "c", max_seconds=60, **asked)  # type: ignore[arg-type]
    assert given == [60, 60 - found.seconds]
    assert "it was searched again" in found.notes[-2]


def test_time_is_kept(file: Path) -> None:
    assert "not checked in the time allowed" in str(verify(file, WALK, max_seconds=0))


def test_many_processes_find_what_one_finds(tmp_path: Path) -> None:
    steps = Puzzle(
        rule("on", take=[C(N, M)], put=[C(N + 1, M)], when=N < 40),
        rule("up", take=[C(N, M)], put=[C(N, M + 1)], when=M < 40),
        start=[C(0, 0)], goal=contains(C(41, 0)),
    )  # fmt: skip
    search(steps, certificate=tmp_path / "c")
    for processes in (1, 3):
        assert verify(tmp_path / "c", steps, processes=processes).checked == 41 * 41
    head, rows = opened((tmp_path / "c").read_bytes())
    (tmp_path / "c").write_bytes(closed(head, rows[:-1]))
    whys = {verify(tmp_path / "c", steps, processes=one).why for one in (1, 3)}
    assert len(whys) == 1
    assert "is not among the states" in whys.pop()


@quiet
def test_terms_that_no_rule_changes_count_as_often_as_they_are_there(tmp_path: Path) -> None:
    start = [A(0), C(1, 1), C(1, 1), True, 1]
    twice = Puzzle(WALK.rules[:2], start=start, goal=contains(A(5)), name="twice")
    search(twice, certificate=tmp_path / "c")
    assert verify(tmp_path / "c", twice)
    once = twice.replace(start=start[:2] + start[3:])
    assert "it is of another start" in str(verify(tmp_path / "c", once))
    number = twice.replace(start=[A(0), C(1, 1), C(1, 1), 1, 1])
    assert "it is of another start" in str(verify(tmp_path / "c", number))


@pytest.mark.parametrize(
    "more", [{"sets": True}, {"simplify": rule("one", take=[A(M), A(M)], put=[A(M)])}]
)
def test_a_state_as_the_goal_means_its_normal_form(tmp_path: Path, more: dict[str, Any]) -> None:
    down = Puzzle(rule("down", take=[A(M)], put=[A(M - 1)], when=M > 0), start=[A(2)], **more)
    for goal in (State([A(0), A(0)]), contains(A(9)) | State([A(0), A(0)])):
        search(down, goal=goal, certificate=tmp_path / "c")
        assert verify(tmp_path / "c", down, goal=goal)


def test_distances_and_hardest_states_are_claimed_step_by_step(tmp_path: Path) -> None:
    file = tmp_path / "c"
    assert distances(LINE, certificate=file).notes[0].startswith("certificate of 10 states written")
    assert verify(file, LINE).claim == "10 states are reachable, the farthest after 9 steps"
    assert "distances are checked all or not at all" in str(verify(file, LINE, sample=0.5))
    _, rows = opened(file.read_bytes())
    farther = [[code, label + (label == 9)] for code, label in rows]
    assert "labelled 8, has a step to a state that is labelled 10" in refused(
        file, LINE, rows=farther
    )
    shifted = [[code, min(label, 8)] for code, label in rows]
    assert "labelled 8, is reached by no step" in refused(file, LINE, rows=shifted)

    found = hardest(LINE, certificate=file, symmetry="find")
    assert found.depth == 6
    assert "certificate of 10 states" in found.notes[-1]
    assert verify(file, LINE).claim == "the hardest reachable state is 6 steps from a goal"
    _, rows = opened(file.read_bytes())
    assert "does not end in a state labelled 5" in refused(file, LINE, least=5, rows=[
        [code, min(label, 6)] for code, label in rows
    ])  # fmt: skip
    nearer = [*rows[:-1], [rows[-1][0], 5]]
    assert "labelled 5, is 6 steps from a goal" in refused(file, LINE, rows=nearer, least=6)
    assert "it claims 'all', and not" in refused(file, LINE, kind="all", rows=rows)


def test_what_is_not_proved_of_a_space_has_no_certificate(tmp_path: Path) -> None:
    file = tmp_path / "c"
    cut = distances(LINE, certificate=file, max_depth=3)
    assert cut.notes == ("no certificate was written: the search did not come to its end",)
    square = Puzzle(rule("square", take=[N], put=[N * N], when=N < 10**4200), start=[10**600])
    large = search(square, goal=contains(7), certificate=file)
    assert large.notes[-1] == "no certificate was written: a number has more than 4,300 digits"
    with (
        patch("rewrite.search.certified.write", side_effect=SearchError("another reason")),
        pytest.raises(SearchError, match="another reason"),
    ):
        search(LINE, certificate=file)
    never = hardest(LINE, goal=contains(A(99)), certificate=file)
    assert "no goal can be reached" in never.notes[-1]
    assert not file.exists()
    with pytest.raises(SearchError, match="leave checkpoint= or certificate= out"):
        distances(LINE, certificate=file, checkpoint=tmp_path / "folder")
    with pytest.raises(SearchError, match="must be the name of a file"):
        hardest(LINE, certificate=5)  # type: ignore[arg-type]


def test_no_way_at_all_is_not_what_stands_for_a_longer_way(tmp_path: Path) -> None:
    down = Puzzle(rule("less", take=[N], put=[N - 1], when=N > 0), start=[6], goal=contains(0))
    for least in (2, 5, 6):
        labels = {at + 1: min(at, least + 1) for at in range(7)}
        way = [State([at]) for at in range(6, least - 1, -1)]
        evidence = Evidence("hardest", least, way, labels, list(range(7)), None, [])
        write(Target(tmp_path / "c"), down, State([6]), evidence, lambda: None)
        found = verify(tmp_path / "c", down)
        assert accepts((tmp_path / "c").read_bytes(), down) is bool(found) is (least == 6)
        assert least == 6 or f"is {least + 1} steps from a goal, more than is claimed" in found.why

"""Certificates: of all kinds of searches accepted, by two checkers; forged ones never believed."""

import json
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from puzzles.water_jugs import instance
from rewrite import Puzzle, SearchError, distances, hardest, search, verify
from rewrite.certificates.listed import VERSION
from rewrite.certificates.write import taken_apart
from tests.engines import ENGINES, quiet
from tests.forging import Rows, closed, opened
from tests.property.board_puzzles import board_puzzles
from tests.property.by_definition import Twin, assume_few, small
from tests.property.computed_puzzles import computed_puzzles
from tests.property.piece_puzzles import piece_puzzles
from tests.property.symmetric_puzzles import ring_puzzles
from tests.property.tuple_puzzles import tuple_puzzles
from tests.second_checker import accepts

pytestmark = quiet
MOST = 150
PUZZLES = st.one_of(
    board_puzzles(), computed_puzzles(), ring_puzzles(), piece_puzzles(free=True), tuple_puzzles()
)
TASKS = [distances, hardest]
ASKED: list[dict[str, Any]] = [
    {}, {}, {"engine": "python"}, {"symmetry": "find"}, {"symmetry": "none"},
    {"strategy": "astar", "heuristic": "auto"}, {"strategy": "bidirectional"}, {"best": True},
]  # fmt: skip


def certificate_of(puzzle: Puzzle, folder: Path, **asked: Any) -> bytes:
    """A certificate of a puzzle with few states."""
    assume(puzzle.goal is not None)
    assume_few(puzzle, MOST)
    file = folder / "certificate"
    file.unlink(missing_ok=True)
    with suppress(SearchError):  # a strategy that does not fit
        search(puzzle, certificate=file, **asked)
    assume(file.exists())
    return file.read_bytes()


@given(PUZZLES, st.sampled_from(ASKED))
def test_what_a_search_shows_is_accepted(
    tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle, asked: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("certificate")
    data, space = certificate_of(puzzle, folder, **asked), small(puzzle, MOST)
    head, _ = taken_apart(data)
    event(f"{min(3, sum(one[0] for one in head['blocks']))} states, fields: {bool(head['fields'])}")
    assert head["kind"] == "way"
    assert true_of(head, [], space)
    found = verify(folder / "certificate", puzzle, processes=1)
    assert found, found.why
    assert found.checked == found.states
    assert accepts(data, puzzle)


def space_certificate_of(puzzle: Puzzle, folder: Path, task: Any, engine: str) -> bytes:
    """A certificate of all distances, or of the hardest state where a goal state is reached."""
    assume(task is distances or puzzle.goal is not None)
    assume_few(puzzle, MOST)
    found = task(puzzle, certificate=folder / "certificate", engine=engine)
    assert found.notes
    assume(task is distances or found.levels)
    return (folder / "certificate").read_bytes()


def true_of(head: dict[str, Any], rows: Rows, space: Twin) -> bool:
    """Whether a claim is true."""
    if head["kind"] == "way":
        return bool(head["least"] == space.cheapest(space.start))
    if head["kind"] == "hardest":
        return bool(head["least"] == max(space.left.values()))
    steps = space.steps(space.start)
    return sorted(label for _, label in rows) == sorted(steps.values())


@given(PUZZLES, st.sampled_from(TASKS), st.sampled_from(ENGINES))
def test_what_is_shown_of_a_space_is_accepted(
    tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle, task: Any, engine: str
) -> None:
    folder = tmp_path_factory.mktemp("certificate")
    data, space = space_certificate_of(puzzle, folder, task, engine), small(puzzle, MOST)
    found = verify(folder / "certificate", puzzle, processes=1)
    assert found, found.why
    assert found.states == len(space.after)
    assert accepts(data, puzzle)
    assert true_of(*opened(data), space)


# -- forged ones -----------------------------------------------------------------------------
@st.composite
def forgeries(draw: st.DrawFn) -> tuple[str, int, int]:
    kinds = ["label", "lower", "left out", "least", "none", "code", "way", "start", "goal", "swap"]
    kinds += ["added", "kind"]
    return draw(st.sampled_from(kinds)), draw(st.integers(0, 10**6)), draw(st.integers(-2, 2))


def forged(data: bytes, change: tuple[str, int, int]) -> bytes:
    (kind, at, by), (head, rows) = change, opened(data)
    assume(rows or kind in ("least", "none", "way", "start"))
    row = rows[at % len(rows)] if rows else [0, 0]
    if kind == "label":
        row[1] = max(0, row[1] + by)
    elif kind == "lower":
        rows = [[code, 0] for code, _ in rows]
    elif kind == "left out":
        rows.remove(row)
    elif kind == "least":
        head["least"] = at % 5 if head["least"] is None else max(0, head["least"] + by)
    elif kind == "none":
        head |= {"least": None, "way": []}
    elif kind == "added":
        rows.append([at % (rows[-1][0] + 2), max(0, row[1] + by)])
    elif kind == "kind":
        head["kind"] = ["way", "distances", "hardest"][at % 3]
    elif kind == "code":
        row[0] = max(0, row[0] + by)
    elif kind == "way" and head["way"]:
        del head["way"][at % len(head["way"])]
    elif kind == "start" and head["start"]:
        head["start"] = head["way"][-1] if head["way"] else head["start"][1:]
    elif kind == "goal":
        head["puzzle"] = {**head["puzzle"], "goal": ["contains(1)"]}
    elif kind == "swap" and head["terms"]:
        place = at % len(head["terms"])
        head["terms"][place], head["terms"][0] = head["terms"][0], head["terms"][place]
    return closed(head, rows)


def check_forged(
    folder: Path, puzzle: Puzzle, data: bytes, changes: list[tuple[str, int, int]]
) -> None:
    for change in changes:
        data = forged(data, change)
    (folder / "forged").write_bytes(data)
    found = verify(folder / "forged", puzzle, processes=1)
    event(f"{'and '.join(one[0] for one in changes)}: {'accepted' if found else 'refused'}")
    assert bool(found) == accepts(data, puzzle)
    if found:
        assert true_of(*opened(data), small(puzzle, MOST))


@given(PUZZLES, st.lists(forgeries(), min_size=1, max_size=2))
def test_a_forged_certificate_is_refused_or_true(
    tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle, changes: list[tuple[str, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("certificate")
    check_forged(folder, puzzle, certificate_of(puzzle, folder), changes)


@given(PUZZLES, st.sampled_from(TASKS), st.lists(forgeries(), min_size=1, max_size=2))
def test_a_forged_certificate_of_a_space_is_refused_or_true(
    tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle, task: Any,
    changes: list[tuple[str, int, int]],
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("certificate")
    data = space_certificate_of(puzzle, folder, task, ENGINES[0])
    check_forged(folder, puzzle, data, changes)


@given(
    PUZZLES, st.integers(0, 10**6), st.integers(0, 255),
    st.sampled_from(["byte", "cut", "more", "twice", "header"]),
)  # fmt: skip
def test_damage_is_found(
    tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle, at: int, byte: int, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("certificate")
    data = certificate_of(puzzle, folder)
    place = at % len(data)
    head, blocks = taken_apart(data)
    if kind == "header":  # any part of it is anything
        name = [*head][at % len(head)]
        head[name] = [None, 5, "x", [], {}, [[[]]], [5], [["seq", [99]]], True][byte % 9]
        told = json.dumps(head).encode()
        changed = VERSION + f"{len(told)} {sha256(told).hexdigest()}\n".encode() + told + blocks
    else:
        changed = {
            "byte": data[:place] + bytes([byte]) + data[place + 1 :], "cut": data[:place],
            "more": data + data[place:], "twice": data[:place] + data[max(0, place - 40) :],
        }[kind]  # fmt: skip
    file = folder / "damaged"
    file.write_bytes(changed)
    found = verify(file, puzzle, processes=1)
    event(f"{kind}: {'accepted' if found else 'refused'}")
    if found:
        assert true_of(*opened(changed), small(puzzle, MOST))
        assert accepts(changed, puzzle)


def test_engines_write_the_same_claim(tmp_path: Path) -> None:
    def claims(puzzle: Puzzle) -> Iterator[str]:
        for engine in ENGINES:
            search(puzzle, certificate=tmp_path / "c", engine=engine)
            yield verify(tmp_path / "c", puzzle).claim

    assert {*claims(instance("4", "3", "5", "8"))} == {"the shortest way to the goal costs 6"}

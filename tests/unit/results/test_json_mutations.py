"""What is read from JSON is not believed: a changed text is refused with its place, or is right."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rewrite import (
    Path,
    Puzzle,
    Result,
    State,
    contains,
    exactly,
    ints,
    moves,
    one_of,
    replay,
    rule,
    search,
    seqs,
    term,
    terms,
)
from rewrite.errors import ReplayError, RewriteError, SearchError
from tests.engines import natively

M, N = ints("M N")
S = seqs("S")
V = terms("V")


@term
class Box:
    at: int
    what: Any


PUZZLE = Puzzle(
    rule(f"move {M} to {M + 1}", take=[Box(M, V)], put=[Box(M + 1, V)], cost=M + 1),
    start=[Box(0, (1, "a", [2, True], 10**1200))],
    goal=contains(Box(M, V), when=M > 3),
)
CLOSED = Puzzle(rule("on", take=[1], put=[2]), start=[1], goal=exactly(3))
DEEP: Any = 0
for _ in range(60):
    DEEP = (DEEP, [1])
FOUND = [
    search(PUZZLE),
    search(PUZZLE, max_states=2),
    search(PUZZLE, [Box(0, DEEP)], solutions=None, max_depth=5, strategy="breadth_first"),
]
TEXTS = [found.to_json() for found in FOUND] + [found.paths[0].to_json() for found in FOUND[::2]]
STRANGE: list[Any] = [
    None, True, False, -1, -5, 0, 7, 1.5, 10**30, "x", "", [], {}, [[]], [1], {"bag": 1},
    {"term": 0}, {"term": -1, "with": []}, {"term": True, "with": [1, 2]}, {"int": "zz"},
    {"int": "0x7"}, [{"bag": True}], [{"bag": True}, 1], [{"bag": 1}, 1], [{"term": 0}, 1, 2],
    [{"term": -1}], [{"term": True}, 1, 2], [{"term": 0}], [1, {"bag": True}], {"deep": [1]},
    [{"bag": True, "more": 1}], {"bag": [], "more": 1}, "found", "limit", "max_states", [["a"]],
]  # fmt: skip


def read(text: Any) -> Any:
    if '"rewrite": "path"' in text:
        return Path.from_json(text, PUZZLE)
    return Result.from_json(text, PUZZLE)


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield above
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*above, key))


def mutated(text: str, draw: random.Random) -> str:
    kind = draw.randrange(9)
    if kind == 0:  # truncated
        return text[: draw.randrange(len(text))]
    if kind == 1:  # a key twice, a number that is none, one too many digits, nested too deep
        old = draw.choice(['"states":', '"version":', '"labels":', '"depth":', '"cost":'])
        new = draw.choice(
            ['"x": 1, "x": 2, {}', "{} NaN, \"y\":", "{} -Infinity, \"y\":",
             "{} " + "9" * 5000 + ", \"y\":", "{} " + "[" * 2000 + "]" * 2000 + ", \"y\":",
             "{} 1e999, \"y\":"]
        )  # fmt: skip
        return text.replace(old, new.replace("{}", old), 1)
    document = json.loads(text)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        found = [place for place in places(document) if place]
        place = draw.choice(found)
        holder = document
        for key in place[:-1]:
            holder = holder[key]
        key = place[-1]
        if kind == 2:
            del holder[key]
        elif kind == 3:  # swapped with another
            other = draw.choice(found)
            value = document
            for one in other:
                value = value[one]
            holder[key] = copy.deepcopy(value)
        elif kind == 4 and isinstance(holder, dict):
            holder[str(draw.choice(["more", "with", "bag"]))] = holder.pop(key)
        elif kind == 5 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(draw.choice(STRANGE)))
        elif kind == 6 and type(holder[key]) is int:
            holder[key] = -holder[key] - draw.choice([0, 1])
        else:
            holder[key] = copy.deepcopy(draw.choice(STRANGE))
    return json.dumps(document)


@pytest.mark.parametrize("seed", range(8))
def test_a_changed_text_is_refused_or_read_right(seed: int) -> None:
    draw = random.Random(seed)
    refused = 0
    for _ in range(150):
        text = mutated(draw.choice(TEXTS), draw)
        try:
            found = read(text)
            if isinstance(found, Result):
                assert type(found.states) is int
                assert found.states >= 0
                assert (found.status == "limit") == (found.limit is not None)
                assert found.summary()
            for path in [found] if isinstance(found, Path) else found.paths:
                # what is believed of a path is so
                assert replay(PUZZLE, None, path) == path
                assert path.cost == sum(step.cost for step in replay(PUZZLE, None, path))
            assert read(found.to_json()).to_json() == found.to_json()
        except RewriteError:
            refused += 1
    assert 90 < refused < 150


def changed(change: Any, text: str = TEXTS[0]) -> str:
    document = json.loads(text)
    change(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(states=-5), "states must be a whole number of 0 or more; found -5"),
        (lambda d: d.update(states="x"), "states must be a whole number of 0 or more; found 'x'"),
        (lambda d: d.pop("states"), "the whole must be an object with 'states'; found"),
        (lambda d: d.update(status="done"), "status must be one of found, exhausted, limit, inter"),
        (lambda d: d.update(limit="luck"), "limit must be one of width, heuristic, min_depth, max"),
        (lambda d: d.update(optimal=1), "optimal must be true or false; found 1"),
        (lambda d: d.update(levels=[1, -1]), r"levels\[1\] must be a whole number of 0 or more"),
        (lambda d: d.update(seconds=-0.5), "seconds must be a number of 0 or more; found -0.5"),
        (lambda d: d.update(notes="n"), "notes must be a list; found 'n'"),
        (lambda d: d["rules"]["move {M} to {M + 1}"].update(fired=None),
         r"rules\.move \{M\} to \{M \+ 1\}\.fired must be a whole number"),
        (lambda d: d["paths"][0]["states"][1].append([{"term": 5}]),
         r"paths\[0\]\.states\[1\]\[1\] must be a term whose constructor is one of the 1 listed"),
        (lambda d: d["paths"][0]["labels"].pop(),
         r"paths\[0\]\.labels must be a list of 4 labels, one for each step .* found '3 of them'"),
        (lambda d: d.update(paths=[{}]), r"paths\[0\] must be an object with 'states'"),
        (lambda d: d["constructors"][0].pop("module"),
         r"constructors\[0\] must be an object with 'module'; found \[.fields., .name.\]"),
    ],
)  # fmt: skip
def test_an_error_says_where_what_was_expected_and_what_was_found(
    change: Any, message: str
) -> None:
    with pytest.raises(
        SearchError, match=f"this JSON text is not a complete result: {message}"
    ) as told:
        Result.from_json(changed(change), PUZZLE)
    assert told.value.where is not None


@pytest.mark.parametrize(
    ("strategy", "swept"),
    [
        ("breadth_first", "states"),
        pytest.param("idastar", "paths", marks=natively),
        ("bidirectional", "ends"),
    ],
)
def test_a_text_from_before_a_figure_was_kept_is_read_with_what_was_so_then(
    strategy: str, swept: str
) -> None:
    heuristic = 0 if strategy == "idastar" else None
    result = search(CLOSED, strategy=strategy, heuristic=heuristic)

    def older(d: Any) -> None:
        for name in ("swept", "ruled_out", "shortest_paths"):
            del d[name]

    again = Result.from_json(changed(older, result.to_json()), CLOSED)
    assert (result.status, result.swept, again.swept) == ("exhausted", swept, swept)
    assert (again.ruled_out, again.shortest_paths) == (0, None)
    assert again.summary() == result.summary()
    assert again.to_json() == result.to_json()


def test_a_figure_that_came_later_is_checked_where_it_is_there() -> None:
    with pytest.raises(SearchError, match="swept must be one of states, ends, paths; found 'all'"):
        Result.from_json(changed(lambda d: d.update(swept="all")), PUZZLE)
    with pytest.raises(SearchError, match="shortest_paths must be a whole number of 0 or more"):
        Result.from_json(changed(lambda d: d.update(shortest_paths=-1)), PUZZLE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"rewrite": "path", "rewrite": "path"}', "an object has the key 'rewrite' twice"),
        ("{", "this is not a JSON text: Expecting property name"),
        ('{"rewrite": NaN}', "this is not a JSON text: NaN is not a number"),
        (
            "[" * 100_000,
            "this JSON text nests too deep to be read; .* a term of at most 500 levels",
        ),
        ("9" * 5000, "this is not a JSON text: Exceeds the limit"),
        (None, "from_json reads a text; found a NoneType"),
    ],
)
def test_what_json_itself_would_let_pass_is_refused(text: Any, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        Path.from_json(text, PUZZLE)


def test_replay_says_which_label_cost_or_binding_does_not_belong_to_the_states() -> None:
    def label(d: Any) -> None:
        d["paths"][0]["labels"][1] = "move 7 to 8"

    def cost(d: Any) -> None:
        d["paths"][0]["cost"] += 1

    def huge(d: Any) -> None:
        d["paths"][0]["cost"] = {"int": hex(10**5000)}

    def step_cost(d: Any) -> None:
        d["paths"][0]["costs"][0] = 7

    def binding(d: Any) -> None:
        d["paths"][0]["bindings"]["M"] = 9

    for change, message in (
        (
            label,
            "step 2: the JSON text calls it 'move 7 to 8' at cost 2, but what leads from .* is "
            "'move 1",
        ),
        (step_cost, "step 1: the JSON text calls it '.*' at cost 7, but what leads .* is 'move .*"),
        (cost, "the JSON text says that this path costs 11, but its steps cost 10"),
        (huge, "the JSON text says that this path costs 0x.*, but its steps cost 10"),
        (binding, r"says that the path ends with M = 9, V = .*, but that does not match goal="),
    ):
        path = Result.from_json(changed(change), PUZZLE).path
        with pytest.raises(ReplayError, match=message):
            replay(PUZZLE, None, path)
    whole = Result.from_json(TEXTS[0], PUZZLE).path
    assert replay(PUZZLE, None, whole) == whole


def test_of_two_steps_between_the_same_states_the_written_label_says_which() -> None:
    both = Puzzle(rule("first", take=[1], put=[2]), rule("second", take=[1], put=[2]))
    path = replay(both, [1], ["second"])
    assert Path.from_json(path.to_json(), both).labels == ["second"]
    assert Path(both, [State([1]), State([2])]).labels == ["first"]


def test_of_two_steps_with_one_label_the_written_cost_says_which() -> None:
    either = rule("go", take=[1], let={N: one_of(2, 3)}, put=[2], cost=N)
    puzzle = Puzzle(either, start=[1], goal=contains(2))
    path = replay(puzzle, None, [moves(puzzle, [1])[1]])
    document = json.loads(path.to_json())
    assert (document["costs"], Path.from_json(path.to_json(), puzzle).cost) == ([3], 3)
    del document["costs"], document["cost"]  # as older texts
    assert Path.from_json(json.dumps(document), puzzle).cost == 2

"""The page of a path or a result: one file that holds every picture, and fetches nothing."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path as File

import pytest

from puzzles import PUZZLES
from puzzles.eight_puzzle import far
from rewrite.errors import ExportError, ReplayError
from rewrite.language.conditions import contains
from rewrite.language.functions import ints, seqs
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import rule
from rewrite.language.states import State
from rewrite.results.path import Path
from rewrite.results.replay import replay
from rewrite.results.result import Result
from rewrite.search.api import search
from rewrite.show.html.page import MOST_ANSWERS
from rewrite.show.views.lines import chain
from tests.unit.show.html.reading import parsed

N = ints("N")
S = seqs("S")
COUNT = Puzzle(rule(f"to {N + 1}", take=[N], put=[N + 1]), name="count")
JUGS = PUZZLES["water_jugs"]()


def counting(steps: int) -> Path:
    return Path(COUNT, [State([number]) for number in range(steps + 1)])


@pytest.fixture(scope="module")
def sliding() -> Path:
    return search(PUZZLES["eight_puzzle"](), heuristic=far).paths[0]


def test_the_replay_of_31_moves_fits_into_150_kilobytes(sliding: Path) -> None:
    assert len(sliding) == 31
    assert len(sliding.to_html().encode()) <= 150_000


def test_the_page_holds_a_picture_and_a_caption_for_every_state(sliding: Path) -> None:
    page = parsed(sliding.to_html())
    captions = [one.text for one in page.named("figcaption")]
    assert captions == ["start", *(f"{n}. {label}" for n, label in enumerate(sliding.labels, 1))]
    pictures = [one for one in page.named("svg") if one.attributes.get("role") == "img"]
    assert len(pictures) == 32
    assert pictures[-1].attributes["aria-label"].startswith("1 2 3; 4 5 6; 7 8")


def test_an_answer_without_steps_says_that_it_is_solved_at_the_start() -> None:
    result = search(COUNT.replace(start=State([7]), goal=contains(7)))
    [player] = list(parsed(result.to_html()).named("section"))
    assert player.attributes["data-alone"] == "Solved at the start"
    [player] = list(parsed(counting(0).to_html()).named("section"))
    assert player.attributes["data-alone"] == "No steps: the start is the end"


def test_each_step_says_which_marks_travel(sliding: Path) -> None:
    steps = [one for one in parsed(sliding.to_html()).named("li") if one.text[:1].isdigit()]
    assert len(steps) == 31
    assert all(re.fullmatch(r"\d+-\d+( \d+-\d+)*", one.attributes["data-travels"]) for one in steps)


def test_each_look_is_drawn_once_and_every_use_finds_it(sliding: Path) -> None:
    page = parsed(sliding.to_html())
    names = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(names) == len(set(names))
    used = {one.attributes["href"] for one in page.named("use")}
    assert used == {f"#{name}" for name in names}


def test_the_page_fetches_nothing_and_allows_its_own_script_only(sliding: Path) -> None:
    text = sliding.to_html()
    page = parsed(text)
    for element in page.elements:
        assert element.name not in {"link", "img", "iframe", "object", "base"}
        assert not {"src", "srcset", "action", "style"} & {*element.attributes} - {"style"}
        assert element.attributes.get("href", "#").startswith("#")
        assert not [name for name in element.attributes if name.startswith("on")]
    assert "url(" not in text
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}
    [script] = page.named("script")
    allowed = b64encode(sha256(script.text.encode()).digest()).decode()
    [policy] = [one.attributes["content"] for one in page.named("meta") if "content" in
                one.attributes and "default-src" in one.attributes["content"]]  # fmt: skip
    assert policy == (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    )


def test_the_page_of_a_path_is_the_same_each_time() -> None:
    assert counting(3).to_html() == counting(3).to_html()


def test_a_thousand_steps_are_one_page_of_reasonable_size() -> None:
    page = counting(1_000).to_html()
    assert page.count("<figcaption>") == 1_001
    assert len(page.encode()) < 1_500_000


def test_a_path_without_steps_has_a_page_with_one_picture() -> None:
    assert counting(0).to_html().count("<figcaption>") == 1


def test_the_page_of_a_search_that_found_nothing_says_so_and_plays_nothing() -> None:
    text = search(PUZZLES["water_jugs"]("4", "3", "6")).to_html()
    page = parsed(text)
    [summary] = page.classed("summary")
    assert summary.text.startswith("no solution: all 6 states seen (")
    assert page.named("script") == page.classed("player") == []
    assert len(page.classed("rw-bar")) == 3


def test_the_page_of_a_result_shows_levels_notes_and_what_became_of_each_rule() -> None:
    result = search(JUGS)
    page = parsed(result.to_html())
    assert len(page.classed("rw-bar")) == len(result.levels)
    [table] = page.named("table")
    for name, stats in result.rules.items():
        assert name in table.text
        assert str(stats.fired) in table.text


def test_of_many_answers_the_first_twenty_are_played_and_the_page_says_how_many_there_are() -> None:
    grow = Puzzle(rule(f"add {N}", keep=[N], take=[S], put=[(*S, N)]), show=chain())
    result = search(grow, [*range(25), ()], contains((N,)), solutions=None, max_depth=1)
    assert len(result.paths) == 25 > MOST_ANSWERS
    page = parsed(result.to_html())
    assert len(page.classed("player")) == MOST_ANSWERS
    assert page.classed("answer")[0].text.count("1 step, where N = ") == MOST_ANSWERS
    assert "the first 20 of 25 answers are played here" in page.classed("notes")[0].text
    assert page.named("option")[0].text.startswith("1: 1 step")


def test_a_limit_is_told_without_a_command_that_a_page_does_not_have() -> None:
    result = search(JUGS, max_depth=2)
    assert "resume" in result.summary()
    assert "resume" not in parsed(result.to_html()).classed("summary")[0].text


def test_a_view_that_fails_is_told_in_its_picture_and_the_others_are_drawn() -> None:
    def shown(state: State) -> str:
        if 1 in state:
            raise OverflowError("one is too much")
        return f"all is well with {state.items[0]}"

    text = Path(COUNT.replace(show=shown), [State([n]) for n in range(3)]).to_html()
    assert text.count("OverflowError: one is too much") == 2  # drawn, and read out
    assert "all is well with 2" in text


def test_a_path_that_the_rules_do_not_allow_has_no_page() -> None:
    with pytest.raises(ReplayError, match=r"step 1: no rule of count leads from \[1\] to \[3\]"):
        Path(COUNT, [State([1]), State([3])]).to_html()


def test_the_page_is_written_as_it_is_returned(tmp_path: File) -> None:
    path, file = counting(2), tmp_path / "naïve.html"
    assert path.to_html(file) == file.read_text("utf-8")
    result = Result(puzzle=COUNT, status="found", paths=[path])
    assert result.to_html(str(file)) == file.read_text("utf-8")


@pytest.mark.parametrize("file", ["", "no/such/folder/x.html", "a\0b"])
def test_a_file_that_cannot_be_written_is_an_error_that_names_it(
    file: str, tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = rf"^to_html\({re.escape(repr(file))}\): the file cannot be written: .+\. Give a file in"
    with pytest.raises(ExportError, match=said) as caught:
        counting(1).to_html(file)
    assert caught.value.facts["file"] == file


def test_a_path_is_played_as_it_was_replayed() -> None:
    path = replay(JUGS, JUGS.start, ["fill 5", "pour 5 into 3"])
    captions = [one.text for one in parsed(path.to_html()).named("figcaption")]
    assert captions == ["start", "1. fill 5", "2. pour 5 into 3"]

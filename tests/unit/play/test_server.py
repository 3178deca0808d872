"""The port, the token, the link and the extra."""

import builtins
import os
import stat
import webbrowser
from pathlib import Path
from typing import Any

import pytest

from rewrite import Puzzle, PuzzleError, SearchError, ints, play, rule
from rewrite.play import server
from rewrite.play.server import Address, token_of_user

N = ints("N")
ON = Puzzle(rule("on", take=[N], put=[N + 1]), start=[1])


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "rewrite" / "play-token"


def test_a_port_that_is_taken_is_an_error_that_says_the_way_out() -> None:
    with Address(port=0).opened() as listening:
        port = listening.getsockname()[1]
        with pytest.raises(SearchError, match=rf"port {port} is taken.*--port 0"):
            Address(port=port).opened()


@pytest.mark.parametrize("port", [-1, 65536, "8431", True, None])
def test_what_is_no_port_is_refused(port: Any) -> None:
    with pytest.raises(SearchError, match="must be a whole number from 0 to 65535"):
        play(ON, port=port, browser=False)


def test_only_this_machine_is_served_unless_another_name_is_allowed() -> None:
    with Address(port=0).opened() as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
    assert Address(8431).hosts(8431) == {"127.0.0.1:8431", "localhost:8431"}
    assert "box" in Address(80, "box").hosts(80)
    assert "box:81" in Address(81, "Box").hosts(81)


@pytest.mark.parametrize("name", ["http://box", "box:80", "a b", "::1"])
def test_what_is_no_name_of_a_machine_is_refused(name: str) -> None:
    with pytest.raises(SearchError, match=r"must be a name of this machine, such as box\.local"):
        Address(80, name)


def test_without_the_extra_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] == "uvicorn":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SearchError, match=r"pip install 'rewrite\[web\]'"):
        play(ON, browser=False)


def test_a_puzzle_without_start_is_refused_before_anything_is_served() -> None:
    with pytest.raises(PuzzleError, match="has no start"):
        play(ON.replace(start=None), port=0, browser=False)


def test_where_no_browser_is_found_the_link_is_there_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    monkeypatch.setattr(server, "_run", lambda *_: None)
    play(ON, port=0)
    said = capsys.readouterr().err
    assert said.startswith("http://127.0.0.1:")
    assert "#t=" in said
    assert "No browser was found" in said


def test_the_token_is_kept_for_its_owner_alone(state: Path) -> None:
    token = token_of_user()
    assert len(token) >= 32
    assert token_of_user() == token == state.read_text()
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert stat.S_IMODE(state.parent.stat().st_mode) == 0o700
    assert [one.name for one in state.parent.iterdir()] == ["play-token"]


@pytest.mark.parametrize("kept", ["", "short", "with blanks " * 5, "\0" * 40])
def test_a_token_that_is_none_is_made_anew(state: Path, kept: str) -> None:
    token_of_user()
    state.write_text(kept)
    assert token_of_user() != kept
    assert token_of_user() == token_of_user()


def test_a_token_that_others_could_read_is_made_anew(state: Path) -> None:
    token = token_of_user()
    state.chmod(0o644)
    assert token_of_user() != token
    assert stat.S_IMODE(state.stat().st_mode) == 0o600


def test_where_no_token_can_be_kept_there_is_one_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path / "file"))
    assert token_of_user() != token_of_user()

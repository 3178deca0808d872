"""Only the page of this server is answered, and only what it may ask."""

from typing import Any

import pytest

from puzzles import PUZZLES
from rewrite.play.guard import LARGEST
from tests.unit.play.clients import HOST, JSON, Client, client_of

JUGS = PUZZLES["water_jugs"]()
GAME = '{"game": {"p": "water_jugs"}}'


@pytest.fixture
def client() -> Client:
    return client_of(JUGS)


def refused(client: Client, status: int, text: str, **request: Any) -> None:
    given = {"method": "POST", "url": "/api/position", "content": GAME, "headers": JSON} | request
    answer = client.request(**given)
    assert answer.status_code == status
    assert text in answer.json()["error"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_the_page_is_answered(client: Client) -> None:
    for host in (HOST, "localhost:8431"):
        headers = JSON | {"host": host, "origin": f"http://{host}"}
        answer = client.post("/api/position", content=GAME, headers=headers)
        assert (answer.status_code, answer.json()["number"]) == (200, 0)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8431", "127.0.0.1", "127.0.0.1:8432", "", "localhost"]
)
@pytest.mark.parametrize("path", ["/", "/page.js", "/api/position"])
def test_another_host_is_refused(client: Client, host: str, path: str) -> None:
    refused(client, 421, "host: this server is called", url=path, headers=JSON | {"host": host})


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "https://127.0.0.1:8431", "http://127.0.0.1:80"]
)
def test_another_origin_is_refused(client: Client, origin: str) -> None:
    refused(client, 403, "origin: only http://127.0.0.1:8431", headers=JSON | {"origin": origin})


@pytest.mark.parametrize("token", ["", "k", "K" * 32, "k" * 33, "ü" * 32])
def test_without_the_token_nothing_is_told(client: Client, token: str) -> None:
    headers: Any = JSON | {"x-rewrite-token": token.encode("latin-1")}
    refused(client, 401, "token:", headers=headers)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "json"])
def test_only_json_is_read(client: Client, kind: str) -> None:
    refused(client, 415, "application/json is read", headers=JSON | {"content-type": kind})


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_broken_json_is_refused(client: Client, body: bytes) -> None:
    refused(client, 400, "body: JSON is read", content=body)


@pytest.mark.parametrize(
    "body",
    [
        "null", "[]", '"text"', "{}", '{"game": 1}', '{"game": {"p": 1}}',
        '{"game": {"p": "water_jugs", "w": "5"}}', '{"game": {"p": "water_jugs", "w": [5]}}',
        '{"game": {"p": "water_jugs", "m": ["a", 1]}}',
        '{"game": {"p": "water_jugs", "m": [["a"]]}}',
        '{"game": {"p": "water_jugs", "m": [["a", 0]]}}',
        '{"game": {"p": "water_jugs", "s": [0, 1]}}',
        '{"game": {"p": "water_jugs", "s": [1.5, 1]}}', '{"game": {"p": "water_jugs", "d": 5}}',
    ],
)  # fmt: skip
def test_what_is_no_game_is_refused(client: Client, body: str) -> None:
    refused(client, 400, "game:", content=body)


def test_a_body_is_bounded(client: Client) -> None:
    game = '{"game": {"p": "water_jugs"}, "more": "%s"}'
    fits = game % ("x" * (LARGEST - len(game) + 2))
    assert len(fits) == LARGEST
    assert client.post("/api/position", content=fits, headers=JSON).status_code == 200
    refused(client, 413, "bytes are read", content=fits + " ")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/position", 405),
        ("PUT", "/api/position", 405),
        ("POST", "/", 405),
        ("GET", "/../pyproject.toml", 404),
        ("GET", "/app.py", 404),
        ("GET", "/play/app.py", 404),
        ("POST", "/api/source", 404),
    ],
)
def test_other_questions_are_refused(client: Client, method: str, path: str, status: int) -> None:
    refused(client, status, "is not asked here", method=method, url=path)


def test_everything_leaves_with_strict_headers_and_fetches_nothing_from_elsewhere(
    client: Client,
) -> None:
    for path in ("/", "/page.js", "/page.css", "/stage.js", "/drawing.css", "/keys.js"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        text = answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text
        assert "https:" not in text
        assert "innerHTML" not in text

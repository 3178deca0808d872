"""A page without a browser: what it sends, as it sends it."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import time
from functools import cache
from typing import Any

import httpx
from attrs import define

from rewrite import Puzzle, contains, ints, rule
from rewrite.play.app import app
from rewrite.play.source import Bounds, OnePuzzle, Source

N = ints("N")
ENDLESS = Puzzle(
    rule("on", take=[N], put=[N + 1]),
    rule("back", take=[N], put=[N - 1], when=N > 0),
    start=[1],
    goal=contains(10**15),
    name="endless",
)
HOST = "127.0.0.1:8431"
KEY = "k" * 32
JSON = {"content-type": "application/json", "x-rewrite-token": KEY}


@cache
def loop() -> asyncio.AbstractEventLoop:
    """The loop in which all servers of a test run; its thread ends with the process."""
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, daemon=True).start()
    return made


class Client:
    """Sends requests to an application, from any thread."""

    def __init__(self, made: Any) -> None:
        self.transport = httpx.ASGITransport(made)
        loop()  # made here, and not by several threads at once

    def request(self, method: str, url: str, **given: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=self.transport, base_url=f"http://{HOST}", timeout=None
            ) as client:
                return await client.request(method, url, **given)

        return asyncio.run_coroutine_threadsafe(send(), loop()).result()

    def get(self, url: str, **given: Any) -> httpx.Response:
        return self.request("GET", url, **given)

    def post(self, url: str, **given: Any) -> httpx.Response:
        return self.request("POST", url, **given)


@define
class Page:
    """Asks a server at a port of this machine as a page does."""

    port: int
    token: str

    def ask(self, question: str, body: Any = None) -> Any:
        """Return the answer, and its status."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"content-type": "application/json", "x-rewrite-token": self.token}
        try:
            line.request(
                "POST", f"/api/{question}", json.dumps({} if body is None else body), headers
            )
            answer = line.getresponse()
            return json.loads(answer.read()) | {"status": answer.status}
        finally:
            line.close()


def client_of(source: Source | Puzzle, bounds: Bounds | None = None) -> Client:
    given = OnePuzzle(source) if isinstance(source, Puzzle) else source
    return Client(app(given, frozenset({HOST, "localhost:8431"}), KEY, bounds))


def ask(client: Client, question: str, body: Any = None) -> Any:
    answer = client.post(f"/api/{question}", json={} if body is None else body, headers=JSON)
    assert answer.status_code == 200, answer.text
    return answer.json()


def position(client: Client, name: str, moves: Any = (), **more: Any) -> Any:
    """Return what the page is told of the position after some moves."""
    return ask(client, "position", {"game": {"p": name, "m": [*moves], **more}})


def answer(client: Client, name: str, moves: Any = (), **more: Any) -> Any:
    """Return the answer of the search for a hint, when it is there."""
    return ended(client, ask(client, "hint", {"game": {"p": name, "m": [*moves], **more}}))


def ended(client: Client, facts: Any) -> Any:
    """Return the answer of a search that goes on."""
    until = time.monotonic() + 60
    while facts["state"] != "done":
        assert time.monotonic() < until
        time.sleep(0.01)
        facts = ask(client, "job", {"job": facts["job"]})
    return facts["answer"]

"""A real browser: Debian's Chromium, driven by Playwright. Without one these tests are skipped.

REWRITE_CHROMIUM names another Chromium. One that is there and does not start is a failure.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not there: pip install playwright"
)
CHROMIUM = Path(os.environ.get("REWRITE_CHROMIUM", "/usr/bin/chromium"))
ROOT = Path(__file__).parents[2]
LINK = re.compile(r"http://127\.0\.0\.1:\d+/#\S+")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, one for each process that runs tests."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt-get install chromium, or set REWRITE_CHROMIUM")
    with sync_api.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=str(CHROMIUM))
        yield started
        started.close()


@define(slots=False)  # Playwright notes its handlers on the object
class Watched:
    """A browser context, whose pages may neither complain nor ask anybody but this machine."""

    context: Any
    complaints: list[str] = field(factory=list)
    asked: list[str] = field(factory=list)

    def page(self) -> Any:
        page = self.context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._dialog)
        return page

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location})")

    def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def browse(chromium: Any) -> Iterator[Callable[..., Watched]]:
    """Open contexts, e.g. browse(color_scheme="dark"); judged at the end of the test."""
    opened: list[Watched] = []

    def begin(**options: Any) -> Watched:
        context = chromium.new_context(**options)
        context.set_default_timeout(15_000)
        watched = Watched(context)
        context.on("request", lambda request: watched.asked.append(request.url))
        opened.append(watched)
        return watched

    yield begin
    for watched in opened:
        watched.context.close()
        here = re.compile(r"(http://127\.0\.0\.1:\d+/|file://|data:|blob:|about:)")
        assert [url for url in watched.asked if not here.match(url)] == []
        assert watched.complaints == []


@define
class Server:
    """`rewrite play` in a process of its own."""

    words: tuple[str, ...]
    home: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None
    link: str = ""

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable, "-m", "rewrite", "play", "--no-browser",
                "--port", str(self.port), *self.words,
            ],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "XDG_STATE_HOME": str(self.home), "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if found := LINK.search(line):
                self.link = found[0]
                self.port = int(self.link.split(":")[2].split("/")[0])
                return
        raise AssertionError(f"rewrite play printed no link: {said}")

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start `rewrite play` with these words; ended at the end of the test."""
    pytest.importorskip("uvicorn", reason="the extra is not there: pip install 'rewrite[web]'")
    started: list[Server] = []

    def begin(*words: str) -> Server:
        server = Server(words, tmp_path / "state")
        server.start()
        started.append(server)
        return server

    yield begin
    for server in started:
        server.kill()


@pytest.fixture
def play(serve: Any, browse: Any) -> Callable[..., Any]:
    """Open a tab with the game of these words; options are those of the browser."""
    from tests.browser.pages import opened  # needs Playwright

    return lambda *words, **options: opened(browse(**options), serve(*words).link)

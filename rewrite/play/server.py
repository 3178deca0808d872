"""Serving the page until Ctrl-C: the port, the link with its token, the browser."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from attrs import frozen

from rewrite.errors import SearchError
from rewrite.play.source import Bounds, Source

if TYPE_CHECKING:
    import uvicorn

LOOPBACK = "127.0.0.1"
NAME = re.compile(r"[A-Za-z0-9.-]*")
MISSING = (
    "play: the page is served by starlette and uvicorn, which are not installed: "
    "pip install 'rewrite[web]'"
)
TOKEN = re.compile(r"[\w-]{32,}")


@frozen
class Address:
    """Where the page is served.

    port     0 for any free port
    allowed  another name of this machine, under which other machines may reach it; "": none may
    """

    port: int
    allowed: str = ""

    def opened(self) -> socket.socket:
        if type(self.port) is not int or not 0 <= self.port < 65536:
            raise SearchError(f"play: port={self.port!r} must be a whole number from 0 to 65535")
        try:
            return socket.create_server(("0.0.0.0" if self.allowed else LOOPBACK, self.port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            why = "is taken" if taken else f"cannot be opened ({os.strerror(error.errno or 0)})"
            raise SearchError(
                f"play: port {self.port} {why}. Is a page open already? Give another port, or 0 "
                "for any that is free: --port 0, port=0",
                port=self.port,
            ) from error

    def __attrs_post_init__(self) -> None:
        if not NAME.fullmatch(self.allowed):
            raise SearchError(
                f"play: --allow-host {self.allowed!r} must be a name of this machine, such as "
                "box.local or 192.168.0.7, without http:// and without a port"
            )

    def hosts(self, port: int) -> frozenset[str]:
        names = [LOOPBACK, "localhost", *([self.allowed.lower()] if self.allowed else [])]
        return frozenset(f"{name}:{port}" if port != 80 else name for name in names)


def serve(
    source: Source,
    address: Address,
    bounds: Bounds,
    say: Callable[[str], object],
    *,
    browser: bool = True,
    command: Sequence[str] | None = None,
) -> None:
    """`command`: starts a process that answers (see `worker`); None to answer in threads."""
    try:
        import uvicorn

        from rewrite.play.app import app
    except ImportError as error:
        raise SearchError(MISSING) from error
    listening = address.opened()
    try:
        port: int = listening.getsockname()[1]
        token = token_of_user()
        made = app(source, address.hosts(port), token, bounds, command)
        quiet: Any = {"log_level": "error", "access_log": False, "server_header": False}
        server = uvicorn.Server(uvicorn.Config(made, timeout_graceful_shutdown=1, **quiet))
        link = link_to(f"{address.allowed or LOOPBACK}:{port}", token, *source.first())
        say(f"{link}\nThis link is a key to the page; Ctrl-C ends it.")
        if browser and not _open(link):
            say("No browser was found here: open the link in one.")
        _run(server, listening)
    finally:
        listening.close()


def link_to(host: str, token: str, name: str, words: tuple[str, ...]) -> str:
    """Return the link that opens a puzzle.

    >>> link_to("127.0.0.1:8431", "key", "digitle", ("793", "75"))
    'http://127.0.0.1:8431/#t=key&p=digitle&w=%5B%22793%22%2C%20%2275%22%5D'
    """
    chosen = f"&w={quote(dumps(words), safe='')}" if words else ""
    return f"http://{host}/#t={quote(token, safe='')}&p={quote(name, safe='')}{chosen}"


def _open(link: str) -> bool:
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    in_terminal = type(found) is webbrowser.GenericBrowser
    return not in_terminal and found.open(link)


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    """Run a server until Ctrl-C, even if an event loop is already running, as in a notebook."""
    with suppress(KeyboardInterrupt):
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            server.run([listening])
            return
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.2)
        finally:
            server.should_exit = True
            thread.join()


def state_folder() -> Path:
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return base / "rewrite"


def token_of_user() -> str:
    """Return the token of this user, created on first use.

    Only its owner may read it; a token that others could read is replaced. If it cannot be stored,
    every start makes a new one, and open pages must be reopened after a restart.
    """
    made = secrets.token_urlsafe(24)
    try:
        file = state_folder() / "play-token"
        return _kept(file) or _keep(file, made)
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return made


def _kept(file: Path) -> str:
    """Return the token in a file, or '' if there is none that can be trusted."""
    try:
        with file.open(encoding="ascii") as opened:
            about = os.fstat(opened.fileno())
            text = opened.read(200).strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    if os.name == "posix" and (about.st_mode & 0o077 or about.st_uid != os.getuid()):
        return ""
    return text if TOKEN.fullmatch(text) else ""


def _keep(file: Path, token: str) -> str:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(token)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return _kept(file) or token

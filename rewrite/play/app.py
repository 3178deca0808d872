"""The server as an application. It stores no game: each request brings its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from rewrite.play.crew import Processes, Threads
from rewrite.play.guard import Guard, Plain, asked, refusal
from rewrite.play.refused import Refused
from rewrite.play.source import Bounds, Source
from rewrite.play.table import QUESTIONS, Table

ROOMS = Path(__file__).parents[1]
PARTS = "page server link keys board panels history kept levels map overlay searching"
FILES = {
    "/": "play/page.html",
    "/page.css": "play/page.css",
    "/drawing.css": "show/drawing/drawing.css",
    "/graph.css": "show/drawing/graph.css",
    "/stage.js": "show/html/stage.js",
    **{f"/{name}.js": f"play/{name}.js" for name in PARTS.split()},
}


def app(
    source: Source,
    hosts: frozenset[str],
    token: str,
    bounds: Bounds | None = None,
    command: Sequence[str] | None = None,
) -> ASGIApp:
    """Return the application that plays the puzzles of a source.

    hosts    names and ports under which it may be reached, e.g. "127.0.0.1:8431"
    token    sent by the page with each request
    bounds   limits of a search for a hint, and of an answer
    command  starts a process that answers (see `worker`); None to answer in threads
    """
    limits = bounds or Bounds()
    table = Table(source, limits)
    crew = Processes(table, command, limits.answer) if command else Threads(table)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        crew.begin()
        yield
        await crew.end()

    def answering(name: str) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            status, facts = await crew.answer(name, await asked(request, token))
            return Plain(facts, status)

        return endpoint

    async def refused(_: Request, error: Any) -> Response:
        return refusal(error)

    async def unknown(request: Request, error: Any) -> Response:
        text = f"{request.method} {request.url.path} is not asked here"
        return refusal(Refused(error.status_code, text))

    routes = [Route(path, _file(ROOMS / file)) for path, file in FILES.items()]
    for name in QUESTIONS:
        routes.append(Route(f"/api/{name}", answering(name), methods=["POST"]))
    errors: dict[Any, Any] = {Refused: refused, 404: unknown, 405: unknown}
    return Guard(Starlette(routes=routes, lifespan=lifespan, exception_handlers=errors), hosts)


def _file(file: Path) -> Callable[[Request], Any]:
    async def endpoint(_: Request) -> Response:
        kind = "text/javascript" if file.suffix == ".js" else f"text/{file.suffix[1:]}"
        return FileResponse(file, media_type=kind)

    return endpoint

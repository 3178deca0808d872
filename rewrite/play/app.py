"""The server as an application. It stores no game: each request brings its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from json import dumps
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from attrs import frozen
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from rewrite.errors import RewriteError, SearchError
from rewrite.play import position_facts
from rewrite.play.game import BadGame, Game, game_of
from rewrite.play.guard import Guard, Plain, Refused, asked, refusal
from rewrite.play.instances import Instances
from rewrite.play.jobs import Busy, Job, Jobs
from rewrite.play.maps import map_of
from rewrite.play.positions import Instance, Position
from rewrite.play.solving import known_answer, solve
from rewrite.play.source import Bounds, Source

ROOMS = Path(__file__).parents[1]
FILES = {
    "/": "play/page.html",
    "/page.css": "play/page.css",
    "/drawing.css": "show/drawing/drawing.css",
    "/graph.css": "show/drawing/graph.css",
    "/stage.js": "show/html/stage.js",
    **{
        f"/{name}.js": f"play/{name}.js"
        for name in ("page", "server", "link", "keys", "board", "panels")
    },
}
"""All files that are served."""
MOST_AT_ONCE = 8
"""The most requests handled at once; others wait."""
SLOW = ("position", "hint", "map")
"""Requests that may take a while; a hint is one because it needs a position."""
BETWEEN_SWEEPS = 1.0
"""Seconds between checks for abandoned searches."""

Facts = dict[str, Any]


def app(source: Source, hosts: frozenset[str], token: str, bounds: Bounds | None = None) -> ASGIApp:
    """Return the application that plays the puzzles of a source.

    hosts   names and ports under which it may be reached, e.g. "127.0.0.1:8431"
    token   sent by the page with each request
    bounds  limits of a search for a hint
    """
    table = Table(source, Instances(source), Jobs(), bounds or Bounds())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_sweep, table.jobs)
            yield
            tasks.cancel_scope.cancel()
        table.jobs.end()

    workers = Workers()

    def answering(name: str) -> Callable[[Request], Any]:
        answer: Callable[[Facts], Facts] = getattr(table, name)

        async def endpoint(request: Request) -> Response:
            try:
                return Plain(await workers.answer(name, answer, await asked(request, token)))
            except Refused as refused:
                return refusal(refused)
            except BadGame as error:
                return refusal(Refused(400, error.message))
            except Busy as error:
                return refusal(Refused(503, error.message))
            except RewriteError as error:  # a valid request; the error is its answer
                return Plain({"error": error.message})
            except Exception as error:  # a bug, or an unexpected error in a user function
                return refusal(Refused(500, f"{type(error).__name__}: {error}"))

        return endpoint

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return refusal(Refused(status, f"{request.method} {request.url.path} is not asked here"))

    routes = [Route(path, _file(ROOMS / file)) for path, file in FILES.items()]
    for name in ("puzzles", "position", "hint", "job", "cancel", "map"):
        routes.append(Route(f"/api/{name}", answering(name), methods=["POST"]))
    made = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={404: refused, 405: refused}
    )
    return Guard(made, hosts)


class Workers:
    """Hands requests to a limited number of threads, and equal requests to only one thread.

    A reloaded page asks for the same position again before it is ready, and then waits for the same
    answer. Quick requests have a queue of their own.
    """

    def __init__(self) -> None:
        self._slow = anyio.CapacityLimiter(MOST_AT_ONCE)
        self._quick = anyio.CapacityLimiter(MOST_AT_ONCE)
        self._working: dict[str, asyncio.Task[Facts]] = {}

    async def answer(self, name: str, answer: Callable[[Facts], Facts], given: Facts) -> Facts:
        """Return the answer to a request. Raises whatever answering raises."""
        if name not in SLOW:
            return await anyio.to_thread.run_sync(_safely, answer, given, limiter=self._quick)
        key = f"{name} {dumps(given, sort_keys=True)}"
        task = self._working.get(key)
        if task is None:
            work = anyio.to_thread.run_sync(_safely, answer, given, limiter=self._slow)
            task = self._working[key] = asyncio.ensure_future(work)
            task.add_done_callback(lambda _: self._working.pop(key))
        return await asyncio.shield(task)


def _safely(answer: Callable[[Facts], Facts], given: Facts) -> Facts:
    """Answer a request; a puzzle that tries to end the process counts as one that fails."""
    try:
        return answer(given)
    except (SystemExit, KeyboardInterrupt) as error:
        raise SearchError(f"a function of the puzzle raised {type(error).__name__}") from error


def _file(file: Path) -> Callable[[Request], Any]:
    async def endpoint(_: Request) -> Response:
        kind = "text/javascript" if file.suffix == ".js" else f"text/{file.suffix[1:]}"
        return FileResponse(file, media_type=kind)

    return endpoint


async def _sweep(jobs: Jobs) -> None:
    while True:
        await anyio.sleep(BETWEEN_SWEEPS)
        jobs.sweep()


@frozen
class Table:
    """What the page may request: one method per request, from plain data to plain data.

    Each may raise RewriteError; they are called in threads, outside the server's event loop.
    """

    source: Source
    instances: Instances
    jobs: Jobs
    bounds: Bounds

    def puzzles(self, _: Facts) -> Facts:
        """The available puzzles, and the one the page opens with."""
        name, words = self.source.first()
        return {"first": {"p": name, "w": words}, "choices": self.source.choices()}

    def position(self, given: Facts) -> Facts:
        """A position with its picture and its moves: a move needs only this request."""
        game, instance, here, trouble = self._here(given)
        facts = position_facts.facts_at(instance, game, here, bool(given.get("why")))
        return {"trouble": trouble, **facts}

    def hint(self, given: Facts) -> Facts:
        """The path to a goal if known; else the name of the search just started."""
        _, instance, here, _ = self._here(given)
        known = known_answer(instance, here)
        if known is not None:
            return {"state": "done", "answer": known}

        def work(job: Job) -> Facts:
            return solve(instance, here, self.bounds, job.progress)

        return self.jobs.start(work).to_json()

    def job(self, given: Facts) -> Facts:
        """The progress of a search, or its answer."""
        return _job(self.jobs.asked, given)

    def cancel(self, given: Facts) -> Facts:
        """Ask a search to stop."""
        return _job(self.jobs.cancel, given)

    def map(self, given: Facts) -> Facts:
        """A picture of the space around a position."""
        _, instance, here, _ = self._here(given)
        return map_of(instance, here)

    def _here(self, given: Facts) -> tuple[Game, Instance, Position, str]:
        game = game_of(given.get("game"))
        instance, trouble = self.instances.of(game)
        return game, instance, instance.position(game.moves), trouble


def _job(find: Callable[[str], Job | None], given: Facts) -> Facts:
    name = given.get("job")
    if not isinstance(name, str):
        raise Refused(400, 'job: a search is asked for by {"job": its name}')
    job = find(name)
    if job is None:
        raise Refused(404, "job: there is no such search, or not any more; ask for a new one")
    return job.to_json()

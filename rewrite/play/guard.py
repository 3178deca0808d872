"""Access control: only this server's own page, with its token and small JSON bodies."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from typing import Any

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rewrite.play.refused import Refused

TOKEN = "x-rewrite-token"
LARGEST = 1_000_000
"""Bytes of a body: enough for a game of the maximum length with long labels."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class Plain(JSONResponse):
    """JSON in ASCII: a text may contain what UTF-8 cannot encode, such as half a surrogate pair."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def refusal(refused: Refused) -> Response:
    return Plain({"error": refused.message}, refused.status)


@frozen
class Guard:
    """Admits only requests from our own page, and adds strict headers to every response.

    hosts  the names and ports under which this server may be reached: this refuses other sites
           whose name was made to point to this machine (DNS rebinding)
    """

    app: ASGIApp
    hosts: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # the page opens no WebSockets

        async def strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            self._check(Headers(scope=scope))
        except Refused as refused:
            await refusal(refused)(scope, receive, strict)
            return
        await self.app(scope, receive, strict)

    def _check(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            raise Refused(
                421, f"host: this server is called {_listed(self.hosts)}; found {_listed(hosts)}"
            )
        origins = {f"http://{host}" for host in self.hosts}
        for origin in headers.getlist("origin"):
            if origin not in origins:
                raise Refused(403, f"origin: only {_listed(origins)} may ask; found {origin}")


def _listed(names: Iterable[str]) -> str:
    return " or ".join(sorted(names)) or "nothing"


async def asked(request: Request, token: str) -> dict[str, Any]:
    """Return the JSON object in a request, or an empty one. Raises Refused."""
    given = request.headers.get(TOKEN, "")
    if not hmac.compare_digest(given.encode(), token.encode()):
        raise Refused(
            401,
            "token: this page has no token, or an old one; open the link that the server printed",
        )
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, f"content-type: application/json is read; found {kind or 'none'}")
    body = await _body(request)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"body: JSON is read; found something else ({error})") from error
    return found if isinstance(found, dict) else {}


async def _body(request: Request) -> bytes:
    found = bytearray()
    try:
        async for chunk in request.stream():
            found += chunk
            if len(found) > LARGEST:
                raise Refused(413, f"body: {LARGEST:,} bytes are read; found more")
    except ClientDisconnect as error:
        raise Refused(400, "body: it broke off") from error
    return bytes(found)

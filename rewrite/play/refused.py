"""`Refused`: an error that is answered with a status of its own."""

from __future__ import annotations

from rewrite.errors import RewriteError


class Refused(RewriteError):
    """A request that is not answered: the HTTP status, and why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

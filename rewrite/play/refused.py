"""`Refused`: an error that is answered with a status of its own."""

from __future__ import annotations

from rewrite.errors import RewriteError


class Refused(RewriteError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

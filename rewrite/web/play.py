"""`play`: the public door to the page on which a puzzle is played."""

from __future__ import annotations

import sys
from typing import Any

from rewrite.errors import PuzzleError, tells_unknown_names
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.search.limits import Limits
from rewrite.web.source import Bounds

PORT = 8431
"""Of the page: always the same one, so that a page that is open finds a new server."""


@tells_unknown_names(PuzzleError, "play")
def play(
    puzzle: Puzzle,
    start: Any = None,
    *,
    port: int = PORT,
    browser: bool = True,
    max_seconds: float | None = Bounds().max_seconds,
    max_memory: int | str | None = Bounds().max_memory,
) -> None:
    """Serve a page on which the puzzle is played and explored, until Ctrl-C.

    start        the first state; that of the puzzle by default
    port         of the page, on this machine alone; 0 for any that is free
    browser      whether to open one; the link is written to stderr in any case
    max_seconds, max_memory   what one search for a hint may use

    The call does not return before Ctrl-C; in a notebook, interrupting the cell ends it. The game
    lives in the address of the page, so it goes on where the same call is made again.

    Raises SearchError where the extra is missing (pip install 'rewrite[web]') or the port is taken,
    PuzzleError where there is no start.
    """
    asked = the_puzzle("play", puzzle)
    made = asked if start is None else asked.replace(start=start)
    if made.start is None:
        raise PuzzleError(f"play: {made.name} has no start; write play(puzzle, [terms…])")
    from rewrite.web.server import Address, serve  # servers are loaded where one is wanted
    from rewrite.web.source import OnePuzzle

    limits = Limits(max_seconds=max_seconds, max_memory=max_memory)
    bounds = Bounds(limits.max_seconds, limits.max_memory)
    serve(OnePuzzle(made), Address(port), bounds, _say, browser=browser)


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

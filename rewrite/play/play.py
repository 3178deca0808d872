"""`play`: the public function that serves a puzzle on a web page."""

from __future__ import annotations

import sys
from typing import Any

from rewrite.errors import PuzzleError, tells_unknown_names
from rewrite.language.puzzles import Puzzle, the_puzzle
from rewrite.play.source import Bounds
from rewrite.search.limits import Limits

PORT = 8431
"""A fixed default, so that an open page finds a restarted server."""


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
    """Serve a page to play and explore the puzzle, until Ctrl-C.

    start        the first state; by default the puzzle's
    port         of the page, on this machine only; 0 for any free port
    browser      whether to open one; the link is written to stderr in any case
    max_seconds, max_memory   limits of one search for a hint

    The call returns only after Ctrl-C; in a notebook, interrupting the cell ends it. The game is
    stored in the address of the page, so repeating the call continues it.

    Raises SearchError if the extra is missing (pip install 'rewrite[web]') or the port is taken,
    PuzzleError if there is no start.
    """
    asked = the_puzzle("play", puzzle)
    made = asked if start is None else asked.replace(start=start)
    if made.start is None:
        raise PuzzleError(f"play: {made.name} has no start; write play(puzzle, [terms…])")
    from rewrite.play.server import Address, serve  # imported only when serving
    from rewrite.play.source import OnePuzzle

    limits = Limits(max_seconds=max_seconds, max_memory=max_memory)
    bounds = Bounds(limits.max_seconds, limits.max_memory)
    serve(OnePuzzle(made), Address(port), bounds, _say, browser=browser)


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

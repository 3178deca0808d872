"""`Game`: the content of a link, which is the whole state of a game."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.errors import SearchError

Move = tuple[str, int]
"""A label, and a number from 1 among the moves with that label, in canonical order."""
MOST_MOVES = 5_000
MOST_SCRAMBLED = 200


class BadGame(SearchError):
    """Raised for a game that cannot be read."""


@frozen
class Game:
    """A puzzle, an instance of it, and the moves made.

    scramble  (steps, seed) of an instance made by walking back from a goal
    digest    of the rules when the moves were made, or None
    """

    name: str
    words: tuple[str, ...] = ()
    scramble: tuple[int, int] | None = None
    moves: tuple[Move, ...] = ()
    digest: str | None = None


def game_of(given: Any) -> Game:
    """Return the game sent by a page. Raises BadGame.

    >>> game_of({"p": "jugs", "w": ["3", "5"], "m": ["fill 3", ["pour", 2]]}).moves
    (('fill 3', 1), ('pour', 2))
    """
    if not isinstance(given, dict) or not isinstance(given.get("p"), str):
        raise BadGame('game: a game is {"p": name, "w": words, "s": scramble, "m": moves}')
    words, moves = (_listed(given.get(part)) for part in ("w", "m"))
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise BadGame('game: "w" is a list of words')
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise BadGame(f'game: "m" is a list of moves, {MOST_MOVES:,} at most')
    digest = given.get("d")
    if not (digest is None or isinstance(digest, str)):
        raise BadGame('game: "d" is a text')
    made = tuple(map(_move, moves))
    return Game(given["p"], tuple(words), _scramble(given.get("s")), made, digest or None)


def _listed(given: Any) -> Any:
    return [] if given is None else given


def _move(given: Any) -> Move:
    if isinstance(given, str):
        return given, 1
    if isinstance(given, list) and len(given) == 2:
        label, number = given
        if isinstance(label, str) and type(number) is int and number >= 1:
            return label, number
    raise BadGame('game: a move is a label, or ["label", 2] for the second one that reads so')


def _scramble(given: Any) -> tuple[int, int] | None:
    if given is None:
        return None
    if isinstance(given, list) and len(given) == 2:
        steps, seed = given
        if type(steps) is int and type(seed) is int and 1 <= steps <= MOST_SCRAMBLED:
            return steps, seed
    raise BadGame(f'game: "s" is [steps, seed], with 1 to {MOST_SCRAMBLED} steps')

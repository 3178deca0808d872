"""`Game`: the content of a link, which is the whole state of a game."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.play.refused import Refused

Move = tuple[str, int]
"""A label, and a number from 1 among the moves with that label, in canonical order."""
MOST_MOVES = 5_000
MOST_SCRAMBLED = 200


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
    """Return the game sent by a page. Raises Refused."""
    if not isinstance(given, dict) or not isinstance(given.get("p"), str):
        raise _damaged('a game is {"p": name, "w": words, "s": scramble, "m": moves}')
    there = {part: value for part, value in given.items() if value is not None}
    words, moves, digest = there.get("w", []), there.get("m", []), there.get("d", "")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise _damaged('"w" is a list of words')
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise _damaged(f'"m" is a list of moves, {MOST_MOVES:,} at most')
    if not isinstance(digest, str):
        raise _damaged('"d" is a text')
    scramble, made = _scramble(there.get("s")), tuple(map(_move, moves))
    return Game(there["p"], tuple(words), scramble, made, digest or None)


def in_link(move: Move) -> Any:
    """Return a move as written in a link: its label, with a number if not the first with it."""
    label, number = move
    return label if number == 1 else [label, number]


def _move(given: Any) -> Move:
    match given:
        case str(label):
            return label, 1
        case [str(label), int(number)] if number >= 1:
            return label, number
    raise _damaged('a move is a label, or ["label", 2] for the second one that reads so')


def _scramble(given: Any) -> tuple[int, int] | None:
    match given:
        case None:
            return None
        case [int(steps), int(seed)] if 1 <= steps <= MOST_SCRAMBLED:
            return steps, seed
    raise _damaged(f'"s" is [steps, seed], with 1 to {MOST_SCRAMBLED} steps')


def _damaged(why: str) -> Refused:
    return Refused(400, f"game: {why}")

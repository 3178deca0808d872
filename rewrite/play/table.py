"""What the page may ask, and the answers: from plain data to plain data."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from attrs import Factory, field, frozen

from rewrite.errors import RewriteError, described
from rewrite.play import position_facts
from rewrite.play.game import MOST_MOVES, Game, game_of
from rewrite.play.instances import Instances
from rewrite.play.jobs import Job, Jobs
from rewrite.play.maps import map_of, way_to
from rewrite.play.positions import Instance, Position
from rewrite.play.refused import Refused
from rewrite.play.solving import known_answer, solve
from rewrite.play.source import Bounds, Source
from rewrite.play.walking import walk

Facts = dict[str, Any]
SOON, LATER = 0.15, 1.0
"""Seconds that the answer about a search waits for news: at first, and later."""
BETWEEN_SWEEPS = 1.0
OUTSIDE = 1e9
"""Of every picture, in its units."""
QUESTIONS = ("puzzles", "position", "ahead", "why", "hint", "job", "cancel", "walk", "map", "visit")


@frozen
class Table:
    """A method for each of QUESTIONS, called in threads; each request brings its own game."""

    source: Source
    bounds: Bounds
    jobs: Jobs = field(factory=Jobs)
    instances: Instances = field(
        default=Factory(lambda self: Instances(self.source), takes_self=True), init=False
    )

    def answered(self, name: str, given: Facts) -> tuple[int, Facts]:
        """Return the status and the answer of a request; errors are answers, too."""
        answer: Callable[[Facts], Facts] = getattr(self, name)
        try:
            return 200, answer(given)
        except Refused as refused:
            return refused.status, {"error": refused.message}
        except RewriteError as error:  # a valid request; the error is its answer
            return 200, {"error": error.message}
        except MemoryError:
            return 200, {"error": "this asks for more memory than may be used here"}
        except (SystemExit, KeyboardInterrupt) as error:
            text = f"a function of the puzzle raised {type(error).__name__}"
            return 200, {"error": text}
        except Exception as error:  # a bug, or an unexpected error in a user function
            return 500, {"error": described(error)}

    def sweep(self) -> None:
        """Cancel abandoned searches, again and again; for a thread of its own."""
        while not self.jobs.over.wait(BETWEEN_SWEEPS):
            self.jobs.sweep()

    def puzzles(self, _: Facts) -> Facts:
        name, words = self.source.first()
        return {"first": {"p": name, "w": words}, "choices": self.source.choices()}

    def position(self, given: Facts) -> Facts:
        """A position with its picture and its moves: a move needs only this request."""
        game, instance, here, trouble = self._here(given)
        instance.latest = here
        facts = position_facts.facts_at(instance, game, here)
        threading.Thread(target=instance.check, args=(here,), daemon=True).start()
        return {"trouble": trouble, "level": self.source.level(game.name, game.words), **facts}

    def ahead(self, given: Facts) -> Facts:
        """The pictures after moves from a position: shown while the new position is asked for."""
        _, instance, here, _ = self._here(given)
        instance.latest = instance.latest or here
        drawn = position_facts.pictures_after(instance, here, lambda: instance.latest is not here)
        return {"pictures": [*drawn]}

    def why(self, given: Facts) -> Facts:
        _, instance, here, _ = self._here(given)
        instance.latest = instance.latest or here
        return {"idle": [*position_facts.idle_rules(here, lambda: instance.latest is not here)]}

    def hint(self, given: Facts) -> Facts:
        """The path to a goal if known (of it the `first` move); else the name of a new search."""
        _, instance, here, _ = self._here(given)
        most = 1 if given.get("first") is True else MOST_MOVES
        known = known_answer(instance, here, most)
        if known is not None:
            return {"state": "done", "answer": known}

        def work(job: Job) -> Facts:
            return solve(instance, here, self.bounds, job.progress, most)

        return self.jobs.start(work).to_json(SOON)

    def job(self, given: Facts) -> Facts:
        return _job(self.jobs.asked, given).to_json(LATER)

    def cancel(self, given: Facts) -> Facts:
        return _job(self.jobs.cancel, given).to_json()

    def walk(self, given: Facts) -> Facts:
        """The moves by which one piece goes to a place, all others staying where they are."""
        _, instance, here, _ = self._here(given)
        match given:
            case {"mark": int(mark), "to": [int() | float() as x, int() | float() as y]} if (
                abs(x) < OUTSIDE and abs(y) < OUTSIDE
            ):
                return {"moves": walk(instance, here, mark, (x, y))}
        raise Refused(400, 'walk: needs {"mark": its number, "to": [x, y]}')

    def map(self, given: Facts) -> Facts:
        _, instance, here, _ = self._here(given)
        most = given.get("most")
        return map_of(instance, here, most if type(most) is int else 0)

    def visit(self, given: Facts) -> Facts:
        _, instance, here, _ = self._here(given)
        node = given.get("node")
        if type(node) is not int:
            raise Refused(400, 'visit: needs {"node": its number}')
        return {"moves": way_to(instance, here, node)}

    def _here(self, given: Facts) -> tuple[Game, Instance, Position, str]:
        game = game_of(given.get("game"))
        instance, trouble = self.instances.of(game)
        return game, instance, instance.went(game.moves), trouble


def _job(find: Callable[[str], Job | None], given: Facts) -> Job:
    name = given.get("job")
    if not isinstance(name, str):
        raise Refused(400, 'job: a search is asked for by {"job": its name}')
    job = find(name)
    if job is None:
        raise Refused(404, "job: there is no such search, or not any more; ask for a new one")
    return job

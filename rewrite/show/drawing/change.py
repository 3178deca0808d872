"""What changes between two drawings: which marks stay, travel, disappear or are new."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import evolve, frozen

from rewrite.language.order import Key, term_key
from rewrite.show.drawing.drawing import Drawing, Look, Mark


@frozen
class Change:
    """How the marks of one drawing, by number, become those of the next.

    stays    (before, after): the same look in the same place
    travels  (before, after): the same look in another place
    gone     earlier marks without a later one
    new      later marks without an earlier one
    """

    stays: tuple[tuple[int, int], ...]
    travels: tuple[tuple[int, int], ...]
    gone: tuple[int, ...]
    new: tuple[int, ...]


def change(
    before: Drawing, after: Drawing, taken: Sequence[Any] = (), put: Sequence[Any] = ()
) -> Change:
    """Return how one drawing becomes the next.

    taken, put  the terms of the step between them, in the order of the rule. Among marks with the
                same look, the first taken travels to the first put.
    """
    there: dict[Any, deque[int]] = defaultdict(deque)
    for number, mark in enumerate(after.marks):
        there[mark.place].append(number)
    stays, left = [], []
    for number, mark in enumerate(before.marks):
        if there[mark.place]:
            stays.append((number, there[mark.place].popleft()))
        else:
            left.append(number)
    arrived = _by_look(after.marks, sorted(n for found in there.values() for n in found), put)
    travels, gone = [], []
    for look, numbers in _by_look(before.marks, left, taken).items():
        for number in numbers:
            if arrived.get(look) and not look.fixed:
                travels.append((number, arrived[look].popleft()))
            else:
                gone.append(number)
    new = sorted(number for found in arrived.values() for number in found)
    return Change(tuple(stays), tuple(travels), tuple(gone), tuple(new))


def _by_look(
    marks: Sequence[Mark], numbers: Iterable[int], terms: Sequence[Any]
) -> dict[Look, deque[int]]:
    """Return numbers of marks by look, marks of the terms first, in the order of the terms."""
    rank: dict[Key, int] = {}
    for place, term in enumerate(terms):
        rank.setdefault(term_key(term), place)

    def first(number: int) -> int:
        shown = marks[number].terms
        return min((rank.get(term_key(term), len(rank)) for term in shown), default=len(rank))

    found: dict[Look, deque[int]] = defaultdict(deque)
    for number in sorted(numbers, key=first):
        found[marks[number].look].append(number)
    return found


def _shifted(found: Change, before: Drawing, after: Drawing) -> set[int]:
    """Return the marks that only made room for new ones, such as the rest of a longer sequence.

    They show the same terms as a new mark, came from one term together, and kept their order. If
    nothing is new, or the order changed, they were moved.
    """
    grown = {_shown(after.marks[number]) for number in found.new}
    came: dict[tuple[Key, ...], list[tuple[int, int]]] = defaultdict(list)
    for pair in sorted(found.travels):
        came[_shown(after.marks[pair[1]])].append(pair)
    shifted: set[int] = set()
    for terms, pairs in came.items():
        numbers = [number for _, number in pairs]
        origins = {_shown(before.marks[number]) for number, _ in pairs}
        if terms and terms in grown and len(origins) == 1 and numbers == sorted(numbers):
            shifted.update(numbers)
    return shifted


def _shown(mark: Mark) -> tuple[Key, ...]:
    return tuple(map(term_key, mark.terms))


def marked(before: Drawing, after: Drawing, fresh: Iterable[Any]) -> Drawing:
    """Return the drawing with everything highlighted that the last step put there.

    fresh  the terms that are new in the later state. A mark is highlighted if it is new in its
           place and shows one of them, or no term at all, unless it never travels, as a ground.
           Marks that only made room for others are not.
    """
    new = {term_key(term) for term in fresh}
    found = change(before, after)
    same = {number for _, number in found.stays} | _shifted(found, before, after)
    return evolve(
        after,
        marks=tuple(
            evolve(mark, changed=True)
            if number not in same
            and (
                any(term_key(term) in new for term in mark.terms)
                or not (mark.terms or mark.look.fixed)
            )
            else mark
            for number, mark in enumerate(after.marks)
        ),
    )

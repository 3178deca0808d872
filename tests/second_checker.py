"""Another checker of certificates, written from `docs/reference/certificates.md` alone."""

import itertools
import json
import lzma
from hashlib import sha256
from typing import Any

from rewrite import Bag, Puzzle, State
from rewrite.language.meaning import is_goal, simplified, successors
from rewrite.language.patterns import everything_inside
from rewrite.language.terms import Term


def accepts(data: bytes, puzzle: Puzzle) -> bool:
    """Whether a certificate shows what it claims of a puzzle; any mistake in it is a no."""
    try:
        return _shows(data, puzzle)
    except Exception:
        return False


def _shows(data: bytes, puzzle: Puzzle) -> bool:
    first, second, rest = data.split(b"\n", 2)
    size, told = second.split()
    head, blocks = rest[: int(size)], rest[int(size) :]
    if first != b"rewrite certificate 1" or sha256(head).hexdigest() != told.decode():
        return False
    h = json.loads(head)
    texts: dict[str, list[str]] = {"sets": [str(puzzle.sets)], "goal": [repr(puzzle.goal)]}
    kind = h["kind"]
    if kind == "distances":
        puzzle = puzzle.replace(goal=None)
        texts["goal"] = ["None"]
    texts |= {"rules": [*map(repr, puzzle.rules)], "facts": [*map(repr, puzzle.facts)]}
    texts |= {"never": [*map(repr, puzzle.never)], "simplify": [*map(repr, puzzle.simplify)]}
    if h["puzzle"] != texts:
        return False
    known = {(c.__name__, c.term_fields): c for c in _constructors(puzzle)}

    def term(j: Any) -> Any:
        if not isinstance(j, list):
            return j
        inner = tuple(map(term, j[1:]))
        if j[0] == "seq":
            return inner
        if j[0] == "bag":
            return Bag(inner)
        name, fields = h["constructors"][j[0]]
        return known[name, tuple(fields)](*inner)

    terms = list(map(term, h["terms"]))
    label: dict[State, int] = {}
    number, previous = -1, -1
    for states, length, unpacked, digest in h["blocks"]:
        packed, blocks = blocks[:length], blocks[length:]
        text = lzma.decompress(packed)
        row = numbers_in(text)
        if sha256(packed).hexdigest() != digest or len(text) != unpacked or len(row) != 2 * states:
            return False
        for i in range(states):
            number += row[i] + 1
            state = _state(number, h, terms)
            if number <= previous or state in label:
                return False
            previous, label[state] = number, row[states + i]
    least, start = h["least"], simplified(puzzle, State([*map(term, h["start"])]))
    below = float("inf") if least is None else least
    way_states = [State([*map(term, one)]) for one in h["way"]]
    if kind != "way":
        if blocks or (puzzle.start is not None and simplified(puzzle, puzzle.start) != start):
            return False
        if kind == "distances":
            return least is None and not way_states and _all_distances(puzzle, start, label)
        return _all_left(puzzle, start, label, least, way_states)
    if blocks or (puzzle.start is not None and simplified(puzzle, puzzle.start) != start):
        return False
    if below > 0 and label.get(start) != 0:
        return False
    for state, mine in label.items():
        if mine >= below or is_goal(puzzle, state, puzzle.goal):  # type: ignore[arg-type]
            return False
        for way in successors(puzzle, state):
            there = mine + way.cost
            if there < below and label.get(way.after, there + 1) > there:
                return False
    if least is None:
        return not way_states
    cost = 0
    for a, b in itertools.pairwise(way_states):
        cost += min(way.cost for way in successors(puzzle, a) if way.after == b)
    ends = way_states[0] == start and is_goal(puzzle, way_states[-1], puzzle.goal)  # type: ignore[arg-type]
    return bool(ends and cost == least)


def _all_distances(puzzle: Puzzle, start: State, label: dict[State, int]) -> bool:
    """Whether labels are the steps from the start, to all states that can come up."""
    best = {start: 0}
    for state, mine in label.items():
        for after in {way.after for way in successors(puzzle, state)}:
            if after not in label or label[after] > mine + 1:
                return False
            best[after] = min(best.get(after, mine + 1), mine + 1)
    return label.get(start) == 0 and all(best.get(one) == mine for one, mine in label.items())


def _all_left(
    puzzle: Puzzle, start: State, label: dict[State, int], most: int, way: list[State]
) -> bool:
    """Whether labels are the steps to a goal; those of `most` + 1 have no way to one."""
    for state, mine in label.items():
        after = {one.after for one in successors(puzzle, state)}
        if not after <= label.keys():
            return False
        steps = min([most + 2, *[label[one] + 1 for one in after]])
        left = 0 if is_goal(puzzle, state, puzzle.goal) else steps  # type: ignore[arg-type]
        if left == most + 1 or mine != min(left, most + 1):
            return False
    for a, b in itertools.pairwise(way):
        if b not in {one.after for one in successors(puzzle, a)}:
            return False
    return start in label and way[0] == start and label[way[-1]] == most


def _constructors(puzzle: Puzzle) -> set[type[Term]]:
    found, left = set(puzzle.classes), [puzzle.start, puzzle.goal]
    while left:
        one = left.pop()
        if isinstance(one, Term):
            found.add(type(one))
        found |= set(getattr(one, "constructors", ()))
        left += list(one) if isinstance(one, State) else everything_inside(one)
    return found


def numbers_in(text: bytes) -> list[int]:
    row, value, power = [], 0, 1
    for byte in text:
        value += byte % 128 * power
        power *= 128
        if byte < 128:
            row.append(value)
            value, power = 0, 1
    if power != 1:
        raise ValueError
    return row


def _state(number: int, h: dict[str, Any], terms: list[Any]) -> State:
    if h["fields"] is None:
        base, held, last = len(terms) + 1, [], 0
        while number:
            digit = number % base
            if digit < max(last, 1):
                raise ValueError
            held.append(terms[digit - 1])
            number, last = number // base, digit
        return State(held)
    held = [terms[place] for place in h["always"]]
    for offset, bits, places in h["fields"]:
        place = places[number // 2**offset % 2**bits]
        held += [] if place is None else [terms[place]]
        number -= number // 2**offset % 2**bits * 2**offset
    if number:
        raise ValueError
    return State(held)

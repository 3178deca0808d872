"""Atoms that exclude each other: groups of which every state holds at most one.

After the invariant synthesis of Fast Downward (Helmert, AIJ 2009): a candidate maps constructors to
the positions of a key, e.g. `Peg(k) + Hole(k)`, and so splits atoms into one group a key. Where no
ground rule puts more of a group than it takes, the group never grows. Where one does, a constructor
is added that the same rule takes and from which the same key can be read.

A candidate is checked on the rules as they are written: a rule that takes, for each key that it
puts, one of the same key is balanced, and so are its ground rules. Those of other rules are counted
one by one, each group by itself, until no group is left; what they demand to be absent counts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain, combinations, permutations
from math import gcd
from operator import itemgetter
from typing import Any, NamedTuple

from attrs import evolve, frozen

from rewrite.budget import tick, ticking
from rewrite.compile.interning import Ctor, term_type_key, term_type_of

MOST_CANDIDATES = 500
MOST_WORK, WORK_PER_ACTION = 400_000, 20
"""Atoms and ground rules looked at over all candidates: parts of a second, and as many for each
ground rule."""
MOST_KEYS = 5
"""Constructors with more arguments than this get no key: there would be too many to try."""
MOST_FAILED = 200
"""Ground rules of one rule from which a candidate is refined: others hardly say more."""
MANY = 1_000
"""So many ground rules are looked at in mixed order: neighbours add to the same group."""

Candidate = tuple[tuple[Any, tuple[int, ...]], ...]
"""(constructor, positions of its key) pairs."""
Shape = tuple[Any, tuple[Any, ...]]
"""The constructor of a pattern, and something for each argument that is equal only where the
arguments are."""


class Action(NamedTuple):
    """What a ground rule does to atoms, which are numbers here."""

    take: Collection[int]
    keep: Collection[int]
    put: Collection[int]
    absent: Collection[int]
    """Atoms that must be absent before; none of them is taken."""


@frozen
class Schema:
    """A rule: what it takes and puts, and its ground rules.

    takes, puts   the shapes of its patterns that are atoms, None for one that has none
    size          how many ground rules there are
    actions       what these do, with numbers for atoms; only called where shapes do not suffice
    """

    takes: Sequence[Shape | None]
    puts: Sequence[Shape | None]
    size: int
    actions: Callable[[dict[Any, int]], list[Action]]

    def unbalanced(self, places: dict[Any, tuple[int, ...]]) -> tuple[bool, bool]:
        """Whether ground rules may put more of a key than they take; and take more than they put.

        If not the latter, each that takes from a key also puts something of it.
        """
        takes, puts = _keys_of(self.takes, places), _keys_of(self.puts, places)
        more = None in self.puts or any(number > takes[key] for key, number in puts.items())
        return more, None in self.takes or not takes.keys() <= puts.keys()


def _keys_of(shapes: Sequence[Shape | None], places: dict[Any, tuple[int, ...]]) -> Counter[Any]:
    return Counter(
        tuple([shape[1][at] for at in places[shape[0]]])
        for shape in shapes
        if shape is not None and shape[0] in places
    )


@frozen
class Group:
    """Atoms of which every state holds at most one, or exactly one."""

    atoms: tuple[Any, ...]
    exact: bool

    @property
    def bits(self) -> int:
        """How many bits tell which of the atoms holds."""
        return (len(self.atoms) - self.exact).bit_length()

    @property
    def saved(self) -> int:
        """How many bits are saved where one bit an atom is the other way."""
        return len(self.atoms) - self.bits

    def without(self, atoms: set[Any]) -> Group:
        """Return the group of the other atoms."""
        left = tuple([atom for atom in self.atoms if atom not in atoms])
        return Group(left, self.exact and len(left) == len(self.atoms))


def exclusive(atoms: Sequence[Any], start: Sequence[Any], schemas: Sequence[Schema]) -> list[Group]:
    """Return disjoint groups that save bits; an atom in none of them gets a bit of its own.

    atoms    all that can occur, in the order in which they shall be numbered
    start    those of the start
    schemas  all rules

    Of the candidates that hold, the one that saves most comes first, then what the others save in
    addition.
    """
    chosen = _cover(_Invariants(atoms, start, schemas).found())
    return [evolve(group, atoms=tuple([atoms[at] for at in group.atoms])) for group in chosen]


def _cover(candidates: list[list[Group]]) -> list[Group]:
    chosen: list[Group] = []
    covered: set[int] = set()
    heap = [(-sum(one.saved for one in groups), at) for at, groups in enumerate(candidates)]
    heapify(heap)
    while heap:
        _, at = heappop(heap)
        left = [one.without(covered) for one in candidates[at]]
        candidates[at] = left = [one for one in left if one.saved > 0]
        now = (-sum(one.saved for one in left), at)  # it only ever sinks
        if heap and now > heap[0]:
            heappush(heap, now)
        elif left:
            chosen += left
            covered.update(chain.from_iterable(group.atoms for group in left))
    return chosen


class _Invariants:
    """Tries candidates; remembers which atoms are known to exclude each other."""

    def __init__(
        self, atoms: Sequence[Any], start: Sequence[Any], schemas: Sequence[Schema]
    ) -> None:
        self.number = {atom: at for at, atom in enumerate(ticking(atoms))}
        self.begun = [self.number[atom] for atom in start if atom in self.number]
        self.term_types = [*map(term_type_of, atoms)]
        self.arguments = [*map(_arguments, atoms)]
        self.of_type: dict[Any, list[int]] = {}
        for at, term_type in enumerate(ticking(self.term_types)):
            self.of_type.setdefault(term_type, []).append(at)
        self.schemas = schemas
        self.left = MOST_WORK + WORK_PER_ACTION * (len(atoms) + sum(one.size for one in schemas))
        self.groups: dict[frozenset[int], int] = {}
        self.groups_of: list[list[int]] = [[] for _ in atoms]
        self._actions: dict[int, list[Action]] = {}
        self._tried: dict[Any, tuple[list[Group], list[tuple[int, Action]]]] = {}

    def found(self) -> list[list[Group]]:
        """Return the groups of each candidate that hold.

        There are two rounds: a rule may be harmless because of groups that were found in the first.
        """
        found: dict[Candidate, list[Group]] = {}
        settled: set[Candidate] = set()
        for _ in range(2):
            queue = [*dict.fromkeys(self._first())]
            listed, before = {*queue}, len(self.groups)
            for candidate in queue:
                if candidate in settled:
                    continue
                if (len(found) >= MOST_CANDIDATES and candidate not in found) or self.left < 0:
                    break
                groups, failed, more = self._check(candidate)
                if not failed:
                    settled.add(candidate)
                queue += [one for one in more if one not in listed]
                listed.update(more)
                for group in groups:
                    self._note(group)
                found[candidate] = groups
            if len(self.groups) == before:
                break
        return [[*groups] for groups in {id(one): one for one in found.values() if one}.values()]

    def _note(self, group: Group) -> None:
        number = self.groups.setdefault(frozenset(group.atoms), len(self.groups))
        if number not in self.groups_of[group.atoms[0]]:
            for atom in group.atoms:
                self.groups_of[atom].append(number)

    def _first(self) -> Iterator[Candidate]:
        """Yield a candidate for each constructor and key, the shortest keys first."""
        sizes = {one: len(self.arguments[atoms[0]]) for one, atoms in self.of_type.items()}
        known = sorted(sizes, key=term_type_key)
        for length in range(MOST_KEYS + 1):
            for term_type in known:
                if sizes[term_type] <= MOST_KEYS:
                    for key in combinations(range(sizes[term_type]), length):
                        yield ((term_type, key),)

    def _spend(self, work: int) -> None:
        tick(work // 4)
        self.left -= work

    def _check(self, candidate: Candidate) -> tuple[list[Group], bool, list[Candidate]]:
        """Return the groups of a candidate that hold, whether others fail by what actions do, and
        refinements for these.
        """
        places = dict(candidate)
        keys, groups = self._split(places)
        self._spend(len(keys) + len(self.schemas))
        # several keys split atoms in the same way: where one part of a key says all that others say
        alike = len(self.groups), frozenset(places), tuple(keys.values())
        known = self._tried.get(alike)
        if known is None:
            known = self._tried[alike] = self._tested(places, keys, groups)
        held, failed = known
        refined: dict[Candidate, None] = {}
        for key, action in failed:
            first = groups[key][0]
            arguments = self.arguments[first]
            value = tuple([arguments[at] for at in places[self.term_types[first]]])
            refined |= dict.fromkeys(self._refined(candidate, value, action))
        return held, bool(failed), [*refined]

    def _split(self, places: dict[Any, tuple[int, ...]]) -> tuple[dict[int, int], list[list[int]]]:
        """Return the number of each atom's group, and the members of each group."""
        numbers: dict[Any, int] = {}
        groups: list[list[int]] = []
        keys: dict[int, int] = {}
        for term_type, key in places.items():
            atoms = self.of_type[term_type]
            if key:  # a key of one part is that part
                of = [*map(itemgetter(*key), map(self.arguments.__getitem__, atoms))]
            else:
                of = [()] * len(atoms)
            for atom, value in zip(atoms, of, strict=True):
                keys[atom] = number = numbers.setdefault(value, len(groups))
                if number == len(groups):
                    groups.append([])
                groups[number].append(atom)
        if len(places) > 1:
            for group in groups:
                group.sort()
        return keys, groups

    def _tested(
        self, places: dict[Any, tuple[int, ...]], keys: dict[int, int], groups: list[list[int]]
    ) -> tuple[list[Group], list[tuple[int, Action]]]:
        """Return the groups that hold, and for others an action that adds to them."""
        weights = Counter([keys[atom] for atom in self.begun if atom in keys])
        alive = {key for key in range(len(groups)) if weights[key] < 2}
        known = {key for key in alive if self._is_known(groups[key])}
        failed: list[tuple[int, Action]] = []
        uneven = [one.unbalanced(places) for one in self.schemas]
        alive -= known
        for number, (grows, _) in enumerate(uneven):
            if grows and alive:
                failed += self._failed(number, keys, groups, alive)
        alive = {key for key in alive | known if len(groups[key]) > 1}
        stays = {key for key in alive if weights[key]}
        for number, (_, shrinks) in enumerate(uneven):
            if shrinks and stays:
                for action in self._all(number):
                    taken = [keys[atom] for atom in action.take if atom in keys]
                    if taken and stays:
                        stays.difference_update({*taken} - {keys.get(at) for at in action.put})
        return [Group(tuple(groups[key]), key in stays) for key in sorted(alive)], failed

    def _all(self, number: int) -> list[Action]:
        if number not in self._actions:
            self._actions[number] = self.schemas[number].actions(self.number)
        self._spend(len(self._actions[number]))
        return self._actions[number]

    def _failed(
        self, number: int, keys: dict[int, int], groups: list[list[int]], alive: set[int]
    ) -> list[tuple[int, Action]]:
        """Drop the groups to which actions add; return some of them, each with such an action."""
        failed: list[tuple[int, Action]] = []
        actions = self._all(number)
        for action in actions if len(actions) < MANY else _mixed(actions):
            put = [key for atom in action.put if (key := keys.get(atom)) in alive]
            if not put:
                continue
            took = [keys.get(atom) for atom in action.take]
            for key in dict.fromkeys(put):
                more = put.count(key)
                if key not in alive or more <= took.count(key):
                    continue
                if more == 1 and self._never_beside(action, groups[key]):
                    continue
                alive.discard(key)
                if len(failed) < MOST_FAILED:
                    failed.append((key, action))
                    if len(failed) == MOST_FAILED:  # an atom alone only tells what to add to it
                        alive -= {one for one in alive if len(groups[one]) < 2}
            if not alive:
                break
            if self.left < 0:
                alive.clear()
        return failed

    def _is_known(self, members: list[int]) -> bool:
        """Whether all members are in one group that was found."""
        common = {*self.groups_of[members[0]]}
        for atom in members:
            if not common:
                return False
            common.intersection_update(self.groups_of[atom])
        return bool(common)

    def _never_beside(self, action: Action, members: list[int]) -> bool:
        """Whether no member holds in any state in which the action applies, if there is any."""
        holder: dict[int, int] = {}
        for atom in (*action.take, *action.keep):
            for group in self.groups_of[atom]:
                if holder.setdefault(group, atom) != atom:
                    return True  # it demands two atoms that exclude each other
        for number, atom in enumerate(members):
            if atom not in action.absent and all(
                holder.get(group, atom) == atom for group in self.groups_of[atom]
            ):
                self.left -= number
                return False
        self.left -= len(members)
        return True

    def _refined(self, candidate: Candidate, key: Any, action: Action) -> Iterator[Candidate]:
        """Yield the candidate with a constructor more that the action takes with the same key."""
        known = {term_type for term_type, _ in candidate}
        for atom in sorted(action.take):
            term_type, arguments = self.term_types[atom], self.arguments[atom]
            if term_type in known or len(arguments) > MOST_KEYS:
                continue
            for positions in permutations(range(len(arguments)), len(key)):
                if tuple([arguments[at] for at in positions]) == key:
                    yield (*candidate, (term_type, positions))


def _mixed(actions: list[Action]) -> Iterator[Action]:
    """Yield all, those that follow each other from far apart."""
    size = len(actions)
    step = next(step for step in range(int(size * 0.618), size) if gcd(step, size) == 1)
    return (actions[at * step % size] for at in range(size))


def _arguments(atom: Any) -> tuple[Any, ...]:
    return atom[1:] if isinstance(term_type_of(atom), Ctor) else (atom,)

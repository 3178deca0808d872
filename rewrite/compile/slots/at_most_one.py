"""Atoms that exclude each other: groups of which every state holds at most one.

After the invariant synthesis of Fast Downward (Helmert, AIJ 2009): a candidate maps constructors to
the positions of a key, e.g. `Peg(k) + Hole(k)`, and so splits atoms into one group a key. Where no
ground rule puts more of a group than it takes, the group never grows. Where one does, a constructor
is added that the same rule takes and from which the same key can be read.

Unlike there, rules are ground when this is asked, so a candidate is checked by counting, each group
by itself, and what a rule demands to be absent counts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from attrs import frozen

from rewrite.budget import tick
from rewrite.compile.interning import Ctor, key_of, term_type_key, term_type_of

MOST_CANDIDATES, MOST_WORK = 200, 400_000
"""Candidates tried, and atoms and ground rules looked at over all of them: parts of a second."""
MOST_KEYS = 5
"""Constructors with more arguments than this get no key: there would be too many to try."""

NO_GROUP = -1

Atoms = frozenset[Any]
Candidate = tuple[tuple[Any, tuple[int, ...]], ...]
"""(constructor, positions of its key) pairs."""


@frozen
class Action:
    """What a ground rule does to atoms; equal ones are listed once."""

    take: Atoms
    keep: Atoms
    put: Atoms
    absent: Atoms
    """Atoms that must be absent before; none of them is taken."""

    @property
    def demanded(self) -> Atoms:
        """Atoms that must hold before."""
        return self.take | self.keep


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


def exclusive(atoms: Sequence[Any], start: Atoms, actions: Sequence[Action]) -> list[Group]:
    """Return disjoint groups that save bits; an atom in none of them gets a bit of its own.

    atoms    all that can occur, in the order in which they shall be numbered
    start    those of the start
    actions  all ground rules

    Of the candidates that hold, the one that saves most comes first, then what the others save in
    addition.
    """
    return _cover(_Invariants(atoms, start, actions).found())


def _cover(candidates: list[list[Group]]) -> list[Group]:
    chosen: list[Group] = []
    covered: set[Any] = set()
    while True:
        left = [
            [one for group in groups if (one := group.without(covered)).saved > 0]
            for groups in candidates
        ]
        best = max(left, key=lambda groups: sum(one.saved for one in groups), default=[])
        if not best:
            return chosen
        chosen += best
        covered |= {atom for group in best for atom in group.atoms}


class _Invariants:
    """Tries candidates; remembers which atoms are known to exclude each other.

    Atoms and actions are told apart by numbers here: a candidate is a pass over all of them.
    """

    def __init__(self, atoms: Sequence[Any], start: Atoms, actions: Sequence[Action]) -> None:
        self.atoms, self.start, self.actions = atoms, start, actions
        number = {atom: at for at, atom in enumerate(atoms)}
        self.begun = [number[atom] for atom in start if atom in number]
        self.puts = [sorted([number[atom] for atom in one.put]) for one in actions]
        self.takes = [sorted([number[atom] for atom in one.take]) for one in actions]
        self.term_types = [term_type_of(atom) for atom in atoms]
        self.arguments = [_arguments(atom) for atom in atoms]
        self.groups_of: dict[Any, list[Atoms]] = {atom: [] for atom in atoms}
        self.found_groups = 0
        self._tried: dict[Any, tuple[list[Group], list[tuple[int, int]]]] = {}
        self.work = 0

    def found(self) -> list[list[Group]]:
        """Return the groups of each candidate that hold.

        There are two rounds: a rule may be harmless because of groups that were found in the first.
        """
        found: dict[Candidate, list[Group]] = {}
        for _ in range(2):
            queue, at = dict.fromkeys(self._first()), 0
            while at < min(len(queue), MOST_CANDIDATES) and self.work < MOST_WORK:
                candidate = [*queue][at]
                at += 1
                groups, more = self._check(candidate)
                queue |= dict.fromkeys(more)
                for group in groups:
                    for atom in group.atoms:
                        if (one := frozenset(group.atoms)) not in self.groups_of[atom]:
                            self.groups_of[atom].append(one)
                            self.found_groups += 1
                found[candidate] = groups
        return [groups for groups in found.values() if groups]

    def _first(self) -> Iterator[Candidate]:
        """Yield a candidate for each constructor and key, the shortest keys first."""
        term_types = {
            term_type: len(arguments)
            for term_type, arguments in zip(self.term_types, self.arguments, strict=True)
        }
        known = sorted(term_types, key=term_type_key)
        for length in range(MOST_KEYS + 1):
            for term_type in known:
                if term_types[term_type] <= MOST_KEYS:
                    for key in combinations(range(term_types[term_type]), length):
                        yield ((term_type, key),)

    def _check(self, candidate: Candidate) -> tuple[list[Group], list[Candidate]]:
        """Return the groups of a candidate that hold, and refinements where others do not."""
        tick((len(self.atoms) + len(self.actions)) // 4)
        self.work += len(self.atoms) + len(self.actions)
        keys, groups = self._split(dict(candidate))
        # several keys split atoms in the same way: where one part of a key says all that others say
        alike = self.found_groups, tuple(keys)
        known = self._tried.get(alike)
        if known is None:
            known = self._tried[alike] = self._tested(keys, groups)
        held, failed = known
        refined: dict[Candidate, None] = {}
        for key, at in failed:
            first = groups[key][0]
            places, arguments = dict(candidate)[term_type_of(first)], _arguments(first)
            value = tuple([arguments[place] for place in places])
            refined |= dict.fromkeys(_refined(candidate, value, self.actions[at]))
        return held, [*refined]

    def _tested(
        self, keys: list[int], groups: list[list[Any]]
    ) -> tuple[list[Group], list[tuple[int, int]]]:
        """Return the groups that hold, and for each other one the first action that adds to it."""
        weights = Counter(keys[atom] for atom in self.begun)
        bad = {key for key, weight in weights.items() if weight > 1 and key != NO_GROUP}
        failed: list[tuple[int, int]] = []
        for at, puts in enumerate(self.puts):
            if len(bad) == len(groups):
                break
            put = [keys[atom] for atom in puts]
            taken = [keys[atom] for atom in self.takes[at]]
            if put == taken:
                continue
            for key in dict.fromkeys(put):
                if key == NO_GROUP or key in bad:
                    continue
                number = put.count(key)
                if number <= taken.count(key):
                    continue
                if number == 1 and self._never_beside(self.actions[at], groups[key]):
                    continue
                bad.add(key)
                failed.append((key, at))
        held = [
            Group(tuple(members), bool(weights[key]) and self._stays(members))
            for key, members in enumerate(groups)
            if key not in bad and len(members) > 1
        ]
        return held, failed

    def _split(self, positions: dict[Any, tuple[int, ...]]) -> tuple[list[int], list[list[Any]]]:
        """Return the number of each atom's group, and the members of each group."""
        numbers: dict[Any, int] = {}
        groups: list[list[Any]] = []
        keys = []
        for atom, term_type, arguments in zip(
            self.atoms, self.term_types, self.arguments, strict=True
        ):
            places = positions.get(term_type)
            if places is None:
                keys.append(NO_GROUP)
                continue
            number = numbers.setdefault(tuple([arguments[at] for at in places]), len(groups))
            if number == len(groups):
                groups.append([])
            groups[number].append(atom)
            keys.append(number)
        return keys, groups

    def _never_beside(self, action: Action, members: list[Any]) -> bool:
        """Whether no member holds in any state in which the action applies."""
        demanded = action.demanded
        return all(
            atom in action.absent
            or any((group & demanded) - {atom} for group in self.groups_of[atom])
            for atom in members
        ) or self._impossible(action)

    def _impossible(self, action: Action) -> bool:
        """Whether the action demands two atoms that exclude each other."""
        return any(
            len(group & action.demanded) > 1
            for atom in action.demanded
            for group in self.groups_of[atom]
        )

    def _stays(self, members: list[Any]) -> bool:
        """Whether no action takes a member without putting one."""
        inside = frozenset(members)
        return all(action.put & inside for action in self.actions if action.take & inside)


def _refined(candidate: Candidate, key: Any, action: Action) -> Iterator[Candidate]:
    """Yield the candidate with a constructor more that the action takes with the same key."""
    known = {term_type for term_type, _ in candidate}
    for atom in sorted(action.take, key=key_of):
        term_type, arguments = term_type_of(atom), _arguments(atom)
        if term_type in known or len(arguments) > MOST_KEYS:
            continue
        for positions in permutations(range(len(arguments)), len(key)):
            if tuple([arguments[at] for at in positions]) == key:
                yield (*candidate, (term_type, positions))


def _arguments(atom: Any) -> tuple[Any, ...]:
    return atom[1:] if isinstance(term_type_of(atom), Ctor) else (atom,)

"""Effects of rules, grounded as rules of their own that wait for a step of their rule.

`rule(…, effects=[effect(take=[On(X)], put=[Off(X)], keep=[By(X, P)])])` becomes a rule that also
puts `Fired(number, P)`, and a rule that keeps that and does what the effect does: so atoms,
invariants and instances are found as for all rules. Then what each instance of the second does is
attached to the changes of the instance of the first, as `Conditional`s. (A planner's conditional
effects, without a rule for each set of them that may hold: two to the power of their number.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from attrs import evolve, frozen

from rewrite.compile.interning import Ctor, constructor, term_type_of
from rewrite.compile.slots.changes import Change, Conditional
from rewrite.compile.slots.grounding import Grounder
from rewrite.compile.slots.instances import RuleInstances
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.slots.prepared import GroundRule, Instance
from rewrite.language.patterns import mentioned
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule

WAITS = "effect"
"""The place of `Fired` in prepared rules, of which nothing is left in states."""


class Clash(Unsuitable):
    """With slots it cannot be told what effects do together; a bit for each atom tells most of it.

    Two that may happen at once put different terms where only one can be, or what one puts depends
    on what a slot holds.
    """

    def __init__(self) -> None:
        super().__init__("what effects do together depends on more than which terms there are")


@frozen(eq=False)
class Unfolded:
    """A puzzle whose rules have no effects; those of `simplify` are followed by rules for them.

    waiting   for the number of a rule with effects, the numbers of theirs
    """

    puzzle: Puzzle
    waiting: dict[int, list[int]]

    @classmethod
    def of(cls, puzzle: Puzzle) -> Unfolded:
        if not any(rule.effects for rule in puzzle.rules):
            return cls(puzzle, {})
        rules, more, waiting = list[Rule](), list[Rule](), dict[int, list[int]]()
        first = len(puzzle.rules) + len(puzzle.simplify)
        for number, rule in enumerate(puzzle.rules):
            rules.append(rule)
            if not rule.effects:
                continue
            within = mentioned(rule.effects)
            used = [variable for variable in rule.bound if variable in within]
            fired: Any = constructor("Fired", 1 + len(used))
            rules[-1] = evolve(rule, put=(*rule.put, fired(number, *used)), effects=())
            waiting[number] = [*range(first + len(more), first + len(more) + len(rule.effects))]
            more += [
                evolve(
                    rule, label=rule.name, literal=True, take=one.take, put=one.put,
                    keep=(fired(number, *used), *one.keep), when=one.where.when,
                    absent=one.where.absent, let=(), cost=1, effects=(),
                ) for one in rule.effects
            ]  # fmt: skip
        return cls(puzzle.replace(rules=rules, simplify=(*puzzle.simplify, *more)), waiting)

    def settle(self, grounder: Grounder, atoms: list[Any]) -> list[Any]:
        """Take `Fired` out of the rules; return the atoms without it."""
        fired = set[Any]()
        for number, waiting in self.waiting.items():
            fired.add(Ctor.of(type(grounder.rules[number].rule.put[-1])))
            _settle(grounder.rules, number, "put", -1)
            for one in waiting:
                _settle(grounder.rules, one, "keep", 0)
        return [one for one in atoms if term_type_of(one) not in fired] if fired else atoms

    def changes(
        self, number: int, grounder: Grounder, layout: SlotLayout, instances: list[list[Instance]]
    ) -> list[Change]:
        """Return the changes of a rule with effects, without duplicates. Raises Clash."""
        joined = _Joined(layout)
        effects: dict[Any, list[Conditional]] = {}
        for one in self.waiting[number]:
            for instance, change in joined.grounded(grounder, one, instances[one]):
                effects.setdefault(instance.keep[0], []).append(joined.effect(change))
        return list(dict.fromkeys([
            joined.change(change, effects.get(instance.put[-1], []))
            for instance, change in joined.grounded(grounder, number, instances[number])
        ]))  # fmt: skip


def _settle(rules: list[GroundRule], number: int, part: str, at: int) -> None:
    held = [*rules[number].places[part]]
    held[at] = WAITS
    rules[number] = evolve(rules[number], places=rules[number].places | {part: tuple(held)})


class _Joined:
    def __init__(self, layout: SlotLayout) -> None:
        self.layout = layout
        self.fields = {mask & -mask: mask for mask in layout.masks}

    def grounded(
        self, grounder: Grounder, number: int, instances: list[Instance]
    ) -> Iterator[tuple[Instance, Change]]:
        """Yield the changes of a rule's instances, which clear and fill: also what they put and
        what is there already, for others may take that.
        """
        prepared = grounder.rules[number]
        together = RuleInstances(prepared, self.layout, grounder)
        put = [(at, kind) for at, kind in enumerate(prepared.places["put"]) if kind != WAITS]
        for instance, changes in zip(
            instances, together.parted([[one] for one in instances]), strict=True
        ):
            masks = 0
            for at, kind in put:
                if kind == "atom":
                    masks |= self.layout.atoms[instance.put[at]].mask
                else:
                    slots = together.reads.slots(prepared.rule.put[at])
                    masks |= slots.mask_at(slots.offsets[instance.put[at][0]])
            for change in changes:
                yield instance, self._opened(change, masks)

    def _opened(self, change: Change, put: int) -> Change:
        if change.lookups:
            raise Clash
        clear, fill = change.clear, change.fill
        for mask, value in change.tests:
            flips = change.flip is not None and mask & change.flip
            if flips or mask & put & ~clear:
                clear |= mask
                fill |= (value ^ (change.flip or 0)) & mask
        stays = tuple([(mask, 0) for mask in self._parts(put & ~clear)])  # whatever that is
        copies = (*change.copies, *stays)
        return evolve(change, flip=None, clear=clear | put, fill=fill, copies=copies)

    def effect(self, change: Change) -> Conditional:
        if change.copies or change.maps:
            raise Clash
        return Conditional(change.tests, change.misses, change.clear, change.fill)

    def change(self, change: Change, effects: list[Conditional]) -> Change:
        clear, fill, moved = change.clear, change.fill, self._moved(change)
        given = [one for one in (self._after(change, effect) for effect in effects) if one]
        for one in given:
            if not one.tests and not one.misses:
                self._beside(clear & ~moved, fill, one, moved)
                clear, fill = clear | one.clear, fill | one.fill
            elif one.plain and one.tests[0][0] in self.layout.choices and self._alone(one.clear):
                clear |= one.clear  # whether it is there or not
        some = []
        for one in given:
            if one.tests or one.misses:
                one = self._beside(clear, fill, one, moved)
                if one.clear or one.fill:
                    some.append(one)
        self._check(some)
        return evolve(change, flip=None, clear=clear, fill=fill, effects=tuple(some))

    def _moved(self, change: Change) -> int:
        """Return the fields that get what others hold."""
        found = 0
        for mask, shift in change.copies:
            found |= mask << shift if shift > 0 else mask >> -shift
        for _, bits, target, _ in change.maps:
            found |= self.fields[1 << target] if bits else 0
        return found

    def _after(self, change: Change, effect: Conditional) -> Conditional | None:
        """Return an effect, given that its rule applies; None if it never happens."""
        known, never = dict(change.tests), {*change.misses}
        tests, misses = [], []
        for pair in effect.tests:
            if known.get(pair[0], pair[1]) != pair[1] or pair in never:
                return None
            if pair[0] not in known:
                tests.append(pair)
        for pair in effect.misses:
            if known.get(pair[0]) == pair[1]:
                return None
            if pair[0] not in known and pair not in never:
                misses.append(pair)
        return evolve(effect, tests=tuple(tests), misses=tuple(misses))

    def _alone(self, mask: int) -> bool:
        choice = self.layout.choices.get(mask)
        return choice is not None and not choice.shared

    def _puts(self, mask: int, fill: int) -> bool:
        """Whether to fill a field puts something there, and does not only take what was there."""
        choice = self.layout.choices.get(mask)
        return choice is None or not choice.optional or bool(fill & mask)

    def _parts(self, clear: int) -> Iterator[int]:
        while clear:
            mask = self.fields[clear & -clear]
            clear &= ~mask
            yield mask

    def _beside(self, clear: int, fill: int, effect: Conditional, moved: int) -> Conditional:
        """Return what an effect does besides clearing and filling these: what is put stays."""
        own_clear, own_fill = effect.clear, effect.fill
        for mask in self._parts(effect.clear):
            if mask & moved:
                raise Clash
            if not mask & clear or not self._puts(mask, fill):
                continue
            differs = effect.fill & mask != fill & mask
            if not self._alone(mask) and differs and self._puts(mask, effect.fill):
                raise Clash
            own_clear, own_fill = own_clear & ~mask, own_fill & ~mask
        return evolve(effect, clear=own_clear, fill=own_fill)

    def _check(self, effects: list[Conditional]) -> None:
        by_field: dict[int, list[Conditional]] = {}
        for one in effects:
            for mask in self._parts(one.clear):
                if not self._alone(mask) and self._puts(mask, one.fill):
                    by_field.setdefault(mask, []).append(one)
        for mask, some in by_field.items():
            for one, other in combinations(some, 2):
                if one.fill & mask != other.fill & mask and not _exclude(one, other):
                    raise Clash


def _exclude(one: Conditional, other: Conditional) -> bool:
    """Whether two effects never happen together."""
    known = dict(one.tests)
    return (
        any(known.get(mask, value) != value for mask, value in other.tests)
        or not {*one.tests}.isdisjoint(other.misses)
        or not {*one.misses}.isdisjoint(other.tests)
    )

"""Domains: the values that slots can come to hold, and so the bits they need.

By relaxed reachability, as planners do (Hoffmann and Nebel, The FF planning system, JAIR 2001):
each slot by itself collects what rules may put into it, given what the slots that they read may
hold; what is never taken away again can only be too much. Where this ends soon, the values have
their numbers when the search begins; else they get them as they come up.

A value that a rule computes is found by running what is left of the rule once it is ground: an
engine does that and is handed in, as the join is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from attrs import define, evolve, field, frozen

from rewrite.budget import BETWEEN_LOOKS, tick, ticking
from rewrite.compile.interning import BAG, key_of
from rewrite.compile.reason import Reason
from rewrite.compile.rule_properties import calls_python, takes_power
from rewrite.compile.slots.grounding import Grounder
from rewrite.compile.slots.keys import Identity
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.slots.parts import Part, Separated, separated
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language.patterns import computes, mentioned
from rewrite.language.states import State

MOST_WORK, FIRST_WORK, WORK_PER_INSTANCE = 20_000, 500, 120
"""Runs of ground rules or parts of them: at most 500, and 120 for each instance and each part. A
run takes about 1 µs, all else about an instance 0.3 ms or more: where this is spent in vain,
building takes 1 ms longer for the 6 instances of Hanoi, and never more than some 20 ms. Lamps of
5×5 need 20 runs an instance, of three colours 131; jugs of 9, 13 and 17 need 95."""
RUNS_A_CALL = 10
"""A run that calls a user function counts as so many."""
MOST_VALUES = 255
"""Values of a family; with more, little is saved over the bits of slots that are open."""
FEW_VALUES = 16
"""Values of a slot that are tried before it is asked whether a rule only counts through them."""
BOUND = "bound what rules compute, e.g. when=between(0, N, 99)"
TOO_MANY = Reason(f"there are more than {MOST_VALUES}", BOUND)
SMALLER = "keep each part in a term of its own"
MOST_PARTS, MOST_DIGITS = 32, 64
"""Parts of a value, and letters or bits of a part: beyond, a single run could take long."""

USUAL, FEWEST = 0.75, 8
"""The share of the slots of a family that hold a usual value, and the fewest of them: few are read
as fast in any order, and puzzles that differ in them share what was compiled."""

Value = tuple[Any, ...]
Slot = tuple[Identity, tuple[Any, ...]]
Puts = Callable[..., Sequence[tuple[Any, Sequence[Value]]]]
"""Given the values of the slots that an instance takes and keeps, returns (cost, values of the
slots it puts) for each way in which it applies; of what must be absent nothing is there."""
Rest = Callable[[GroundRule, SlotLayout], Callable[[tuple[Any, ...]], Puts]]
"""Given a rule, returns the function from the values of ground variables to an instance's Puts."""


class _TooMuch(Exception):
    """No work is left."""


@define
class _Held:
    """What one slot can hold, in the order found, and the slots that get copies of it."""

    identity: Identity
    values: list[Value] = field(factory=list)
    known: set[Value] = field(factory=set)
    copies: list[_Held] = field(factory=list)


@frozen
class _Shape:
    """The slots in the patterns of a rule: (part of it, place in that, family) each.

    only    whether each one read is known altogether
    source  for each one put: the one read that it copies, None where it is known, -1: computed
    parts   the rule in parts, if it can be run so; it is run as a whole else
    """

    reads: tuple[tuple[str, int, Identity], ...]
    only: tuple[bool, ...]
    puts: tuple[tuple[int, Identity], ...]
    source: tuple[int | None, ...]
    parts: Separated | None

    def runs(self) -> Iterator[tuple[list[int], list[int], Part | None]]:
        """Yield what must be run to know what the rule puts: which slots are read and put."""
        if self.parts is None:
            if -1 in self.source:
                yield [*range(len(self.reads))], [*range(len(self.puts))], None
            return
        for read, part in enumerate(self.parts.parts):
            puts = [at for at, one in enumerate(self.parts.sources) if one and one[0] == read]
            if part is not None and any(self.source[at] == -1 for at in puts):
                yield [read], puts, part

    @property
    def made(self) -> set[Identity]:
        """The families of which values are computed."""
        return {one for (_, one), at in zip(self.puts, self.source, strict=True) if at == -1}


@define
class _Job:
    """An instance, or a part of one, that must be run: what it reads, (slot, its only value or
    None), and writes.
    """

    rule: int
    ground: tuple[Any, ...]
    part: Part | None
    reads: list[tuple[_Held, Value | None]]
    puts: list[_Held]
    done: list[int]
    """How many values of each slot that is read were tried."""


def number_values(
    start: State, layout: SlotLayout, grounder: Grounder, instances: list[list[Any]], rest: Rest
) -> None:
    """Give the values that are known now their numbers; narrow the slots that get no others."""
    begun = {identity: Counter[Value]() for identity in layout.slots}
    for term in start:
        family = layout.found.family(term)
        if family is not None:
            value = family.encoded(term)[1]
            begun[term.term_identity()][value] += 1
            layout.slots[term.term_identity()].number(value)
    shapes = [_shape(prepared, layout) for prepared in grounder.rules]
    for shape, ground in zip(shapes, instances, strict=True):
        for (place, identity), source in zip(shape.puts, shape.source, strict=True):
            if source is None:
                for instance in ground:
                    layout.slots[identity].number(instance.put[place][1])
    computed_ = set[Identity]().union(*[shape.made for shape in shapes])
    if computed_:
        reached = _Reached(start, layout, grounder.rules, shapes, instances, rest)
        reached.run()
        computed_ = {one for one in computed_ if one in reached.open}
        for identity in computed_:
            layout.slots[identity].open_for = reached.open[identity]
        for identity, slots in layout.slots.items():
            if identity not in computed_:
                for value in sorted(reached.values(identity) - slots.numbers.keys(), key=key_of):
                    slots.number(value)
    layout.narrow({*layout.slots} - computed_)
    for identity, slots in layout.slots.items():
        held = begun[identity]
        if (usual := usual_value(held)) is not None:
            slots.usual = slots.number(usual)
        if slots.closed and layout.exchanges(identity):
            slots.unique = frozenset([slots.number(one) for one in held if held[one] == 1])


def usual_value(held: Counter[Value]) -> Value | None:
    """Return what nearly all slots of a large family hold in the start, such as "empty"."""
    [(value, often)] = held.most_common(1) or [((), 0)]
    return value if often >= max(FEWEST, USUAL * held.total()) else None


def _shape(prepared: GroundRule, layout: SlotLayout) -> _Shape:
    rule, known = prepared.rule, set(prepared.ground)
    reads, only, names = [], [], []
    for part, patterns in (("take", rule.take), ("keep", rule.keep)):
        for place, pattern in enumerate(patterns):
            if (family := layout.found.family(pattern)) is not None:
                values = family.values_of(pattern)
                reads.append((part, place, pattern.term_identity()))
                only.append(prepared.knows(values))
                names.append(repr((pattern.term_identity(), values)))
    puts, source = [], list[int | None]()
    for place, pattern in enumerate(rule.put):
        if (family := layout.found.family(pattern)) is not None:
            values = family.values_of(pattern)
            puts.append((place, pattern.term_identity()))
            name = repr((pattern.term_identity(), values))
            if set(mentioned(values)) <= known:
                source.append(None)
            elif name in names and not computes(values):
                source.append(names.index(name))
            else:
                source.append(-1)
    parts = separated(prepared, layout.found) if -1 in source else None
    layout.parts[prepared] = parts
    return _Shape(tuple(reads), tuple(only), tuple(puts), tuple(source), parts)


class _Reached:
    """Collects what slots can hold; a family is `open` where that does not end soon."""

    def __init__(
        self, start: State, layout: SlotLayout, rules: Sequence[GroundRule],
        shapes: list[_Shape], instances: list[list[Any]], rest: Rest,
    ) -> None:  # fmt: skip
        self.layout, self.rules, self.shapes, self.rest = layout, rules, shapes, rest
        self.open: dict[Identity, Reason] = {}
        self.inherited: set[Identity] = set()
        self.left = FIRST_WORK
        self.start, self.instances = start, instances
        self.held: dict[Slot, _Held] = {
            (identity, key): _Held(identity)
            for identity, slots in layout.slots.items()
            for key in slots.offsets
        }
        self.puts: dict[int, Callable[[tuple[Any, ...]], Puts]] = {}
        self.runs = [1] * len(rules)
        """As how many one run of each rule counts."""

    def run(self) -> None:
        """Go on to the fixed point; what it would take too much work to know is open."""
        try:
            jobs = self._jobs()
            size = len(jobs) + sum(map(len, self.instances))
            self.left = min(MOST_WORK, FIRST_WORK + WORK_PER_INSTANCE * size)
            for number in dict.fromkeys(job.rule for job in jobs if job.part is None):
                self._prepare(number)
            more = True
            while more:
                self._settle()
                more = False
                for job in jobs:
                    if not self.shapes[job.rule].made <= self.open.keys():
                        more |= self._try(job)
        except _TooMuch:
            self._open(self.layout.slots.keys(), Reason("finding them takes too long", BOUND))

    def _open(self, families: Iterable[Identity], why: Reason) -> None:
        """Note that nobody knows beforehand what these come to hold; the first reason counts."""
        for identity in families:
            self.open.setdefault(identity, why)

    def _settle(self) -> None:
        """Open what is computed from what is open."""
        before = -1
        while before < len(self.open):
            before = len(self.open)
            for shape in self.shapes:
                for (_, _, identity), only in zip(shape.reads, shape.only, strict=True):
                    made = shape.made - self.open.keys()
                    if made and identity in self.open and not only:
                        self._open(made, self._passed_on(identity))
                        self.inherited |= made

    def _passed_on(self, identity: Identity) -> Reason:
        """Return the reason for what is computed beside these: it names the first ones."""
        why = self.open[identity]
        if identity in self.inherited:
            return why
        name = self._name(identity)
        return evolve(why, what=f"they are found together with those of {name}: {why.what}")

    def _name(self, identity: Identity) -> str:
        return self.layout.slots[identity].family.constructor.__name__

    def values(self, identity: Identity) -> set[Value]:
        return {v for (one, _), held in self.held.items() if one == identity for v in held.values}

    def _jobs(self) -> list[_Job]:
        """Return the instances to run; what is known without is collected now."""
        jobs, known = [], list[tuple[_Held, Value]]()
        for term in self.start:
            if (family := self.layout.found.family(term)) is not None:
                key, value = family.encoded(term)
                known.append((self.held[term.term_identity(), key], value))
        for number, (shape, instances) in enumerate(zip(self.shapes, self.instances, strict=True)):
            for instance in instances:
                reads = [
                    (self.held[identity, shown[place][0]], shown[place][1] if only else None)
                    for (part, place, identity), only in zip(shape.reads, shape.only, strict=True)
                    for shown in [getattr(instance, part)]
                ]
                puts = [self.held[one, instance.put[place][0]] for place, one in shape.puts]
                for read, put, part in shape.runs():
                    job = _Job(number, instance.ground, part, [reads[at] for at in read],
                               [puts[at] for at in put], [0] * len(read))  # fmt: skip
                    jobs.append(job)
                for (place, _), source, held in zip(shape.puts, shape.source, puts, strict=True):
                    if source is None:
                        known.append((held, instance.put[place][1]))
                    elif source >= 0 and held is not reads[source][0]:
                        reads[source][0].copies.append(held)
        for held, value in known:
            self._add(held, value)
        return jobs

    def _prepare(self, number: int) -> None:
        """Have the residual of a rule written, unless it must not run."""
        prepared, rule = self.rules[number], self.rules[number].rule
        made = self.shapes[number].made
        computed = (rule.take, rule.keep, rule.put, rule.when, rule.let, rule.cost)
        if takes_power(computed):
            self._open(made, Reason(
                f"rule {rule.name!r} takes a power",
                "write what it computes as facts that keep= looks up", rule.name,
            ))  # fmt: skip
            return
        if calls_python(computed):
            self.runs[number] = RUNS_A_CALL
        try:
            self.puts[number] = self.rest(prepared, self.layout)
        except Exception:  # left to the search, which fails only if it gets there
            self._open(made, self._fails(number))

    def _fails(self, number: int) -> Reason:
        name = self.rules[number].rule.name
        return Reason(
            f"rule {name!r} fails on some of them", "restrict it with when=, or the kinds of its "
            "variables", name,
        )  # fmt: skip

    def _try(self, job: _Job) -> bool:
        """Run an instance on what was not tried; return whether there was anything."""
        lists = [
            held.values
            if only is None
            else [only] * (only in held.known or held.identity in self.open)
            for held, only in job.reads
        ]
        sizes, done = [*map(len, lists)], job.done
        if sizes == done:
            return False
        runs = (prod(sizes) - prod(done)) * self.runs[job.rule]
        if runs > self.left:
            name = self.rules[job.rule].rule.name
            most = max((held for held, _ in job.reads), key=lambda held: len(held.values))
            many = f"{len(most.values)} of {self._name(most.identity)}"
            why = Reason(f"rule {name!r} combines too many of them, e.g. {many}", BOUND, name)
            self._open(self.shapes[job.rule].made, why)
            return True
        self._spend(runs)
        job.done, puts = sizes, self._puts(job)
        lists = [values[:size] for values, size in zip(lists, sizes, strict=True)]
        try:
            if job.part and done[0] < FEW_VALUES <= sizes[0]:
                [(held, _)] = job.reads
                own = [at for at, put in enumerate(job.puts) if put is held]
                if any(job.part.counts(job.ground, held.values, at, MOST_VALUES) for at in own):
                    self._open([held.identity], TOO_MANY)
                    return True
            for first, old in enumerate(done):
                before = [values[:tried] for values, tried in zip(lists, done, strict=True)][:first]
                given = product(*before, lists[first][old:], *lists[first + 1 :])
                calls = self.runs[job.rule] > 1  # each may take any time
                for values in ticking(given, BETWEEN_LOOKS) if calls else given:
                    self._note(job, puts(*values))
        except _TooMuch:
            raise
        except Exception:  # as above
            self._open(self.shapes[job.rule].made, self._fails(job.rule))
        return True

    def _puts(self, job: _Job) -> Puts:
        part, ground = job.part, job.ground
        if part is None:
            return self.puts[job.rule](ground)

        def puts(value: Value) -> Sequence[tuple[Any, Sequence[Value]]]:
            found = part.result(ground, value)
            return [] if found is None else [(0, found)]

        return puts

    def _note(self, job: _Job, found: Sequence[tuple[Any, Sequence[Value]]]) -> None:
        if len(found) > 1:
            self._spend(len(found) - 1)
        for _, values in found:
            for held, value in zip(job.puts, values, strict=True):
                if value not in held.known:
                    self._add(held, value)

    def _spend(self, work: int) -> None:
        tick(work)
        self.left -= work
        if self.left < 0:
            raise _TooMuch

    def _add(self, held: _Held, value: Value) -> None:
        """Note that a slot can hold a value, and the slots that get copies of it too."""
        waiting = [held]
        while waiting:
            held = waiting.pop()
            if value in held.known or held.identity in self.open:
                continue
            held.known.add(value)
            held.values.append(value)
            if len(held.values) > MOST_VALUES:
                self._open([held.identity], TOO_MANY)
            elif _is_large(value):
                self._open([held.identity], Reason("some are large, or bags", SMALLER))
            tick(len(held.copies))
            waiting += held.copies


def _is_large(value: Any) -> bool:
    """Whether a value has too many parts, or too large ones, or bags: these match in many ways."""
    parts, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        parts += 1
        if part.__class__ is tuple:
            waiting += part
        large = part.__class__ is int and part.bit_length() > MOST_DIGITS
        if large or (part.__class__ is str and len(part) > MOST_DIGITS):
            return True
        if part is BAG or parts + len(waiting) > MOST_PARTS:
            return True
    return False

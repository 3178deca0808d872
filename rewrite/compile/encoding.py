"""Compiled puzzles, with their encoding of states; cached for later searches of the same rules.

What is compiled is plain data and code; what a search changes (counts, numbers of open values,
tables that fill) belongs to an engine. Which searches share a compiled puzzle:

exact   the same rules, facts and start: everything is the same, to the digit
shared  the same rules and facts, and a start of the same *form*: the same static terms, keys and
        atoms. Then ground rules and the order in which they are tried are the same. The numbers
        that values have are not, so nothing that goes by them (symmetry, heuristics from the rules,
        goal states) may share.

A multiset's code depends on which groups there are and on how large they are in the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import prod
from threading import Lock
from typing import Any, TypeVar

from attrs import define, evolve, field

from rewrite.compile.capacity import Capacity
from rewrite.compile.code.puzzle_code import MultisetCode, Residuals, SlotCode
from rewrite.compile.interning import Ctor, TermType, encode, term_type_key, term_type_of
from rewrite.compile.program import MultisetProgram, SlotProgram, compile_multiset, compile_slots
from rewrite.compile.reason import Reason, joined
from rewrite.compile.slots.changes import Change
from rewrite.compile.slots.domains import Rest, usual_value
from rewrite.compile.slots.effects import Unfolded
from rewrite.compile.slots.keys import Findings, Rules, Unsuitable, all_rules, find, without_counts
from rewrite.compile.slots.layout import SlotLayout
from rewrite.compile.task import Task
from rewrite.language.cache import Cache
from rewrite.language.order import term_key

V = TypeVar("V")
MOST_KEPT = 64
"""Compiled puzzles of each kind; those of large boards take some megabytes each."""
MOST_CODES = 8
"""Goals and values of one compiled puzzle for which code is cached."""
MOST_BITS = 64
TOO_MANY_VALUES = Reason(
    "a slot would hold too many values", "bound what the rules compute, e.g. when=N < 1000"
)
NO_EFFECTS = Reason("a rule with effects= meets a term that no rule puts")
FEW_STATES = 1_000_000
"""Where values allow no more states, a search never chooses to begin at both ends."""


def _sought(codes: Cache[Any, V], task: Task, make: Callable[[], V]) -> V:
    """Return the code for the goal and the values of a task."""
    for one in task.puzzle.classes | task.asked[-1]:
        Ctor.of(one)  # it may have been declared again since, and then again be the one meant
    return codes.made(task.asked, (task.goal, task.values), make)


def compiled(
    task: Task, capacity: Capacity, rest: Callable[[Residuals], Rest]
) -> CompiledSlots | CompiledMultiset | Reason:
    """Return what a task is compiled to: slots and bits if their capacity suffices, else multisets.

    Or a reason why it is not compiled, so that the definition itself is run.

    rest   from the residuals of rules to the values that these put into slots
    """
    if capacity.definition:
        return capacity.definition[0]
    reasons = [*capacity.multiset]
    if capacity.bits > MOST_BITS:
        reasons.append(TOO_MANY_VALUES)
    found = None if reasons or capacity.term_types else slots(task, capacity.bits, rest)
    if isinstance(found, CompiledSlots):
        return found
    why = joined(reasons) if reasons else found or _unsuitable(task)
    if any(rule.effects for rule in task.puzzle.rules):
        return why or NO_EFFECTS
    return multiset(task, capacity.term_types, why)


def _unsuitable(task: Task) -> Reason | None:
    """Return why the task's states are multisets, if that is cheap to tell.

    The search needed groups of further types; the task is compiled again only to add them.
    """
    try:
        find(Unfolded.of(task.puzzle).puzzle, task.start)
    except Unsuitable as why:
        return why.reason
    return None


# -- multisets -------------------------------------------------------------------------------
@define(eq=False)
class CompiledMultiset:
    """A program over a multiset in groups; `why` not over slots, where that is known."""

    program: MultisetProgram
    why: Reason | None = None
    _codes: Cache[Any, MultisetCode] = field(factory=lambda: Cache(MOST_CODES))
    on_trial: list[int] = field(factory=list)
    """See `multisets.trial`; empty before that is asked."""

    def code(self, task: Task) -> MultisetCode:
        program = self.program
        make = partial(MultisetCode, program, program.puzzle.rules, task)
        return _sought(self._codes, task, make)


_MULTISETS: Cache[Any, CompiledMultiset] = Cache(MOST_KEPT)


def multiset(
    task: Task, more: frozenset[TermType] = frozenset(), why: Reason | None = None
) -> CompiledMultiset:
    """Return the compiled puzzle over groups; `more` are types that start and rules do not show."""
    puzzle, start = task.puzzle, task.start
    sizes = Counter(term_type_of(encode(one)) for one in start.items)
    held = tuple(sorted(sizes.items(), key=lambda one: term_type_key(one[0])))
    key = (puzzle.definition, held, start.classes, start.kinds, more)

    def make() -> CompiledMultiset:
        return CompiledMultiset(compile_multiset(puzzle, start, more))

    return evolve(make() if task.alone else _MULTISETS.made(key, task, make), why=why)


# -- slots -----------------------------------------------------------------------------------
@define(eq=False)
class CompiledSlots:
    """A program over slots and bits.

    residuals   the code of its residual rules
    changes     the ground rules, each with the number of its rule
    begun       the values that the slots of each family hold in the start it was compiled for
    """

    program: SlotProgram
    residuals: Residuals
    changes: list[tuple[int, Change]]
    begun: dict[Any, frozenset[Any]]
    _codes: Cache[Any, SlotCode] = field(factory=lambda: Cache(MOST_CODES))
    _known: dict[str, Any] = field(factory=dict)
    _lock: Any = field(factory=Lock)

    def code(self, task: Task) -> SlotCode:
        return _sought(self._codes, task, lambda: self._made(task))

    def known(self, what: str, make: Callable[[], V]) -> V:
        """Return what follows from the program alone, by name; found out once."""
        if what not in self._known:
            self._known[what] = make()
        found: V = self._known[what]
        return found

    def layout(self, task: Task) -> SlotLayout:
        """Return the layout for one search of a task, with numbers of its own for open values.

        A goal may give numbers to values, which all threads that share the program must see alike.
        """
        with self._lock:
            _ = self.code(task)
            return self.program.layout.apart()

    def _made(self, task: Task) -> SlotCode:
        made = SlotCode(self.program, self.changes, self.residuals, task)
        if self.is_open:  # now, because a condition may give numbers to values
            _ = made.goal, made.forbidden, made.values
        return made

    @property
    def is_open(self) -> bool:
        """Whether values get numbers while it is used."""
        return any(not slots.closed for slots in self.program.layout.slots.values())

    def serves(self, begun: dict[Any, frozenset[Any]]) -> bool:
        """Whether a start of the same form, whose slots hold these values, may share it.

        Other values than it was compiled for could come to fewer values than it allows for; that
        makes no difference where even these allow few states only.
        """
        if begun == self.begun:
            return True
        slots = self.program.layout.slots
        known = all(
            not slots[one].closed or values <= slots[one].numbers.keys()
            for one, values in begun.items()
        )
        return known and self.has_few_states()

    def has_few_states(self) -> bool:
        """Whether values allow few states, or are not known."""
        layout = self.program.layout
        held = prod(len(one.values) ** len(one.offsets) for one in layout.slots.values())
        atoms = prod(len(choice.atoms) for choice in layout.choices.values())
        return self.is_open or held * atoms <= FEW_STATES


_EXACT: Cache[Any, CompiledSlots | Reason] = Cache(MOST_KEPT)
_FORMS: Cache[Any, CompiledSlots | Reason] = Cache(MOST_KEPT)


def slots(task: Task, bits: int, rest: Callable[[Residuals], Rest]) -> CompiledSlots | Reason:
    """Return the compiled puzzle over slots, of `bits` each where values are open; or why none."""
    puzzle, start = without_counts(task.puzzle), task.start
    key = (puzzle.definition, bits, term_key(start), start.classes)

    @cache
    def make() -> CompiledSlots | Reason:
        residuals = Residuals()
        try:
            program = compile_slots(puzzle, start, bits, rest(residuals))
        except Unsuitable as why:
            return why.reason
        changes = [
            (number, change)
            for number, (_, changes) in enumerate(program.rules[: len(puzzle.rules)])
            for change in changes
        ]
        begun = _form(task, program.layout.found)[1]
        return CompiledSlots(program, residuals, changes, begun)

    if task.alone:
        return make()
    if not task.shared or any(rule.effects for rule in puzzle.rules):
        # where effects clash, the form does not tell what is kept in slots: only compiling does
        return _EXACT.made(key, task, make)
    try:
        found = find(puzzle, start)
    except Unsuitable as why:
        return why.reason
    form, begun = _form(task, found)
    shared = (puzzle.definition, bits, form)
    known = _FORMS.made(shared, task, make)
    if isinstance(known, Reason) or not known.serves(begun):
        return _EXACT.made(key, task, make)
    if known.program.start == start and not known.is_open:
        _EXACT.made(key, task, lambda: known)  # what others do with it changes nothing in it
    return known


def _form(task: Task, found: Findings) -> tuple[Any, dict[Any, frozenset[Any]]]:
    """Return what of a start decides which ground rules there are, and the values in its slots."""
    keys: dict[Any, list[Any]] = {}
    values: dict[Any, list[Any]] = {}
    others = []
    for term in task.start.items:
        family = found.family(term)
        if family is None:
            others.append(encode(term))
            continue
        identity = term.term_identity()
        key, value = family.encoded(term)
        keys.setdefault(identity, []).append(key)
        values.setdefault(identity, []).append(value)
    form = (
        frozenset(found.families.items()),
        frozenset((identity, frozenset(held)) for identity, held in keys.items()),
        frozenset(_contents(task, found, values)),
        tuple(others),
        task.start.classes,
    )
    return form, {identity: frozenset(held) for identity, held in values.items()}


def _contents(
    task: Task, found: Findings, values: dict[Any, list[Any]]
) -> Iterator[tuple[Any, Any]]:
    """Yield what of the contents of slots decides which ground rules there are, and their order:
    how often there is each value that rules only exchange, and what is usual.
    """
    rules = Rules.of(all_rules(task.puzzle))
    for identity, held in values.items():
        counts = Counter(held)
        if rules.exchanges(identity, found.families[identity]):
            yield identity, frozenset(counts.items())
        else:
            yield identity, usual_value(counts)


def forget() -> None:
    """Forget all compiled puzzles."""
    _MULTISETS.clear()
    _EXACT.clear()
    _FORMS.clear()

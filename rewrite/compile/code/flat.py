"""Lays code out for the core: one flat buffer of 32-bit words, and what instructions refer to.

An instruction is a word, its number and (from bit 8) how many operands follow, then the operands.
Registers, places, numbers in a pool are a word each; bits of a state are two, the low half first.
The numbers of instructions and built-in functions are the core's: they are looked up by name in the
lists that it exports. What the instructions mean stands in `core-crate/src/instr.rs`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from rewrite.compile.code import operations as o
from rewrite.compile.interning import TRUTH, Truth, constant_key

HALF, WORD = (1 << 32) - 1, (1 << 64) - 1
NOTHING = 0xFFFF
"""Stands for no counter."""
_LABELS = 1 << 40
"""From here on, an operand is a label until its function ends; below 0, a constant."""
_OPS = {"+": "Add", "-": "Sub", "*": "Mul", "//": "FloorDiv", "%": "Mod"}
_KINDS = {"int": 0, "str": 1, "bool": 2, "seq": 3, "bag": 4}
_FOLDS = {"least": 0, "greatest": 1, "sum": 2}


class Unlowered(Exception):
    """Why the core cannot run a program."""


class Machine(NamedTuple):
    instructions: dict[str, int]
    builtins: dict[str, int]


Formula = tuple[str, Any]
"""A condition on slots: ("truth", a truth value), ("bits", tests that all hold), ("ones", (masks
as tests, how many bits are set)), ("not", formula), ("all" or "any", formulas), ("successor", None)
or ("call", the number of a function). A test is (word, mask, value)."""


class _Pool:
    """Objects by number; the same object gets the same one."""

    def __init__(self) -> None:
        self.held: list[Any] = []
        self._numbers: dict[int, int] = {}

    def number(self, value: Any) -> int:
        found = self._numbers.setdefault(id(value), len(self.held))
        if found == len(self.held):
            self.held.append(value)
        return found


def halves(bits: int) -> tuple[int, int]:
    return bits & HALF, bits >> 32


def words_of(mask: int, value: int) -> list[tuple[int, int, int]]:
    """Return a test of bits as tests of words: (word, bits, what is wanted of them) each."""
    found = []
    while mask:
        word = ((mask & -mask).bit_length() - 1) // 64
        part = mask >> 64 * word & WORD
        found.append((word, part, value >> 64 * word & WORD))
        mask ^= part << 64 * word
    return found


def laid_out(
    machine: Machine, slots: bool, units: Mapping[str, o.Unit],
    conditions: Mapping[str, o.Unit] | None = None, tables: Sequence[o.Table] = (),
) -> Laid:  # fmt: skip
    """Return units by name as one program; functions are named `unit.function`.

    slots        whether states are slots, else groups
    conditions   those on slots, which become formulas
    tables       those of ground rules; their numbers are their places
    """
    laid = Laid(machine, slots)
    for table in tables:
        laid.tables.number(table)
    laid.formulas = {name: laid.formula(name, unit) for name, unit in (conditions or {}).items()}
    for prefix, unit in units.items():
        for function in unit.functions:
            if same := _only_calls(function):  # it is another by a name of its own
                laid.numbers[f"{prefix}.{function.name}"] = laid.number(f"{prefix}.{same}")
    for prefix, unit in units.items():
        laid.unit(prefix, unit)
    residuals: dict[int, str] = {}
    for table in laid.tables.held:  # what is left of a rule asks for no further tables
        rest = table.residual
        prefix = residuals.get(id(rest), "")
        if not prefix:
            prefix = residuals[id(rest)] = f"rest{len(residuals)}"
            laid.unit(prefix, rest.unit)
        laid.residuals.append(laid.number(f"{prefix}.{rest.unit.name}"))
    return laid


class _Function:
    __slots__ = ("constants", "entry", "lists", "name", "registers")

    def __init__(self, name: str) -> None:
        self.name, self.entry, self.registers, self.lists = name, 1 << 31, 0, 0
        self.constants: list[int] = []


class Laid:
    """A program as the core is given it, and what its instructions refer to by number."""

    def __init__(self, machine: Machine, slots: bool) -> None:
        self.machine, self.slots = machine, slots
        self.code: list[int] = []
        self.at = 0
        """The number of the next instruction."""
        self.labels: list[int] = []
        self.jumps: dict[int, int] = {}
        """Where a plain jump stands, and its label."""
        self.handlers: list[tuple[int, int, int]] = []
        self.functions: list[_Function] = []
        self.numbers: dict[str, int] = {}
        """Of functions, by unit and name."""
        self.constants: dict[Any, int] = {}
        self.values: list[Any] = []
        self.sets, self.states, self.rows = _Pool(), _Pool(), _Pool()
        self.user_functions, self.tables = _Pool(), _Pool()
        self.residuals: list[int] = []
        """For each table, the number of its function."""
        self.asked: dict[int, tuple[int, o.Ask]] = {}
        self.formulas: dict[str, Formula] = {}
        """Conditions on slots, by unit."""

    @property
    def data(self) -> dict[str, Any]:
        """The program, as far as it is plain data.

        functions   (name, entry, registers, numbers of its constants, lists)
        handlers    (from, to, where to go) where arithmetic may have no value, inner ones first
        """
        return {
            "code": array("I", self.code).tobytes(),
            "functions": [
                (one.name, one.entry, one.registers, one.constants, one.lists)
                for one in self.functions
            ],
            "handlers": [(begin, end, self._place(to)) for begin, end, to in self.handlers],
            "constants": self.values,
            "sets": [list(one) for one in self.sets.held],
            "indexes": [list(rows.table().items()) for rows in self.rows.held],
        }

    # -- functions and registers -----------------------------------------------------------
    def number(self, name: str) -> int:
        """Return the number of a function, which may be written later."""
        found = self.numbers.get(name)
        if found is None:
            found = self.numbers[name] = len(self.functions)
            self.functions.append(_Function(name))
        return found

    def unit(self, prefix: str, unit: o.Unit) -> None:
        self.prefix = prefix
        for function in unit.functions:
            if not _only_calls(function):
                self._function(function)

    def _function(self, function: o.Function) -> None:
        self.function = held = self.functions[self.number(f"{self.prefix}.{function.name}")]
        held.entry, begin = self.at, len(self.code)
        self.names = {one.name: place for place, one in enumerate(function.parameters)}
        held.registers = len(function.parameters)
        self.lists: dict[str, int] = {}
        self.loaded: dict[int, int] = {}
        self.next: list[int] = []
        self.turns: list[int] = []
        self._block(function.body)
        if not function.body or type(function.body[-1]) not in _ENDS:
            self.emit("Return", self.constant(None))
        own, code = held.registers, self.code
        code[begin:] = [
            part if 0 <= part < _LABELS else own + ~part if part < 0 else self._place(part)
            for part in code[begin:]
        ]
        held.constants, held.lists = list(self.loaded), len(self.lists)

    def emit(self, name: str, *operands: int) -> None:
        if name == "Jump":
            self.jumps[self.at] = operands[0]
        self.code.append(self.machine.instructions[name] | len(operands) << 8)
        self.code += operands
        self.at += 1

    def label(self) -> int:
        """Return a new place in the code; known once it has been put down."""
        self.labels.append(-1)
        return _LABELS + len(self.labels) - 1

    def put(self, label: int) -> None:
        self.labels[label - _LABELS] = self.at

    def _place(self, label: int) -> int:
        """Return where a label leads to: where another jump stands, on to where that leads."""
        place = self.labels[label - _LABELS]
        while place in self.jumps:
            place = self.labels[self.jumps[place] - _LABELS]
        return place

    def fresh(self) -> int:
        self.function.registers += 1
        return self.function.registers - 1

    def register(self, given: o.Reg | None) -> int:
        name = "" if given is None else given.name  # one takes all that nobody asks for
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = self.fresh()
        return found

    def constant(self, value: Any) -> int:
        """Return the register that holds a constant: behind all others, as ~its place there."""
        return ~self.loaded.setdefault(self._pooled(value), len(self.loaded))

    def _pooled(self, value: Any) -> int:
        plain = value is None or value.__class__ in _PLAIN
        key = value if plain else constant_key(value)
        number = self.constants.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number

    def list_of(self, name: str) -> int:
        return self.lists.setdefault(name, len(self.lists))

    # -- values ----------------------------------------------------------------------------
    def value(self, given: Any, into: int | None = None) -> int:
        kind = type(given)
        found = None
        if kind is o.Reg:
            found = self.names[given.name]
        elif kind is o.Const:
            found = self.constant(given.value)
        elif kind is o.Flag:
            found = self.constant(TRUTH[given.holds])
        if found is not None:
            if into is None:
                return found
            self.emit("Move", into, found)
            return into
        target = self.fresh() if into is None else into
        write = _VALUES.get(kind)
        if write is None:
            self.truth(given, target)
        else:
            write(self, given, target)
        return target

    def truth(self, given: Any, into: int) -> None:
        both = o.Choice(given, o.Flag(True), o.Flag(False))
        self._choose(both, lambda one: self.value(one, into))

    def all_of(self, given: Iterable[Any]) -> list[int]:
        return [self.value(one) for one in given]

    def _arithmetic(self, given: o.Arithmetic, into: int) -> None:
        left, right = self.value(given.left), self.value(given.right)
        self.emit(_OPS[given.op], into, left, right)

    def _tuple(self, given: o.Tuple, into: int) -> None:
        parts: list[int] = []
        for one in given.parts:
            if type(one) is o.Spliced:
                parts += (1, self.value(one.values))
            else:
                parts += (0, self.value(one))
        self.emit("Tuple", into, *parts)

    def _slice(self, given: o.Slice, into: int) -> None:
        values, last = self.value(given.values), given.last
        first = self.value(given.first)
        self.emit("Slice", into, values, first, *([] if last is None else [self.value(last)]))

    def _builtin(self, given: o.Builtin, into: int) -> None:
        number = self.machine.builtins.get(given.name)
        if number is None:
            raise Unlowered(f"it has no function {given.name}")
        arguments = self.all_of(given.args)
        if given.name == "number":
            self.emit("Number", into, *arguments)
        else:
            self.emit("Builtin", into, number, *arguments)

    def _apply(self, given: o.Apply, into: int) -> None:
        number = self.user_functions.number(given.function)
        self.emit("Outside", into, number, *self.all_of(given.args))

    def _invoke(self, given: o.Invoke, into: int) -> None:
        number = self.number(f"{self.prefix}.{given.name}")
        self.emit("Call", into, number, *self.all_of(given.args))

    def _choose(self, given: o.Choice, write: Callable[[Any], object]) -> None:
        otherwise, done = self.label(), self.label()
        self.branch(given.test, otherwise, False)
        write(given.yes)
        self.emit("Jump", done)
        self.put(otherwise)
        write(given.no)
        self.put(done)

    def _bit_count(self, given: o.BitCount, into: int) -> None:
        self.emit("BitCount", into, *self._bits(given.mask, 0))

    def _ask(self, given: o.Ask, into: int) -> None:
        number, _ = self.asked.setdefault(id(given.given), (len(self.asked), given))
        if self.slots:
            self.emit("OutsideSlots", into, number)
        else:
            self.emit("OutsideState", into, number, *self.all_of(given.code))

    def _is_forbidden(self, _: o.IsForbidden, into: int) -> None:
        number = self.number("forbidden.forbidden")
        self.emit("Call", into, number, *self.next)

    # -- tests -----------------------------------------------------------------------------
    def branch(self, given: Any, to: int, on: bool) -> None:
        """Write a jump to `to` where the test's outcome is `on`."""
        kind = type(given)
        if kind is o.Bits:
            self.emit("Bits", int(on), to, *self._bits(given.mask, given.value))
        elif kind is o.Not:
            self.branch(given.test, to, not on)
        elif kind is o.And or kind is o.Or:
            self._junction(given.parts, to, on, (kind is o.And) == on)
        elif kind is o.Equal:
            self.emit("Equal", self.value(given.left), self.value(given.right), int(on), to)
        elif kind is o.Compare:
            left, right = self.value(given.left), self.value(given.right)
            self._compare(given.op, left, right, on, to)
        elif kind is o.Flag:
            if given.holds == on:
                self.emit("Jump", to)
        elif kind is o.FirstOfRun:
            self._first_of_run(given, to, on)
        elif kind is o.IsTrue:
            value = self.value(given.value)
            if not given.sure:
                self.emit("MustBeTruth", value)
            self.emit("Truthy", value, int(on), to)
        elif kind in _TESTS:
            _TESTS[kind](self, given, to, int(on))
        else:
            self.emit("Truthy", self.value(given), int(on), to)

    def _junction(self, parts: tuple[Any, ...], to: int, on: bool, all_decide: bool) -> None:
        if not all_decide:
            for part in parts:
                self.branch(part, to, on)
            return
        skip = self.label()  # another outcome of one part ends it
        for part in parts[:-1]:
            self.branch(part, skip, not on)
        self.branch(parts[-1], to, on)
        self.put(skip)

    def _first_of_run(self, given: o.FirstOfRun, to: int, on: bool) -> None:
        pool, value = self.value(given.pool), self.value(given.value)
        skip = self.label() if on else to
        self.emit("FirstOfRun", self.value(given.place), pool, value, skip)
        if on:
            self.emit("Jump", to)
            self.put(skip)

    def _between(self, given: o.Between, to: int, on: int) -> None:
        low, value, high = self.value(given.low), self.value(given.value), self.value(given.high)
        skip = self.label()
        self._compare("<=", low, value, False, skip if on else to)
        self._compare("<=", value, high, bool(on), to)
        self.put(skip)

    def _compare(self, op: str, left: int, right: int, on: bool, to: int) -> None:
        if op in ("<=", ">"):
            left, right = right, left
        self.emit("Less", left, right, int(on == (op in ("<", ">"))), to)

    # -- slots and bits --------------------------------------------------------------------
    def formula(self, prefix: str, unit: o.Unit) -> Formula:
        """Return what a condition on slots says; what needs the machine is written as functions."""
        self.prefix = prefix
        self.inner = {one.name: one for one in unit.functions}
        (last,) = self.inner.pop(unit.name).body
        assert type(last) is o.Return
        formula = self._formula(last.value)
        while called := [name for name in self.inner if f"{prefix}.{name}" in self.numbers]:
            for name in called:
                self._function(self.inner.pop(name))
        return formula

    def _formula(self, given: Any) -> Formula:
        kind = type(given)
        if kind is o.Flag:
            return "truth", given.holds
        if kind is o.Bits:
            return "bits", words_of(given.mask, given.value)
        if kind is o.Not:
            return "not", self._formula(given.test)
        if kind is o.And or kind is o.Or:
            return "all" if kind is o.And else "any", [self._formula(one) for one in given.parts]
        if kind is o.HasSuccessor:
            return "successor", None
        if kind is o.Equal and type(given.left) is o.BitCount and type(given.right) is o.Const:
            if given.right.value < 0:  # more terms are asked for than there is room for
                return "truth", False
            return "ones", (words_of(given.left.mask, 0), given.right.value)
        if kind is o.IsTrue and given.sure and type(given.value) is o.Invoke:
            return self._invoked(self.inner[given.value.name])
        name = f"test{len(self.functions)}"
        self._function(o.Function(name, (), True, (o.Return(given),)))
        return "call", self.number(f"{self.prefix}.{name}")

    def _invoked(self, function: o.Function) -> Formula:
        *tests, last = function.body
        if last == o.Return(o.Flag(False)) and all(map(_returns_true, tests)):
            return "any", [self._formula(one.test) for one in tests]  # type: ignore[union-attr]
        return "call", self.number(f"{self.prefix}.{function.name}")

    def _bits(self, mask: int, value: int) -> list[int]:
        return [part for word, bits, wanted in words_of(mask, value)
                for part in (word, *halves(bits), *halves(wanted))]  # fmt: skip

    # -- statements ------------------------------------------------------------------------
    def _block(self, body: o.Body) -> None:
        for place, op in enumerate(body):
            kind = type(op)
            if kind is o.Let and place + 1 < len(body) and _goes_out(op, body[place + 1]):
                continue
            if kind is o.Emit and place and _goes_out(body[place - 1], op):
                self._emit_with(body[place - 1], op)
            else:
                _OPERATIONS[kind](self, op)

    def _emit_with(self, let: Any, emit: Any) -> None:
        """Put a value in on the way out: the group is not made at all."""
        group, value = self.value(let.value.group), self.value(let.value.values[0])
        self.emit("EmitWith", self.value(emit.cost), _fired(emit.rule), group, value)

    def _let(self, op: o.Let) -> None:
        self.value(op.value, self.register(op.into))

    def _unpack(self, op: o.Unpack) -> None:
        registers = [self.register(one) for one in op.into]
        self.emit("Unpack", self.value(op.value), *registers)

    def _if(self, op: o.If) -> None:
        otherwise = self.label()
        self.branch(op.test, otherwise, False)
        self._block(op.body)
        if not op.otherwise:
            self.put(otherwise)
            return
        done = self.label()
        if type(op.body[-1]) not in _ENDS:
            self.emit("Jump", done)
        self.put(otherwise)
        self._block(op.otherwise)
        self.put(done)

    @contextmanager
    def _handled(self) -> Iterator[int]:
        """What is written inside goes to a label where arithmetic has no value."""
        handler, begin = self.label(), self.at
        yield handler
        self.handlers.append((begin, self.at, handler))

    def _attempt(self, op: o.Attempt) -> None:
        done = self.label()
        holds = o.held(op) if type(op.value) in _TESTED else None
        with self._handled() as handler:
            if holds is None:
                self.value(op.value, self.register(op.into))
            else:
                self.branch(op.value, done, False)
        self._block(op.body if holds is None else holds)
        self.emit("Jump", done)
        self.put(handler)
        self._block(op.missing)
        self.put(done)

    def _return(self, op: o.Return) -> None:
        given = op.value
        if type(given) is o.IsTrue and given.sure:
            given = given.value
        self.emit("Return", self.value(given))

    def _return_or(self, op: o.ReturnOr) -> None:
        with self._handled() as handler:
            self._return(o.Return(op.value))
        self.put(handler)
        self._return(o.Return(op.missing))

    def _loop(self, body: o.Body, again: int, done: int) -> None:
        self.turns.append(again)
        self._block(body)
        self.turns.pop()
        self.emit("Jump", again)
        self.put(done)

    def _begin(self, index: int, first: int) -> tuple[int, int, int]:
        """Begin to go through places; return its mark, and the labels (again, done)."""
        mark = self.fresh()
        self.emit("RangeInit", index, first, mark)
        again, done = self.label(), self.label()
        self.put(again)
        return mark, again, done

    def _each(self, op: o.Each) -> None:
        pool = self.value(op.pool)
        index = self.fresh() if op.place is None else self.register(op.place)
        value = self.register(op.value)
        mark, again, done = self._begin(index, self.constant(0))
        self.emit("ItemsNext", 0, index, value, pool, mark, self.at + 1, done)
        self._loop(op.body, again, done)

    def _each_free(self, op: o.EachFree) -> None:
        pool, used = self.value(op.pool), self.all_of(op.used)
        index, value = self.register(op.place), self.register(op.value)
        mark, again, done = self._begin(index, self.constant(0))
        if used:
            self.emit("ChoicesNext", index, value, done, pool, mark, *used)
        else:
            self.emit("RunsNext", 0, index, value, pool, mark, self.at + 1, done)
        self._loop(op.body, again, done)

    def _each_number(self, op: o.EachNumber) -> None:
        cut = _cut(op.body)
        if cut is None or cut.name in o.all_written(op.body):
            self._numbers(op)
            return
        # a sequence that is cut in all places is laid out before: then cutting costs nothing. Its
        # register stands for what was laid out inside the loop only: elsewhere it may not be there
        whole, laid = self.names[cut.name], self.fresh()
        self.emit("Spread", laid, whole)
        self.names[cut.name] = laid
        self._numbers(op)
        self.names[cut.name] = whole

    def _numbers(self, op: o.EachNumber) -> None:
        first, last = self.value(op.first), self.value(op.last)
        index = self.register(op.number)
        mark, again, done = self._begin(index, first)
        self.emit("RangeNext", 0, index, last, mark, self.at + 1, done)
        self._loop(op.body, again, done)

    def _each_row(self, op: o.EachRow) -> None:
        number, key = self.rows.number(op.rows), self.all_of(op.key)
        row, mark = self.fresh(), self.fresh()
        self.emit("RowInit", row, mark, number, *key)
        again, done = self.label(), self.label()
        self.put(again)
        place, value = self.register(op.place), self.register(op.value)
        self.emit("RowNext", row, number, done, place, value, mark)
        self._loop(op.body, again, done)

    def _each_split(self, op: o.EachSplit) -> None:
        ways = self.list_of(f"splits{len(self.lists)}")
        self.emit("Splits", ways, self.value(op.values), len(op.shares))
        index = self.fresh()
        mark, again, done = self._begin(index, self.constant(0))
        self.emit("SplitsNext", index, ways, done, mark, *[self.register(one) for one in op.shares])
        self._loop(op.body, again, done)

    def _each_entry(self, op: o.EachEntry) -> None:
        cost, table = self.register(op.cost), self.tables.number(op.table)
        row = self.fresh()
        self.emit("TableInit", row, table)
        again, done = self.label(), self.label()
        self.put(again)
        self.emit("TableNext", row, cost, table, done)
        self._loop(op.body, again, done)

    # -- successors ------------------------------------------------------------------------
    def groups(self, code: Any) -> list[int]:
        kind = type(code)
        if kind is o.Next:
            return self.next
        if kind is o.Groups:
            return self.all_of(code.parts)
        if kind is o.Placed:
            groups, loose = self.all_of(code.groups), self.all_of(code.loose)
            made = [self.fresh() for _ in groups]
            self.emit("Place", len(groups), *made, *groups, *loose)
            return made
        groups = self.groups(code.code)
        made = [self.fresh() for _ in groups]
        self.emit("Normal", len(groups), *made, *groups)
        return made

    def _make(self, op: o.Make) -> None:
        self.next = self.groups(op.code)

    def _emit(self, op: o.Emit) -> None:
        self.emit("Emit", self.value(op.cost), _fired(op.rule), *self.groups(op.code))


def _fired(rule: int | None) -> int:
    return NOTHING if rule is None else rule * len(o.COUNTERS) + o.FIRED


def _only_calls(function: o.Function) -> str:
    """Return the name of the function that a function calls, where it does nothing else."""
    only = function.body[0] if len(function.body) == 1 else None
    call = only.value if type(only) is o.Return else None
    if type(call) is o.IsTrue and call.sure:
        call = call.value
    if type(call) is o.Invoke and (call.on_state or call.args == function.parameters):
        return call.name
    return ""


def _returns_true(op: o.Op) -> bool:
    return type(op) is o.If and op.body == (o.Return(o.Flag(True)),) and not op.otherwise


def _goes_out(let: Any, emit: Any) -> bool:
    """Whether a group is made by putting one value in, and handed out at once."""
    if type(emit) is not o.Emit or type(let) is not o.Let or type(let.value) is not o.Insert:
        return False
    alone = type(emit.code) is o.Groups and emit.code.parts == (let.into,)
    return alone and len(let.value.values) == 1


def _cut(body: Any) -> o.Reg | None:
    """Return the register of what a loop cuts, behind whatever tests."""
    for op in body:
        if type(op) is o.Let and type(op.value) is o.Slice:
            cut = op.value.values
            return cut if type(cut) is o.Reg else None
        if type(op) in (o.If, o.Attempt) and (found := _cut(op.body)) is not None:
            return found
    return None


_PLAIN = {int, str, Truth}
_TESTED = {o.Equal, o.Compare, o.And, o.Or, o.Not}
_ENDS = {o.Return, o.ReturnOr, o.NoValue, o.Continue}
_Write = Callable[[Any, Any, int], None]


def _plain(name: str, fields: int) -> _Write:
    """Return what writes an instruction whose operands are the first fields of a value."""

    def write(self: Laid, given: Any, into: int) -> None:
        operands: list[int] = []
        for part in given[:fields]:
            if type(part) is tuple:
                operands += self.all_of(part)
            else:
                operands.append(self.value(part))
        self.emit(name, into, *operands)

    return write


_VALUES: dict[Any, _Write] = {
    o.Arithmetic: Laid._arithmetic,
    o.Negative: _plain("Neg", 1),
    o.Absolute: _plain("Abs", 1),
    o.Length: _plain("Len", 1),
    o.Index: _plain("Index", 2),
    o.Without: _plain("Without", 2),
    o.Insert: _plain("Insert", 2),
    o.Find: _plain("Find", 3),
    o.PlaceOf: _plain("Find", 2),
    o.HasSuccessor: _plain("AnySuccessor", 1),
    o.Tuple: Laid._tuple,
    o.Slice: Laid._slice,
    o.Builtin: Laid._builtin,
    o.Apply: Laid._apply,
    o.Invoke: Laid._invoke,
    o.Choice: lambda self, one, into: self._choose(one, lambda side: self.value(side, into)),
    o.TruthOf: lambda self, one, into: self.truth(one.test, into),
    o.Fold: lambda self, one, into: self.emit(
        "ListFold", into, self.list_of(one.values), _FOLDS[one.how]
    ),
    o.BitCount: Laid._bit_count,
    o.Ask: Laid._ask,
    o.IsForbidden: Laid._is_forbidden,
}
_TESTS: dict[Any, Callable[[Any, Any, int, int], None]] = {
    o.Between: Laid._between,
    o.Choice: lambda self, one, to, on: self._choose(
        one, lambda side: self.branch(side, to, bool(on))
    ),
    o.IsKind: lambda self, one, to, on: self.emit(
        "IsKind", self.value(one.value), _KINDS[one.kind], on, to
    ),
    o.HasCtor: lambda self, one, to, on: self.emit(
        "HasCtor", self.value(one.value), self._pooled(one.ctor), on, to
    ),
    o.In: lambda self, one, to, on: self.emit(
        "In", self.value(one.value), self.value(one.values), on, to
    ),
    o.InSet: lambda self, one, to, on: self.emit(
        "InSet", self.value(one.value), self.sets.number(one.values), on, to
    ),
    o.ListAny: lambda self, one, to, on: self.emit("ListAny", self.list_of(one.values), on, to),
    o.ListHas: lambda self, one, to, on: self.emit(
        "ListHas", self.list_of(one.values), self.value(one.value), on, to
    ),
    o.InStates: lambda self, one, to, on: self.emit(
        "InStates", self.states.number(one.states), on, to, *self.all_of(one.code)
    ),
    o.TableAny: lambda self, one, to, on: self.emit(
        "TableAny", self.tables.number(one.table), on, to
    ),
}
_OPERATIONS: dict[Any, Callable[[Any, Any], None]] = {
    o.Let: Laid._let,
    o.Unpack: Laid._unpack,
    o.If: Laid._if,
    o.Attempt: Laid._attempt,
    o.Return: Laid._return,
    o.ReturnOr: Laid._return_or,
    o.NoValue: lambda self, _: self.emit("NoValue"),
    o.Continue: lambda self, _: self.emit("Jump", self.turns[-1]),
    o.Each: Laid._each,
    o.EachFree: Laid._each_free,
    o.EachNumber: Laid._each_number,
    o.EachRow: Laid._each_row,
    o.EachSplit: Laid._each_split,
    o.EachEntry: Laid._each_entry,
    o.NewList: lambda self, op: self.emit("ListNew", self.list_of(op.values)),
    o.Push: lambda self, op: self.emit("ListPush", self.list_of(op.values), self.value(op.value)),
    o.Count: lambda self, op: self.emit("Count", op.rule * len(o.COUNTERS) + op.counter),
    o.CheckCost: lambda self, op: self.emit("CheckCost", self.value(op.cost)),
    o.Make: Laid._make,
    o.Emit: Laid._emit,
    o.Put: lambda self, op: self.emit("Put", self.value(op.cost), self.value(op.values)),
}

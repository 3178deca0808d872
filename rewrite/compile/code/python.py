"""Prints code as Python source: what the Python engine runs, and what tracebacks show.

The functions of `engine.runtime` are known as `rt_` and their name. What else the source refers to
by name stands beside it: constants as they are, and what an engine has to bring (user functions,
tables, conditions on whole states), by description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, NamedTuple

from rewrite.compile.code import operations as o
from rewrite.compile.interning import constant_key

MOST_BITS = 10_000
"""Of a number in source: Python reads 4,300 digits."""


class Printed(NamedTuple):
    """The source of a module; `asked` are Functions, Tables and Asks."""

    source: str
    constants: dict[str, Any]
    asked: dict[str, Any]


class Form(NamedTuple):
    """How an expansion is written: what is done with a successor, and around it.

    head    the function's name and parameters; `first`, `last`: lines before and after
    out     how a successor is noted, of its {code} and its {cost}; "" to grow a search: it is
            pushed where it was not seen
    """

    head: str
    first: str
    out: str
    last: str


WAYS = {
    "successors": Form("successors(s)", "out = []", "out.append({code})", "return out"),
    "weighted": Form("weighted(s)", "out = []", "out.append(({cost}, {code}))", "return out"),
    "grow": Form("grow(states, seen, fresh)", "push = fresh.append", "", ""),
    "simplify": Form("", "out = set()", "out.add({code})", "return out"),
    "residual": Form("", "out = []", "", "return out"),
}


def printed(unit: o.Unit, state: str = "", way: Form | None = None) -> Printed:
    """Return the source of a unit.

    state   how a function takes the state apart, e.g. "g0, g1 = s"; "" where it is not
    way     for functions that only hand something out
    """
    printer = Printer(state)
    for function in unit.functions:
        printer.function(function, way)
    return printer.printed()


def expansion(unit: o.Unit, way: Form, state: str = "", canonical: bool = False) -> Printed:
    """Return the source of the unit of an expansion, with the function "expand" written one way.

    canonical   successors are replaced by `canonical(successor)`
    """
    printer = Printer(state, way, canonical)
    for function in unit.functions:
        if function.name == "expand":
            printer.expansion(partial(printer.body, function.body))
        else:
            printer.function(function, None)
    return printer.printed()


class Printer:
    def __init__(self, state: str, way: Form | None = None, canonical: bool = False) -> None:
        self.state, self.way, self.canonical = state, way, canonical
        self.lines: list[str] = []
        self.depth = 0
        self.constants: dict[str, Any] = {}
        self.asked: dict[str, Any] = {}
        self.counted: set[tuple[int, int]] = set()
        self._known: dict[Any, str] = {}

    def printed(self) -> Printed:
        return Printed("\n".join(self.lines) + "\n", self.constants, self.asked)

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, opening: str) -> Iterator[None]:
        self.line(opening)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def constant(self, value: Any, stem: str = "K") -> str:
        """Return a constant: small ints and texts as they are, the rest by name."""
        kind = value.__class__
        if kind is str or value is None or (kind is int and abs(value) < 1 << 62):
            return repr(value)
        key = constant_key(value)
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"{stem}{len(self.constants)}"
            self.constants[name] = value
        return name

    def outside(self, given: Any, stem: str, identity: Any) -> str:
        """Return the name of what an engine brings."""
        key = (id(identity), stem)
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"{stem}{len(self.asked)}"
            self.asked[name] = given
        return name

    # -- functions -------------------------------------------------------------------------
    def function(self, given: o.Function, way: Form | None) -> None:
        """Write a function; with a way, it returns what is handed out."""
        parameters = "s" if given.on_state else ", ".join([one.name for one in given.parameters])
        before, self.way = self.way, way
        with self.block(f"def {given.name}({parameters}):"):
            if given.on_state and self.state:
                self.line(self.state)
            if way is not None:
                self.line(way.first)
            self.body(given.body)
            if way is not None:
                self.line(way.last)
        self.way = before

    def expansion(self, write: Callable[[], None]) -> None:
        """Write the function that expands a state, or a list of them, and adds up its counts.

        write   writes how one state is expanded
        """
        way = self.way
        assert way is not None
        with self.block(f"def {way.head}:"):
            self.line(way.first)
            at, grows = len(self.lines), not way.out
            with self.block("for s in states:") if grows else nullcontext():
                if self.state:
                    self.line(self.state)
                write()
            counters = [f"{_COUNTERS[counter]}{rule}" for counter, rule in sorted(self.counted)]
            self.lines[at:at] = [
                f"    {' = '.join(counters[part : part + 20])} = 0"
                for part in range(0, len(counters), 20)
            ]
            for rule in sorted({rule for _, rule in self.counted}):
                self._add_up(rule)
            if way.last:
                self.line(way.last)

    def _add_up(self, rule: int) -> None:
        """Add up the counts of a rule: a match that is not counted fires, a try is a match."""
        matched = o.MATCHED if (o.MATCHED, rule) in self.counted else o.FIRED
        tried = o.TRIED if (o.TRIED, rule) in self.counted else matched
        self.line(f"c = COUNTS[{rule}]")
        sources = {"fired": o.FIRED, "matched": matched, "without": o.MISSING, "tried": tried}
        for name, counter in sources.items():
            if (counter, rule) in self.counted:
                self.line(f"c.{name} += {_COUNTERS[counter]}{rule}")

    # -- values ----------------------------------------------------------------------------
    def value(self, given: Any) -> str:
        kind = type(given)
        if kind is o.Reg:
            name: str = given.name
            return name
        if kind is o.Const:
            return self.constant(given.value)
        return _VALUES[kind](self, given)

    def listed(self, given: Sequence[Any]) -> str:
        return ", ".join([self.value(one) for one in given])

    def tupled(self, given: Sequence[Any]) -> str:
        parts = [
            f"*{self.value(one.values)}" if type(one) is o.Spliced else self.value(one)
            for one in given
        ]
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"

    def joined(self, given: Sequence[Any], word: str) -> str:
        return f"({f' {word} '.join([self.value(one) for one in given])})"

    def denied(self, given: o.Not) -> str:
        inner = given.test
        if type(inner) is o.Equal:
            return self.equal(inner, "!=", "is not")
        if type(inner) is o.Bits:
            return self.bits(inner, False)
        if type(inner) is o.ListHas:
            return f"({self.value(inner.value)} not in {inner.values})"
        return f"(not {self.value(inner)})"

    def equal(self, given: o.Equal, equal: str = "==", same: str = "is") -> str:
        right = given.right
        op = same if type(right) is o.Const and right.value is None else equal
        return f"({self.value(given.left)} {op} {self.value(right)})"

    def bits(self, given: o.Bits, wanted: bool = True) -> str:
        mask, value = self.number(given.mask), self.number(given.value)
        if given.value and not (given.mask == given.value and given.mask & given.mask - 1 == 0):
            return f"(s & {mask} {'==' if wanted else '!='} {value})"
        return f"(s & {mask})" if wanted == bool(given.value) else f"(not s & {mask})"

    def number(self, given: int) -> str:
        """Return a number as it is, or by name where Python would not read it."""
        return str(given) if given.bit_length() < MOST_BITS else self.constant(given)

    def index(self, given: o.Index) -> str:
        return f"{self.value(given.values)}[{self.bare(given.at)}]"

    def bare(self, given: Any) -> str:
        """Return a value where it needs no brackets."""
        if type(given) is o.Arithmetic:
            return f"{self.value(given.left)} {given.op} {self.value(given.right)}"
        return self.value(given)

    def sliced(self, given: o.Slice) -> str:
        last = "" if given.last is None else self.bare(given.last)
        return f"{self.value(given.values)}[{self.bare(given.first)}:{last}]"

    def without(self, given: o.Without) -> str:
        group, places = self.value(given.group), given.places
        if not given.rising:
            return f"rt_without({group}, {self.tupled(places)})"
        begin, parts = "", []
        for place in map(self.value, places):
            parts.append(f"{group}[{begin}:{place}]")
            begin = f"{place} + 1"
        return f"({' + '.join([*parts, f'{group}[{begin}:]'])})"

    def insert(self, given: o.Insert) -> str:
        group, values = self.value(given.group), self.listed(given.values)
        if len(given.values) == 1:
            return f"(rt_ordered((*{group}, {values})) if {group} else ({values},))"
        return f"rt_ordered((*{group}, {values}))"

    def builtin(self, given: o.Builtin) -> str:
        if given.name in ("min", "max"):
            return f"{given.name}({self.listed(given.args)})"
        return f"rt_{given.name}({self.listed(given.args)})"

    def invoke(self, given: o.Invoke) -> str:
        return f"{given.name}({'s' if given.on_state else self.listed(given.args)})"

    def fold(self, given: o.Fold) -> str:
        if given.how == "sum":
            return f"sum([rt_integer(value) for value in {given.values}])"
        return f"rt_{given.how}(*{given.values})"

    def code(self, given: Any) -> str:
        kind = type(given)
        if kind is o.Next:
            return "x"
        if kind is o.Normal:
            return f"normal({self.code(given.code)})"
        if kind is o.Placed:
            return f"rt_place({self.tupled(given.groups)}, {self.tupled(given.loose)})"
        parts = given.parts if kind is o.Groups else given
        if not parts:
            return "s"
        return self.value(parts[0]) if len(parts) == 1 else f"({self.listed(parts)})"

    def ask(self, given: o.Ask) -> str:
        return f"{self.outside(given, 'ask', given.given)}({self.code(given.code)})"

    def table(self, given: o.Table) -> str:
        return f"{self.outside(given, 'T', given)}[s & {given.reads}]"

    # -- statements ------------------------------------------------------------------------
    def body(self, given: o.Body) -> None:
        for op in given:
            _OPERATIONS[type(op)](self, op)

    def let(self, op: o.Let) -> None:
        value = op.value
        if type(value) is o.Insert and value.plain:
            group, one, into = self.value(value.group), self.value(value.values[0]), op.into.name
            self.line(f"k = rt_bisect({group}, {one})")
            self.line(f"{into} = {group}[:k] + ({one},) + {group}[k:]")
            return
        self.line(f"{op.into.name} = {self.bare(value)}")

    def unpack(self, op: o.Unpack) -> None:
        names = ["_" if one is None else one.name for one in op.into]
        self.line(f"{', '.join(names)}{',' * (len(names) == 1)} = {self.value(op.value)}")

    def when(self, op: o.If) -> None:
        with self.block(f"if {self.value(op.test)}:"):
            self.body(op.body)
        if op.otherwise:
            with self.block("else:"):
                self.body(op.otherwise)

    def attempt(self, op: o.Attempt) -> None:
        with self.block("try:"):
            self.line(f"{op.into.name} = {self.value(op.value)}")
        with self.block("except NO_VALUE:"):
            self.body(op.missing)
        with self.block("else:"):
            self.body(op.body)

    def returned(self, given: Any) -> None:
        source = self.value(given)
        self.line(f"return {source if _is_bool(given) else f'bool({source})'}")

    def return_or(self, op: o.ReturnOr) -> None:
        with self.block("try:"):
            self.returned(op.value)
        with self.block("except NO_VALUE:"):
            self.returned(op.missing)

    def each(self, op: o.Each) -> None:
        pool = self.value(op.pool)
        opening = f"for {op.value.name} in {pool}:"
        if op.place is not None:
            opening = f"for {op.place.name}, {op.value.name} in enumerate({pool}):"
        with self.block(opening):
            self.body(op.body)

    def each_free(self, op: o.EachFree) -> None:
        if not op.used:
            first = o.If(o.FirstOfRun(op.place, op.pool, op.value), op.body)
            self.each(o.Each(op.place, op.value, op.pool, (first,)))
            return
        pool = f"rt_choices({self.value(op.pool)}, {self.tupled(op.used)})"
        with self.block(f"for {op.place.name}, {op.value.name} in {pool}:"):
            self.body(op.body)

    def each_number(self, op: o.EachNumber) -> None:
        numbers = f"range({self.bare(op.first)}, {self.bare(op.last)})"
        with self.block(f"for {op.number.name} in {numbers}:"):
            self.body(op.body)

    def each_row(self, op: o.EachRow) -> None:
        rows = self.outside(op.rows, "I", op.rows)
        pairs = f"{rows}.get({self.tupled(op.key)}, ())"
        with self.block(f"for {op.place.name}, {op.value.name} in {pairs}:"):
            self.body(op.body)

    def each_split(self, op: o.EachSplit) -> None:
        shares = "".join([f"{one.name}, " for one in op.shares])
        with self.block(f"for {shares}in rt_splits({self.value(op.values)}, {len(op.shares)}):"):
            self.body(op.body)

    def each_entry(self, op: o.EachEntry) -> None:
        entry = "d" if op.table.cost is not None else f"{op.cost.name}, d"
        with self.block(f"for {entry} in {self.table(op.table)}:"):
            self.body(op.body)

    def push(self, op: o.Push) -> None:
        self.line(f"{op.values}.{'add' if op.unique else 'append'}({self.value(op.value)})")

    def counts(self, counter: int, rule: int) -> None:
        self.counted.add((counter, rule))
        self.line(f"{_COUNTERS[counter]}{rule} += 1")

    def checked_cost(self, cost: str) -> None:
        self.line(f"if {cost}.__class__ is not int or {cost} < 0: raise BadCost({cost})")

    def made(self, code: str) -> None:
        self.line(f"x = {code}")
        if self.canonical:
            self.line("x = canonical(x)")

    def emit(self, op: o.Emit) -> None:
        self.handed_out(op.rule, self.value(op.cost), self.code(op.code))

    def handed_out(self, rule: int | None, cost: str, code: str) -> None:
        way = self.way
        assert way is not None
        if rule is not None:
            self.counts(o.FIRED, rule)
        if code != "x" and (self.canonical or not way.out):
            self.made(code)
            code = "x"
        if way.out:
            self.line(way.out.format(code=code, cost=cost))
            return
        with self.block(f"if {code} not in seen:"):
            self.line(f"seen[{code}] = s")
            self.line(f"push({code})")


def _is_bool(given: Any) -> bool:
    """Whether a test is a Python bool, not only as good as one; a value needs to be none."""
    if type(given) in (o.And, o.Or):
        return all(map(_is_bool, given.parts))
    if type(given) is o.Not and type(given.test) is o.Bits:
        return False  # written without `not` where bits are not 0
    return type(given) not in (o.Bits, o.TableAny, o.ListAny, o.HasSuccessor)


_COUNTERS = tuple([f"n_{name}" for name in o.COUNTERS])
_Write = Callable[[Any, Any], str]
_VALUES: dict[Any, _Write] = {
    o.Arithmetic: lambda p, one: f"({p.bare(one)})",
    o.Negative: lambda p, one: f"(-{p.value(one.value)})",
    o.Absolute: lambda p, one: f"abs({p.value(one.value)})",
    o.Tuple: lambda p, one: p.tupled(one.parts),
    o.Length: lambda p, one: f"len({p.value(one.value)})",
    o.Index: Printer.index,
    o.Slice: Printer.sliced,
    o.Without: Printer.without,
    o.Insert: Printer.insert,
    o.Find: lambda p, one: (
        f"rt_find({p.value(one.group)}, {p.value(one.value)}, {p.tupled(one.used)})"
    ),
    o.PlaceOf: lambda p, one: f"{p.value(one.group)}.index({p.value(one.value)})",
    o.Builtin: Printer.builtin,
    o.Apply: lambda p, one: f"{p.outside(one.function, 'fn', one.function)}({p.listed(one.args)})",
    o.Invoke: Printer.invoke,
    o.Choice: lambda p, one: f"({p.value(one.yes)} if {p.value(one.test)} else {p.value(one.no)})",
    o.TruthOf: lambda p, one: f"TRUTH[{p.value(one.test)}]",
    o.Fold: Printer.fold,
    o.BitCount: lambda _, one: f"(s & {one.mask}).bit_count()",
    o.Ask: Printer.ask,
    o.Flag: lambda _, one: repr(one.holds),
    o.Equal: Printer.equal,
    o.Compare: lambda p, one: (
        f"({p.value(one.left)} {one.op} {p.value(one.right)})"
        if one.plain
        else f"rt_compare({one.op!r}, {p.value(one.left)}, {p.value(one.right)})"
    ),
    o.Between: lambda p, one: (
        f"({p.value(one.low)} <= {p.value(one.value)} <= {p.value(one.high)})"
    ),
    o.And: lambda p, one: p.joined(one.parts, "and"),
    o.Or: lambda p, one: p.joined(one.parts, "or"),
    o.Not: Printer.denied,
    o.IsKind: lambda p, one: (
        f"rt_is_{one.kind}({p.value(one.value)})"
        if one.kind in ("seq", "bag")
        else f"({p.value(one.value)}.__class__ is {'Truth' if one.kind == 'bool' else one.kind})"
    ),
    o.HasCtor: lambda p, one: f"rt_has_ctor({p.value(one.value)}, {p.constant(one.ctor, 'C')})",
    o.IsTrue: lambda p, one: p.value(one.value) if one.sure else f"rt_truth({p.value(one.value)})",
    o.In: lambda p, one: f"({p.value(one.value)} in {p.value(one.values)})",
    o.InSet: lambda p, one: f"({p.value(one.value)} in {p.constant(one.values, 'F')})",
    o.FirstOfRun: lambda p, one: (
        f"(not {one.place.name} or {p.value(one.pool)}[{one.place.name} - 1] != {one.value.name})"
    ),
    o.ListAny: lambda _, one: str(one.values),
    o.ListHas: lambda p, one: f"({p.value(one.value)} in {one.values})",
    o.InStates: lambda p, one: f"({p.code(one.code)} in {p.constant(one.states, 'S')})",
    o.HasSuccessor: lambda p, one: f"successors({p.code(one.code)})",
    o.IsForbidden: lambda *_: "forbidden(x)",
    o.Bits: Printer.bits,
    o.TableAny: lambda p, one: p.table(one.table),
}
_OPERATIONS: dict[Any, Callable[[Any, Any], None]] = {
    o.Let: Printer.let,
    o.Unpack: Printer.unpack,
    o.If: Printer.when,
    o.Attempt: Printer.attempt,
    o.Return: lambda p, op: p.returned(op.value),
    o.ReturnOr: Printer.return_or,
    o.NoValue: lambda p, _: p.line("raise NO_VALUE[0]"),
    o.Continue: lambda p, _: p.line("continue"),
    o.Each: Printer.each,
    o.EachFree: Printer.each_free,
    o.EachNumber: Printer.each_number,
    o.EachRow: Printer.each_row,
    o.EachSplit: Printer.each_split,
    o.EachEntry: Printer.each_entry,
    o.NewList: lambda p, op: p.line(f"{op.values} = {'set()' if op.unique else '[]'}"),
    o.Push: Printer.push,
    o.Count: lambda p, op: p.counts(op.counter, op.rule),
    o.CheckCost: lambda p, op: p.checked_cost(p.value(op.cost)),
    o.Make: lambda p, op: p.made(p.code(op.code)),
    o.Emit: Printer.emit,
    o.Put: lambda p, op: p.line(f"out.append(({p.value(op.cost)}, {p.value(op.values)}))"),
}

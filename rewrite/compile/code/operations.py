"""The operations of typed code: plain frozen records, compared by content.

A function is a tree of regions: an `If` or a loop contains its body, and what follows the match of
a pattern is nested inside it. Nothing here refers to an engine, a counter or a table's contents:
records describe them, and each engine supplies its own.

    Unit      functions that belong together; the one that has its name is the entry
    Op        a statement      Value   an expression that is worth an encoded value
    Test      an expression that holds or does not       Code   the state that a step leads to

Order matters: operations run as listed, operands from left to right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias, dataclass_transform

from rewrite.compile.code.types import ANY, Type
from rewrite.compile.interning import Ctor
from rewrite.compile.slots.changes import Lookup
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language.conditions import Condition
from rewrite.language.expressions import Expression
from rewrite.language.functions import Function as UserFunction

TRIED, MATCHED, MISSING, FIRED = range(4)
COUNTERS = ("tried", "matched", "missing", "fired")

if TYPE_CHECKING:
    # Type checkers compare classes by name, but named tuples by what these hold, which takes
    # minutes as they hold each other.
    @dataclass_transform(frozen_default=True)
    class Record: ...

else:
    from typing import NamedTuple as Record


# -- values ----------------------------------------------------------------------------------
class Reg(Record):
    """A register; its name is its identity within a function, and what tracebacks show."""

    name: str
    type: Type = ANY


class Const(Record):
    """An encoded value; None stands for "no value"."""

    value: Any


class Arithmetic(Record):
    """+, -, *, // or % of whole numbers; the last two have no value where the right one is 0."""

    op: str
    left: Value
    right: Value


class Negative(Record):
    value: Value


class Absolute(Record):
    value: Value


class Spliced(Record):
    """The elements of a sequence, as parts of a tuple."""

    values: Value


class Tuple(Record):
    parts: tuple[Value | Spliced, ...]


class Length(Record):
    """How many parts a tuple has, its constructor among them."""

    value: Value


class Index(Record):
    values: Value
    at: Value


class Slice(Record):
    values: Value
    first: Value
    last: Value | None


class Without(Record):
    """A group without some places; `rising`: these are in order."""

    group: Value
    places: tuple[Value, ...]
    rising: bool = False


class Insert(Record):
    """A group with values put in, in order; `plain`: they and the group are ints, or all texts."""

    group: Value
    values: tuple[Value, ...]
    plain: bool = False


class Find(Record):
    """The first place of a value that is not used, or -1."""

    group: Value
    value: Value
    used: tuple[Value, ...]


class PlaceOf(Record):
    """The first place of a value known to be in the group."""

    group: Value
    value: Value


class Builtin(Record):
    """A function of values that both engines have, by its name there."""

    name: str
    args: tuple[Value, ...]


class Apply(Record):
    """A user function, on values; an engine remembers what it returned."""

    function: UserFunction
    args: tuple[Value, ...]


class Invoke(Record):
    """Another function of the unit; `on_state`: it looks at the state this function is given."""

    name: str
    args: tuple[Value, ...]
    on_state: bool = False


class Choice(Record):
    test: Test
    yes: Value | Test
    no: Value | Test


class TruthOf(Record):
    test: Test


class Fold(Record):
    """The least, the greatest or the sum of what a list holds."""

    how: str
    values: str


class BitCount(Record):
    """How many of these bits are set in the state."""

    mask: int


class Ask(Record):
    """A condition or expression on the whole state that is judged outside the code.

    code   the groups of the state; none with slots
    """

    given: Condition | Expression
    code: tuple[Value, ...] = ()


# -- tests -----------------------------------------------------------------------------------
class Flag(Record):
    holds: bool


class Equal(Record):
    left: Value
    right: Value


class Compare(Record):
    """<, <=, > or >= in canonical order; `plain`: both are ints, or both texts."""

    op: str
    left: Value
    right: Value
    plain: bool


class Between(Record):
    """low <= value <= high, of plain values."""

    low: Value
    value: Value
    high: Value


class And(Record):
    parts: tuple[Test, ...]


class Or(Record):
    parts: tuple[Test, ...]


class Not(Record):
    test: Test


class IsKind(Record):
    value: Value
    kind: str


class HasCtor(Record):
    value: Value
    ctor: Ctor


class IsTrue(Record):
    """Whether a value is TRUE; anything but a truth value is an error unless `sure`."""

    value: Value
    sure: bool = False


class In(Record):
    value: Value
    values: Value


class InSet(Record):
    value: Value
    values: frozenset[Any]


class FirstOfRun(Record):
    """Whether nothing equal to the value at a place stands before it."""

    place: Reg
    pool: Value
    value: Reg


class ListAny(Record):
    values: str


class ListHas(Record):
    values: str
    value: Value


class InStates(Record):
    """Whether the state is one of these codes; `code`: its groups, none with slots."""

    states: frozenset[Any]
    code: tuple[Value, ...]


class HasSuccessor(Record):
    code: tuple[Value, ...]


class IsForbidden(Record):
    """Whether `never` forbids the next state."""


class Bits(Record):
    """Whether the state has these values in the bits of a mask."""

    mask: int
    value: int


class Table(Record):
    """A function of the slots read: an engine makes the table, and fills it lazily."""

    lookups: tuple[Lookup, ...]
    residual: Residual
    every: bool

    @property
    def cost(self) -> int | None:
        """The cost of each entry; None where entries hold it."""
        cost = self.residual.prepared.rule.cost
        return cost if type(cost) is int else None

    @property
    def reads(self) -> int:
        return self.lookups[0].reads


class TableAny(Record):
    table: Table


# -- the state a step leads to ---------------------------------------------------------------
class Groups(Record):
    parts: tuple[Value, ...]


class Placed(Record):
    """Groups, and values whose group is known only once they are computed."""

    groups: tuple[Value, ...]
    loose: tuple[Value, ...]


class Normal(Record):
    """The normal form under `simplify`."""

    code: Groups | Placed


class Next(Record):
    """The state that was made last."""


NEXT = Next()


# -- statements ------------------------------------------------------------------------------
class Let(Record):
    into: Reg
    value: Value | Test


class Unpack(Record):
    """The parts of a tuple; None for one that is not needed."""

    into: tuple[Reg | None, ...]
    value: Value


class If(Record):
    test: Test
    body: Body
    otherwise: Body = ()


class Attempt(Record):
    """Do `body` with what a value is; do `missing` where it has none."""

    into: Reg
    value: Value | Test
    missing: Body
    body: Body


class Return(Record):
    value: Value | Test


class ReturnOr(Record):
    """Return a value, or another where it has none."""

    value: Value | Test
    missing: Value | Test


class NoValue(Record):
    """End: there is no value."""


class Continue(Record):
    """Continue with the next iteration of the innermost loop."""


class Each(Record):
    place: Reg | None
    value: Reg
    pool: Value
    body: Body


class EachFree(Record):
    """For each place of a pool that is not used, and its value; equal values once."""

    place: Reg
    value: Reg
    pool: Value
    used: tuple[Value, ...]
    body: Body


class EachNumber(Record):
    """For each number from the first up to, without, the last."""

    number: Reg
    first: Value
    last: Value
    body: Body


class Rows(Record):
    """Constant values by what stands in some places of them: (place, value) each. Sequences that
    have no such places are left out. Without places: by the whole values.
    """

    values: tuple[Any, ...]
    keys: tuple[int, ...]

    def table(self) -> dict[tuple[Any, ...], list[tuple[int, Any]]]:
        found: dict[tuple[Any, ...], list[tuple[int, Any]]] = {}
        last = max(self.keys, default=None)
        rows = [row for row in enumerate(self.values) if last is None or len(row[1]) > last]
        values = [value for _, value in rows]
        by: list[Any] = [map(itemgetter(key), values) for key in self.keys]
        keys = zip(*by or [values], strict=True)
        for key, row in zip(keys, rows, strict=True):
            found.setdefault(key, []).append(row)
        return found


class EachRow(Record):
    place: Reg
    value: Reg
    rows: Rows
    key: tuple[Value, ...]
    body: Body


class EachSplit(Record):
    """For each way to share the elements of a bag."""

    shares: tuple[Reg, ...]
    values: Value
    body: Body


class EachEntry(Record):
    """For the cost of each entry of a table."""

    cost: Reg
    table: Table
    body: Body


class NewList(Record):
    """An empty list; `unique`: a set, for membership tests."""

    values: str
    unique: bool = False


class Push(Record):
    values: str
    value: Value
    unique: bool = False


class Count(Record):
    counter: int
    rule: int


class CheckCost(Record):
    cost: Value


class Make(Record):
    code: Code


class Emit(Record):
    """Emit a successor of a rule, and count it. Rules of `simplify` (None) are not counted."""

    rule: int | None
    cost: Value
    code: Code


class Put(Record):
    """What is left of a rule applies: its cost, and the values it puts into slots."""

    cost: Value
    values: Value


Value: TypeAlias = (
    Reg | Const | Arithmetic | Negative | Absolute | Tuple | Length | Index | Slice | Without |
    Insert | Find | PlaceOf | Builtin | Apply | Invoke | Choice | TruthOf | Fold | BitCount | Ask
)  # fmt: skip
Test: TypeAlias = (
    Flag | Equal | Compare | Between | And | Or | Not | IsKind | HasCtor | IsTrue | In | InSet |
    FirstOfRun | ListAny | ListHas | InStates | HasSuccessor | IsForbidden | Bits | TableAny |
    Choice | Builtin | Ask | Reg
)  # fmt: skip
Code: TypeAlias = Groups | Placed | Normal | Next
Op: TypeAlias = (
    Let | Unpack | If | Attempt | Return | ReturnOr | NoValue | Continue | Each | EachFree |
    EachNumber | EachRow | EachSplit | EachEntry | NewList | Push | Count | CheckCost | Make |
    Emit | Put
)  # fmt: skip
Body: TypeAlias = tuple[Op, ...]
LOOPS = (Each, EachFree, EachNumber, EachRow, EachSplit, EachEntry)


def any_of(tests: Sequence[Test]) -> Test:
    if not tests:
        return Flag(False)
    return tests[0] if len(tests) == 1 else Or(tuple(tests))


def regions(op: Op) -> tuple[Body, ...]:
    if isinstance(op, If):
        return op.body, op.otherwise
    if isinstance(op, Attempt):
        return op.body, op.missing
    return (op.body,) if isinstance(op, LOOPS) else ()


def held(op: Attempt) -> Body | None:
    """Return what is done where a value is TRUE, if nothing else is done with it."""
    only = op.body[0] if len(op.body) == 1 else None
    if not isinstance(only, If) or only.otherwise or only.test != IsTrue(op.into, sure=True):
        return None
    return only.body


def written(op: Any) -> Iterator[str]:
    """Yield the registers that an operation itself writes, without those of its regions."""
    kind = type(op)
    if kind is Let or kind is Attempt:
        yield op.into.name
    elif kind is Unpack or kind is EachSplit:
        into = op.into if kind is Unpack else op.shares
        yield from (one.name for one in into if one is not None)
    elif kind is EachNumber:
        yield op.number.name
    elif kind is EachEntry:
        yield op.cost.name
    elif kind in LOOPS:
        yield from (one.name for one in (op.place, op.value) if one is not None)


def all_written(body: Body) -> Iterator[str]:
    """Yield the registers that operations and their regions write, once per write."""
    for op in body:
        yield from written(op)
        for region in regions(op):
            yield from all_written(region)


class Function(Record):
    """A function. `on_state`: it is given a state; its parameters are then the state's groups."""

    name: str
    parameters: tuple[Reg, ...]
    on_state: bool
    body: Body


class Unit(Record):
    name: str
    functions: tuple[Function, ...]


class Residual(Record):
    """What is left of a rule once it is ground: a unit, and which ground variables it is given.

    After these it takes the values of the slots that the rule reads, and of those from which
    something must be absent; what it puts are values of slots.
    """

    prepared: GroundRule
    unit: Unit
    used: tuple[int, ...]

    def known(self, ground: Any) -> tuple[Any, ...]:
        """Return what the function takes first of an instance's ground variables."""
        return tuple([ground[place] for place in self.used])

"""Joins: all ways in which the patterns of ground rules match known terms, found by indexes.

Semi-naive, as deductive databases do it (Bancilhon, 1986): a pattern that may match a new term is
matched with that term first, then the others with everything known; so a round costs what is new
in it. A part of a pattern that is known when its turn comes is looked up in an index of the terms.

What a match means is defined in `language.matching`, and what an expression is worth in
`language.evaluation`: both are called here. Only patterns that can match in at most one way are
taken apart beforehand, because most are of that form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from rewrite.compile.interning import Ctor, Truth, decode, encode, term_type_of
from rewrite.language.evaluation import FUNCTIONS, Failed, NoValue, evaluate
from rewrite.language.expressions import Call, Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import OneOf
from rewrite.language.matching import Pending, match, same
from rewrite.language.nesting import everywhere
from rewrite.language.order import source
from rewrite.language.patterns import binders, computed, computes, matches_once, parts, variables
from rewrite.language.terms import Term, is_ground

Registers = list[Any]
"""The encoded values of variables, and what else a join keeps while it runs."""
Get = Callable[[Registers], Any]
Next = Callable[[], None]
Test = Callable[[Any], bool]
LAZY = ("&", "|", "if_")
"""Operators that do not ask for all of their operands."""


@frozen
class Query:
    """What is looked for: distinct terms that match all patterns, with lets and guards.

    wanted   the variables whose values tell two answers apart, in this order
    """

    patterns: tuple[Any, ...]
    lets: tuple[tuple[Any, Any], ...]
    guards: tuple[Expression, ...]
    wanted: tuple[Variable, ...]
    known: list[Pattern] = field(init=False)
    """What planning asks of each pattern."""

    @known.default
    def _known(self) -> list[Pattern]:
        return [Pattern.of(pattern) for pattern in self.patterns]


@frozen
class Pattern:
    """What planning asks of a pattern, found out once.

    arguments  for each argument the variables that make it known; None where nothing does
    own        the variables that it binds
    computed   the variables that each computed part needs
    """

    term_type: Any
    arguments: tuple[frozenset[Variable] | None, ...]
    own: frozenset[Variable]
    computed: tuple[frozenset[Variable], ...]

    @classmethod
    def of(cls, pattern: Any) -> Pattern:
        """Return what there is to know about a pattern: a constructor's, or ground."""
        if not isinstance(pattern, Term):
            return cls(term_type_of(encode(pattern)), (), frozenset(), ())
        return cls(
            Ctor.of(type(pattern)),
            tuple([_needs(part) for part in pattern.term_arguments()]),
            frozenset(binders(pattern)),
            tuple([frozenset(variables(part)) for part in computed(pattern)]),
        )

    def known(self, bound: set[Variable]) -> list[int]:
        """Return the arguments that are known once some variables are."""
        return [
            at for at, needs in enumerate(self.arguments) if needs is not None and needs <= bound
        ]


@define
class _Pool:
    """The known terms of one type with their multiplicities, and indexes of them."""

    numbers: dict[Any, int] = field(factory=dict)
    indexes: dict[tuple[int, ...], dict[Any, list[Any]]] = field(factory=dict)

    def add(self, value: Any) -> None:
        number = self.numbers.get(value, 0)
        self.numbers[value] = number + 1
        if not number:
            for places, index in self.indexes.items():
                index.setdefault(tuple([value[at] for at in places]), []).append(value)

    def by(self, places: tuple[int, ...]) -> dict[Any, list[Any]]:
        """Return the index from the values at these places to the terms."""
        found = self.indexes.get(places)
        if found is None:
            found = {}
            for value in self.numbers:
                found.setdefault(tuple([value[at] for at in places]), []).append(value)
            self.indexes[places] = found
        return found


class Known:
    """The terms that joins look among; they only become more."""

    def __init__(self, terms: Iterable[Any]) -> None:
        self.pools: dict[Any, _Pool] = {}
        for term in terms:
            self.add(term)

    def pool(self, term_type: Any) -> _Pool:
        found = self.pools.get(term_type)
        if found is None:
            found = self.pools[term_type] = _Pool()
        return found

    def add(self, value: Any) -> None:
        self.pool(term_type_of(value)).add(value)

    def beside(self, other: Known) -> Known:
        """Return what is known here and, of other types, there."""
        found = Known(())
        found.pools = self.pools | other.pools
        return found

    def has(self, value: Any) -> bool:
        return value in self.pool(term_type_of(value)).numbers


class Join:
    """Answers one query, again whenever terms are added.

    found   called with the values of the wanted variables for each match; the same may come again
    turn    called for each term that is tried

    Raises what these raise, and Failed where a guard or a computed part fails.
    """

    def __init__(
        self, query: Query, known: Known, found: Callable[[tuple[Any, ...]], None], turn: Next
    ) -> None:
        self.query, self.known, self.found, self.turn = query, known, found, turn
        self.places = {
            variable: place
            for place, variable in enumerate(
                dict.fromkeys(
                    v
                    for part in (*query.patterns, *(pattern for pattern, _ in query.lets))
                    for v in binders(part)
                )
            )
        }
        self.registers: Registers = [None] * len(self.places)
        self.patterns = query.known
        self.waiting: dict[Any, list[tuple[Registers, Next]]] = {}
        """What goes on, and with which registers, once a term is known."""
        self._seeded: dict[int, Callable[[Any], None]] | None = None

    def run(self) -> None:
        whole = _Chain(self)
        go = whole.then(set(), list(range(len(self.query.patterns))))
        self._seeds = whole.tried
        go()

    def run_with(self, fresh: dict[Any, list[Any]]) -> None:
        """Find the matches in which a new term takes part; `fresh` holds these by their types.

        A pattern that is looked up wherever it stands waits for its term since the others were
        matched. For each of the others there is an order that begins with it.
        """
        if self._seeded is None:
            self._seeded, todo = {}, sorted(self._seeds)
            for at in todo:
                chain = _Chain(self)
                self._seeded[at] = chain.from_one(at)
                todo += sorted(chain.tried - {*todo})
        for at, seeded in self._seeded.items():
            for value in fresh.get(self.patterns[at].term_type, ()):
                self.turn()
                seeded(value)
        for values in fresh.values():
            for value in values:
                for held, go in self.waiting.pop(value, ()):
                    self.registers[: len(held)] = held
                    go()

    def fresh(self) -> int:
        self.registers.append(None)
        return len(self.registers) - 1

    # -- expressions -----------------------------------------------------------------------
    def term(self, given: Any) -> Get:
        """Return what gives the ground term that a template stands for. It may raise NoValue."""
        if isinstance(given, Variable):
            at = self.places[given]
            if given.kind in ("int", "str"):
                return lambda registers: registers[at]
            return lambda registers: decode(registers[at])
        if not isinstance(given, Expression) and is_ground(given):
            return lambda registers: given
        if isinstance(given, Call) and given.op not in LAZY:
            return self._called(given)
        used = [(variable, self.places[variable]) for variable in variables(given)]
        return lambda registers: evaluate(given, {v: decode(registers[at]) for v, at in used})

    def _called(self, given: Call) -> Get:
        function, operands = FUNCTIONS[given.op], [self.term(one) for one in given.args]

        def failed(registers: Registers, cause: Exception) -> Failed:
            used = {v.name: decode(registers[self.places[v]]) for v in variables(given)}
            return Failed(source(given), cause, used)

        if len(operands) == 2:
            left, right = operands

            def pair(registers: Registers) -> Any:
                try:
                    return function(left(registers), right(registers))
                except (TypeError, OverflowError) as cause:
                    raise failed(registers, cause) from cause

            return pair

        def call(registers: Registers) -> Any:
            try:
                return function(*[operand(registers) for operand in operands])
            except (TypeError, OverflowError) as cause:
                raise failed(registers, cause) from cause

        return call

    def value(self, given: Any) -> Get:
        """Return what gives the encoded value of a template. It may raise NoValue."""
        if isinstance(given, Variable):
            at = self.places[given]
            return lambda registers: registers[at]
        if not isinstance(given, Expression) and is_ground(given):
            constant = encode(given)
            return lambda registers: constant
        inner = parts(given)
        if isinstance(given, (Term, tuple)) and not any(isinstance(p, Splice) for p in inner):
            first = () if isinstance(given, tuple) else (Ctor.of(type(given)),)
            values = [self.value(part) for part in inner]
            return lambda registers: (*first, *[value(registers) for value in values])
        term = self.term(given)
        if kind_of(given) in ("int", "str"):
            return term
        return lambda registers: encode(term(registers))


@frozen
class _Equation:
    """A computed part that has to be worth what was found where it stands.

    at       the register of that value; of the open equations of a match where `given` is None
    """

    given: Any
    at: int
    needs: frozenset[Variable]


class _Chain:
    """Turns a query into functions, each of which calls the one for the next step."""

    def __init__(self, join: Join) -> None:
        self.join, self.registers = join, join.registers
        self.bound: set[Variable] = set()
        self.lets, self.guards = list(join.query.lets), list(join.query.guards)
        self.equations: list[_Equation] = []
        self.tried: set[int] = set()
        """The patterns that are matched with several terms, not looked up."""
        self.chosen: list[tuple[Any, int]] = []
        """(term type, register) of the terms that were matched so far."""

    def from_one(self, at: int) -> Callable[[Any], None]:
        """Return the function from a term for the pattern at one place to all matches with it."""
        mine = self.join.fresh()
        registers, pattern = self.registers, self.join.query.patterns[at]
        step = self._pattern(pattern, frozenset())
        self.chosen.append((self.join.patterns[at].term_type, mine))
        left = [place for place in range(len(self.join.query.patterns)) if place != at]
        rest = self.then(set(self.bound), left)

        def go(value: Any) -> None:
            registers[mine] = value
            step(value, rest)

        return go

    def then(self, bound: set[Variable], left: list[int]) -> Next:
        """Return the function that does the rest of the steps."""
        self.bound = bound
        for place, equation in enumerate(self.equations):
            if equation.needs <= bound:
                del self.equations[place]
                return self._checked(equation, bound, left)
        for place, (pattern, value) in enumerate(self.lets):
            if variables(value).keys() <= bound:
                del self.lets[place]
                return self._let(pattern, value, left)
        for place, guard in enumerate(self.guards):
            if variables(guard).keys() <= bound:
                del self.guards[place]
                return self._guard(guard, bound, left)
        if left:
            return self._look(left)
        wanted = [self.join.places[variable] for variable in self.join.query.wanted]
        registers, found = self.registers, self.join.found
        return lambda: found(tuple([registers[at] for at in wanted]))

    # -- steps -----------------------------------------------------------------------------
    def _guard(self, guard: Expression, bound: set[Variable], left: list[int]) -> Next:
        registers, holds, rest = self.registers, self.join.term(guard), self.then(bound, left)

        def go() -> None:
            try:
                held = holds(registers)
            except NoValue:
                return
            if held is True:
                rest()
            elif held is not False:
                wrong = TypeError(f"needs True or False, found {source(held)}")
                raise Failed(source(guard), wrong)

        return go

    def _let(self, pattern: Any, value: Any, left: list[int]) -> Next:
        registers = self.registers
        single = not isinstance(value, OneOf)
        options = value.options if isinstance(value, OneOf) else (value,)
        listed = isinstance(options, tuple)
        gets = [self.join.value(one) for one in (options if listed else (options,))]
        step = self._pattern(pattern, frozenset(self.bound))
        rest = self.then(set(self.bound), left)

        def go() -> None:
            for get in gets:
                try:
                    found = get(registers)
                except NoValue:
                    continue
                for one in (found,) if single or listed else _elements(found, value):
                    step(one, rest)

        return go

    def _checked(self, equation: _Equation, bound: set[Variable], left: list[int]) -> Next:
        registers, at, join = self.registers, equation.at, self.join
        if equation.given is not None:
            get, rest = join.value(equation.given), self.then(bound, left)

            def go() -> None:
                try:
                    right = get(registers) == registers[at]
                except NoValue:
                    return
                if right:
                    rest()

            return go
        used = [(variable, join.places[variable]) for variable in equation.needs]
        after = self.then(bound, left)

        def settle() -> None:
            env = {variable: decode(registers[place]) for variable, place in used}
            try:
                right = all(same(evaluate(given, env), value) for given, value in registers[at])
            except NoValue:
                return
            if right:
                after()

        return settle

    def _look(self, left: list[int]) -> Next:
        """Match the pattern next of which most is known, of equals the first."""
        join, registers = self.join, self.registers
        at = min(left, key=self._rank)
        pattern, found = join.query.patterns[at], join.patterns[at]
        term_type, pool, known = (
            found.term_type,
            join.known.pool(found.term_type),
            found.known(self.bound),
        )
        mine, turn = join.fresh(), join.turn
        others = [
            register for other, register in self.chosen if other is term_type or other == term_type
        ]
        numbers = pool.numbers
        left = [one for one in left if one != at]

        def free(value: Any) -> bool:
            taken = sum(1 for other in others if registers[other] == value)
            return taken < numbers[value]

        if len(known) == len(found.arguments):
            get = join.value(pattern)
            self.chosen.append((term_type, mine))
            rest, waiting = self.then(set(self.bound), left), join.waiting

            def find() -> None:
                turn()
                try:
                    value = get(registers)
                except NoValue:
                    return
                registers[mine] = value
                if value not in numbers:
                    waiting.setdefault(value, []).append((registers.copy(), rest))
                elif free(value):
                    rest()

            return find
        self.tried.add(at)
        arguments = pattern.term_arguments()
        gets = [join.value(arguments[place]) for place in known]
        index = pool.by(tuple([place + 1 for place in known])) if known else {}
        step = self._pattern(pattern, frozenset(self.bound), frozenset(known))
        self.chosen.append((term_type, mine))
        rest = self.then(set(self.bound), left)

        def go() -> None:
            if gets:
                try:
                    values = index.get(tuple([get(registers) for get in gets]), ())
                except NoValue:
                    return
            else:
                values = [*numbers]
            for value in values:
                turn()
                if not others or free(value):
                    registers[mine] = value
                    step(value, rest)

        return go

    def _rank(self, at: int) -> tuple[int, float, int]:
        found = self.join.patterns[at]
        known = len(found.known(self.bound))
        if known == len(found.arguments):
            return (0, 0, at)
        waits = any(not needs <= self.bound | found.own for needs in found.computed)
        expected = len(self.join.known.pool(found.term_type).numbers) / 4.0**known
        return (2 if waits else 1, expected, at)

    # -- patterns --------------------------------------------------------------------------
    def _pattern(
        self, pattern: Any, bound: frozenset[Variable], known: frozenset[int] = frozenset()
    ) -> Callable[[Any, Next], None]:
        """Return what matches a value and calls what comes next; notes what is bound then.

        known   arguments of the pattern that have been looked up
        """
        if not matches_once(pattern):
            return self._any_way(pattern, bound)
        self.bound, parts_computed = set(bound), list[_Equation]()
        test = self._test(pattern, self.bound, known, parts_computed)
        registers, checks = self.registers, list[tuple[Get, int]]()
        for equation in parts_computed:
            if equation.needs <= self.bound:
                checks.append((self.join.value(equation.given), equation.at))
            else:
                self.equations.append(equation)

        def go(value: Any, rest: Next) -> None:
            if not test(value):
                return
            try:
                for get, at in checks:
                    if get(registers) != registers[at]:
                        return
            except NoValue:
                return
            rest()

        return go

    def _test(
        self, pattern: Any, bound: set[Variable], known: frozenset[int],
        equations: list[_Equation],
    ) -> Test:  # fmt: skip
        """Return the test of a pattern that matches in one way at most; it binds as it goes."""
        registers, join = self.registers, self.join
        if isinstance(pattern, Wildcard):
            return lambda value: True
        if isinstance(pattern, Variable):
            at = join.places[pattern]
            if pattern in bound:
                return lambda value: bool(registers[at] == value)
            bound.add(pattern)
            admits = _admits(pattern)

            def bind(value: Any) -> bool:
                registers[at] = value
                return admits is None or admits(value)

            return bind
        if isinstance(pattern, Expression):
            mine = join.fresh()
            equations.append(_Equation(pattern, mine, frozenset(variables(pattern))))

            def keep(value: Any) -> bool:
                registers[mine] = value
                return True

            return keep
        if is_ground(pattern):
            constant = encode(pattern)
            return lambda value: bool(value == constant)
        if isinstance(pattern, Term):
            first, inner = 1, pattern.term_arguments()
            ctor: Any = Ctor.of(type(pattern))
        else:
            first, inner, ctor = 0, pattern, None
        size = first + len(inner)
        tests = [
            (place + first, self._test(part, bound, frozenset(), equations))
            for place, part in enumerate(inner)
            if place not in known
        ]

        def compound(value: Any) -> bool:
            if value.__class__ is not tuple or len(value) != size:
                return False
            if first:
                if value[0] is not ctor:
                    return False
            elif value and value[0].__class__ is Ctor:
                return False
            return all(test(value[place]) for place, test in tests)

        return compound

    def _any_way(self, pattern: Any, bound: frozenset[Variable]) -> Callable[[Any, Next], None]:
        """Return what matches a pattern in every way, by the definition."""
        registers, join, mine = self.registers, self.join, self.join.fresh()
        own = binders(pattern)
        before = [(variable, join.places[variable]) for variable in own if variable in bound]
        fresh = [(variable, join.places[variable]) for variable in own if variable not in bound]
        self.bound = {*bound, *own}
        needs = frozenset(v for part in computed(pattern) for v in variables(part))
        if computes(pattern):
            self.equations.append(_Equation(None, mine, needs))

        def go(value: Any, rest: Next) -> None:
            env = {variable: decode(registers[at]) for variable, at in before}
            pending: Pending
            for found, pending in match(pattern, decode(value), env):
                for variable, at in fresh:
                    registers[at] = encode(found[variable])
                registers[mine] = pending
                rest()

        return go


def _admits(variable: Variable) -> Test | None:
    """Return the test whether a variable's kind admits a value; None where every value will do."""
    if variable.kind == "term":
        return None
    if variable.kind == "constructor":
        term_types = {Ctor.of(one) for one in variable.constructors}
        return lambda value: term_type_of(value) in term_types
    plain = {"int": int, "str": str, "bool": Truth}.get(variable.kind)
    if plain is not None:
        return lambda value: value.__class__ is plain
    return lambda value: bool(term_type_of(value) == variable.kind)


def _elements(found: Any, value: OneOf) -> Sequence[Any]:
    """Return the elements of a sequence or bag to choose one of."""
    term_type = term_type_of(found)
    if term_type == "seq":
        return found  # type: ignore[no-any-return]
    if term_type == "bag":
        return found[1:]  # type: ignore[no-any-return]
    raise Failed(repr(value), TypeError(f"needs a sequence, found {source(decode(found))}"))


def _needs(part: Any) -> frozenset[Variable] | None:
    """Return the variables that make a part of a pattern known; None where nothing does.

    A `*X` may be no sequence, and then it matches nothing: that is left to matching.
    """
    if any(isinstance(one, (Wildcard, Splice)) for one in everywhere(part, parts)):
        return None
    return frozenset(variables(part))

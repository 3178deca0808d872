"""Joins as Python source: nested loops over hash indexes, one function for each shape and seed.

The order is greedy: what can be checked is checked at once, else what has the fewest expected
matches comes next, by the sizes of relations and how many values each column has. A pattern with
something computed from what is not known yet comes late. In which order the parts of a rule are
written decides nothing but ties.

What is compiled takes constants and relations and returns `run(left, new…)`, which is called again
in each round: `left` terms may be tried until `spend` is asked, `new` are the terms of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from attrs import frozen

from rewrite.compile.interning import TRUTH, Ctor, Truth, decode, encode, term_type_of
from rewrite.compile.slots.join_shapes import PLAIN, Form, Shape, needs
from rewrite.language.evaluation import FUNCTIONS, NoValue

Then = Callable[[], None]
Relation = tuple[Any, tuple[int, ...] | None]
"""A type of terms, and the places by which they are found; None: by themselves."""
Sizes = tuple[tuple[int, ...], ...]
"""For each pattern how many terms there are, and how many different values in each place."""
MOST_FUNCTIONS = 500
ANSWER_WORK, WAY_WORK, SLOW_WORK = 10, 50, 100
"""An answer costs as much as trying that many terms; so do a match and a value by the definition.
"""
LOOPS_IN_ONE = 15
"""Python allows twenty blocks within each other in one function."""
NEW = ", *new"
"""Stands for the names of the relations of new terms, until all are known."""
OPERATORS = {"&": "and", "|": "or"}
CLASSES = {"int": "int", "str": "str", "bool": "Truth"}
NAMES: dict[str, Any] = {
    "F": FUNCTIONS, "TRUTH": TRUTH, "Truth": Truth, "decode": decode, "encode": encode,
    "typed": term_type_of, "Ctor": Ctor, "NoValue": NoValue, "new": tuple.__new__,
}  # fmt: skip


@frozen
class Compiled:
    """`bind(constants, relations, seen, atoms, fresh, spend, answer, deep)` returns `run`."""

    bind: Any
    known: tuple[Relation, ...]
    new: tuple[Relation, ...]


@lru_cache(MOST_FUNCTIONS)
def compiled(
    shape: Shape, seed: int | None, sizes: Sizes, puts: tuple[int, ...], deep: bool
) -> Compiled:
    """Return the function for a shape in which the pattern `seed` matches new terms only.

    puts  the places in the third part of an answer that hold atoms: `fresh` gets those not known
    deep  whether that part has to be checked by `deep`
    """
    return _Writer(shape, seed, sizes, puts, deep).compiled()


class _Writer:
    def __init__(
        self, shape: Shape, seed: int | None, sizes: Sizes, puts: tuple[int, ...], deep: bool
    ) -> None:
        self.shape, self.seed, self.sizes, self.puts, self.deep = shape, seed, sizes, puts, deep
        self.lines: list[str] = []
        self.functions: list[str] = []
        self.assigned: dict[str, None] = {}
        self.depth, self.loops = 2, 0
        self.skip = "return left"
        self.names = dict(NAMES)
        self.counter = 0
        self.known: dict[Relation, str] = {}
        self.new: dict[Relation, str] = {}
        self.bound: set[int] = set()
        self.equations: list[tuple[Form, str]] = []
        self.chosen: list[tuple[Any, str]] = []
        """(term type, name) of the terms that were matched so far."""
        self.patterns = list(range(len(shape.patterns)))
        self.lets, self.guards = list(shape.lets), list(shape.guards)
        self.arguments = [
            [needs(part) for part in form[2]] if form[0] == "make" else [None] * (form[0] == "ways")
            for _, form in shape.patterns
        ]
        self.waits_for = [_unbound(form) for _, form in shape.patterns]

    def compiled(self) -> Compiled:
        self._steps()
        news = "".join(f", {name}" for name in self.new.values())
        head = [
            "def bind(c, r, seen, atoms, fresh, spend, answer, deep):",
            *[f" c{j} = c[{j}]" for j in range(self.shape.constants)],
            *[f" {name} = r[{at}]" for at, name in enumerate(self.known.values())],
            " add = fresh.append",
        ]
        run = [f" def run(left{news}):", *self.lines, "  return left", " return run"]
        text = "\n".join([*head, *self.functions, *run]).replace(NEW, news)
        exec(compile(text, "<join>", "exec"), self.names)
        return Compiled(self.names.pop("bind"), tuple(self.known), tuple(self.new))

    # -- writing ---------------------------------------------------------------------------
    def line(self, text: str) -> None:
        name, assigns, _ = text.removeprefix("try: ").partition(" = ")
        if assigns and name.isidentifier():
            self.assigned.setdefault(name)
        self.lines.append(" " * self.depth + text)

    def unless(self, test: str) -> None:
        """Go on to the next term unless a test holds."""
        self.line(f"if not ({test}): {self.skip}")

    def name(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def constant(self, value: Any) -> str:
        """Return the name of a value that belongs to the shape."""
        for name, held in self.names.items():
            if held is value:
                return name
        name = self.name("k")
        self.names[name] = value
        return name

    def relation(self, at: int, places: tuple[int, ...] | None) -> str:
        """Return the name of the relation that a pattern looks in."""
        table, stem = (self.new, "n") if at == self.seed else (self.known, "r")
        return table.setdefault((self.shape.patterns[at][0], places), f"{stem}{len(table)}")

    @contextmanager
    def loop(self, head: str) -> Iterator[None]:
        """Write a loop, in a function of its own where there are too many around it."""
        outer = self.lines, self.depth, self.skip
        apart = self.loops and self.loops % LOOPS_IN_ONE == 0
        if apart:
            call = f"{self.name('more')}(left{NEW}{''.join(f', {one}' for one in self.assigned)})"
            self.lines, self.depth = [f" def {call}:"], 2
        self.line(head)
        self.assigned.setdefault(head.split()[1])
        self.skip = "continue"
        self.depth += 1
        self.loops += 1
        yield
        if apart:
            self.functions += [*self.lines, "  return left"]
        lines, self.depth, self.skip = outer
        if apart:
            self.lines = lines
            self.line(f"left = {call}")

    # -- order -----------------------------------------------------------------------------
    def _steps(self) -> None:
        """Write all that is left to do, the next step first."""
        for at, (form, name) in enumerate(self.equations):
            if {*form[-1]} <= self.bound:
                del self.equations[at]
                self._check(form, name)
                return self._steps()
        for at, let in enumerate(self.lets):
            if not let[2] and self._is_ready(let[1]):
                del self.lets[at]
                return self._match(let[0], self.encoded(let[1]), self._steps)
        for at, guard in enumerate(self.guards):
            if {*guard[4]} <= self.bound:
                del self.guards[at]
                self._guard(guard)
                return self._steps()
        patterns = [(*self._cost(at), at, -1) for at in self.patterns]
        lets = [
            (0, float(one[2]), at, at) for at, one in enumerate(self.lets) if self._is_ready(one[1])
        ]
        if not patterns and not lets:
            return self._answer()
        *_, at, let_at = min([*patterns, *lets])
        if let_at < 0:
            self.patterns.remove(at)
            return self._look(at)
        form, value, number = self.lets.pop(let_at)
        options = self.encoded(value) if value[0] == "const" else self.slow(value)
        self._spend(SLOW_WORK * number)
        name = self.name("o")
        with self.loop(f"for {name} in {options}:"):
            self._match(form, name, self._steps)
        return None

    def _is_ready(self, form: Form) -> bool:
        found = needs(form)
        return found is not None and found <= self.bound

    def _places(self, at: int) -> list[int]:
        """Return which arguments of a pattern are known."""
        return [
            place for place, some in enumerate(self.arguments[at])
            if some is not None and some <= self.bound
        ]  # fmt: skip

    def _cost(self, at: int) -> tuple[int, float]:
        """Return how late a pattern should come, and how many matches it may have."""
        if not self.waits_for[at] <= self.bound:
            return 1, float(self.sizes[at][0])
        if at == self.seed:
            return 0, -1.0
        places = self._places(at)
        if len(places) == len(self.arguments[at]):
            return 0, 0.5
        found = float(self.sizes[at][0])
        for place in places:
            found /= self.sizes[at][place + 1]
        return 0, found

    # -- steps -----------------------------------------------------------------------------
    def _check(self, form: Form, name: str) -> None:
        if form[0] == "ways":
            self.unless(f"c{form[1]}.settle({name}{''.join(f', x{i}' for i in form[-1])})")
        else:
            self.unless(f"{self.encoded(form)} == {name}")

    def _guard(self, guard: Form) -> None:
        if guard[3] is None:
            self.unless(self.decoded(guard))
            return
        name = self.name("t")
        self.line(f"{name} = {self.decoded(guard)}")
        self.line(f"if {name} is not True:")
        self.line(f" if {name} is not False: c{guard[3]}.refuse({name})")
        self.line(f" {self.skip}")

    def _look(self, at: int) -> None:
        term_type, form = self.shape.patterns[at]
        places, name = self._places(at), self.name("v")
        others = [other for one, other in self.chosen if one == term_type]
        if len(places) == len(self.arguments[at]):
            self.line(f"{name} = {self.encoded(form)}")
            self.unless(f"{name} in {self.relation(at, None)}")
            self._distinct(at, name, others)
            return self._steps()
        if places:
            keys = [self.encoded(form[2][place]) for place in places]
            index = self.relation(at, tuple([place + 1 for place in places]))
            key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
            found = self.name("l")
            self.line(f"{found} = {index}.get({key}, ())")
        else:
            found = self.relation(at, None)
        self._spend(f"len({found})")
        with self.loop(f"for {name} in {found}:"):
            self._distinct(at, name, others)
            if form[0] == "ways":
                return self._match(form, name, self._steps)
            rest = [
                (part, f"{name}[{place + 1}]")
                for place, part in enumerate(form[2]) if place not in places
            ]  # fmt: skip
            self._match_all(rest, self._steps)
        return None

    def _distinct(self, at: int, name: str, others: list[str]) -> None:
        """A term can be matched as often as it is there."""
        self.chosen.append((self.shape.patterns[at][0], name))
        if others:
            # what is new is there once, and known too
            numbers = self.known.setdefault(
                (self.shape.patterns[at][0], None), f"r{len(self.known)}"
            )
            times = " + ".join(f"({name} == {other})" for other in others)
            self.line(f"if {' or '.join(f'{name} == {other}' for other in others)}:")
            self.line(f" if {times} >= {numbers}[{name}]: {self.skip}")

    def _answer(self) -> None:
        wanted = "".join(f"x{i}, " for i in self.shape.wanted)
        self.line(f"g = ({wanted})")
        self.line(f"if g in seen: {self.skip}")
        before, self.skip = self.skip, "seen[g] = None; " + self.skip
        parts, put = [], self.shape.parts[2]
        for at, part in enumerate(self.shape.parts):
            if at == 2 and part[0] == "make":
                inner = [self._named(one) for one in part[2]]
                parts.append(f"({''.join(one + ', ' for one in inner)})")
            else:
                parts.append(self.encoded(part))
        self.skip = before
        if self.deep:
            self.line(f"deep({parts[2]})")
        self.line(f"seen[g] = new(answer, (g, {', '.join(parts)}))")
        self._spend(ANSWER_WORK)
        for place in self.puts:
            made = inner[place] if put[0] == "make" else f"{parts[2]}[{place}]"
            self.line(f"if {made} not in atoms: atoms[{made}] = None; add({made})")

    def _named(self, form: Form) -> str:
        """Return the name of a value that is used more than once."""
        value = self.encoded(form)
        if form[0] != "make":
            return value
        name = self.name("p")
        self.line(f"{name} = {value}")
        return name

    # -- patterns --------------------------------------------------------------------------
    def _match_all(self, pairs: Sequence[tuple[Form, str]], then: Then) -> None:
        if not pairs:
            return then()
        (form, value), *rest = pairs
        return self._match(form, value, lambda: self._match_all(rest, then))

    def _match(self, form: Form, value: str, then: Then) -> None:
        """Match a form with a value, and write what follows for each way."""
        match form[0]:
            case "var":
                self._match_variable(form[1], value)
            case "const":
                self.unless(f"{value} == c{form[1]}")
            case "expr":
                name = self.name("t")
                self.line(f"{name} = {value}")
                self.equations.append((form, name))
            case "make":
                name, first = self.name("t"), int(form[1] is not None)
                self.line(f"{name} = {value}")
                size = len(form[2]) + first
                self.unless(f"{name}.__class__ is tuple and len({name}) == {size}")
                if first:
                    self.unless(f"{name}[0] is {self.constant(form[1])}")
                elif size:
                    self.unless(f"{name}[0].__class__ is not Ctor")
                pairs = [(part, f"{name}[{at + first}]") for at, part in enumerate(form[2])]
                return self._match_all(pairs, then)
            case "around":
                return self._match_around(form, value, then)
            case "ways":
                return self._match_ways(form, value, then)
        return then()

    def _match_around(self, form: Form, value: str, then: Then) -> None:
        _, first, middle, last = form
        name, size = self.name("t"), len(first) + len(last)
        self.line(f"{name} = {value}")
        self.unless(f"{name}.__class__ is tuple and len({name}) >= {size}")
        self.unless(f"not {name} or {name}[0].__class__ is not Ctor")
        pairs = [(part, f"{name}[{at}]") for at, part in enumerate(first)]
        pairs += [(part, f"{name}[{at - len(last)}]") for at, part in enumerate(last)]
        end = f"-{len(last)}" if last else ""
        return self._match_all([*pairs, (middle, f"{name}[{len(first)}:{end}]")], then)

    def _match_variable(self, place: int, value: str) -> None:
        kind, name = self.shape.kinds[place], f"x{place}"
        if place in self.bound:
            self.unless(f"{name} == {value}")
            return
        self.bound.add(place)
        self.line(f"{name} = {value}")
        if kind in CLASSES:
            self.unless(f"{name}.__class__ is {CLASSES[kind]}")
        elif isinstance(kind, frozenset):
            self.unless(f"typed({name}) in {self.constant(kind)}")
        elif kind != "term":
            self.unless(f"typed({name}) == {kind!r}")

    def _match_ways(self, form: Form, value: str, then: Then) -> None:
        _, at, own, _ = form
        bound = "".join(f"({place}, x{i}), " for place, i in enumerate(own) if i in self.bound)
        name = self.name("w")
        with self.loop(f"for {name} in c{at}({value}, ({bound})):"):
            self._spend(WAY_WORK)
            for place, i in enumerate(own):
                if i not in self.bound:
                    self.line(f"x{i} = {name}[{place}]")
            self.bound |= {*own}
            self.equations.append((form, f"{name}[-1]"))
            then()

    # -- values ----------------------------------------------------------------------------
    def encoded(self, form: Form) -> str:
        """Return the encoded value of a form; what may fail is computed on a line before."""
        match form[0]:
            case "var":
                return f"x{form[1]}"
            case "const":
                return f"c{form[1]}"
            case "splice":
                return f"*x{form[1]}"
            case "make":
                first = [] if form[1] is None else [self.constant(form[1])]
                inner = [*first, *map(self.encoded, form[2])]
                return f"({''.join(one + ', ' for one in inner)})"
        value, kind = self.decoded(form), form[2]
        if kind in PLAIN:
            return value
        return f"TRUTH[{value}]" if kind == "bool" and form[3] is None else f"encode({value})"

    def decoded(self, form: Form) -> str:
        """Return the value of an expression as a term."""
        _, node, _, slow, _ = form
        if slow is None:
            return self.node(node)
        name, call = self.name("e"), self.slow(form)
        if node[0] == "slow":
            self._spend(SLOW_WORK)
            self.line(f"try: {name} = {call}")
        else:  # by the definition again: it fails with the right words
            self.line("try:")
            self.line(f" try: {name} = {self.node(node)}")
            self.assigned.setdefault(name)
            self.line(f" except (TypeError, OverflowError): {name} = {call}")
        self.line(f"except NoValue: {self.skip}")
        return name

    def _spend(self, work: int | str) -> None:
        self.line(f"left -= {work}")
        self.line("if left < 0: left = spend(left)")

    def slow(self, form: Form) -> str:
        return f"c{form[3]}({', '.join(f'x{i}' for i in form[4])})"

    def node(self, node: Form) -> str:
        match node[0]:
            case "var":
                kind = self.shape.kinds[node[1]]
                name = f"x{node[1]}"
                if kind in PLAIN:
                    return name
                return f"{name}.value" if kind == "bool" else f"decode({name})"
            case "const":
                return f"c{node[1]}"
            case "literal":
                return repr(node[1])
            case "same":
                return f"({self.encoded(node[2])} {node[1]} {self.encoded(node[3])})"
            case "in":
                return f"({self.encoded(node[1])} in c{node[2]})"
            case "call":
                return f"F[{node[1]!r}]({', '.join(map(self.node, node[2:]))})"
        op, *operands = node[1], *map(self.node, node[2:])
        match op:
            case "neg":
                return f"(-{operands[0]})"
            case "abs":
                return f"abs({operands[0]})"
            case "~":
                return f"(not {operands[0]})"
            case "between":
                return f"({' <= '.join(operands)})"
            case "if_":
                return f"({operands[1]} if {operands[0]} else {operands[2]})"
        return f"({operands[0]} {OPERATORS.get(op, op)} {operands[1]})"


def _inner(form: Form) -> Iterator[Form]:
    yield form
    if form[0] == "make":
        for part in form[2]:
            yield from _inner(part)
    elif form[0] == "around":
        for part in (*form[1], form[2], *form[3]):
            yield from _inner(part)


def _unbound(form: Form) -> frozenset[int]:
    """Return the variables that a pattern's computed parts need and that it does not bind."""
    needed, own = set[int](), set[int]()
    for one in _inner(form):
        if one[0] == "var":
            own.add(one[1])
        elif one[0] in ("expr", "ways"):
            needed |= {*one[-1]}
            own |= {*one[2]} if one[0] == "ways" else set()
    return frozenset(needed - own)

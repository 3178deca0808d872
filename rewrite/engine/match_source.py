"""Source that matches one pattern against one encoded value, in every possible way.

Written in continuation style: each method writes the tests and loops of its part and calls `then`
where the match has succeeded, with the names of the variables bound so far and the equations that
still wait for a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewrite.compiler.interning import BAG, Ctor, Truth, encode
from rewrite.engine import runtime
from rewrite.engine.expression_source import ExpressionSource, Names, may_lack_value
from rewrite.engine.writer import Writer
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import OneOf
from rewrite.language.patterns import variables
from rewrite.language.terms import Term, is_ground

Waiting = tuple[tuple[Any, str], ...]
Then = Callable[[Names, Waiting], None]


class MatchSource:
    """Writes matching code; `missing` is a statement for a computed part without a value."""

    def __init__(self, writer: Writer, expressions: ExpressionSource) -> None:
        self.writer = writer
        self.expressions = expressions
        self.missing = "pass"
        writer.namespace["rt_is_seq"] = runtime.is_seq
        writer.namespace["rt_is_bag"] = runtime.is_bag
        writer.namespace["rt_has_ctor"] = runtime.has_ctor
        writer.namespace["rt_choices"] = runtime.choices
        writer.namespace["rt_without"] = runtime.without
        writer.namespace["rt_splits"] = runtime.splits
        writer.namespace["Truth"] = Truth

    def compute(self, template: Any, names: Names, then: Callable[[str], None]) -> None:
        """Write the value of a template into a name; nothing follows where it has none."""
        source = self.expressions.value(template, names)
        if not may_lack_value(template):
            if source.isidentifier():
                then(source)
                return
            name = self.writer.fresh("e")
            self.writer.line(f"{name} = {source}")
            then(name)
            return
        name = self.writer.fresh("e")
        with self.writer.block("try:"):
            self.writer.line(f"{name} = {source}")
        with self.writer.block("except NO_VALUE:"):
            self.writer.line(self.missing)
        with self.writer.block("else:"):
            then(name)

    def settle(self, names: Names, waiting: Waiting, then: Then) -> None:
        """Check the equations whose variables all have values, then go on."""
        for index, (template, value) in enumerate(waiting):
            if set(variables(template)) <= set(names):
                rest = waiting[:index] + waiting[index + 1 :]

                def equal(name: str, value: str = value, rest: Waiting = rest) -> None:
                    with self.writer.block(f"if {name} == {value}:"):
                        self.settle(names, rest, then)

                self.compute(template, names, equal)
                return
        then(names, waiting)

    def match(
        self, pattern: Any, value: str, names: Names, waiting: Waiting, then: Then, *, typed: bool
    ) -> None:
        """Write the match of `pattern` with the value named `value`; `typed`: its head is known."""
        write = self.writer
        if isinstance(pattern, Wildcard):
            then(names, waiting)
        elif isinstance(pattern, Variable):
            if pattern in names:
                with write.block(f"if {names[pattern]} == {value}:"):
                    then(names, waiting)
            else:
                test = None if typed else self._kind_test(pattern, value)
                bound = {**names, pattern: value}
                if test is None:
                    self.settle(bound, waiting, then)
                else:
                    with write.block(f"if {test}:"):
                        self.settle(bound, waiting, then)
        elif isinstance(pattern, Expression):
            self.settle(names, (*waiting, (pattern, value)), then)
        elif is_ground(pattern):
            with write.block(f"if {value} == {write.constant(encode(pattern))}:"):
                then(names, waiting)
        elif isinstance(pattern, tuple):
            with write.block("if True:" if typed else f"if rt_is_seq({value}):"):
                self._sequence(pattern, value, names, waiting, then)
        elif isinstance(pattern, Bag):
            with write.block("if True:" if typed else f"if rt_is_bag({value}):"):
                self._bag(pattern, value, names, waiting, then)
        else:
            assert isinstance(pattern, Term)
            ctor = write.constant(Ctor.of(type(pattern)), "C")
            with write.block("if True:" if typed else f"if rt_has_ctor({value}, {ctor}):"):
                arguments = pattern.term_arguments()
                fields = [write.fresh("f") for _ in arguments]
                write.line(f"{', '.join(['_', *fields])}{'' if fields else ','} = {value}")
                self.match_all(list(zip(arguments, fields, strict=True)), names, waiting, then)

    def let(self, pattern: Any, value: Any, names: Names, waiting: Waiting, then: Then) -> None:
        """Write a `let`: the value, or each choice of a one_of, matched with the pattern."""
        write = self.writer

        def matched(name: str) -> None:
            self.match(pattern, name, names, waiting, then, typed=False)

        if not isinstance(value, OneOf):
            self.compute(value, names, matched)
        elif not isinstance(value.options, tuple):

            def each(name: str) -> None:
                option = write.fresh("t")
                with write.block(f"for {option} in rt_elements({name}):"):
                    matched(option)

            self.compute(value.options, names, each)
        elif is_ground(value.options):
            option = write.fresh("t")
            with write.block(f"for {option} in {self.expressions.value(value.options, names)}:"):
                matched(option)
        else:
            for one in value.options:
                self.compute(one, names, matched)

    def _kind_test(self, variable: Variable, value: str) -> str | None:
        if variable.kind == "term":
            return None
        if variable.kind == "seq":
            return f"rt_is_seq({value})"
        if variable.kind == "bag":
            return f"rt_is_bag({value})"
        if variable.kind == "constructor":
            marks = [self.writer.constant(Ctor.of(one), "C") for one in variable.constructors]
            return " or ".join(f"rt_has_ctor({value}, {mark})" for mark in marks)
        return (
            f"{value}.__class__ is { {'int': 'int', 'str': 'str', 'bool': 'Truth'}[variable.kind] }"
        )

    def match_all(
        self, pairs: Sequence[tuple[Any, str]], names: Names, waiting: Waiting, then: Then
    ) -> None:
        if not pairs:
            then(names, waiting)
            return
        (pattern, value), rest = pairs[0], pairs[1:]
        self.match(
            pattern, value, names, waiting,
            lambda found, more: self.match_all(rest, found, more, then), typed=False,
        )  # fmt: skip

    def _sequence(
        self, pattern: tuple[Any, ...], value: str, names: Names, waiting: Waiting, then: Then
    ) -> None:
        write = self.writer
        splices = [i for i, part in enumerate(pattern) if isinstance(part, Splice)]
        if not splices:
            with write.block(f"if len({value}) == {len(pattern)}:"):
                fields = [write.fresh("f") for _ in pattern]
                if fields:
                    write.line(f"{', '.join(fields)}{',' * (len(fields) == 1)} = {value}")
                self.match_all(list(zip(pattern, fields, strict=True)), names, waiting, then)
            return
        fixed = len(pattern) - len(splices)
        with write.block(f"if len({value}) >= {fixed}:" if fixed else "if True:"):
            self._from(pattern, value, "0", names, waiting, then)

    def _from(
        self,
        pattern: tuple[Any, ...],
        value: str,
        at: str,
        names: Names,
        waiting: Waiting,
        then: Then,
    ) -> None:
        """Match `pattern` with value[at:], whose length is known to be enough."""
        write = self.writer
        first = next(i for i, part in enumerate(pattern) if isinstance(part, Splice))
        tail = pattern[first + 1 :]
        fixed_after = sum(1 for part in tail if not isinstance(part, Splice))
        pairs: list[tuple[Any, str]] = []
        for offset, part in enumerate(pattern[:first]):
            name = write.fresh("f")
            write.line(f"{name} = {value}[{_plus(at, offset)}]")
            pairs.append((part, name))
        begin = _plus(at, first)
        splice = pattern[first].inner
        if fixed_after == len(tail):  # the last splice: its end is known
            end = f"len({value}) - {len(tail)}" if tail else f"len({value})"
            for offset, part in enumerate(tail):
                name = write.fresh("f")
                write.line(f"{name} = {value}[{offset - len(tail)}]")
                pairs.append((part, name))
            inner = write.fresh("s")
            write.line(f"{inner} = {value}[{begin}:{end}]")
            self.match_all(
                pairs, names, waiting,
                lambda found, more: self._splice(splice, inner, found, more, then),
            )  # fmt: skip
            return

        def cuts(found: Names, more: Waiting) -> None:
            if splice in found:
                # a splice that is bound: its length is known, so there is one cut
                size = f"len({found[splice]})"
                inner, stop = write.fresh("s"), write.fresh("c")
                write.line(f"{stop} = {begin} + {size}")
                write.line(f"{inner} = {value}[{begin}:{stop}]")
                with write.block(
                    f"if {inner} == {found[splice]} and {stop} <= len({value}) - {fixed_after}:"
                ):
                    self._from(tail, value, stop, found, more, then)
                return
            stop, inner = write.fresh("c"), write.fresh("s")
            with write.block(f"for {stop} in range({begin}, len({value}) - {fixed_after} + 1):"):
                write.line(f"{inner} = {value}[{begin}:{stop}]")
                self._splice(
                    splice, inner, found, more,
                    lambda names_, more_: self._from(tail, value, stop, names_, more_, then),
                )  # fmt: skip

        self.match_all(pairs, names, waiting, cuts)

    def _splice(
        self, inner: Expression, value: str, names: Names, waiting: Waiting, then: Then
    ) -> None:
        # a slice of a sequence is a sequence: the kind needs no test
        typed = kind_of(inner) in ("seq", "term")
        self.match(inner, value, names, waiting, then, typed=typed)

    def _bag(self, pattern: Bag, value: str, names: Names, waiting: Waiting, then: Then) -> None:
        write = self.writer
        plain = [part for part in pattern.items if not isinstance(part, Splice)]
        splices = [part.inner for part in pattern.items if isinstance(part, Splice)]
        size = f"len({value}) {'>=' if splices else '=='} {len(plain) + 1}"
        with write.block(f"if {size}:"):
            rest = write.fresh("b")
            write.line(f"{rest} = {value}[1:]")
            self._bag_items(plain, splices, rest, (), names, waiting, then)

    def _bag_items(
        self, plain: list[Any], splices: list[Any], values: str, used: tuple[str, ...],
        names: Names, waiting: Waiting, then: Then,
    ) -> None:  # fmt: skip
        write = self.writer
        places = f"({', '.join(used)}{',' * (len(used) == 1)})"
        if plain:
            place, item = write.fresh("p"), write.fresh("t")
            with write.block(f"for {place}, {item} in rt_choices({values}, {places}):"):
                self.match(
                    plain[0], item, names, waiting,
                    lambda found, more: self._bag_items(
                        plain[1:], splices, values, (*used, place), found, more, then
                    ), typed=False,
                )  # fmt: skip
            return
        if not splices:
            then(names, waiting)
            return
        shares = [write.fresh("s") for _ in splices]
        left = write.fresh("b")
        write.line(f"{left} = rt_without({values}, {places})")
        with write.block(f"for {', '.join(shares)}, in rt_splits({left}, {len(splices)}):"):
            bags = [write.fresh("b") for _ in splices]
            bag_ctor = write.constant(BAG, "C")
            for bag, share in zip(bags, shares, strict=True):
                write.line(f"{bag} = ({bag_ctor}, *{share})")
            self.match_all(list(zip(splices, bags, strict=True)), names, waiting, then)


def _plus(at: str, offset: int) -> str:
    if at.isdigit():
        return str(int(at) + offset)
    return f"{at} + {offset}" if offset else at

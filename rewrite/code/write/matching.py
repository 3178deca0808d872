"""What matches one pattern against one encoded value, in every possible way.

Written in continuation style: each method writes the tests and loops of its part and calls `then`
where the match has succeeded, with the values of the variables bound so far and the equations that
still wait for a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewrite.code import operations as o
from rewrite.code.types import ANY, BAG, PLACE, SEQ, admits, of_kind, of_value
from rewrite.code.write.build import Builder
from rewrite.code.write.expressions import Expressions, Names, may_lack_value
from rewrite.compiler.interning import BAG as BAG_MARK
from rewrite.compiler.interning import Ctor, encode
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import OneOf
from rewrite.language.patterns import variables
from rewrite.language.terms import Term, is_ground

Waiting = tuple[tuple[Any, o.Value], ...]
Then = Callable[[Names, Waiting], None]


class Matching:
    """Writes matching; `missing` is what is done for a computed part without a value."""

    def __init__(self, write: Builder, expressions: Expressions) -> None:
        self.write = write
        self.expressions = expressions
        self.missing: o.Body = ()

    def compute(self, template: Any, names: Names, then: Callable[[o.Value], None]) -> None:
        """Write the value of a template into a register; nothing follows where it has none."""
        value = self.expressions.value(template, names)
        if not may_lack_value(template):
            if isinstance(value, (o.Reg, o.Const)):
                then(value)
                return
            into = self.write.fresh("e", of_kind(kind_of(template)))
            self.write.add(o.Let(into, value))
            then(into)
            return
        into = self.write.fresh("e", of_kind(kind_of(template)))
        with self.write.block(o.Attempt, into, value, self.missing):
            then(into)

    def settle(self, names: Names, waiting: Waiting, then: Then) -> None:
        """Check the equations whose variables all have values, then go on."""
        for place, (template, value) in enumerate(waiting):
            if set(variables(template)) <= set(names):
                rest = waiting[:place] + waiting[place + 1 :]

                def equal(found: o.Value, value: o.Value = value, rest: Waiting = rest) -> None:
                    with self.write.block(o.If, o.Equal(found, value)):
                        self.settle(names, rest, then)

                self.compute(template, names, equal)
                return
        then(names, waiting)

    def match(
        self,
        pattern: Any,
        value: o.Value,
        names: Names,
        waiting: Waiting,
        then: Then,
        *,
        typed: bool,
    ) -> None:
        """Write the match of `pattern` with a value; `typed`: its type is known."""
        if isinstance(pattern, Wildcard):
            then(names, waiting)
        elif isinstance(pattern, Variable):
            if pattern in names:
                with self.write.block(o.If, o.Equal(names[pattern], value)):
                    then(names, waiting)
            else:
                test = None if typed else kind_test(pattern, value)
                bound = {**names, pattern: value}
                if test is None:
                    self.settle(bound, waiting, then)
                else:
                    with self.write.block(o.If, test):
                        self.settle(bound, waiting, then)
        elif isinstance(pattern, Expression):
            self.settle(names, (*waiting, (pattern, value)), then)
        elif is_ground(pattern):
            with self.write.block(o.If, o.Equal(value, o.Const(encode(pattern)))):
                then(names, waiting)
        elif isinstance(pattern, tuple):
            self._when(
                None if typed else o.IsKind(value, "seq"),
                lambda: self._sequence(pattern, value, names, waiting, then),
            )
        elif isinstance(pattern, Bag):
            self._when(
                None if typed else o.IsKind(value, "bag"),
                lambda: self._bag(pattern, value, names, waiting, then),
            )
        else:
            assert isinstance(pattern, Term)
            self._when(
                None if typed else o.HasCtor(value, Ctor.of(type(pattern))),
                lambda: self._parts(pattern.term_arguments(), value, names, waiting, then, True),
            )

    def _when(self, test: o.Test | None, then: Callable[[], None]) -> None:
        """Write what is done where a test holds; None: it does."""
        if test is None:
            then()
            return
        with self.write.block(o.If, test):
            then()

    def _parts(self, patterns: Sequence[Any], value: o.Value, names: Names, waiting: Waiting,
               then: Then, constructed: bool) -> None:  # fmt: skip
        """Write the match of each part of a tuple, whose first one may be a constructor."""
        fields = [self.write.fresh("f") for _ in patterns]
        if fields or constructed:
            self.write.add(o.Unpack((None, *fields) if constructed else tuple(fields), value))
        self.match_all(list(zip(patterns, fields, strict=True)), names, waiting, then)

    def unpack(self, patterns: Sequence[Any], value: o.Value, names: Names, waiting: Waiting,
               then: Then) -> None:  # fmt: skip
        """Write the match of each part of a sequence."""
        self._parts(patterns, value, names, waiting, then, False)

    def let(self, pattern: Any, value: Any, names: Names, waiting: Waiting, then: Then) -> None:
        """Write a `let`: the value, or each choice of a one_of, matched with the pattern."""

        def matched(found: o.Value) -> None:
            self.match(pattern, found, names, waiting, then, typed=False)

        def each(found: o.Value) -> None:
            option = self.write.fresh("t")
            with self.write.block(o.Each, None, option, found):
                matched(option)

        if not isinstance(value, OneOf):
            self.compute(value, names, matched)
        elif not isinstance(value.options, tuple):
            self.compute(value.options, names, lambda found: each(o.Builtin("elements", (found,))))
        elif is_ground(value.options):
            each(self.expressions.value(value.options, names))
        else:
            for one in value.options:
                self.compute(one, names, matched)

    def match_all(
        self, pairs: Sequence[tuple[Any, o.Value]], names: Names, waiting: Waiting, then: Then
    ) -> None:
        """Write the match of each pattern with its value."""
        if not pairs:
            then(names, waiting)
            return
        if not waiting and all(_is_simple(pattern) for pattern, _ in pairs):
            # in any order the same: what says most comes first
            pairs = sorted(pairs, key=lambda pair: isinstance(pair[0], Expression))
        (pattern, value), rest = pairs[0], pairs[1:]
        self.match(
            pattern, value, names, waiting,
            lambda found, more: self.match_all(rest, found, more, then), typed=False,
        )  # fmt: skip

    def _sequence(
        self, pattern: tuple[Any, ...], value: o.Value, names: Names, waiting: Waiting, then: Then
    ) -> None:
        splices = sum(isinstance(part, Splice) for part in pattern)
        size = o.Const(len(pattern) - splices)
        if not splices:
            with self.write.block(o.If, o.Equal(o.Length(value), size)):
                self.unpack(pattern, value, names, waiting, then)
            return
        self._when(
            o.Compare(">=", o.Length(value), size, True) if size.value else None,
            lambda: self._from(pattern, value, o.Const(0), names, waiting, then),
        )

    def _from(self, pattern: tuple[Any, ...], value: o.Value, at: o.Value, names: Names,
              waiting: Waiting, then: Then) -> None:  # fmt: skip
        """Match `pattern` with value[at:], whose length is known to be enough."""
        write = self.write
        first = next(i for i, part in enumerate(pattern) if isinstance(part, Splice))
        tail = pattern[first + 1 :]
        fixed_after = sum(1 for part in tail if not isinstance(part, Splice))
        pairs: list[tuple[Any, o.Value]] = []

        def part(one: Any, place: o.Value) -> None:
            field = write.fresh("f")
            write.add(o.Let(field, o.Index(value, place)))
            pairs.append((one, field))

        for offset, one in enumerate(pattern[:first]):
            part(one, _plus(at, offset))
        begin = _plus(at, first)
        splice = pattern[first].inner
        end: o.Value = o.Length(value)
        if fixed_after == len(tail):  # the last splice: its end is known
            for offset, one in enumerate(tail):
                part(one, o.Const(offset - len(tail)))
            inner = write.fresh("s", SEQ)
            last = o.Arithmetic("-", end, o.Const(len(tail))) if tail else end
            write.add(o.Let(inner, o.Slice(value, begin, last)))
            self.match_all(
                pairs, names, waiting,
                lambda found, more: self._splice(splice, inner, found, more, then),
            )  # fmt: skip
            return
        latest = o.Arithmetic("-", end, o.Const(fixed_after))

        def cut(found: Names, more: Waiting) -> None:
            # a splice that is bound: its length is known, so there is one cut
            inner, stop = write.fresh("s", SEQ), write.fresh("c", PLACE)
            write.add(o.Let(stop, o.Arithmetic("+", begin, o.Length(found[splice]))))
            write.add(o.Let(inner, o.Slice(value, begin, stop)))
            fits = o.Compare("<=", stop, latest, True)
            with write.block(o.If, o.And((o.Equal(inner, found[splice]), fits))):
                self._from(tail, value, stop, found, more, then)

        def cuts(found: Names, more: Waiting) -> None:
            if splice in found:
                whole = None if splice.kind == "seq" else o.IsKind(found[splice], "seq")
                self._when(whole, lambda: cut(found, more))
                return
            stop, inner = write.fresh("c", PLACE), write.fresh("s", SEQ)
            with write.block(o.EachNumber, stop, begin, _plus(end, 1 - fixed_after)):
                write.add(o.Let(inner, o.Slice(value, begin, stop)))
                self._splice(
                    splice, inner, found, more,
                    lambda names_, more_: self._from(tail, value, stop, names_, more_, then),
                )  # fmt: skip

        self.match_all(pairs, names, waiting, cuts)

    def _splice(
        self, inner: Expression, value: o.Value, names: Names, waiting: Waiting, then: Then
    ) -> None:
        # a slice of a sequence is a sequence: the kind needs no test
        typed = kind_of(inner) in ("seq", "term")
        self.match(inner, value, names, waiting, then, typed=typed)

    def _bag(
        self, pattern: Bag, value: o.Value, names: Names, waiting: Waiting, then: Then
    ) -> None:
        plain = [part for part in pattern.items if not isinstance(part, Splice)]
        splices = [part.inner for part in pattern.items if isinstance(part, Splice)]
        size = o.Const(len(plain) + 1)
        enough: o.Test = o.Equal(o.Length(value), size)
        if splices:
            enough = o.Compare(">=", o.Length(value), size, True)
        with self.write.block(o.If, enough):
            rest = self.write.fresh("b", SEQ)
            self.write.add(o.Let(rest, o.Slice(value, o.Const(1), None)))
            self._bag_items(plain, splices, rest, (), names, waiting, then)

    def _bag_items(
        self, plain: list[Any], splices: list[Any], values: o.Value, used: tuple[o.Value, ...],
        names: Names, waiting: Waiting, then: Then,
    ) -> None:  # fmt: skip
        write = self.write
        if plain:
            place, item = write.fresh("p", PLACE), write.fresh("t")
            with write.block(o.EachFree, place, item, values, used):
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
        shares = tuple([write.fresh("s", SEQ) for _ in splices])
        left = write.fresh("b", SEQ)
        write.add(o.Let(left, o.Without(values, used)))
        with write.block(o.EachSplit, shares, left):
            bags = [write.fresh("b", BAG) for _ in splices]
            for bag, share in zip(bags, shares, strict=True):
                write.add(o.Let(bag, o.Tuple((o.Const(BAG_MARK), o.Spliced(share)))))
            self.match_all(list(zip(splices, bags, strict=True)), names, waiting, then)


def kind_test(variable: Variable, value: o.Value) -> o.Test | None:
    """Return the test that a variable takes a value; None where it always does."""
    held = value.type if isinstance(value, o.Reg) else ANY
    if isinstance(value, o.Const):
        held = of_value(value.value)
    if admits(variable, held):
        return None
    if variable.kind != "constructor":
        return o.IsKind(value, variable.kind)
    tests = [o.HasCtor(value, Ctor.of(one)) for one in variable.constructors]
    return tests[0] if len(tests) == 1 else o.Or(tuple(tests))


def _is_simple(pattern: Any) -> bool:
    """Whether all that is asked of a value is that it is this one, or of a kind."""
    if isinstance(pattern, (Variable, Wildcard)):
        return True
    return not isinstance(pattern, Expression) and is_ground(pattern)


def _plus(at: o.Value, offset: int) -> o.Value:
    if isinstance(at, o.Const):
        return o.Const(at.value + offset)
    return o.Arithmetic("+", at, o.Const(offset)) if offset else at

"""What matches one pattern against one encoded value, in every possible way.

Written in continuation style: each method writes the tests and loops of its part and calls `then`
where the match has succeeded, with what is known there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rewrite.compile.code import operations as o
from rewrite.compile.code.types import ANY, BAG, INT, SEQ, admits, of_kind, of_value
from rewrite.compile.code.write.build import Builder
from rewrite.compile.code.write.expressions import Expressions, Names
from rewrite.compile.inlining import may_lack_value
from rewrite.compile.interning import BAG as BAG_MARK
from rewrite.compile.interning import Ctor, TermType, encode
from rewrite.language.bag import Bag
from rewrite.language.expressions import Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.functions import OneOf
from rewrite.language.patterns import variables
from rewrite.language.terms import Term, is_ground


class Match(NamedTuple):
    """What is known at a place in the code of a match.

    names    the values of the variables that are bound
    waiting  computed parts of patterns, each with the value that it must have
    claims   the places that patterns have taken up, by the name of the pool
    taken    those of them that a rule takes, with their term types, by the index in `take`
    """

    names: Names
    waiting: tuple[tuple[Any, o.Value], ...]
    claims: dict[str, tuple[o.Value, ...]]
    taken: dict[int, tuple[TermType, o.Value]]

    @classmethod
    def of(cls, names: Names) -> Match:
        return cls(names, (), {}, {})

    def claim(self, pool: str, place: o.Value) -> Match:
        return self._replace(claims=self.claims | {pool: (*self.claims.get(pool, ()), place)})


Then = Callable[[Match], None]


class Matching:
    """Writes matching; `missing` is what is done for a computed part without a value."""

    def __init__(self, write: Builder, expressions: Expressions) -> None:
        self.write = write
        self.expressions = expressions
        self.missing: o.Body = ()

    def compute(self, template: Any, names: Names, then: Callable[[o.Value], None]) -> None:
        """Write the value of a template into a register; nothing follows where it has none."""
        value = self.expressions.value(template, names)
        held = of_kind(kind_of(template))
        if may_lack_value(template):
            into = self.write.fresh("e", held)
            with self.write.block(o.Attempt, into, value, self.missing):
                then(into)
        elif isinstance(value, (o.Reg, o.Const)):
            then(value)
        else:
            then(self.write.let("e", value, held))

    def settle(self, at: Match, then: Then) -> None:
        """Check the equations whose variables all have values, then go on."""
        for place, (template, value) in enumerate(at.waiting):
            if set(variables(template)) <= set(at.names):
                rest = at._replace(waiting=at.waiting[:place] + at.waiting[place + 1 :])

                def equal(found: o.Value, value: o.Value = value, rest: Match = rest) -> None:
                    with self.write.when(o.Equal(found, value)):
                        self.settle(rest, then)

                self.compute(template, at.names, equal)
                return
        then(at)

    def match(
        self, pattern: Any, value: o.Value, at: Match, then: Then, typed: bool = False
    ) -> None:
        """Write the match of `pattern` with a value; `typed`: its type is known."""
        when = self.write.when
        if isinstance(pattern, Wildcard):
            then(at)
        elif isinstance(pattern, Variable):
            if pattern in at.names:
                with when(o.Equal(at.names[pattern], value)):
                    then(at)
            else:
                with when(None if typed else kind_test(pattern, value)):
                    self.settle(at._replace(names={**at.names, pattern: value}), then)
        elif isinstance(pattern, Expression):
            self.settle(at._replace(waiting=(*at.waiting, (pattern, value))), then)
        elif is_ground(pattern):
            with when(o.Equal(value, o.Const(encode(pattern)))):
                then(at)
        elif isinstance(pattern, tuple):
            with when(None if typed else o.IsKind(value, "seq")):
                self._sequence(pattern, value, at, then)
        elif isinstance(pattern, Bag):
            with when(None if typed else o.IsKind(value, "bag")):
                self._bag(pattern, value, at, then)
        else:
            assert isinstance(pattern, Term)
            with when(None if typed else o.HasCtor(value, Ctor.of(type(pattern)))):
                self.unpack(pattern.term_arguments(), value, at, then, constructed=True)

    def unpack(
        self, patterns: Sequence[Any], value: o.Value, at: Match, then: Then,
        constructed: bool = False,
    ) -> None:  # fmt: skip
        """Write the match of each part of a tuple, whose first one may be a constructor."""
        fields = [self.write.fresh("f") for _ in patterns]
        if fields or constructed:
            self.write.add(o.Unpack((None, *fields) if constructed else tuple(fields), value))
        self.match_all(list(zip(patterns, fields, strict=True)), at, then)

    def let(self, pattern: Any, value: Any, at: Match, then: Then) -> None:
        """Write a `let`: the value, or each choice of a one_of, matched with the pattern."""

        def matched(found: o.Value) -> None:
            self.match(pattern, found, at, then)

        def each(found: o.Value) -> None:
            option = self.write.fresh("t")
            with self.write.block(o.Each, None, option, found):
                matched(option)

        if not isinstance(value, OneOf):
            self.compute(value, at.names, matched)
        elif not isinstance(value.options, tuple):
            self.compute(
                value.options, at.names, lambda found: each(o.Builtin("elements", (found,)))
            )
        elif is_ground(value.options):
            each(self.expressions.value(value.options, at.names))
        else:
            for one in value.options:
                self.compute(one, at.names, matched)

    def match_all(self, pairs: Sequence[tuple[Any, o.Value]], at: Match, then: Then) -> None:
        if not pairs:
            then(at)
            return
        if not at.waiting and all(_is_simple(pattern) for pattern, _ in pairs):
            # in any order the same: what says most comes first
            pairs = sorted(pairs, key=lambda pair: isinstance(pair[0], Expression))
        (pattern, value), rest = pairs[0], pairs[1:]
        self.match(pattern, value, at, lambda more: self.match_all(rest, more, then))

    def _sequence(self, pattern: tuple[Any, ...], value: o.Value, at: Match, then: Then) -> None:
        splices = sum(isinstance(part, Splice) for part in pattern)
        size, length = o.Const(len(pattern) - splices), o.Length(value)
        if not splices:
            with self.write.when(o.Equal(length, size)):
                self.unpack(pattern, value, at, then)
            return
        with self.write.when(o.Compare(">=", length, size, True) if size.value else None):
            self._from(pattern, value, o.Const(0), at, then)

    def _from(
        self, pattern: tuple[Any, ...], value: o.Value, start: o.Value, at: Match, then: Then
    ) -> None:
        """Match `pattern` with value[start:], whose length is known to be enough."""
        write = self.write
        first = next(i for i, part in enumerate(pattern) if isinstance(part, Splice))
        tail = pattern[first + 1 :]
        fixed_after = sum(1 for part in tail if not isinstance(part, Splice))
        is_last = fixed_after == len(tail)
        places: list[tuple[Any, o.Value]] = [
            (one, _plus(start, offset)) for offset, one in enumerate(pattern[:first])
        ]
        if is_last:  # the last splice: its end is known
            places += [(one, o.Const(offset - len(tail))) for offset, one in enumerate(tail)]
        pairs = [(one, write.let("f", o.Index(value, place))) for one, place in places]
        begin, splice, end = _plus(start, first), pattern[first].inner, o.Length(value)
        if is_last:
            last = o.Arithmetic("-", end, o.Const(len(tail))) if tail else end
            whole = write.let("s", o.Slice(value, begin, last), SEQ)
            self.match_all(pairs, at, lambda more: self._splice(splice, whole, more, then))
            return

        def bound(more: Match) -> None:
            # a splice that is bound: its length is known, so there is one cut
            known = more.names[splice]
            inner = write.fresh("s", SEQ)
            stop = write.let("c", o.Arithmetic("+", begin, o.Length(known)), INT)
            write.add(o.Let(inner, o.Slice(value, begin, stop)))
            latest = o.Arithmetic("-", end, o.Const(fixed_after))
            with write.when(o.Equal(inner, known), o.Compare("<=", stop, latest, True)):
                self._from(tail, value, stop, more, then)

        def cuts(more: Match) -> None:
            if splice in more.names:
                seq = None if splice.kind == "seq" else o.IsKind(more.names[splice], "seq")
                with write.when(seq):
                    bound(more)
                return
            stop, inner = write.fresh("c", INT), write.fresh("s", SEQ)
            with write.block(o.EachNumber, stop, begin, _plus(end, 1 - fixed_after)):
                write.add(o.Let(inner, o.Slice(value, begin, stop)))
                self._splice(
                    splice, inner, more, lambda found: self._from(tail, value, stop, found, then)
                )

        self.match_all(pairs, at, cuts)

    def _splice(self, inner: Expression, value: o.Value, at: Match, then: Then) -> None:
        # a slice of a sequence is a sequence: the kind needs no test
        self.match(inner, value, at, then, typed=kind_of(inner) in ("seq", "term"))

    def _bag(self, pattern: Bag, value: o.Value, at: Match, then: Then) -> None:
        plain = [part for part in pattern.items if not isinstance(part, Splice)]
        splices = [part.inner for part in pattern.items if isinstance(part, Splice)]
        length, size = o.Length(value), o.Const(len(plain) + 1)
        with self.write.when(
            o.Compare(">=", length, size, True) if splices else o.Equal(length, size)
        ):
            rest = self.write.let("b", o.Slice(value, o.Const(1), None), SEQ)
            self._bag_items(plain, splices, rest, (), at, then)

    def _bag_items(
        self, plain: list[Any], splices: list[Any], values: o.Value, used: tuple[o.Value, ...],
        at: Match, then: Then,
    ) -> None:  # fmt: skip
        write = self.write
        if plain:
            place, item = write.fresh("p", INT), write.fresh("t")
            with write.block(o.EachFree, place, item, values, used):
                self.match(
                    plain[0], item, at,
                    lambda more: self._bag_items(
                        plain[1:], splices, values, (*used, place), more, then
                    ),
                )  # fmt: skip
            return
        if not splices:
            then(at)
            return
        shares = tuple([write.fresh("s", SEQ) for _ in splices])
        left = write.let("b", o.Without(values, used), SEQ)
        with write.block(o.EachSplit, shares, left):
            bags = [write.fresh("b", BAG) for _ in splices]
            for bag, share in zip(bags, shares, strict=True):
                write.add(o.Let(bag, o.Tuple((o.Const(BAG_MARK), o.Spliced(share)))))
            self.match_all(list(zip(splices, bags, strict=True)), at, then)


def kind_test(variable: Variable, value: o.Value) -> o.Test | None:
    """Return the test that a variable takes a value; None where it always does."""
    held = value.type if isinstance(value, o.Reg) else ANY
    if isinstance(value, o.Const):
        held = of_value(value.value)
    if admits(variable, held):
        return None
    if not variable.is_narrow:
        return o.IsKind(value, variable.kind)
    tests: list[o.Test] = [o.HasCtor(value, Ctor.of(one)) for one in variable.constructors]
    tests += [o.IsKind(value, kind) for kind in variable.kinds]
    return o.any_of(tests)


def _is_simple(pattern: Any) -> bool:
    """Whether all that is asked of a value is that it is this one, or of a kind."""
    if isinstance(pattern, (Variable, Wildcard)):
        return True
    return not isinstance(pattern, Expression) and is_ground(pattern)


def _plus(at: o.Value, offset: int) -> o.Value:
    if isinstance(at, o.Const):
        return o.Const(at.value + offset)
    return o.Arithmetic("+", at, o.Const(offset)) if offset else at

"""Modules of Maude as puzzles.

A state is *open*, its elements the terms of a commutative collection, if rules and search allow
that: then rules take and put elements, and do not mention the rest. Else it is one term.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

from attrs import define, evolve, frozen

from rewrite.errors import ReadError, RewriteError, did_you_mean, tells_unknown_names
from rewrite.language.bag import Bag
from rewrite.language.conditions import contains, exactly, lacks, terminal
from rewrite.language.expressions import ANY, Splice, Variable
from rewrite.language.functions import FunctionCall, fn, one_of
from rewrite.language.nesting import everywhere, reached
from rewrite.language.order import source
from rewrite.language.patterns import everything_inside, variables
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.states import State
from rewrite.language.terms import term
from rewrite.readers.equalities import looked_up
from rewrite.readers.maude_built_in import negated
from rewrite.readers.maude_files import (
    STRING,
    Command,
    Reader,
    command_of,
    fragments,
    maude,
    said_by_maude,
)
from rewrite.readers.maude_scope import Scope, collected
from rewrite.readers.maude_signature import Operator, Refused, Signature
from rewrite.readers.maude_statements import Inside, Language, is_number, sides
from rewrite.readers.names import as_label

NO_BOUND = re.compile(r"\[\s*(0+\s*(,\s*\d+\s*)?|\d*\s*,\s*0+\s*)\]")
"""What looks like a bound and is none, because there is a 0 in it: a term, for Maude."""


class Deep(Exception):
    """A rule may apply at any depth of a term."""


@term
class Whole:
    """A state that is a collection, as one term."""

    parts: Any


@tells_unknown_names(ReadError, "MaudeModule", out="maude_module(…) makes it")
@frozen(eq=False)
class Module:
    """A module of Maude.

    name       its name
    commands   the `search` commands of its file
    """

    file: str
    name: str
    commands: tuple[Command, ...]
    _reader: Reader

    @classmethod
    def of(cls, file: str | os.PathLike[str], module: str | None = None) -> Self:
        """Read a file, and return one of its modules, the last system module by default. Raises
        ReadError.
        """
        if not isinstance(file, (str, os.PathLike)):
            raise ReadError(f"maude_module({file!r}): expected the name of a file")
        reader = Reader(Path(file))
        known = did_you_mean(module, reader.modules) if module else ""
        if not reader.modules or (module and module not in reader.modules):
            named = f"no module {module}{known}" if module else "no module"
            raise ReadError(f"{file}: there is {named} in it")
        name = module or (reader.system_modules or reader.modules)[-1]
        return cls(str(file), name, tuple(reader.commands), reader)

    @property
    def searches(self) -> tuple[str, ...]:
        """The texts of the `search` commands of the file."""
        return tuple([one.text for one in self.commands])

    def asked(self, command: str | int = 1) -> tuple[Puzzle, dict[str, Any]]:
        """Return the puzzle of a command, one of the file by its number or a text, and how `search`
        is to be called. Raises ReadError.
        """
        given = self.command(command)
        puzzle = self._puzzle(given)
        said: dict[str, Any] = {"solutions": given.bounds[0]}
        if given.bounds[1] is not None:
            said["max_depth"] = given.bounds[1]
        if given.arrow in "+1":
            said["min_depth"] = 1
        if given.arrow == "1":
            said["max_depth"] = 1
        return puzzle, said

    def command(self, given: str | int) -> Command:
        if isinstance(given, str):
            return command_of(given, self.name)
        if type(given) is not int or not 1 <= given <= len(self.commands):
            number = len(self.commands)
            raise ReadError(
                f"{self.file}: there is no search {source(given)}: it has {number or 'none'}"
                + (", numbered from 1" if number else "; give one, as 'search start =>* pattern .'")
            )
        return self.commands[given - 1]

    def puzzle(self, start: str, goal: str | None = None) -> Puzzle:
        """Return the rules of the module with a start and a goal, terms of Maude.

        goal   a pattern, with `such that` and a condition if need be
        """
        if goal is None:
            return self._puzzle(Command(start, self.name, start=start))
        return self._puzzle(command_of(f"search {start} =>* {goal} .", self.name))

    def _puzzle(self, given: Command) -> Puzzle:
        place = given.place or f"{self.file}: "
        if given.wrong:
            raise ReadError(given.wrong)
        self._reader.give_again()
        module = maude().getModule(given.module)
        if module is None:
            raise ReadError(f"{place}there is no module {given.module}")
        try:
            start = _parsed(module, given.start, place)
        except ReadError:
            if NO_BOUND.match(given.start):
                raise ReadError(
                    f"{place}{given.text}: a bound of a search is 1 or more, and here one is 0; "
                    "write a larger number, or leave it out"
                ) from None
            raise
        pattern = _parsed(module, given.pattern, place) if given.pattern else None
        conditions = [condition_of(module, one, place) for one in fragments(given.conditions)]
        try:
            start.reduce()
            if not start.ground():
                raise Refused(
                    f"{given.start}: a search with variables in its start is not read; write "
                    "values in their place"
                )
            language = Language(Signature.of(module, start, self._reader.place_of))
            reading = _Reading.of(language, start, pattern, given.arrow, conditions)
            made = reading.puzzle(given.module)
            language.finish()
            return made
        except RewriteError as refused:  # also what our language does not allow
            raise ReadError(f"{place}{refused.message}") from refused
        except RecursionError as error:
            raise ReadError(f"{place}terms of the search are nested too deep") from error


def _parsed(module: Any, text: str, place: str) -> Any:
    """Return a term of Maude. Raises ReadError, with what Maude says."""
    # of a text without an end Maude itself would end, and we with it
    if any(one["close"] != '"' for one in STRING.finditer(text)):
        raise ReadError(f"{place}{text}: a text has no end")
    found, said = said_by_maude(module.parseTerm, text)
    if found is None:
        why = " ".join(said.split())
        why = "; ".join(
            re.sub(r'(".*?"|<.*?>), line \d+: ', "", one).strip()
            for one in why.split("Warning:")[1:]
        )
        raise ReadError(f"{place}{text}: Maude says: {why}")
    return found


def condition_of(module: Any, text: str, place: str) -> Any:
    """Return a condition of Maude: a truth value, or two sides with a sign between, wherever it
    stands that both are terms. Raises ReadError, with what Maude says of the whole.
    """
    known = maude()
    try:
        sides = [_parsed(module, side, place) for side in (text, "true")]
        return _fragment(known.EqualityCondition, sides, f"{place}{text}")
    except ReadError as error:
        whole = error
    for sign in re.finditer(r" (:=|=>|=|:) ", text):
        left, right = text[: sign.start()], text[sign.end() :]
        try:
            if sign[1] == ":":
                tested, sort = _parsed(module, left, place), module.findSort(right.strip())
                if sort is not None:
                    return known.SortTestCondition(tested, sort)
                whole = ReadError(f"{place}{text}: there is no sort {right.strip()}")
                continue
            sides = [_parsed(module, side, place) for side in (left, right)]
        except ReadError:
            continue
        if sign[1] == "=>":
            raise ReadError(f"{place}{text}: conditions that rewrite are not read in a search")
        made = known.AssignmentCondition if sign[1] == ":=" else known.EqualityCondition
        return _fragment(made, sides, f"{place}{text}")
    raise whole


def _fragment(made: Any, sides: list[Any], said: str) -> Any:
    kinds = [str(side.getSort().kind()) for side in sides]
    if kinds[0] != kinds[1]:
        raise ReadError(f"{said}: no condition: one side is of {kinds[0]}, the other of {kinds[1]}")
    return made(*sides)


@define(eq=False)
class _Reading:
    """The rules of a module for the states that come up from a start.

    start, pattern, conditions  of Maude: gone when the puzzle is made
    """

    language: Language
    start: Any
    pattern: Any
    arrow: str
    conditions: list[Any]
    kind: str  # of states; of what a wrapper holds, if there is one
    collection: Operator | None  # by what states are collections
    wrapper: Operator | None = None
    open: bool = False

    @classmethod
    def of(
        cls, language: Language, start: Any, pattern: Any, arrow: str, conditions: list[Any]
    ) -> _Reading:
        kind = str(start.symbol().getRangeSort().kind())
        collections = language.signature.kinds[kind].collections
        found = Scope(language).collection_of(start)
        collection = found or (collections[0] if len(collections) == 1 else None)
        return cls(language, start, pattern, arrow, conditions, kind, collection)

    @property
    def signature(self) -> Signature:
        return self.language.signature

    def puzzle(self, name: str) -> Puzzle:
        """Return the puzzle, its states open if possible. Raises Refused."""
        for reading in self._opened():
            try:
                return reading._puzzle(name)
            except Refused:
                continue
        return self._puzzle(name)

    def _opened(self) -> Iterator[_Reading]:
        if self.collection is not None:
            if self.collection.commutative:
                yield evolve(self, open=True)
            return
        top = self.signature.operator(self.start.symbol())
        if len(top.domain) != 1 or top.hook or top.reduces:
            return
        inner = self.signature.takes(top, 0)
        others = [
            one for one in self.signature.occurring
            if self.kind in one.domain and one.name not in POLYMORPHIC
        ]  # fmt: skip
        if inner is not None and inner.commutative and not others:
            yield evolve(self, open=True, kind=top.domain[0], collection=inner, wrapper=top)

    def _puzzle(self, name: str) -> Puzzle:
        scope = Scope(self.language)
        start = (
            State(self._elements(scope, self.start))
            if self.open
            else State([self._closed(scope, self.start)])
        )
        module, rules, names = self.signature.module, list[Rule](), dict[str, int]()
        for given in module.getRules():
            if given.isNonexec():
                continue
            label = given.getLabel() or str(given).split(" ", 1)[1].removesuffix(" .")
            names[label] = names.get(label, 0) + 1
            named = label if names[label] == 1 else f"{label} ({names[label]})"
            rules += self._told(given, self._rules(given, label, named))
        simplify = [
            made
            for given in self._simplifying()
            for made in self._told(given, self._equation(given))
        ]
        goal = None if self.pattern is None else self._goal()
        self.start, self.pattern, self.conditions = None, None, []
        return Puzzle(rules, start=start, goal=goal, simplify=simplify, show=self._shown, name=name)

    def _told(self, given: Any, made: Iterator[Rule]) -> list[Rule]:
        """Return the rules made of a statement; an error says of which one it is."""
        try:
            return [*made]
        except Refused as refused:
            raise self.signature.refused(given, refused.message) from refused

    def _shown(self, state: State) -> str:
        if self.open and self.wrapper is not None:
            return self.signature.shown(self.wrapper.cls(Bag(state.items)), self.wrapper.range)
        if self.open:
            return self.signature.shown(Bag(state.items), self.kind)
        one = state.items[0]
        return self.signature.shown(one.parts if isinstance(one, Whole) else one, self.kind)

    # -- whole states ----------------------------------------------------------------------
    def _closed(self, scope: Scope, given: Any) -> Any:
        return self._as_term(scope.term(given, self.collection, True))

    def _as_term(self, made: Any) -> Any:
        return made if self.collection is None else Whole(made)

    def _elements(self, scope: Scope, given: Any) -> list[Any]:
        assert self.collection is not None
        return scope.parts(self._unwrapped(given), self.collection, True)

    def _unwrapped(self, given: Any) -> Any:
        if self.wrapper is None or str(given.symbol().getRangeSort().kind()) == self.kind:
            return given
        if given.isVariable() or given.symbol() != self.wrapper.symbol:
            raise Refused("a state that is no such term as the start")
        return next(iter(given.arguments()))

    def _goal(self) -> Any:
        scope, given = Scope(self.language, lets_allowed=False), self.pattern
        if not self.open:
            patterns = [self._closed(scope, given)]
        elif (
            given.isVariable()
            and self.wrapper is not None
            and str(given.getSort().kind()) != self.kind
        ):
            rest = Variable(scope.fresh(given.getVarName()), "bag")
            scope.names[given.getVarName(), str(given.getSort())] = (None, self.wrapper.cls(rest))
            patterns = [*rest]
        else:
            patterns = self._elements(scope, given)
            if sum(isinstance(one, Splice) for one in patterns) > 1:
                raise Refused("a search with two variables for parts of a state")
        if not scope.conditions(self.conditions):
            return exactly(Variable("never", "int")) & lacks(ANY)
        found = self._contained(patterns, scope.when)
        if self.arrow != "!":
            return found
        parts = [part for one in scope.when for part in everywhere(one, everything_inside)]
        dear = any(isinstance(part, FunctionCall) for part in parts)
        return terminal() & found if dear else found & terminal()

    @staticmethod
    def _contained(patterns: list[Any], when: list[Any]) -> Any:
        """Return the condition that a state is these elements. There are no facts; so where there
        is a rest, it is what a state contains, which is looked up before the rest is.
        """
        elements = [one for one in patterns if not isinstance(one, Splice)]
        rest = [one for one in patterns if isinstance(one, Splice)]
        if not rest or not elements:
            return exactly(*patterns, when=when)
        early = [one for one in when if rest[0].inner not in variables(one)]
        late = [one for one in when if rest[0].inner in variables(one)]
        if not late:
            return contains(*elements, *rest, when=early)
        return contains(*elements, when=early) & contains(*elements, *rest, when=late)

    # -- rules -----------------------------------------------------------------------------
    def _rules(self, given: Any, label: str, name: str) -> Iterator[Rule]:
        lhs = given.getLhs()
        kind = str(lhs.getSort().kind())
        if self.open and (kind == self.kind or self._is_state(lhs)):
            yield from self._open_rules(given, label, name)
        for number, (place, collection) in enumerate(self._places(kind), 1):
            named = name if number == 1 and not self.open else f"{name} @ {number}"
            if place is None:
                yield self._inside(given, label, named)
                return
            scope = Scope(self.language)
            found = sides(scope, given, collection)
            if found is not None:
                pattern, template = place(scope, *found)
                yield rule(
                    as_label(label), take=[pattern], put=[template], when=scope.when,
                    let=scope.lets, name=named,
                )  # fmt: skip

    def _is_state(self, lhs: Any) -> bool:
        """Whether a left side may match a state in its wrapper, which all states have."""
        if self.wrapper is None or str(lhs.getSort().kind()) != self.wrapper.range:
            return False
        return bool(lhs.isVariable() or lhs.symbol() == self.wrapper.symbol)

    def _inside(self, given: Any, label: str, name: str) -> Rule:
        """Return a rule that applies at any depth: what it gives is calculated."""
        made = Inside(self.language, given, () if self.open else (self.collection,))

        def steps(value: Any) -> tuple[Any, ...]:
            if self.open:
                return tuple(dict.fromkeys(made.below(value)))
            whole = value.parts if isinstance(value, Whole) else value
            found = made.at(whole, self.kind, self.collection)
            return tuple(dict.fromkeys(map(self._as_term, found)))

        steps.__name__ = name
        before, after = Variable("before", "term"), Variable("after", "term")
        return rule(
            as_label(label), take=[before], let={after: one_of(fn(steps)(before))}, put=[after],
            name=name,
        )  # fmt: skip

    def _places(self, kind: str) -> list[tuple[Place | None, Operator | None]]:
        """Return for each place in a state where terms of a kind stand what puts them there, and by
        what they are collections. [(None, None)]: they may stand at any depth.
        """
        try:
            if self.open:
                return [*self._below(self.kind, kind, (self.kind,))]
            return [
                (self._around(place), collection)
                for place, collection in self._within(self.kind, self.collection, kind, ())
            ]
        except Deep:
            return [(None, None)]

    def _around(self, place: Place) -> Place:
        def state(scope: Scope, before: Any, after: Any) -> tuple[Any, Any]:
            made, then = place(scope, before, after)
            return self._as_term(made), self._as_term(then)

        return state

    def _within(
        self, here: str, collection: Operator | None, kind: str, path: tuple[str, ...]
    ) -> Iterator[tuple[Place, Operator | None]]:
        """The same for a place of one kind in which terms of another may stand. Raises Deep."""
        if here == kind:
            yield lambda scope, before, after: (before, after), collection
        if here in path:
            if self._reaches(here, kind):
                raise Deep
            return
        for place, held in self._below(here, kind, (*path, here)):
            yield (place if collection is None else self._among(collection, place)), held

    def _below(
        self, here: str, kind: str, path: tuple[str, ...]
    ) -> Iterator[tuple[Place, Operator | None]]:
        """The same for the arguments of the constructors of a kind."""
        for one in self.signature.occurring:
            if one.range != here or not self.signature.is_looked_into(one):
                continue
            for at, domain in enumerate(one.domain[:1] if one.commutative else one.domain):
                if at not in one.frozen:
                    collection = self.signature.takes(one, at)
                    for place, held in self._within(domain, collection, kind, path):
                        yield self._argument(one, at, place), held

    def _among(self, collection: Operator, place: Place) -> Place:
        def among(scope: Scope, before: Any, after: Any) -> tuple[Any, Any]:
            made, then = place(scope, before, after)
            kind = "bag" if collection.commutative else "seq"
            first, last = [
                [*Variable(scope.fresh(name), kind)] for name in ("others_before", "others")
            ]
            first = [] if collection.commutative else first
            pattern, put = [collected(collection, [*first, one, *last]) for one in (made, then)]
            return pattern, self.language.reduced(collection, put)

        return among

    def _argument(self, one: Operator, at: int, place: Place) -> Place:
        def inside(scope: Scope, before: Any, after: Any) -> tuple[Any, Any]:
            others = [Variable(scope.fresh("other"), "term") for _ in one.domain]
            made, then = place(scope, before, after)
            pattern, put = [[*others[:at], each, *others[at + 1 :]] for each in (made, then)]
            return one.pattern(pattern), self.language.made(one, put)

        return inside

    def _reaches(self, here: str, kind: str) -> bool:
        def below(at: str) -> Iterator[str]:
            for one in self.signature.occurring:
                if one.range == at and self.signature.is_looked_into(one):
                    yield from [d for n, d in enumerate(one.domain) if n not in one.frozen]

        return kind in reached([here], below)

    # -- open states -----------------------------------------------------------------------
    def _open_rules(self, given: Any, label: str, name: str) -> Iterator[Rule]:
        lhs = given.getLhs()
        for number, branch in enumerate(self._branches(given.getRhs()), 1):
            scope = Scope(self.language)
            if is_number(scope, lhs):
                raise Refused("applies to numbers, and so to what is within a number")
            whole = self.wrapper is not None and str(lhs.getSort().kind()) != self.kind
            parts = self._top(scope, self._unwrapped(lhs), True)
            rest = [one.inner for one in parts if isinstance(one, Splice)]
            take = [one for one in parts if not isinstance(one, Splice)]
            if len(rest) > 1 or (
                whole is False and rest and any(rest[0] in variables(one) for one in scope.when)
            ):
                raise Refused("takes any part of a collection")
            if not scope.conditions(given.getCondition()):
                return
            for condition, wanted in branch[0]:
                truth = scope.condition(condition)
                scope.require(truth if wanted else negated(truth))
            if scope.never:
                continue
            put = [part for one in branch[1] for part in self._top(scope, one, False)]
            kept = [one for one in put if isinstance(one, Splice)]
            put = [one for one in put if not isinstance(one, Splice)]
            if [one.inner for one in kept] != rest:
                raise Refused("does not keep the rest of a state as it is")
            when = scope.when
            if rest:
                mine = [one for one in when if rest[0] in variables(one)]
                if any(rest[0] in variables(one) for one in [*put, *scope.lets.values()]) or (
                    mine and not whole
                ):
                    raise Refused("calculates with the rest of a state")
                when = [one for one in when if rest[0] not in variables(one)]
                if mine:
                    bound: Any = contains(*rest[0])
                    for one in mine:
                        bound = bound & one
                    when.append(bound)
            elif whole:
                when = [*when, lacks(ANY)]
            if not scope.lets:
                take, put, when = looked_up(take, put, when)
            yield rule(
                as_label(label), take=take, put=put, when=when, let=scope.lets,
                name=name if number == 1 else f"{name} | {number}",
            )  # fmt: skip

    def _branches(self, rhs: Any) -> Iterator[tuple[list[tuple[Any, bool]], list[Any]]]:
        """Yield (conditions, elements) for each way in which the branches of a right side go."""
        given, collection = self._unwrapped(rhs), self.collection
        assert collection is not None
        ways: list[tuple[list[tuple[Any, bool]], list[Any]]] = [([], [])]
        elements = (
            [*given.arguments()]
            if not given.isVariable() and given.symbol() == collection.symbol
            else [given]
        )
        for one in elements:
            hook = () if one.isVariable() else self.signature.operator(one.symbol()).hook
            if hook and hook[0] == "BranchSymbol":
                test, yes, no = one.arguments()
                ways = [
                    ([*conditions, (test, wanted), *more], [*held, *inner])
                    for conditions, held in ways
                    for wanted, side in ((True, yes), (False, no))
                    for more, inner in self._branches(side)
                ]
            else:
                for _, held in ways:
                    held.append(one)
        yield from ways

    def _top(self, scope: Scope, given: Any, binds: bool) -> list[Any]:
        """Return elements of an open state; what its equations, `simplify`, reduce stays a term."""
        collection = self.collection
        assert collection is not None
        if not given.isVariable():
            one = self.signature.operator(given.symbol())
            if one is collection:
                return [
                    part for each in given.arguments() for part in self._top(scope, each, binds)
                ]
            if self._is_simplified(one):
                if one.commutative:
                    raise Refused(f"{given}: a commutative function in a state")
                return [one.cls(*scope.arguments(one, given.arguments(), binds))]
        return scope.parts(given, collection, binds)

    def _is_simplified(self, one: Operator) -> bool:
        """Whether terms of an operator are reduced in open states: they may give many elements."""
        known = self.signature
        return not one.hook and known.is_function(one) and known.gives(one) is self.collection

    def _simplifying(self) -> Iterator[Any]:
        for one in self.signature.occurring if self.open else ():
            if one in (self.collection, self.wrapper) or self._is_simplified(one):
                yield from [equation for equation in one.equations if not equation.isNonexec()]

    def _equation(self, given: Any) -> Iterator[Rule]:
        if given.isOwise():
            raise Refused("an equation with owise for states")
        name = str(given).split(" ", 1)[1].removesuffix(" .")
        yield from self._open_rules(given, name, name)


Place = Callable[[Scope, Any, Any], tuple[Any, Any]]
"""Returns what matches a whole state, of what matches a term in it, and what is put."""


POLYMORPHIC = {"if_then_else_fi", "_==_", "_=/=_"}

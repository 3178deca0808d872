"""Planning tasks as puzzles: a state is the set of atoms that hold, an action is a rule or more.

What PDDL says of sets is said in a puzzle of sets (`sets=True`) so:

* what an action needs is kept, or taken if it is deleted;
* patterns match distinct terms, so two conditions that may be one atom are two cases;
* to delete what need not be there is two cases, and so is a conditional effect.
"""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from operator import and_, or_
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rewrite.errors import ReadError
from rewrite.language.conditions import Condition, contains, lacks
from rewrite.language.expressions import Variable
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.terms import term
from rewrite.readers.formulas import (
    EQUAL,
    OPEN,
    RIGID,
    Case,
    Formula,
    Junction,
    Literal,
    Param,
    Quantified,
    Splitting,
    negated,
    renamed,
)
from rewrite.readers.pddl_task import OBJECT, Action, Cost, Task, task_of
from rewrite.readers.s_expressions import Source

MOST_VARIANTS = 256
"""Rules that one action may become by its conditional effects."""


def pddl(domain: str | Path, problem: str | Path) -> Puzzle:
    """Return the planning task of two PDDL files as a puzzle.

    Read are STRIPS, types, constants, equality, negative and disjunctive conditions, quantifiers,
    conditional effects (each doubles the rules of its action) and action costs. Labels of steps are
    lines of a plan: `(pick-up a)`. Raises ReadError, with `.line` and `.column`.
    """
    for file in (domain, problem):
        if not isinstance(file, (str, Path)):
            raise ReadError(f"pddl(domain, problem): {file!r} is not the name of a file")
    sources = [Source(_text(Path(file)), str(file)) for file in (domain, problem)]
    return _Writer(task_of(*sources), sources[0]).puzzle(sources[1])


def steps_of_plan(source: Source) -> list[str]:
    """Return the labels of the steps of a plan, as planners write it: (pick-up a). Raises
    ReadError.
    """
    found = []
    for node in source.lists():
        if any(not isinstance(word, str) for word in node):
            raise source.error(node.at, "a step of a plan is (action object object …)")
        found.append(f"({' '.join(node)})")
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ReadError(f"{file} cannot be read: {why}") from error


@frozen
class Draft:
    """A rule that is being written.

    holds    what must be there; apart: pairs of these that are known to be different atoms
    lacks    what must not be there
    equal, unequal   pairs of arguments; same: of equal ones, none of which is open
    types    (argument, types): the argument is of one of these types
    """

    args: tuple[str, ...]
    holds: tuple[Literal, ...]
    lacks: tuple[Literal, ...]
    equal: tuple[tuple[str, ...], ...]
    unequal: frozenset[frozenset[str]]
    types: tuple[Param, ...]
    adds: tuple[Literal, ...] = ()
    deletes: tuple[Literal, ...] = ()
    everywhere: tuple[Quantified, ...] = ()
    same: tuple[tuple[str, ...], ...] = ()
    costs: tuple[Cost, ...] = ()
    apart: frozenset[frozenset[Literal]] = field(default=frozenset())

    @classmethod
    def of(cls, case: Case, params: Sequence[Param], **more: Any) -> Draft:
        fluent = [one for one in case.literals if one.name != EQUAL]
        equal = [one for one in case.literals if one.name == EQUAL]
        return cls(
            args=tuple([one.name for one in params]),
            holds=tuple([one for one in fluent if one.positive]),
            lacks=tuple([atom_of(one) for one in fluent if not one.positive]),
            equal=tuple([one.args for one in equal if one.positive]),
            unequal=frozenset([frozenset(one.args) for one in equal if not one.positive]),
            types=(*params, *case.params), everywhere=case.everywhere, **more,
        )  # fmt: skip

    @property
    def different(self) -> list[list[str]]:
        """The pairs of `unequal`, in the same order in every process."""
        return sorted(map(sorted, self.unequal))

    def renamed(self, names: Mapping[str, str]) -> Draft:
        def new(word: str) -> str:
            return names.get(word, word)

        def all_of(some: Iterable[Literal]) -> tuple[Literal, ...]:
            return tuple(dict.fromkeys([atom(one) for one in some]))

        def atom(one: Literal) -> Literal:
            return Literal(one.name, tuple(map(new, one.args)))

        return Draft(
            args=tuple(map(new, self.args)), holds=all_of(self.holds), lacks=all_of(self.lacks),
            equal=tuple([tuple(map(new, one)) for one in self.equal]),
            unequal=frozenset([frozenset(map(new, one)) for one in self.unequal]),
            types=tuple([evolve(one, name=new(one.name)) for one in self.types]),
            adds=all_of(self.adds), deletes=all_of(self.deletes),
            everywhere=tuple([
                evolve(one, inner=renamed(one.inner, names)) for one in self.everywhere
            ]),
            same=tuple([tuple(map(new, one)) for one in self.same]),
            costs=tuple([atom(one) if isinstance(one, Literal) else one for one in self.costs]),
            apart=frozenset([frozenset(map(atom, one)) for one in self.apart]),
        )  # fmt: skip


def atom_of(given: Literal) -> Literal:
    return evolve(given, positive=True)


class _Writer:
    """Writes the puzzle of a task."""

    def __init__(self, task: Task, domain: Source) -> None:
        self.task, self.domain = task, domain
        self.fluents = {one.literal.name for action in task.actions for one in action.effects}
        self.start = frozenset(task.start)
        self.constructors: dict[tuple[str, int], Any] = {}
        self.facts: dict[Any, None] = {}
        self.copies: dict[str, int] = {}
        """How many static atoms of a predicate one rule asks for, where more than one."""
        self.members: dict[tuple[str, ...], frozenset[str]] = {}
        self.held = self._held()

    def puzzle(self, problem: Source) -> Puzzle:
        rules = [one for action in self.task.actions for one in self._rules(action)]
        goal = self._goal(self.task.goal)
        if goal is False:
            raise problem.error(
                0, "the goal is false in every state, because a part of it that no action changes "
                "is false in (:init …): there is no plan",
            )  # fmt: skip
        start = [self.term(one) for one in self.start if one.name in self.fluents]
        asked = contains() if goal is True else goal
        static = [one for one in self.start if one.name not in self.fluents]
        for one in static:
            for copy in range(self.copies.get(one.name, 1)):
                self.facts[self.term(one, copy=copy)] = None
        return Puzzle(
            rules, start=start, goal=asked, facts=[*self.facts], sets=True,
            name=self.task.name or "task",
        )  # fmt: skip

    # -- names -----------------------------------------------------------------------------
    def constructor(self, name: str, size: int) -> Any:
        key = (name, size)
        if key not in self.constructors:
            names = {f"x{number}": object for number in range(size)}
            made = type(name, (), {"__annotations__": names, "__module__": __name__})
            self.constructors[key] = term(made)
        return self.constructors[key]

    def term(self, given: Literal, names: Mapping[str, Any] | None = None, copy: int = 0) -> Any:
        """Return an atom as a term, or a pattern.

        copy   which of the equal facts: patterns match distinct ones
        """
        known = {} if names is None else names
        name = given.name if not copy else f"{given.name} {copy + 1}"
        made = self.constructor(name, len(given.args))
        return made(*[known.get(one, one) for one in given.args])

    def objects(self, types: tuple[str, ...]) -> frozenset[str]:
        if types not in self.members:
            self.members[types] = frozenset(self.task.of_type(types))
        return self.members[types]

    def _held(self) -> dict[tuple[str, int], set[str]]:
        """Return the objects that atoms can have, for each predicate and place."""
        found: dict[tuple[str, int], set[str]] = {}
        for one in self.start:
            for at, name in enumerate(one.args):
                found.setdefault((one.name, at), set()).add(name)
        for action in self.task.actions:
            for effect in action.effects:
                types = {one.name: one.types for one in (*action.params, *effect.params)}
                for at, name in enumerate(effect.literal.args):
                    some = self.objects(types[name]) if name in types else {name}
                    found.setdefault((effect.literal.name, at), set()).update(some)
        return found

    # -- actions ---------------------------------------------------------------------------
    def _splitting(self, action: Action) -> Splitting:
        return Splitting(
            self._known, lambda one: tuple(sorted(self.objects(one.types))),
            lambda: self.domain.error(
                action.at, f"action {action.name}: its conditions come to more than 1,000 cases"
            ),
        )  # fmt: skip

    def _known(self, given: Literal) -> bool | None:
        if given.name == EQUAL:
            return (given.args[0] == given.args[1]) is given.positive
        if given.name in self.fluents:
            return None
        return (atom_of(given) in self.start) is given.positive

    def _rules(self, action: Action) -> Iterator[Rule]:
        splitting, seen = self._splitting(action), set[Any]()
        for when, effects in self._by_condition(action, splitting):
            adds = tuple(dict.fromkeys([one for one in effects if one.positive]))
            deletes = tuple(dict.fromkeys([atom_of(one) for one in effects
                                           if not one.positive]))  # fmt: skip
            costs = action.costs if self.task.has_costs else (1,)
            for case in splitting.cases(when):
                draft = Draft.of(case, action.params, adds=adds, deletes=deletes, costs=costs)
                for one in self._settled(draft):
                    made = self._written(action, one, splitting)
                    if made is not None and made not in seen:
                        seen.add(made)
                        yield made

    def _by_condition(
        self, action: Action, splitting: Splitting
    ) -> Iterator[tuple[Formula, list[Literal]]]:
        """Yield what must hold, and the effects then, for all ways in which conditions hold."""
        always, sometimes = list[Literal](), dict[Formula, list[Literal]]()
        for effect in action.effects:
            names = [one.name for one in effect.params]
            for values in product(*[sorted(self.objects(one.types)) for one in effect.params]):
                given = dict(zip(names, values, strict=True))
                literal, when = renamed(effect.literal, given), renamed(effect.when, given)
                assert isinstance(literal, Literal)
                cases = splitting.cases(when)
                if cases == [Case()]:
                    always.append(literal)
                elif cases:
                    sometimes.setdefault(when, []).append(literal)
        if 2 ** len(sometimes) > MOST_VARIANTS:
            most = MOST_VARIANTS.bit_length() - 1
            raise self.domain.error(
                action.at, f"action {action.name} has {len(sometimes):,} effects that depend on "
                f"the state; more than {most} are not read yet",
            )  # fmt: skip
        for holding in product((True, False), repeat=len(sometimes)):
            conditions, effects = [action.when], [*always]
            for holds, (when, literals) in zip(holding, sometimes.items(), strict=True):
                conditions.append(when if holds else negated(when))
                effects += literals if holds else []
            yield Junction(True, tuple(conditions)), effects

    def _settled(self, draft: Draft) -> Iterator[Draft]:
        """Yield drafts that together say the same, each of which is a rule."""
        for first, second in draft.equal:
            rest = evolve(draft, equal=draft.equal[1:])
            if first == second:
                yield from self._settled(rest)
            elif first[0] == OPEN or second[0] == OPEN:
                old, new = (first, second) if first[0] == OPEN else (second, first)
                yield from self._settled(rest.renamed({old: new}))
            elif first[0] == RIGID or second[0] == RIGID:
                yield from self._settled(evolve(rest, same=(*rest.same, (first, second))))
            return
        constants = [
            pair for pair in draft.unequal if not any(one[0] in (OPEN, RIGID) for one in pair)
        ]
        if any(len(pair) == 1 for pair in draft.unequal) or {*draft.holds} & {*draft.lacks}:
            return
        if any(one.name in self.task.objects and one.name not in self.objects(one.types)
               for one in draft.types):  # fmt: skip
            return
        draft = evolve(draft, unequal=draft.unequal.difference(constants))
        for one in draft.deletes:
            others = tuple([other for other in draft.deletes if other != one])
            if one in draft.adds or one in draft.lacks:
                yield from self._settled(evolve(draft, deletes=others))
                return
            if one not in draft.holds:
                yield from self._settled(evolve(draft, holds=(*draft.holds, one)))
                yield from self._settled(evolve(draft, lacks=(*draft.lacks, one), deletes=others))
                return
        for pair in combinations(draft.holds, 2):
            if frozenset(pair) not in draft.apart and self._may_be_one(draft, *pair):
                equal = tuple(zip(pair[0].args, pair[1].args, strict=True))
                yield from self._settled(evolve(draft, equal=equal))
                yield from self._settled(evolve(draft, apart=draft.apart | {frozenset(pair)}))
                return
        yield draft

    def _may_be_one(self, draft: Draft, first: Literal, second: Literal) -> bool:
        if first.name != second.name or first.name not in self.fluents:
            return False
        types: dict[str, frozenset[str]] = {}
        for one in draft.types:
            some = self.objects(one.types)
            types[one.name] = types.get(one.name, some) & some

        def one_of(word: str) -> frozenset[str]:
            if word[0] == RIGID:
                return self.objects((OBJECT,))
            return types.get(word, frozenset({word}))

        return all(
            one == other
            or (frozenset({one, other}) not in draft.unequal and one_of(one) & one_of(other))
            for one, other in zip(first.args, second.args, strict=True)
        )

    # -- rules -----------------------------------------------------------------------------
    def _written(self, action: Action, draft: Draft, splitting: Splitting) -> Rule | None:
        names = _variables(draft)
        taken = [one for one in draft.holds if one in draft.deletes]
        kept = [one for one in draft.holds if one not in draft.deletes]
        put = [one for one in draft.adds if one not in kept]
        if not taken and not put:
            return None
        keep = [*self._patterns(kept, names), *self._types(draft, names)]
        when = [_differ(pair, names) for pair in draft.different]
        for one in draft.lacks:
            # what is taken is no longer there when `absent` is asked
            when += [_other(one, other, names) for other in taken if other.name == one.name]
        for quantified in draft.everywhere:
            when += self._nowhere(quantified, taken, names, splitting)
        if any(one is False for one in when):
            return None
        costs = [self._cost(one, names, keep) for one in draft.costs]
        label = " ".join([action.name, *[
            f"{{{names[one].name}}}" if one in names else one for one in draft.args
        ]])  # fmt: skip
        return rule(
            f"({label})", take=self._patterns(taken, names), keep=keep,
            put=[self.term(one, names) for one in put],
            absent=[self.term(one, names) for one in draft.lacks],
            when=[one for one in when if one is not True],
            cost=sum(costs[1:], costs[0]) if costs else 0, name=action.name,
        )  # fmt: skip

    def _patterns(self, given: Iterable[Literal], names: Mapping[str, Any]) -> list[Any]:
        found, number = [], Counter[str]()
        for one in given:
            copy = 0 if one.name in self.fluents else number[one.name]
            number[one.name] += 1
            self.copies[one.name] = max(self.copies.get(one.name, 1), copy + 1)
            found.append(self.term(one, names, copy))
        return found

    def _types(self, draft: Draft, names: Mapping[str, Any]) -> Iterator[Any]:
        """Yield facts for variables whose types do not follow from what must be there."""
        number = Counter[str]()
        for param in dict.fromkeys(draft.types):
            members = self.objects(param.types)
            if param.name[0] != OPEN or any(
                name == param.name and self.held.get((one.name, at), set()) <= members
                for one in draft.holds
                for at, name in enumerate(one.args)
            ):
                continue
            kind = "either " * (len(param.types) > 1) + " ".join(param.types)
            number[kind] += 1  # patterns match distinct facts
            made = self.constructor(f"is {kind}" + f" {number[kind]}" * (number[kind] > 1), 1)
            self.facts |= dict.fromkeys([made(one) for one in sorted(members)])
            yield made(names[param.name])

    def _cost(self, given: Cost, names: Mapping[str, Any], keep: list[Any]) -> Any:
        """Return what an action costs; a fact that says it is kept."""
        if not isinstance(given, Literal):
            return given
        made = self.constructor(f"= {given.name}", len(given.args) + 1)
        values = {one: value for one, value in self.task.values.items() if one.name == given.name}
        self.facts |= dict.fromkeys([made(*one.args, value) for one, value in values.items()])
        cost = Variable(f"cost{len(keep)}", "int")
        keep.append(made(*[names.get(one, one) for one in given.args], cost))
        return cost

    def _nowhere(
        self, given: Quantified, taken: list[Literal], names: dict[str, Any], splitting: Splitting
    ) -> Iterator[Any]:
        """Yield conditions that it holds for all objects: what contradicts it is nowhere.

        taken   what is no longer there when the condition is asked
        """
        rigid = {one: RIGID + one for one in names}
        known = {RIGID + one: variable for one, variable in names.items()}
        against = Quantified(False, given.params, negated(given.inner))
        gone = [Literal(one.name, tuple([rigid.get(a, a) for a in one.args])) for one in taken]
        for case in splitting.cases(renamed(against, rigid)):
            for before in _before(Draft.of(case, ()), gone):
                for draft in self._settled(before):
                    own = _variables(draft, known)
                    patterns = [*self._patterns(draft.holds, own), *self._types(draft, own)]
                    absent = [self.term(one, own) for one in draft.lacks]
                    when = [_differ(pair, own) for pair in draft.different]
                    when += [own.get(one, one) == own.get(two, two) for one, two in draft.same]
                    when += [_other(one, other, own) for one in draft.lacks for other in gone
                             if one.name == other.name]  # fmt: skip
                    if any(one is False for one in when):
                        continue
                    if not patterns:
                        always = self.constructor("always", 0)()
                        self.facts[always] = None
                        patterns = [always]
                    guards = [one for one in when if one is not True]
                    yield lacks(*patterns, when=guards, absent=absent)

    # -- the goal --------------------------------------------------------------------------
    def _goal(self, given: Formula) -> Condition | bool:
        """Return a condition on states, or whether it holds in all of them."""
        if isinstance(given, Literal):
            known = self._known(given)
            if known is not None:
                return known
            atom = self.term(atom_of(given))
            return contains(atom) if given.positive else lacks(atom)
        if isinstance(given, Quantified):
            names = [one.name for one in given.params]
            parts = [
                renamed(given.inner, dict(zip(names, values, strict=True)))
                for values in product(*[sorted(self.objects(one.types)) for one in given.params])
            ]
            return self._goal(Junction(given.every, tuple(parts)))
        atoms = [one for one in given.parts if isinstance(one, Literal) and one.positive
                 and one.name in self.fluents]  # fmt: skip
        rest = [one for one in given.parts if one not in atoms or not given.every]
        found = [self._goal(one) for one in rest]
        if given.every and atoms:
            found.insert(0, contains(*[self.term(one) for one in dict.fromkeys(atoms)]))
        if any(one is not given.every for one in found if isinstance(one, bool)):
            return not given.every
        conditions = [one for one in found if not isinstance(one, bool)]
        if not conditions:
            return given.every
        return reduce(and_ if given.every else or_, conditions)


def _before(draft: Draft, taken: list[Literal]) -> Iterator[Draft]:
    """Yield what says the same of the state without what is taken as this says with it."""
    for holds in product(*[
        [(one, None), *[(one, other) for other in taken if other.name == one.name]]
        for one in draft.holds
    ]):  # fmt: skip
        equal = [
            pair for one, other in holds if other is not None
            for pair in zip(one.args, other.args, strict=True)
        ]  # fmt: skip
        left = tuple([one for one, other in holds if other is None])
        yield evolve(draft, holds=left, equal=(*draft.equal, *equal))


def _variables(draft: Draft, known: Mapping[str, Variable] | None = None) -> dict[str, Any]:
    """Return a variable for each name: called as in the file, as far as Python allows."""
    found = dict(known or {})
    used = {one.name for one in found.values()}
    atoms = (*draft.holds, *draft.lacks, *draft.adds, *draft.deletes)
    words = [*draft.args, *[one.name for one in draft.types], *[a for o in atoms for a in o.args]]
    for word in dict.fromkeys(words):
        if word[0] == OPEN and word not in found:
            name = "".join([one if one.isalnum() else "_" for one in word[1:]])
            while not name.isidentifier() or keyword.iskeyword(name) or name in used:
                name += "_" if name.isidentifier() else "x"
            used.add(name)
            found[word] = Variable(name, "str")
    return found


def _differ(pair: Iterable[str], names: Mapping[str, Any]) -> Any:
    one, other = [names.get(word, word) for word in pair]
    return one != other


def _other(first: Literal, second: Literal, names: Mapping[str, Any]) -> Any:
    """Return the condition that two atoms of one predicate are different."""
    found: Any = False
    for one, other in zip(first.args, second.args, strict=True):
        if one == other:
            continue
        differ = _differ((one, other), names)
        if differ is True:
            return True
        found = differ if found is False else found | differ
    return found

"""Planning tasks as puzzles: a state is the set of atoms that hold, an action is a rule or more.

What PDDL says of sets is said in a puzzle of sets (`sets=True`) so:

* what an action needs is kept, or taken if it is deleted;
* patterns match distinct terms, so two conditions that may be one atom are two cases;
* to delete what need not be there is two cases, and so is a conditional effect; where that would
  come to many rules, both are effects of one rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import combinations, product
from math import prod
from operator import and_, or_
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, field, frozen

from rewrite.errors import ReadError, tells_unknown_names
from rewrite.language import effects as language
from rewrite.language.conditions import Condition, contains, lacks
from rewrite.language.expressions import Variable
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.terms import Term, term
from rewrite.readers.formulas import (
    EQUAL,
    OPEN,
    RIGID,
    TRUE,
    Case,
    Formula,
    Junction,
    Literal,
    Param,
    Quantified,
    Splitting,
    bindings,
    literals_in,
    negated,
    renamed,
)
from rewrite.readers.names import as_label, identifier
from rewrite.readers.pddl_task import OBJECT, Action, Cost, Derived, Effect, Task, task_of
from rewrite.readers.s_expressions import Source
from rewrite.readers.texts import text_of

MOST_SPLIT = 3
"""Most effects for which an action is split into rules: more is found out of rules than of them."""
MOST_RULES = 10_000
"""Of an action whose parameters may be the same objects in many ways."""
MOST_INSTANCES = 100
"""Of an effect for all objects, of which it is asked how many of them depend on the state."""


@tells_unknown_names(ReadError, "pddl")
def pddl(domain: str | Path, problem: str | Path) -> Puzzle:
    """Return the planning task of two PDDL files as a puzzle.

    Read are STRIPS, types, constants, equality, negative and disjunctive conditions, quantifiers,
    conditional effects and action costs. Labels of steps are lines of a plan: `(pick-up a)`. Raises
    ReadError, with `.line` and `.column`.
    """
    for file in (domain, problem):
        if not isinstance(file, (str, Path)):
            raise ReadError(f"pddl(domain, problem): {file!r} is not the name of a file")
    sources = [Source(text_of(Path(file)), str(file)) for file in (domain, problem)]
    return _Writer(task_of(*sources), sources[0]).puzzle(sources[1])


def steps_of_plan(source: Source) -> list[str]:
    """Return the labels of the steps of a plan, such as (pick-up a). Raises ReadError."""
    found = []
    for node in source.lists():
        if any(not isinstance(word, str) for word in node):
            raise source.error(node.at, "a step of a plan is (action object object …)")
        found.append(f"({' '.join(node)})")
    return found


@frozen
class Draft:
    """A rule that is being written.

    holds    what must be there; apart: pairs of these that are known to be different atoms
    lacks    what must not be there
    equal, unequal   pairs of arguments; same: of equal ones, none of which is open
    types    (argument, types): the argument is of one of these types
    effects  what depends on more of the state
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
    effects: tuple[Effect, ...] = ()
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

    def renamed(self, names: Mapping[str, str]) -> Draft:
        """Return it with other variables, and one of each atom."""
        made = {name: renamed(part, names) for name, part in asdict(self, recurse=False).items()}
        for name in ("holds", "lacks", "adds", "deletes"):
            made[name] = tuple(dict.fromkeys(made[name]))
        made["effects"] = tuple([one.renamed(names) for one in self.effects])
        return Draft(**made)


def atom_of(given: Literal) -> Literal:
    return evolve(given, positive=True)


class _Writer:
    def __init__(self, task: Task, domain: Source) -> None:
        self.task, self.domain = task, domain
        self.strata = strata(task, domain)
        self.fluents = {one.literal.name for action in task.actions for one in action.effects}
        self.fluents |= self.strata.keys()
        self.start = frozenset(task.start)
        self.constructors: dict[tuple[str, int], Any] = {}
        self.facts: dict[Any, None] = {}
        self.copies: dict[str, int] = {}
        """How many static atoms of a predicate one rule asks for, where more than one."""
        self.members: dict[tuple[str, ...], frozenset[str]] = {}
        self.held = self._held()

    def puzzle(self, problem: Source) -> Puzzle:
        rules = [
            one for action in self.task.actions for one in self._rules(action, self._reset(action))
        ]
        derived = sorted(self.task.derived, key=lambda one: self.strata[one.name])
        simplify = [one for given in derived for one in self._rules(_making(given))]
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
            rules, start=start, goal=asked, facts=[*self.facts], sets=True, simplify=simplify,
            name=self.task.name or "task",
        )  # fmt: skip

    # -- names -----------------------------------------------------------------------------
    def constructor(self, name: str, fields: Sequence[str]) -> Any:
        """Return the constructor of this name with so many fields; the first call names them."""
        key = (name, len(fields))
        if key not in self.constructors:
            used = {"self", *dir(Term), *Term.__annotations__}
            names = {identifier(one, used): object for one in fields}
            made = type(name, (), {"__annotations__": names, "__module__": __name__})
            self.constructors[key] = term(made)
        return self.constructors[key]

    def term(self, given: Literal, names: Mapping[str, Any] | None = None, copy: int = 0) -> Any:
        """Return an atom as a term, or a pattern.

        copy   which of the equal facts: patterns match distinct ones
        """
        known = {} if names is None else names
        name = given.name if not copy else f"{given.name} {copy + 1}"
        params = [one.name[1:] for one in self.task.predicates[given.name]]
        made = self.constructor(name, params)
        return made(*[known.get(one, one) for one in given.args])

    def objects(self, types: tuple[str, ...]) -> frozenset[str]:
        if types not in self.members:
            self.members[types] = frozenset(self.task.of_type(types))
        return self.members[types]

    def _range(self, param: Param) -> list[str]:
        return sorted(self.objects(param.types))

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
        for derived in self.task.derived:
            for at, param in enumerate(derived.params):
                found.setdefault((derived.name, at), set()).update(self.objects(param.types))
        return found

    def _reset(self, action: Action) -> tuple[Effect, ...]:
        """Return what deletes all that depends on what an action changes: it is derived anew."""
        changed = {one.literal.name for one in action.effects}
        sizes = {one.name: len(one.params) for one in self.task.derived}
        while more := {
            one.name for one in self.task.derived
            if one.name not in changed
            and any(name in changed for name, _ in literals_in(one.when))
        }:  # fmt: skip
            changed |= more
        gone = list[Effect]()
        for name in sorted(changed & sizes.keys()):
            params = tuple([Param(f"{OPEN}{at}", (OBJECT,)) for at in range(sizes[name])])
            args = tuple([one.name for one in params])
            gone.append(Effect(Literal(name, args, False), params))
        return tuple(gone)

    # -- actions ---------------------------------------------------------------------------
    def _known(self, given: Literal) -> bool | None:
        if given.name == EQUAL:
            return (given.args[0] == given.args[1]) is given.positive
        if given.name in self.fluents:
            return None
        return (atom_of(given) in self.start) is given.positive

    def _rules(self, action: Action, more: tuple[Effect, ...] = ()) -> Iterator[Rule]:
        """more   effects besides, which are never split into rules"""
        many = f"action {action.name}: its conditions come to more than 1,000 cases"
        error = partial(self.domain.error, action.at, many)
        splitting, seen = Splitting(self._known, self._range, error), set[Any]()
        always, sometimes = self._effects(action, splitting)
        costs = action.costs if self.task.has_costs else (1,)
        conditions = {one.when for one in sometimes}
        open_ = bool(more) or any(one.params for one in sometimes)
        for case in splitting.cases(action.when):
            # to delete what need not be there depends on the state, too
            loose = [one for one in always if not one.literal.positive
                     and atom_of(one.literal) not in case.literals]  # fmt: skip
            if not open_ and len(conditions) + len(loose) <= MOST_SPLIT:
                ways = [*self._split(always, sometimes)]
            else:
                ways = [(TRUE, [o for o in always if o not in loose], (*sometimes, *loose, *more))]
            for when, effects, others in ways:
                adds = [one.literal for one in effects if one.literal.positive]
                deletes = [atom_of(one.literal) for one in effects if not one.literal.positive]
                for added in splitting.cases(when):
                    draft = Draft.of(
                        case.joined(added), action.params, adds=tuple(dict.fromkeys(adds)),
                        deletes=tuple(dict.fromkeys(deletes)), costs=costs, effects=others,
                    )  # fmt: skip
                    for one in self._settled(draft):
                        if len(seen) >= MOST_RULES:
                            raise self.domain.error(
                                action.at, f"action {action.name}: which of its parameters are the "
                                f"same object comes to more than {MOST_RULES:,} rules; give them "
                                "types, or say (not (= ?x ?y))",
                            )  # fmt: skip
                        made = self._written(action, one, splitting)
                        if made is not None and made not in seen:
                            seen.add(made)
                            yield made

    def _effects(self, action: Action, splitting: Splitting) -> tuple[list[Effect], list[Effect]]:
        """Return the effects that always happen, and the others: for single objects if few."""
        always, sometimes, written = list[Effect](), list[Effect](), list[Effect]()
        for effect in action.effects:
            size = prod([len(self.objects(one.types)) for one in effect.params])
            single = self._instances(effect) if size <= MOST_INSTANCES else [effect]
            for one in single:
                cases = [Case((), (), one.params)] if one.params else splitting.cases(one.when)
                if cases == [Case()]:
                    always.append(one)
                elif cases:
                    sometimes.append(one)
                    if effect not in written:
                        written.append(effect)
        few = len({one.when for one in sometimes}) <= MOST_SPLIT
        return always, sometimes if few and not any(one.params for one in sometimes) else written

    def _instances(self, effect: Effect) -> Iterator[Effect]:
        for names in bindings(effect.params, self._range):
            yield evolve(effect, params=()).renamed(names)

    def _split(
        self, always: list[Effect], sometimes: list[Effect]
    ) -> Iterator[tuple[Formula, list[Effect], tuple[Effect, ...]]]:
        """Yield what must hold, and the effects then, for all ways in which conditions hold."""
        conditions = dict.fromkeys([one.when for one in sometimes])
        for holding in product((True, False), repeat=len(conditions)):
            held = dict(zip(conditions, holding, strict=True))
            when = tuple([one if holds else negated(one) for one, holds in held.items()])
            yield Junction(True, when), [*always, *[o for o in sometimes if held[o.when]]], ()

    def _settled(self, draft: Draft) -> Iterator[Draft]:
        """Yield drafts that together say the same, each of which is a rule."""
        for first, second in draft.equal:
            rest = evolve(draft, equal=draft.equal[1:])
            old, new = sorted((first, second), key=lambda one: (one[0] != OPEN, one[0] != RIGID))
            if first == second:
                yield from self._settled(rest)
            elif old[0] in (OPEN, RIGID):
                rest = rest.renamed({old: new})
                same = [(old, new)] if old[0] == RIGID else []
                yield from self._settled(evolve(rest, same=(*rest.same, *same)))
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
        effects = [made for one in _together(draft.effects)
                   for made in self._affected(*one, names, splitting)]  # fmt: skip
        kept = [one for one in draft.holds if one not in draft.deletes]
        put = [one for one in draft.adds if effects or one not in kept]
        asked = self._asked(draft, taken, names, splitting)
        if asked is None or not (taken or put or effects):
            return None
        keep, absent, when = asked
        costs = [
            one if isinstance(one, int) else self._cost(one, number, names, keep)
            for number, one in enumerate(draft.costs, 1)
        ]
        label = " ".join([as_label(action.name), *[
            f"{{{names[one].name}}}" if one in names else as_label(one) for one in draft.args
        ]])  # fmt: skip
        return rule(
            f"({label})", take=self._patterns(taken, names), keep=keep,
            put=[self.term(one, names) for one in put], absent=absent, when=when,
            cost=sum(costs[1:], costs[0]) if costs else 0, name=action.name, effects=effects,
        )  # fmt: skip

    def _asked(
        self, draft: Draft, taken: list[Literal], names: dict[str, Any], splitting: Splitting
    ) -> tuple[list[Any], list[Any], list[Any]] | None:
        """Return what a draft keeps, what must be absent, and conditions; None: it never applies.

        taken   what is no longer there when these are asked
        """
        kept = [one for one in draft.holds if one not in taken]
        keep = [*self._patterns(kept, names), *self._types(draft, names)]
        pairs = sorted(map(sorted, draft.unequal))  # in the same order in every process
        when = [_differ(pair, names) for pair in pairs]
        when += [names.get(one, one) == names.get(two, two) for one, two in draft.same]
        for one in draft.lacks:
            when += [_other(one, other, names) for other in taken if other.name == one.name]
        for quantified in draft.everywhere:
            when += self._nowhere(quantified, taken, names, splitting)
        if any(one is False for one in when):
            return None
        absent = [self.term(one, names) for one in draft.lacks]
        return keep, absent, [one for one in when if one is not True]

    def _affected(
        self, params: Sequence[Param], when: Formula, literals: list[Literal],
        names: dict[str, Any], splitting: Splitting,
    ) -> Iterator[Any]:  # fmt: skip
        """Yield the effects of a rule that together add and delete literals where `when` holds."""
        rigid = {one: RIGID + one for one in names}
        own, new = splitting.fresh(params)
        rigid |= new
        literals = [renamed(one, rigid) for one in literals]
        for case in splitting.cases(renamed(when, rigid)):
            deletes = [atom_of(one) for one in literals if not one.positive]
            own_deletes = tuple([one for one in deletes if one in case.literals])
            adds = tuple([one for one in literals if one.positive])
            drafts = [Draft.of(case, own, adds=adds, deletes=own_deletes)] if adds else []
            drafts += [
                Draft.of(case.joined(Case((one,))), own, deletes=(one,)) for one in deletes
                if not adds or one not in own_deletes
            ]  # fmt: skip
            for draft in [one for given in drafts for one in self._settled(given)]:
                within = _variables(draft, names)
                taken = [one for one in draft.holds if one in draft.deletes]
                asked = self._asked(draft, taken, within, splitting)
                if asked is not None and (taken or draft.adds):
                    keep, absent, guards = asked
                    yield language.effect(
                        take=self._patterns(taken, within), keep=keep, absent=absent, when=guards,
                        put=[self.term(one, within) for one in draft.adds],
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
            if param.name[0] not in (OPEN, RIGID) or any(
                name == param.name and self.held.get((one.name, at), set()) <= members
                for one in draft.holds
                for at, name in enumerate(one.args)
            ):
                continue
            name = "is " + "either " * (len(param.types) > 1) + " ".join(param.types)
            number[name] += 1  # patterns match distinct facts
            made = self.constructor(name + f" {number[name]}" * (number[name] > 1), ["object"])
            self.facts |= dict.fromkeys([made(one) for one in sorted(members)])
            yield made(names[param.name])

    def _cost(
        self, given: Literal, number: int, names: Mapping[str, Any], keep: list[Any]
    ) -> Variable:
        """Return what an action costs; a fact that says it is kept.

        number   of the cost: facts of several costs may be equal, and patterns match distinct ones
        """
        params = [one.name[1:] for one in self.task.functions[given.name]]
        name = f"= {given.name}" + f" {number}" * (number > 1)
        made = self.constructor(name, [*params, "value"])
        values = {one: value for one, value in self.task.values.items() if one.name == given.name}
        self.facts |= dict.fromkeys([made(*one.args, value) for one, value in values.items()])
        used = {one.name for one in names.values()}
        cost = Variable(identifier(f"cost{len(keep)}", used), "int")
        keep.append(made(*[names.get(one, one) for one in given.args], cost))
        return cost

    def _nowhere(
        self, given: Quantified, taken: list[Literal], names: dict[str, Any], splitting: Splitting
    ) -> Iterator[Any]:
        """Yield conditions that it holds for all objects: what contradicts it is nowhere.

        taken   what is no longer there when the condition is asked
        """
        rigid = {one: RIGID + one for one in names}
        against = Quantified(False, given.params, negated(given.inner))
        gone = [renamed(one, rigid) for one in taken]
        for case in splitting.cases(renamed(against, rigid)):
            for before in _before(Draft.of(case, ()), gone):
                for draft in self._settled(before):
                    own = _variables(draft, names)
                    asked = self._asked(draft, gone, own, splitting)
                    if asked is None:
                        continue
                    patterns, absent, guards = asked
                    if not patterns:
                        always = self.constructor("always true", ())()
                        self.facts[always] = None
                        patterns = [always]
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
            parts = [renamed(given.inner, names) for names in bindings(given.params, self._range)]
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


def strata(task: Task, domain: Source) -> dict[str, int]:
    """Return an order of the derived predicates, each after those it negates. Raises ReadError."""
    found = {one.name: 0 for one in task.derived}
    for action in task.actions:
        for effect in action.effects:
            if effect.literal.name in found:
                raise domain.error(
                    action.at,
                    f"action {action.name} changes {effect.literal.name}, which is derived",
                )  # fmt: skip
    for _ in range(len(found) + 2):
        before = dict(found)
        for one in task.derived:
            for name, positive in literals_in(one.when):
                if name in found:
                    found[one.name] = max(found[one.name], found[name] + (not positive))
        if found == before:
            return found
    last = next(one for one in task.derived if found[one.name] > len(found))
    raise domain.error(last.at, f"{last.name} is derived from its own negation")


def _making(given: Derived) -> Action:
    head = Literal(given.name, tuple([one.name for one in given.params]))
    when = Junction(True, (given.when, negated(head)))
    return Action(given.name, given.params, when, (Effect(head),), (), given.at)


def _together(
    effects: Iterable[Effect],
) -> list[tuple[tuple[Param, ...], Formula, list[Literal]]]:
    found: dict[Any, list[Literal]] = {}
    for one in effects:
        found.setdefault((one.params, one.when), []).append(one.literal)
    return [(*key, literals) for key, literals in found.items()]


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


def _variables(draft: Draft, outside: Mapping[str, Variable] | None = None) -> dict[str, Any]:
    """Return a variable for each name: called as in the file, as far as Python allows.

    outside   by their names there, which are RIGID here
    """
    found = {RIGID + name: one for name, one in (outside or {}).items()}
    used = {one.name for one in found.values()}
    atoms = (*draft.holds, *draft.lacks, *draft.adds, *draft.deletes)
    words = [*draft.args, *[one.name for one in draft.types], *[a for o in atoms for a in o.args]]
    for word in dict.fromkeys(words):
        if word[0] == OPEN and word not in found:
            found[word] = Variable(identifier(word[1:], used), "str")
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

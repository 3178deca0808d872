"""Planning tasks in PDDL: a domain and a problem, read and checked.

(McDermott and others, *PDDL*, 1998; Fox and Long, *PDDL 2.1*, JAIR 2003.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from attrs import Factory, define, frozen

from rewrite.errors import did_you_mean
from rewrite.language.labels import cut
from rewrite.language.nesting import reached
from rewrite.readers.formulas import (
    EQUAL,
    TRUE,
    Formula,
    Junction,
    Literal,
    Param,
    Quantified,
    negated,
    renamed,
    without,
)
from rewrite.readers.s_expressions import Node, Source

OBJECT = "object"
REFUSED = {
    ":durative-action": "actions that take time",
    ":constraints": "constraints on the whole plan",
    ":process": "processes",
    ":event": "events",
}
REFUSED_WORDS = {
    "preference": "preferences",
    "when-violated": "preferences",
    "decrease": "numbers other than the cost",
    "assign": "numbers other than the cost",
    "scale-up": "numbers other than the cost",
    "scale-down": "numbers other than the cost",
    "<": "numbers in conditions", ">": "numbers in conditions",
    "<=": "numbers in conditions", ">=": "numbers in conditions",
}  # fmt: skip
ONCE = (":domain", ":goal", ":metric")
PARTS = (":parameters", ":precondition", ":effect")
COST = "total-cost"
MOST = 10**18
"""The highest cost of an action."""
MOST_SHOWN = 100
"""Letters of what is found, in an error."""
Cost = int | Literal
"""What an action costs: a number, or a function of its parameters."""


@frozen
class Effect:
    """What an action adds (a positive literal) or deletes, for all `params`, where `when` holds."""

    literal: Literal
    params: tuple[Param, ...] = ()
    when: Formula = TRUE

    def renamed(self, names: Mapping[str, str]) -> Effect:
        free = without(names, self.params)
        return Effect(renamed(self.literal, free), self.params, renamed(self.when, free))


@frozen
class Action:
    """An action, with the offset of its list in the domain."""

    name: str
    params: tuple[Param, ...]
    when: Formula
    effects: tuple[Effect, ...]
    costs: tuple[Cost, ...]
    at: int


@frozen
class Derived:
    """A predicate that holds where a formula does, with the offset of its list in the domain."""

    name: str
    params: tuple[Param, ...]
    when: Formula
    at: int


@define
class Task:
    """A planning task.

    types     the type above each type, by name; OBJECT is above all
    objects   the type names of each object
    predicates, functions   the parameters of each
    values    the value of each function in the start
    """

    name: str = ""
    types: dict[str, tuple[str, ...]] = Factory(dict)
    objects: dict[str, tuple[str, ...]] = Factory(dict)
    predicates: dict[str, tuple[Param, ...]] = Factory(dict)
    functions: dict[str, tuple[Param, ...]] = Factory(dict)
    actions: list[Action] = Factory(list)
    derived: list[Derived] = Factory(list)
    start: list[Literal] = Factory(list)
    values: dict[Literal, int] = Factory(dict)
    goal: Formula = TRUE
    has_costs: bool = False

    def above(self, name: str) -> set[str]:
        """Return a type with all types above it."""
        return {OBJECT, *reached([name], lambda one: self.types.get(one, ()))}

    def of_type(self, types: Sequence[str]) -> list[str]:
        return [
            name for name, own in self.objects.items()
            if any(not self.above(one).isdisjoint(types) for one in own)
        ]  # fmt: skip


def task_of(domain: Source, problem: Source) -> Task:
    """Return the task of a domain and a problem. Raises ReadError."""
    task = Task()
    name = _Reader(domain, task).domain()
    _Reader(problem, task).problem(name)
    return task


class _Reader:
    """Reads one file into a task."""

    def __init__(self, source: Source, task: Task) -> None:
        self.source, self.task = source, task

    def fail(self, at: Any, message: str) -> Exception:
        return self.source.error(at.at if isinstance(at, Node) else at, message)

    # -- files -----------------------------------------------------------------------------
    def domain(self) -> str:
        name, sections = self._opened("domain")
        readers: dict[str, Callable[[Node], None]] = {
            ":requirements": lambda one: None, ":types": self._types,
            ":constants": self._objects, ":predicates": self._predicates,
            ":functions": self._functions, ":action": self._action, ":derived": self._derived,
        }  # fmt: skip
        first = [":types", ":constants", ":predicates", ":functions"]
        self._sections(sections, readers, first)
        return name

    def problem(self, domain: str) -> None:
        self.task.name, sections = self._opened("problem")
        readers: dict[str, Callable[[Node], None]] = {
            ":domain": lambda one: self._of(one, domain), ":requirements": lambda one: None,
            ":objects": self._objects, ":init": self._start, ":goal": self._goal,
            ":metric": self._metric, ":length": lambda one: None,
        }  # fmt: skip
        self._sections(sections, readers, [":domain", ":objects"])
        if not any(one[0] == ":goal" for one in sections):
            raise self.fail(0, "there is no (:goal …)")

    def _opened(self, kind: str) -> tuple[str, list[Node]]:
        tree = self.source.tree()
        head = tree[1] if len(tree) > 1 else None
        if tree[:1] != ["define"] or not isinstance(head, Node) or head[:1] != [kind]:
            raise self.fail(tree, f"expected (define ({kind} NAME) …)")
        sections = tree[2:]
        for one in sections:
            if not isinstance(one, Node) or not one or not isinstance(one[0], str):
                raise self.fail(tree, f"expected lists such as (:action …), found {_shown(one)}")
        return str(head[1]) if len(head) > 1 else "", sections

    def _sections(
        self, sections: list[Node], readers: dict[str, Callable[[Node], None]], first: list[str]
    ) -> None:
        for one in sections:
            if one[0] in REFUSED:
                raise self.fail(one, f"{one[0]}: {REFUSED[one[0]]} are not read")
            if one[0] not in readers:
                raise self.fail(one, f"unknown section {one[0]}{did_you_mean(one[0], readers)}; "
                                     f"known are {', '.join(readers)}")  # fmt: skip
            if one[0] in ONCE and sum(other[0] == one[0] for other in sections) > 1:
                raise self.fail(one, f"there are several ({one[0]} …); write one")
        order = sorted(sections, key=lambda one: one[0] not in first)
        for one in order:
            readers[one[0]](one)

    def _of(self, given: Node, domain: str) -> None:
        if given[1:] != [domain]:
            raise self.fail(given, f"the problem is of the domain {_shown(given[1:])}, but the "
                                   f"domain's name is {domain}")  # fmt: skip

    # -- declarations ----------------------------------------------------------------------
    def _types(self, given: Node) -> None:
        for name, above in self._typed(given, given[1:], known=False):
            if name != OBJECT:
                self.task.types[name] = (*self.task.types.get(name, ()), *above)
        for above in [*self.task.types.values()]:
            for name in above:
                self.task.types.setdefault(name, ())

    def _objects(self, given: Node) -> None:
        for name, types in self._typed(given, given[1:]):
            self.task.objects[name] = (*self.task.objects.get(name, ()), *types)

    def _predicates(self, given: Node) -> None:
        for one in given[1:]:
            name, params = self._name(one, given), self._params(one, one[1:])
            if len(self.task.predicates.setdefault(name, params)) != len(params):
                known = len(self.task.predicates[name])
                raise self.fail(one, f"{name} is declared twice, with {known} and {len(params)} "
                                     "parameters")  # fmt: skip
            self.task.predicates[name] = params

    def _functions(self, given: Node) -> None:
        for one in given[1:]:
            if isinstance(one, Node):
                name = self._name(one, given)
                self.task.functions[name] = self._params(one, one[1:])

    def _name(self, given: Any, around: Node) -> str:
        if not isinstance(given, Node) or not given or not isinstance(given[0], str):
            raise self.fail(around, f"expected (name ?x ?y …), found {_shown(given)}")
        return given[0]

    def _params(self, at: Node, words: Sequence[Any]) -> tuple[Param, ...]:
        found = tuple([Param(name, types) for name, types in self._typed(at, words)])
        for one in found:
            if one.name[0] != "?":
                raise self.fail(at, f"expected a variable such as ?x, found {one.name}")
        return found

    def _typed(
        self, at: Node, words: Sequence[Any], known: bool = True
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each name of a typed list with its types."""
        names, rest = list[str](), iter(words)
        for word in rest:
            if isinstance(word, Node):
                raise self.fail(word, f"expected a name, found {_shown(word)}")
            if word != "-":
                names.append(word)
                continue
            given = next(rest, None)
            several = isinstance(given, Node) and given[:1] == ["either"]
            types = tuple(given[1:]) if isinstance(given, Node) and several else (given,)
            for one in types:
                if not isinstance(one, str):
                    raise self.fail(at, f'expected a type after "-", found {_shown(given)}')
                if known and one != OBJECT and one not in self.task.types:
                    near = did_you_mean(one, self.task.types)
                    raise self.fail(at, f"the type {one} is not declared in (:types …){near}")
            yield from [(name, types) for name in names]
            names = []
        yield from [(name, (OBJECT,)) for name in names]

    # -- formulas --------------------------------------------------------------------------
    def formula(self, given: Any, params: tuple[Param, ...], around: Node) -> Formula:
        """Return a condition in negation normal form."""
        if not isinstance(given, Node):
            raise self.fail(around, f"expected a condition in parentheses, found {_shown(given)}")
        if not given:
            return TRUE
        word, inner = given[0], given[1:]
        if word in ("and", "or"):
            parts = tuple([self.formula(one, params, given) for one in inner])
            return parts[0] if len(parts) == 1 else Junction(word == "and", parts)
        if word == "not" and len(inner) == 1:
            return negated(self.formula(inner[0], params, given))
        if word == "imply" and len(inner) == 2:
            first, second = (self.formula(one, params, given) for one in inner)
            return Junction(False, (negated(first), second))
        if word in ("forall", "exists") and len(inner) == 2 and isinstance(inner[0], Node):
            own = self._params(given, inner[0])
            return Quantified(word == "forall", own, self.formula(inner[1], (*params, *own), given))
        if word in ("not", "imply", "forall", "exists"):
            raise self.fail(given, f"({word} …) has {len(inner)} parts")
        return self.literal(given, params)

    def literal(self, given: Any, params: tuple[Param, ...] = ()) -> Literal:
        name = self._name(given, given if isinstance(given, Node) else Node(0))
        if name in REFUSED_WORDS:
            raise self.fail(given, f"{name}: {REFUSED_WORDS[name]} are not read")
        if name == EQUAL and len(given) == 3 and isinstance(given[1], Node):
            raise self.fail(given, f"{EQUAL}: numbers in conditions are not read")
        self._checked(given, params, self.task.predicates, "predicate")
        return Literal(name, tuple(given[1:]))

    def _checked(
        self, given: Node, params: tuple[Param, ...], declared: dict[str, Any], kind: str
    ) -> None:
        name, number = given[0], len(given) - 1
        if name not in declared and name != EQUAL:
            near = did_you_mean(name, declared)
            raise self.fail(given, f"{_shown(given)}: there is no {kind} {name}{near}")
        wanted = 2 if name == EQUAL else len(declared[name])
        if number != wanted:
            raise self.fail(given, f"{_shown(given)}: {name} takes {wanted}, found {number}")
        known = {one.name for one in params}
        for one in given[1:]:
            if not isinstance(one, str):
                raise self.fail(given, f"{_shown(given)}: expected a name, found {_shown(one)}")
            if one[0] == "?" and one not in known:
                near = did_you_mean(one, known)
                raise self.fail(given, f"{_shown(given)}: there is no variable {one}{near}")
            if one[0] != "?" and one not in self.task.objects:
                near = did_you_mean(one, self.task.objects)
                raise self.fail(given, f"{_shown(given)}: there is no object {one}{near}")

    # -- actions ---------------------------------------------------------------------------
    def _derived(self, given: Node) -> None:
        if len(given) != 3 or not isinstance(given[1], Node):
            raise self.fail(given, "expected (:derived (name ?x ?y …) condition)")
        name = self._name(given[1], given)
        params = self._params(given[1], given[1][1:])
        head = Node(given[1].at)
        head += [name, *[one.name for one in params]]
        self._checked(head, params, self.task.predicates, "predicate")
        when = self.formula(given[2], params, given)
        self.task.derived.append(Derived(name, params, when, given.at))

    def _action(self, given: Node) -> None:
        parts: dict[str, Any] = {}
        name = given[1] if len(given) > 1 else None
        if not isinstance(name, str):
            raise self.fail(given, f"expected the action's name, found {_shown(name)}")
        for key, value in zip_longest(given[2::2], given[3::2]):
            if key not in PARTS:
                raise self.fail(given, f"action {name}: expected {', '.join(PARTS)}, found "
                                       f"{_shown(key)}")  # fmt: skip
            if key in parts or value is None:
                what = "twice" if key in parts else "with nothing behind it"
                raise self.fail(given, f"action {name}: {key} stands there {what}")
            parts[key] = value
        params = self._params(given, parts.get(":parameters", ()))
        if len({one.name for one in params}) < len(params):
            raise self.fail(given, f"action {name}: two parameters have the same name")
        when = self.formula(parts.get(":precondition", Node(given.at)), params, given)
        effects, costs = list[Effect](), list[Cost]()
        self._effect(parts.get(":effect", Node(given.at)), params, (), TRUE, effects, costs)
        made = Action(name, params, when, tuple(effects), tuple(costs), given.at)
        self.task.actions.append(made)

    def _effect(
        self, given: Any, params: tuple[Param, ...], own: tuple[Param, ...], when: Formula,
        effects: list[Effect], costs: list[Cost],
    ) -> None:  # fmt: skip
        if not isinstance(given, Node):
            raise self.fail(0, f"expected an effect in parentheses, found {_shown(given)}")
        if not given:
            return
        word, inner, every = given[0], given[1:], (*params, *own)
        if word == "and":
            for one in inner:
                self._effect(one, params, own, when, effects, costs)
        elif word == "forall" and len(inner) == 2:
            more = (*own, *self._params(given, inner[0]))
            self._effect(inner[1], params, more, when, effects, costs)
        elif word == "when" and len(inner) == 2:
            both = Junction(True, (when, self.formula(inner[0], every, given)))
            self._effect(inner[1], params, own, both, effects, costs)
        elif word == "not" and len(inner) == 1:
            literal = negated(self.literal(inner[0], every))
            assert isinstance(literal, Literal)
            effects.append(Effect(literal, own, when))
        elif word == "increase" and len(inner) == 2 and inner[0] in ([COST], COST):
            if own or when != TRUE:
                raise self.fail(given, "a cost that depends on the state is not read")
            costs.append(self._cost(inner[1], params, given))
        elif word == "increase":
            raise self.fail(given, "increase: numbers other than the cost are not read")
        elif word in ("forall", "when", "not"):
            raise self.fail(given, f"({word} …) has {len(inner)} parts")
        elif word in (EQUAL, "or", "imply", "exists"):
            raise self.fail(given, f"{_shown(given)} is a condition, not an effect")
        else:
            effects.append(Effect(self.literal(given, every), own, when))

    def _cost(self, given: Any, params: tuple[Param, ...], around: Node) -> Cost:
        if given in (COST, [COST]):
            raise self.fail(around, f"a step that costs ({COST}), what the plan costs so far, is "
                                    "not read")  # fmt: skip
        if isinstance(given, Node):
            self._name(given, around)
            self._checked(given, params, self.task.functions, "function")
            return Literal(given[0], tuple(given[1:]))
        if given in self.task.functions:
            return Literal(given, ())
        return self._number(given, around)

    def _number(self, given: Any, around: Node) -> int:
        try:
            value = Decimal(given)
        except (TypeError, ValueError, ArithmeticError):
            raise self.fail(around, f"expected a number, found {_shown(given)}") from None
        if not (value.is_finite() and 0 <= value <= MOST and value == int(value)):
            raise self.fail(around, f"a cost is a whole number from 0 to {MOST:,}, found "
                                    f"{_shown(given)}")  # fmt: skip
        return int(value)

    # -- the problem -----------------------------------------------------------------------
    def _start(self, given: Node) -> None:
        for one in given[1:]:
            if isinstance(one, Node) and one[:1] == [EQUAL] and len(one) == 3:
                left = one[1] if isinstance(one[1], Node) else [one[1]]
                if isinstance(one[1], Node):
                    self._name(one[1], one)
                if left[0] == COST:
                    continue
                head = Node(one.at)
                head += left
                self._checked(head, (), self.task.functions, "function")
                self.task.values[Literal(left[0], tuple(left[1:]))] = self._number(one[2], one)
            elif isinstance(one, Node) and one[:1] == ["not"] and len(one) == 2:
                self._name(one[1], one)
                self.literal(one[1])
            else:
                self._name(one, given)
                self.task.start.append(self.literal(one))

    def _goal(self, given: Node) -> None:
        if len(given) != 2:
            raise self.fail(given, "expected one condition, e.g. (:goal (and (p a) (p b))); found "
                                   f"{len(given) - 1}")  # fmt: skip
        self.task.goal = self.formula(given[1], (), given)

    def _metric(self, given: Node) -> None:
        if given[1:] not in (["minimize", [COST]], ["minimize", COST]):
            raise self.fail(given, f"only (:metric minimize ({COST})) is read")
        self.task.has_costs = True


def _shown(given: Any) -> str:
    if isinstance(given, list):
        return cut(f"({' '.join(map(_shown, given))})", MOST_SHOWN)
    return "nothing" if given is None else cut(str(given), MOST_SHOWN)

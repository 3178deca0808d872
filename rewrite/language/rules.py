"""Rules: frozen data, checked when declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import evolve, field, frozen

from rewrite.errors import RuleError, TermError, tells_unknown_names
from rewrite.language.arguments import occurrences, refuse_tuple, refuse_unlisted
from rewrite.language.checks import (
    aggregates_in,
    asks_terminal,
    check_absent,
    check_condition,
    check_kinds,
    check_places,
    check_texts,
    held,
    require,
)
from rewrite.language.conditions import Condition, Patterned, Predicate, conditions, separate
from rewrite.language.effects import Effect
from rewrite.language.expressions import Expression, Variable, check_nesting, kind_of
from rewrite.language.functions import Function, OneOf
from rewrite.language.labels import Template, template
from rewrite.language.order import Frozen, Key, inside, source, term_key
from rewrite.language.outlines import Outline
from rewrite.language.patterns import binders, classes, computed, variables
from rewrite.language.subterms import replaced, subterms
from rewrite.language.terms import Term, freeze


@tells_unknown_names(RuleError, "Rule", out="rule(…) makes it")
@frozen(eq=False, repr=False)
class Rule(Frozen):
    """One conditional rewrite rule; made by `rule(...)`. Compared by content."""

    label: str
    take: tuple[Any, ...]
    put: tuple[Any, ...]
    when: tuple[Condition, ...]
    keep: tuple[Any, ...]
    absent: tuple[Any, ...]
    let: tuple[tuple[Any, Any], ...]
    cost: Any
    name: str
    literal: bool = False
    """Whether the label is plain text with literal braces, not a template."""
    free: bool = False
    """Whether its steps are free moves: reversible, not counted, at cost 0."""
    effects: tuple[Effect, ...] = ()
    template: Template = field(init=False)
    bound: dict[Variable, None] = field(init=False)
    """The variables that a match binds, in order of occurrence."""

    def __attrs_post_init__(self) -> None:
        bound = _check_bound(self)
        object.__setattr__(self, "bound", bound)
        plain = Template(self.label, (self.label,))
        made = plain if self.literal else template(self.label, bound)
        object.__setattr__(self, "template", made)

    @property
    def content(self) -> tuple[Any, ...]:
        """All that it consists of, but its names."""
        terms = (self.take, self.put, self.keep, self.absent)
        return *terms, self.when, self.let, self.cost, self.effects

    @cached_property
    def key(self) -> Key:
        """The rule's identity as a key (user functions by identity)."""
        return (self.label, self.literal, self.name, self.free, *map(term_key, self.content))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self.key == other.key

    @cached_property
    def parts(self) -> tuple[Rule, ...]:
        """It, and each of its effects as a rule that keeps what it matches: to ask what may be."""
        return (self, *[
            evolve(
                self, label=self.name, literal=True, take=one.take, put=one.put,
                keep=(*self.take, *self.keep, *one.keep), when=one.where.when,
                absent=one.where.absent, cost=1, effects=(),
            ) for one in self.effects
        ])  # fmt: skip

    @cached_property
    def classes(self) -> frozenset[type[Term]]:
        """The constructor classes that it mentions; see `patterns.classes`."""
        if self.outline is not None:
            return self.outline.classes
        return classes(self.content)

    @cached_property
    def outline(self) -> Outline | None:
        """What it shares with rules that differ only in numbers and texts; None if nothing."""
        if self.free or self.effects:
            return None
        return Outline.of(
            self.cost, self.take, self.keep, self.put, self.absent, self.when, self.let
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = [repr(self.label)]
        for name in ("take", "put", "keep", "when", "absent", "effects"):
            items = getattr(self, name)
            if items:
                shown.append(f"{name}=[{', '.join(map(source, items))}]")
        if self.let:
            lets = ", ".join(f"{source(k)}: {source(v)}" for k, v in self.let)
            shown.append(f"let={{{lets}}}")
        if self.free:
            shown.append("free=True")
        elif type(self.cost) is not int or self.cost != 1:
            shown.append(f"cost={source(self.cost)}")
        if self.name != self.label:
            shown.append(f"name={self.name!r}")
        return f"rule({', '.join(shown)})"


@tells_unknown_names(RuleError, "rule")
def rule(
    label: str,
    take: Any = (),
    put: Any = (),
    *,
    when: Any = (),
    keep: Any = (),
    absent: Any = (),
    let: Mapping[Any, Any] | None = None,
    cost: Any = 1,
    free: bool = False,
    effects: Any = (),
    inside: bool = False,
    name: str | None = None,
) -> Rule:
    """Return the rule that takes `take` out of a state and puts `put` in, if `when` holds.

    label   text, with `{expression}` fields filled in when a step is shown; an f-string works
    take    patterns of distinct occurrences that are removed
    put     terms that are added
    when    a condition or a list of them: expressions, state conditions, calls of `@fn` functions
    keep    patterns of further distinct occurrences that stay
    absent  patterns, none of which may match what is left after `take` (with the facts)
    let     ordered dict pattern -> expression; `one_of(...)` branches, a pattern destructures
    cost    a non-negative number or expression
    free    True: moves that are not counted and can be undone, such as walking in Sokoban. They
            cost 0, and a search keeps one of the states that they connect
    effects a list of `effect(...)`: what else happens, for each match of some patterns (in a
            puzzle of sets)
    inside  True: the one term that is taken may stand inside a term of the state, at any depth, and
            the one that is put comes in its place; `whole_` is the term around, `place_` the place
    name    the rule's name in statistics and errors; the label by default

    Raises RuleError, UnboundVariable, TermError or ExpressionError where it is written.

    >>> from rewrite.language.functions import ints
    >>> M, N = ints("M N")
    >>> rule(f"{M} + {N} → {M + N}", take=[M, N], put=[M + N], when=M >= N)
    rule('{M} + {N} → {M + N}', take=[M, N], put=[M + N], when=[M >= N])
    """
    if not isinstance(label, str):
        raise RuleError(f"rule({label!r}, …): the first argument is the label, a text; write "
                        f"rule('name', take=[…], put=[…])")  # fmt: skip
    if name is not None and not isinstance(name, str):
        raise RuleError(f"rule {label!r}: name={name!r} must be a text: name='go'")
    if let is None:
        let = {}
    if not isinstance(let, Mapping):
        raise RuleError(f"rule {label!r}: let={let!r} must be a dict {{pattern: expression}}")
    if free is not True and free is not False:
        raise RuleError(f"rule {label!r}: free={free!r} must be True or False")
    if free and not (type(cost) is int and cost == 1):
        raise RuleError(
            f"rule {label!r}: free=True and cost={cost!r}: free moves are not counted and cost 0. "
            "Leave one of the two out"
        )
    if inside is not True and inside is not False:
        raise RuleError(f"rule {label!r}: inside={inside!r} must be True or False")
    refuse_unlisted(f"rule {label!r}: effects=", effects)
    given = tuple(effects) if isinstance(effects, (list, tuple)) else (effects,)
    if not all(isinstance(one, Effect) for one in given):
        raise RuleError(f"rule {label!r}: effects={effects!r} must be a list of effect(…)")
    if free and given:
        raise RuleError(f"rule {label!r}: a free move has no effects=, which cannot be undone")
    taken, put_ = _term_list(label, "take", take), _term_list(label, "put", put)
    lets = [
        (_let_pattern(label, k), v if isinstance(v, OneOf) else _frozen(label, "let", v))
        for k, v in let.items()
    ]
    if inside:
        if len(taken) != 1 or len(put_) != 1:
            raise RuleError(
                f"rule {label!r}: inside=True: one term comes in the place of one; found "
                f"{len(taken)} in take= and {len(put_)} in put="
            )
        whole: Any = Variable("whole_", "term")
        place: Any = Variable("place_", "seq")
        lets.insert(0, ((place, *taken), OneOf(subterms(whole))))
        taken, put_ = (whole,), (replaced(whole, place, *put_),)
    made = Rule(
        label=label,
        take=taken,
        put=put_,
        when=_conditions(label, when),
        keep=_term_list(label, "keep", keep),
        absent=_term_list(label, "absent", list(separate(f"rule {label!r}", absent))),
        let=tuple(lets),
        cost=0 if free else _frozen(label, "cost", cost),
        name=label if name is None else name,
        free=free,
        effects=given,
    )
    if not made.take and not made.put and not made.effects:
        raise RuleError(f"rule {label!r} takes nothing and puts nothing; give take=[…] or put=[…]")
    if type(made.cost) is int and made.cost < 0:
        raise RuleError(f"rule {label!r}: cost={made.cost} is negative; a cost is 0 or more")
    if kind_of(made.cost) not in ("int", "term"):
        raise RuleError(f"rule {label!r}: cost={source(made.cost)} must be a whole number")
    return made


def keeping(given: Patterned, cost: Any, *outside: Any) -> Rule:
    """Return a condition or aggregate on patterns as a rule that keeps what they match.

    outside   further patterns, for variables that have their values from outside
    """
    return Rule(
        label=repr(given), literal=True, take=(), put=(), when=given.when,
        keep=(*outside, *given.patterns), absent=given.absent, let=(), cost=cost, name="condition",
    )  # fmt: skip


def _frozen(label: str, where: str, value: Any) -> Any:
    try:
        return freeze(value)
    except TermError as error:
        raise type(error)(f"rule {label!r}: {where}=: {error.message}", rule=label) from None


def _let_pattern(label: str, pattern: Any) -> Any:
    frozen_pattern = _frozen(label, "let", pattern)
    if isinstance(frozen_pattern, str):
        raise RuleError(
            f"rule {label!r}: let={{{pattern!r}: …}}: a text binds nothing. Write the variable "
            f"itself, let={{{frozen_pattern}: …}} with {frozen_pattern} = ints({frozen_pattern!r}) "
            f"or the like; to compare with the text write when=… == {frozen_pattern!r}",
            rule=label,
        )
    check_places(label, "let", frozen_pattern)
    return frozen_pattern


def _conditions(label: str, given: Any) -> tuple[Condition, ...]:
    try:
        return conditions(given)
    except RuleError as error:
        raise RuleError(f"rule {label!r}: when=: {error.message}", rule=label) from None


def _term_list(label: str, part: str, given: Any) -> tuple[Any, ...]:
    refuse_tuple(f"rule {label!r}", part, given, rule=label)
    if isinstance(given, Counter):
        given = occurrences(f"rule {label!r}: {part}=: ", given, RuleError)
    refuse_unlisted(f"rule {label!r}: {part}=", given)
    single = isinstance(given, (str, int, Term, Expression, Condition))
    if single or not isinstance(given, Iterable):
        raise RuleError(
            f"rule {label!r}: {part}={source(given)} must be a list; write {part}=[{source(given)}]"
        )
    frozen_terms = [_frozen(label, part, value) for value in given]
    for value in frozen_terms:
        check_places(label, part, value)
    return tuple(frozen_terms)


def _check_slips(made: Rule, where: str, bound: dict[Variable, None]) -> None:
    """Refuse a text, name or function that was meant as a variable or its value."""
    lets = [part for pair in made.let for part in pair]
    parts_ = {
        "take": made.take, "keep": made.keep, "put": made.put, "absent": made.absent,
        "when": made.when, "let": lets, "cost": made.cost, "effects": made.effects,
    }  # fmt: skip
    found = {part: held(value) for part, value in parts_.items()}
    variables_ = {one: None for inside, _ in found.values() for one in inside}
    check_kinds(where, variables_)
    for part, (_, texts) in found.items():
        check_texts(f"{where}: {part}=", texts, variables_)
    for given in made.when:
        if isinstance(given, Predicate):
            _check_function(where, given.function, {variable.name for variable in bound})


def _check_function(where: str, function: Any, names: set[str]) -> None:
    """Refuse a function in `when=` that expects values of variables: it receives the State."""
    if isinstance(function, Function):
        raise RuleError(
            f"{where}: when={function!r}: {function!r} is a function; call it with its "
            f"arguments: when={function!r}({', '.join(sorted(names)) or '…'})"
        )
    code = getattr(function, "__code__", None)
    named = code is not None and code.co_argcount == 1 and code.co_varnames[0]
    if named and named in names:
        raise RuleError(
            f"{where}: when={function.__name__}: a function as a condition is given the State, not "
            f"the value of {named}. Write the expression itself, e.g. when={named} > 3, or "
            "decorate the function with @fn and call it"
        )


def lets_in_order(
    patterns: tuple[Any, ...], let: tuple[tuple[Any, Any], ...]
) -> Iterator[tuple[int, dict[Variable, None]]]:
    """Yield the lets, by number, as the definition computes them, and what is bound before each.

    patterns   what is taken and kept, which binds before all of them

    As declared, those that look at the state after all others that can be computed. A sum sees no
    variable that is bound after it: it is local to the sum, and means "any".
    """
    bound, waiting = binders(patterns), dict(enumerate(let))
    while waiting:
        ready = [
            at for at, (_, value) in waiting.items() if variables(value).keys() <= bound.keys()
        ]
        # where none is ready, the first one tells which variable has no value
        now = min(ready or waiting, key=lambda at: (bool(aggregates_in(let[at][1])), at))
        yield now, bound
        bound = bound | binders(waiting.pop(now)[0])


def _check_bound(made: Rule) -> dict[Variable, None]:
    where = f"rule {made.label!r}"
    bound = binders(made.take + made.keep)
    levels: dict[Variable, int] = {}
    for number, before in lets_in_order(made.take + made.keep, made.let):
        pattern, value = made.let[number]
        require(where, f"let={{{source(pattern)}: {source(value)}}}", value, before)
        let = f"{where}: let={{{source(pattern)}: …}}"
        for aggregate in aggregates_in(value):
            check_condition(let, aggregate, before, in_rule=True)
        options = inside(value) if isinstance(value, OneOf) else (value,)
        made_of = [check_nesting(f"{where}: let=", option, levels) for option in options]
        levels |= dict.fromkeys(binders(pattern), max(made_of, default=0))
        bound |= binders(pattern)
    for part in ("take", "keep"):
        for pattern in getattr(made, part):
            for expression in computed(pattern):
                require(where, f"{part}=[{source(pattern)}]", expression, bound)
    for pattern in made.put:
        require(where, f"put=[{source(pattern)}]", pattern, bound)
    for pattern, _ in made.let:
        for expression in computed(pattern):
            require(where, f"let={{{source(pattern)}: …}}", expression, bound)
    for value in (made.put, made.cost):
        for aggregate in aggregates_in(value):
            check_condition(where, aggregate, bound, in_rule=True)
    for given in made.when:
        if asks_terminal(given):
            raise RuleError(
                f"{where}: when={given!r}: terminal() asks whether any rule applies, so it stands "
                "in goals only",
                rule=made.label,
            )
        check_condition(where, given, bound, in_rule=True)
    check_absent(where, made.absent, bound)
    require(where, f"cost={source(made.cost)}", made.cost, bound)
    for effect in made.effects:
        effect.check(made.label, bound)
    _check_slips(made, where, bound)
    return bound

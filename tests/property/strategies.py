"""Whole random rule systems: `terms()`, `states()`, `rules()`, `puzzles()`.

Every rule is built around a *sample match*: terms of the state are drawn and turned into patterns,
and the values that their variables stand for are remembered. So every variable that is used is
bound, guards can be drawn to hold for the sample, and most rules apply. Arithmetic is done on
variables of kind int only, or with what never has a value, so that nothing fails; any of it may
well have no value.

Sizes are kept small: states of at most 5 terms, rules that seldom put more than they take. Still a
space may be infinite: whoever explores one must limit it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

import rewrite as f
from rewrite.language import meaning
from rewrite.language.bag import Bag
from rewrite.language.builtins import BUILTINS, Takes
from rewrite.language.conditions import (
    Condition,
    contains,
    count,
    exactly,
    highest,
    lacks,
    lowest,
    terminal,
    total,
)
from rewrite.language.evaluation import NoValue, evaluate
from rewrite.language.expressions import ANY, Call, Variable, kind_of
from rewrite.language.functions import fn
from rewrite.language.matching import fits, same
from rewrite.language.patterns import contains_wildcard
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule, rule
from rewrite.language.states import State
from rewrite.language.terms import Term, freeze, term

Draw = Callable[[st.SearchStrategy[Any]], Any]
Sample = dict[Variable, Any]
"""The variables of a rule, with the values that they have in the sample match."""


@term
class Flag:
    pass


@term
class Box:
    at: Any


@term
class At:
    place: Any
    thing: Any


@term
class Chain:
    cells: tuple[Any, ...]


@fn
def wrapped(value: Any) -> Any:
    return (value, 1)


def is_short(state: State) -> bool:
    return len(state) < 4


VARIABLES: dict[str, Any] = {
    "int": f.ints("X Y Z"),
    "str": f.strs("U V"),
    "bool": f.bools("F G"),
    "seq": f.seqs("S T"),
    "bag": f.bags("B C"),
    "term": (*f.terms("P Q"), f.terms("some", Box, int), f.terms("mixed", str, tuple, Chain)),
    "constructor": (
        f.terms("O", Box),
        f.terms("K", At),
        f.terms("either", At, Box),
        f.terms("or_", Chain, Box),
    ),
}
REST, OTHER_REST = f.bags("J0 J1")
LOCAL: dict[str, Any] = {"int": f.ints("I J"), "seq": f.seqs("R W"), "term": f.terms("L N")}
MADE: dict[str, Any] = {
    "int": f.ints("d0:3"),
    "seq": f.seqs("E H"),
    "bag": f.bags("A D"),
    "term": f.terms("M M2"),
}
INTS = [0, 1, 2, 3, 4, -1, -2, 10, 2**31, 2**64, -(2**70), 10**40]
SMALL = st.sampled_from(INTS[:6])
TEXTS = [
    "a",
    "b",
    "",
    "é日",
    "{no}",
    "{",
    "}}",
    "'",
    '"',
    "\\",
    "\n",
    "\0",
    "a\"'{}\\",
    "ß→𝄞",
    "\u202e",
]
"""Some of them mean something in a label, in Python, or in a terminal."""
PERCENT = st.integers(1, 100)
# Strategies are made once: hypothesis examines each new one, which takes longer than to draw.


@cache
def up_to(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def chance(draw: Draw, percent: int) -> bool:
    return bool(draw(PERCENT) <= percent)


def choice(draw: Draw, options: Iterable[Any]) -> Any:
    listed = list(options)
    return listed[draw(up_to(len(listed) - 1))]


@cache
def atoms() -> st.SearchStrategy[Any]:
    return SMALL | SMALL | st.sampled_from(INTS) | st.sampled_from(TEXTS) | st.booleans()


@cache
def terms() -> st.SearchStrategy[Any]:
    """Frozen ground terms of every kind, nested a little."""

    def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(inner, max_size=3)
        return (
            several.map(tuple)
            | several.map(Bag)
            | inner.map(Box)
            | st.builds(At, inner, inner)
            | several.map(lambda cells: Chain(tuple(cells)))
        )

    return st.recursive(atoms(), grown, max_leaves=4)


@cache
def states() -> st.SearchStrategy[State]:
    """States of up to 5 terms, often with equal ones."""
    several = st.lists(terms() | SMALL, min_size=1, max_size=4)
    doubled = st.builds(lambda items, n: items + items[:n], several, st.integers(0, 1))
    return doubled.map(State)


# -- patterns ----------------------------------------------------------------------------------


def variable(draw: Draw, value: Any, sample: Sample, pools: list[dict[str, Any]]) -> Any:
    """A variable that may stand for the value, recorded in the sample; ANY if there is none."""
    kind = kind_of(value)
    fitting = [v for pool in pools for v in (*pool.get(kind, ()), *pool.get("term", ()))]
    free = [v for v in fitting if fits(v, value) and (v not in sample or same(sample[v], value))]
    if not free or chance(draw, 8):
        return ANY
    chosen = free[0] if chance(draw, 70) else choice(draw, free)
    sample.setdefault(chosen, value)
    return chosen


def pattern(
    draw: Draw, value: Any, sample: Sample, pools: list[dict[str, Any]], top: bool = True
) -> Any:
    """A pattern that matches the value, binding what it binds to what the sample says."""
    if chance(draw, 25 if top else 40):
        return variable(draw, value, sample, pools)
    numbers = [v for v in sample if v.kind == "int"]
    if type(value) is int and numbers and chance(draw, 30):
        known = choice(draw, numbers)
        return known + (value - sample[known])  # computed: an equality on what is bound
    if isinstance(value, tuple):
        return tuple(sequence(draw, value, sample, pools))
    if isinstance(value, Bag):
        return Bag(nested(draw, value, sample, pools))
    if isinstance(value, Chain):
        return Chain(tuple(sequence(draw, value.cells, sample, pools)))
    if isinstance(value, Term):
        return type(value)(
            *[pattern(draw, v, sample, pools, False) for v in value.term_arguments()]
        )
    return value


def sequence(draw: Draw, value: Any, sample: Sample, pools: list[dict[str, Any]]) -> list[Any]:
    cuts = sorted(draw(st.lists(st.integers(0, len(value)), min_size=2, max_size=2)))
    if not chance(draw, 60):
        return [pattern(draw, part, sample, pools, False) for part in value]
    first, last = cuts
    out = [pattern(draw, part, sample, pools, False) for part in value[:first]]
    out.extend(variable(draw, value[first:last], sample, pools))
    out += [pattern(draw, part, sample, pools, False) for part in value[last:]]
    if chance(draw, 25):
        out.extend(variable(draw, (), sample, pools))
    return out


def nested(draw: Draw, value: Bag, sample: Sample, pools: list[dict[str, Any]]) -> list[Any]:
    items = list(draw(st.permutations(value.items)))
    number = draw(up_to(min(2, len(items)))) if chance(draw, 60) else len(items)
    out = [pattern(draw, part, sample, pools, False) for part in items[:number]]
    if number < len(items) or chance(draw, 20):
        out.extend(variable(draw, Bag(items[number:]), sample, pools))
        if chance(draw, 15):
            out.extend(variable(draw, Bag(), sample, pools))
    return out


# -- expressions -------------------------------------------------------------------------------


def known(sample: Sample, kind: str) -> list[Any]:
    return [v for v in sample if v.kind == kind]


def number(draw: Draw, sample: Sample, depth: int = 2) -> Any:
    numbers, sequences = known(sample, "int"), known(sample, "seq")
    texts = known(sample, "str")
    if texts and chance(draw, 10):
        chosen = choice(draw, texts)
        return choice(draw, [f.length(chosen), f.position(draw(PARTS), chosen)])
    if depth == 0 or chance(draw, 35):
        return choice(draw, numbers) if numbers and chance(draw, 80) else draw(SMALL)
    if sequences and chance(draw, 35):
        chosen = choice(draw, sequences)
        return choice(draw, [f.length(chosen), f.number(chosen), f.number((*chosen, 1)),
                             f.position(draw(atoms()), chosen),
                             f.position(choice(draw, sample), (*chosen, 1))])  # fmt: skip
    left, right = number(draw, sample, depth - 1), number(draw, sample, depth - 1)
    if known(sample, "term") and chance(draw, 20):  # perhaps no number, but then no value either
        never = Call(choice(draw, ["//", "%"]), (right, 0), "int")
        return Call(choice(draw, "+-*"), (choice(draw, known(sample, "term")), never), "int")
    if not numbers:
        return left
    left = left if kind_of(left) != "int" or not isinstance(left, int) else choice(draw, numbers)
    return choice(draw, [
        lambda: left + right, lambda: right - left, lambda: left * right, lambda: left // right,
        lambda: left % right, lambda: left % 3, lambda: right // left, lambda: -left,
        lambda: abs(left), lambda: f.least(left, right), lambda: f.greatest(left, right),
        lambda: f.if_(left > right, left, right), lambda: total((left, right)),
        lambda: (left % 5) ** 2, lambda: left % 4, lambda: called(draw, sample, "int"),
    ])()  # fmt: skip


def text(draw: Draw, sample: Sample) -> Any:
    texts, digits = known(sample, "str"), f.text(number(draw, sample, 1))
    left, right = choice(draw, texts or [digits]), choice(draw, [*texts, "é", "日a"])
    return choice(draw, [
        f.upper(left), f.reverse(left), left + digits, left[1:], f.text((left, digits, right)),
        f.text(f.letters(left) + f.letters(right)), f.text(left), f.text(f.letters(left)[::-1]),
        called(draw, sample, "str"),
    ])  # fmt: skip


PARTS = st.sampled_from(["a", "", "é", "日", "b"])


def template(draw: Draw, sample: Sample, depth: int = 2) -> Any:
    """What may stand in `put`: anything that can be built from the variables."""
    if sample and chance(draw, 40):
        return choice(draw, sample)
    if depth == 0 or chance(draw, 35):
        return number(draw, sample, 1) if chance(draw, 70) else draw(atoms())
    inner = [template(draw, sample, depth - 1) for _ in range(draw(up_to(2)))]
    for kind in ("seq", "bag"):
        if known(sample, kind) and chance(draw, 50):
            inner.extend(choice(draw, known(sample, kind)))  # its splice
    options: list[Callable[[], Any]] = [
        lambda: tuple(inner), lambda: Bag(inner), lambda: Chain(tuple(inner)),
        lambda: Box(template(draw, sample, depth - 1)),
        lambda: At(template(draw, sample, 0), template(draw, sample, depth - 1)),
        lambda: f.digits(number(draw, sample, 1)), lambda: called(draw, sample, "seq"),
    ]  # fmt: skip
    if known(sample, "seq"):
        chosen, pair = choice(draw, known(sample, "seq")), (1, 2)
        options += [
            lambda: chosen[0],
            lambda: chosen[1:],
            lambda: chosen + pair,
            lambda: chosen[-1],
            lambda: f.reverse(chosen),
            lambda: (chosen + pair)[::-1],
        ]
    options += [lambda: text(draw, sample), lambda: f.letters(text(draw, sample))]
    if known(sample, "str"):
        options += [lambda: text(draw, sample)] * 2
    if sample:
        options += [lambda: wrapped(choice(draw, sample))] * 3
    return choice(draw, options)()


def called(draw: Draw, sample: Sample, kind: str) -> Any:
    """A call of some built-in function that gives this kind."""
    row = choice(draw, [row for row in CALLABLE if row.gives == kind])
    return Call(row.name, [argument(draw, sample, taken) for taken in row.takes], kind)


def argument(draw: Draw, sample: Sample, taken: Takes) -> Any:
    kind = choice(draw, taken.kinds or ("term",))
    if known(sample, kind) and chance(draw, 80):
        return choice(draw, known(sample, kind))
    if kind == "int":
        return number(draw, sample, 0)
    if kind == "str":
        return draw(PARTS)
    inner = [template(draw, sample, 0) for _ in range(draw(up_to(2)))]
    return {"seq": tuple(inner), "bag": Bag(inner)}.get(kind, (inner or [1])[0])


MAY_FAIL = ("**", "total", "text", "is_in", "position")
CALLABLE = [row for row in BUILTINS.values() if row.name not in MAY_FAIL]
"""The built-in functions that fail for no values of the kinds that they take."""


def worth(expression: Any, sample: Sample) -> Any:
    """The value of an expression in the sample match; None where it has none."""
    try:
        return evaluate(freeze(expression), sample)
    except NoValue:
        return None


def undecided(condition: Any) -> Any:
    """The same as an expression, where Python has decided it: nothing in it was open."""
    return f.between(0, 0 if condition else 1, 0) if isinstance(condition, bool) else condition


def comparison(draw: Draw, sample: Sample) -> Any:
    """A guard on the variables; it holds for the sample in 9 of 10 cases."""
    left, right, third = (number(draw, sample, 1) for _ in range(3))
    anything = choice(draw, sample)
    options = [
        anything == template(draw, sample, 1), anything != draw(atoms()), anything > draw(atoms()),
        f.is_in(anything, [draw(atoms()), draw(atoms())]), f.between(left, anything, right),
        f.is_in(anything, (left, anything)), f.divides(left, right), f.between(left, right, third),
        called(draw, sample, "bool"),
    ]  # fmt: skip
    if known(sample, "int"):
        chosen = choice(draw, known(sample, "int"))
        options += [chosen < left, chosen >= right, chosen % 2 == left, chosen + left != right]
    if known(sample, "str"):
        words = choice(draw, known(sample, "str"))
        options += [
            f.is_in(draw(PARTS), words),
            f.is_in(words, "aé日b"),
            words != text(draw, sample),
        ]
    options = [undecided(option) for option in options]
    made = choice(draw, options)
    if chance(draw, 25):
        other = choice(draw, options)
        made = (made & other) if chance(draw, 50) else (made | other)
    return ~made if worth(made, sample) is not True and chance(draw, 90) else made


def aggregate(draw: Draw, sample: Sample, items: list[Any]) -> Any:
    """An aggregate whose pattern has local variables beside those of the rule."""
    inside = dict(sample)
    given = pattern(draw, choice(draw, items), inside, [LOCAL])
    own = [v for v in inside if v not in sample]
    when = [comparison(draw, inside)] if inside and chance(draw, 25) else []
    counts = [count(given, when=when), total(number(draw, inside, 1), given, when=when)]
    if not own:
        return counts[0]
    extremes = [lowest(own[0], given, when=when), highest(own[-1], given, when=when)]
    return choice(draw, [*counts, *extremes, *extremes])


def undecided_pattern(given: Any) -> Any:
    """The pattern; a bare truth value, which `absent` refuses, inside a sequence."""
    return (given,) if isinstance(given, bool) else given


def with_rest(draw: Draw, sample: Sample, items: list[Any]) -> Any:
    """A condition that names what its patterns leave of the state."""
    inside, number = dict(sample), draw(st.integers(0, 2))
    given = [pattern(draw, choice(draw, items), inside, [LOCAL]) for _ in range(number)]
    bound = known(sample, "bag")
    rest = choice(draw, bound if bound and chance(draw, 25) else [REST, REST, REST, ANY])
    asked: list[Any] = []
    if rest is REST:
        other = OTHER_REST
        asked = choice(draw, [
            [], [f.length(REST) < draw(st.integers(0, 5))], [f.is_in(choice(draw, items), REST)],
            [lacks(REST)], [Bag(items[:1]) != REST], [contains(*REST)],
            [contains(ANY, *other, when=f.length(other) < f.length(REST))],
            [lacks(ANY, *other, when=other == REST), f.length(REST) > 0],
        ])  # fmt: skip
    place = draw(st.integers(0, number))
    kind = choice(draw, [contains, exactly, lacks])
    made = kind(*given[:place], *rest, *given[place:], when=asked)
    if rest is REST and kind is not lacks and chance(draw, 30):
        made = made & choice(draw, [f.length(REST) < 3, contains(*REST), lacks(ANY, *REST)])
    return made if chance(draw, 75) else ~made


def condition(draw: Draw, sample: Sample, items: list[Any]) -> Any:
    """A guard that looks at the state and the facts."""
    inside = dict(sample)
    given = [pattern(draw, choice(draw, items), inside, [LOCAL]) for _ in range(draw(SIZES))]
    inner = {"when": [comparison(draw, inside)]} if inside and chance(draw, 25) else {}
    strange = undecided_pattern(pattern(draw, draw(terms()), dict(sample), [LOCAL]))
    made = choice(draw, [
        contains(*given, **inner), contains(*given, absent=[strange]), ~lacks(*given),
        lacks(strange), ~exactly(*given, **inner), lacks(*given, **inner), is_short,
        *[aggregate(draw, sample, items) >= draw(SMALL), aggregate(draw, sample, items) != 1] * 3,
        contains(*given) & lacks(strange), contains(*given) | exactly(strange),
        exactly(*[ANY] * draw(up_to(4))), *[with_rest(draw, sample, items)] * 4,
    ])  # fmt: skip
    return made


SIZES = st.integers(1, 2)


# -- rules and puzzles -------------------------------------------------------------------------


def choose_let(draw: Draw, sample: Sample) -> dict[Any, Any]:
    """One definition of further variables, and its sample."""
    n, other, third = MADE["int"]
    rest, end = MADE["seq"]
    some, _ = MADE["bag"]
    anything, _ = MADE["term"]
    expression = number(draw, sample)
    options: list[dict[Any, Any]] = [
        {n: expression},
        {anything: template(draw, sample)},
        {n: f.one_of(expression, number(draw, sample, 1), draw(SMALL))},
        {anything: f.one_of(template(draw, sample, 1), template(draw, sample, 1))},
        {(n, other): f.one_of((1, expression), (draw(SMALL), 2), (expression, expression))},
        {(*rest, n, *end): f.digits(abs(expression) + 10), other: f.number((*rest, *end))},
        {(*rest, n): f.digits(f.least(abs(expression), 99)), third: n + 1},
    ]
    for chosen in known(sample, "seq"):
        options += [{(anything, *rest): chosen}, {anything: f.one_of(chosen)}, {rest: chosen[1:]}]
    for chosen in known(sample, "bag"):
        options += [{Bag([anything, *some]): chosen}, {anything: f.one_of(chosen)}]
    return dict(choice(draw, options))


def sample_of(let: dict[Any, Any], sample: Sample) -> Sample | None:
    """The sample with the variables of a let, from its first match; None where it has none."""
    probe = rule("let", take=[(*sample,)], let=let)
    start = State([tuple(sample.values())])
    for way in meaning.ways(Puzzle(probe), probe, start):
        return {**sample, **way.bindings}
    return None


@st.composite
def rules(
    draw: Draw, state: State | None = None, facts: State | None = None, shrinking: bool = False
) -> Rule:
    """Valid rules; most of them apply to the state. A shrinking rule takes more than it puts."""
    state = draw(states()) if state is None else state
    mine = list(draw(st.permutations(list(state.items))))
    others = list(facts.items) if facts is not None else []
    taken = mine[: draw(st.integers(1, 2)) + shrinking]
    kept = [term for term in [*mine[len(taken) :], *others] if chance(draw, 30)][:2]
    pools: list[dict[str, Any]] = [VARIABLES]
    sample: Sample = {}
    take = [pattern(draw, value, sample, pools) for value in taken]
    keep = [pattern(draw, value, sample, pools) for value in kept]
    take, keep = draw(st.permutations(take)), draw(st.permutations(keep))
    let: dict[Any, Any] = {}
    if chance(draw, 40):
        wanted = choose_let(draw, sample)
        extended = sample_of(wanted, sample)
        if extended is not None:
            let, sample = wanted, extended
    items = [*state.items, *others]
    if not let and chance(draw, 10):  # a let that looks at the state
        let = {MADE["term"][0]: aggregate(draw, sample, items)}
        sample = {**sample, MADE["term"][0]: 1}
    when: list[Any] = []
    if sample and chance(draw, 40):
        when.append(comparison(draw, sample))
    if chance(draw, 30):
        when.append(condition(draw, sample, items))
    absent = []
    if chance(draw, 25):
        absent.append(undecided_pattern(pattern(draw, draw(terms()), dict(sample), [LOCAL])))
    most = max(0, len(take) - 1) if shrinking else min(3, len(take) + chance(draw, 20))
    same_again = [one for one in (*take, *keep) if not contains_wildcard(one)]
    put = [
        choice(draw, same_again) if same_again and chance(draw, 12) else template(draw, sample)
        for _ in range(draw(up_to(most)))
    ]
    costs = [1, 1, 1, 0, 3, f.least(abs(number(draw, sample)), 5)]
    cost = choice(draw, costs)
    label = " ".join(["go", *(f"{v}" for v in sample)])
    return rule(label, take=take, keep=keep, let=let, when=when, absent=absent, put=put,
                cost=1 if shrinking else cost, name=f"r{draw(st.integers(0, 99))}")  # fmt: skip


def begun(puzzle: Puzzle) -> State:
    """The state in which every search of the puzzle begins."""
    assert puzzle.start is not None
    return meaning.simplified(puzzle, puzzle.start)


@cache
def several_facts() -> st.SearchStrategy[State]:
    return st.lists(terms(), max_size=2).map(State) | st.just(State())


@st.composite
def puzzles(draw: Draw) -> Puzzle:
    """Puzzles with a start, up to 3 rules, and sometimes facts, never, simplify and a goal; of
    multisets, some of sets.
    """
    start = draw(states())
    facts = draw(several_facts())
    items = [*start.items, *facts.items]
    made = [draw(rules(state=start, facts=facts)) for _ in range(draw(st.integers(1, 3)))]
    made = [] if chance(draw, 3) else made
    never = [condition(draw, {}, items)] if chance(draw, 12) else []
    simplify = [draw(rules(state=start, facts=facts, shrinking=True))] if chance(draw, 15) else []
    goal = condition(draw, {}, items) if chance(draw, 50) else None
    if isinstance(goal, Condition) and chance(draw, 20):
        shared: Sample = {}
        first, second = (pattern(draw, choice(draw, items), shared, [LOCAL]) for _ in range(2))
        ends = terminal() if chance(draw, 50) else ~terminal()
        also = ends & choice(draw, [contains, lacks])(undecided_pattern(second))
        options = [ends & goal, ends | goal, contains(first) & also, contains(first, when=ends)]
        goal = choice(draw, options)
    if chance(draw, 8):
        goal = choice(draw, [start, [start, draw(states())], lacks("a") | State(start.items[1:])])
    sets = chance(draw, 20)
    made = [puts_again(draw, one, items) if sets else one for one in made]
    return Puzzle(
        *made, start=start, goal=goal, facts=facts, never=never, simplify=simplify, sets=sets
    )


def puts_again(draw: Draw, given: Rule, items: list[Any]) -> Rule:
    """A rule that also puts what a set may hold already."""
    there = [*given.take, *given.keep, *given.keep, *given.put, *items]
    again = [one for one in there if not contains_wildcard(one)]
    return evolve(given, put=(*given.put, *[choice(draw, again) for _ in range(draw(up_to(2)))]))

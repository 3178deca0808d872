"""Instances of rules: those that joins find are all that the definition finds, and no others."""

from collections import Counter
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rewrite import Bag, Puzzle, Rule, RuleError, State, bags, ints, one_of, rule, seqs, term, terms
from rewrite.compile.interning import decode, encode, ordered
from rewrite.compile.slots.grounding import Grounder
from rewrite.compile.slots.keys import Unsuitable, find
from rewrite.compile.slots.prepared import GroundRule
from rewrite.language import meaning
from rewrite.language.conditions import Holds
from tests.engines import start_of
from tests.property.board_puzzles import board_puzzles
from tests.property.drawn import drawn
from tests.property.growing_puzzles import growing_puzzles
from tests.property.sliding_puzzles import sliding_puzzles
from tests.property.strategies import puzzles


@term
class Found:
    ground: tuple  # type: ignore[type-arg]
    parts: tuple  # type: ignore[type-arg]


@term
class Edge:
    a: Any
    b: Any


@term
class At:
    cell: Any


@term
class Held:
    thing: Any


def by_definition(prepared: GroundRule, known: State) -> set[Any]:
    """Return (values of the ground variables, parts filled in) of every match."""
    query = prepared.query
    asked = Rule(
        label="find", take=(), put=(Found(query.wanted, prepared.shown),),
        when=tuple(Holds(guard) for guard in query.guards), keep=query.patterns, absent=(),
        let=query.lets, cost=1, name="find",
    )  # fmt: skip
    base = Puzzle(asked, facts=known, name="find")
    made = [way.after.items[0] for way in meaning.successors(base, State([]))]
    return {encode(one)[1:] for one in made}


def agree(puzzle: Puzzle) -> int:
    """Compare the instances of each rule with the definition; return how many there are."""
    try:
        grounder = Grounder(puzzle, find(puzzle, start_of(puzzle)), start_of(puzzle))
        atoms, instances = grounder.atoms_and_instances()
    except Unsuitable:
        return 0
    known = State.of([*grounder.facts.items, *map(decode, atoms)])
    if len(known) > 40:
        return 0  # the definition tries all combinations
    try:
        wanted = [by_definition(prepared, known) for prepared in grounder.rules]
    except RuleError:
        return 0  # it tries more before it asks a guard
    put = {*grounder.start}
    for prepared, found, right in zip(grounder.rules, instances, wanted, strict=True):
        assert {(one.ground, tuple(one[1:])) for one in found} == right
        assert len(found) == len(right)
        assert [one.ground for one in found] == [*ordered([one.ground for one in found])]
        for one in found:
            put |= {value for value, at in zip(one.put, prepared.places["put"], strict=True)
                    if at == "atom"}  # fmt: skip
    assert {*atoms} == put
    assert len(atoms) == len(put)
    return sum(map(len, instances))


KINDS = [board_puzzles(), puzzles(), sliding_puzzles(), growing_puzzles()]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_instances_are_those_of_the_definition(kind: Any, data: st.DataObject) -> None:
    agree(data.draw(kind))


def test_many_of_the_boards_have_instances() -> None:
    assert sum(1 for puzzle in drawn(board_puzzles, 40) if agree(puzzle)) > 20


A, B, C, P, Q = terms("A B C P Q")
M, N = ints("M N")
S, R = seqs("S R")
X, Y = bags("X Y")
LINE = [Edge(i, i + 1) for i in range(5)]


@pytest.mark.parametrize(
    ("made", "start", "facts", "number"),
    [
        # what is looked up comes two rounds later; a chain of what waits
        (rule("go", take=[At(M), At(M + 1)], put=[At(M + 2)], when=M < 5), [At(0), At(1)], LINE, 5),
        (
            [
                rule("meet", take=[Held(M)], keep=[At(M), At(M + 1), At(M + 2)], put=["x"]),
                rule("step", take=[At(M)], keep=[Edge(M, N)], put=[At(N)]),
            ],
            [Held(1), At(0)],
            LINE,
            1 + 5,
        ),
        # the same fact twice, and two patterns that must match two of them
        (rule("two", take=[At(A)], keep=[Edge(A, B), Edge(A, B)], put=[At(B)]), [At(1)],
         [Edge(1, 2), Edge(1, 2), Edge(2, 3)], 1),
        # parts in every way: sequences and bags, and what is computed from them
        (rule("cut", take=[At((*S, M, *R))], keep=[Edge(M, N)], put=[At((*R, *S))]),
         [At((1, 2, 1))], LINE, 5),
        (rule("pick", take=[Held(Bag([A, *X]))], keep=[Edge(A, M + 1)], put=[Held(X), At(M)],
              let={M: one_of(0, 1)}), [Held(Bag([0, 1, 1]))], LINE, 2),
        # an equation on both sides of a let, and a guard without a value
        (rule("odd", take=[At(M)], keep=[Edge(N, N + P)], let={P: M + 1}, when=6 // M > 1,
              put=[At(M - 1)]), [At(3)], [*LINE, Edge(1, 4), Edge(0, 4)], 2),
    ],
)  # fmt: skip
def test_joins_by_hand(made: Any, start: list[Any], facts: list[Any], number: int) -> None:
    assert agree(Puzzle(made, start=start, facts=facts)) == number


def test_many_patterns_in_one_rule() -> None:
    values = ints("v0:50")
    chain = [Edge(at, value) for at, value in enumerate(values)]
    made = rule("all", take=[Held(M)], keep=[*chain, Edge(*seqs("T U"))], put=[Held(M)], when=M > 0,
                let={(*S, P): (1, M)})  # fmt: skip
    facts = [*[Edge(at, at + 1) for at in range(50)], Edge(0, 0), Edge((), ())]
    puzzle = Puzzle(made, start=[Held(1), Held(2)], facts=facts)
    grounder = Grounder(puzzle, find(puzzle, start_of(puzzle)), start_of(puzzle))
    assert len(grounder.atoms_and_instances()[1][0]) == 2 * 2


def meaning_of(puzzle: Puzzle) -> Any:
    """Return atoms and instances without the order of variables and patterns; None: unsuitable."""
    try:
        grounder = Grounder(puzzle, find(puzzle, start_of(puzzle)), start_of(puzzle))
        atoms, instances = grounder.atoms_and_instances()
    except Unsuitable:
        return None
    found = {
        (prepared.rule.name, frozenset(
             (v, x) for v, x in zip(prepared.ground, one.ground, strict=True)
             if v in prepared.rule.bound  # the others stand for ANY, numbered as they come
         ),
         tuple([frozenset(Counter(part).items()) for part in (one.take, one.put)]))
        for prepared, group in zip(grounder.rules, instances, strict=True) for one in group
    }  # fmt: skip
    return {*atoms}, found


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_the_order_of_parts_does_not_matter(kind: Any, data: st.DataObject) -> None:
    puzzle = data.draw(kind)

    def permuted(one: Rule) -> Rule:
        mixed: dict[str, Any] = {
            part: tuple(data.draw(st.permutations(getattr(one, part))))
            for part in ("take", "keep", "put", "absent", "when", "let")
        }
        return evolve(one, **mixed)

    other = puzzle.replace(
        rules=[permuted(one) for one in data.draw(st.permutations(puzzle.rules))],
        facts=data.draw(st.permutations(puzzle.facts.items)),
    )
    assert meaning_of(puzzle) == meaning_of(other)

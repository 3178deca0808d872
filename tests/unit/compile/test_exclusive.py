"""Atoms that exclude each other: what is found, and that it is true of every state."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from hypothesis import given, note
from hypothesis import strategies as st

from rewrite import Condition, Puzzle, contains, exactly, ints, rule, search, term
from rewrite.compile.interning import Ctor, encode, key_of
from rewrite.compile.slots.at_most_one import Action, Group, Schema, exclusive
from tests.terms import A, B, Next


@term
class Car:
    name: str
    at: int


P, Q = ints("P Q")


class Step(NamedTuple):
    """What a ground rule does, with atoms."""

    take: frozenset[Any]
    keep: frozenset[Any]
    put: frozenset[Any]
    absent: frozenset[Any]


def action(
    take: Iterable[Any], put: Iterable[Any], keep: Iterable[Any] = (), absent: Iterable[Any] = ()
) -> Step:
    return Step(*[frozenset(map(encode, part)) for part in (take, keep, put, absent)])


def schema(actions: Sequence[Step], takes: Sequence[Any] = (None,), puts: Any = (None,)) -> Schema:
    def numbered(number: dict[Any, int]) -> list[Action]:
        return [Action(*[[number[atom] for atom in part] for part in one]) for one in actions]

    return Schema(takes, puts, len(actions), numbered)


def groups(start: Iterable[Any], actions: Sequence[Step], *more: Schema) -> list[Group]:
    first = frozenset(map(encode, start))
    atoms = first.union(*[one.take | one.put | one.keep | one.absent for one in actions])
    return exclusive(sorted(atoms, key=key_of), [*first], more or [schema(actions)])


def shown(start: Iterable[Any], *actions: Step) -> list[tuple[str, bool]]:
    found = groups(start, actions)
    return [(" ".join(f"{a[0]}{a[1:]}" for a in group.atoms), group.exact) for group in found]


def test_one_walker_is_in_exactly_one_place() -> None:
    walks = [action([A(i)], [A(j)]) for i in range(3) for j in range(3) if i != j]
    assert shown([A(0)], *walks) == [("A(0,) A(1,) A(2,)", True)]


def test_a_key_is_read_from_two_constructors() -> None:
    jumps = [action([A(i), B(j)], [B(i), A(j)]) for i in range(3) for j in range(3) if i != j]
    pairs = [("A(0,) B(0,)", True), ("A(1,) B(1,)", True), ("A(2,) B(2,)", True)]
    assert shown([A(0), A(1), B(2)], *jumps) == pairs


def test_what_may_vanish_leaves_a_slot_that_may_be_empty() -> None:
    walks = [action([A(i)], [A(j)]) for i in range(3) for j in range(3) if i != j]
    assert shown([A(0)], *walks, action([A(2)], [])) == [("A(0,) A(1,) A(2,)", False)]


def test_of_several_ways_to_share_the_one_with_the_fewest_bits_is_taken() -> None:
    """Three cars on a road of four: a slot a car takes 6 bits, a slot a place 8."""
    names = "xyz"
    moves = [
        action([Car(name, i), A(j)], [Car(name, j), A(i)])
        for name in names for i in range(4) for j in range(4) if i != j
    ]  # fmt: skip
    found = groups([Car("x", 0), Car("y", 1), Car("z", 2), A(3)], moves)
    assert sum(group.bits for group in found) == 8  # A(3) has two bits, too


ATOMS = [A(0), A(1), A(2), B(0), B(1), B(2), Car("x", 0), Car("x", 1), Car("y", 0), Car("y", 1)]


@st.composite
def actions(draw: st.DrawFn) -> Step:
    few = st.lists(st.sampled_from(ATOMS), max_size=2)
    take, absent = draw(few), draw(few)
    size = st.lists(st.sampled_from(ATOMS), min_size=len(take), max_size=len(take))
    put = draw(st.one_of(size, size, st.lists(st.sampled_from(ATOMS), max_size=2)))
    keep = [one for one in draw(st.lists(st.sampled_from(ATOMS), max_size=1)) if one not in take]
    return action(take, put, keep, [one for one in absent if one not in take])


def reachable(start: frozenset[Any], steps: Sequence[Step]) -> Iterable[tuple[Any, Any]]:
    """Yield each state with the atoms that stand twice in it, by trying every action."""
    queue, seen, at = [start], {start}, 0
    yield start, frozenset()
    while at < len(queue):
        state, at = queue[at], at + 1
        for one in steps:
            if one.take | one.keep <= state and not one.absent & state:
                left = state - one.take
                yield left | one.put, left & one.put
                after = left | one.put
                if after not in seen and not left & one.put:
                    seen.add(after)
                    queue.append(after)


@given(st.sets(st.sampled_from(ATOMS), max_size=4), st.lists(actions(), max_size=5))
def test_no_reachable_state_holds_two_of_a_group(start: set[Any], steps: list[Step]) -> None:
    found = groups(start, steps)
    members = [atom for group in found for atom in group.atoms]
    assert len(members) == len(set(members))
    for state, twice in reachable(frozenset(map(encode, start)), steps):
        for group in found:
            note(f"{group} in {state}, {twice} twice")
            held = len(state & set(group.atoms))
            assert held == 1 if group.exact else held <= 1
            assert not twice & set(group.atoms)


PATTERNS = st.one_of(
    st.tuples(st.sampled_from([A, B]), st.tuples(st.sampled_from("pq"))),
    st.tuples(st.just(Next), st.tuples(st.sampled_from("pqr"), st.sampled_from("pqr"))),
)


@given(
    st.sets(st.sampled_from([A(0), A(1), B(0), B(1), Next(0, 1), Next(1, 0)]), max_size=3),
    st.lists(st.tuples(*[st.lists(PATTERNS, max_size=2)] * 2), min_size=1, max_size=4),
)
def test_rules_as_they_are_written_say_what_their_ground_rules_say(
    start: set[Any], rules: list[Any]
) -> None:
    """A rule that takes an atom twice never applies, and is left out."""
    steps, schemas = [], []
    for take, put in rules:
        ground = []
        for values in product(range(2), repeat=3):
            named = dict(zip("pqr", values, strict=True))
            taken, given_ = ([of(*[named[one] for one in names]) for of, names in part]
                             for part in (take, put))  # fmt: skip
            if len({*taken}) == len(taken):
                ground.append(action(taken, given_))
        shapes = [[(Ctor.of(of), names) for of, names in part] for part in (take, put)]
        schemas.append(schema(ground, *shapes))
        steps += ground
    assert groups(start, steps, *schemas) == groups(start, steps)


def holes(*rules: Any) -> Puzzle:
    """A hole is full (A) or empty (B); what is in it slides along `Next`."""
    slide = rule(f"{P} {Q}", take=[A(P), B(Q)], keep=[Next(P, Q)], put=[B(P), A(Q)])
    facts = [Next(0, 1), Next(1, 2), Next(2, 0)]
    return Puzzle(slide, rules, start=[A(0), A(1), B(2)], facts=facts, name="holes")


def steps(puzzle: Puzzle, goal: Condition) -> int:
    return len(search(puzzle, goal=goal).paths[0])


def test_goals_on_atoms_that_share_a_slot_mean_the_same() -> None:
    assert steps(holes(), contains(A(2), B(0), A(1))) == 2
    assert steps(holes(), exactly(A(2), B(0), A(1))) == 2
    assert search(holes(), goal=contains(A(0), B(0))).status == "exhausted"
    assert search(holes(), goal=exactly(A(0), A(1))).status == "exhausted"
    assert steps(holes(), contains(A(P), absent=B(2))) == 1

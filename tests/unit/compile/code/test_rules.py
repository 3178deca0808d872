"""Rules over multisets: what their plans begin with alike is written once."""

from typing import Any

import pytest

from rewrite import (
    Puzzle,
    Rule,
    contains,
    explore,
    ints,
    is_in,
    letters,
    number,
    rule,
    search,
    seqs,
    strs,
    term,
    terms,
    text,
)
from rewrite.compile.code import operations as o
from rewrite.compile.code.write.rules import expansion
from rewrite.compile.program import compile_multiset
from rewrite.language.states import State
from tests.engines import start_of

Y, Z, C = ints("Y Z C")
U, V, W = strs("U V W")
S, T = seqs("S T")
ONE = terms("ONE")


@term
class Word:
    text: str


START = State([(3, 1, 2), (1, 0), 3, 5, 6])


def chained(name: str, *when: Any, put: Any = (*S, *T, Y, Z)) -> Rule:
    """One that takes the digit behind a number at the end of a chain."""
    return rule(name, take=[(*S, *T, Y), Z], let={C: number(T)}, put=[put], when=when)


LESS, MORE = chained("less", C > Y, (C - Y) % 10 == Z), chained("more", (C + Y) % 10 == Z)
OTHER = rule("other", take=[(*T, Y), Z], put=[(*T, Z)], when=Y > Z)


def written(*rules: Rule) -> str:
    program = compile_multiset(Puzzle(rules), START)
    return repr(expansion(program, rules))


def loops(*rules: Rule) -> int:
    text = written(*rules)
    return sum(text.count(f"{kind.__name__}(") for kind in o.LOOPS)


def test_steps_that_are_the_same_are_written_once_as_long_as_they_are() -> None:
    alone = loops(LESS)
    assert alone == 3  # the chains, where to cut one, the digits
    assert loops(LESS, MORE) == alone + 1
    assert loops(LESS, OTHER) == alone + loops(OTHER)
    assert written(LESS, MORE).count("number") == written(LESS).count("number")


@pytest.mark.parametrize(
    ("pattern", "fired"), [(("next", Y, Z), 3), (("next", Y, *S), 3), ((Z, Y), 1)]
)
def test_facts_that_are_sequences_are_looked_up_by_what_is_known_of_them(
    pattern: Any, fired: int
) -> None:
    facts = [("next", 5, 6), ("next", 6, 5), ("next", 3, 6), (3, 5), ("next",), ()]
    puzzle = Puzzle(rule("go", take=[Y], keep=[pattern]), start=[3, 5, 6], facts=facts)
    text = repr(expansion(compile_multiset(puzzle, start_of(puzzle)), puzzle.rules))
    assert text.count("EachRow(") == 1
    found = search(puzzle, goal=contains(0), max_depth=1, engine="python")
    assert found.rules["go"].fired == fired


@pytest.mark.parametrize("word", [lambda text: ("word", text), Word])
def test_a_computed_fact_is_looked_up_once_it_is_known(word: Any) -> None:
    """Not tried for each fact first, nor looked for among them all."""
    facts = [word(a + b) for a in "abcdefgh" for b in "abcdefgh"]
    spell = rule("go", take=[W], let={(*S, U, *T): letters(W), V: text((*S, "c", *T))},
                 keep=[word(V)], put=[V])  # fmt: skip
    program = compile_multiset(Puzzle(spell, facts=facts), State(["ab"]))
    assert program.plan(spell)[-1].kind == "keep"
    code = repr(expansion(program, [spell]))
    assert (code.count("EachRow("), code.count("PlaceOf(")) == (1, 0)
    found = explore(Puzzle(spell, facts=facts), ["ab"], engine="python")
    assert sorted(map(str, found.states)) == ["['ab']", "['ac']", "['cb']", "['cc']"]


@pytest.mark.parametrize(("keep", "fired"), [([("next", Y, Z)], 2), ([("next", Y, Z)] * 2, 1)])
def test_facts_are_looked_up_where_states_hold_terms_of_their_type_too(
    keep: list[Any], fired: int
) -> None:
    """What is a fact and in the state is found once, but may be kept twice."""
    facts = [("next", 5, 6), ("next", 6, 5)]
    go = rule("go", take=[Y], keep=keep, put=[("seen", Z)])
    puzzle = Puzzle(go, start=[5, ("next", 5, 6), ("next", 5, 7)], facts=facts)
    text = repr(expansion(compile_multiset(puzzle, start_of(puzzle)), puzzle.rules))
    assert "EachRow(" in text
    for engine in ("python", "auto"):
        found = search(puzzle, goal=contains(0), max_depth=1, engine=engine)
        assert (found.rules["go"].fired, found.states) == (fired, 1 + fired)


def test_whether_a_value_is_among_many_known_ones_is_looked_up() -> None:
    for known in ((1, True, "a", (3, 1, 2)), [(3, 1, 2), (1,), 3]):
        puzzle = Puzzle(rule("go", take=[ONE], put=[("in", ONE)], when=is_in(ONE, known)))
        assert "InSet(" in repr(expansion(compile_multiset(puzzle, START), puzzle.rules))
        found = [len(explore(puzzle, START, engine=engine)) for engine in ("python", "auto")]
        assert found == [2 if isinstance(known, tuple) else 4] * 2


@pytest.mark.parametrize("rules", [(LESS, MORE), (MORE, LESS), (LESS, OTHER, MORE)])
def test_each_rule_is_counted_as_if_alone(rules: tuple[Rule, ...]) -> None:
    def counts(*asked: Rule) -> dict[str, Any]:
        puzzle = Puzzle(asked, start=START, goal=contains(0))
        return dict(search(puzzle, max_depth=1, strategy="breadth_first", engine="python").rules)

    every = counts(*rules)
    assert every == {name: count for one in rules for name, count in counts(one).items()}
    assert every["less"].without_value == every["more"].without_value > 0

"""Random puzzles whose states hold one sequence of fixed length, beside terms."""

from typing import Any

from hypothesis import strategies as st

from rewrite import ANY, Puzzle, contains, count, exactly, ints, lacks, length, rule, seqs, total
from rewrite.language.rules import Rule
from rewrite.language.states import State
from tests.terms import At, Next

X, Y, C, D = ints("X Y C D")
SPLICED = seqs("S M T")
VALUES = st.sampled_from([0, 1, 2, 0, 1, 2, "a", True])
SEQUENCE = st.lists(VALUES, min_size=2, max_size=5).map(tuple)


@st.composite
def sequence_puzzles(draw: st.DrawFn) -> Puzzle:
    first = draw(SEQUENCE)
    rules = [draw(_rules(number, first)) for number in range(draw(st.integers(2, 4)))]
    like = st.lists(VALUES, min_size=len(first), max_size=len(first)).map(tuple)
    return Puzzle(
        *rules, start=[first, *draw(st.sampled_from([[], [At(0, 1)], [At(0, 1), At(2, 0)]]))],
        goal=draw(_goals(first, like)), facts=[Next(at, at + 1) for at in range(3)],
        never=draw(st.sampled_from([[], [], [contains((*[X] * len(first),))]])),
    )  # fmt: skip


@st.composite
def _rules(draw: st.DrawFn, number: int, first: tuple[Any, ...]) -> Rule:
    """A rule that finds items between spliced parts, and puts the same number of items."""
    items = draw(st.lists(st.sampled_from([0, 1, X, Y, X, Y, ANY]), max_size=3))
    spliced = SPLICED[: draw(st.integers(0 if len(items) == len(first) else 1, 3))]
    pattern = draw(st.permutations([*items, *[(one,) for one in spliced]]))
    bound = [one for one in items if one is X or one is Y]
    other = draw(st.lists(st.sampled_from([*bound, *bound, 0, 1, 2]), min_size=3, max_size=3))
    after = iter(other)
    put = [one if isinstance(one, tuple) else next(after) for one in pattern]
    if draw(st.booleans()):
        put = draw(st.permutations(put))
    when: list[Any] = []
    if spliced:
        one = draw(st.sampled_from(spliced))
        tests = [length(one) % 2 == 0, length(one) != 1, (length(one) > 0) | (length(one) == 0)]
        counted = [count(At(C, D), when=length(one) > D) < 2, length(one) < total(D, At(C, D)) + 2]
        when += draw(st.lists(st.sampled_from([*tests, *counted]), max_size=1))
    when += draw(st.sampled_from([[], [], [], [lacks(first)], [count((0, *first[1:])) == 0]]))
    if {X, Y} == {*bound}:
        when += draw(st.sampled_from([[], [X != Y], [X < Y]]))
    more: dict[str, Any] = draw(st.sampled_from([
        {}, {}, {}, {"keep": [At(C, D)]}, {"keep": [Next(C, D)], "absent": [At(D, ANY)]},
        *[{"cost": total(one)} for one in spliced[:1]],
        *[{"cost": length(one) + 1, "let": {C: length(one) * 2}} for one in spliced[:1]],
    ]))  # fmt: skip
    taken, made = _spelled(pattern), _spelled(put)
    if draw(st.integers(0, 4)) == 0:  # the sequence stays, another term is put
        more = {"keep": [taken], "absent": [At(1, ANY)]}
        return rule(
            f"mark {number}", put=[At(1, draw(st.sampled_from([*bound[:1], 3])))], when=when, **more
        )
    return rule(f"rule {number}", take=[taken], put=[made], when=when, **more)


def _spelled(parts: list[Any]) -> tuple[Any, ...]:
    return tuple(
        [item for one in parts for item in ([*one[0]] if isinstance(one, tuple) else [one])]
    )


@st.composite
def _goals(draw: st.DrawFn, first: tuple[Any, ...], like: st.SearchStrategy[Any]) -> Any:
    end, other = tuple(draw(st.permutations(first))), draw(like)
    bound = (X, *end[1:])
    return draw(st.sampled_from([
        exactly(end), exactly(end, *ANY), contains(other), contains(end) | contains(other),
        contains(bound), contains(bound, absent=[At(1, 3)]), lacks(first) & ~contains(bound),
        [State([end]), State([other, At(0, 1)])], count(bound, when=X == 1) == 1,
    ]))  # fmt: skip

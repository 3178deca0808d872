"""`simplify` in slots, on both engines, makes the normal forms that the definition makes."""

from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from rewrite import ANY, Puzzle, SimplifyError, contains, explore, lacks, one_of, rule, search
from rewrite.compile.capacity import NeedsCapacity
from rewrite.compile.slots.canonical import Ranks, ranked
from rewrite.compile.slots.keys import Unsuitable
from rewrite.engine.slot_engine import SlotEngine
from rewrite.language import meaning
from rewrite.language.order import term_key
from tests.engines import engines_for, every_engine, over_slots, quiet, task_of
from tests.property.board_puzzles import (
    HERE,
    HOLES,
    WALKS,
    Empty,
    Full,
    Mark,
    P,
    Q,
    Walker,
    X,
    Y,
    board_puzzles,
)
from tests.property.by_definition import first_states, judge, small
from tests.property.drawn import drawn
from tests.property.strategies import begun
from tests.property.test_encodings_agree import agree
from tests.terms import At, Next

pytestmark = quiet
ENDLESS = 200
"""Rounds after which the definition, which is slow, gives up here; those that end take fewer."""
AFTER = [
    rule("fall", take=[Full(P), Empty(P + 1)], put=[Empty(P), Full(P + 1)]),
    rule("sort", take=[At(P, X), At(P + 1, Y)], put=[At(P, Y), At(P + 1, X)], when=X > Y),
    rule("erode", take=[At(P, X)], keep=[Walker(P)], put=[At(P, X - 1)], when=X > 0),
    rule("level", take=[At(P, X), At(Q, Y)], keep=[Next(P, Q)],
         put=[At(P, (X + Y) // 2), At(Q, (X + Y + 1) // 2)], when=X > Y + 1),
    rule("slide", take=[Walker(P)], put=[Walker(P + 1)], keep=[At(P + 1, ANY)],
         absent=[Walker(P + 1), At(P + 1, 0)]),
    rule("lose one", take=[Mark(P, HERE)], put=[], when=contains(Mark(Q, HERE), when=P != Q)),
    rule("stir", take=[At(P, X)], put=[At(P, (X + 1) % 4)],
         keep=[Walker(P), Mark(P, HERE)]),
    rule("choose", take=[At(P, 2)], let={X: one_of(0, 1, 3)}, put=[At(P, X)]),
    rule("differ", take=[At(P, X)], keep=[At(Q, X)], let={Y: one_of(X - 1, X - 2)},
         put=[At(P, Y)], when=(P != Q) & (Y > -2)),
    rule("leave", take=[Walker(P)], keep=[At(Q, ANY)], put=[Walker(Q)], absent=[Walker(Q)],
         when=Q < P),
    rule("walk off", take=[Walker(P), Mark(Q, HERE)], put=[], when=lacks(At(P, 0))),
    rule("show", take=[], keep=[At(P, 3)], put=[Mark(P, HERE)], absent=[Mark(P, HERE)]),
]  # fmt: skip
"""Each but "stir" ends by itself, several together may not."""
FEW = st.lists(st.sampled_from(AFTER + AFTER + WALKS[:6] + HOLES), min_size=1, max_size=3,
               unique_by=id)  # fmt: skip


@st.composite
def settling(draw: st.DrawFn) -> Puzzle:
    """Board puzzles with `simplify`, which begin in a normal form."""
    puzzle: Puzzle = draw(board_puzzles()).replace(simplify=draw(FEW))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(meaning, "SIMPLIFY_LIMIT", ENDLESS)
        try:
            return puzzle.replace(start=begun(puzzle))
        except SimplifyError:
            return puzzle.replace(simplify=[])


def in_slots(puzzle: Puzzle) -> SlotEngine:
    assert puzzle.start is not None
    try:
        return over_slots(task_of(puzzle, puzzle.goal))
    except (Unsuitable, NeedsCapacity):
        assume(False)
        raise


@given(settling())
def test_slots_hold_the_normal_forms_of_the_definition(puzzle: Puzzle) -> None:
    engine = in_slots(puzzle)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(meaning, "SIMPLIFY_LIMIT", ENDLESS)
        try:
            agree(puzzle, engine)
        except NeedsCapacity:
            event("a term stands twice")
        except SimplifyError:
            assume(False)


@given(settling())
def test_both_engines_see_the_states_of_the_definition(puzzle: Puzzle) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(meaning, "SIMPLIFY_LIMIT", ENDLESS)
        space = small(puzzle, 60)
    for engine in engines_for():
        found = explore(puzzle, engine=engine)
        assert set(found) == set(space.after)
        asked: dict[str, Any] = {"strategy": "breadth_first"}
        judge(search(puzzle, engine=engine, **asked), space, asked)


@every_engine
def test_of_several_results_the_least_is_taken(engine: str) -> None:
    puzzle = Puzzle(
        rule("mark", take=[At(P, 0)], put=[At(P, 1)]),
        simplify=[
            rule("choose", take=[At(0, 1)], let={X: one_of(5, 4, 7)}, put=[At(0, X)]),
            rule("mark or not", take=[At(P, 1)], let={X: one_of(2, 3)}, put=[At(P, X), Mark(X, "")],
                 absent=[Mark(X, ""), Mark(2, "")]),
        ],
        start=[At(0, 0), At(1, 0), At(2, 0)],
    )  # fmt: skip
    assert set(explore(puzzle, engine=engine)) == set(first_states(puzzle, 100))


@every_engine
def test_what_never_ends_is_an_error(engine: str) -> None:
    puzzle = Puzzle(
        rule("go", take=[At(P, 0)], put=[At(P, 1)]),
        simplify=[rule("up", take=[At(P, 1)], put=[At(P, 2)]),
                  rule("down", take=[At(P, 2)], put=[At(P, 1)])],
        start=[At(0, 0), At(1, 0)], goal=contains(At(0, 3)),
    )  # fmt: skip
    text = "puzzle: simplify does not end: after 10,000 rounds 'up', 'down' still fire"
    with pytest.raises(SimplifyError, match=text) as found:
        search(puzzle, engine=engine)
    assert found.value.rules == ("up", "down")


@given(board_puzzles(), st.randoms(use_true_random=False))
def test_ranks_order_states_as_their_terms_do(puzzle: Puzzle, chance: Any) -> None:
    layout = in_slots(puzzle).layout
    assume(all(one.closed for one in layout.slots.values()))
    ranks = ranked(layout)
    codes = [_any_code(ranks, chance) for _ in range(10)]
    # the next ones hold a little more or less than others
    codes += [_any_code(ranks, chance, code) for code in codes]
    by_terms = sorted(codes, key=lambda code: term_key(layout.decode(code)))
    assert sorted(codes, key=ranks.key) == by_terms


def _any_code(ranks: Ranks, chance: Any, like: int = 0) -> int:
    code = 0
    for at, bits, held in ranks.fields:
        number = chance.randrange(len(held))
        if like and chance.random() < 0.9:
            number = like >> at & (1 << bits) - 1
        code |= number << at
    return code


def test_most_of_these_puzzles_are_kept_in_slots() -> None:
    """Else the properties above would say little."""
    slots = 0
    for puzzle in drawn(settling):
        try:
            over_slots(task_of(puzzle, puzzle.goal))
        except (Unsuitable, NeedsCapacity):
            continue
        slots += bool(puzzle.simplify)
    assert slots > 100

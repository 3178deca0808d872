"""Rooms join: in whatever order more is asked for, in the end there is the same."""

from hypothesis import given
from hypothesis import strategies as st

from rewrite.compile.capacity import LEAST, Capacity
from rewrite.compile.reason import Reason

REASONS = st.lists(st.sampled_from([Reason("a", "do b"), Reason("c"), Reason("d")]), max_size=3)
ROOMS = st.builds(
    Capacity,
    term_types=st.sets(st.sampled_from(["int", "str", "seq"])),
    bits=st.sampled_from([12, 24, 48]),
    multiset=REASONS,
    definition=REASONS,
)


@given(ROOMS, ROOMS, ROOMS)
def test_rooms_are_joined_in_any_order(one: Capacity, other: Capacity, third: Capacity) -> None:
    assert one | other == other | one
    assert hash(one | other) == hash(other | one)
    assert (one | other) | third == one | (other | third)
    assert one | one == one == one | LEAST


@given(ROOMS, ROOMS)
def test_what_was_joined_is_there_and_asking_for_it_changes_nothing(
    one: Capacity, other: Capacity
) -> None:
    both = one | other
    assert one in both
    assert other in both
    assert LEAST in one
    assert (other in one) == (both == one)


def test_each_part_that_is_not_there_is_more() -> None:
    capacity = Capacity(term_types=["int"], bits=24, multiset=["why"])
    assert Capacity(term_types=["int"], multiset=["why"]) in capacity
    for more in (
        Capacity(term_types=["str"]),
        Capacity(bits=48),
        Capacity(multiset=["b"]),
        Capacity(definition=["why"]),
    ):
        assert more not in capacity

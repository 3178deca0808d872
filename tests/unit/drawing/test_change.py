"""What changed between two drawings."""

from rewrite.drawing.change import change, marked
from rewrite.drawing.drawing import Drawing, Look, Mark
from rewrite.drawing.tags import tag

RED, BLUE = (Look(tag("rect", fill=name), 10, 10) for name in ("red", "blue"))


def drawing(*marks: Mark) -> Drawing:
    return Drawing(100, 100, marks)


def test_of_equal_looks_the_first_that_was_taken_goes_where_the_first_is_that_was_put() -> None:
    before = drawing(Mark(RED, 0, 0, (1,)), Mark(RED, 10, 0, (2,)))
    after = drawing(Mark(RED, 20, 0, (3,)), Mark(RED, 30, 0, (4,)))
    assert change(before, after, (1, 2), (3, 4)).travels == ((0, 0), (1, 1))
    assert set(change(before, after, (1, 2), (4, 3)).travels) == {(0, 1), (1, 0)}
    assert set(change(before, after, (2, 1), (3, 4)).travels) == {(0, 1), (1, 0)}


def test_what_is_marked_is_new_in_its_place_and_shows_a_fresh_term() -> None:
    before = drawing(Mark(RED, 0, 0, ("old",)), Mark(BLUE, 10, 0, ("moved",)))
    after = drawing(
        Mark(RED, 0, 0, ("fresh",)),  # looks as before
        Mark(BLUE, 20, 0, ("moved",)),  # pushed aside: not fresh
        Mark(RED, 30, 0, ("fresh",)),
        Mark(BLUE, 40, 0),  # shows no term
    )
    found = marked(before, after, ["fresh"])
    assert [mark.changed for mark in found.marks] == [False, False, True, True]
    assert found.mark_svg(2).count("rw-changed") == 1
    assert found.mark_svg(0).count("rw-changed") == 0

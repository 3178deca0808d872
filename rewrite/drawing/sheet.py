"""Many drawings of one document: each look is drawn once, and every mark uses it.

A document shows the sheet, which is there but takes no room, and then frames. What lies the same
under all of them (walls, cells, targets) is one look too: the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from zlib import crc32

from attrs import evolve, field, frozen

from rewrite.drawing.drawing import XMLNS, Drawing, Look, Mark, outlined
from rewrite.drawing.tags import Markup, number, tag


def of_one_size(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return drawings on panels of one size, so that nothing jumps when one follows another."""
    width = max(drawing.width for drawing in drawings)
    height = max(drawing.height for drawing in drawings)
    return [evolve(drawing, width=width, height=height) for drawing in drawings]


def common(drawings: Sequence[Drawing]) -> int:
    """Return how many of the first marks are the same in all drawings, unchanged."""
    first = drawings[0].marks
    for drawing in drawings[1:]:
        pairs = zip(first, drawing.marks, strict=False)
        first = tuple(a for a, _ in takewhile(lambda pair: pair[0].place == pair[1].place, pairs))
    return len(first)


@frozen(eq=False)
class Sheet:
    """The looks of some drawings, and the frames that use them.

    Names are made of what is drawn, so that two sheets can stand in one document.

    >>> a, b = Look(tag("circle", r=5), 10, 10), Look(tag("rect", width=9, height=9), 9, 9)
    >>> sheet = Sheet([Drawing(40, 20, [Mark(a, 0, 0), Mark(b, x, 0)]) for x in (10, 20)])
    >>> sheet.frame(1).count("<use"), sheet.svg().count("<circle"), sheet.svg().count("<rect")
    (2, 1, 1)
    """

    drawings: Sequence[Drawing]
    _names: dict[Look, str] = field(factory=dict, init=False)
    prefix: str = field(init=False)
    _ground: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_ground", common(self.drawings) if self.drawings else 0)
        looks = [mark.look for drawing in self.drawings for mark in drawing.marks]
        for look in looks:
            self._names.setdefault(look, f"l{len(self._names)}")
        drawn = "".join(str(look.svg) for look in self._names).encode("utf-8", "backslashreplace")
        sizes = f"{self._ground} {[(d.width, d.height) for d in self.drawings[:1]]}".encode()
        object.__setattr__(self, "prefix", f"r{crc32(sizes, crc32(drawn)):x}")

    def name(self, look: Look) -> str:
        return f"{self.prefix}{self._names[look]}"

    def looks(self) -> Markup:
        return Markup("").join(tag("g", look.svg, id=self.name(look)) for look in self._names)

    def svg(self) -> Markup:
        """Return the sheet as an element that takes no room.

        It must not be hidden by `display: none`: browsers would not draw what is used of it.
        """
        ground = ""
        if self._ground:
            marks = [self.mark(mark) for mark in self.drawings[0].marks[: self._ground]]
            ground = tag("g", *marks, id=f"{self.prefix}g")
        return tag(
            "svg", tag("defs", self.looks(), ground),
            xmlns=XMLNS, class_="rw rw-sheet", width=0, height=0, aria_hidden="true",
            **{"xml:space": "preserve"},
        )  # fmt: skip

    def frame(self, at: int) -> Markup:
        """Return a drawing by its number, as an `<svg>` that uses the sheet.

        Its marks are `use[data-mark]`, or `g[data-mark]` where one is marked as changed; those of
        the ground never travel, and have no number.
        """
        return self.drawings[at].framed(self.inside(at))

    def inside(self, at: int) -> Markup:
        marks = [
            self.mark(mark, number_)
            for number_, mark in enumerate(self.drawings[at].marks)
            if number_ >= self._ground
        ]
        ground = [tag("use", href=f"#{self.prefix}g")] if self._ground else []
        return Markup("").join([*ground, *marks])

    def mark(self, mark: Mark, at: int | None = None) -> Markup:
        href = f"#{self.name(mark.look)}"
        if not mark.changed:
            x, y = mark.x or None, mark.y or None
            return tag("use", href=href, x=x, y=y, data_mark=at)
        where = f"translate({number(mark.x)} {number(mark.y)})"
        content = tag("use", href=href), outlined(mark.look)
        return tag("g", *content, data_mark=at, transform=where)

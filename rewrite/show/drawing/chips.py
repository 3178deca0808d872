"""Chips: any term as a small box, cut if deep, wide or long; bags and chains of chips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from attrs import evolve, frozen

from rewrite.language.bag import Bag
from rewrite.language.labels import cut, one_line
from rewrite.language.nesting import PLAIN
from rewrite.language.order import inside, source
from rewrite.language.states import State
from rewrite.language.terms import Term
from rewrite.show.drawing.drawing import Drawing, Look, Mark, bounded, heading, within
from rewrite.show.drawing.palette import NAMED, Paint, paint_of, painted
from rewrite.show.drawing.tags import Markup, centred, number, tag, width_of

HEIGHT, FONT, TILE = 34.0, 16.0, 46.0
WRAP = 600.0
BETWEEN = 6.0
SMALL, LINE = 13.0, 21.0
"""The font and the height of a line below a tile."""
DEEPEST, WIDEST, LONGEST = 6, 16, 28
"""The most levels, elements and letters of a term to draw; … stands for the others."""
MOST_COPIES = 12
"""The most equal terms drawn one by one; more are drawn as one with a count."""


def said(value: Any) -> str:
    """Return a number, text or truth value for display; both ends of a number with many digits."""
    if type(value) is not int:
        return one_line(cut(str(value) if type(value) in PLAIN else source(value), 4 * LONGEST))
    size = abs(value).bit_length() * 1234 // 4096  # a lower bound of the digits
    if size < LONGEST:
        return str(value)
    ends = f"{_leading(abs(value), size)}…{abs(value) % 10**8:08}"
    return ends if value > 0 else f"-{ends}"


def _leading(value: int, size: int) -> int:
    top: int = value // 10 ** max(0, size - 9)
    while top >= 10**8:
        top //= 10
    return top


def chip(value: Any, height: float = HEIGHT, colours: Mapping[str | None, str] = {}) -> Look:
    """`colours`: of boxes, by text; None is the key for all others."""
    only = value
    if isinstance(value, Term) and len(value.term_arguments()) == 1:
        [only] = value.term_arguments()
    if type(only) in PLAIN:
        text = said(only)
        return plain(text, height, colours.get(text) or colours.get(None))
    return _framed(value, DEEPEST, name=False)


@lru_cache(maxsize=4096)
def plain(text: str, height: float = HEIGHT, colour: str | None = None) -> Look:
    shown, paint = cut(text, LONGEST), painted(colour) if colour else paint_of(text)
    size = max(FONT, height / 2)
    width = max(height, width_of(shown, size) + 14 + 8 * (paint.pattern != "plain"))
    said = centred(shown, width / 2, height / 2, width - 4, size, fill=paint.ink, font_weight=600)
    return Look(box(width, height, paint) + said, width, height)


def box(width: float, height: float, paint: Paint) -> Markup:
    drawn = tag(
        "rect", x=1, y=1, width=width - 2, height=height - 2, rx=7, fill=paint.fill,
        class_="rw-edge",
    )  # fmt: skip
    if paint.pattern == "plain":
        return drawn
    inner = tag("rect", x=4, y=4, width=width - 8, height=height - 8, rx=4.5, **paint.line())
    return drawn + inner


def _word(text: str, height: float) -> Look:
    shown = cut(text, LONGEST)
    size = max(FONT - 2, 0.45 * height)
    width = width_of(shown, size) + 8
    drawn = centred(shown, width / 2, height / 2, width, size, class_="rw-soft")
    return Look(drawn, width, height)


def _framed(value: Any, deep: int, *, name: bool = True) -> Look:
    if type(value) in PLAIN:
        return plain(said(value), HEIGHT - 6)
    if not deep:
        return _word("…", HEIGHT - 6)
    parts = [*_parts(value, deep - 1)]
    if isinstance(value, Term) and (name or not parts):
        parts.insert(0, _word(type(value).__name__, HEIGHT - 6))
    high = max([look.height for look in parts], default=HEIGHT - 6)
    wide, drawn = 4.0, []
    for look in parts:
        y = 3 + (high - look.height) / 2
        drawn.append(tag("g", look.svg, transform=f"translate({number(wide)} {number(y)})"))
        wide += look.width + 2
    wide = max(wide + 2, HEIGHT * 0.7)
    frame = tag(
        "rect", x=1, y=1, width=wide - 2, height=high + 4, rx=9, class_="rw-frame",
        stroke_dasharray="4 3" if isinstance(value, Bag) else None,
    )  # fmt: skip
    return Look(frame + Markup("").join(drawn), wide, high + 6)


def _parts(value: Any, deep: int) -> Iterable[Look]:
    found: Sequence[Any] = inside(value)
    for part in found[:WIDEST] if len(found) <= WIDEST + 1 else found[: WIDEST - 1]:
        yield _framed(part, deep)
    if len(found) == WIDEST + 1:
        yield _framed(found[-1], deep)
    elif len(found) > WIDEST:
        yield _word(f"… {len(found) - WIDEST + 1} more", HEIGHT - 6)


@frozen
class Flow:
    """Marks flowing in rows, like words in a paragraph, and the place of the next one."""

    marks: tuple[Mark, ...] = ()
    x: float = 0.0
    y: float = 0.0
    high: float = 0.0
    wide: float = 0.0

    def put(self, look: Look, terms: tuple[Any, ...] = (), between: float = BETWEEN) -> Flow:
        at = self.below() if self.x and self.x + look.width > WRAP else self
        mark = Mark(look, at.x, at.y, terms)
        x = at.x + look.width
        return Flow(
            (*at.marks, mark), x + between, at.y, max(at.high, look.height), max(at.wide, x)
        )

    def below(self, gap: float = BETWEEN) -> Flow:
        return evolve(self, x=0.0, y=self.y + self.high + gap, high=0.0) if self.x else self

    @property
    def size(self) -> tuple[float, float]:
        return max(self.wide, HEIGHT), max(self.y + self.high, HEIGHT)


def bag_drawing(state: State, text: str) -> Drawing:
    """Return the drawing of a bag: chips grouped under their constructors. Raises TooLarge."""
    distinct = state.distinct()
    bounded(sum(min(count, MOST_COPIES) for _, count in distinct))
    flow = Flow()
    grouped = groupby(distinct, key=lambda pair: _group(pair[0]))
    groups = [(name, [*found]) for name, found in grouped]
    for name, found in groups:
        flow = flow.below(12 if flow.marks else 0)
        if name and (len(groups) > 1 or isinstance(found[0][0], Term)):
            flow = flow.put(heading(name)).below(2)
        for term, count in found:
            look = chip(term)
            if count <= MOST_COPIES:
                for _ in range(count):
                    flow = flow.put(look, (term,))
            else:
                flow = flow.put(look, (term,), between=2).put(heading(f"×{count}", look.height))
    return within(*flow.size, [*flow.marks], text)


def _group(term: Any) -> str:
    if isinstance(term, Term):
        return type(term).__name__
    if type(term) is tuple:
        return "sequences"
    return "bags" if isinstance(term, Bag) else ""


def chains_drawing(
    chains: Sequence[Any],
    loose: Sequence[tuple[Any, Any, str]],
    text: str,
    link: str = "",
    goal: str | None = None,
) -> Drawing:
    """Return each sequence in a row, with loose (term, shown value, line below it) below."""
    bounded(2 * sum(len(one) for one in chains if type(one) is tuple) + len(loose) + len(chains))
    colours: dict[str | None, str] = {name: name for name in NAMED} | {None: "white"}
    flow = Flow()
    if goal is not None:
        colours[goal] = "green"
        flow = flow.put(heading("goal", TILE)).put(evolve(plain(goal, TILE, "green"), fixed=True))
    for one in chains:
        flow = flow.below(10)
        if one == ():
            dashes = {"class_": "rw-frame", "stroke_dasharray": "4 3"}
            frame = tag("rect", x=1, y=1, width=TILE - 2, height=TILE - 2, rx=7, **dashes)
            flow = flow.put(Look(frame, TILE, TILE), (one,))
        elif type(one) is tuple:
            for at, element in enumerate(one):  # they touch, like beads
                if link and at:
                    flow = flow.put(evolve(_word(link, TILE), fixed=True), between=0)
                flow = flow.put(chip(element, TILE, colours), (one,), between=0)
        else:
            flow = flow.put(chip(one, TILE, colours), (one,))
    flow = flow.below(16)
    for term, value, line in loose:
        flow = flow.put(_underlined(chip(value, TILE, colours), line), (term,))
    return within(*flow.size, [*flow.marks], text)


def _underlined(look: Look, line: str) -> Look:
    if not line:
        return look
    width = max(look.width, width_of(line, SMALL))
    moved = tag("g", look.svg, transform=f"translate({number((width - look.width) / 2)} 0)")
    text = centred(line, width / 2, look.height + LINE / 2, width, SMALL, class_="rw-soft")
    return Look(moved + text, width, look.height + LINE)

"""Views of one line or a few: rings, chains, pegs, vessels, and banks of a river."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from rewrite.errors import ViewError, tells_unknown_names
from rewrite.language.expressions import Expression, Variable
from rewrite.language.matching import Env, same
from rewrite.language.order import Key, source, term_key
from rewrite.language.states import State
from rewrite.language.terms import is_ground
from rewrite.results.formula import Occurrence, after, formula_text
from rewrite.results.moves import Step
from rewrite.results.path import Path
from rewrite.show.drawing.palette import Style, looks_of
from rewrite.show.views.cells import (
    View,
    check_bound,
    check_kind,
    check_size,
    found_in,
    frozen_of,
    pattern_of,
    shown,
    value_in,
)
from rewrite.show.views.grid import Layer, layer_of

if TYPE_CHECKING:
    from rewrite.show.drawing.drawing import Drawing
    from rewrite.show.drawing.figures import Figure, Glass, Stack

ARROW = " → "
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "×", "÷")
SIGNS = {"*": "×", "//": "÷", "/": "÷"}
LONGEST = 48
"""The most letters of an expression below a number."""


@frozen(eq=False)
class Ring(View):
    pattern: Any
    place: Variable
    value: Variable
    size: int | None = None
    keeps: bool = False

    def cells(self, state: State) -> list[tuple[Any, Any, Any]]:
        every = found_in(state, self.pattern)
        return sorted(
            ((env[self.place], env[self.value], term) for term, env in every), key=term_key
        )

    def text(self, state: State) -> str:
        return ARROW.join(f"cell {shown(p)}: {shown(value)}" for p, value, _ in self.cells(state))

    def remembered(self, past: Any, step: Step) -> Any:
        if not self.keeps:
            return None
        newest = {term_key(cell[0]): cell for cell in self.cells(step.before)}
        return newest | {key: cell for key, cell in (past or {}).items() if key not in newest}

    def drawing(self, state: State, past: Any = None) -> Drawing:
        from rewrite.show.drawing.drawing import bounded
        from rewrite.show.drawing.figures import Place, ring_drawing

        cells, size = self.cells(state), self.size
        here = {term_key(at) for at, _, _ in cells}
        left = [(*cell, True) for key, cell in (past or {}).items() if key not in here]
        found = [
            (at, Place(shown(at), (term,), shown(value), earlier))
            for at, value, term, earlier in [*((*cell, False) for cell in cells), *left]
        ]
        if size is None or not _fit(size, [at for at, _, _ in cells]):
            found.sort(key=lambda pair: term_key(pair[0]))
            return ring_drawing([place for _, place in found], self.text(state))
        bounded(2 * size)
        places = [Place(shown(number)) for number in range(size)]
        for at, place in found:
            if _fit(size, [at]) and places[at % size].value is None:
                places[at % size] = evolve(place, name=shown(at % size))
        return ring_drawing(places, self.text(state))


def _fit(size: int, numbers: list[Any]) -> bool:
    """Whether all places are whole numbers from 0 to `size`, and differ modulo `size`."""
    known = all(type(number) is int and 0 <= number <= size for number in numbers)
    return known and len({number % size for number in numbers}) == len(numbers)


@tells_unknown_names(ViewError, "ring")
def ring(pattern: Any, *, size: int | None = None, keeps: bool = False) -> Ring:
    """Return a view of cells: the pattern's first variable is the place, its second the value.

    size   how many places are drawn, counted from 0, empty or not; place `size` is 0 again. By
           default, or if a state has other places or two cells in one, those of the state.
    keeps  draw faintly, in the pictures of a path, what earlier states held in places now empty

    A state often holds only the newest cell; `ring_of` reads the whole ring off a path.

    >>> from rewrite.language.functions import ints
    >>> K, X = ints("K X")
    >>> ring((K, X))(State([(1, 12), (0, 6)]))
    'cell 0: 6 → cell 1: 12'
    """
    check_size("ring", "size", size)
    check_kind("ring(…, keeps=…)", keeps, bool, "keeps is True or False")
    made, variables = pattern_of(
        "ring", pattern, 2, "the first one is the place in the ring, the second what stands there"
    )
    return Ring(made, variables[0], variables[1], size, keeps)


def ring_of(path: Path, pattern: Any) -> str:
    """Return the newest value of each cell on a path, by place. Raises ViewError without cells."""
    view, found = ring(pattern), {}
    for state in path.states:
        for place, value, _ in view.cells(state):
            found[term_key(place)] = value
    if not found:
        raise ViewError(
            f"ring_of(…): no state of the path holds {source(view.pattern)}; the first is "
            f"{path.start}"
        )
    return ARROW.join(shown(found[place]) for place in sorted(found))


@frozen(eq=False)
class Chain(View):
    pattern: Any
    separator: str
    stacked: bool = False
    shows: Any = None
    goal: Any = None
    formula: tuple[tuple[str, str], ...] | None = None

    def text(self, state: State) -> str:
        matched, rest = self._parted(state)
        if self.shows is None:
            chains = ", ".join(self._text(term) for term, _ in matched)
        else:
            chains = self.separator.join(self._shown(env) for _, env in matched)
        loose = " ".join(map(shown, rest))
        text = f"{chains} | {loose}".strip() if loose else chains
        return text if self.goal is None else f"{text}  (goal: {shown(self.goal)})".strip()

    def remembered(self, past: Any, step: Step) -> Any:
        """Return the terms after a step, each with the expression that computed it.

        One that grows too long starts over from the terms that the step took: each would grow with
        the path, and with rules that use a term twice, exponentially.
        """
        if self.formula is None:
            return None
        held: list[Occurrence] = past or [(one, one) for one in step.before]
        signs = dict(self.formula)
        whole, short = (
            after(given, step, signs) for given in (held, [(one, one) for one, _ in held])
        )
        return [
            one if one[0] is one[1] or len(self._written(one[1])) <= LONGEST else other
            for one, other in zip(whole, short, strict=True)
        ]

    def _written(self, origin: Any) -> str:
        return formula_text(origin, self.atom, SIGNS)

    def atom(self, term: Any) -> str:
        [*matched] = found_in([term], self.pattern)
        return self._shown(matched[0][1]) if matched and self.shows is not None else shown(term)

    def drawing(self, state: State, past: list[Occurrence] | None = None) -> Drawing:
        from rewrite.show.drawing.chips import chains_drawing
        from rewrite.show.drawing.figures import stacks_drawing

        matched, rest = self._parted(state)
        if self.stacked and not rest and all(type(term) is tuple for term, _ in matched):
            stacks = [(term, "", term[::-1]) for term, _ in matched]
            return stacks_drawing(stacks, self.text(state), poles=False)
        if self.shows is None:
            pool, chains = [], [term for term, _ in matched]
        else:
            pool, chains = [(term, self._shown(env)) for term, env in matched], []
        made: dict[Key, deque[Any]] = defaultdict(deque)
        for term, origin in past or ():
            made[term_key(term)].append(origin)
        loose = [
            (term, value, self._below(made[term_key(term)]))
            for term, value in [*pool, *((term, term) for term in rest)]
        ]
        goal = None if self.goal is None else shown(self.goal)
        return chains_drawing(chains, loose, self.text(state), self.separator.strip(), goal)

    def _below(self, origins: deque[Any]) -> str:
        """Return the text of the oldest origin, and take it; nothing if it was not computed."""
        origin = origins.popleft() if origins else None
        text = self._written(origin) if isinstance(origin, Expression) else ""
        return text if len(text) <= LONGEST else ""

    def _parted(self, state: State) -> tuple[list[tuple[Any, Env]], list[Any]]:
        matched = [*found_in(state, self.pattern)]
        rest = list(state.items)
        for term, _ in matched:
            del rest[next(i for i, other in enumerate(rest) if same(other, term))]
        return matched, rest

    def _shown(self, env: Env) -> str:
        return shown(value_in("chain", self.shows, env))

    def _text(self, term: Any) -> str:
        return self.separator.join(map(shown, term)) if type(term) is tuple else shown(term)


@tells_unknown_names(ViewError, "chain")
def chain(
    pattern: Any = None,
    *,
    separator: str = " ",
    stacked: bool = False,
    shows: Any = None,
    goal: Any = None,
    formula: bool | Mapping[str, str] = False,
) -> Callable[[State], str]:
    """Return a view of the sequences that match the pattern (by default all), and of the rest.

    separator  the text between the elements of a sequence; drawn, too, unless it is blank
    stacked    draw a state that consists only of sequences as stacks: the first element on top,
               each number as wide as it is large
    shows      an expression of the pattern's variables, shown for each matching term: such terms
               then count as single elements, with the separator between them
    goal       the value to reach: shown beside the state, and where it is reached in its colour
    formula    draw, in the pictures of a path, below each single element that a step computed the
               expression that made it, as `Path.formula` knows it; a dict is its `operators=`

    Raises ViewError.

    >>> chain()(State([(4, 4, 8), 3, 1]))
    '4 4 8 | 1 3'
    >>> chain(separator=" → ", goal=9)(State([(4, 4, 8), 3, 9]))
    '4 → 4 → 8 | 3 9  (goal: 9)'
    """
    given = Variable("S", "seq") if pattern is None else pattern
    check_kind("chain(…, separator=…)", separator, str, "the text between two elements")
    check_kind("chain(…, stacked=…)", stacked, bool, "stacked is True or False")
    made, _ = pattern_of("chain", given, 1, "write seqs('S') for all sequences")
    what = None if shows is None else frozen_of("chain(…, shows=…)", shows)
    check_bound("chain", what, made)
    goal = _value("chain", "goal", goal)
    return Chain(made, separator, stacked, what, goal, _operators(formula))


def _operators(given: Any) -> tuple[tuple[str, str], ...] | None:
    if type(given) is bool:
        return () if given else None
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str) and sign in OPERATORS for name, sign in given.items()
    ):
        raise ViewError(
            f"chain(…, formula={given!r}): True, or a dict from the name of a rule to the operator "
            f'between the terms it takes, e.g. {{"add": "+"}}; one of {" ".join(OPERATORS)}',
            found=given,
        )
    return tuple(sorted(given.items()))


@frozen(eq=False)
class Pegs(View):
    pattern: Any
    peg: Variable
    stack: Variable
    floor: Any
    top: str
    ground: Any = None

    def text(self, state: State) -> str:
        lines = [(name, " ".join(map(shown, disks))) for _, name, disks in self._stacks(state)]
        wide = max((len(name) for name, _ in lines), default=0)
        return "\n".join(f"{name:>{wide}}: {disks}".rstrip() for name, disks in lines)

    def drawing(self, state: State, past: Any = None) -> Drawing:
        from rewrite.show.drawing.figures import stacks_drawing

        stacks = [
            (term, name, [disk for disk in disks if not _is(disk, self.ground)])
            for term, name, disks in self._stacks(state)
        ]
        return stacks_drawing(stacks, self.text(state), poles=True)

    def _stacks(self, state: State) -> Iterator[Stack]:
        for term, env in found_in(state, self.pattern):
            stack = env[self.stack]
            if type(stack) is not tuple:
                raise ViewError(
                    f"pegs(…): {source(term)} holds no sequence but {source(stack)}", term=term
                )
            disks = stack[::-1] if self.top == "first" else stack
            yield term, shown(env[self.peg]), [one for one in disks if not _is(one, self.floor)]


def _is(disk: Any, other: Any) -> bool:
    return other is not None and same(disk, other)


@tells_unknown_names(ViewError, "pegs")
def pegs(
    pattern: Any, *, floor: Any = None, top: str = "first", ground: Any = None
) -> Callable[[State], str]:
    """Return a view of stacks: the pattern's first variable names the peg, its second is the stack.

    floor   an element that only marks the bottom and is not shown
    top     "first" or "last": which end of the sequence is the top
    ground  an element that only marks the bottom: shown in the text, but not drawn

    >>> from rewrite.language.functions import seqs, strs
    >>> peg, disks = strs("peg"), seqs("disks")
    >>> print(pegs((peg, disks), floor=9)(State([("a", (1, 2, 3, 9)), ("b", (9,))])))
    a: 3 2 1
    b:
    """
    if not isinstance(top, str) or top not in ("first", "last"):
        raise ViewError(f"pegs(…, top={top!r}): top is 'first' or 'last'")
    made, variables = pattern_of(
        "pegs", pattern, 2, "the first one names the peg, the second is its sequence of disks"
    )
    bottom = _value("pegs", "floor", floor), top, _value("pegs", "ground", ground)
    return Pegs(made, variables[0], variables[1], *bottom)


def _value(view: str, option: str, given: Any) -> Any:
    if given is None:
        return None
    value = frozen_of(f"{view}(…, {option}=…)", given)
    if not is_ground(value):
        raise ViewError(
            f"{view}(…, {option}={source(value)}): a value, the same in every state, and this is a "
            f"pattern; write the value itself, such as {option}=9",
            found=value,
        )
    return value


@frozen(eq=False)
class Vessels(View):
    pattern: Any
    size: Variable
    amount: Variable

    def text(self, state: State) -> str:
        return "  ".join(label for *_, label in self._glasses(state))

    def drawing(self, state: State, past: Any = None) -> Drawing:
        from rewrite.show.drawing.figures import glasses_drawing

        return glasses_drawing([*self._glasses(state)], self.text(state))

    def _glasses(self, state: State) -> Iterator[Glass]:
        for term, env in found_in(state, self.pattern):
            size, amount = env[self.size], env[self.amount]
            if type(size) is not int or type(amount) is not int or size < 1:
                raise ViewError(
                    f"vessels(…): {source(term)} holds {source(amount)} of {source(size)}; "
                    "both are whole numbers, and the size is 1 or more",
                    term=term,
                )
            yield term, size, amount, f"{shown(amount)} of {shown(size)}"


@tells_unknown_names(ViewError, "vessels")
def vessels(pattern: Any) -> Callable[[State], str]:
    """Return a view of vessels: the pattern's first variable is the size, its second the amount.

    Raises ViewError; so does the view itself for a size below 1.

    >>> from rewrite.language.functions import ints
    >>> V, A = ints("V A")
    >>> print(vessels((V, A))(State([(3, 0), (5, 4)])))
    0 of 3  4 of 5
    """
    made, variables = pattern_of(
        "vessels", pattern, 2, "the first one is the size, the second the amount in it"
    )
    return Vessels(made, variables[0], variables[1])


@frozen(eq=False)
class Banks(View):
    """A view of figures on two banks; made by `banks(...)`. The cell of a layer is the side."""

    layers: tuple[Layer, ...]
    boats: tuple[Layer, ...]
    sides: tuple[Any, ...]
    looks: tuple[tuple[str | None, Style], ...]

    def text(self, state: State) -> str:
        found = Counter((side, name) for _, name, side in self._figures(state))
        counted = [(side, f"{name}×{n}" if n > 1 else name) for (side, name), n in found.items()]
        left, right = (" ".join(name for at, name in counted if at == side) for side in (0, 1))
        docked = {side for *_, side in self._found(state, self.boats)}
        river = f"{'[boat]' * (0 in docked)}~~~~{'[boat]' * (1 in docked)}"
        river = river if self.boats else "===="
        return f"{left} {river} {right}".strip()

    def drawing(self, state: State, past: Any = None) -> Drawing:
        from rewrite.show.drawing.figures import banks_drawing

        boats = [*self._found(state, self.boats)] if self.boats else None
        names, looks = [shown(side) for side in self.sides], dict(self.looks)
        return banks_drawing(self._figures(state), boats, names, looks, self.text(state))

    def _figures(self, state: State) -> list[Figure]:
        """Return all figures by name; of equal ones, first those on the left."""
        every = sorted(
            self._found(state, self.layers), key=lambda found: (term_key(found[1]), found[2])
        )
        return [(term, shown(name), side) for term, name, side in every]

    def _found(self, state: State, layers: tuple[Layer, ...]) -> Iterator[tuple[Any, Any, int]]:
        for layer in layers:
            for term, env in found_in(state, layer.pattern):
                found = value_in("banks", layer.cell, env)
                side = next((at for at, one in enumerate(self.sides) if same(one, found)), None)
                if side is None:
                    raise ViewError(
                        f"banks(…): {source(term)} is on side {source(found)}; the sides are "
                        f"{' and '.join(map(source, self.sides))}, others are given by sides=",
                        term=term,
                    )
                yield term, value_in("banks", layer.symbol, env), side


@tells_unknown_names(ViewError, "banks")
def banks(
    *patterns: Any,
    boat: Any = None,
    sides: tuple[Any, Any] = ("left", "right"),
    looks: Mapping[Any, str] | None = None,
) -> Callable[[State], str]:
    """Return a view of figures that cross a river.

    patterns  as in `grid`, with the side for the cell, and the name of a figure for the symbol
    boat      a pattern whose first variable is the side of the boat; without it there is a bridge
    sides     the left and the right one, as terms have them
    looks     name -> a shape, a colour or both, as in `grid`: {"ann": "red person"}

    Raises ViewError; so does the view itself for a term on another side.

    >>> from rewrite.language.functions import strs
    >>> who, bank = strs("who bank")
    >>> state = State([("wolf", "left"), ("goat", "right")])
    >>> banks(((who, bank), who, bank), boat=("goat", bank))(state)
    'wolf ~~~~[boat] goat'
    """
    if not patterns:
        raise ViewError("banks() shows nothing; give patterns: banks((On(who, bank), who, bank))")
    if type(sides) is not tuple or len(sides) != 2:
        raise ViewError(f"banks(…, sides={sides!r}): a tuple of the left and the right one")
    return Banks(
        tuple(layer_of("banks", given) for given in patterns),
        () if boat is None else (layer_of("banks", (frozen_of("banks(…)", boat), "boat")),),
        tuple(_value("banks", "sides", side) for side in sides),
        looks_of("banks", looks or {}),
    )

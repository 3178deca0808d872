"""Views of one line, or of few: rings, chains and pegs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rewrite.errors import ViewError
from rewrite.language.expressions import Variable
from rewrite.language.matching import same
from rewrite.language.order import term_key
from rewrite.language.states import State
from rewrite.outcome.path import Path
from rewrite.views.cells import found_in, pattern_of, shown

ARROW = " → "


@frozen(eq=False)
class Ring:
    """A view of the numbered cells in a state; made by `ring(...)`."""

    pattern: Any
    place: Variable
    value: Variable

    def cells(self, state: State) -> list[tuple[Any, Any]]:
        """Return (place, value) of each cell in the state, by place."""
        found = [(env[self.place], env[self.value]) for _, env in found_in(state, self.pattern)]
        return sorted(found, key=term_key)

    def __call__(self, state: State) -> str:
        """Return the cells of a state by place, e.g. 'cell 2: 12'."""
        return ARROW.join(f"cell {shown(p)}: {shown(value)}" for p, value in self.cells(state))


def _ring(pattern: Any) -> Ring:
    made, variables = pattern_of(
        "ring", pattern, 2, "the first one is the place in the ring, the second what stands there"
    )
    return Ring(made, variables[0], variables[1])


def ring(pattern: Any) -> Callable[[State], str]:
    """Return a view of cells: the pattern's first variable is the place, its second the value.

    A state often holds the newest cell only; `ring_of` reads the whole ring off a path.

    >>> from rewrite.language.functions import ints
    >>> K, X = ints("K X")
    >>> ring((K, X))(State([(1, 12), (0, 6)]))
    'cell 0: 6 → cell 1: 12'
    """
    return _ring(pattern)


def ring_of(path: Path, pattern: Any) -> str:
    """Return the values of all cells that the states of a path hold, by place.

    The value of a place is the newest one. Raises ViewError where no state holds a cell.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> from rewrite.language.puzzles import Puzzle
    >>> K, X = ints("K X")
    >>> double = Puzzle(rule("×2", take=[(K, X)], put=[(K + 1, X * 2)]))
    >>> ring_of(Path(double, [State([(0, 6)]), State([(1, 12)]), State([(2, 24)])]), (K, X))
    '6 → 12 → 24'
    """
    view, found = _ring(pattern), {}
    for state in path.states:
        for place, value in view.cells(state):
            found[term_key(place)] = value
    if not found:
        raise ViewError(f"ring_of(…): no state of the path holds {pattern!r}; the first is "
                        f"{path.start}")  # fmt: skip
    return ARROW.join(shown(found[place]) for place in sorted(found))


@frozen(eq=False)
class Chain:
    """A view of the sequences in a state, and of the rest; made by `chain(...)`."""

    pattern: Any
    separator: str

    def __call__(self, state: State) -> str:
        """Return the sequences, then '|' and the other terms where there are some."""
        matched = [term for term, _ in found_in(state, self.pattern)]
        rest = list(state.items)
        for term in matched:
            del rest[next(i for i, other in enumerate(rest) if same(other, term))]
        chains = ", ".join(self._text(term) for term in matched)
        loose = " ".join(map(shown, rest))
        return f"{chains} | {loose}".strip() if loose else chains

    def _text(self, term: Any) -> str:
        return self.separator.join(map(shown, term)) if type(term) is tuple else shown(term)


def chain(pattern: Any = None, *, separator: str = " ") -> Callable[[State], str]:
    """Return a view of the sequences that match the pattern (by default all), and of the rest.

    >>> chain()(State([(4, 4, 8), 3, 1]))
    '4 4 8 | 1 3'
    """
    given = Variable("S", "seq") if pattern is None else pattern
    return Chain(pattern_of("chain", given, 1, "write seqs('S') for all sequences")[0], separator)


@frozen(eq=False)
class Pegs:
    """A view of stacks, one a line; made by `pegs(...)`."""

    pattern: Any
    peg: Variable
    stack: Variable
    floor: Any
    top: str

    def __call__(self, state: State) -> str:
        """Return a line for each peg, the bottom at the left."""
        lines = []
        for term, env in found_in(state, self.pattern):
            stack = env[self.stack]
            if type(stack) is not tuple:
                raise ViewError(f"pegs(…): {term!r} holds no sequence but {stack!r}", term=term)
            disks = stack[::-1] if self.top == "first" else stack
            if self.floor is not None:
                disks = tuple(disk for disk in disks if not same(disk, self.floor))
            lines.append((shown(env[self.peg]), " ".join(map(shown, disks))))
        wide = max((len(name) for name, _ in lines), default=0)
        return "\n".join(f"{name:>{wide}}: {disks}".rstrip() for name, disks in lines)


def pegs(pattern: Any, *, floor: Any = None, top: str = "first") -> Callable[[State], str]:
    """Return a view of stacks: the pattern's first variable names the peg, its second is the stack.

    floor  an element that only marks the bottom, and is not shown
    top    "first" or "last": which end of the sequence is the top

    >>> from rewrite.language.functions import seqs, strs
    >>> peg, disks = strs("peg"), seqs("disks")
    >>> print(pegs((peg, disks), floor=9)(State([("a", (1, 2, 3, 9)), ("b", (9,))])))
    a: 3 2 1
    b:
    """
    if top not in ("first", "last"):
        raise ViewError(f"pegs(…, top={top!r}): top is 'first' or 'last'")
    made, variables = pattern_of(
        "pegs", pattern, 2, "the first one names the peg, the second is its sequence of disks"
    )
    return Pegs(made, variables[0], variables[1], floor, top)

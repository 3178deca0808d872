"""`vessels(...)`: how much is in each of some vessels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rewrite.errors import ViewError
from rewrite.language.expressions import Variable
from rewrite.language.order import source
from rewrite.language.states import State
from rewrite.views.cells import View, found_in, pattern_of, shown

if TYPE_CHECKING:
    from rewrite.drawing.drawing import Drawing

GAP = "  "


@frozen(eq=False)
class Vessels(View):
    """A view of sizes and amounts; made by `vessels(...)`."""

    pattern: Any
    size: Variable
    amount: Variable

    def text(self, state: State) -> str:
        """Return how much is in each vessel, e.g. '0 of 3  5 of 5'."""
        return GAP.join(_told(size, amount) for _, size, amount in self._found(state))

    def drawing(self, state: State) -> Drawing:
        """Return the drawing: glasses with water, to scale."""
        from rewrite.drawing.glasses import Glass, glasses_drawing

        glasses = [
            Glass((term,), size, amount, _told(size, amount))
            for term, size, amount in self._found(state)
        ]
        return glasses_drawing(glasses, self.text(state))

    def _found(self, state: State) -> Iterator[tuple[Any, int, int]]:
        for term, env in found_in(state, self.pattern):
            size, amount = env[self.size], env[self.amount]
            if type(size) is not int or type(amount) is not int or size < 1:
                raise ViewError(
                    f"vessels(…): {source(term)} holds {source(amount)} of {source(size)}; "
                    "both are whole numbers, and the size is 1 or more",
                    term=term,
                )
            yield term, size, amount


def _told(size: int, amount: int) -> str:
    return f"{shown(amount)} of {shown(size)}"


def vessels(pattern: Any) -> Callable[[State], str]:
    """Return a view of vessels: the pattern's first variable is the size, its second the amount.

    Raises ViewError; the view itself raises it for a size below 1.

    >>> from rewrite.language.functions import ints
    >>> V, A = ints("V A")
    >>> print(vessels((V, A))(State([(3, 0), (5, 4)])))
    0 of 3  4 of 5
    """
    made, variables = pattern_of(
        "vessels", pattern, 2, "the first one is the size, the second the amount in it"
    )
    return Vessels(made, variables[0], variables[1])

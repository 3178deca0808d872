"""Where the parts of a pattern may stand: what a rule refuses about its terms when declared."""

from __future__ import annotations

from typing import Any

from rewrite.errors import RuleError, TermError
from rewrite.language.bag import Bag
from rewrite.language.conditions import Aggregate
from rewrite.language.expressions import FORMATTED, Call, Splice, Variable, check_nesting
from rewrite.language.functions import OneOf
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside
from rewrite.language.patterns import contains_wildcard, parts


def check_places(label: str, part: str, value: Any, *, top: bool, inside: str) -> None:
    """Refuse bare splices, one_of outside let, and splices of the wrong kind."""
    check_nesting(f"rule {label!r}: {part}=", value)
    todo = [(value, top, inside)]
    while todo:
        value, top, inside = todo.pop()
        _check_place(label, part, value, top, inside)
        if isinstance(value, (tuple, Bag)):
            inside = "seq" if isinstance(value, tuple) else "bag"
        todo += [(inner, False, inside) for inner in parts(value)[::-1]]


def _check_place(label: str, part: str, value: Any, top: bool, inside: str) -> None:
    if isinstance(value, str) and value[:1] + value[-1:] == "{}" and value[1:-1] in FORMATTED:
        raise RuleError(
            f"rule {label!r}: {part}= holds the text {value!r}, which an f-string made; write the "
            f"expression itself: {value[1:-1]}"
        )
    if (
        top
        and part in ("take", "keep", "absent")
        and isinstance(value, Call)
        and value.kind == "bool"
    ):
        raise RuleError(
            f"rule {label!r}: {part}= holds the condition {value!r}; conditions stand in when=[…]"
        )
    if isinstance(value, OneOf):
        raise RuleError(f"rule {label!r}: {part}= holds {value!r}; one_of stands in let= only: "
                        f"let={{X: {value!r}}}")  # fmt: skip
    if isinstance(value, Splice):
        if top:
            raise TermError(
                f"rule {label!r}: {part}=[{value!r}]: {value!r} is a bare splice outside a tuple. "
                f"A splice stands inside a sequence (*S, X) or a nested bag [X, *B]; what a rule "
                "does not mention stays in the state anyway"
            )
        wanted = {"seq": "seqs", "bag": "bags"}.get(inside, "seqs")
        variable = isinstance(value.inner, Variable)
        if part != "put" and variable and value.inner.kind not in (inside, "term"):
            raise TermError(
                f"rule {label!r}: {part}=: {value!r} splices a variable of kind {value.inner.kind} "
                f"into a {'nested bag' if inside == 'bag' else 'sequence'}; declare it with "
                f"{wanted}({str(value.inner)!r})"
            )
        return
    if top and part in ("take", "keep", "let"):
        for aggregate in aggregates_in(value):
            raise RuleError(
                f"rule {label!r}: {part}= holds {aggregate!r}; bind it first: "
                f"let={{X: {aggregate!r}}}"
            )
    if part == "put" and contains_wildcard(value) and top:
        raise RuleError(f"rule {label!r}: put= holds ANY, which has no value; use a variable")


def aggregates_in(value: Any) -> list[Aggregate]:
    return [part for part in everywhere(value, inside) if isinstance(part, Aggregate)]

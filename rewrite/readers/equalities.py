"""Conditions X == Y + 1 as patterns: a term that is computed is looked up, not tried."""

from __future__ import annotations

from typing import Any

from rewrite.language.conditions import Condition
from rewrite.language.expressions import Call, Variable, kind_of
from rewrite.language.functions import FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside
from rewrite.language.patterns import mentioned
from rewrite.language.pickling import Structured

Parts = tuple[list[Any], list[Any], list[Any]]


def looked_up(take: list[Any], put: list[Any], when: list[Any]) -> Parts:
    """Return the parts of a rule with variables replaced by what a condition says they equal."""
    for one in when:
        sides = one.args if isinstance(one, Call) and one.op == "==" else ()
        for own, value in zip(sides, sides[::-1], strict=True):
            others = [other for other in when if other is not one]
            if _is_determined(own, value, take, others):
                return looked_up(
                    *[[_with(part, own, value) for part in parts] for parts in (take, put, others)]
                )
    return take, put, when


def _is_determined(own: Any, value: Any, take: list[Any], others: list[Any]) -> bool:
    """Whether a condition leaves one value for a variable inside a taken term."""
    if not isinstance(own, Variable) or own in mentioned(value):
        return False
    open_ = own.kind == "term" and not own.is_narrow
    taken = [
        part for term in take for part in everywhere(term, inside) if isinstance(part, Variable)
    ]
    return (
        (open_ or own.kind == kind_of(value) == "int")
        and any(part is own for part in taken)
        and not any(term is own for term in take)
        and {*mentioned(value)} <= {*taken}
        # what may be of any kind is tested by another condition, which a pattern would not wait for
        and not any(one.kind == "term" for one in mentioned(value))
        and not any(isinstance(part, FunctionCall) for part in everywhere(value, inside))
        and not any(isinstance(one, Condition) for one in others)
    )


def _with(whole: Any, own: Variable, value: Any) -> Any:
    if whole is own:
        return value
    parts = tuple([_with(part, own, value) for part in inside(whole)])
    if isinstance(whole, Structured):
        rebuild, first = whole.term_rebuild()
        return rebuild(*first, parts)
    return parts if isinstance(whole, tuple) else whole

"""What a register can hold, as far as that is known before the code runs.

A type is a promise: where it says `Int`, no test of the kind is written and arithmetic is not
checked. What nobody knows is `ANY`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rewrite.compile.interning import BAG as BAG_MARK
from rewrite.compile.interning import Ctor, Truth
from rewrite.language.expressions import Variable


class Type(NamedTuple):
    """A kind of value; of a term its constructor, where known."""

    kind: str
    ctor: Ctor | None = None


ANY = Type("any")
INT = Type("int")
STR = Type("str")
BOOL = Type("bool")
SEQ = Type("seq")
BAG = Type("bag")
FLAG = Type("flag")
"""Whether something holds: no value of a puzzle."""
_BY_KIND = {one.kind: one for one in (INT, STR, BOOL, SEQ, BAG)}


def of_kind(kind: str) -> Type:
    return _BY_KIND.get(kind, ANY)


def of_value(value: Any) -> Type:
    kind = value.__class__
    if kind is tuple:
        if not (value and value[0].__class__ is Ctor):
            return SEQ
        return BAG if value[0] is BAG_MARK else Type("term", ctor=value[0])
    return {int: INT, str: STR, Truth: BOOL}.get(kind, ANY)


def of_term_type(term_type: Any) -> Type:
    return Type("term", ctor=term_type) if term_type.__class__ is Ctor else of_kind(term_type)


def admits(variable: Variable, held: Type) -> bool:
    """Whether a variable takes whatever a register of this type holds: no test is needed."""
    if variable.is_narrow:
        known = any(held.ctor is Ctor.of(one) for one in variable.constructors)
        return known or held.kind in variable.kinds
    return variable.kind in ("term", held.kind)

"""All units of the code of a puzzle."""

from collections.abc import Iterator

from rewrite.code import operations as o
from rewrite.code.puzzle_code import MultisetCode, SlotCode


def units(code: MultisetCode | SlotCode) -> Iterator[o.Unit]:
    """Yield every unit of a puzzle's code, and of what is left of its rules."""
    own = [code.expand, code.goal, code.forbidden, *code.values]
    if isinstance(code, MultisetCode):
        own.append(code.simplify)
    yield from own
    for table in tables(own):
        yield table.residual.unit


def tables(given: object) -> Iterator[o.Table]:
    """Yield the tables that stand anywhere in operations."""
    if isinstance(given, o.Table):
        yield given
    elif isinstance(given, (tuple, list)):
        for part in given:
            yield from tables(part)

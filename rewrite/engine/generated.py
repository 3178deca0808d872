"""Compiles the source that code is printed as; tracebacks show it."""

from __future__ import annotations

import linecache
from bisect import bisect_right
from collections.abc import Callable
from inspect import isfunction
from itertools import count
from types import CodeType
from typing import Any

from rewrite.compile.capacity import Capacity, NeedsCapacity
from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.code.operations import Rows
from rewrite.compile.code.python import Printed
from rewrite.compile.interning import TRUTH, Truth, ordered
from rewrite.compile.slots.layout import TWICE
from rewrite.engine import runtime
from rewrite.language.functions import Function

_MODULES = count(1)
_CODE: dict[tuple[str, str], CodeType] = {}
MOST_KEPT = 100
_RUNTIME: dict[str, Any] = {
    **{f"rt_{name}": one for name, one in vars(runtime).items() if isfunction(one)},
    "rt_ordered": ordered, "rt_bisect": bisect_right, "TRUTH": TRUTH, "Truth": Truth,
    "NO_VALUE": runtime.NO_VALUE, "BadCost": EngineFailure,
    "Twice": lambda: NeedsCapacity(Capacity(multiset=[TWICE])),
}  # fmt: skip


def module(
    printed: Printed, name: str, brought: Callable[[Any], Any], more: dict[str, Any]
) -> dict[str, Any]:
    """Return what a generated module defines.

    brought   from a Table or Ask to what the source calls for it
    more      other names that the source uses
    """

    def value(asked: Any) -> Any:
        if isinstance(asked, Function):
            return runtime.remembered(asked)
        return asked.table() if isinstance(asked, Rows) else brought(asked)

    asked = {key: value(one) for key, one in printed.asked.items()}
    return defined(printed.source, name, _RUNTIME | printed.constants | asked | more)


def defined(source: str, name: str, space: dict[str, Any]) -> dict[str, Any]:
    exec(_code(source, name), space)
    return space


def _code(source: str, name: str) -> CodeType:
    """Return the code of a module; the most recent ones are cached.

    Compiling takes a good part of a small search, and the next search often has the same rules.
    """
    code = _CODE.pop((source, name), None)
    if code is None:
        title = f"<generated {name} {next(_MODULES)}>"
        code = compile(source, title, "exec")
        linecache.cache[title] = (len(source), None, source.splitlines(True), title)
    _CODE[source, name] = code
    for oldest in list(_CODE)[:-MOST_KEPT]:  # a list: other threads may compile meanwhile
        gone = _CODE.pop(oldest, None)
        if gone is not None:
            linecache.cache.pop(gone.co_filename, None)
    return code

"""What the author's code was doing when Python needed a value that only the search knows.

Read from the calling frame and its source, so that an error can be specific. Without source, as in
`exec`, nothing is known and the error says less.
"""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Mapping, Set
from functools import lru_cache
from itertools import islice
from opcode import opname
from types import CodeType, FrameType, TracebackType
from typing import Any

from rewrite.errors import ExpressionError, warn
from rewrite.language.order import Keyed

LONGEST = 500
"""The longest expression, in characters, that is worth showing in an error."""
INNER = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
LIBRARIES = ("site-packages", "dist-packages", os.path.dirname(os.__file__))  # noqa: PTH120
LOOPING = {"sorted", "zip", "enumerate", "max", "min", "map", "filter"}
"""Built-in functions that would take a splice for the only element of a sequence."""
LOOKS_UP = ("BINARY", "CALL", "CONTAINS")
"""Prefixes of the instructions for `table[M]`, `table.get(M)` and `M in table`."""


class NoKey(ExpressionError, KeyError):
    """A key of a dict that is only known during the search."""

    def __str__(self) -> str:  # a KeyError would show the text as Python source
        return self.message


@lru_cache(maxsize=1_000)
def _is_ours(name: str | None) -> bool:
    return str(name).partition(".")[0] == "rewrite"


def caller(module: str) -> FrameType | None:
    """Return the frame that called into a module; None if it is code of this package too."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") in (__name__, module):
        frame = frame.f_back
    return None if frame is None or _is_ours(frame.f_globals.get("__name__")) else frame


def evaluated(frame: FrameType) -> ast.expr | None:
    """Return the expression that a frame is evaluating, if its source can be read."""
    return _expression(frame.f_code, frame.f_lasti, frame.f_code.co_filename)


def open_names(trace: TracebackType) -> list[str]:
    """Return the names in the failed expression whose values only the search knows."""
    frame = trace.tb_frame
    node = _expression(frame.f_code, trace.tb_lasti, frame.f_code.co_filename)
    inner = ast.walk(node) if node is not None else ()
    names = dict.fromkeys([one.id for one in inner if isinstance(one, ast.Name)])
    return [name for name in names if not _is_plain(_held(ast.Name(name), frame))]


@lru_cache(maxsize=1_000)
def _expression(code: CodeType, at: int, file: str) -> ast.expr | None:
    import linecache  # imported lazily: needed only in doubtful cases

    line, last, begin, end = next(islice(code.co_positions(), at // 2, None))
    if line is None or last is None:
        return None
    linecache.checkcache(file)  # the file may have changed since it was read
    lines = [text.encode() for text in linecache.getlines(file)[line - 1 : last]]
    if len(lines) <= last - line:
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    text = b"".join(lines)
    try:
        return ast.parse(b"(%b)" % text, mode="eval").body if len(text) < LONGEST else None
    except (SyntaxError, ValueError):
        return None


def _instruction(frame: FrameType) -> str:
    return opname[frame.f_code.co_code[frame.f_lasti]]


def unpacks(frame: FrameType) -> bool:
    """Return whether a frame unpacks a value: `a, b = S`."""
    return _instruction(frame).startswith("UNPACK")


def loops(frame: FrameType) -> bool:
    """Return whether a frame goes through a value: `for x in S`, or `sorted(S)`."""
    instruction = _instruction(frame)
    match evaluated(frame) if "CALL" in instruction else None:
        case ast.Call(func=ast.Name(id=name), args=args) if name in LOOPING:
            return not any(isinstance(one, ast.Starred) for one in args)
    return instruction == "GET_ITER"


def instead(frame: FrameType) -> str:
    """Return, as sentences, what to write instead of what a frame evaluates; "" if unknown."""
    node, function = evaluated(frame), _function(frame)
    way = "" if node is None else _way(node)
    advice = [f"Instead of {ast.unparse(node)} write {way}."] if node and way else []
    if function:
        begin = "Or, if" if advice else "If"
        advice.append(
            f"{begin} {function}(…) is to run during the search, decorate it with @fn and call it "
            "as now."
        )
    return " ".join(advice)


def instead_of_index(frame: FrameType) -> str:
    """Return what to write instead of `values[M]`, without a stop; "" for anything else."""
    node = evaluated(frame)
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        return ""
    return _with_fn(ast.Subscript(node.value, ast.Name("key")), node.slice)


def _way(node: ast.expr) -> str:
    match node:
        case ast.BoolOp(op=op, values=values):
            return (" & " if isinstance(op, ast.And) else " | ").join(map(_bracketed, values))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return f"~{_bracketed(inner)}"
        case ast.Compare(left=one, ops=[ast.In()], comparators=[held]):
            return _is_in(one, held)
        case ast.Compare(left=one, ops=[ast.NotIn()], comparators=[held]):
            return f"~{_is_in(one, held)}"
        case ast.Compare(
            left=ast.Tuple(elts=one), ops=[ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Tuple(elts=other)],
        ) if len(one) == len(other):  # fmt: skip
            both = " & " if isinstance(op, ast.Eq) else " | "
            each = [ast.Compare(a, [op], [b]) for a, b in zip(one, other, strict=True)]
            return both.join(map(_bracketed, each))
        case ast.Compare(left=one, ops=[_, _, *_] as ops, comparators=others):
            pairs = zip([one, *others], ops, others, strict=False)
            return " & ".join(_bracketed(ast.Compare(a, [op], [b])) for a, op, b in pairs)
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_] as args):
            called = "least" if name == "min" else "greatest"
            return f"{called}({', '.join(map(ast.unparse, args))})"
        case ast.Call(func=ast.Attribute(value=held, attr="index"), args=[one]):
            return f"position({ast.unparse(one)}, tuple({ast.unparse(held)}))"
    return ""


def _bracketed(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Call)) else f"({text})"


def _is_in(one: ast.expr, held: ast.expr) -> str:
    return f"is_in({ast.unparse(one)}, {ast.unparse(held)})"


def _function(frame: FrameType) -> str:
    """Return the name of the function that a frame runs, if it was called with a pattern."""
    while frame.f_code.co_name in INNER and frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    number = code.co_argcount + code.co_kwonlyargcount
    given = [frame.f_locals.get(name) for name in code.co_varnames[:number]]
    return "" if code.co_name == "<lambda>" or all(map(_is_plain, given)) else code.co_name


def _is_plain(value: Any) -> bool:
    """Return whether a value contains nothing that only the search knows."""
    from rewrite.language.terms import is_ground  # avoids a cycle: terms import this module

    return not isinstance(value, (Keyed, tuple)) or is_ground(value)


def check_lookup(value: Keyed) -> None:
    """Warn if the author's code looks up a pattern where no key is one; for `__hash__`.

    Raises NoKey for `table[M]`, which Python would refuse, naming only M.
    """
    frame = sys._getframe(2)
    # the definition looks up variables all the time: this comes first
    if _is_ours(frame.f_globals.get("__name__")):
        return
    if not _instruction(frame).startswith(LOOKS_UP) or _is_plain(value):
        return
    node = evaluated(frame)
    match node:
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[held]):
            way = f"Write {_is_in(key, ast.Call(ast.Name('tuple'), [held], []))}"
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[key, *more]):
            way = _with_fn(ast.Call(node.func, [ast.Name("key"), *more], []), key)
        case ast.Subscript(value=held, slice=key):
            way = _with_fn(ast.Subscript(held, ast.Name("key")), key)
        case _:
            return
    table = _held(held, frame)
    if not isinstance(table, (Mapping, Set)) or not table or not all(map(_is_plain, table)):
        return
    if any(folder in frame.f_code.co_filename for folder in LIBRARIES):
        return  # third-party code, which stores whatever it gets
    text = (
        f"{ast.unparse(node)}: Python looks {ast.unparse(key)} up now, but its value is only known "
        f"during the search, and no key is a pattern. {way}"
    )
    if not isinstance(node, ast.Subscript):
        warn(text)
    elif isinstance(table, Counter) or not hasattr(type(table), "__missing__"):
        raise NoKey(text, expression=value)


def _with_fn(node: ast.expr, key: ast.expr) -> str:
    return (
        "Look it up in a function decorated with @fn, "
        f"def look_up(key): return {ast.unparse(node)}, and write look_up({ast.unparse(key)})"
    )


def _held(node: ast.expr, frame: FrameType) -> Any:
    """Return the value of a name, of an attribute of one, or of a dict of constants."""
    match node:
        case ast.Name(id=name):
            return frame.f_locals.get(name, frame.f_globals.get(name))
        case ast.Attribute(value=inner, attr=name):
            return getattr(_held(inner, frame), "__dict__", {}).get(name)
        case ast.Dict(keys=keys) if all(isinstance(one, ast.Constant) for one in keys):
            return dict.fromkeys(map(ast.unparse, filter(None, keys)))
    return None

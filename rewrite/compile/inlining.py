"""User functions that are expressions, written out so that a search need not call them.

What a body computes from whole numbers by arithmetic, comparisons, `and`, `or`, `not`, `if`, `abs`,
`min`, `max` and local names is put together from the same operators of the language, if none of it
can fail for any whole numbers. The definition goes on calling the function.
"""

from __future__ import annotations

import ast
import inspect
import operator
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial, reduce
from types import CodeType, FunctionType
from typing import Any

from rewrite.language.builtins import greatest, if_, least, may_lack
from rewrite.language.conditions import Aggregate
from rewrite.language.expressions import Call, Expression, kind_of
from rewrite.language.functions import Function, FunctionCall
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside

MOST_NODES = 100
"""Parts of a body that are written out; what follows an `if` is written for each of its ends."""
ARITHMETIC: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
COMPARISONS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
CALLS: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "abs": (abs, abs), "min": (least, min), "max": (greatest, max),
}  # fmt: skip
"""Of expressions, and of plain numbers."""


class _Other(Exception):
    """A body is no such expression."""


def may_lack_value(given: Any) -> bool:
    """Return whether evaluating a template can end without a value (division by zero …)."""
    return any(
        isinstance(part, Aggregate) or (isinstance(part, Call) and may_lack(part))
        for part in everywhere(given, inside)
    )


def inlined(call: FunctionCall) -> Any:
    """Return a template with the value of a call; None if there is none."""
    body = _body_of(call.function)
    if body is None or len(body.args.args) != len(call.args):
        return None
    if any(kind_of(one) != "int" or may_lack_value(one) for one in call.args):
        return None
    names = [one.arg for one in body.args.args]
    with suppress(_Other, RecursionError):
        given = dict(zip(names, call.args, strict=True))
        return _Body(call.function.__wrapped__).run(body.body, given)
    return None


@lru_cache(maxsize=1_000)
def _body_of(function: Function) -> ast.FunctionDef | None:
    """Return a function as it was written, if that is found."""
    plain = function.__wrapped__
    if not isinstance(plain, FunctionType) or hasattr(plain, "__wrapped__"):
        return None
    try:
        (found,) = ast.parse(textwrap.dedent(inspect.getsource(plain))).body
        if not isinstance(found, ast.FunctionDef):
            return None
        found.decorator_list.clear()
        (code,) = [
            one for one in compile(ast.Module([found], []), "", "exec").co_consts
            if isinstance(one, CodeType)
        ]  # fmt: skip
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    held = plain.__code__  # the file may have changed since
    same = (code.co_code, code.co_consts, code.co_names) == (
        held.co_code, held.co_consts, held.co_names
    )  # fmt: skip
    given = found.args
    only = not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg)
    return found if same and only else None


class _Body:
    """Puts templates together. A name of its own has no value before it is assigned, whatever it
    stands for outside.
    """

    def __init__(self, function: Any) -> None:
        self.known, self.own = function.__globals__, function.__code__.co_varnames
        self.left = MOST_NODES

    def run(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> Any:
        """Return what the statements return. Raises _Other."""
        for at, one in enumerate(body):
            match one:
                case ast.Return(value=ast.expr() as value):
                    return self.value(value, names)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    names = names | {name: self.value(value, names)}
                case ast.Expr(value=ast.Constant()):
                    pass
                case ast.If(test=test, body=then, orelse=otherwise):
                    ends = [partial(self.run, [*end, *body[at + 1 :]], names)
                            for end in (then, otherwise)]  # fmt: skip
                    return self._either(self._truth(test, names), *ends)
                case _:
                    raise _Other
        raise _Other  # it returns None

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        self.left -= 1
        if self.left < 0:
            raise _Other
        match node:
            case ast.Constant(value=int() | str() as value):
                return value
            case ast.Name(id=name):
                return names[name] if name in names else self._constant(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._number(operand, names)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._either(self._truth(operand, names), lambda: False, lambda: True)
            case ast.BinOp(op=op, left=left, right=right) if type(op) in ARITHMETIC:
                by = self._number(right, names)
                divides = isinstance(op, (ast.FloorDiv, ast.Mod))
                if divides and (isinstance(by, Expression) or by == 0):
                    raise _Other
                return ARITHMETIC[type(op)](self._number(left, names), by)
            case ast.Compare(left=left, ops=ops, comparators=others):
                numbers = [self._number(one, names) for one in (left, *others)]
                if not all(type(op) in COMPARISONS for op in ops):
                    raise _Other
                steps = zip(ops, numbers, numbers[1:], strict=False)
                return reduce(_both, [COMPARISONS[type(op)](a, b) for op, a, b in steps])
            case ast.BoolOp(op=ast.And(), values=values):
                return reduce(_both, [self._truth(one, names) for one in values])
            case ast.BoolOp(op=ast.Or(), values=values):
                truths = [self._truth(one, names) for one in values]
                return reduce(lambda a, b: self._either(a, lambda: True, lambda: b), truths)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                ends = [partial(self.value, end, names) for end in (then, otherwise)]
                return self._either(self._truth(test, names), *ends)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in CALLS:
                if name in self.own or name in self.known or len(args) != 1 + (name != "abs"):
                    raise _Other
                numbers = [self._number(one, names) for one in args]
                plain = not any(isinstance(one, Expression) for one in numbers)
                return CALLS[name][plain](*numbers)
        raise _Other

    def _constant(self, name: str) -> Any:
        found = self.known.get(name)
        if name in self.own or type(found) not in (int, str, bool):
            raise _Other
        return found

    def _number(self, node: ast.expr, names: dict[str, Any]) -> Any:
        return self._of_kind("int", self.value(node, names))

    def _truth(self, node: ast.expr, names: dict[str, Any]) -> Any:
        return self._of_kind("bool", self.value(node, names))

    def _of_kind(self, kind: str, value: Any) -> Any:
        if kind_of(value) != kind:
            raise _Other
        return value

    def _either(self, test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        if isinstance(test, bool):
            return then() if test else otherwise()
        values = (then(), otherwise())
        if kind_of(values[0]) != kind_of(values[1]):
            raise _Other
        return if_(test, *values)


def _both(one: Any, other: Any) -> Any:
    if isinstance(one, bool):
        return other if one else False
    return one if other is True else if_(one, other, False)

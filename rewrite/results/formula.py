"""Where a term came from: the `put` expressions along a path, substituted back.

Every occurrence of a term carries its *origin*: the term with each computed number replaced by the
expression that computed it. An occurrence that is only copied keeps its origin. Plain values are
used for terms that `simplify` or effects add, for values bound by a `let` that is not arithmetic,
for parts that no pattern tells apart (in nested bags), and for expressions that would nest too
deeply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rewrite.errors import ExpressionError, ViewError
from rewrite.language.bag import Bag
from rewrite.language.evaluation import NoValue, composed, evaluate
from rewrite.language.expressions import ATOM, PRECEDENCE, Call, Expression, Splice, Variable
from rewrite.language.functions import FunctionCall
from rewrite.language.matching import Env, match, same
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside, source, term_key
from rewrite.language.states import State
from rewrite.language.terms import Term, freeze
from rewrite.results.moves import Step

Occurrence = tuple[Any, Any]  # a term, and its origin
ARITHMETIC = ("+", "-", "*", "//", "%", "**", "neg", "abs")
LEVELS = {**PRECEDENCE, "concat": PRECEDENCE["+"], "/": PRECEDENCE["//"]}
LEVELS |= {"×": LEVELS["*"], "÷": LEVELS["/"]}
PRODUCTS = ("*", "×")


class _Opaque(Exception):
    """A template whose value cannot be written as an expression: an aggregate."""


def formula_of(
    start: State, steps: Sequence[Step], term: Any, operators: Mapping[str, str],
    atom: Callable[[Any], str],
) -> str:  # fmt: skip
    wanted, found = freeze(term), None
    held: list[Occurrence] = [(one, one) for one in start]
    for step in (None, *steps):
        if step is not None:
            held = after(held, step, operators)
        here = [origin for one, origin in held if same(one, wanted)]
        found = (here[-1],) if here else found
    if found is None:
        text = source(wanted)
        raise ViewError(
            f"formula({text}): no state of this path holds {text}; the last one is "
            f"{steps[-1].after if steps else start}",
            term=wanted,
        )
    return formula_text(found[0], atom)


def after(held: Iterable[Occurrence], step: Step, operators: Mapping[str, str]) -> list[Occurrence]:
    """Return the occurrences after a step, the oldest first. See `Path.formula` for `operators`."""
    left, rule = list(held), step.rule
    removed = [_remove(left, term) for term in step.taken]
    taken, put = removed[: len(rule.take)], step.put[: len(rule.put)]  # effects come after them
    if rule.name in operators and len(taken) > 1:
        made = _joined(operators[rule.name], taken, put)
    else:
        env = {v: step.bindings[v.name] for v in rule.bound if v.name in step.bindings}
        known = _known(step, taken, left, env)
        made = [
            _made(template, value, known, env)
            for template, value in zip(rule.put, put, strict=True)
        ]
    return _simplified([*left, *zip(put, made, strict=True)], step.after)


def _joined(op: str, taken: list[Any], put: tuple[Any, ...]) -> list[Any]:
    joined = taken[0]
    try:
        for origin in taken[1:]:
            joined = Call(op, (joined, origin), "term")
    except ExpressionError:  # too deep
        return list(put)
    return [joined] * len(put)


def _remove(held: list[Occurrence], term: Any) -> Any:
    index = next(i for i, (one, _) in enumerate(held) if same(one, term))
    return held.pop(index)[1]


def _simplified(held: list[Occurrence], after: State) -> list[Occurrence]:
    """Return the occurrences that are left; what `simplify` or effects add is a plain value."""
    missing = Counter(map(term_key, after))
    kept = []
    for term, origin in [*held, *((term, term) for term in after)]:
        if missing[term_key(term)]:
            missing[term_key(term)] -= 1
            kept.append((term, origin))
    return kept


def _known(step: Step, taken: list[Any], left: list[Occurrence], env: Env) -> Env:
    known: Env = {}
    for pattern, origin in zip(step.rule.take, taken, strict=True):
        _bind(pattern, origin, env, known)
    for pattern in step.rule.keep:
        for term, origin in left:
            if any(True for _ in match(pattern, term, env)):
                _bind(pattern, origin, env, known)
                break
    for pattern, value in step.rule.let:
        if isinstance(pattern, Variable) and isinstance(value, Call) and value.op in ARITHMETIC:
            known.setdefault(pattern, _made(value, env[pattern], known, env))
    return known


def _bind(pattern: Any, origin: Any, env: Env, known: Env) -> None:
    if isinstance(pattern, Variable):
        known.setdefault(pattern, origin)
    elif isinstance(pattern, Term) and isinstance(origin, Term):
        _bind_all(pattern.term_arguments(), origin.term_arguments(), env, known)
    elif isinstance(pattern, tuple) and isinstance(origin, tuple):
        _bind_all(pattern, origin, env, known)


def _bind_all(patterns: tuple[Any, ...], origins: tuple[Any, ...], env: Env, known: Env) -> None:
    place = 0
    for part in patterns:
        if isinstance(part, Splice):
            if not isinstance(part.inner, Variable):
                return  # *ANY: its length is unknown
            length = len(env[part.inner])
            known.setdefault(part.inner, origins[place : place + length])
            place += length
        else:
            _bind(part, origins[place], env, known)
            place += 1


def _made(template: Any, value: Any, known: Env, env: Env) -> Any:
    try:
        return _fill(template, known, env)
    except (_Opaque, NoValue, ExpressionError, RecursionError):
        return value


def _fill(template: Any, known: Env, env: Env) -> Any:
    if isinstance(template, Variable):
        return known.get(template, env[template])
    if isinstance(template, Call):
        return _fill_call(template, known, env)
    if isinstance(template, FunctionCall):
        return FunctionCall(template.function, tuple(_parts(template.args, known, env)))
    if isinstance(template, Expression):
        raise _Opaque
    if isinstance(template, (tuple, Bag, Term)):
        return composed(template, _parts(inside(template), known, env))
    return template


def _parts(templates: Iterable[Any], known: Env, env: Env) -> list[Any]:
    out: list[Any] = []
    for part in templates:
        if isinstance(part, Splice):
            inner = _fill(part.inner, known, env)
            out += inner if isinstance(inner, (tuple, Bag)) else evaluate((part,), env)
        else:
            out.append(_fill(part, known, env))
    return out


def _fill_call(call: Call, known: Env, env: Env) -> Any:
    if call.op == "if_":
        return _fill(call.args[1 if evaluate(call.args[0], env) else 2], known, env)
    args = _parts(call.args, known, env)
    if call.op == "item" and isinstance(args[0], tuple):
        return args[0][evaluate(call.args[1], env)]
    if call.op == "concat" and all(isinstance(one, tuple) for one in args):
        return args[0] + args[1]
    return Call(call.op, args, call.kind)


def formula_text(
    origin: Any, atom: Callable[[Any], str] = repr, signs: Mapping[str, str] = {}
) -> str:
    """Return an origin as Python text. `signs`: operators to write otherwise: {"*": "×"}."""
    return _text(origin, atom, signs)[0]


Text = tuple[str, int]


def _text(origin: Any, atom: Callable[[Any], str], signs: Mapping[str, str]) -> Text:
    if not any(isinstance(one, Expression) for one in everywhere(origin, inside)):
        text = source(origin) if atom is repr else atom(origin)
        if type(origin) is int and text.startswith("-"):
            return text, LEVELS["neg"]
        closed = text.isalnum() or text[-1:] in (")", "]", "'", '"')
        return text, ATOM if closed else 0
    inner = []
    for part in inside(origin):
        inner.append(_text(part, atom, signs))
    if isinstance(origin, Call) and origin.op in LEVELS:
        return _operation(origin, inner, signs), LEVELS[origin.op]
    listed = ", ".join([text for text, _ in inner])
    if isinstance(origin, (Call, FunctionCall)):
        name = origin.op if isinstance(origin, Call) else origin.function.name
        return f"{name}({listed})", ATOM
    if isinstance(origin, Term):
        return f"{type(origin).__name__}({listed})", ATOM
    comma = "," if isinstance(origin, tuple) and len(origin) == 1 else ""
    return (f"({listed}{comma})" if isinstance(origin, tuple) else f"[{listed}]"), ATOM


def _operation(call: Call, texts: list[Text], signs: Mapping[str, str]) -> str:
    level = LEVELS[call.op]
    if len(texts) == 1:
        return ("-" if call.op == "neg" else "~") + _bracketed(texts[0], level)
    comparison = level == LEVELS["=="]
    left = _bracketed(texts[0], level + (call.op == "**" or comparison))
    product = call.op in PRODUCTS and _is_product(call.args[1])
    joins = product or call.op in ("+", "concat", "**")
    right = _bracketed(texts[1], level if joins else level + 1)
    sign = "+" if call.op == "concat" else signs.get(call.op, call.op)
    return f"{left} {sign} {right}"


def _is_product(value: Any) -> bool:
    """Whether a * (value) means the same without brackets: true of x * y, but not of x // y * z."""
    while isinstance(value, Call) and value.op in PRODUCTS:
        value = value.args[0]
    return not (isinstance(value, Call) and LEVELS.get(value.op) == LEVELS["*"])


def _bracketed(text: tuple[str, int], level: int) -> str:
    return f"({text[0]})" if text[1] < level else text[0]

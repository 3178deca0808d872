"""Patterns and conditions as phrases of English, with values in place of bound variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from rewrite.language import conditions as kinds
from rewrite.language.annotations import WORDS
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Call, Expression, Splice, Variable, Wildcard, kind_of
from rewrite.language.matching import Env
from rewrite.language.meaning import is_ready
from rewrite.language.nesting import everywhere
from rewrite.language.order import Pieces, levels_of, listed, source
from rewrite.language.patterns import everything_inside, mentioned
from rewrite.language.terms import Term

DEEPEST = 50
"""Levels of the deepest expression or condition that is not simply shown as source."""
SIGNS = {" == ": " = ", " != ": " ≠ ", " <= ": " ≤ ", " >= ": " ≥ "}
BETWEEN = {"divides": " divides ", "is_in": " is in "}


def written(value: Any, env: Env) -> str:
    """Return a term or expression as source, with values for variables and signs for operators."""
    value = env.get(value, value) if isinstance(value, Variable) else value
    if isinstance(value, str):
        is_sign = value.isprintable() and not value.isascii() and " " not in value
        return value if is_sign or value.isidentifier() else source(value)
    if isinstance(value, kinds.Aggregate) and value.name == "count":
        return f"the number of {nouns(value, env, plural)}"
    if isinstance(value, Splice) and not (isinstance(value.inner, Variable) and value.inner in env):
        return "…"
    pieces: Pieces = [source(value)]
    if isinstance(value, tuple) and mentioned(value):
        pieces = listed("(", value)
    elif isinstance(value, Call) and value.op in BETWEEN:
        pieces = [(value.args[0],), BETWEEN[value.op], (value.args[1],)]
    elif isinstance(value, Expression) and levels_of(value) <= DEEPEST:
        pieces = value.term_pieces()
    texts = [SIGNS.get(one, one) if type(one) is str else written(one[0], env) for one in pieces]
    return "".join(texts)


def noun(pattern: Any, env: Env) -> str:
    """Return what a pattern matches, without an article: `Tile with cell 0 and number 1`.

    A variable without a value may be anything; one that has itself as value is called by its name.
    """
    value = _filled(pattern, env)
    if isinstance(value, Term):
        parts = [_filled(one, env) for one in value.term_parts()]
        fields = zip(value.term_fields, parts, strict=True)
        texts = [f"{name} {written(one, env)}" for name, one in fields if not _is_any(one, env)]
        return type(value).__name__ + (" with " + listing(texts)) * bool(texts)
    if isinstance(value, Variable) and value.is_narrow:
        names = [one.__name__ for one in value.constructors]
        return listing([*names, *map(_word, value.kinds)], " or ")
    return _word(kind_of(value)) + ("" if _is_any(value, env) else " " + written(value, env))


def _filled(pattern: Any, env: Env) -> Any:
    values = {variable: value for variable, value in env.items() if value is not variable}
    try:
        return evaluate(pattern, values) if is_ready(pattern, values) else pattern
    except (NoValue, Failed):  # such as ANY
        return pattern


def _is_any(value: Any, env: Env) -> bool:
    return isinstance(value, Wildcard) or (isinstance(value, Variable) and value not in env)


def _word(kind: str) -> str:
    return WORDS.get(kind, "a term").removeprefix("a ").removeprefix("whole ")


def listing(texts: Iterable[str], last: str = " and ") -> str:
    *first, end = [*texts] or ["nothing"]
    return ", ".join(first) + last * bool(first) + end


def a(phrase: str) -> str:
    return f"a{'n' * (phrase[0] in 'AEIOUaeiou')} {phrase}"


def plural(phrase: str) -> str:
    name, space, rest = phrase.partition(" ")
    return f"{name}{'es' if name.endswith(('s', 'x', 'ch', 'sh')) else 's'}{space}{rest}"


def _with_names(given: Any, env: Env) -> Env:
    """Return the bindings, with a name for each other variable that occurs twice."""
    found = [one for one in everywhere(given, everything_inside) if isinstance(one, Variable)]
    return {variable: variable for variable, n in Counter(found).items() if n > 1} | env


def nouns(given: kinds.Patterned, env: Env, first: Callable[[str], str] = a) -> str:
    env = _with_names(given, env)
    found = [noun(pattern, env) for pattern in given.patterns]
    text = listing([*map(first, found[:1]), *map(a, found[1:])], ", and ")
    text += " and any others" * (given.rest is not None)
    text += f", such that {listing(said(one, env) for one in given.when)}" * bool(given.when)
    without = listing((a(noun(one, env)) for one in given.absent), " and without ")
    return text + f"{',' * (len(found) > 1)} without {without}" * bool(given.absent)


def said(given: kinds.Condition, env: Env, verb: str = "is") -> str:
    """Return a condition as a statement; one that is not simple as source."""
    if levels_of(given) > DEEPEST:
        return repr(given)
    if isinstance(given, kinds.Lacks):
        return f"there {verb} {nouns(given, env, 'no {}'.format)}"
    if isinstance(given, (kinds.Contains, kinds.Exactly)):
        only = "exactly " * isinstance(given, kinds.Exactly)
        return f"there {verb} {only}{nouns(given, env)}"
    if isinstance(given, (kinds.Both, kinds.Either)):
        sign, env = "and" if isinstance(given, kinds.Both) else "or", _with_names(given, env)
        return f"{said(given.left, env)}, {sign} {said(given.right, env)}"
    return written(given.expression, env) if isinstance(given, kinds.Holds) else repr(given)

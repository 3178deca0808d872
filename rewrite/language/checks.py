"""What a declaration refuses: unbound variables, misplaced parts, slips with f-strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rewrite.errors import RuleError, TermError, UnboundVariable, did_you_mean, warn
from rewrite.language.bag import Bag
from rewrite.language.conditions import (
    Aggregate,
    Both,
    Contains,
    Either,
    Exactly,
    Holds,
    Not,
    Patterned,
    Terminal,
)
from rewrite.language.expressions import FORMATTED, WRITTEN, Call, Splice, Variable, check_nesting
from rewrite.language.nesting import everywhere
from rewrite.language.order import inside, source
from rewrite.language.patterns import (
    binders,
    computed,
    contains_wildcard,
    everything_inside,
    mentioned,
    parts,
    variables,
)

_FIELD = re.compile(r"\{([^{}]+)\}")


def check_condition(
    where: str, given: Any, bound: dict[Variable, None], in_rule: bool = False
) -> dict[Variable, None]:
    """Check the variables of a condition; return those that it binds for what is to its right."""
    if isinstance(given, Holds):
        instead = None if in_rule else f"contains(…, when={source(given)})"
        require(where, source(given), given.expression, bound, instead)
        for inner in aggregates_in(given.expression):
            check_condition(where, inner, bound, in_rule)
        return {}
    outside = None if in_rule else ""
    if isinstance(given, Patterned):
        inside = bound | binders((given.patterns, given.rest))
        for expression in computed(given.patterns):
            require(where, source(given), expression, inside, outside)
        for condition in given.when:
            check_condition(where, condition, inside, in_rule)
        if isinstance(given, Aggregate):
            require(where, source(given), given.value, inside, outside)
        else:
            check_absent(where, given.absent, inside, outside)
        return inside if isinstance(given, (Contains, Exactly)) else {}
    found = dict(bound)
    if isinstance(given, (Both, Either)):
        found |= check_condition(where, given.left, found, in_rule)
        if isinstance(given, Both):
            return found | check_condition(where, given.right, found, in_rule)
        other = check_condition(where, given.right, bound, in_rule)
        return {variable: None for variable in found if variable in other or variable in bound}
    if isinstance(given, Not):
        check_condition(where, given.inner, bound, in_rule)
    return {}


def check_value(where: str, given: Any) -> None:
    """Check the variables of a value of a state: a heuristic, or `minimize`."""
    require(where, source(given), given, {}, f"lowest({source(given)}, …)")
    for inner in aggregates_in(given):
        check_condition(where, inner, {})


def asks_terminal(given: Any) -> bool:
    return any(isinstance(part, Terminal) for part in everywhere(given, everything_inside))


def check_absent(
    where: str, absent: tuple[Any, ...], bound: dict[Variable, None], instead: str | None = None
) -> None:
    """Check the variables of `absent` patterns: each may have local ones."""
    for pattern in absent:
        for expression in computed(pattern):
            inside = bound | binders(pattern)
            require(where, f"absent={source(pattern)}", expression, inside, instead)


def require(
    where: str, text: str, value: Any, bound: dict[Variable, None], instead: str | None = None
) -> None:
    """Raise UnboundVariable if `value` needs a variable that is not in `bound`.

    instead  outside a rule: what to write, with … for the missing variables, or ""
    """
    if contains_wildcard(value):
        raise RuleError(f"{where}: {text} uses ANY, which has no value; use a variable")
    for variable in variables(value):
        if variable not in bound:
            names = [other.name for other in bound]
            hint = did_you_mean(variable.name, names)
            if variable.name in names:
                hint = f" (the bound {variable.name} is of another kind)"
            known = ", ".join(names) or "nothing"
            if instead is None:
                way_out = f"Bound by take=, keep= or let=: {known}"
            elif instead and not bound:
                missing = ", ".join(other.name for other in variables(value))
                way_out = "A pattern gives a variable its value: write "
                way_out += instead.replace("…", missing, 1)
            else:
                way_out = f"Bound by its patterns: {known}; add one that holds {variable.name}"
            raise UnboundVariable(
                f"{where}: {text} uses {variable.name}, but nothing binds it{hint}. {way_out}",
                variable=variable.name,
                bound=tuple(names),
            )


def check_places(label: str, part: str, value: Any) -> None:
    """Refuse bare splices, and splices of the wrong kind."""
    check_nesting(f"rule {label!r}: {part}=", value)
    todo = [(value, True, "")]
    while todo:
        value, top, around = todo.pop()
        _check_place(label, part, value, top, around)
        if isinstance(value, (tuple, Bag)):
            around = "seq" if isinstance(value, tuple) else "bag"
        todo += [(inner, False, around) for inner in parts(value)[::-1]]


def _check_place(label: str, part: str, value: Any, top: bool, around: str) -> None:
    if isinstance(value, str) and value[:1] + value[-1:] == "{}" and value[1:-1] in FORMATTED:
        raise RuleError(
            f"rule {label!r}: {part}= holds the text {value!r}, which an f-string made; write the "
            f"expression itself: {value[1:-1]}"
        )
    matched = top and part in ("take", "keep", "absent")
    if matched and isinstance(value, Call) and value.kind == "bool":
        raise RuleError(
            f"rule {label!r}: {part}= holds the condition {value!r}; conditions stand in when=[…]"
        )
    if isinstance(value, Splice):
        if top:
            raise TermError(
                f"rule {label!r}: {part}=[{value!r}]: {value!r} is a bare splice outside a tuple. "
                f"A splice stands inside a sequence (*S, X) or a nested bag [X, *B]; what a rule "
                "does not mention stays in the state anyway"
            )
        variable = isinstance(value.inner, Variable)
        if part != "put" and variable and value.inner.kind not in (around, "term"):
            into, maker = ("nested bag", "bags") if around == "bag" else ("sequence", "seqs")
            raise TermError(
                f"rule {label!r}: {part}=: {value!r} splices a variable of kind {value.inner.kind} "
                f"into a {into}; declare it with {maker}({str(value.inner)!r})"
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


def suspicious(text: str) -> bool:
    """Whether Python may have formatted an expression or a variable into a text."""
    return "{" in text or text in WRITTEN


def held(value: Any) -> tuple[dict[Variable, None], list[str]]:
    """Return all variables and suspicious texts in patterns and conditions."""
    parts = [*everywhere(value, everything_inside)]
    texts = [part for part in parts if isinstance(part, str) and suspicious(part)]
    return dict.fromkeys([part for part in parts if isinstance(part, Variable)]), texts


def check_kinds(where: str, variables: Iterable[Variable]) -> None:
    """Refuse two variables with the same name: they differ, but look identical."""
    known: dict[str, Variable] = {}
    for variable in variables:
        other = known.setdefault(variable.name, variable)
        if other is not variable:
            kinds = sorted({_kind(other), _kind(variable)})
            raise RuleError(
                f"{where}: {variable.name} stands for two variables, of kind "
                f"{' and '.join(kinds)}; they are never the same. Give one another name",
                variable=variable.name,
            )


def _kind(variable: Variable) -> str:
    narrow = (*[one.__name__ for one in variable.constructors], *variable.kinds)
    return " or ".join(narrow) or variable.kind


def check_texts(
    where: str, texts: Iterable[str], variables: dict[Variable, None], *, written: bool = True
) -> None:
    """Refuse a suspicious text that Python formatted from an expression over these variables.

    written  whether to warn also about the bare name of a variable whose text was requested
    """
    for text in texts:
        if "{" not in text and not written:
            continue
        meant = _meant(text, variables)
        if meant is None:
            continue
        plain = text == "{" + meant + "}" or text == meant
        value_of = f"write {meant} for its value, text({meant})" if plain else _joined(text)
        told = (
            f"{where} holds the text {text!r}, which Python made of {meant} before the search "
            f"began; {value_of} for a text of it. If the text itself is meant, give the variable "
            "another name"
        )
        if text == meant:  # str(M) was called: perhaps for this, perhaps for printing
            warn(told)
        else:
            raise RuleError(told, found=text)


def _joined(text: str) -> str:
    """Return a text with fields as an expression: "n" + text(M)."""
    cut = re.split(r"(\{[^{}]+\})", text)
    return "write " + " + ".join(
        f"text({part[1:-1]})" if part[0] == "{" else f'"{part}"' for part in cut if part
    )


def _meant(text: str, variables: dict[Variable, None]) -> str | None:
    """Return the source of the expression over these variables that the text came from."""
    names = {variable.name for variable in variables}
    if text in WRITTEN and text in names:
        return text
    for field in _FIELD.findall(text):
        for stem in (field, field.rsplit(":", 1)[0]):
            for expression in FORMATTED.get(stem, ()):
                used = mentioned(expression)
                if used and all(variable in variables for variable in used):
                    return str.__str__(stem)
    return None

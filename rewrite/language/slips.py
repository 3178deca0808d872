"""Texts and names that were meant as variables: what Python makes of `f"n{M}"` and `str(M)`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rewrite.errors import RuleError, warn
from rewrite.language.expressions import FORMATTED, WRITTEN, Variable
from rewrite.language.nesting import everywhere
from rewrite.language.patterns import everything_inside, mentioned

_FIELD = re.compile(r"\{([^{}]+)\}")


def inner(value: Any) -> tuple[Any, ...]:
    """Return the direct parts of anything that a rule or a condition is made of."""
    return tuple(value) if isinstance(value, list) else everything_inside(value)


def suspicious(text: str) -> bool:
    """Whether Python may have made a text of an expression, or of a variable."""
    return "{" in text or text in WRITTEN


def held(value: Any) -> tuple[dict[Variable, None], list[str]]:
    """Return the variables and the suspicious texts anywhere in patterns and conditions."""
    parts = [*everywhere(value, inner)]
    texts = [part for part in parts if isinstance(part, str) and suspicious(part)]
    return dict.fromkeys([part for part in parts if isinstance(part, Variable)]), texts


def check_kinds(where: str, variables: Iterable[Variable]) -> None:
    """Refuse two variables of one name: they differ, but look alike."""
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
    return " or ".join(one.__name__ for one in variable.constructors) or variable.kind


def check_texts(
    where: str, texts: Iterable[str], variables: dict[Variable, None], *, written: bool = True
) -> None:
    """Refuse a suspicious text that Python made of an expression over these variables.

    written  whether to warn about the name of one of them too, where its text was asked for
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
        if text == meant:  # str(M) was called for something: perhaps for this, perhaps to print it
            warn(told)
        else:
            raise RuleError(told, found=text)


def _joined(text: str) -> str:
    """Return how a text with fields is written as an expression: "n" + text(M)."""
    cut = re.split(r"(\{[^{}]+\})", text)
    return "write " + " + ".join(
        f"text({part[1:-1]})" if part[0] == "{" else f'"{part}"' for part in cut if part
    )


def _meant(text: str, variables: dict[Variable, None]) -> str | None:
    """Return the source of the expression over these variables that a text was made of."""
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

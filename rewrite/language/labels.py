"""Labels: templates whose braces hold the source of an expression, filled in from bindings.

An f-string such as f"{M} + {N}" works because formatting an expression gives its own source text
in braces and remembers the expression under that text. Nothing is ever evaluated as Python.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from rewrite.errors import UnboundVariable, did_you_mean
from rewrite.language.evaluation import Aggregates, Bindings, Failed, NoValue, evaluate, no_state
from rewrite.language.expressions import FORMATTED, Expression, Variable
from rewrite.language.order import source
from rewrite.language.patterns import contains_wildcard, mentioned

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


@frozen
class Template:
    """A label split into texts and (expression, format spec) fields."""

    text: str
    parts: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self.parts)

    def fill(self, bindings: Bindings, aggregates: Aggregates = no_state) -> str:
        """Return the label with every field replaced by its value; '?' if it has none.

        The result is one line of printable text, whatever texts the values contain.
        """
        out: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            expression, spec = part
            try:
                value = evaluate(expression, bindings, aggregates)
            except (NoValue, Failed):
                out.append("?")
                continue
            text = value if type(value) is str else source(value)
            try:
                out.append(format(value, spec) if spec else text)
            # a spec that does not fit this value, or one too wide for the memory
            except (ValueError, TypeError, OverflowError, MemoryError):
                out.append(text)
        return one_line("".join(out))


JOINERS = "\u200c\u200d"
"""Zero width: they join letters of Persian and Hindi, and emoji into families and professions."""


def one_line(text: str) -> str:
    """Escape all that cannot be printed, newlines included, as Python would.

    Joiners between what they join are kept; ASCII needs none.

    >>> one_line("naïve → 🙂"), one_line("red: \x1b[31m" + chr(10))
    ('naïve → 🙂', 'red: \\\\x1b[31m\\\\n')
    >>> one_line("👩\u200d🚀") == "👩\u200d🚀", one_line("a\u200db")
    (True, 'a\\\\u200db')
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or _joins(text, at) else repr(c)[1:-1] for at, c in enumerate(text)
    )


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` letters, with the end cut off if necessary."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _joins(text: str, at: int) -> bool:
    joined = text[max(at - 1, 0) : at + 2].replace(text[at], "")
    apart = joined.isascii() or " " in joined
    return text[at] in JOINERS and len(joined) == 2 and joined.isprintable() and not apart


def _again(text: str, parts: tuple[Any, ...]) -> Template:
    """Restore a pickled template; its expressions are registered by their text here too."""
    for part in parts:
        if not isinstance(part, str):
            f"{part[0]}"  # formatting an expression registers it
    return Template(text, parts)


def template(label: str, bound: dict[Variable, None]) -> Template:
    """Split `label` into parts, reading each field as an expression over `bound` variables.

    `{{` and `}}` are literal braces. Raises UnboundVariable for a field without an expression.
    """
    parts: list[Any] = []
    last = 0
    for found in _FIELD.finditer(label):
        parts.append(label[last : found.start()])
        last = found.end()
        if found[1] is None:
            parts.append(found[0][0])
        else:
            parts.append(_field(label, found[1], bound))
    parts.append(label[last:])
    return Template(label, tuple(part for part in parts if part != ""))


def _field(label: str, text: str, bound: dict[Variable, None]) -> tuple[Expression, str]:
    names = {variable.name: variable for variable in bound}
    before, _, after = text.rpartition(":")
    missing = ""
    for stem, spec in ((text, ""), (before, after)):
        if stem in names:
            return names[stem], spec
        for expression in reversed(FORMATTED.get(stem, ())):  # a notebook cell may run again
            unbound = [variable for variable in mentioned(expression) if variable not in bound]
            if contains_wildcard(expression):
                missing = missing or "ANY"
            elif not unbound:
                return expression, spec
            else:
                missing = missing or unbound[0].name
    missing = missing or text
    raise UnboundVariable(
        f"rule {label!r}: the label uses {missing}, but nothing binds it"
        f"{did_you_mean(missing, names)}. Bound by take=, keep= or let=: "
        f"{', '.join(names) or 'nothing'}. A label that computes is written as an f-string; braces "
        "that are meant as text are doubled: {{",
        rule=label,
        variable=missing,
        bound=tuple([variable.name for variable in bound]),
    )

"""Unique Maude names for variables, constructors, rules and modules.

Variables are in capital letters, as is the custom in Maude; operators and reserved words are not,
so they never collide.
"""

from __future__ import annotations

import re
from typing import Any

from rewrite.errors import ExportError
from rewrite.export.maude_library import MODULES, WORDS
from rewrite.language.expressions import Variable
from rewrite.language.terms import Term

SORTS = {
    "int": "Int", "str": "String", "bool": "Bool", "seq": "List", "bag": "Bag", "term": "Term",
}  # fmt: skip
"""The sort of a variable's values. A sequence variable denotes the elements: seq(S) is the term."""


class Names:
    """The names of one module. The order of requests decides: same puzzle, same names."""

    def __init__(self) -> None:
        self.functions = set[str]()
        """The functions of `maude_library` that the module uses."""
        self.taken = set(WORDS)
        self.variables: dict[str, str] = {}
        """Every variable with its sort, in order of request."""
        self.unions: dict[tuple[str, ...], str] = {}
        """The sorts that cover several constructors, by the sorts of these."""
        self._constructors: dict[Any, str] = {}
        self._known: dict[Any, str] = {}
        self._operators = 0
        self.beyond_ascii = False
        """Whether a text has non-ASCII letters: Maude orders their bytes as signed numbers."""
        self.text_order: ExportError | None = None
        """The error to raise in that case: a comparison needs the order of texts."""

    def _new(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self.taken:
            number += 1
            name = f"{wanted}-{number}"
        self.taken.add(name)
        return name

    def constructors(self) -> dict[str, int]:
        return {name: len(identity[2]) for identity, name in self._constructors.items()}

    def constructor(self, cls: type[Term]) -> str:
        """Return the name of a constructor, which is also the sort of its terms."""
        identity = cls.term_identity()
        if identity not in self._constructors:
            self._constructors[identity] = self._new(_word(cls.__name__))
        return self._constructors[identity]

    def sort(self, variable: Variable) -> str:
        united = tuple([self.constructor(one) for one in variable.constructors])
        if {"seq", "bag"} & {*variable.kinds}:
            raise ExportError(
                f"{variable.name} may be a sequence or a nested bag, or something else: no sort "
                "there has these terms only. Write a rule for each"
            )
        united += tuple([SORTS[kind] for kind in variable.kinds])
        if len(united) < 2:
            return united[0] if united else SORTS[variable.kind]
        if united not in self.unions:
            self.unions[united] = self._new("-or-".join(united))
        return self.unions[united]

    def variable(self, variable: Variable) -> str:
        return self._declared(variable.term_key(), variable.name, self.sort(variable))

    def own(self, wanted: str, sort: str) -> str:
        """Return the name of an auxiliary variable, shared by all statements."""
        return self._declared(wanted, wanted, sort)

    def _declared(self, key: Any, wanted: str, sort: str) -> str:
        if key not in self._known:
            self._known[key] = self._new(_word(wanted).upper())
            self.variables[self._known[key]] = sort
        return self._known[key]

    def rule(self, name: str, number: int) -> str:
        """Return a label: the words of a rule's name, without those in braces."""
        words = re.findall(r"[A-Za-z0-9]+", re.sub(r"\{[^{}]*\}", " ", name))
        return self._new("-".join(words) or f"rule-{number}")

    def operator(self, stem: str) -> str:
        """Return a new name for an auxiliary function: stem-1, stem-2, …"""
        self._operators += 1
        return self._new(f"{stem}-{self._operators}")


def _word(name: str) -> str:
    """Return a Python identifier as a Maude one, where an underscore would mark an argument."""
    text = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name.replace("_", "-"))
    return text if text[0].isalpha() else f"V{text}"


def module_name(given: str | None, puzzle: str) -> str:
    """Return the requested name, or one derived from the puzzle's. Raises ExportError."""
    if given is None:
        words = "-".join(re.findall(r"[A-Z0-9]+", puzzle.upper())) or "PUZZLE"
        return words if words[0].isalpha() and words not in MODULES else f"PUZZLE-{words}"
    if not isinstance(given, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", given):
        raise ExportError(
            f"to_maude(…, name={given!r}): the name of a Maude module is written with letters, "
            "digits and -, e.g. name='WATER-JUGS'",
            name=given,
        )
    if given in MODULES:
        raise ExportError(
            f"to_maude(…, name={given!r}): Maude has a module of this name already; use another, "
            f"e.g. name='{given}-PUZZLE'",
            name=given,
        )
    return given

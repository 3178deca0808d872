"""Names of other languages as names in Python."""

from __future__ import annotations

import keyword
from unicodedata import normalize


def identifier(name: str, used: set[str]) -> str:
    """Return an identifier like a name; it is added to those in use, from which it differs.

    It does not begin with `_`, which attrs takes away, and is as Python reads it (NFKC).
    """
    made = "".join([one if f"x{one}".isidentifier() else "_" for one in normalize("NFKC", name)])
    made = made if made.isidentifier() and made[0] != "_" else f"x{made}"
    while keyword.iskeyword(made) or made in used:
        made += "_"
    used.add(made)
    return made


def as_label(text: str) -> str:
    """Return a text as a label, where braces would be those of an expression."""
    return text.replace("{", "{{").replace("}", "}}")

"""Names of other languages as names in Python."""

from __future__ import annotations

import keyword


def identifier(name: str, used: set[str]) -> str:
    """Return an identifier like a name; it is added to those in use, from which it differs."""
    made = "".join([one if f"x{one}".isidentifier() else "_" for one in name])
    made = made if made.isidentifier() else f"x{made}"
    while keyword.iskeyword(made) or made in used:
        made += "_"
    used.add(made)
    return made

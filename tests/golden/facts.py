"""What others have published about puzzles, or two programs of ours agree on: read from TOML."""

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from rewrite import Puzzle


def read(name: str) -> dict[str, Any]:
    """Return the facts of a file; each has a source."""
    facts = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    assert [name for name, fact in facts.items() if not fact.get("source")] == []
    return facts


def puzzle_of(fact: dict[str, Any]) -> Puzzle:
    made: Puzzle = import_module(f"puzzles.{fact['puzzle']}").instance(*fact.get("words", []))
    return made

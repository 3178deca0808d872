"""The source of an unexpected error: a user function, or a bug of ours.

The traceback decides: code of this project and its gallery, and generated code, is ours; files of
Python and other libraries are neutral; the rest belongs to the user.
"""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from rewrite.errors import described

ROOT = Path(__file__).parents[2]
OURS = {ROOT / "rewrite", ROOT / "puzzles"}
LIBRARIES = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib")}
PRINTED = "with what the same command with --traceback and `rewrite doctor` print"


def source_of_error(error: BaseException) -> str:
    told = described(error)
    place, ours_below = "", True
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        if frame.filename.startswith("<generated ") or OURS & {*file.parents}:
            ours_below = True
        elif not frame.filename.startswith("<") and not LIBRARIES & {*file.parents}:
            place, ours_below = f"{file.name}, line {frame.lineno}", False
    if not place:
        return (
            f"this is a bug in rewrite, not in the puzzle: {told}. Please report it with the "
            f"puzzle and {PRINTED}"
        )
    if ours_below:
        return (
            f"{told}. It came from what {place} called, or is a bug in rewrite; --traceback shows "
            "which"
        )
    return f"{told}. It came from a function of the puzzle: {place}"

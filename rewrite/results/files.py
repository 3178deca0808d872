"""Text that can also be written to a file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from rewrite.errors import ExportError
from rewrite.language.order import plain

File = str | os.PathLike[str]


def saved(text: str, file: File | None, function: str) -> str:
    """Return the text, and write it to the file (UTF-8) if one is given. Raises ExportError."""
    if file is None:
        return text
    try:
        Path(file).write_bytes(text.encode("utf-8", "backslashreplace"))
    except (OSError, ValueError, TypeError) as error:
        why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise ExportError(
            f"{function}({plain(file)}): the file cannot be written: {why}. Give a file in a "
            f"folder that is there; {function}() alone returns the text",
            file=file,
        ) from error
    return text


def csv_text(rows: Iterable[tuple[object, ...]]) -> str:
    import csv  # imported here because few runs write tables
    import io

    made = io.StringIO()
    csv.writer(made).writerows(rows)
    return made.getvalue()

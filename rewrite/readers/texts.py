"""The text of a file that somebody else wrote."""

from __future__ import annotations

from pathlib import Path

from rewrite.errors import ReadError


def text_of(file: Path, asked: str = "") -> str:
    """Return the text of a file. Raises ReadError, which begins with `asked`.

    What is not UTF-8 is read as Latin-1, where every byte is a letter of its own: to replace what
    cannot be read might make one name of two.
    """
    try:
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ReadError(f"{asked}{file} cannot be read: {why}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")

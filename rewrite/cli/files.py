"""Files that the user names: what is in them, or why they cannot be read."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from rewrite.cli.exits import Problem

LARGEST = 20_000_000  # bytes of a text: some hundred thousand boards


def bytes_of(file: Path, most: int) -> bytes:
    """Return the first bytes of a file, at most so many. Raises Problem where it cannot be read."""
    try:
        if file.is_dir():
            raise Problem(f"{file} is a folder; name a file in it")
        with file.open("rb") as opened:
            return opened.read(most)
    except FileNotFoundError:
        raise Problem(f"{file}: no such file") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Problem(f"{file} cannot be read: {why}") from error


def text_of(file: Path) -> str:
    """Return the text of a file, in whichever code it is written. Raises Problem.

    UTF-8, UTF-16 with its mark, and else Windows-1252, which old collections of levels are in.
    """
    data = bytes_of(file, LARGEST + 1)
    if len(data) > LARGEST:
        raise Problem(
            f"{file} is larger than {LARGEST // 1_000_000} MB; cut out the boards that you want"
        )
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if (place := data.find(0)) >= 0:
        raise Problem(f"{file} is not a text file: byte {place + 1:,} is 0")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")

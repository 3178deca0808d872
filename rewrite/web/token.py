"""The token that pages show to the server: kept in a file, so that a new server knows old pages."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

TOKEN = re.compile(r"[\w-]{32,}")


def state_folder() -> Path:
    """Return where programs keep such things, by the XDG convention."""
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return base / "rewrite"


def token_of_user() -> str:
    """Return the token of this user, made when it is first asked for.

    It is read by its owner alone; one that others could read is replaced. Where nothing can be kept
    it is a new one each time, and open pages have to be opened again after a restart.
    """
    made = secrets.token_urlsafe(24)
    try:
        file = state_folder() / "play-token"
        return _kept(file) or _keep(file, made)
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return made


def _kept(file: Path) -> str:
    """Return the token in a file, or '' where there is none that can be trusted."""
    try:
        with file.open(encoding="ascii") as opened:
            about = os.fstat(opened.fileno())
            text = opened.read(200).strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    if os.name == "posix" and (about.st_mode & 0o077 or about.st_uid != os.getuid()):
        return ""
    return text if TOKEN.fullmatch(text) else ""


def _keep(file: Path, token: str) -> str:
    """Write a token, whole or not at all, and return what is kept then."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(token)
        part.replace(file)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return _kept(file) or token

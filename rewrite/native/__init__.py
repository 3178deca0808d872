"""The same engine in Rust: all access to the compiled core goes through this file.

The core is optional. Without one, searches run in Python and `rewrite doctor` says why; with one of
another version they refuse, because different code may answer differently. To be sure, set the
environment variable REWRITE_NATIVE, which is read each time: `off` is Python only, `on` refuses to
run without a usable core.

`engine` decides how a search runs in the core; nothing is loaded here until it is needed.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

from attrs import frozen

from rewrite.errors import SearchError
from rewrite.language.builtins import BUILTINS

PROTOCOL = 21
"""The version of the interface to the core; the core's `protocol()` must equal it."""
NEEDED = frozenset(row.code for row in BUILTINS.values() if row.twin)
"""The built-in functions in a core of this version."""

VARIABLE = "REWRITE_NATIVE"
COMPILED = f"{__name__}._core"
SUBJECT = "native engine: "
LARGEST = (1 << 63) - 1
INSTALL = "run the same pip install again with --force-reinstall --no-cache-dir"
RUST = "Rust 1.88 or newer from https://rustup.rs"


@frozen
class Status:
    """The state of the compiled core.

    usable    whether a search can run in it
    reason    the same in words, in one line, with what to do about it
    refused   whether engine="auto" refuses too, instead of falling back to Python
    profile   how a usable core was compiled, "release" or "debug"; else None
    """

    usable: bool
    reason: str
    refused: bool = False
    profile: str | None = None


def status() -> Status:
    """Return whether the compiled core can be used, and why not. Never raises."""
    return _look()[0]


def word(number: int | None) -> int | None:
    """Return a limit capped at a machine word: no search gets beyond that."""
    return None if number is None else min(number, LARGEST)


def core() -> ModuleType:
    """Return the compiled core. Raises SearchError, with the reason, if none is usable."""
    found, module = _look()
    if module is None:
        raise _error("native", found)
    return module


def core_or_none() -> ModuleType | None:
    """Return the compiled core, or None to run in Python instead: engine="auto".

    Raises SearchError if that would hide a fault: a core of another version or one that cannot
    be loaded, an invalid REWRITE_NATIVE, or no core and REWRITE_NATIVE=on.
    """
    found, module = _look()
    if found.refused:
        raise _error("auto", found)
    return module


def _error(engine: str, found: Status) -> SearchError:
    why = found.reason if engine == "auto" else found.reason.removeprefix(SUBJECT)
    way = "use engine='python'" if found.refused else "leave engine= out"
    return SearchError(f"engine={engine!r}: {why}; or {way}", engine=engine, status=found)


def _look() -> tuple[Status, ModuleType | None]:
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "off":
        return _unusable(f"switched off by {VARIABLE}=off; unset it to use the core"), None
    if wanted not in ("", "on"):
        what = f"{VARIABLE}={wanted!r} must be off (Python only), on (no search without the core)"
        return _unusable(f"{what} or unset (the core where there is one)", refused=True), None
    try:
        module = import_module(COMPILED)
    except ModuleNotFoundError as error:
        if error.name != COMPILED:
            return _unloadable(error), None
        asked = f", and {VARIABLE}=on asks for it" if wanted else ""
        return _unusable(_missing(asked), refused=bool(wanted)), None
    except Exception as error:  # whatever loading a broken module raises
        return _unloadable(error), None
    found = _judged(module)
    return found, module if found.usable else None


@lru_cache(maxsize=1)
def _judged(module: ModuleType) -> Status:
    protocol, profile = _told(module, "protocol"), _told(module, "profile")
    what = f"its protocol is {protocol}, and this version of rewrite needs {PROTOCOL}"
    if protocol == PROTOCOL:
        lacking = NEEDED.difference(_told(module, "builtins"))
        what = f"it has no function {min(lacking)}" if lacking else ""
    if what:
        return _unusable(f"out of date ({what}): {INSTALL}", refused=True)
    slow = "" if profile == "release" else f"; slow, for finding faults only: {INSTALL}"
    built = f"built ({profile}, protocol {protocol}){slow}"
    return Status(True, SUBJECT + built, profile=str(profile))


def _told(module: ModuleType, name: str) -> Any:
    told = getattr(module, name, None)
    return told() if callable(told) else None


def _unusable(why: str, *, refused: bool = False) -> Status:
    return Status(False, SUBJECT + why, refused=refused)


def _unloadable(error: Exception) -> Status:
    return _unusable(f"cannot be loaded ({error}): {INSTALL}", refused=True)


def _missing(asked: str) -> str:
    import shutil  # imported lazily, to keep `import rewrite` fast
    from pathlib import Path

    folder = Path(__file__).parent
    others = sorted(one.name for one in folder.glob("_core.*") if one.suffix in (".so", ".pyd"))
    if others:
        return f"not built for this Python ({others[0]} is for another one{asked}): {INSTALL}"
    lacking = [tool for tool in ("cargo", "rustc") if shutil.which(tool) is None]
    if lacking:
        what = f"no {' and no '.join(lacking)} on PATH: there is no Rust"
        return f"not built ({what}{asked}): install {RUST} and {INSTALL}"
    what = "Rust is here now, so it came later than rewrite, or building failed"
    return f"not built ({what}{asked}): {INSTALL} -v, which shows what fails"

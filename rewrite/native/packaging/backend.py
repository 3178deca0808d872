"""The build backend: that of setuptools, kept from what earlier builds have left behind.

Plain setuptools puts all of `build/` into a wheel, and what an old `rewrite.egg-info` lists into an
archive: without Rust, a core that was compiled from other sources would come along. So every build
works in a temporary folder of its own; only cargo keeps what it compiled, and knows what is stale.

A build says what it begins, how long that takes, and what came of it; `pip install -v` shows it.
Without Rust the package works too, only slower, and nobody should have to guess why.

pyproject.toml names this file. Nothing of the package imports it, and it is in no wheel.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from setuptools import build_meta
from setuptools.command.egg_info import manifest_maker

HERE = Path(__file__).parent
OLDEST = "cp311"
"""A core works in this Python and in all later ones, by their stable ABI; so does a wheel."""

P = ParamSpec("P")
R = TypeVar("R")

# What an archive of the sources holds beside the Python files. MANIFEST.in, but not at the top.
manifest_maker.template = os.path.relpath(HERE.resolve() / "sources.in")


@contextmanager
def empty_folders() -> Iterator[None]:
    """Let setuptools build, and write what it found, in folders that did not exist before."""
    before = os.environ.get("DIST_EXTRA_CONFIG")
    with tempfile.TemporaryDirectory(prefix="rewrite-build-") as temp:
        config = Path(temp, "setup.cfg")
        text = f"[build]\nbuild_base={temp}\n[egg_info]\negg_base={temp}\n"
        if not sysconfig.get_config_var("Py_GIL_DISABLED"):  # there is no stable ABI without it
            text += f"[bdist_wheel]\npy_limited_api={OLDEST}\n"
        config.write_text(text, "utf-8")
        os.environ["DIST_EXTRA_CONFIG"] = str(config)
        try:
            yield
        finally:
            del os.environ["DIST_EXTRA_CONFIG"]
            if before is not None:
                os.environ["DIST_EXTRA_CONFIG"] = before


def remove_compiled() -> None:
    """Remove the core of an earlier editable install: where none can be built, none is there."""
    for old in HERE.parent.glob("_core.*"):
        if is_core(old):
            old.unlink()


def in_empty_folders(hook: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(hook)
    def hooked(*args: P.args, **kwargs: P.kwargs) -> R:
        with empty_folders():
            return hook(*args, **kwargs)

    return hooked


def say(text: str) -> None:
    sys.stderr.write(f"rewrite: {text}\n")
    sys.stderr.flush()  # before what cargo says


def announce() -> bool:
    """Say what a build begins; return whether it tries to compile."""
    cargo = os.environ.get("CARGO", "cargo")
    if shutil.which(cargo) is None:
        say(
            f"no {cargo} on PATH: building without the native core; searches run in Python. For "
            "the core install Rust 1.88 or newer from https://rustup.rs, and this again"
        )
        return False
    say("compiling the native core with cargo: under a minute on two cores, the first time")
    return True


def building(hook: Callable[P, str]) -> Callable[P, str]:
    """Let a hook that makes a wheel, and returns its name, say what it does."""

    @functools.wraps(hook)
    def hooked(*args: P.args, **kwargs: P.kwargs) -> str:
        tried = announce()
        made = hook(*args, **kwargs)
        folder = Path(str(args[0] if args else kwargs["wheel_directory"]))
        if tried and not has_core(folder / made):
            say(
                "compiling failed, as cargo says above: this is built without the native core; "
                "searches run in Python"
            )
        elif tried:
            say("the native core is built")
        return made

    return hooked


def has_core(wheel: Path) -> bool:
    """Whether a wheel holds a core, or (an editable one) the folder of the sources does."""
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    return any(
        name.startswith("rewrite/native/_core.") and is_core(Path(name)) for name in names
    ) or ("rewrite/__init__.py" not in names and any(map(is_core, HERE.parent.glob("_core.*"))))


def is_core(file: Path) -> bool:
    return file.suffix in (".so", ".pyd")


# What installers call (PEP 517, PEP 660).
get_requires_for_build_wheel = in_empty_folders(build_meta.get_requires_for_build_wheel)
get_requires_for_build_sdist = in_empty_folders(build_meta.get_requires_for_build_sdist)
get_requires_for_build_editable = in_empty_folders(build_meta.get_requires_for_build_editable)
prepare_metadata_for_build_wheel = in_empty_folders(build_meta.prepare_metadata_for_build_wheel)
prepare_metadata_for_build_editable = in_empty_folders(
    build_meta.prepare_metadata_for_build_editable
)
build_wheel = building(in_empty_folders(build_meta.build_wheel))
build_sdist = in_empty_folders(build_meta.build_sdist)


@building
@in_empty_folders
def build_editable(*args: Any, **kwargs: Any) -> str:
    remove_compiled()
    made: str = build_meta.build_editable(*args, **kwargs)
    return made

"""The build backend: that of setuptools, kept from what earlier builds have left behind.

Plain setuptools puts all of `build/` into a wheel, and what an old `rewrite.egg-info` lists into an
archive: without Rust, a core that was compiled from other sources would come along. So every build
works in a temporary folder of its own; only cargo keeps what it compiled, and knows what is stale.

pyproject.toml names this file. Nothing of the package imports it, and it is in no wheel.
"""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from setuptools import build_meta
from setuptools.command.egg_info import manifest_maker

HERE = Path(__file__).parent

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
        config.write_text(f"[build]\nbuild_base={temp}\n[egg_info]\negg_base={temp}\n", "utf-8")
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
        if old.suffix in (".so", ".pyd"):
            old.unlink()


def in_empty_folders(hook: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(hook)
    def hooked(*args: P.args, **kwargs: P.kwargs) -> R:
        with empty_folders():
            return hook(*args, **kwargs)

    return hooked


# What installers call (PEP 517, PEP 660).
get_requires_for_build_wheel = in_empty_folders(build_meta.get_requires_for_build_wheel)
get_requires_for_build_sdist = in_empty_folders(build_meta.get_requires_for_build_sdist)
get_requires_for_build_editable = in_empty_folders(build_meta.get_requires_for_build_editable)
prepare_metadata_for_build_wheel = in_empty_folders(build_meta.prepare_metadata_for_build_wheel)
prepare_metadata_for_build_editable = in_empty_folders(
    build_meta.prepare_metadata_for_build_editable
)
build_wheel = in_empty_folders(build_meta.build_wheel)
build_sdist = in_empty_folders(build_meta.build_sdist)


@in_empty_folders
def build_editable(*args: Any, **kwargs: Any) -> Any:
    remove_compiled()
    return build_meta.build_editable(*args, **kwargs)

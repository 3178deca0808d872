"""What is in a wheel and in an archive of the sources, whatever lies about where they are built.

Built without Rust: what a compiler makes is seen in .ci/run, which requires a core of what it
installs. Here a core in a wheel can only be an old one.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = "rewrite/native"
BUILT = f"build/lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
LEFT_BEHIND = (
    f"{NATIVE}/_core.abi3.so",
    f"{NATIVE}/_core.cpython-311-x86_64-linux-gnu.so",
    f"{NATIVE}/_core.pyd",
    f"{NATIVE}/target/release/lib_core.so",
    f"{NATIVE}/target/debug/build/generated.rs",
    f"{NATIVE}/core-crate/target/generated.rs",
    f"{BUILT}/{NATIVE}/_core.abi3.so",
    f"{BUILT}/rewrite/gone.py",
    "dist/rewrite-0.0.1.tar.gz",
)
LISTED = "rewrite.egg-info/SOURCES.txt"
SOURCES = (".rs", ".toml", ".lock", ".pyi", ".in")
PAGES = (".css", ".js", ".html")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what is packed, with what earlier builds may have left behind."""
    copy = tmp_path / "copy"
    for name in ("rewrite", "puzzles"):
        ignored = shutil.ignore_patterns("target", "__pycache__", "*.so", "*.pyd")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in (*LEFT_BEHIND, LISTED):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("old", "utf-8")
    (copy / LISTED).write_text("\n".join(LEFT_BEHIND), "utf-8")
    return copy


def told_by(folder: Path, what: str, backend: str = "backend", **more: str) -> tuple[Path, str]:
    """Call one of the functions that pip calls, as pip does: in a process of its own.

    Gives what it made, and what it said.
    """
    out = folder.parent / what
    out.mkdir()
    code = f"import {backend} as backend; backend.{what}({str(out)!r})"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True,
        env={
            **os.environ, "PATH": "", "CARGO": "/nowhere/cargo",
            "PYTHONPATH": str(folder / NATIVE / "packaging"), **more,
        },
    )  # fmt: skip
    (made,) = out.iterdir()
    return made, ended.stderr


def build(folder: Path, what: str, backend: str = "backend") -> Path:
    return told_by(folder, what, backend)[0]


def in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if ".dist-info/" not in name}


def in_archive(archive: Path) -> set[str]:
    with tarfile.open(archive) as opened:
        files = [member.name for member in opened if member.isfile()]
    return {name.split("/", 1)[1] for name in files}


def packed(ending: str) -> set[str]:
    """The files of one kind that belong to the package, without what was built."""
    found = {
        path.relative_to(ROOT)
        for room in ("rewrite", "puzzles")
        for path in (ROOT / room).rglob(f"*{ending}")
    }
    return {str(path) for path in found if "target" not in path.parts}


def test_a_wheel_without_rust_holds_the_python_package_and_nothing_else(folder: Path) -> None:
    python = packed(".py") - {f"{NATIVE}/packaging/backend.py"}
    pages = {name for ending in PAGES for name in packed(ending)}
    assert "rewrite/show/drawing/drawing.css" in pages
    expected = python | pages | {"rewrite/py.typed", f"{NATIVE}/_core.pyi"}
    assert in_wheel(build(folder, "build_wheel")) == expected


def test_plain_setuptools_would_have_packed_an_old_core(folder: Path) -> None:
    found = in_wheel(build(folder, "build_wheel", "setuptools.build_meta"))
    assert {"rewrite/gone.py", f"{NATIVE}/_core.abi3.so"} <= found


def test_a_wheel_is_for_all_later_pythons_and_holds_the_licence_and_no_address(
    folder: Path,
) -> None:
    wheel = build(folder, "build_wheel")
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]
    with zipfile.ZipFile(wheel) as opened:
        files = {name.split("/", 1)[1]: name for name in opened.namelist() if ".dist-info/" in name}
        text = opened.read(files["METADATA"]).decode()
        licence = opened.read(files["licenses/LICENSE"]).decode()
    head = text.split("\n\n")[0].splitlines()
    assert "License-Expression: MIT" in head
    assert "License-File: LICENSE" in head
    assert "Requires-Python: >=3.11" in head
    assert not [line for line in head if "://" in line]
    assert licence == (ROOT / "LICENSE").read_text("utf-8")
    assert "Copyright (c) 2026 the rewrite maintainers" in licence


@pytest.mark.parametrize("what", ["build_wheel", "build_editable"])
def test_a_build_without_rust_says_so_and_what_to_do(folder: Path, what: str) -> None:
    _, said = told_by(folder, what)
    assert [line for line in said.splitlines() if line.startswith("rewrite: ")] == [
        "rewrite: no /nowhere/cargo on PATH: building without the native core; searches run in "
        "Python. For the core install Rust 1.88 or newer from https://rustup.rs, and this again"
    ]


@pytest.mark.parametrize("what", ["build_wheel", "build_editable"])
def test_a_build_in_which_cargo_fails_says_that_there_is_no_core(folder: Path, what: str) -> None:
    cargo = folder.parent / "cargo"
    cargo.write_text("#!/bin/sh\nexit 101\n", "utf-8")
    cargo.chmod(0o755)
    _, said = told_by(folder, what, CARGO=str(cargo))
    assert [line for line in said.splitlines() if line.startswith("rewrite: ")] == [
        "rewrite: compiling the native core with cargo: under a minute on two cores, the first "
        "time",
        "rewrite: compiling failed, as cargo says above: this is built without the native core; "
        "searches run in Python",
    ]


def test_an_archive_holds_the_sources_of_both_languages_and_nothing_built(folder: Path) -> None:
    found = in_archive(build(folder, "build_sdist"))
    sources = {name for ending in (*SOURCES, *PAGES) for name in packed(ending)}
    assert f"{NATIVE}/Cargo.lock" in sources
    described = {"PKG-INFO", "README.md", "LICENSE", "pyproject.toml", "setup.cfg"}
    described |= {name for name in found if name.startswith("rewrite.egg-info/")}
    assert found - described == packed(".py") | sources | {"rewrite/py.typed"}


def test_an_editable_install_without_rust_leaves_no_old_core_in_the_folder(folder: Path) -> None:
    build(folder, "build_editable")
    assert [path.name for path in (folder / NATIVE).glob("_core.*")] == ["_core.pyi"]


def test_building_changes_nothing_in_the_folder(folder: Path) -> None:
    def files() -> set[Path]:
        return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}

    before = files()
    for what in ("build_wheel", "build_sdist"):
        build(folder, what)
    assert files() == before

"""The door to the compiled core: what it says, lets through, and refuses, in every condition."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rewrite import native
from rewrite.errors import SearchError

COMPILED = "rewrite.native._core"
AGAIN = "run the same pip install again with --force-reinstall --no-cache-dir"

Monkeypatch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def unset(monkeypatch: Monkeypatch) -> None:
    """Whatever the tests are run with: REWRITE_NATIVE is not set."""
    monkeypatch.delenv("REWRITE_NATIVE", raising=False)


def put(monkeypatch: Monkeypatch, **told: Any) -> ModuleType:
    """Put a core in place that tells these things, and has all built-in functions."""
    module = ModuleType(COMPILED)
    for name, value in ({"builtins": [*native.NEEDED]} | told).items():
        setattr(module, name, lambda value=value: value)
    monkeypatch.setitem(sys.modules, COMPILED, module)
    return module


def take_away(monkeypatch: Monkeypatch, on_path: tuple[str, ...] = ()) -> None:
    """Let there be no core, and of Rust only what is named."""
    monkeypatch.setitem(sys.modules, COMPILED, None)
    monkeypatch.setattr(native, "__file__", "/nowhere/__init__.py")
    monkeypatch.setattr("shutil.which", lambda tool: tool if tool in on_path else None)


@pytest.mark.parametrize("asked", ["", "on"])
@pytest.mark.parametrize(
    ("profile", "slow"),
    [("release", ""), ("debug", f"; slow, for finding faults only: {AGAIN}")],
)
def test_a_core_of_this_version_is_let_through(
    asked: str, profile: str, slow: str, monkeypatch: Monkeypatch
) -> None:
    monkeypatch.setenv("REWRITE_NATIVE", asked)
    made = put(monkeypatch, protocol=native.PROTOCOL, profile=profile)
    assert native.core() is native.core_or_none() is made
    assert native.status() == native.Status(
        True, f"native engine: built ({profile}, protocol {native.PROTOCOL}){slow}", profile=profile
    )


def test_without_a_core_auto_takes_python_and_native_says_how_to_get_one(
    monkeypatch: Monkeypatch,
) -> None:
    take_away(monkeypatch)
    assert native.core_or_none() is None
    assert not native.status().usable
    with pytest.raises(
        SearchError,
        match=r"^engine='native': not built \(no cargo and no rustc on PATH: there "
        r"is no Rust\): install Rust 1\.88 or newer from https://rustup\.rs and run the same pip "
        r"install again with --force-reinstall --no-cache-dir; or leave engine= out$",
    ) as raised:
        native.core()
    assert (raised.value.engine, raised.value.status) == ("native", native.status())


def test_where_rust_is_here_the_reason_is_another(monkeypatch: Monkeypatch) -> None:
    take_away(monkeypatch, ("cargo", "rustc"))
    assert native.status().reason == (
        "native engine: not built (Rust is here now, so it came later than rewrite, or building "
        f"failed): {AGAIN} -v, which shows what fails"
    )


def test_a_core_for_another_python_is_named(monkeypatch: Monkeypatch, tmp_path: Path) -> None:
    take_away(monkeypatch)
    monkeypatch.setattr(native, "__file__", str(tmp_path / "__init__.py"))
    for name in ("_core.pyi", "_core.cpython-38-x86_64-linux-gnu.so"):
        (tmp_path / name).write_text("", "utf-8")
    assert native.status().reason == (
        "native engine: not built for this Python (_core.cpython-38-x86_64-linux-gnu.so is for "
        f"another one): {AGAIN}"
    )
    assert native.core_or_none() is None


LACKING = [*native.NEEDED - {"reverse"}, "of_a_later_version"]


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"protocol": 0, "profile": "release"}, "its protocol is 0, and this version of rewrite "
         f"needs {native.PROTOCOL}"),
        ({}, f"its protocol is None, and this version of rewrite needs {native.PROTOCOL}"),
        ({"protocol": native.PROTOCOL, "profile": "release", "builtins": LACKING},
         "it has no function reverse"),
    ],
    ids=["another protocol", "no protocol", "no function"],
)  # fmt: skip
def test_a_core_of_another_version_is_an_error_and_not_silently_python(
    monkeypatch: Monkeypatch, told: dict[str, Any], why: str
) -> None:
    put(monkeypatch, **told)
    says = f"native engine: out of date ({why}): {AGAIN}"
    assert native.status() == native.Status(False, says, refused=True)
    with pytest.raises(SearchError, match=r"^engine='native': out of date \(.*\): run the same"):
        native.core()
    with pytest.raises(SearchError) as raised:
        native.core_or_none()
    assert str(raised.value) == f"engine='auto': {says}; or use engine='python'"


@pytest.mark.parametrize(
    "error",
    [
        ImportError("invalid ELF header"),
        ModuleNotFoundError("No module named 'other'", name="other"),
        SystemError("initialization failed"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_core_that_cannot_be_loaded_is_an_error_and_not_silently_python(
    monkeypatch: Monkeypatch, error: Exception
) -> None:
    def fails(name: str) -> ModuleType:
        raise error

    monkeypatch.setattr(native, "import_module", fails)
    says = f"native engine: cannot be loaded ({error}): {AGAIN}"
    assert native.status() == native.Status(False, says, refused=True)
    with pytest.raises(SearchError, match=r"^engine='auto': native engine: cannot be loaded"):
        native.core_or_none()


def test_off_means_python_even_where_the_core_is_out_of_date(monkeypatch: Monkeypatch) -> None:
    put(monkeypatch, protocol=0, profile="release")
    monkeypatch.setenv("REWRITE_NATIVE", "off")
    assert native.core_or_none() is None
    assert native.status().reason == (
        "native engine: switched off by REWRITE_NATIVE=off; unset it to use the core"
    )
    with pytest.raises(SearchError, match=r"^engine='native': switched off by"):
        native.core()


def test_on_refuses_to_go_on_in_python(monkeypatch: Monkeypatch) -> None:
    take_away(monkeypatch)
    monkeypatch.setenv("REWRITE_NATIVE", "on")
    assert native.status().refused
    with pytest.raises(SearchError, match=r"there is no Rust, and REWRITE_NATIVE=on asks for it\)"):
        native.core_or_none()
    monkeypatch.setenv("REWRITE_NATIVE", "")
    assert native.core_or_none() is None


def test_another_word_in_the_variable_is_an_error(monkeypatch: Monkeypatch) -> None:
    put(monkeypatch, protocol=native.PROTOCOL, profile="release")
    monkeypatch.setenv("REWRITE_NATIVE", "0")
    with pytest.raises(
        SearchError,
        match=r"^engine='auto': native engine: REWRITE_NATIVE='0' must be off \(Python only\), on "
        r"\(no search without the core\) or unset \(the core where there is one\); "
        "or use engine='python'$",
    ):
        native.core_or_none()


def test_importing_rewrite_does_not_load_the_core() -> None:
    code = "import sys, rewrite, rewrite.native; print('rewrite.native._core' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert told.stdout == "False\n"

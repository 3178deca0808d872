"""Manifests: read as they were written, or refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.checkpoints.identity import Part
from rewrite.checkpoints.manifest import FIRST, Figures, Manifest, Newer, _digest, read
from rewrite.native.trouble import Damaged

MADE = Manifest(
    version="0.1.0", protocol=8, number=12, epoch=2,
    question=(Part("goal", "contains('→ \ud800')", "0a"), Part("start", "[4]\n", "0b")),
    program="cafe",
    setup={"form": "states", "room": {"bits": 12, "term_types": [["Box", "m", ["at"]]]}},
    files={"keys-2.bin": 4096, "state-2-12.bin": 17},
    figures=Figures(
        states=7, expanded=3, depth=2, levels=(1, 2, 4), answers=1, seconds=1.5, status="limit",
        limit="max_states", max_depth=9, saved=1.0e9, encoding="12 bits",
    ),
)  # fmt: skip
BYTES = MADE.to_bytes()


def test_it_is_read_as_it_was_written() -> None:
    assert read("m", BYTES) == MADE
    assert MADE.name == "manifest-0000000012.json"
    assert MADE.size == 4113


@given(st.integers(0, len(BYTES) - 1), st.integers(1, 255))
def test_a_byte_that_was_flipped_is_seen(place: int, change: int) -> None:
    broken = bytearray(BYTES)
    broken[place] ^= change
    with pytest.raises(Damaged, match=r"^m, byte \d+: "):
        read("m", bytes(broken))


@given(st.integers(0, len(BYTES) - 1), st.binary(max_size=3))
def test_a_manifest_that_was_cut_is_seen(length: int, more: bytes) -> None:
    if BYTES[:length] + more != BYTES:
        with pytest.raises(Damaged):
            read("m", BYTES[:length] + more)


def forged(content: object, number: int = 1) -> bytes:
    """The bytes of a manifest whose digest is right, whatever it says."""
    first = f"{FIRST}{number},\n".encode()
    rest = json.dumps(content)[1:].encode()
    return first + f'"digest": "{_digest(first, rest)}",\n'.encode() + rest


def test_a_newer_format_is_told_as_such() -> None:
    with pytest.raises(Newer, match="m has format 2, and this version of rewrite reads format 1"):
        read("m", forged({"anything": 1}, 2))


@pytest.mark.parametrize(
    "change",
    [
        {"files": {"a": -1}}, {"files": ["a"]}, {"files": ""}, {"number": "1"}, {"epoch": True},
        {"question": [["a", "b"]]}, {"question": [[1, 2, 3]]}, {"program": 1}, {"setup": []},
        {"figures": {}}, {"figures": {**json.loads(BYTES)["figures"], "levels": [1.5]}},
        {"figures": {**json.loads(BYTES)["figures"], "more": 1}},
        {"figures": {**json.loads(BYTES)["figures"], "seconds": "1"}},
        {"figures": {**json.loads(BYTES)["figures"], "max_depth": -1}},
    ],
    ids=str,
)  # fmt: skip
def test_other_data_under_a_right_digest_is_refused(change: dict[str, object]) -> None:
    content = {**json.loads(BYTES), **change}
    del content["rewrite checkpoint"], content["digest"]
    with pytest.raises(Damaged):
        read("m", forged(content))


def test_a_part_that_is_missing_is_refused() -> None:
    for name in json.loads(BYTES):
        content = json.loads(BYTES)
        del content["rewrite checkpoint"], content["digest"]
        if name in content:
            del content[name]
            with pytest.raises(Damaged, match="KeyError"):
                read("m", forged(content))

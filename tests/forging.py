"""Certificates taken apart, and put together again with sums that fit."""

import json
import lzma
from hashlib import sha256
from itertools import pairwise
from typing import Any

from rewrite.certificates.listed import VERSION
from rewrite.certificates.write import packed, taken_apart
from tests.second_checker import numbers_in

Rows = list[list[int]]


"""(code, label) of each state."""


def opened(data: bytes) -> tuple[dict[str, Any], Rows]:
    head, blocks = taken_apart(data)
    rows: Rows = []
    last = -1
    for count, size, *_ in head["blocks"]:
        row, blocks = numbers_in(lzma.decompress(blocks[:size])), blocks[size:]
        for step, label in zip(row[:count], row[count:], strict=True):
            last += step + 1
            rows.append([last, label])
    return head, rows


def closed(head: dict[str, Any], rows: Rows) -> bytes:
    rows = sorted({one[0]: one for one in rows}.values())
    steps = [b - a - 1 for a, b in pairwise([-1, *[code for code, _ in rows]])]
    text = packed([*steps, *[label for _, label in rows]])
    block = lzma.compress(text)
    listed = [[len(rows), len(block), len(text), sha256(block).hexdigest()]]
    told = json.dumps({**head, "blocks": listed}).encode()
    return VERSION + f"{len(told)} {sha256(told).hexdigest()}\n".encode() + told + block

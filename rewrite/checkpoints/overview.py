"""What `rewrite checkpoint DIR` shows of a folder, changing nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from rewrite.checkpoints.folder import Folder, missing
from rewrite.checkpoints.identity import Part
from rewrite.checkpoints.manifest import Manifest
from rewrite.language.labels import cut

LONGEST = 300
MOST_SHOWN = 20
ENDED = {
    "": "no: it is going on, or was killed",
    "found": "yes: found",
    "exhausted": "yes: the whole space was searched",
    "limit": "no: stopped by {limit}",
    "interrupted": "no: interrupted",
}


def overview(path: str | os.PathLike[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, text) for each fact about a folder. Raises CheckpointError."""
    folder = Folder(path)
    seen = folder.look()
    if seen.newest is None:
        raise folder.error("no search is kept there")
    if not seen.manifests:
        raise folder.error(f"it is damaged: {'; '.join(map(str, seen.damaged))}")
    newest = seen.manifests[0]
    yield from _of(newest)
    holder = folder.holder()
    yield "worked on", f"by {holder}" if holder else "by nobody"
    wrong = [*map(str, seen.damaged), *missing(folder.path, newest)]
    yield "damaged", "; ".join(wrong) or "nothing, as far as lengths tell"


def _of(manifest: Manifest) -> Iterator[tuple[str, str]]:
    figures = manifest.figures
    asked = {part.name: part for part in manifest.question}
    yield "asked", f"{_text(asked, 'call')}({_text(asked, 'puzzle')})"
    for name in ("start", "goal", "minimize=", "strategy=", "heuristic=", "solutions="):
        if name in asked and (text := _text(asked, name)) not in ("None", "1"):
            yield name.removesuffix("="), text
    rules = sum(name.startswith("rule ") for name in asked)
    yield "rules", f"{rules:,}"
    yield "states", f"{figures.states:,}, of which {figures.expanded:,} expanded"
    if figures.encoding:
        yield "kept as", figures.encoding
    levels = [f"{size:,}" for size in figures.levels[-MOST_SHOWN:]]
    before = "…, " * (len(figures.levels) > MOST_SHOWN)
    yield "depth", f"{figures.depth:,}; levels: {before}{', '.join(levels)}"
    yield "answers", f"{figures.answers:,}"
    yield "seconds", f"{figures.seconds:,.1f}"
    yield "bytes", f"{manifest.size:,} in {len(manifest.files):,} files"
    ago = max(0.0, time.time() - figures.saved)
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(figures.saved))
    yield "saved", f"{when}, {ago:,.0f} seconds ago, by rewrite {manifest.version}"
    yield "done", ENDED.get(figures.status, figures.status).format(limit=figures.limit)


def _text(asked: dict[str, Part], name: str) -> str:
    return cut(asked[name].text, LONGEST) if name in asked else "?"

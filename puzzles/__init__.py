"""The gallery: one file per puzzle, one line here."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from rewrite import Puzzle

NAMES = (
    "digitle",
    "digits",
    "hyperjump",
    "power_strike",
    "two_grids",
    "water_jugs",
    "farmer",
    "missionaries",
    "eight_puzzle",
    "eight_tuple",
    "sliding_tiles",
    "sokoban",
    "hanoi",
    "rush_hour",
    "klotski",
    "sliding_blocks",
    "peg_solitaire",
    "lights_out",
    "pancakes",
    "pocket_cube",
    "twenty_four",
)
"""Each names a file here whose `instance` makes the puzzle from words.

If the file also has a function `levels`, the puzzle reads files of boards: see levels.py.
"""


class _Gallery(Mapping[str, Callable[..., Puzzle]]):
    """The functions `instance` by puzzle name; a file is imported on first use."""

    def __getitem__(self, name: str) -> Callable[..., Puzzle]:
        if name not in NAMES:
            raise KeyError(name)
        made: Callable[..., Puzzle] = import_module(f"puzzles.{name}").instance
        return made

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


PUZZLES: Mapping[str, Callable[..., Puzzle]] = _Gallery()

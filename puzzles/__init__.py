"""The gallery: one file a puzzle, one line here."""

from collections.abc import Callable

from puzzles import (
    digitle,
    digits,
    eight_puzzle,
    eight_tuple,
    farmer,
    hanoi,
    hyperjump,
    klotski,
    lights_out,
    missionaries,
    pancakes,
    peg_solitaire,
    pocket_cube,
    power_strike,
    rush_hour,
    sliding_blocks,
    sokoban,
    twenty_four,
    two_grids,
    water_jugs,
)
from rewrite import Puzzle

PUZZLES: dict[str, Callable[..., Puzzle]] = {
    "digitle": digitle.instance,
    "digits": digits.instance,
    "hyperjump": hyperjump.instance,
    "power_strike": power_strike.instance,
    "two_grids": two_grids.instance,
    "water_jugs": water_jugs.instance,
    "farmer": farmer.instance,
    "missionaries": missionaries.instance,
    "eight_puzzle": eight_puzzle.instance,
    "eight_tuple": eight_tuple.instance,
    "sokoban": sokoban.instance,
    "hanoi": hanoi.instance,
    "rush_hour": rush_hour.instance,
    "klotski": klotski.instance,
    "sliding_blocks": sliding_blocks.instance,
    "peg_solitaire": peg_solitaire.instance,
    "lights_out": lights_out.instance,
    "pancakes": pancakes.instance,
    "pocket_cube": pocket_cube.instance,
    "twenty_four": twenty_four.instance,
}

"""The pocket cube: turn the faces of a 2×2×2 cube until each shows one colour.

Ernő Rubik's patent of 1983. One corner is held fixed, so turns of the upper, right and front faces
generate all 7! · 3^6 = 3,674,160 states. The farthest are 14 quarter turns away, or 11 turns if a
half turn counts as one (OEIS A079762, A079761).

Turns have the names of David Singmaster (Notes on Rubik's Magic Cube, 1981): U, R and F are quarter
turns clockwise, U' is the inverse, U2 a half turn. Stickers are the cells of the unfolded cube,
eight to a row: the upper face on top, then left, front, right, back, and the lower face below.
"""

from rewrite import Puzzle, PuzzleError, Rule, State, contains, grid, ints, rule, strs, term

Point = tuple[int, int, int]
"""The centre of a sticker; x points right, y up, z to the front."""


@term
class Sticker:
    place: int
    colour: str


P = ints("P")
C = strs("C")

FACES = {  # colour: normal of the face, directions along a row and down a column, first cell
    "W": ((0, 1, 0), (1, 0, 0), (0, 0, 1), 2),
    "O": ((-1, 0, 0), (0, 0, 1), (0, -1, 0), 16),
    "G": ((0, 0, 1), (1, 0, 0), (0, -1, 0), 18),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0), 20),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0), 22),
    "Y": ((0, -1, 0), (1, 0, 0), (0, 0, -1), 34),
}


def middle(looks: Point, along: Point, down: Point, row: int, column: int) -> Point:
    """The centre of one of the four stickers of a face."""
    x, y, z = (
        2 * look + (2 * column - 1) * right + (2 * row - 1) * lower
        for look, right, lower in zip(looks, along, down)
    )
    return x, y, z


CELLS = {
    middle(looks, along, down, row, column): first + 8 * row + column
    for looks, along, down, first in FACES.values()
    for row in (0, 1)
    for column in (0, 1)
}
COLOURS = {
    first + 8 * row + column: colour
    for colour, (*_, first) in FACES.items()
    for row in (0, 1)
    for column in (0, 1)
}
HELD = {cell for (x, y, z), cell in CELLS.items() if max(x, y, z) < 0}  # no turn reaches it


def quarter(face: str, point: Point) -> Point:
    """The image of a point under a clockwise quarter turn."""
    x, y, z = point
    if face == "U":
        return (-z, y, x) if y > 0 else point
    if face == "R":
        return (x, z, -y) if x > 0 else point
    return (y, -x, z) if z > 0 else point


def cycle(name: str) -> dict[int, int]:
    """The cells that a turn moves: from -> to."""
    moved = {}
    for point, cell in CELLS.items():
        for _ in range({"": 1, "2": 2, "'": 3}[name[1:]]):
            point = quarter(name[0], point)
        if CELLS[point] != cell:
            moved[cell] = CELLS[point]
    return moved


TURNS = {face + how: cycle(face + how) for face in "URF" for how in ("", "'", "2")}


def turn(name: str) -> Rule:
    """The rule that moves every sticker of the layer to its next place."""
    places = TURNS[name]
    d = strs(f"d0:{len(places)}")
    return rule(
        name,
        take=[Sticker(place, x) for place, x in zip(places.keys(), d)],
        put=[Sticker(place, x) for place, x in zip(places.values(), d)],
    )


def stickers(colours: dict[int, str]) -> list[Sticker]:
    """The stickers that turns can reach."""
    return [Sticker(place, colours[place]) for place in sorted(colours) if place not in HELD]


LOOKS = {"W": "white", "O": "orange", "G": "green", "R": "red", "B": "blue", "Y": "yellow"}
net = grid(8, Sticker(P, C), empty=" ", looks=LOOKS, folded=True)
held = [Sticker(place, COLOURS[place]) for place in sorted(HELD)]


def picture(state: State) -> str:
    """The cube, each sticker by the first letter of its colour; as text unfolded."""
    return net(State([*state, *held]))


def pocket_cube(names: list[str]) -> Puzzle:
    """The solved cube with these turns as rules."""
    return Puzzle(
        [turn(name) for name in names],
        start=stickers(COLOURS),
        goal=contains(*stickers(COLOURS)),
        show=picture,
        name="pocket_cube",
    )


def instance(*words: str) -> Puzzle:
    """The turns that mix the solved cube; without words, R U2 F' R2 U F'. After a first word `half`
    half turns are single steps of the solution too."""
    half = words[:1] == ("half",)
    mixing = words[half:] or ("R", "U2", "F'", "R2", "U", "F'")
    if not {*mixing} <= TURNS.keys():
        raise PuzzleError(
            "pocket_cube: needs the turns that mix the solved cube, each one of "
            f"{' '.join(TURNS)}, e.g. R U2 F', after a first word half if half turns are to be "
            f"single steps; found {' '.join(words)!r}"
        )
    colours = COLOURS
    for name in mixing:
        colours = colours | {end: colours[start] for start, end in TURNS[name].items()}
    names = [name for name in TURNS if half or not name.endswith("2")]
    return pocket_cube(names).replace(start=stickers(colours))

"""`--start` and `--state`: what is not a term is refused with its place, not read as another."""

import pytest

from puzzles import PUZZLES
from rewrite import State
from rewrite.cli.literals import state_from
from tests.unit.cli.conftest import Run

TERMS = "terms are numbers, quoted texts, True and False, (…) for a sequence, […] for a nested bag"
BOX = f"{TERMS}, and the constructors Box(at)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[-True]", f"column 2: -True is not a term; {BOX}"),
        ("[4, -False]", f"column 5: -False is not a term; {BOX}"),
        ("-True", f"column 1: -True is not a term; {BOX}"),
        ("[-'a']", f"column 2: -'a' is not a term; {BOX}"),
        ("[--1]", f"column 2: --1 is not a term; {BOX}"),
        ("[+1]", f"column 2: +1 is not a term; {BOX}"),
        ("[~1]", f"column 2: ~1 is not a term; {BOX}"),
        ("[not True]", f"column 2: not True is not a term; {BOX}"),
        ("[1+2]", f"column 2: 1 + 2 is not a term; {BOX}"),
        ("[(1, 2*3)]", f"column 6: 2 * 3 is not a term; {BOX}"),
        ("[1 if True else 2]", f"column 2: 1 if True else 2 is not a term; {BOX}"),
        ("['a', f'b']", f"column 7: f'b' is not a term; {BOX}"),
        ("[f'{1}']", f"column 2: f'{{1}}' is not a term; {BOX}"),
        ("[*[1]]", f"column 2: *[1] is not a term; {BOX}"),
        ("{4}", f"column 1: {{4}} is not a term; {BOX}"),
        ("[{4: 5}]", f"column 2: {{4: 5}} is not a term; {BOX}"),
        ("[{4}]", f"column 2: {{4}} is not a term; {BOX}"),
        ("[x for x in [1]]", f"column 1: [x for x in [1]] is not a term; {BOX}"),
        ("[N]", f"column 2: N is not a term; {BOX}"),
        ("[true]", f"column 2: true is not a term; {BOX}"),
        ("[box(1)]", f"column 2: box(1) is not a term (did you mean Box?); {BOX}"),
        ("[Box]", f"column 2: Box is not a term (did you mean Box?); {BOX}"),
        ("[Box(at=1)(2)]", f"column 2: Box(at=1)(2) is not a term; {BOX}"),
        ("[State([1])]", f"column 2: State([1]) is not a term; {BOX}"),
        ("[Box(-True)]", f"column 6: -True is not a term; {BOX}"),
        ("[__import__('os')]", f"column 2: __import__('os') is not a term; {BOX}"),
        ("[1.5]", "column 2: 1.5 cannot be a term: a float is not exact"),
        ("[4, None]", "column 5: None cannot be a term"),
        ("[b'a']", "column 2: b'a' cannot be a term"),
        ("[...]", "column 2: Ellipsis cannot be a term"),
        ("[1j]", "column 2: 1j cannot be a term"),
        ("[Box(1, 2)]", "column 2: Box(at) takes 1 value; found Box(1, 2), which gives 2"),
        ("[Box(at=1, to=2)]", "column 2: Box"),
        ("[Box(*[1])]", f"column 6: *[1] is not a term; {BOX}"),
        ("  [4, -True]", f"column 7: -True is not a term; {BOX}"),
        ("['→', '𝄞', -True]", f"column 12: -True is not a term; {BOX}"),
        ("[4,\n -True]", f"line 2, column 2: -True is not a term; {BOX}"),
        ("[4, 5", "column 1: '[' was never closed"),
        ("[4 5]", "column 2: invalid syntax"),
        ("[4, Box(at=1, at=2)]", "column 5: Box is given at= twice"),
        ("[007]", "column 2: leading zeros in decimal integer literals are not permitted"),
        ("4; 5", "column 2: invalid syntax"),
        ("", "invalid syntax"),
        ("4", "4 cannot be a state: a state is a list of terms; write [4] for a state that holds"),
        ("[" * 1000 + "]" * 1000, "too many nested parentheses"),
        ("[" + "-" * 100_000 + "1]", ""),
        ("[" + "9" * 10_000 + "]", "Exceeds the limit (4300 digits) for integer string conversion"),
    ],
    ids=lambda text: repr(text[:30]),
)
def test_a_text_that_is_no_state_is_refused_with_the_place_of_the_word(
    run: Run, text: str, why: str
) -> None:
    result = run("solve", "own.py:boxes", "--start", text)
    assert result.stderr.startswith("error: --start: ")
    assert why in result.stderr
    if why.startswith("column"):
        assert f" cannot be read ({why}" in result.stderr or f"--start: {why}" in result.stderr
    assert "bug" not in result.stderr
    assert len(result.stderr) < 800
    assert result.exit_code == 2
    moves = run("moves", "own.py:boxes", "--state", text)
    assert moves.stderr == result.stderr.replace("--start", "--state")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("[-1, True, False, 'a' 'b', u'c']", [-1, True, False, "ab", "c"]),
        ("[(1, (-2,)), [3, [4]], ()]", [(1, (-2,)), [3, [4]], ()]),
        ("State([4, 4])", [4, 4]),
        ("(4, 5)", (4, 5)),
        ("4, 5", (4, 5)),
        ("[]", []),
        ("\n [4,\n5 ]  # a remark", [4, 5]),
    ],
)
def test_what_is_a_state_is_read(text: str, state: list[object]) -> None:
    assert state_from(text, PUZZLES["digitle"]()) == State(state)

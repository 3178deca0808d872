"""Puzzles whose terms grow: words, sequences, trees, boxes and numbers that rules join.

Each rule takes more terms than it puts, or is guarded, so that every space is finite, though its
terms, taken by themselves, have no end.
"""

from typing import Any

from hypothesis import strategies as st

from rewrite import Bag, Puzzle, Rule, bags, contains, ints, length, rule, seqs, strs, term, terms

S, Q = strs("S Q")
A, B = seqs("A B")
L, R = terms("L R")
C, D = bags("C D")
M, N = ints("M N")


@term
class Word:
    text: Any


@term
class Row:
    cells: Any


@term
class Tree:
    root: Any


@term
class Fork:
    left: Any
    right: Any


@term
class Pile:
    things: Any


@term
class Size:
    number: Any


@term
class Fuel:
    place: int


JOINS: dict[type, list[tuple[Any, Any, Any]]] = {
    Word: [(Word(S), Word(Q), Word(S + Q))],
    Row: [(Row(A), Row(B), Row((*A, *B))), (Row(A), Row(B), Row((A, B))),
          (Row((M, *A)), Row(B), Row((*A, *B, M)))],
    Tree: [(Tree(L), Tree(R), Tree(Fork(L, R))), (Tree(L), Tree(R), Tree(Fork(R, Fork(L, 1))))],
    Pile: [(Pile(C), Pile(D), Pile(Bag([*C, *D]))), (Pile(L), Pile(R), Pile(Bag([L, R])))],
    Size: [(Size(M), Size(N), Size(M * N + 1)), (Size(M), Size(N), Size(M + N))],
}  # fmt: skip
GROWTHS: dict[type, list[tuple[Any, Any]]] = {
    Word: [(Word(S), Word(S + S)), (Word(S), Word("x" + S))],
    Row: [(Row(A), Row((*A, *A, 1))), (Row(A), Row((A,)))],
    Tree: [(Tree(L), Tree(Fork(L, L)))],
    Pile: [(Pile(C), Pile(Bag([*C, 1]))), (Pile(L), Pile(Bag([L])))],
    Size: [(Size(M), Size(M * M + 1)), (Size(M), Size(M + 1))],
}
"""With these a Fuel is burnt, or a guard ends them."""
GUARDS: dict[type, Any] = {Word: length(S) < 5, Row: length(A) < 4, Size: M < 60}
FIRST: dict[type, list[Any]] = {
    Word: [Word("a"), Word("b"), Word("")],
    Row: [Row((1,)), Row((2,)), Row(())],
    Tree: [Tree(1), Tree(2), Tree("t")],
    Pile: [Pile(Bag([1])), Pile(Bag([2])), Pile(Bag())],
    Size: [Size(2), Size(3), Size(5)],
}


@st.composite
def growing_puzzles(draw: st.DrawFn) -> Puzzle:
    """Puzzles of one or two kinds of terms that grow, in slots, bits or as multisets."""
    kinds = draw(st.lists(st.sampled_from([*FIRST]), min_size=1, max_size=2, unique_by=id))
    start: list[Any] = []
    made: list[Rule] = []
    for kind in kinds:
        start += draw(st.lists(st.sampled_from(FIRST[kind]), min_size=1, max_size=4 - len(kinds)))
        if draw(st.booleans()):
            left, right, joined = draw(st.sampled_from(JOINS[kind]))
            made.append(rule(f"join {kind.__name__}", take=[left, right], put=[joined]))
        if not made or draw(st.booleans()):
            before, after = draw(st.sampled_from(GROWTHS[kind]))
            guarded = kind in GUARDS and draw(st.booleans())
            fuel = draw(st.sampled_from([Fuel(1), Fuel(M if kind is not Size else N)]))
            more: dict[str, Any] = {"when": GUARDS[kind]} if guarded else {}
            take = [before] if guarded else [before, fuel]
            made.append(rule(f"grow {kind.__name__}", take=take, put=[after], **more))
    start += [Fuel(place) for place in draw(st.sampled_from([(), (1,), (1, 2)]))]
    return Puzzle(*made, start=start, goal=contains(draw(st.sampled_from(start))))

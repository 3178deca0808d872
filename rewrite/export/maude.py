"""`to_maude`: a puzzle as a system module of Maude (maude.cs.illinois.edu)."""

from __future__ import annotations

from typing import Any

from rewrite.errors import ExportError
from rewrite.export.maude_conditions import Conditions, bag_of, comment, refused_goal
from rewrite.export.maude_library import IMPORTS, IMPORTS_WITH_STRING, SORTS, functions
from rewrite.export.maude_names import Names, module_name
from rewrite.export.maude_rules import Rules
from rewrite.export.maude_simplify import looked_at
from rewrite.export.maude_terms import Writer
from rewrite.language.conditions import Condition, Terminal
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State


def to_maude(puzzle: Puzzle, start: Any = None, *, name: str | None = None) -> str:
    """Return the puzzle as the text of a Maude module; one rewrite there is one step here.

    puzzle  the puzzle; `symmetry` and `show` are not carried over, and costs are not counted
    start   the first state; the puzzle's own by default
    name    of the module: letters, digits and -; made from the puzzle's name by default

    The constant `start` is the first state. Comments at the end say how to search for the goal,
    and how to count all states. Names depend on nothing but the puzzle: same puzzle, same text.

    Raises ExportError for what cannot be written in Maude: `@fn` and other Python functions,
    aggregates, an order among terms of any kind, slices, upper and lower, and `simplify` where
    some state has two normal forms: the first 1,000 states are looked at for that.

    >>> from rewrite.language.functions import ints
    >>> from rewrite.language.rules import rule
    >>> M, N = ints("M N")
    >>> text = to_maude(Puzzle(rule("add", take=[M, N], put=[M + N], when=M >= N)), [1, 2, 3])
    >>> print(text[text.index("*** Rule"):])
    *** Rule add
    crl [add] : { M ; N ; REST } => { (M + N) ; REST }
      if M >= N .
    <BLANKLINE>
    op start : -> State .
    eq start = { 1 ; 2 ; 3 } .
    endm
    <BLANKLINE>
    *** All states, counted: search in PUZZLE : start =>* S:State such that false .
    <BLANKLINE>
    """
    if not isinstance(puzzle, Puzzle):
        raise ExportError(f"to_maude({puzzle!r}): the first argument is a Puzzle")
    title = module_name(name, puzzle.name)
    first = puzzle.start if start is None else State(start)
    if first is None:
        raise ExportError(
            f"{puzzle.name}: where to start? Give to_maude(puzzle, start) or Puzzle(…, start=[…])"
        )
    try:
        return _module(puzzle, first, title)
    except RecursionError:
        raise ExportError(
            f"{puzzle.name}: an expression nests too deep to be written here. Write it in several, "
            "bound one after the other by let="
        ) from None


def _module(puzzle: Puzzle, first: State, title: str) -> str:
    names = Names()
    conditions = Conditions(names, has_facts=bool(len(puzzle.facts)))
    plain = Writer(names, puzzle.name)
    start = f"op start : -> State .\neq start = {{ {bag_of(first, plain)} }} ."
    facts = _facts(puzzle, plain)
    writer = Rules(conditions, has_never=bool(puzzle.never))
    rules = [writer.statements(rule, number) for number, rule in enumerate(puzzle.rules, 1)]
    simplify = [writer.equations(rule, number) for number, rule in enumerate(puzzle.simplify, 1)]
    never = _never(puzzle, conditions, plain)
    solved, search = _goal(puzzle, title, conditions, plain)
    moves = [writer.can_move()] if conditions.asks_for_moves else []
    if names.beyond_ascii and names.text_order is not None:
        raise names.text_order
    body = [
        *functions(names.functions), *facts, *conditions.statements, *never,
        *["\n".join(statements) for statements in simplify],
        *["\n".join(statements) for statements in rules], *moves, *solved, start,
    ]  # fmt: skip
    text = "\n\n".join([*_declarations(names, "\n".join(body)), *body])
    searches = [
        *search,
        f"*** All states, counted: search in {title} : start =>* S:State such that false .",
    ]
    heading = f"*** {comment(puzzle.name)}, written by rewrite.to_maude."
    if puzzle.simplify:
        heading += "\n" + _looked_at(puzzle, first)
    return f"{heading}\nmod {title} is\n{text}\nendm\n\n" + "\n".join(searches) + "\n"


def _looked_at(puzzle: Puzzle, first: State) -> str:
    """Return the comment that says why `simplify` may stand there as equations."""
    number, all_ = looked_at(puzzle, first)
    where = f"in all {number:,} states" if all_ else f"in the first {number:,} states, no further"
    return f"*** The equations give one normal form in every order: looked at {where}."


def _declarations(names: Names, body: str) -> list[str]:
    """Return what comes first: imports, sorts, constructors, variables."""
    with_strings = '"' in body or "String" in body or "String" in names.variables.values()
    atoms = ["Int", "Bool", *["String"] * with_strings]
    made = [IMPORTS_WITH_STRING if with_strings else IMPORTS]
    made.append(SORTS.format(atoms=" ".join(atoms)))
    for constructor, arity in names.constructors().items():
        made.append(
            f"sort {constructor} .\nsubsort {constructor} < Term .\n"
            f"op {constructor} : {'Term ' * arity}-> {constructor} [ctor] ."
        )
    for united, name in names.unions.items():
        made.append(
            f"sort {name} .\nsubsort {name} < Term .\nsubsorts {' '.join(united)} < {name} ."
        )
    sorts: dict[str, list[str]] = {}
    for variable, sort in names.variables.items():
        sorts.setdefault(sort, []).append(variable)
    made.append("\n".join(f"vars {' '.join(found)} : {sort} ." for sort, found in sorts.items()))
    return made


def _facts(puzzle: Puzzle, plain: Writer) -> list[str]:
    if not len(puzzle.facts):
        return []
    return [f"op facts : -> Bag .\neq facts = {bag_of(puzzle.facts, plain)} ."]


def _function(
    name: str, given: tuple[Condition, ...], conditions: Conditions, writer: Writer
) -> str:
    """Return a function that says whether one of the conditions holds of a state."""
    state = writer.names.own("State", "Bag")
    texts = [conditions.text(one, state, {}, writer) for one in given]
    head = f"{{ {state} }}"
    return f"op {name} : State -> Bool .\neq {name}({head}) = {' or-else '.join(texts)} ."


def _never(puzzle: Puzzle, conditions: Conditions, plain: Writer) -> list[str]:
    if not puzzle.never:
        return []
    writer = Writer(plain.names, f"{puzzle.name}: never")
    return [_function("forbidden", puzzle.never, conditions, writer)]


def _goal(
    puzzle: Puzzle, title: str, conditions: Conditions, plain: Writer
) -> tuple[list[str], list[str]]:
    """Return the statement of the goal, and the comment that says how to search for it."""
    if puzzle.goal is None:
        return [], []
    search = f"*** The goal: search [1] in {title} : start =>"
    if isinstance(puzzle.goal, Terminal):
        return [], [f"{search}! S:State ."]
    writer = Writer(plain.names, f"{puzzle.name}: goal")
    before = len(conditions.statements)
    try:
        made = _function("solved", (puzzle.goal,), conditions, writer)
    except ExportError as error:
        del conditions.statements[before:]
        return [], [refused_goal(error)]
    return [made], [f"{search}* S:State such that solved(S:State) ."]

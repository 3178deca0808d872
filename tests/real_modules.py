"""Maude runs a `search` command of a module itself: its answers, and how many states it sees."""

from typing import Any

from rewrite import MaudeModule, State, explore
from rewrite.readers.maude import condition_of
from rewrite.readers.maude_files import fragments
from tests.benchmarks.peers_maude import interpreter

ARROWS = {"*": "ANY_STEPS", "+": "AT_LEAST_ONE_STEP", "1": "ONE_STEP", "!": "NORMAL_FORM"}


def answers_of_maude(known: MaudeModule, number: int, most: int) -> list[str]:
    """The states of its answers, as text; each once for each substitution."""
    given, maude = known.commands[number - 1], interpreter()
    module = maude.getModule(given.module)
    conditions = [condition_of(module, one, "") for one in fragments(given.conditions)]
    depth = {} if given.bounds[1] is None else {"depth": given.bounds[1]}
    found = module.parseTerm(given.start).search(
        getattr(maude, ARROWS[given.arrow]), module.parseTerm(given.pattern), conditions, **depth
    )
    wanted = most if given.bounds[0] is None else min(most, given.bounds[0])
    return [str(state) for (state, *_), _ in zip(found, range(wanted), strict=False)]


def states_of_maude(known: MaudeModule, number: int, depth: int) -> int:
    """How many states there are within so many steps."""
    given, maude = known.commands[number - 1], interpreter()
    module = maude.getModule(given.module)
    start = module.parseTerm(given.start)
    start.reduce()
    anything = module.parseTerm(f"ANYTHING:{start.symbol().getRangeSort().kind()}")
    return sum(1 for _ in start.search(maude.ANY_STEPS, anything, [], depth=depth))


def as_maude_writes(known: MaudeModule, number: int, state: State) -> str:
    """What Maude makes of the text of a state."""
    puzzle, _ = known.asked(number)
    module = interpreter().getModule(known.commands[number - 1].module)
    found: Any = module.parseTerm(puzzle.shown(state))
    assert found is not None, puzzle.shown(state)
    found.reduce()
    return str(found)


def check(known: MaudeModule, number: int, depth: int = 4, most: int = 2000) -> int:
    """Compare our answers and states with those of Maude; return how many states there are."""
    result = known.search(number, max_states=20_000)
    ours = [as_maude_writes(known, number, path.end) for path in result.paths]
    theirs = answers_of_maude(known, number, most)
    asked = known.commands[number - 1].bounds[0]
    assert len(ours) == len(theirs)
    if asked is None:
        assert sorted(ours) == sorted(theirs)
    puzzle, _ = known.asked(number)
    states = len(explore(puzzle, max_depth=depth))
    assert states == states_of_maude(known, number, depth)
    return states

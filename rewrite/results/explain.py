"""Why a rule fires, or does not: the funnel of its matches in one state, by the definition.

Stages, in this order: each pattern of take and keep together with those before it; let, which also
settles the equations of computed patterns that had to wait for it; each `when`; each `absent`;
put (drops matches whose arithmetic has no value); never. Only different matches count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from rewrite.errors import PuzzleError, SearchError, did_you_mean, tells_unknown_names
from rewrite.language import meaning
from rewrite.language.matching import Env
from rewrite.language.order import source, term_key
from rewrite.language.puzzles import Puzzle
from rewrite.language.rules import Rule
from rewrite.language.states import State
from rewrite.results.moves import may_read, moves, steps_by

MOST_FACTS = 20
"""Beyond that, `explain` shows the first and last fact of each constructor."""

Candidates = list[tuple[Env, tuple[Any, ...]]]
Lost = tuple[Rule, Env] | tuple[Rule, Env, tuple[Any, ...]]


@frozen
class Stage:
    """One condition of a rule, and the candidates that passed it.

    name      the part as written, e.g. "when=M >= N"
    entered   candidates that reached it: for a pattern, the matches of the patterns before it
    survived  candidates after it: for a pattern, its matches joined with those of earlier patterns
    dropped   how many of the entered candidates failed
    example   the bindings of one dropped candidate, as text; "" if none was dropped
    """

    name: str
    entered: int
    survived: int
    dropped: int
    example: str = ""


@tells_unknown_names(SearchError, "Funnel", out="explain(…) makes it")
@frozen
class Funnel:
    """How many matches of a rule survive each of its conditions in a state."""

    rule: Rule
    state: State
    stages: tuple[Stage, ...]
    steps: int

    def __str__(self) -> str:
        title = f"rule {self.rule.name!r} in state {self.state}"
        wide = max((len(stage.name) for stage in self.stages), default=0)
        digits = max((len(f"{stage.survived:,}") for stage in self.stages), default=1)
        lines = []
        for stage in self.stages:
            line = f"  {stage.name:<{wide}}  {stage.survived:>{digits},} left"
            if stage.dropped:
                line += f", {stage.dropped:,} dropped: e.g. {stage.example}"
            lines.append(line)
        end = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        return "\n".join([title, *lines, f"{end}: {self.stopped}" if self.stop else end])

    @property
    def stop(self) -> Stage | None:
        """The first stage that no candidate survives."""
        return next((stage for stage in self.stages if not stage.survived), None)

    @property
    def stopped(self) -> str:
        """Why the rule makes no step, in words."""
        return f"nothing comes through {self.stop.name if self.stop else 'the last one'}"


@frozen
class Overview:
    """A puzzle, or its rules in one state, as text; `ways` counts the steps by rule name."""

    text: str
    ways: dict[str, int]

    def __str__(self) -> str:
        return self.text


def funnel(puzzle: Puzzle, state: Any, rule: Rule | str) -> Funnel:
    """Return how many matches of a rule survive in a state, by default the start."""
    if state is None and puzzle.start is None:
        raise PuzzleError(f"explain: {puzzle.name} has no start; write explain(puzzle, [terms…])")
    given = State(puzzle.start if state is None else state)
    found = rule_named(puzzle, rule)
    # a simplify rule never applies to a normal form, so explain it in the state as given
    here = given if found in puzzle.simplify else meaning.simplified(puzzle, given)
    stages = [*_patterns(puzzle, found, here), *_conditions(puzzle, found, here)]
    return Funnel(found, here, tuple(stages), len(steps_by(puzzle, here, [found])))


def rule_named(puzzle: Puzzle, wanted: Rule | str) -> Rule:
    """Return the rule with this name, label or filled-in label; a Rule is returned as is."""
    if isinstance(wanted, Rule):
        return wanted
    if not isinstance(wanted, str):
        raise PuzzleError(f"explain: {wanted!r} is not a rule; give a Rule, its name or its label")
    rules = (*puzzle.rules, *puzzle.simplify)
    named = [rule for rule in rules if wanted in (rule.name, rule.label)]
    found = named or [rule for rule in rules if may_read(rule, wanted)]
    if len(found) == 1:
        return found[0]
    names = [rule.name for rule in rules]
    if found:
        raise PuzzleError(
            f"explain: {len(found)} rules of {puzzle.name} can read {wanted!r}: "
            f"{', '.join(map(repr, (rule.name for rule in found)))}; give the Rule itself, "
            f"e.g. puzzle.rules[{rules.index(found[0])}]",
            rules=tuple(found),
        )
    raise PuzzleError(
        f"explain: {puzzle.name} has no rule {wanted!r}{did_you_mean(wanted, names)}. Its rules: "
        f"{', '.join(map(repr, names)) or 'none at all'}",
        rules=rules,
    )


def _patterns(puzzle: Puzzle, rule: Rule, state: State) -> Iterator[Stage]:
    names = [f"take {source(one)}" for one in rule.take]
    names += [f"keep {source(one)}" for one in rule.keep]
    before: Candidates = [({}, ())]
    for number, name in enumerate(names, 1):
        after = _different(list(meaning.partial_matches(puzzle, rule, state, number)))
        extended = {_key({v: env[v] for v in before[0][0]}, terms[:-1]) for env, terms in after}
        lost = [(rule, *one) for one in before if _key(*one) not in extended]
        yield _stage(name, len(before), len(after), lost)
        if not after:
            return
        before = after


def _different(found: Candidates) -> Candidates:
    return list({_key(env, terms): (env, terms) for env, terms in found}.values())


def _key(env: Env, terms: tuple[Any, ...]) -> Any:
    values = sorted((v.name, v.kind, term_key(value)) for v, value in env.items())
    return tuple(values), term_key(terms)


def _shown(rule: Rule, env: Env, terms: tuple[Any, ...] = ()) -> str:
    if env:
        return ", ".join(f"{v.name}={source(env[v])}" for v in rule.bound if v in env)
    return ", ".join(map(source, terms)) or "nothing in the state matches"


def _conditions(puzzle: Puzzle, rule: Rule, state: State) -> Iterator[Stage]:
    seen: dict[str, dict[Any, tuple[Env, bool]]] = {}

    def observe(stage: str, env: Env, survived: bool) -> None:
        seen.setdefault(stage, {}).setdefault(_key(env, ()), (env, survived))

    ways = meaning.ways(puzzle, rule, state, observe)
    matched = len(seen.get("match", {}))
    if rule.let:
        total = len(rule.take) + len(rule.keep)
        entered = _different(list(meaning.partial_matches(puzzle, rule, state, total)))
        if not entered:
            return
        settled = list(meaning.partial_matches(puzzle, rule, state, total, rule.let))
        bound = [env for env, _ in seen.get("match", {}).values()]
        yield _let_stage(rule, entered, settled, bound)
    names = [f"when={given!r}" for given in rule.when]
    names += [f"absent={source(pattern)}" for pattern in rule.absent]
    for name in dict.fromkeys(names):
        if name in seen:
            yield _condition(rule, name, [*seen[name].values()])
    put = list(seen.get("put", {}).values())
    if any(not good for _, good in put):
        yield _condition(rule, f"put [{', '.join(map(source, rule.put))}] has a value", put)
    if matched and puzzle.never and ways and rule in puzzle.rules:
        yield from _never(puzzle, ways)


def _let_stage(rule: Rule, entered: Candidates, settled: Candidates, bound: list[Env]) -> Stage:
    """Return the stage of all lets: first those that need only the patterns, then the rest."""
    variables = entered[0][0]

    def seen(env: Env, terms: tuple[Any, ...] = ()) -> Any:
        return _key({v: env[v] for v in variables}, terms)

    early, late = {seen(*one) for one in settled}, {seen(env) for env in bound}
    gone = [one for one in entered if seen(*one) not in early or seen(one[0]) not in late]
    name = "let " + ", ".join(f"{source(pattern)}: {source(value)}" for pattern, value in rule.let)
    return _stage(name, len(entered), len(bound), [(rule, {}, terms) for _, terms in gone])


def _condition(rule: Rule, name: str, seen: list[tuple[Env, bool]]) -> Stage:
    lost = [(rule, env) for env, good in seen if not good]
    return _stage(name, len(seen), len(seen) - len(lost), lost)


def _stage(name: str, entered: int, survived: int, lost: Sequence[Lost], end: str = "") -> Stage:
    return Stage(name, entered, survived, len(lost), _shown(*lost[0]) + end if lost else "")


def _never(puzzle: Puzzle, ways: list[meaning.RuleApplication]) -> Iterator[Stage]:
    left = [(way, meaning.simplified(puzzle, way.after)) for way in ways]
    for given in puzzle.never:
        good: list[tuple[meaning.RuleApplication, State]] = []
        bad: list[tuple[meaning.RuleApplication, State]] = []
        for way, after in left:
            met = meaning.judge(meaning.world_of(puzzle, after), given, "never")
            (bad if met else good).append((way, after))
        lost = [(way.rule, way.bindings) for way, _ in bad]
        end = f", to {bad[0][1]}" if bad else ""
        yield _stage(f"never={given!r}", len(left), len(good), lost, end)
        left = good


def overview(puzzle: Puzzle, state: Any = None) -> Overview:
    """Return what a puzzle consists of; or how many steps its rules make in a state."""
    if state is None:
        return _puzzle(puzzle)
    state = meaning.simplified(puzzle, State(state))
    ways: dict[str, int] = dict.fromkeys((rule.name for rule in puzzle.rules), 0)
    for step in moves(puzzle, state):
        ways[step.rule.name] += 1
    wide = max(map(len, ways), default=0)
    lines = [
        f"  {name:<{wide}}  {number:,} step{'s' * (number != 1)}" for name, number in ways.items()
    ]
    lines = lines or ["  there are no rules"]
    return Overview("\n".join([f"{puzzle.name} in state {state}", *lines]), ways)


def _puzzle(puzzle: Puzzle) -> Overview:
    lines = [f"{puzzle.name}: {len(puzzle.rules)} rule{'s' * (len(puzzle.rules) != 1)}"]
    lines += [f"  {rule!r}" for rule in puzzle.rules]
    lines += [f"simplify: {rule!r}" for rule in puzzle.simplify]
    number = len(puzzle.facts)
    if 0 < number <= MOST_FACTS:
        lines.append(f"facts ({number}): {puzzle.facts}")
    elif number:
        lines.append(f"facts ({number:,}):")
        for alike, _ in puzzle.facts.columns.values():
            last = f" … {alike[-1]!r} ({len(alike):,})" if len(alike) > 1 else ""
            lines.append(f"  {alike[0]!r}{last}")
    lines += [f"never: {given!r}" for given in puzzle.never]
    lines += [f"symmetry: {one!r}" for one in puzzle.symmetry]
    lines.append(f"start: {puzzle.start if puzzle.start is not None else 'not given'}")
    if puzzle.start is not None and (normal := meaning.simplified(puzzle, puzzle.start)) != (
        puzzle.start
    ):
        lines.append(f"the normal form of the start: {normal}")
    lines.append(f"goal: {'not given' if puzzle.goal is None else repr(puzzle.goal)}")
    return Overview("\n".join(lines), {})

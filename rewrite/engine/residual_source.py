"""What is left of a rule once its keys, atoms and facts are filled in: a function of slot values.

The function is generated; its results are remembered for each combination of slot values, over all
instances of the rule, because instances often differ in nothing but the keys.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from rewrite.compiler.slots.domains import Puts
from rewrite.compiler.slots.grounding import GroundRule
from rewrite.compiler.slots.keys import Family, is_plain_guard
from rewrite.compiler.slots.layout import SlotLayout
from rewrite.engine.expression_source import ExpressionSource, Names
from rewrite.engine.match_source import MatchSource, Waiting
from rewrite.engine.writer import Writer, compiled
from rewrite.language.patterns import binders, mentioned, variables

Outcomes = list[tuple[Any, tuple[int, ...]]]
"""(cost, numbers of the values put) for each way in which the rest of a rule applies."""
Memory = dict[tuple[int, ...], Outcomes]


@cache
def filler(
    filled: tuple[bool, ...], targets: tuple[int, ...], plain: bool, every: bool
) -> Callable[..., Any]:
    """Return what makes the function that computes entries of a table, for one shape of instance.

    filled   for each slot read, whether there is one; targets: for each put, which slot it writes
    plain    entries are differences to add to the state; else (cost, difference)
    every    equal entries count one by one
    """
    write = Writer()
    with write.block("def make(offsets, masks, memory, outcomes, atoms):"):
        for index in range(len(filled)):
            write.line(f"o{index}, m{index} = offsets[{index}], masks[{index}]")
        with write.block("def fill(key):"):
            for index, there in enumerate(filled):
                write.line(f"n{index} = key >> o{index} & m{index}" if there else f"n{index} = -1")
            write.line(f"numbers = ({''.join(f'n{index}, ' for index in range(len(filled)))})")
            write.line("found = memory.get(numbers)")
            write.line("if found is None: found = outcomes(numbers)")
            write.line("if not found: return ()")
            change = "".join(f" + ((p[{i}] - n{at}) << o{at})" for i, at in enumerate(targets))
            entry = f"atoms{change}" if plain else f"(cost, atoms{change})"
            write.line(f"out = [{entry} for cost, p in found]")
            once = "out if len(out) < 2 else list(dict.fromkeys(out))"
            write.line(f"return {'out' if every else once}")
        write.line("return fill")
    return compiled(write.source(), "make", write.namespace)


class Residual:
    """The part of a rule that depends on what slots hold."""

    def __init__(self, prepared: GroundRule, layout: SlotLayout) -> None:
        self.prepared, self.rule, self.layout = prepared, prepared.rule, layout
        self.ground = set(prepared.ground)
        self.reading = [p for part in ("take", "keep") for p in self._slot_patterns(part)]
        self.absents = self._slot_patterns("absent")
        self.puts = self._slot_patterns("put")
        self.whens = [
            one for one in self.rule.when
            if is_plain_guard(one) and not set(mentioned(one.inner_parts())) <= self.ground
        ]  # fmt: skip
        self.lets = [
            let for let in self.rule.let
            if not set(variables(let[1])) | set(binders(let[0])) <= self.ground
        ]  # fmt: skip
        slots = [layout.slots[p.term_identity()] for p in (*self.reading, *self.absents)]
        self._values = [one.values for one in slots]
        self._numbers = [layout.slots[p.term_identity()].number for p in self.puts]
        self._used = self._ground_used()
        self._memory: dict[Any, Memory] = {}
        self.function = self._write()

    def _slot_patterns(self, part: str) -> list[Any]:
        places, patterns = self.prepared.of(part), getattr(self.rule, part)
        return [p for p, place in zip(patterns, places, strict=True) if place == "slot"]

    def family(self, pattern: Any) -> Family:
        found = self.layout.found.family(pattern)
        assert found is not None
        return found

    def _ground_used(self) -> list[int]:
        """Return the places of the ground variables that make a difference here."""
        used = set(mentioned(self.rule.cost))
        for pattern in (*self.reading, *self.absents, *self.puts):
            used |= set(mentioned(self.family(pattern).values_of(pattern)))
        for part in (*self.lets, *(one.inner_parts() for one in self.whens)):
            used |= set(mentioned(part))
        return [i for i, variable in enumerate(self.prepared.ground) if variable in used]

    def known(self, ground: Any) -> tuple[Any, ...]:
        """Return what the function takes first of an instance's ground variables."""
        return tuple([ground[place] for place in self._used])

    def memory(self, ground: Any) -> tuple[Memory, Callable[[tuple[int, ...]], Outcomes]]:
        """Return what is remembered for instances like this one, and the function that adds to it.

        Both go from the numbers of the slots read (-1: nothing there) to outcomes.
        """
        known = self.known(ground)
        memory = self._memory.setdefault(known, {})

        def outcomes(numbers: tuple[int, ...]) -> Outcomes:
            values = [
                None if number < 0 else known_values[number]
                for known_values, number in zip(self._values, numbers, strict=True)
            ]
            found = memory[numbers] = [
                (cost, tuple([n(value) for n, value in zip(self._numbers, puts, strict=True)]))
                for cost, puts in self.function(*known, *values)
            ]
            return found

        return memory, outcomes

    def relaxed(self, ground: Any) -> Puts:
        """Return the function of an instance where nothing is there of what must be absent."""
        gone = {f"w{index}": None for index in range(len(self.absents))}
        return partial(self.function, *self.known(ground), **gone)

    def _write(self) -> Callable[..., Any]:
        write = Writer()
        expressions = ExpressionSource(write)
        matching = MatchSource(write, expressions)
        names: Names = {self.prepared.ground[i]: f"o{i}" for i in self._used}
        parameters = [*names.values(), *(f"v{i}" for i in range(len(self.reading))),
                      *(f"w{i}" for i in range(len(self.absents)))]  # fmt: skip

        def finish(found: Names, waiting: Waiting) -> None:
            assert not waiting, waiting
            templates = [self.family(pattern).values_of(pattern) for pattern in self.puts]

            def emit(puts: str) -> None:
                matching.compute(
                    self.rule.cost, found, lambda cost: write.line(f"out.append(({cost}, {puts}))")
                )

            matching.compute(tuple(templates), found, emit)

        def conditions(index: int, found: Names, waiting: Waiting) -> None:
            if index < len(self.whens):
                given = self.whens[index].inner_parts()[0]

                def test(name: str) -> None:
                    with write.block(f"if rt_truth({name}):"):
                        conditions(index + 1, found, waiting)

                matching.compute(given, found, test)
                return
            absent(0, found, waiting)

        def absent(index: int, found: Names, waiting: Waiting) -> None:
            if index == len(self.absents):
                finish(found, waiting)
                return
            pattern = self.absents[index]
            hit, fields = write.fresh("hit"), self.family(pattern).values_of(pattern)
            write.line(f"{hit} = False")
            with write.block(f"if w{index} is not None:"):
                self._unpack(matching, write, fields, f"w{index}", found, (),
                             lambda *_: write.line(f"{hit} = True"))  # fmt: skip
            with write.block(f"if not {hit}:"):
                absent(index + 1, found, waiting)

        def lets(left: list[Any], found: Names, waiting: Waiting) -> None:
            ready = next((one for one in left if set(variables(one[1])) <= set(found)), None)
            if ready is None:
                assert not left, left
                conditions(0, found, waiting)
                return
            rest = [one for one in left if one is not ready]
            matching.let(ready[0], ready[1], found, waiting, lambda f, w: lets(rest, f, w))

        def read(index: int, found: Names, waiting: Waiting) -> None:
            if index == len(self.reading):
                lets(self.lets, found, waiting)
                return
            pattern = self.reading[index]
            fields = self.family(pattern).values_of(pattern)
            self._unpack(matching, write, fields, f"v{index}", found, waiting,
                         lambda f, w: read(index + 1, f, w))  # fmt: skip

        with write.block(f"def residual({', '.join(parameters)}):"):
            write.line("out = []")
            read(0, names, ())
            write.line("return out")
        return compiled(write.source(), "residual", write.namespace)

    def _unpack(
        self,
        matching: MatchSource,
        write: Writer,
        patterns: tuple[Any, ...],
        value: str,
        names: Names,
        waiting: Waiting,
        then: Callable[[Names, Waiting], None],
    ) -> None:
        fields = [write.fresh("f") for _ in patterns]
        if fields:
            write.line(f"{', '.join(fields)}{',' * (len(fields) == 1)} = {value}")
        matching.match_all(list(zip(patterns, fields, strict=True)), names, waiting, then)


class Residuals:
    """What is left of each rule of a puzzle; written once."""

    def __init__(self) -> None:
        self._made: dict[int, Residual] = {}

    def of(self, prepared: GroundRule, layout: SlotLayout) -> Residual:
        """Return what is left of a rule."""
        found = self._made.get(id(prepared))
        if found is None:
            found = self._made[id(prepared)] = Residual(prepared, layout)
        return found

    def rest(self, prepared: GroundRule, layout: SlotLayout) -> Callable[[Any], Puts]:
        """Return what says which values a rule puts into slots: see `compiler.slots.domains`."""
        return self.of(prepared, layout).relaxed

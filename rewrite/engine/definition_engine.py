"""The engine of last resort: runs the definition itself, for what no other engine can take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrite.compile.code.failure import EngineFailure
from rewrite.compile.interning import encode
from rewrite.compile.reason import Reason
from rewrite.compile.slots.keys import Unsuitable
from rewrite.compile.task import Task
from rewrite.engine.counts import Code, Counts, by_name
from rewrite.engine.interface import Engine
from rewrite.errors import RewriteError
from rewrite.language import meaning
from rewrite.language.conditions import Condition
from rewrite.language.evaluation import NoValue
from rewrite.language.states import State


class DefinitionEngine(Engine):
    """Expands states by `language.meaning`; a code is the State itself."""

    def __init__(self, task: Task, why: Reason) -> None:
        self.task, self.why = task, why
        self._counts = {id(rule): Counts() for rule in task.puzzle.rules}

    @property
    def encoding(self) -> str:
        return f"the definition itself, slowly: {self.why}"

    def encode(self, state: State) -> Code:
        return state

    def decode(self, code: Code) -> State:
        state: State = code
        return state

    def weighted(self, code: Code) -> list[tuple[int, Code]]:
        try:
            ways = meaning.successors(self.task.puzzle, code)
        except RewriteError as error:
            raise EngineFailure(str(error)) from error
        for way in ways:
            self._counts[id(way.rule)].note()
        return [(way.cost, way.after) for way in ways]

    def goal(self, code: Code) -> bool:
        return self.task.goal is not None and self.condition(self.task.goal)(code)

    def forbidden(self, code: Code) -> bool:
        return any(self.condition(one)(code) for one in self.task.puzzle.never)

    def condition(self, given: Condition) -> Callable[[Code], bool]:
        def holds(code: Code) -> bool:
            try:
                return meaning.is_goal(self.task.puzzle, code, given)
            except RewriteError as error:
                raise EngineFailure(str(error)) from error

        return holds

    @property
    def inverse(self) -> DefinitionEngine:
        raise Unsuitable("the definition itself runs them")

    def value(self, index: int, code: Code) -> Any:
        try:
            return encode(meaning.value_of(self.task.puzzle, self.task.values[index], code))
        except NoValue:
            return None
        except RewriteError as error:
            raise EngineFailure(str(error)) from error

    def counts(self) -> dict[str, Counts]:
        rules = self.task.puzzle.rules
        return by_name(rules, [self._counts[id(rule)] for rule in rules])

"""The basis of all views: `View`, `Picture`, and matching a pattern in a state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from rewrite.errors import RewriteError, ViewError
from rewrite.language.bag import Bag
from rewrite.language.evaluation import Failed, NoValue, evaluate
from rewrite.language.expressions import Variable
from rewrite.language.labels import one_line
from rewrite.language.matching import Env, match, same
from rewrite.language.order import SYMBOLIC, Key, Keyed, source, term_key
from rewrite.language.patterns import binders, mentioned
from rewrite.language.states import State
from rewrite.language.terms import freeze

if TYPE_CHECKING:
    from rewrite.results.moves import Step
    from rewrite.show.drawing.drawing import Drawing


class View(Keyed):
    """Base of the views, frozen and compared by fields; called, one returns a `Picture`."""

    __slots__ = ()

    def __call__(self, state: State) -> Picture:
        if not isinstance(state, State):
            raise ViewError(
                f"{type(self).__name__.lower()}(…): a view shows a State, and it is given "
                f"{state!r}; write State([…]) with the terms",
                found=state,
            )
        text = "\n".join(map(one_line, self.text(state).split("\n")))
        return Picture.of(text, self, state)

    @abstractmethod
    def text(self, state: State) -> str:
        """Return the text of a state. Raises ViewError."""

    @abstractmethod
    def drawing(self, state: State, past: Any = None) -> Drawing:
        """Return the drawing of a state with what is remembered of the path. Raises ViewError."""

    def remembered(self, past: Any, step: Step) -> Any:
        """Return what the picture after a step shows of the path; `past`: of the one before."""
        return None

    def term_key(self) -> Key:
        return (SYMBOLIC, type(self).__name__, *map(_part_key, self._given))

    @property
    def _given(self) -> tuple[Any, ...]:
        return attrs.astuple(self, recurse=False)  # type: ignore[arg-type]

    def __reduce__(self) -> Any:  # without what a view noted of states that it showed
        return type(self), self._given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.term_key() == other.term_key()

    def __hash__(self) -> int:
        return hash(self.term_key())


class Picture(str):
    """The text of a state that can also be drawn; a function passed as `show=` may return one."""

    view: View
    state: State

    @classmethod
    def of(cls, text: str, view: View, state: State) -> Picture:
        made = cls(text)
        made.view, made.state = view, state
        return made

    def drawing(self, past: Any = None) -> Drawing:
        return self.view.drawing(self.state, past)

    def __reduce__(self) -> Any:
        return Picture.of, (str(self), self.view, self.state)


def _part_key(value: Any) -> Key:
    if value is None:
        return ("None",)
    if type(value) is float:  # not a term: the aspect of a cell
        return ("float", value)
    if isinstance(value, Mapping):
        pairs = [(_part_key(under), _part_key(text)) for under, text in value.items()]
        return ("Mapping", *sorted(pairs))
    if attrs.has(type(value)) and not isinstance(value, Keyed):
        return (type(value).__name__, *map(_part_key, attrs.astuple(value, recurse=False)))
    if isinstance(value, tuple):
        return ("tuple", *map(_part_key, value))
    return term_key(value)


def pattern_of(view: str, given: Any, least: int, meaning: str) -> tuple[Any, list[Variable]]:
    """Return a frozen pattern and its variables; ViewError if it has fewer than `least`."""
    pattern = frozen_of(f"{view}(…)", given)
    found = list(binders(pattern))
    if len(found) < least:
        raise ViewError(
            f"{view}(…): {source(pattern)} has {len(found)} variable{'s' * (len(found) != 1)}; "
            f"{meaning}",
            view=view,
            pattern=pattern,
        )
    return pattern, found


def frozen_of(subject: str, given: Any) -> Any:
    try:
        return freeze(given)
    except RewriteError as error:
        raise ViewError(f"{subject}: {error.message}", found=given) from None


def check_kind(subject: str, given: Any, kind: type, demand: str) -> None:
    if type(given) is not kind and not (kind is str and isinstance(given, str)):
        raise ViewError(
            f"{subject}: {demand}, and it is given {given!r}, which is of type "
            f"{type(given).__name__}",
            found=given,
        )


def check_size(view: str, option: str, given: Any) -> None:
    if given is not None and (type(given) is not int or given < 1):
        raise ViewError(f"{view}(…, {option}={given!r}): a whole number of 1 or more, or None")


def check_bound(view: str, expression: Any, pattern: Any) -> None:
    for variable in mentioned(expression):
        if variable not in binders(pattern):
            raise ViewError(
                f"{view}(…): {source(expression)} uses {variable.name}, which {source(pattern)} "
                "does not bind",
                variable=variable.name,
            )


def found_in(state: Iterable[Any], pattern: Any) -> Iterator[tuple[Any, Env]]:
    """Yield (term, bindings) of each matching occurrence, in canonical order; first match only."""
    for term in state:
        for env, pending in match(pattern, term, {}):
            if all(_holds(template, value, env) for template, value in pending):
                yield term, env
                break


def _holds(template: Any, value: Any, env: Env) -> bool:
    try:
        return same(evaluate(template, env), value)
    except NoValue:
        return False


def value_in(view: str, expression: Any, env: Env) -> Any:
    try:
        return evaluate(expression, env)
    except (NoValue, Failed, KeyError) as error:
        values = ", ".join(f"{v.name}={source(value)}" for v, value in env.items())
        raise ViewError(
            f"{view}(…): {source(expression)} has no value for {values or 'no variables'}"
            + (f": {error}" if str(error) else ""),
            view=view,
        ) from error


def shown(value: Any) -> str:
    """Return a term for display: sequences and nested bags without brackets and commas."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, tuple) or type(value) is Bag:
        return " ".join([*map(shown, value)])  # empty elements keep their place
    return source(value)

"""Every exception that is raised on purpose: one tree, each of them also a built-in type.

A message says subject, demand, finding and way out; the facts in it are attributes of the
exception too, so that a program can act on them without reading the text.
"""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class RewriteError(Exception):
    """Base of all errors of this library. Facts given as keywords become attributes."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts
        for name, value in facts.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _error, (type(self), self.message, self.facts)

    if TYPE_CHECKING:  # which facts there are differs from error to error

        def __getattr__(self, name: str) -> Any: ...


def _error(kind: type[RewriteError], message: str, facts: dict[str, Any]) -> RewriteError:
    return kind(message, **facts)


class TermError(RewriteError, TypeError):
    """A value that cannot be a term, or a constructor used with the wrong arguments."""


class ExpressionError(RewriteError, TypeError):
    """An expression used in a way that only a known value could be used."""


class StateError(RewriteError, TypeError):
    """Something that cannot be read as a state."""


class RuleError(RewriteError, ValueError):
    """A rule that is declared wrongly, or whose functions failed while it was tried."""


class UnboundVariable(RuleError):
    """A variable is used where nothing has given it a value."""


class PuzzleError(RewriteError, ValueError):
    """A puzzle that is declared wrongly."""


class SymmetryError(PuzzleError):
    """A declaration that is not a symmetry. `.generator`, and where known `.state` and `.image`."""


class SimplifyError(RewriteError, RuntimeError):
    """The rules of `simplify` never came to an end."""


class SearchError(RewriteError, ValueError):
    """A search whose arguments make no sense, alone or together."""


class CheckpointError(RewriteError, ValueError):
    """A folder of a checkpoint that cannot be used: damaged, in use, or of another question."""


class HeuristicError(RewriteError, ValueError):
    """A heuristic that gave something other than a number of 0 or more."""


class ReplayError(RewriteError, ValueError):
    """A step that the rules do not allow. `.moves` lists the legal ones."""


class ViewError(RewriteError, ValueError):
    """A view that does not fit the states it was given."""


class ExportError(RewriteError, ValueError):
    """Something that another system cannot express, or a name that it refuses."""


class RewriteWarning(UserWarning):
    """Something that is allowed but most likely a mistake."""


def warn(text: str) -> None:
    """Give a RewriteWarning at the line outside of this package that is to blame."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "rewrite":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, RewriteWarning, stacklevel=level)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean X?)' for the closest known name, or ''."""
    from difflib import get_close_matches  # 8 ms, and needed only where something went wrong

    close = get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def tells_unknown_names(
    error: type[RewriteError], called: str, removed: Mapping[str, str] | None = None
) -> Callable[[F], F]:
    """Make a function report wrong arguments as `error`, an unknown keyword with a did-you-mean.

    Python's own TypeError names them and nothing more. To a type checker nothing changes.

    removed   keywords of earlier versions, with what to write instead
    """

    def decorate(function: F) -> F:
        code: Any = function.__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        signature = inspect.signature(function)
        by_name = [
            one.name for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY
        ]
        in_order = known[: code.co_argcount]
        any_number = bool(code.co_flags & inspect.CO_VARARGS)
        asked = {one.name for one in signature.parameters.values() if one.default is one.empty}
        needed = [name for name in in_order if name in asked]
        named = [name for name in by_name if name in asked]
        fixed = frozenset(known)

        def fits(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
            """Whether the arguments are certainly right; what binds them for sure takes longer."""
            return (
                (any_number or len(args) <= len(in_order))
                and kwargs.keys() <= fixed
                and kwargs.keys().isdisjoint(in_order[: len(args)])
                and all(name in kwargs for name in (*needed[len(args) :], *named))
            )

        def explain(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            for name in kwargs:
                if removed and name in removed:
                    raise error(
                        f"{called}(…, {name}=…): {name}= was removed; {removed[name]}",
                        argument=name,
                    )
                if name not in known:
                    listed = [one for one in known if one != "self"]
                    raise error(
                        f"{called}(…, {name}=…): there is no {name}{did_you_mean(name, listed)}; "
                        f"{called} takes {', '.join(listed)}",
                        argument=name,
                    )
            try:
                signature.bind(*args, **kwargs)
            except TypeError as wrong:
                listed = [one for one in signature.parameters if one not in ("self", *by_name)]
                more = f"; by name {', '.join(by_name)}" if by_name else ""
                raise error(
                    f"{called}(…): {wrong}; {called} takes {', '.join(listed)}{more}"
                ) from None

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if not fits(args, kwargs):
                explain(args, kwargs)
            try:
                return function(*args, **kwargs)
            except RecursionError as stopped:
                raise error(
                    f"{called}(…): Python's stack has no room left for it (RecursionError). Call "
                    "it from a shallower stack, or raise sys.setrecursionlimit"
                ) from stopped

        return checked  # type: ignore[return-value]

    return decorate

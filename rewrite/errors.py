"""Every exception raised on purpose: one tree, and each is also a built-in type.

A message names the subject, the requirement, what was found and the way out; its facts are also
attributes of the exception, so that programs can act on them without parsing the text.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class RewriteError(Exception):
    """Base of all errors of this library. Keyword arguments become attributes."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts
        for name, value in facts.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(type(self), self.message, **self.facts), ()

    if TYPE_CHECKING:  # each error has its own facts

        def __getattr__(self, name: str) -> Any: ...


class TermError(RewriteError, TypeError):
    """A value that cannot be a term, or a constructor called with the wrong arguments."""


class ExpressionError(RewriteError, TypeError):
    """An expression used where only a known value works."""


class StateError(RewriteError, TypeError):
    """Something that cannot be read as a state."""


class RuleError(RewriteError, ValueError):
    """A wrongly declared rule, or one whose functions failed while it was tried."""


class UnboundVariable(RuleError):
    """A variable used where it has no value."""


class PuzzleError(RewriteError, ValueError):
    """A wrongly declared puzzle."""


class SymmetryError(PuzzleError):
    """A declaration that is not a symmetry. `.generator`, and if known `.state` and `.image`."""


class SimplifyError(RewriteError, RuntimeError):
    """The rules of `simplify` did not terminate."""


class SearchError(RewriteError, ValueError):
    """A search whose arguments make no sense, alone or together."""


class CheckpointError(RewriteError, ValueError):
    """A checkpoint folder that cannot be used: damaged, in use, or of another question."""


class HeuristicError(RewriteError, ValueError):
    """A heuristic that returned something other than a non-negative number."""


class ReplayError(RewriteError, ValueError):
    """A step that the rules do not allow. `.moves` lists the legal ones."""


class ViewError(RewriteError, ValueError):
    """A view that does not fit the states it was given."""


class ExportError(RewriteError, ValueError):
    """Something another system cannot express, or a name it refuses."""


class ReadError(RewriteError, ValueError):
    """A file that cannot be read as what it should be. If known, `.line` and `.column`."""


class RewriteWarning(UserWarning):
    """Something allowed but most likely a mistake."""


class IdleRuleWarning(RewriteWarning):
    """A rule that can never fire, or never fired."""


def warn(text: str, kind: type[RewriteWarning] = RewriteWarning) -> None:
    """Issue a warning, attributed to the calling line outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "rewrite":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, kind, stacklevel=level)


FAILURES = (Exception, SystemExit)
"""What is reported as the failure of a user function that raises it; KeyboardInterrupt is not."""


def described(cause: BaseException) -> str:
    """Return the type and the text of an exception, which may come from a user and have no text.

    >>> described(KeyError("east"))
    "KeyError: 'east'"
    """
    try:
        return f"{type(cause).__name__}: {cause}"
    except Exception as another:  # a number of more than 4,300 digits, for example
        return f"{type(cause).__name__}, whose text fails with {type(another).__name__}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean X?)' for the closest known name, or ''."""
    from difflib import get_close_matches  # 8 ms, and needed only after an error

    close = get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


UNWRITABLE = re.compile("embedded null|integer string conversion|surrogates not allowed")
"""In the ValueErrors of Python for names of files, and numbers, that it cannot write."""


def _whose_text_failed(error: Exception) -> type | None:
    """Return the class whose `__repr__` or `__str__` raised this error, if one did."""
    found, at = None, error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if code.co_name in ("__repr__", "__str__") and code.co_argcount:
            found = type(at.tb_frame.f_locals.get(code.co_varnames[0]))
        at = at.tb_next
    return found


def tells_unknown_names(
    error: type[RewriteError],
    called: str,
    removed: Mapping[str, str] = MappingProxyType({}),
    out: str = "",
) -> Callable[[F], F]:
    """Make a function or class report wrong arguments as `error`, an unknown keyword with a
    did-you-mean.

    Python's own TypeError only names them. Type checkers see the function unchanged.

    removed   keywords of earlier versions, with their replacements
    out       what to write instead of wrong arguments, or where such values come from
    """

    def decorate(function: F) -> F:
        if isinstance(function, type):
            function.__init__ = decorate(function.__init__)  # type: ignore[misc]
            return function
        signature = inspect.signature(function)
        known = [one for one in signature.parameters.values() if one.name != "self"]
        takes_any = any(one.kind is one.VAR_KEYWORD for one in known)
        known = [one for one in known if one.kind is not one.VAR_KEYWORD]
        by_name = [one.name for one in known if one.kind is one.KEYWORD_ONLY]
        in_order = [one.name for one in known if one.name not in by_name]

        def explain(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            names = [one.name for one in known if one.kind is not one.VAR_POSITIONAL]
            for name in kwargs:
                if name in removed:
                    raise error(
                        f"{called}(…, {name}=…): {name}= was removed; {removed[name]}",
                        argument=name,
                    ) from None
                if name not in names and not takes_any:
                    raise error(
                        f"{called}(…, {name}=…): there is no {name}{did_you_mean(name, names)}; "
                        f"{called} takes {', '.join(names) or 'none'}{out and f'; {out}'}",
                        argument=name,
                    ) from None
            try:
                signature.bind(*args, **kwargs)
            except TypeError as wrong:
                named = f"by name {', '.join(by_name)}" if by_name else ""
                takes = "; ".join(filter(None, (", ".join(in_order), named, out)))
                raise error(f"{called}(…): {wrong}; {called} takes {takes}") from None

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except RewriteError:
                raise
            except RecursionError as stopped:
                raise error(
                    f"{called}(…): Python's stack has no room left for it (RecursionError). Call "
                    "it from a shallower stack, or raise sys.setrecursionlimit"
                ) from stopped
            except Exception as wrong:
                if isinstance(wrong, TypeError):
                    explain(args, kwargs)
                if isinstance(wrong, ValueError) and UNWRITABLE.search(described(wrong)):
                    raise error(f"{called}(…): {wrong}") from wrong
                if textless := _whose_text_failed(wrong):
                    raise error(
                        f"{called}(…): what was found is a {textless.__name__}, whose text fails "
                        f"with {described(wrong)}"
                    ) from wrong
                raise

        return checked  # type: ignore[return-value]

    return decorate

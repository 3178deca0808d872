"""Files of Maude: their modules, given to Maude to parse, and their `search` commands.

A file of Maude is a program: Maude would run each command in it. So the text is taken apart here;
only modules and views are given to Maude, and `load` and `in` are followed by ourselves.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from attrs import frozen

from rewrite.errors import ReadError, warn
from rewrite.readers.texts import text_of

ENDS = {
    "fmod": "endfm", "mod": "endm", "fth": "endfth", "th": "endth", "view": "endv",
    "smod": "endsm", "sth": "endsth", "omod": "endom", "oth": "endoth",
}  # fmt: skip
REFUSED = {
    "omod": "an object-oriented module", "oth": "an object-oriented theory",
    "smod": "a module of strategies", "sth": "a theory of strategies",
}  # fmt: skip
"""What Maude reads and this does not."""
LINES = ("load", "in", "sload", "q", "quit", "eof", "pwd", "ls", "cd", "pushd", "popd")
"""Commands that end with their line."""
PRELUDE = {"model-checker", "prelude", "file", "socket", "process", "time", "linear", "smt"}
"""Files of Maude's own."""
IN_MODULE = re.compile(r"(?:select (?:module )?|[a-z]+ (?:\[.*?\] ?)?in )([^\s.]+)(?: :.*| ?\.)?$")
"""A command after which another module is the one that commands are for."""
WITHOUT_BOOL = "set include BOOL off ."
CLOSING = "\n= a .\n=> a .\n) ) ) ) .\n= a .\n=> a .\nendm\nendv\nset include BOOL on .\n"
"""Ends whatever Maude may still read after a module that is wrong: else it takes what comes next
for a part of it. What it says of these lines is not looked at.
"""
STRING = re.compile(r'"(?:\\.|[^"\\])*(?P<close>"|\\?)')
"""A text in quotes, or what follows a quote that nothing closes: that is no text, and no later
quote in it begins one, as all of them are escaped.
"""
STRING_OF_A_LINE = re.compile(r'"(?:\\.|[^\n"\\])*(?P<close>"|\\?)')
"""The same, up to the end of its line."""
OPENING = re.compile(r"\s*\(")
"""What makes a comment go on up to the closing parenthesis."""
END_OF_LINE = re.compile(r"[^\S\n]*$", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PLACE = re.compile(r'^(".*?"|<.*?>), line (\d+)(?: \(.*?\))?: ?')
HARMLESS = re.compile(
    r"multiple distinct parses|redeclaration of (sort|variable alias)|attribute without mixfix"
)
"""What Maude warns of and reads all the same, without leaving anything out."""
ARROW = re.compile(r"\s(=>[1+*!])\s")


@frozen
class Command:
    """A `search` command.

    text      as it is written, without the end
    module    in which it is asked
    bounds    (the most solutions, the most steps); None where nothing is said
    arrow     "1", "+", "*" or "!": =>1 and so on
    start, pattern, conditions   as they are written
    wrong     what is wrong with it, and is said when it is asked for
    """

    text: str
    module: str
    bounds: tuple[int | None, int | None] = (None, None)
    arrow: str = "*"
    start: str = ""
    pattern: str = ""
    conditions: str = ""
    place: str = ""
    wrong: str = ""


@cache
def maude() -> Any:
    """Return Maude itself, begun. Raises ReadError if it is not installed."""
    try:
        import maude as found
    except ImportError as error:
        raise ReadError(
            "to read modules of Maude, Maude itself is needed: pip install 'rewrite[maude]'"
        ) from error
    with _here():
        found.init(advise=False)
    return found


@contextmanager
def _here() -> Iterator[None]:
    """Stay in this folder: Maude goes to that of a file that it loads."""
    folder = Path.cwd()
    try:
        yield
    finally:
        os.chdir(folder)


def said_by_maude(task: Any, *args: Any) -> tuple[Any, str]:
    """Return the value of a call, and what Maude printed meanwhile, without colours."""
    if sys.stderr is not None:  # it may be closed
        sys.stderr.flush()
    with tempfile.TemporaryFile() as file, _here():
        there = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            found = task(*args)
        finally:
            os.dup2(there, 2)
            os.close(there)
        file.seek(0)
        return found, COLOUR.sub("", file.read().decode(errors="replace")).strip()


class Reader:
    """Reads a file and those that it loads: the names of its modules, and its commands."""

    last: Reader | None = None
    """Whose modules Maude knows: it knows one of each name."""
    declared: ClassVar[set[str]] = set()
    """The names of the modules of all files: Maude forgets none."""

    def __init__(self, file: Path) -> None:
        Reader.last = self
        self._given: list[tuple[Path, int, str]] = []
        self._declared: dict[str, Path] = {}
        self.modules: list[str] = []
        self.system_modules: list[str] = []
        self.commands: list[Command] = []
        self._root = Path(os.path.realpath(file)).parent  # a link to itself is refused later
        self._current = ""
        self._includes_bool = True
        self._open: list[Path] = []
        self._read_already: set[Path] = set()
        self._read(file, "")

    def _read(self, file: Path, asked: str) -> None:
        text = text_of(file, asked)
        path = file.resolve()
        if path in self._open:
            raise ReadError(f"{asked}{file} loads itself")
        if path in self._read_already:
            return
        self._read_already.add(path)
        self._open.append(path)
        for line, statement in _statements(text, file):
            self._statement(file, line, statement)
        self._open.pop()

    def _statement(self, file: Path, line: int, text: str) -> None:
        word, *others = text.split()
        place = f"{file}, line {line}: "
        if word in ENDS:
            name = others[0].split("{")[0] if others else ""
            if word in REFUSED:
                raise ReadError(f"{place}{word} {name}: {REFUSED[word]} is not read")
            text = text if self._includes_bool else f"{WITHOUT_BOOL} {text}"
            self._give(file, line, text)
            self._given.append((file, line, text))
            if word != "view":
                self._declared[name] = file
                Reader.declared.add(name)
                self._current = name
            if word in ("mod", "fmod"):
                self.modules.append(name)
            if word == "mod":
                self.system_modules.append(name)
        elif word in ("load", "in", "sload"):
            self._load(file, place, " ".join(others))
        elif re.match(r"s?search\b|\{", word):
            try:
                self.commands.append(command_of(text, self._current, place))
            except ReadError as error:
                said = " ".join(text.split())
                self.commands.append(Command(said, self._current, place=place, wrong=error.message))
            self._choose(self.commands[-1].module)
        elif word == "set" and others[:2] == ["include", "BOOL"]:
            self._includes_bool = others[2:3] != ["off"]
        elif chosen := IN_MODULE.match(" ".join(text.split())):
            self._choose(chosen[1])

    def _choose(self, name: str) -> None:
        """Make a module the current one if this file has declared it so far, or Maude has it
        itself. Else stay in the current one, as Maude does.
        """
        maudes = name not in Reader.declared and maude().getModule(name) is not None
        if maudes or name in self._declared:
            self._current = name

    def give_again(self) -> None:
        """Give the modules to Maude again if those of another file may have taken their place."""
        if Reader.last is not self:
            for one in self._given:
                self._give(*one)
            Reader.last = self

    def _give(self, file: Path, line: int, text: str) -> None:
        """Give a module or a view to Maude. Raises ReadError, with what Maude says of it."""
        with tempfile.TemporaryDirectory() as folder:
            only = Path(folder) / "module.maude"  # not every name is one for Maude
            made = "\n" * (line - 1) + text + CLOSING  # lines stay where they are
            only.write_text(made, "utf-8")
            _, said = said_by_maude(maude().load, str(only))
        last = line + text.count("\n")
        for one in said.split("Warning: ")[1:]:
            place, what = PLACE.match(one), " ".join(PLACE.sub("", one).split())
            if place is not None and place[1].startswith('"'):
                number = int(place[2])
            else:  # Maude counts the lines of all that it was given
                number = line + _line_of(what, text)
            if number <= last:
                message = f"{file}, line {number}: {what}"
                if not HARMLESS.search(one):
                    raise ReadError(message)
                warn(f"{message}{'; Maude takes the first' * ('distinct parses' in one)}")

    def place_of(self, statement: Any) -> str:
        """Return where a statement stands: Maude knows the line, and which module it is of."""
        where = str(statement.getLineNumber())
        found = re.search(r", line (\d+) \(\w+ ([^{)]+)", where)
        file = self._declared.get(found[2]) if found else None
        return where.split(" (")[0] if found is None or file is None else f"{file}, line {found[1]}"

    def _load(self, file: Path, place: str, name: str) -> None:
        name = name.removesuffix(" .").strip().strip('"')
        if name.removesuffix(".maude") in PRELUDE:
            said_by_maude(maude().load, f"{name.removesuffix('.maude')}.maude")
            return
        wanted = file.resolve().parent / name
        try:
            there = wanted if wanted.exists() else wanted.with_name(wanted.name + ".maude")
            known = there.exists()
        except OSError:  # the name is too long
            known = False
        if not known:
            raise ReadError(f"{place}load {name}: there is no such file")
        if not there.resolve().is_relative_to(self._root):
            raise ReadError(f"{place}load {name}: it is outside of the folder {self._root}")
        self._read(there, place)


def command_of(text: str, module: str, place: str = "") -> Command:
    """Take a `search` command apart. Raises ReadError."""
    texts = list[str]()

    def hidden(found: re.Match[str]) -> str:
        if found["close"] != '"':
            return found[0]
        texts.append(found[0])
        return f'"{len(texts) - 1}"'

    def shown(part: str) -> str:
        return re.sub(r'"(\d+)"', lambda found: texts[int(found[1])], part).strip()

    said = " ".join(STRING.sub(hidden, text).split()).removesuffix(" .").removesuffix(".")
    found = re.match(
        r"s?search\s*(?:\[\s*(0*[1-9]\d{0,639})?\s*(?:,\s*(0*[1-9]\d{0,639})\s*)?\])?\s*"
        r"(?:in\s+(\S+)\s*:)?\s*(.*)$",
        said,
    )
    parts = ARROW.split(f"{found[4]} ", maxsplit=1) if found else []
    if found is None or len(parts) != 3 or not (parts[0].strip() and parts[2].strip()):
        raise ReadError(
            f"{place}{shown(said)}: a search is written search [n, m] in MODULE : start =>* "
            "pattern such that condition ."
        )
    start, arrow, rest = parts
    pattern, *conditions = re.split(r"\s(?:such\s+that|s\.t\.)\s", rest, maxsplit=1)
    if not found[3] and not module:
        raise ReadError(f"{place}{shown(said)}: there is no module before it")
    bounds = (int(found[1]) if found[1] else None, int(found[2]) if found[2] else None)
    condition = conditions[0].strip() if conditions else ""
    return Command(
        shown(said), found[3] or module, bounds, arrow[2], shown(start), shown(pattern),
        shown(condition), place,
    )  # fmt: skip


class _Parts:
    """Texts in quotes, and what matches a pattern outside of them, in order.

    at   where to go on; it may be moved forward
    """

    def __init__(self, text: str, other: str, string: re.Pattern[str] = STRING) -> None:
        self.text, self.at = text, 0
        self._open = 0
        """Up to here no quote begins a text."""
        self._each, self._other = re.compile(f"{string.pattern}|{other}"), re.compile(other)

    def __iter__(self) -> Iterator[re.Match[str]]:
        while self.at < len(self.text):
            if self.at < self._open:
                found = self._other.search(self.text, self.at, self._open)
                if found is None:
                    self.at = self._open
                    continue
            else:
                found = self._each.search(self.text, self.at)
                if found is None:
                    return
                if found["close"] is not None and found["close"] != '"':
                    self.at, self._open = found.start() + 1, found.end()
                    continue
            self.at = found.end()
            yield found


def fragments(conditions: str) -> list[str]:
    """Return the parts of a condition, which /\\ joins; not what stands in texts."""
    joins = _Parts(conditions, r"/\\")
    cuts = [one.span() for one in joins if one[0] == "/\\"]
    ends = [*[start for start, _ in cuts], len(conditions)]
    starts = [0, *[end for _, end in cuts]]
    parts = [conditions[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if part]


def _line_of(said: str, text: str) -> int:
    """Return in which line of a module, from 0, the statement stands that a warning quotes."""
    words = said.split(" <---*HERE*")[0].split()
    for first in range(len(words)):
        quoted = r"\s*".join([re.escape(sign) for word in words[first:] for sign in word])
        if len(words) - first > 1 and (found := re.search(quoted, text)):
            return text.count("\n", 0, found.start())
    return 0


def _without_comments(text: str) -> str:
    """Return a text with blanks for its comments; lines stay where they are."""
    made, at = list[str](), 0
    parts = _Parts(text, r"\*\*\*|---", STRING_OF_A_LINE)
    for found in parts:
        if found[0].startswith('"'):
            continue
        end = text.find("\n", found.start())
        end = len(text) if end < 0 else end
        if several := OPENING.match(text, found.end()):
            depth, end = 1, several.end()
            while depth and end < len(text):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
        made += [text[at : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end])]
        at = parts.at = end
    return "".join([*made, text[at:]])


def _statements(text: str, file: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of each module, view and command."""
    plain, line, counted = _without_comments(text), 1, 0
    parts = _Parts(plain, r'[^\s"]+')
    tokens = iter(parts)
    for found in tokens:
        word, begun = found[0], found.start()
        line, counted = line + plain.count("\n", counted, begun), begun
        if word in LINES:
            at = plain.find("\n", begun)
            at = parts.at = len(plain) if at < 0 else at
        else:
            wanted = ENDS.get(word)
            at = next((one.end() for one in tokens if _closes(plain, one, wanted)), -1)
            if at < 0:
                missing = wanted or "."
                raise ReadError(f"{file}, line {line}: {word} … has no end: {missing!r} is missing")
        yield line, plain[begun:at]
        if word in ("q", "quit", "eof"):
            return


def _closes(text: str, token: re.Match[str], wanted: str | None) -> bool:
    if wanted is not None:
        return token[0] == wanted
    return token[0].endswith(".") and END_OF_LINE.match(text, token.end()) is not None

"""S-expressions: lists of words and lists, with the place where each list begins."""

from __future__ import annotations

import re
from typing import Any

from rewrite.budget import tick
from rewrite.errors import ReadError
from rewrite.language.labels import cut

MOST_LEVELS = 200
TOKENS = re.compile(r";[^\n]*|[()]|\??[^\s();?]+|\?")


class Node(list[Any]):
    """A list; `at` is the offset of its parenthesis in the text."""

    __slots__ = ("at",)

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


class Source:
    """A text with the name of its file: says where errors are."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def error(self, at: int, message: str) -> ReadError:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        place = f"{self.name}, line {line:,}, column {column}"
        return ReadError(f"{place}: {message}", line=line, column=column)

    def tree(self) -> Node:
        """Return the one list of which the text consists, in lower case. Raises ReadError."""
        found = self.lists()
        if len(found) != 1:
            number = f"{len(found)} of them" if found else "nothing"
            raise self.error(0, f"expected one list in parentheses, found {number}")
        return found[0]

    def lists(self) -> list[Node]:
        """Return the lists of which the text consists. Raises ReadError."""
        top = Node(0)
        stack, here = list[Node](), top
        for token in TOKENS.finditer(self.text):
            word = token[0]
            if word == "(":
                tick()
                made = Node(token.start())
                here.append(made)
                stack.append(here)
                if len(stack) > MOST_LEVELS:
                    raise self.error(made.at, f"more than {MOST_LEVELS} lists inside each other")
                here = made
            elif word == ")":
                if not stack:
                    raise self.error(token.start(), 'there is a ")" too many')
                here = stack.pop()
            elif word[0] != ";":
                here.append(word.lower())
        if stack:
            raise self.error(here.at, 'this "(" is never closed')
        words = [one for one in top if isinstance(one, str)]
        if words:
            raise self.error(
                0, f"expected lists in parentheses, found {cut(words[0], 60)} outside of them"
            )
        return [one for one in top if isinstance(one, Node)]

"""Words that set an option by name, e.g. red=A, anywhere among the others."""

from collections.abc import Iterable

MOST_DIGITS = 640  # which Python always converts, however its bound is set


def named(words: Iterable[str], name: str, default: str) -> tuple[str, list[str]]:
    """The value of `name=` among the words (the last one counts), and the other words.

    >>> named(["blank=first", "1,2", "3,0"], "blank", "last")
    ('first', ['1,2', '3,0'])
    """
    said, others = default, []
    for word in words:
        if word.startswith(f"{name}="):
            said = word.removeprefix(f"{name}=")
        else:
            others.append(word)
    return said, others


def is_number(word: str) -> bool:
    """Whether a word is a whole number that can be converted."""
    return word.isdecimal() and len(word) <= MOST_DIGITS

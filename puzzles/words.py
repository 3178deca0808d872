"""Words that set an option by name, e.g. red=A, anywhere among the others."""

from collections.abc import Iterable


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

"""A constructor for tests that need any."""

from rewrite import term


@term
class Box:
    at: int

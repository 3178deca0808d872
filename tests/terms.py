"""Constructors for tests that need any."""

from rewrite import term


@term
class Box:
    at: int


@term
class A:
    at: int


@term
class B:
    at: int


@term
class C:
    at: int
    to: int


@term
class Next:
    at: int
    to: int

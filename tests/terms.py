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


@term
class At:
    cell: int
    value: int


@term
class Mark:
    at: int


@term
class Floor:
    at: int


@term
class Player:
    at: int


@term
class On:
    who: str
    bank: str

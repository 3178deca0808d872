"""Constructors and truth values: one object each, in every process."""

import copy
import pickle
from typing import Any, cast

import pytest

from rewrite.compile.interning import BAG, FALSE, TRUE, Ctor, decode, encode
from rewrite.language.terms import Term
from tests.terms import Box


@pytest.mark.parametrize("one", [TRUE, FALSE, BAG, Ctor.of(cast("type[Term]", Box))], ids=repr)
def test_it_stays_the_one_object_when_it_travels(one: object) -> None:
    assert pickle.loads(pickle.dumps(one)) is one
    assert copy.deepcopy(one) is one


@pytest.mark.parametrize("sequence", [(), (1, 2), ("a", 1), ((1, ("a",)), ())])
def test_sequences_of_numbers_and_texts_are_written_as_they_are(sequence: Any) -> None:
    assert encode(sequence) is sequence
    assert decode(sequence) is sequence
    assert decode(encode((True, sequence))) == (True, sequence)
    assert encode((sequence, (1, (True,)))) == (sequence, (1, (TRUE,)))

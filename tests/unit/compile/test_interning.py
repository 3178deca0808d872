"""Constructors and truth values: one object each, in every process."""

import copy
import pickle
from typing import cast

import pytest

from rewrite.compile.interning import BAG, FALSE, TRUE, Ctor
from rewrite.language.terms import Term
from tests.terms import Box


@pytest.mark.parametrize("one", [TRUE, FALSE, BAG, Ctor.of(cast("type[Term]", Box))], ids=repr)
def test_it_stays_the_one_object_when_it_travels(one: object) -> None:
    assert pickle.loads(pickle.dumps(one)) is one
    assert copy.deepcopy(one) is one

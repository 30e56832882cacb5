"""Every public name has an example in its docstring, and all of them are run."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def examples(name: str) -> list[doctest.Example]:
    thing: Any = getattr(mb, name)
    text = thing.__doc__ or ""
    return doctest.DocTestParser().get_examples(text, name)


@pytest.mark.parametrize("name", sorted(mb.__all__))
def test_a_public_name_has_examples_that_run(name: str) -> None:
    found = examples(name)
    assert found, "show how it is used"
    test = doctest.DocTest(found, {"mb": mb, "np": np}, name, None, 0, None)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append)
    assert not told, "".join(told)

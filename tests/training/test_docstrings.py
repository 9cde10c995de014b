"""The examples in the docstrings of training are what comes out."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["start", "training"])
def test_the_examples_of_a_module_hold(module: str) -> None:
    found = importlib.import_module(f"attnviewer.training.{module}")
    results = doctest.testmod(found)
    assert results.attempted
    assert results.failed == 0

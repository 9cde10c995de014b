"""The examples in the docstrings are what comes out."""

import doctest
import importlib
import pkgutil

import pytest

import attnviewer.compute

_MODULES = [
    module.name
    for module in pkgutil.walk_packages(
        attnviewer.compute.__path__, "attnviewer.compute."
    )
]


@pytest.mark.parametrize("name", _MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_functions_for_a_session_have_examples() -> None:
    shown = [
        test.name
        for name in _MODULES
        for test in doctest.DocTestFinder().find(importlib.import_module(name))
        if test.examples
    ]
    for function in ("attention.attention", "multi_head_attention", "normalize"):
        assert any(test.endswith(function) for test in shown)

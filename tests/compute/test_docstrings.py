"""The examples in the docstrings are what comes out."""

import doctest
import importlib
import pkgutil
from importlib.util import find_spec
from pathlib import Path

import pytest

import attnviewer.compute


def _has_examples(name: str) -> bool:
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return ">>>" in Path(spec.origin).read_text(encoding="utf-8")


_MODULES = [
    module.name
    for module in pkgutil.walk_packages(
        attnviewer.compute.__path__, "attnviewer.compute."
    )
    if _has_examples(module.name)
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

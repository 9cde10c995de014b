"""What the package offers to a Python session."""

import inspect
import subprocess
import sys

import pytest

import attnviewer

_FUNCTIONS = [
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "causal_mask",
    "multi_head_attention",
    "normalize",
    "rotary_embedding",
    "sinusoidal_encoding",
    "window_mask",
]


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_a_function_is_offered_and_documented(name: str) -> None:
    function = getattr(attnviewer, name)
    assert name in attnviewer.__all__
    text = inspect.getdoc(function) or ""
    for section in ("Parameters", "Returns", "Raises", "References"):
        assert f"\n{section}\n---" in text


def test_all_names_that_are_offered_are_there() -> None:
    assert [n for n in attnviewer.__all__ if not hasattr(attnviewer, n)] == []


def test_importing_the_package_needs_numpy_alone() -> None:
    code = (
        "import sys, attnviewer; "
        "print([m for m in ('PySide6', 'pyqtgraph', 'msgspec', 'psygnal', 'scipy')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"

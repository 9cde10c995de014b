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


def test_all_names_that_are_offered_are_listed() -> None:
    assert {*attnviewer.__all__, "__version__"} <= set(dir(attnviewer))


def test_a_name_that_is_not_offered_is_not_there() -> None:
    with pytest.raises(
        AttributeError, match="'attnviewer' has no attribute 'atention'"
    ):
        attnviewer.atention  # noqa: B018


def test_what_the_package_offers_needs_numpy_alone() -> None:
    code = (
        "import sys; from attnviewer import *; attention; "
        "print([m for m in ('PySide6', 'pyqtgraph', 'msgspec', 'psygnal', 'scipy')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"

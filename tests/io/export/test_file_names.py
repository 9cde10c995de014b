"""Titles as names of files."""

import pytest

from attnviewer.io.export import file_stem


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("MiniLM · L3 H1 · weights", "MiniLM L3 H1 weights"),
        ("Four words", "Four words"),
        ("a/b: c", "a_b_ c"),
        ("A / B", "A B"),
        ("v1.2, K-V", "v1.2, K-V"),
        ("été 日", "été 日"),
        ("..", "document"),
        (" · ", "document"),
    ],
)
def test_a_title_becomes_a_name_that_every_system_takes(title, stem):
    assert file_stem(title) == stem

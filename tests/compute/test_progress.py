"""How far a computation is, as it is told."""

import pytest

from attnviewer.compute.progress import Counted


def test_the_fraction_grows_with_each_part_and_only_nears_one():
    told = []
    counted = Counted(told.append, usual=2)
    assert list(counted.each("abcd")) == list("abcd")
    assert told == pytest.approx([0, 1 / 3, 2 / 4, 3 / 5])
    assert counted.done == 4

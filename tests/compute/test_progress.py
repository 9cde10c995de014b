"""The progress of a computation."""

import pytest

from attnviewer.compute.patterns.running import reporting
from attnviewer.compute.progress import Counted


def test_the_fraction_grows_with_each_part_and_only_nears_one():
    fractions = []
    counted = Counted(fractions.append, usual=2)
    assert list(counted.each("abcd")) == list("abcd")
    assert fractions == pytest.approx([0, 1 / 3, 2 / 4, 3 / 5])
    assert counted.done == 4


def test_results_of_one_of_several_passes_fill_its_share_of_the_whole():
    fractions = []
    results = reporting("abcd", 4, fractions.append, first=0.25, last=0.75)
    assert list(results) == list("abcd")
    assert fractions == [0.375, 0.5, 0.625, 0.75]

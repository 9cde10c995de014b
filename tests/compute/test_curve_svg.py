"""Curves beside results in Jupyter."""

import re

import numpy as np

from attnviewer.compute.curve_svg import curve_svg


def test_a_curve_goes_evenly_from_edge_to_edge_and_has_a_gap_at_nan():
    # In a frame of 384 × 120 with a margin of 4: 1 is at the bottom, 3 at the top.
    picture = curve_svg(np.array([1.0, 3.0, 2.0, np.nan, 3.0]))
    assert re.search(r' d="(.*?)"', picture)[1] == (
        "M4.0 116.0L98.0 4.0L192.0 60.0M380.0 4.0"
    )
    assert re.findall(r">([\d.]+)</text>", picture) == ["3.0000", "1.0000"]


def test_there_is_no_curve_of_a_single_number():
    assert curve_svg(np.array([np.nan, 1.0])) == ""

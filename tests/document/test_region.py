"""Blocks of cells, and whether a matrix has them."""

import numpy as np
import pytest

from attnviewer import load_example
from attnviewer.document import EditError, Region
from attnviewer.document.masks import paint


@pytest.mark.parametrize(
    ("region", "inside"),
    [
        (Region(0, 0, 3, 2), True),
        (Region(2, 1, 1, 1), True),
        (Region(3, 0, 1, 1), False),
        (Region(0, 1, 1, 2), False),
        (Region(1, 0, 3, 1), False),
        (Region(-1, 0, 2, 1), False),
        (Region(0, -1, 1, 2), False),
        (Region(0, 0, 0, 2), False),
        (Region(0, 0, 2, 0), False),
    ],
)
def test_a_block_is_inside_a_matrix_that_has_all_its_cells(region, inside) -> None:
    assert region.is_inside((3, 2)) is inside


@pytest.mark.parametrize("region", [Region(-1, 0, 1, 1), Region(0, 0, 0, 1)])
def test_a_mask_is_painted_inside_alone(region) -> None:
    with pytest.raises(EditError, match="The cells must lie inside 'mask'"):
        paint(load_example("four-words"), region, np.True_, "Paint")

"""Lines that share the rows of a heatmap leave it what is below them."""

import pytest
from PySide6.QtCore import QPoint, QRect

from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.step.lines.in_rows import LinesInRows
from attnviewer.ui.widgets.row_companion import SharedRows


@pytest.mark.parametrize("top", [100, 0])
def test_the_caption_below_the_rows_is_not_covered(qtbot, top):
    lines = LinesInRows(SelectionModel(), "lines")
    qtbot.addWidget(lines)
    lines.resize(300, 400)
    lines.share_rows(SharedRows(top, 200, 20, 0))
    covered = lines.mask()
    for part in (QRect(0, 0, 300, top + 200), lines.threshold.geometry()):
        assert covered.intersected(part).boundingRect() == part
    assert not covered.contains(QPoint(10, 380))

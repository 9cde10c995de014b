"""A heatmap by itself."""

import pytest

from attnviewer.ui.views.step.heatmap.heatmap import Heatmap


@pytest.fixture
def heatmap(qtbot):
    heatmap = Heatmap()
    qtbot.addWidget(heatmap, before_close_func=lambda widget: widget.hide())
    heatmap.resize(900, 740)
    with qtbot.waitExposed(heatmap):
        heatmap.show()
    return heatmap

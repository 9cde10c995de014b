"""What a step is, in one line, where the header has no room for it."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QTabBar

from attnviewer.io import load
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView


@pytest.fixture
def view(qtbot, appearance):
    workbench = Workbench(load("example:two-heads"))
    view = StepView(workbench, appearance)
    qtbot.addWidget(view)
    view.set_view("how")
    view.show()
    yield view
    workbench.close()


def test_the_line_stands_beside_the_heads_or_in_a_high_header_but_once(view):
    below, beside = (view.findChild(QLabel, n) for n in ("step.concept", "how.line"))
    line = view.fontMetrics().height()
    said = "How each query shares out its attention"
    seen = {}
    for lines in (28, 50, 28):
        view.resize(50 * line, lines * line)
        seen[lines] = below.isVisible(), beside.text().startswith(said)
        assert below.text().startswith(said)
    assert seen == {28: (False, True), 50: (True, False)}
    assert "Softmax" in beside.toolTip()
    view._workbench.open_step("masked")
    assert beside.text() == below.text()
    assert not beside.text().startswith(said)


def test_without_heads_the_line_has_a_row_where_the_page_is_high(view):
    beside = view.findChild(QLabel, "how.line")
    tabs = view.findChild(QTabBar, "how.heads")
    line = view.fontMetrics().height()
    view._workbench.open_step("output")
    seen = {}
    for lines in (33, 24, 33):
        view.resize(50 * line, lines * line)
        QApplication.processEvents()
        seen[lines] = beside.isVisible()
    assert seen == {33: True, 24: False}
    assert beside.text()
    assert not tabs.isVisible()
    view._workbench.open_step("weights")
    assert tabs.isVisible()

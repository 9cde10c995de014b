"""What the tests of the comparing page have in common."""

import pytest

from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView


@pytest.fixture
def open_page(qtbot, appearance):
    benches, views = [], []

    def open_on(document):
        bench = Workbench(document)
        benches.append(bench)
        view = StepView(bench, appearance)
        qtbot.addWidget(view)
        view.resize(900, 740)
        view.set_view("difference")
        with qtbot.waitExposed(view):
            view.show()
        views.append(view)
        return bench, view.difference

    yield open_on
    for bench in benches:
        bench.close()

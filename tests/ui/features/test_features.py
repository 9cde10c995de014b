"""Features register themselves with the window: it knows none of them by name."""

import ast
import inspect

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QWidget

from attnviewer.ui.features.table import FEATURES
from attnviewer.ui.frame import frame
from attnviewer.ui.frame.frame import Feature
from attnviewer.ui.widgets.actions import ActionRow
from attnviewer.ui.widgets.docks import Panel
from attnviewer.ui.window import contents, main_window


class Extra(Feature):
    """A dock, a row of a menu and an attribute of the window."""

    def __init__(self, frame):
        super().__init__(frame)
        self.calls = []
        dock = frame.dock("Extra")
        self.panel = QWidget(dock)
        frame.panels.append(
            Panel(
                "extra",
                dock,
                "E&xtra",
                lambda: (self.panel, QWidget(self.panel)),
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=20,
                keys="Ctrl+Alt+X",
            )
        )
        row = ActionRow("extra.do", "Do e&xtra", self.calls.append, data="done")
        frame.menus.add("help.log", [row])

    @property
    def offers(self):
        return {"extra": self.panel}

    def join(self):
        # All the others exist, even later ones, and so do the docks.
        self.calls.append(self.frame.docks.toggle("extra").shortcut().toString())

    def commit_editors(self):
        self.calls.append("take over")
        return True

    def release(self):
        self.calls.append("release")


@pytest.fixture
def window(monkeypatch, appearance, open_window):
    monkeypatch.setattr("attnviewer.ui.window.contents.FEATURES", (Extra, *FEATURES))
    return open_window("example:four-words")


def test_a_line_in_the_table_is_all_that_a_feature_needs(window) -> None:
    extra = window.feature(Extra)
    dock = window.findChild(QDockWidget, "dock.extra")
    assert dock.widget() is extra.panel is window.extra
    assert dock is window.docks.all[0]
    window.findChild(QAction, "action.extra.do").trigger()
    assert extra.calls == ["Ctrl+Alt+X", "done"]


def test_a_feature_is_let_go_of_after_what_is_typed_was_taken_over(window) -> None:
    calls = window.feature(Extra).calls
    calls.clear()
    window.close()
    assert calls == ["take over", "release"]


@pytest.mark.parametrize("module", [contents, frame, main_window])
def test_the_window_imports_no_feature_but_their_table(module) -> None:
    tree = ast.parse(inspect.getsource(module))
    imported = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    table = FEATURES[0].__module__.rpartition(".")[0] + ".table"
    features = {kind.__module__ for kind in FEATURES}
    assert features.isdisjoint(imported)
    known = {name for name in imported if name and ".features" in name}
    assert known <= {table}

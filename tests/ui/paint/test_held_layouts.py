"""Layouts of main windows while a style is set."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from attnviewer.ui.paint.held_layouts import held_layouts

_SEPARATOR = "qt_qmainwindow_extended_splitter"


def test_a_held_window_deletes_no_separator_until_it_is_let_go(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setStyleSheet("QMainWindow::separator { width: 1px; height: 1px }")
    window.setCentralWidget(QWidget())
    dock = QDockWidget("panel", window)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    with qtbot.waitExposed(window):
        window.show()
    QApplication.processEvents()
    separators = window.findChildren(QWidget, _SEPARATOR)
    deleted = []
    for separator in separators:
        separator.destroyed.connect(lambda: deleted.append(True))
    assert separators
    with held_layouts():
        dock.hide()
        window.resize(700, 500)
        QApplication.processEvents()
        assert not deleted
    assert deleted
    assert window.centralWidget().width() == 700

"""Layouts of main windows while a style is set."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from attnviewer.ui.paint.held_layouts import held_layouts


def test_the_panels_of_a_held_window_are_laid_out_afterwards(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QWidget())
    dock = QDockWidget("panel", window)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(600, 400)
    with qtbot.waitExposed(window):
        window.show()
    QApplication.processEvents()
    center = window.centralWidget()
    before = center.geometry()
    with held_layouts():
        dock.hide()
        window.resize(700, 500)
        QApplication.processEvents()
        assert center.geometry() == before
    assert center.geometry() == window.rect()

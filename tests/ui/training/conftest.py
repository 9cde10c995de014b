"""A window with the training panel, and what a person does there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSpinBox, QToolButton

from attnviewer import load_example
from attnviewer.ui.features.training import TrainingFeature

LEFT = Qt.MouseButton.LeftButton


class Panel:
    """The training panel of a window, used as a person uses it."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot
        self.trainer = window.feature(TrainingFeature).trainer

    def part(self, kind, name):
        return self.window.findChild(kind, f"training.{name}")

    def click(self, name):
        QTest.mouseClick(self.part(QToolButton, name), LEFT)

    def choose(self, name, data):
        box = self.part(QComboBox, name)
        box.setCurrentIndex(box.findData(data))
        box.activated.emit(box.currentIndex())

    def type(self, name, text):
        line = self.part(QLineEdit, name)
        line.selectAll()
        line.insert(text)
        line.textEdited.emit(text)

    @property
    def remark(self):
        return self.part(QLabel, "remark").text()

    @property
    def idle(self):
        engine = self.window.workbench.engine
        trainer = self.trainer
        under_way = trainer._target is not None or bool(trainer.worker.jobs)
        busy = under_way or engine.is_waiting or engine.is_behind
        return not busy

    def rest(self):
        self.qtbot.waitUntil(lambda: self.idle)

    def reach(self, index):
        """Wait for a step while it plays."""
        trainer = self.trainer
        self.qtbot.waitUntil(lambda: trainer.run is not None)
        self.qtbot.waitUntil(lambda: trainer.run.index >= index)

    def renew(self):
        """Open the same example anew, with ten steps."""
        self.window.workbench.open(load_example("look-back"))
        self.rest()
        self.part(QSpinBox, "steps").setValue(10)

    def run_to_end(self):
        self.click("end")
        self.rest()
        return self.trainer.run


@pytest.fixture
def panel(appearance, open_window, qtbot):
    """The panel on the example that is about training, with ten steps."""
    window = open_window("example:look-back", (1366, 768))
    panel = Panel(window, qtbot)
    panel.click("more")
    panel.part(QSpinBox, "steps").setValue(10)
    return panel

import pytest
from PySide6.QtWidgets import QCheckBox, QPushButton, QSpinBox

from attnviewer.ui.doctor.dialog import CheckDialog

from .implementations import saved


class Check:
    """The dialog on a file, and actions in it."""

    def __init__(self, window, qtbot):
        qtbot.waitUntil(lambda: window.checker.dialog is not None)
        self.window, self.qtbot = window, qtbot
        self.widget: CheckDialog = window.checker.dialog

    def find(self, kind, name):
        return self.widget.findChild(kind, f"check.{name}")

    @property
    def reason(self):
        return self.widget.findChild(type(self.widget._reason), "check.reason").text()

    def mean_causal(self):
        self.find(QCheckBox, "causal").click()

    def heads(self, count):
        self.find(QSpinBox, "n_heads").setValue(count)

    def start(self):
        self.find(QPushButton, "start").click()

    def finish(self):
        """Start, and return the examination."""
        before = self.window.document
        self.start()
        # What nothing explains takes seconds, and longer on a busy machine.
        self.qtbot.waitUntil(lambda: self.window.document is not before, timeout=30_000)
        return self.window.workbench.doctor.examination


@pytest.fixture
def checked(window, qtbot, tmp_path):
    """Return a function that opens the dialog on what an implementation gave."""

    def check(mine, given=None, name="mine.npz"):
        window.opener.open(str(saved(tmp_path / name, mine, given)))
        return Check(window, qtbot)

    yield check
    if window.checker.dialog is not None:
        window.checker.dialog.reject()

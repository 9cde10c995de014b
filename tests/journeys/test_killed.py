"""A program that is killed in the midst of the work, and started again."""

import os
import signal
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTreeWidget

from attnviewer.io import read_session, save_session
from attnviewer.ui.features.recovery import RecoveryFeature
from attnviewer.ui.recovery.dialog import RecoveryDialog
from attnviewer.ui.state.folders import data_folder
from tests.documents import FOUR_WORDS, four_words

_PERSON = """
import sys

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

QSettings.setDefaultFormat(QSettings.Format.IniFormat)
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, sys.argv[2])

from attnviewer import cli
from attnviewer.ui import launch
from attnviewer.ui.window.main_window import MainWindow

launch.missing_display = lambda: None

class Watched(MainWindow):
    def settle(self):
        super().settle()
        QTimer.singleShot(0, type_a_number)

def type_a_number():
    (window,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, Watched))
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "7")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    print(window.document.matrix("X")[0, 0], flush=True)

launch.MainWindow = Watched
cli.main([sys.argv[1]])
"""
LIMIT = 30_000


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_what_was_typed_before_a_kill_is_there_after_the_next_start(
    window, qtbot, tmp_path
):
    file = tmp_path / "words.attn"
    save_session(four_words(), file)
    command = [sys.executable, "-c", _PERSON, str(file), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "7.0\n"
            recovery = data_folder() / "recovery"
            assert recovery.is_relative_to(os.environ["XDG_DATA_HOME"])
            qtbot.waitUntil(lambda: any(recovery.glob("*/*.attn")), timeout=LIMIT)
        finally:
            program.send_signal(signal.SIGKILL)
    assert program.returncode == -signal.SIGKILL

    window.add(RecoveryFeature)
    dialog = window.findChild(RecoveryDialog)
    item = dialog.findChild(QTreeWidget).topLevelItem(0)
    assert (item.text(0), item.text(4)) == ("“Four words”", "words.attn")
    assert item.toolTip(1) == "4 tokens: word 1 word 2 word 3 word 4 · Self-attention"
    assert "X" in item.text(2), "the last change"
    button = dialog.findChild(QPushButton, "recovery.recover")
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert button.isDefault()
    qtbot.waitUntil(lambda: window.document.title == "Four words")
    assert window.document.matrix("X")[0, 0] == 7.0
    assert window.isWindowModified()
    assert read_session(file).matrix("X").tolist() == FOUR_WORDS["X"]
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert read_session(file).matrix("X")[0, 0] == 7.0

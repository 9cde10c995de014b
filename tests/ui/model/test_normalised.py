"""Models that normalise queries and keys, in the window."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.models.layer_documents import link_of
from tests.models.checkpoints import write_olmo2, write_qwen3
from tests.ui.model.test_bar import LEFT, button

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_a_head_is_opened_alone_unless_all_heads_are_normalised_together(
    window, open_model, qtbot, tmp_path
) -> None:
    open_model(write_qwen3(tmp_path / "qwen3"))
    window.workbench.open_step("normed K", (0, 1))
    assert window.workbench.selection.step == "normed K"
    edit = button(window, "edit_head")
    QTest.mouseClick(edit, LEFT)
    qtbot.waitUntil(lambda: link_of(window.document).name == "L0 H0")
    assert window.document.matrix("gain_K").shape == (1, 16)
    qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
    open_model(write_olmo2(tmp_path / "olmo2"))
    QApplication.processEvents()
    assert not edit.isEnabled()
    assert "normalised with all heads" in edit.toolTip()

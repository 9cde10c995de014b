"""A person chooses a mask, paints it, and sees attention follow."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox

from attnviewer.ui.views.inputs.mask.table import MaskTable

LEFT = Qt.MouseButton.LeftButton


def drag(qtbot, table, start, stop):
    viewport, model = table.viewport(), table.model()
    first, last = (table.visualRect(model.index(*c)).center() for c in (start, stop))
    qtbot.mousePress(viewport, LEFT, pos=first)
    where = QPointF(last), QPointF(viewport.mapToGlobal(last))
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        *where,
        Qt.MouseButton.NoButton,
        LEFT,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, event)
    qtbot.mouseRelease(viewport, LEFT, pos=last)


def test_attention_follows_a_chosen_and_painted_mask_and_undo_leads_back(qtbot, window):
    document, engine = window.workbench.document, window.workbench.engine
    before = (document.spec, {n: a.tobytes() for n, a in document.matrices.items()})

    def zeros():
        engine.flush()
        weights = engine.current.trace.window("weights")
        assert np.allclose(weights.sum(1)[weights.any(1)], 1)
        return [[int(w == 0) for w in row] for row in weights]

    box = window.findChild(QComboBox, "spec.mask")
    box.setFocus()
    qtbot.keyClicks(box, "b")
    assert box.currentText() == "Block 2"
    blocks = [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]
    assert zeros() == blocks

    table = window.findChild(MaskTable)
    qtbot.waitUntil(lambda: table.visibleRegion().boundingRect().height() > 0)
    last_cell = table.model().index(3, 3)
    qtbot.waitUntil(
        lambda: table.viewport().rect().contains(table.visualRect(last_cell))
    )
    drag(qtbot, table, (0, 1), (3, 1))
    assert box.currentText() == "Painted"
    assert zeros() == [[0, 1, 1, 1], [0, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]
    assert window.workbench.edits.undoText() == "Paint mask: hide 2 cells"

    qtbot.keyClick(window, "z", Qt.KeyboardModifier.ControlModifier)
    assert zeros() == blocks
    qtbot.keyClick(window, "z", Qt.KeyboardModifier.ControlModifier)
    after = (document.spec, {n: a.tobytes() for n, a in document.matrices.items()})
    assert after == before
    assert not window.isWindowModified()

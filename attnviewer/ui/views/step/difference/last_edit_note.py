"""A note about the changes of the last edit, visible on every page."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from attnviewer.compute import CellChange, LargestChanges
from attnviewer.document import Comparison
from attnviewer.document.comparison import Side, StepPair
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.step.difference.texts import (
    what_changed,
    what_last_edit_did,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

CALM = 150
"""Milliseconds without an edit before the last one is described."""
MOST_CELLS = 2**17
"""The most cells of a step that are compared; larger ones are not described."""


class LastEditNote(QToolButton):
    """Says how much of the open step the last edit changed; a click shows the changes.

    Attributes
    ----------
    wanted : Signal
        The user wants to see the changes: carries the largest `CellChange`, or None if
        unknown.
    """

    wanted = Signal(object)

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status.last_edit")
        self.setAutoRaise(True)
        # Otherwise the bar would be as high as an icon until there is a text.
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._workbench = workbench
        self._largest: CellChange | None = None
        self._timer = QTimer(self, singleShot=True, interval=CALM)
        self._timer.timeout.connect(self._update_text)
        self.clicked.connect(self._on_clicked)
        workbench.engine.computed.connect(self._on_changed)
        workbench.opened.connect(self._on_changed)
        workbench.selection.step_changed.connect(self._on_changed)
        self.hide()

    def release(self) -> None:
        """Stop and clear the note."""
        self._timer.stop()

    @Slot()
    def _on_changed(self) -> None:
        self._largest = None
        if self._workbench.edits.last is None:
            self._timer.stop()
            self.hide()
        else:
            self._timer.start()

    @Slot()
    def _update_text(self) -> None:
        title = self._workbench.baseline.title("last_edit")
        if not title:
            return
        step = self._workbench.selection.step
        changes = self._compare(step)
        if changes is None:
            text, description = self.tr("Last edit"), title
        else:
            self._largest = changes.largest[0] if changes.largest else None
            text = what_last_edit_did(step, changes)
            description = self.tr("{edit}. {step}: {sentence}").format(
                edit=title, step=step_title(step), sentence=what_changed(changes)
            )
        self.setText(text)
        self.setAccessibleName(self.tr("What the last edit changed"))
        self.setAccessibleDescription(description)
        # The status bar of a small window cuts the text off.
        self.setToolTip(plain_tip(f"{text}\n{description}"))
        self.show()

    def _compare(self, step: str) -> LargestChanges | None:
        """Compare the open step with its previous state, if that is fast."""
        workbench, computed = self._workbench, self._workbench.engine.current
        quick = workbench.engine.fits_a_frame(workbench.document)
        if step not in computed.trace or step in computed.withheld or not quick:
            return None
        reference = workbench.baseline.last_edit()
        before = reference.side if reference else None
        if before is None:
            return None
        pair = Comparison(Side(computed.trace, computed.labels), before).pair(step)
        if not isinstance(pair, StepPair):
            return None
        changes = pair.changes()
        if changes.cells > MOST_CELLS:
            return None
        for _ in changes.compare():
            pass
        return changes

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(self._largest)

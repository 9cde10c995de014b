"""The message about pins that an edit drops."""

from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from attnviewer.compute import misfits
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar


class DroppedPins(QObject):
    """Tells which pins an edit of tokens, dimensions or variant drops, and why."""

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workbench, self._notice = workbench, notice
        self._remember()
        workbench.opened.connect(self._remember)
        workbench.edits.indexChanged.connect(self._compare)

    @Slot()
    def _remember(self) -> None:
        document = self._workbench.document
        self._document, self._pins = document, document.pins
        self._tokens = document.tokens, document.context_tokens

    @Slot()
    def _compare(self) -> None:
        document, pins, tokens = self._workbench.document, self._pins, self._tokens
        same = document is self._document
        self._remember()
        if not same or len(document.pins) >= len(pins):
            return
        if tokens != self._tokens:
            count = len(pins) - len(document.pins)
            text = self.tr("A pin went with its tokens.")
            if count > 1:
                text = self.tr("{count} pins went with their tokens.").format(
                    count=count
                )
            self._notice.show_message(text)
            return
        shapes = {name: matrix.shape for name, matrix in document.matrices.items()}
        for pin, reason in misfits(replace(document.spec, pins=pins), shapes):
            text = self.tr("The pin {pin} was dropped. {reason}")
            self._notice.show_message(text.format(pin=pin, reason=reason))
            return

"""The author's notes on a document."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)
from shiboken6 import isValid

from attnviewer.ui.paint.focus import moves_focus

LEAST_SHARE = 0.15
"""The least share of the window's height for long notes, which scroll."""
PADDING = 8
"""Padding above and below the text, as in the style sheet."""
EDITED_LINES = 6
"""The least height of the editor, in lines."""


class NotesArea(QScrollArea):
    """Shows a text, in full if there is room; takes no space without one.

    A double click, Return or F2 opens an editor in its place. Losing the focus or
    Ctrl+Return commits the text; Escape discards the changes.

    Attributes
    ----------
    edited : Signal
        Carries the typed text.
    """

    edited = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notes.scroll")
        self.setAccessibleName(self.tr("What this document shows"))
        self.setAccessibleDescription(self.tr("Press Return to edit the notes."))
        self.setWidgetResizable(True)
        self._label = QLabel(self)
        self._label.setObjectName("notes")
        self._label.setWordWrap(True)
        self._label.setIndent(0)  # the style sheet's padding alone
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._label.setToolTip(self.tr("Double-click to edit the notes."))
        self._label.installEventFilter(self)
        self.setWidget(self._label)
        self._editor: _Editor | None = None
        self._previous_focus: QWidget | None = None
        self._free = 0
        self.hide()

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self._label.text():
            self._label.setText(text)
            self._show_text()

    def set_free(self, height: int) -> None:
        """Set the height that nothing else needs, in pixels."""
        if height != self._free:
            self._free = height
            self.fit()

    def edit(self) -> None:
        """Open the editor, raising the panel if needed."""
        if self._editor is None:
            self._previous_focus = QApplication.focusWidget()
            self._editor = _Editor(self._label.text(), self)
            self._editor.finished.connect(self._finish)
        self._show_panel()
        self.show()
        self.fit()
        self._editor.show()
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def fit(self) -> None:
        """Fit the height to the text at the current width."""
        metrics = self._label.fontMetrics()
        # Lines of a text may be farther apart than the font says.
        one, two = (metrics.size(0, text).height() for text in ("x", "x\nx"))
        line = two - one
        most = max(LEAST_SHARE * self.window().height(), self._free)
        frame = 2 * self.frameWidth()
        needed = self._label.heightForWidth(self.width() - frame)
        fits = needed + frame <= most
        # Qt keeps a scroll bar as long as the lines beside it do not fit, even if they
        # would without it.
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if fits else policy.ScrollBarAsNeeded
        )
        lines = int((most - frame - PADDING) / line)
        # Show whole lines of a text that is too long.
        shown = needed if fits else PADDING + lines * line
        if self._editor is not None:
            shown = max(shown, 2 * PADDING + EDITED_LINES * line)
        self.setFixedHeight(shown + frame)
        if self._editor is not None:
            self._editor.setGeometry(self.rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._editor is not None:
            self._editor.setGeometry(self.rect())
        if event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.edit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and (
            event.type() == QEvent.Type.MouseButtonDblClick
        ):
            self.edit()
            return True
        return super().eventFilter(watched, event)

    def _finish(self, text: str) -> None:
        editor, self._editor = self._editor, None
        if editor is None:
            return
        before = self._label.text()
        # First, as Qt would choose another widget for the focus of a hidden one.
        previous_focus = self._previous_focus
        if editor.hasFocus() and previous_focus is not None and isValid(previous_focus):
            previous_focus.setFocus(Qt.FocusReason.OtherFocusReason)
        editor.hide()
        editor.deleteLater()
        self._show_text()
        if text != before:
            self.edited.emit(text)

    def _show_text(self) -> None:
        self.setVisible(bool(self._label.text()) or self._editor is not None)
        self.fit()

    def _show_panel(self) -> None:
        panel = self.parentWidget()
        while panel is not None and not isinstance(panel, QDockWidget):
            panel = panel.parentWidget()
        if panel is not None:
            panel.show()
            panel.raise_()


class _Editor(QPlainTextEdit):
    """A plain text editor; `finished` carries the text to keep."""

    finished = Signal(str)

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setObjectName("notes.editor")
        self.setAccessibleName(self.tr("Notes"))
        self.setPlaceholderText(self.tr("What does this document show?"))
        self.setTabChangesFocus(True)
        self._before = text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape:
            self.finished.emit(self._before)
        elif enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._finish()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if moves_focus(event):
            self._finish()

    def _finish(self) -> None:
        self.finished.emit(self.toPlainText().strip())

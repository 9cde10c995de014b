"""The dialog for unexpected errors."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from attnviewer.io import save_session
from attnviewer.io.export import file_stem
from attnviewer.io.session import SUFFIX
from attnviewer.ui.files.file_dialogs import ask_for_session
from attnviewer.ui.log import FILE, log_error, log_folder
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.push_button import push_button

_SIGNS, _LINES = 84, 12
"""Characters per line, and lines of details."""


class FailureDialog(QDialog):
    """Says what happened, and first of all offers to save a copy."""

    def __init__(self, window: QWidget, workbench: Workbench, details: str) -> None:
        super().__init__(window)
        self.setObjectName("failure")
        self.setWindowTitle(self.tr("Unexpected error"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window, self._workbench = window, workbench
        self._details = self._build_details(details)
        label = QLabel(
            self.tr(
                "This is a bug in attnviewer, not a mistake of yours.\n\n"
                "Your document is still open. Save a copy of it first, because the "
                "window may no longer show it correctly. Then continue, or quit and "
                "restart.\n\n"
                "To report the bug, send the log file {log}. It contains none of your "
                "numbers."
            ).format(log=log_folder() / FILE)
        )
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._outcome = QLabel(self)
        self._outcome.setObjectName("failure.outcome")
        self._outcome.setWordWrap(True)
        self._outcome.setTextFormat(Qt.TextFormat.PlainText)
        self._outcome.hide()
        self._column = dialog_column(self)
        for widget in (label, self._outcome, self._details):
            self._column.addWidget(widget)
        self._column.addLayout(self._build_buttons())
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * _SIGNS)
        self._fit()

    def add(self, details: str) -> None:
        """Add a further error."""
        self._details.appendPlainText(details)

    def _build_details(self, details: str) -> QPlainTextEdit:
        viewer = QPlainTextEdit(self)
        viewer.setObjectName("failure.details")
        viewer.setAccessibleName(self.tr("Details"))
        viewer.setReadOnly(True)
        viewer.setTabChangesFocus(True)
        viewer.setMaximumBlockCount(10_000)
        viewer.setPlainText(details)
        viewer.setMinimumHeight(self.fontMetrics().lineSpacing() * _LINES)
        viewer.hide()
        return viewer

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        save = self._add_button(row, "save", self.tr("&Save a copy…"), self._save)
        save.setDefault(True)
        save.setFocus()
        show = self.tr("Show &details")
        self._show = self._add_button(row, "show", show, self._toggle_details)
        row.addStretch(1)
        self._add_button(row, "continue", self.tr("&Continue"), self.reject)
        self._add_button(row, "quit", self.tr("&Quit"), self._quit)
        return row

    def _add_button(
        self, row: QHBoxLayout, name: str, text: str, act: Callable[[], None]
    ) -> QPushButton:
        button = push_button(f"failure.{name}", text, act, self)
        row.addWidget(button)
        return button

    def _fit(self) -> None:
        """Resize to the height of the text; the default is too small."""
        self._column.activate()
        width = max(self.width(), self.minimumWidth())
        self.setMinimumHeight(self._column.totalHeightForWidth(width))
        self.resize(width, self.minimumHeight())

    @Slot()
    def _save(self) -> None:
        document = self._workbench.document
        name = self.tr("{title}, a copy").format(title=document.title)
        suggested = documents_folder() / (file_stem(name) + SUFFIX)
        try:
            path = ask_for_session(self, self.tr("Save a copy"), suggested)
            if path is None:
                return
            save_session(document, path)
        except Exception as error:
            # Whatever the error, a second dialog would not help.
            log_error(error)
            self._show_outcome(
                self.tr("No copy was saved. {reason}").format(reason=error)
            )
        else:
            self._show_outcome(self.tr("The copy was saved: {path}").format(path=path))

    def _show_outcome(self, text: str) -> None:
        self._outcome.setText(text)
        self._outcome.show()
        self._fit()

    @Slot()
    def _toggle_details(self) -> None:
        visible = self._details.isHidden()
        self._details.setVisible(visible)
        self._show.setText(
            self.tr("Hide &details") if visible else self.tr("Show &details")
        )
        self._fit()

    @Slot()
    def _quit(self) -> None:
        self.accept()
        try:
            self._window.close()
        except Exception as error:
            # Unsaved work is kept, and offered at the next start.
            log_error(error)
            QApplication.exit(1)

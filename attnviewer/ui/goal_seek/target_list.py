"""The targets in the dialog."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from attnviewer.document import Document
from attnviewer.ui.goal_seek.cell_reference import (
    CellReference,
    Quantity,
    selected_reference,
)
from attnviewer.ui.goal_seek.target_entry import TargetEntry
from attnviewer.ui.goal_seek.target_row import TargetRow
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.concepts import GOAL_SEEK, what_is

MOST = 50
"""The most targets: each has a row of widgets."""


class TargetList(QWidget):
    """Lists the targets; further ones are added from the window.

    Attributes
    ----------
    changed : Signal
        Something else is asked for.
    refused : Signal
        Why a target was not added.
    """

    changed = Signal()
    refused = Signal(str)

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self.rows: list[TargetRow] = []
        self._document = workbench.document
        self._aside: dict[Document, list[TargetRow]] = {}
        heading = QLabel(self.tr("Targets"), self)
        heading.setProperty("heading", True)
        self.setWhatsThis(what_is(heading.text(), GOAL_SEEK["targets"]))
        self._add = QPushButton(self.tr("&Add the selected cell"), self)
        self._add.setObjectName("seek.add")
        self._add.setAutoDefault(False)
        self._add.setToolTip(
            self.tr("Select another cell in the window, then click this")
        )
        self._none = QLabel(
            self.tr(
                "Select a cell in the window and add it, or choose Goal Seek from the "
                "context menu of any cell or row."
            ),
            self,
        )
        self._none.setObjectName("seek.none")
        self._none.setProperty("muted", True)
        self._none.setWordWrap(True)
        above = QHBoxLayout()
        above.addWidget(heading, 1)
        above.addWidget(self._add)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addLayout(above)
        self._column.addWidget(self._none)
        self._add.clicked.connect(self._add_selected)
        workbench.selection.cell_changed.connect(self._pick)

    @property
    def steps(self) -> set[str]:
        """The steps that targets are about."""
        return {row.reference.step for row in self.rows if row.reference is not None}

    def asked(self) -> list[TargetEntry] | None:
        """Return the targets; None, with the reasons in place, if any is none."""
        found = [row.check() for row in self.rows]
        kept = [each for each in found if each is not None]
        return kept if len(kept) == len(found) else None

    def add(self, reference: CellReference, quantity: Quantity) -> None:
        """Add a target, or go to that of the same number."""
        for row in self.rows:
            if row.reference == reference and row.quantity == quantity:
                row.focus()
                return
        self._workbench.engine.catch_up()
        computed = self._workbench.engine.current
        row = TargetRow(reference, quantity, computed, self._selected, self)
        row.removed.connect(self._remove)
        row.changed.connect(self.changed)
        self.rows.append(row)
        self._column.addWidget(row)
        self._show_count()
        row.show()
        row.focus()
        self.changed.emit()

    def turn_to(self, document: Document) -> None:
        """Put the targets of one document aside, and list those of another."""
        self._aside[self._document] = self.rows
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
        self._document = document
        self.rows = self._aside.pop(document, [])
        for row in self.rows:
            self._column.addWidget(row)
            row.show()
        self._show_count()

    def follow(self) -> None:
        """Show the present numbers."""
        for row in self.rows:
            row.follow(self._workbench.engine.current)

    def _selected(self) -> CellReference | None:
        return selected_reference(self._workbench)

    def _show_count(self) -> None:
        self._none.setVisible(not self.rows)
        self._add.setEnabled(len(self.rows) < MOST)

    @Slot()
    def _add_selected(self) -> None:
        reference = self._selected()
        if reference is None:
            self.refused.emit(self.tr("Select a cell of a computed step first."))
        else:
            self.add(reference, "cell")

    @Slot()
    def _remove(self) -> None:
        row = self.sender()
        assert isinstance(row, TargetRow)
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._show_count()
        self._add.setFocus()
        self.changed.emit()

    @Slot()
    def _pick(self) -> None:
        reference = self._selected()
        for row in self.rows:
            row.pick(reference)

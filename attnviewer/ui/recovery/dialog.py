"""The list of what was not saved when a process ended."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from attnviewer.io.recovery import Leftover
from attnviewer.one_line import one_line
from attnviewer.ui.tool_tips import plain_tip

_SIGNS, _LINES, _NAME = 84, (3, 10), 24
"""Signs across, the least and the most lines, and signs of a file's name, that there is
room for."""


class RecoveryDialog(QDialog):
    """Offers what was left behind; it keeps nobody from going on with the window.

    What is neither recovered nor discarded is offered at the next start again.

    Parameters
    ----------
    leftovers : sequence of Leftover
        What was left behind.
    parent : QWidget
        The window.

    Attributes
    ----------
    wanted : Signal
        A `Leftover` that is to be recovered.
    """

    wanted = Signal(object)

    def __init__(self, leftovers: Sequence[Leftover], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recovery")
        self.setWindowTitle(self.tr("Unsaved documents"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        told = QLabel(
            self.tr(
                "attnviewer has ended before these documents were saved. What was kept "
                "of them can be opened again; their files stay as they are until you "
                "save."
            )
        )
        told.setWordWrap(True)
        self._list = self._build_list(leftovers)
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox(self)
        # Made here: PySide lets go of those that the box makes while they are shown.
        self._recover = QPushButton(self.tr("&Recover"), self)
        self._discard = QPushButton(self.tr("&Discard"), self)
        later = QPushButton(self.tr("&Later"), self)
        for name, button, role in (
            ("recover", self._recover, roles.AcceptRole),
            ("discard", self._discard, roles.DestructiveRole),
            ("later", later, roles.RejectRole),
        ):
            button.setObjectName(f"recovery.{name}")
            buttons.addButton(button, role)
        self._recover.setDefault(True)
        self._recover.clicked.connect(self._want)
        self._discard.clicked.connect(self._remove)
        later.clicked.connect(self.reject)
        self._list.itemSelectionChanged.connect(self._enable)
        layout = QVBoxLayout(self)
        layout.addWidget(told)
        layout.addWidget(self._list)
        layout.addWidget(buttons)
        width = self.fontMetrics().averageCharWidth() * _SIGNS
        # By itself it takes the text for shorter than it is when it is broken.
        self.setMinimumSize(width, layout.totalHeightForWidth(width))

    def _build_list(self, leftovers: Sequence[Leftover]) -> QTreeWidget:
        shown = QTreeWidget(self)
        shown.setObjectName("recovery.list")
        shown.setAccessibleName(self.windowTitle())
        shown.setHeaderLabels([self.tr("Document"), self.tr("Kept"), self.tr("File")])
        shown.setRootIsDecorated(False)
        shown.setUniformRowHeights(True)
        shown.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        modes = QHeaderView.ResizeMode
        header = shown.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, modes.Stretch)
        header.setSectionResizeMode(1, modes.ResizeToContents)
        header.setSectionResizeMode(2, modes.ResizeToContents)
        for leftover in leftovers:
            file = leftover.about.file if leftover.about else None
            name = self._elided(Path(file).name) if file else "—"
            texts = [title_of(leftover), _when(leftover), name]
            item = QTreeWidgetItem(shown, texts)
            item.setData(0, Qt.ItemDataRole.UserRole, leftover)
            item.setToolTip(0, plain_tip(texts[0]))
            if file is not None:
                item.setToolTip(2, plain_tip(file))
        shown.selectAll()
        least, most = _LINES
        lines = min(max(len(leftovers), least), most) + 1  # with the header
        shown.setSizeAdjustPolicy(QTreeWidget.SizeAdjustPolicy.AdjustToContents)
        shown.setMinimumHeight(lines * 2 * self.fontMetrics().height())
        return shown

    def _elided(self, name: str) -> str:
        """Return a file's name that leaves room for its document's."""
        metrics = self.fontMetrics()
        room = _NAME * metrics.averageCharWidth()
        middle = Qt.TextElideMode.ElideMiddle
        return metrics.elidedText(one_line(name), middle, room)

    @Slot()
    def _enable(self) -> None:
        some = bool(self._list.selectedItems())
        self._recover.setEnabled(some)
        self._discard.setEnabled(some)

    @Slot()
    def _want(self) -> None:
        for leftover in self._taken():
            self.wanted.emit(leftover)
        self._leave_if_empty()

    @Slot()
    def _remove(self) -> None:
        for leftover in self._taken():
            leftover.discard()
        self._leave_if_empty()

    def _taken(self) -> list[Leftover]:
        """Take what is selected from the list."""
        items = self._list.selectedItems()
        leftovers = [item.data(0, Qt.ItemDataRole.UserRole) for item in items]
        for item in items:
            self._list.takeTopLevelItem(self._list.indexOfTopLevelItem(item))
        return leftovers

    def _leave_if_empty(self) -> None:
        if not self._list.topLevelItemCount():
            self.accept()


def title_of(leftover: Leftover) -> str:
    """Return what a person calls it."""
    if leftover.about is None:
        return QCoreApplication.translate("recovery", "A document of unknown title")
    return f"“{leftover.about.title}”"


def _when(leftover: Leftover) -> str:
    local = QDateTime.fromSecsSinceEpoch(int(leftover.time.timestamp()))
    return QLocale().toString(local, QLocale.FormatType.ShortFormat)

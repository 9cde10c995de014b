"""Check boxes of the matrices that may be trained."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

COLUMNS = 2


class MatrixBoxes(QWidget):
    """Check boxes of the matrices of a document.

    Attributes
    ----------
    changed : Signal
        The user has checked other ones.
    """

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("training.free")
        self.setAccessibleName(self.tr("Matrices that are trained"))
        self._boxes: dict[str, QCheckBox] = {}
        self._wished: frozenset[str] = frozenset()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(COLUMNS, 1)

    @property
    def names(self) -> tuple[str, ...]:
        """The matrices on offer."""
        return tuple(self._boxes)

    @property
    def boxes(self) -> tuple[QCheckBox, ...]:
        """The check boxes of the matrices on offer."""
        return tuple(self._boxes.values())

    @property
    def checked(self) -> tuple[str, ...]:
        """The matrices that are checked."""
        return tuple(name for name, box in self._boxes.items() if box.isChecked())

    def offer(self, names: Sequence[str]) -> None:
        """Offer other matrices, with those checked that were when last on offer."""
        if tuple(names) == self.names:
            return
        for box in self._boxes.values():
            self._grid.removeWidget(box)
            box.setParent(None)
            box.deleteLater()
        self._boxes = {}
        for place, name in enumerate(names):
            box = QCheckBox(name, self)
            box.setObjectName(f"training.free.{name}")
            box.setChecked(name in self._wished)
            box.clicked.connect(self._on_clicked)
            self._boxes[name] = box
            self._grid.addWidget(box, place // COLUMNS, place % COLUMNS)

    def check(self, names: Sequence[str]) -> None:
        """Check these, and no others."""
        self._wished = frozenset(names)
        for name, box in self._boxes.items():
            box.setChecked(name in names)

    @Slot()
    def _on_clicked(self) -> None:
        # Those not on offer, such as while there are no projections, stay wished.
        self._wished = self._wished.difference(self.names).union(self.checked)
        self.changed.emit()

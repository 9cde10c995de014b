"""Controls to sort and search the atlas."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from attnviewer.ui.state.head_report import Group
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.views.step.heads.offering import (
    MOST_IN_SIGHT,
    offer_groups,
    offer_statistics,
)
from attnviewer.ui.views.step.heads.ordering import Sorting
from attnviewer.ui.views.step.heads.statistics import CELL, SIMILARITY, statistics_of
from attnviewer.ui.widgets.choice_boxes import ChoiceBox

BY_LAYER = ""
"""Stands for no statistic: layers across, heads down."""
LEAST_CHOICE = 8
"""Characters of a choice that are always in sight."""


class AtlasChoices(QWidget):
    """Sorts the heads by what *All heads* sorts them by, and finds them by name.

    Attributes
    ----------
    sorted : Signal
        Another order was chosen.
    survey_wanted : Signal
        The file of a survey is to be asked for.
    sought : Signal
        Another name was typed.
    entered : Signal
        The head that is looked for is to be opened.
    """

    sorted = Signal()
    survey_wanted = Signal()
    sought = Signal()
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.order = ChoiceBox(self, self.tr("Sort"))
        self.order.setObjectName("atlas.order")
        self._offered: Sequence[Group] | None = None
        self.order.setSizeAdjustPolicy(
            ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.order.setMinimumContentsLength(LEAST_CHOICE)
        self.order.setMaxVisibleItems(MOST_IN_SIGHT)
        self.direction = QToolButton(self)
        self.direction.setObjectName("atlas.direction")
        self.direction.setCheckable(True)
        self.search = _Search(self)
        self.search.setObjectName("atlas.search")
        self.search.setPlaceholderText("L3 H1")
        self.search.setAccessibleName(self.tr("Find heads"))
        self.search.setToolTip(
            self.tr("Find a head, such as L3 H1, or a whole layer: L3. Enter opens it.")
        )
        self.survey = QToolButton(self)
        self.survey.setObjectName("atlas.survey")
        self.survey.setText("…")
        self.survey.setAccessibleName(self.tr("Open survey…"))
        self.survey.setToolTip(
            self.tr(
                "Sort by what heads do over many texts: open a file of “attnviewer "
                "survey”"
            )
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.order, 3)
        row.addWidget(self.direction)
        row.addWidget(self.search, 2)
        row.addWidget(self.survey)
        self.order.activated.connect(self._on_sorted)
        self.direction.toggled.connect(self._on_sorted)
        self.survey.clicked.connect(self.survey_wanted)
        self.search.textChanged.connect(self.sought)
        self.search.returnPressed.connect(self.entered)
        self.offer(())

    def offer(self, groups: Sequence[Group]) -> None:
        """Offer more numbers to sort heads by, beside those that are always known."""
        if groups == self._offered:
            return
        self._offered = groups
        box = self.order
        before = self.statistic if box.count() else BY_LAYER
        box.clear()
        box.addItem(self.tr("by layer"), BY_LAYER)
        titles = statistics_of(weights=True)
        box.add(titles.pop(CELL), CELL, STATISTICS[CELL])
        box.add_heading(self.tr("Statistics"))
        del titles[SIMILARITY]  # to a head that is chosen in the wall
        offer_statistics(box, titles, of_model=bool(groups))
        offer_groups(box, groups)
        box.setCurrentIndex(max(0, box.findData(before)))
        self._show_direction()

    @property
    def statistic(self) -> str:
        """The number that heads are sorted by; `BY_LAYER` for none."""
        name: str = self.order.currentData()
        return name

    @property
    def sorting(self) -> Sorting:
        """The order of the maps."""
        if self.statistic == BY_LAYER:
            return "number"
        return "smallest" if self.direction.isChecked() else "largest"

    @property
    def name(self) -> str:
        """The typed text."""
        return self.search.text()

    @Slot()
    def _on_sorted(self) -> None:
        self._show_direction()
        self.sorted.emit()

    def _show_direction(self) -> None:
        up = self.direction.isChecked()
        self.direction.setVisible(self.statistic != BY_LAYER)
        self.direction.setText("↑" if up else "↓")
        tip = self.tr("smallest first") if up else self.tr("largest first")
        self.direction.setToolTip(tip)
        self.direction.setAccessibleName(tip)


class _Search(QLineEdit):
    """A line that Escape clears."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

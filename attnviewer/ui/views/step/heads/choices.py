"""What the cards say, how they are sorted, and whether they are combined."""

from typing import Literal

from PySide6.QtCore import QEvent, QMargins, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from attnviewer.compute import Combination
from attnviewer.ui.paint.paper import ON_SCREEN_ONLY
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.views.step.heads.statistics import SIMILARITY, statistics_of
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from attnviewer.ui.widgets.tool_tips import plain_tip

MARGIN = 16
Sorting = Literal["number", "largest", "smallest", "alike"]


class HeadChoices(QWidget):
    """The row of choices above the cards.

    Attributes
    ----------
    large_button : QPushButton
        Shows the combined heads instead of the cards.
    changed : Signal
        Something else was chosen.
    compared : Signal
        Similarity to the head that is chosen now is asked for.
    layers_chosen : Signal
        The heads of one layer are to be shown now, or those of all layers.
    """

    changed = Signal()
    compared = Signal()
    layers_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("heads.choices")
        self.setProperty(ON_SCREEN_ONLY, True)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._row.setSpacing(8)
        self._captions: dict[ChoiceBox, QLabel] = {}
        self._layers = self._add("layers", self.tr("Heads of"))
        self._layers.addItem(self.tr("This layer"), False)
        self._layers.addItem(self.tr("All layers"), True)
        self._statistic = self._add("statistic", self.tr("Show"))
        self._sorting = self._add("sorting", self.tr("Sort"))
        orders: dict[Sorting, str] = {
            "number": self.tr("By number"),
            "largest": self.tr("Largest first"),
            "smallest": self.tr("Smallest first"),
            "alike": self.tr("Similar together"),
        }
        for sorting, title in orders.items():
            self._sorting.addItem(title, sorting)
        self._combination = self._add("combination", self.tr("Combine"))
        self._combination.setToolTip(
            self.tr("Ctrl+click or Space on cards chooses which heads are combined")
        )
        ways: dict[Combination | None, str] = {
            None: self.tr("Nothing"),
            "mean": self.tr("Mean"),
            "max": self.tr("Maximum"),
        }
        for way, title in ways.items():
            self._combination.addItem(title, way)
            if way is not None:
                tip = plain_tip(STATISTICS[way].tip)
                self._combination.setItemData(
                    self._combination.count() - 1, tip, TOOL_TIP
                )
        self.large_button = QPushButton(self.tr("Large"), self)
        self.large_button.setObjectName("heads.large")
        self.large_button.setCheckable(True)
        self.large_button.setEnabled(False)
        self.large_button.setToolTip(
            self.tr("Show the combined heads instead of the cards")
        )
        self.large_button.setAccessibleName(self.tr("Combined heads large"))
        self._told = ElidedLabel("heads.told", Qt.TextElideMode.ElideRight)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self._told.setAlignment(left)
        self._row.addWidget(self.large_button)
        self._row.addWidget(self._told, 1)
        self._statistic.activated.connect(self._on_statistic)
        self._sorting.activated.connect(self._on_changed)
        self._combination.activated.connect(self._on_changed)
        self.large_button.toggled.connect(self._on_changed)
        self._layers.activated.connect(self.layers_chosen)
        self._offered: dict[str, str] = {}
        self.offer(weights=True)
        self.offer_layers(offered=False)

    @property
    def all_layers(self) -> bool:
        """Whether the heads of all layers are asked for, where they are offered."""
        every: bool = self._layers.currentData()
        return every

    @property
    def statistic(self) -> str:
        """Name of the number on the cards; see `statistics_of`."""
        name: str = self._statistic.currentData()
        return name

    @property
    def sorting(self) -> Sorting:
        """How the cards are sorted."""
        sorting: Sorting = self._sorting.currentData()
        return sorting

    @property
    def combination(self) -> Combination | None:
        """How heads are combined; None for not at all."""
        way: Combination | None = self._combination.currentData()
        return way

    @property
    def told(self) -> str:
        """What is said to be shown."""
        return self._told.text()

    @property
    def large(self) -> bool:
        """Whether the combined heads are shown instead of the cards."""
        return self.large_button.isChecked() and self.combination is not None

    def offer(self, *, weights: bool) -> None:
        """Offer what can be said of a step, of attention weights or of another one."""
        titles = statistics_of(weights=weights)
        if titles != self._offered:
            before = self._statistic.currentData()
            self._offered = titles
            self._statistic.clear()
            for name, title in titles.items():
                self._statistic.add(title, name, STATISTICS[name])
            self._statistic.setCurrentIndex(max(0, self._statistic.findData(before)))

    def offer_layers(self, *, offered: bool) -> None:
        """Offer the heads of all layers, or only those that are there."""
        if offered == self._layers.isHidden():
            self._layers.setVisible(offered)
            self._give_way()

    def show_all_layers(self) -> None:
        """Ask for the heads of all layers."""
        self._layers.setCurrentIndex(self._layers.findData(True))
        self.layers_chosen.emit()

    def combine(self, way: Combination) -> None:
        """Combine heads, in a way unless one is chosen already."""
        if self.combination is None:
            self._combination.setCurrentIndex(self._combination.findData(way))
            self._on_changed()

    def show_large(self) -> None:
        """Show the combined heads instead of the cards."""
        self.large_button.setChecked(True)

    def tell(self, text: str) -> None:
        """Say what is shown."""
        self._told.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_way()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._give_way()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        shown = (c for c in self._captions.values() if not c.isHidden())
        spared = sum(c.sizeHint().width() + self._row.spacing() for c in shown)
        return hint.shrunkBy(QMargins(0, 0, spared, 0))

    def _add(self, name: str, label: str) -> ChoiceBox:
        caption = QLabel(label, self)
        caption.setProperty("muted", True)
        box = ChoiceBox(self)
        self._captions[box] = caption
        box.setObjectName(f"heads.{name}")
        box.setAccessibleName(label)
        box.setToolTip(label)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        caption.setBuddy(box)
        self._row.addWidget(caption)
        self._row.addWidget(box)
        return box

    @Slot()
    def _on_statistic(self) -> None:
        if self.statistic == SIMILARITY:
            self.compared.emit()
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self.large_button.setEnabled(self.combination is not None)
        for box in (self._statistic, self._sorting):  # of the cards alone
            box.setHidden(self.large)
        self._give_way()
        self.changed.emit()

    def _give_way(self) -> None:
        """Leave the captions out in a narrow window; tool tips have them, too."""
        boxes = [box for box in self._captions if not box.isHidden()]
        captions = [self._captions[box] for box in boxes]
        needed = sum(
            widget.sizeHint().width() + self._row.spacing()
            for widget in (*boxes, *captions, self.large_button)
        )
        room = self.contentsRect().width() - 2 * MARGIN
        for box, caption in self._captions.items():
            caption.setVisible(box in boxes and needed <= room)

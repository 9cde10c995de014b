"""Controls for the cards: their statistic, their order, and combining them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from attnviewer.compute import Combination
from attnviewer.ui.state.head_report import Group
from attnviewer.ui.state.layer_map import LAYER_WAYS, LayerChoice
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.views.step.heads.combining import Way
from attnviewer.ui.views.step.heads.layer_end import LayerEndBox
from attnviewer.ui.views.step.heads.layer_words import way_tips, way_titles
from attnviewer.ui.views.step.heads.offering import (
    MOST_IN_SIGHT,
    offer_groups,
    offer_statistics,
)
from attnviewer.ui.views.step.heads.ordering import Sorting
from attnviewer.ui.views.step.heads.statistics import SIMILARITY, statistics_of
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from attnviewer.ui.widgets.tool_tips import plain_tip

MARGIN = 16


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
    asked : Signal
        A number was chosen, possibly the one before.
    layers_chosen : Signal
        The heads of one layer are to be shown now, or those of all layers, or other
        numbers of theirs.
    """

    changed = Signal()
    compared = Signal()
    asked = Signal()
    layers_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("heads.choices")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._row.setSpacing(8)
        self._layers = self._add("layers", self.tr("Heads of"))
        self._layers.addItem(self.tr("this layer"), False)
        self._layers.addItem(self.tr("all layers"), True)
        self._cells = self._add("cells", self.tr("Cells"))
        self._cells.addItem(self.tr("weights"), False)
        self._cells.addItem(self.tr("what is written"), True)
        written = self.tr(
            "‖A_ij v_j W_O‖: how much a head moves from each key to each query. A "
            "large weight on a short value writes little.\nKobayashi et al. 2020, "
            "“Attention is Not Only a Weight”."
        )
        self._cells.setItemData(1, plain_tip(written), TOOL_TIP)
        self._statistic = self._add("statistic", self.tr("Show"))
        self._statistic.setMaxVisibleItems(MOST_IN_SIGHT)
        self._sorting = self._add("sorting", self.tr("Sort"))
        orders: dict[Sorting, str] = {
            "number": self.tr("by number"),
            "largest": self.tr("largest first"),
            "smallest": self.tr("smallest first"),
            "alike": self.tr("similar heads together"),
        }
        for sorting, title in orders.items():
            self._sorting.addItem(title, sorting)
        self._combination = self._add("combination", self.tr("Combine"))
        self._combination.setToolTip(
            self.tr("Ctrl+click or Space on cards chooses which heads are combined")
        )
        ways: dict[Combination | None, str] = {
            None: self.tr("none"),
            "mean": self.tr("mean"),
            "max": self.tr("maximum"),
        }
        for way, title in ways.items():
            self._combination.addItem(title, way)
            if way is not None:
                tip = plain_tip(STATISTICS[way].tip)
                self._combination.setItemData(
                    self._combination.count() - 1, tip, TOOL_TIP
                )
        self._end = LayerEndBox(self)
        self._row.addWidget(self._end)
        self.large_button = QPushButton(self.tr("Enlarge"), self)
        self.large_button.setObjectName("heads.large")
        self.large_button.setCheckable(True)
        self.large_button.setEnabled(False)
        self.large_button.setToolTip(
            self.tr("Show the combined heads instead of the cards")
        )
        self.large_button.setAccessibleName(self.tr("Enlarge the combined heads"))
        self._status = ElidedLabel("heads.status", Qt.TextElideMode.ElideRight)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self._status.setAlignment(left)
        self._row.addWidget(self.large_button)
        self._row.addWidget(self._status, 1)
        self._statistic.activated.connect(self._on_statistic)
        self._sorting.activated.connect(self._on_changed)
        self._combination.activated.connect(self._on_changed)
        self._end.activated.connect(self._on_changed)
        self.large_button.toggled.connect(self._on_changed)
        self._layers.activated.connect(self._on_layers)
        self._cells.activated.connect(self.layers_chosen)
        self._offered: object = None
        self.offer(weights=True)
        self.offer_layers(offered=False)

    @property
    def all_layers(self) -> bool:
        """Whether the heads of all layers are asked for, where they are offered."""
        every: bool = self._layers.currentData()
        return every

    @property
    def written(self) -> bool:
        """Whether the cells are to show what heads write, not their weights."""
        written: bool = self._cells.currentData()
        return written and self.all_layers

    @property
    def statistic(self) -> str:
        """Name of the number on the cards; see `statistics_of`."""
        name: str = self._statistic.currentData()
        return name

    @property
    def sorting(self) -> Sorting:
        """The order of the cards."""
        sorting: Sorting = self._sorting.currentData()
        return sorting

    @property
    def combination(self) -> Way | None:
        """The way in which heads are combined; None for not at all."""
        way: Way | None = self._combination.currentData()
        return way

    @property
    def of_heads(self) -> Combination | None:
        """The way in which single heads are combined; None if they are not."""
        way = self.combination
        return way if way == "mean" or way == "max" else None

    @property
    def status(self) -> str:
        """The remark on what is shown."""
        return self._status.text()

    @property
    def large(self) -> bool:
        """Whether the combined heads are shown instead of the cards."""
        return self.large_button.isChecked() and self.combination is not None

    def offer(self, *, weights: bool, groups: Sequence[Group] = ()) -> None:
        """Offer the statistics of heads.

        Parameters
        ----------
        weights : bool
            Whether they show attention weights, or another step.
        groups : sequence of Group
            What is known of a model's heads besides.
        """
        titles = statistics_of(weights=weights)
        if (titles, groups) != self._offered:
            before = self._statistic.currentData()
            self._offered = titles, groups
            self._statistic.clear()
            offer_statistics(self._statistic, titles, of_model=bool(groups))
            offer_groups(self._statistic, groups)
            self._statistic.setCurrentIndex(max(0, self._statistic.findData(before)))

    def offer_layers(self, *, offered: bool) -> None:
        """Offer the heads of all layers, or only those that are there."""
        if offered == self._layers.isHidden():
            self._layers.setVisible(offered)
        self._offer_ways()

    def layer_choice(self, layers: int, tokens: Sequence[str]) -> LayerChoice | None:
        """Return which layers are combined, and how; None if none are.

        Parameters
        ----------
        layers : int
            The number of layers.
        tokens : sequence of str
            The tokens after which the model predicts.
        """
        self._end.offer(self.combination, layers, tokens)
        return self._end.choice(self.combination)

    def show_all_layers(self) -> None:
        """Ask for the heads of all layers."""
        self._layers.setCurrentIndex(self._layers.findData(True))
        self._on_layers()

    def combine(self, way: Combination) -> None:
        """Combine heads, in a way unless one is chosen already."""
        if self.combination is None:
            self._combination.setCurrentIndex(self._combination.findData(way))
            self._on_changed()

    def show_large(self) -> None:
        """Show the combined heads instead of the cards."""
        self.large_button.setChecked(True)

    def set_status(self, text: str) -> None:
        """Say what is shown."""
        self._status.setText(text)

    def _offer_ways(self) -> None:
        """Offer the statistics of all layers only where these are shown."""
        box, offered = self._combination, not self._layers.isHidden()
        there = offered and self.all_layers
        self._cells.setVisible(there)
        if there == (box.findData(LAYER_WAYS[0]) >= 0):
            return
        if there:
            tips = way_tips()
            for way, title in way_titles().items():
                box.addItem(title, way)
                box.setItemData(box.count() - 1, plain_tip(tips[way]), TOOL_TIP)
            return
        self._end.offer(None, 0, ())
        if self.combination in LAYER_WAYS:
            box.setCurrentIndex(0)
            self._on_changed()
        for way in LAYER_WAYS:
            box.removeItem(box.findData(way))

    def _add(self, name: str, label: str) -> ChoiceBox:
        box = ChoiceBox(self, label)
        box.setObjectName(f"heads.{name}")
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self._row.addWidget(box)
        return box

    @Slot()
    def _on_layers(self) -> None:
        self._offer_ways()
        self.layers_chosen.emit()

    @Slot()
    def _on_statistic(self) -> None:
        if self.statistic == SIMILARITY:
            self.compared.emit()
        self.asked.emit()
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self.large_button.setEnabled(self.combination is not None)
        for box in (self._statistic, self._sorting):  # of the cards alone
            box.setHidden(self.large)
        self.changed.emit()

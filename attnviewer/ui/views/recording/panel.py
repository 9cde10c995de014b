"""The Recording dock: the layers of a recording, each of which opens as a document."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attnviewer.one_line import one_line
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.recording import OpenRecording
from attnviewer.ui.views.recording.texts import layer_row, unchecked_text
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.tab_order import forward_focus
from attnviewer.ui.widgets.wheel_filter import WheelFilter

INSIDE = 12
_NUMBER, _NAME = range(2)
_COLUMNS = 5
_ALL_HEADS = -1


class RecordingPanel(QWidget):
    """Lists the layers of a recording, and goes from one to the next.

    Parameters
    ----------
    recording : OpenRecording
        The recording.
    appearance : Appearance
        The theme in force.
    parent : QWidget
        The dock.

    Attributes
    ----------
    check_wanted : Signal
        The output of the layer is to be checked.
    heading : QWidget
        For the title bar.
    empty : EmptyState
        Shown without a recording.
    list : LinkList
        The layers.
    """

    check_wanted = Signal()

    def __init__(
        self, recording: OpenRecording, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("recording")
        self.setAccessibleName(self.tr("Recording"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._recording, self._appearance = recording, appearance
        self._summary = ElidedLabel("recording.summary")
        title = QLabel(self.tr("Recording"))
        self.heading = heading_row(title, self._summary, self)
        self.empty = EmptyState("recording", self)
        self.empty.say(
            self.tr(
                "No recording is open. In Python, attnviewer.record(module) makes one "
                'of a PyTorch model, and recorded.save("run.npz") its file; open '
                "that by File ▸ Open…"
            )
        )
        self._content = QWidget(self)
        self.back = symbol_button(
            "recording.back", "‹", self.tr("Previous layer"), self._content
        )
        self.next = symbol_button(
            "recording.next", "›", self.tr("Next layer"), self._content
        )
        self.item = self._number("item", self.tr("Item of the batch"))
        self.head = self._number("head", self.tr("Head"))
        self.list = LinkList(_COLUMNS, wide=_NAME, parent=self._content)
        self.list.setObjectName("recording.list")
        self.list.setAccessibleName(self.tr("Recorded layers"))
        self.check = QPushButton(self.tr("Check this layer…"), self._content)
        self.check.setObjectName("recording.check")
        self._lay_out()
        self.back.clicked.connect(recording.previous)
        self.next.clicked.connect(recording.following)
        self.list.chosen.connect(recording.open_layer)
        self.item.valueChanged.connect(recording.choose_item)
        self.head.valueChanged.connect(self._on_head)
        self.check.clicked.connect(self.check_wanted)
        recording.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        forward_focus(self, self.list, event.reason())

    @Slot()
    def refresh(self) -> None:
        """Show the layers, and which of them is open."""
        recording = self._recording
        place, layer = recording.place, recording.layer
        self._content.setVisible(layer is not None)
        self.empty.setVisible(layer is None)
        self._summary.setText("")
        self.list.set_theme(self._appearance.theme)
        if place is None or layer is None:
            self.list.show_rows([])
            return
        layers = recording.layers
        name, count = one_line(place.path.name), len(layers)
        one, several = self.tr("{file}, 1 layer"), self.tr("{file}, {n} layers")
        pattern = one if count == 1 else several
        self._summary.setText(pattern.format(file=name, n=count))
        self.back.setEnabled(place.layer > 0)
        self.next.setEnabled(place.layer < len(layers) - 1)
        self._set(self.item, 0, layer.n_items - 1, place.item)
        first = 0 if layer.differs_by_head else _ALL_HEADS
        head = first if recording.head is None else recording.head
        self._set(self.head, first, layer.spec.n_heads - 1, head)
        self.head.setSpecialValueText("" if layer.differs_by_head else self.tr("all"))
        can_check = layer.output is not None
        self.check.setEnabled(can_check)
        tip = self.tr("Compares what the module gave with the attention of its inputs")
        self.check.setToolTip(tip if can_check else unchecked_text())
        titles = (
            self.tr("layer"),
            self.tr("mask, bias"),
            self.tr("heads"),
            self.tr("tokens"),
        )
        self.list.rows.set_titles(("", *titles))
        self.list.show_rows(
            [
                layer_row(k, each, shown=recording.is_open and k == place.layer)
                for k, each in enumerate(layers)
            ]
        )
        self.list.setCurrentIndex(self.list.rows.index(place.layer, _NAME))

    @Slot(int)
    def _on_head(self, head: int) -> None:
        self._recording.choose_head(None if head == _ALL_HEADS else head)

    @staticmethod
    def _set(box: QSpinBox, first: int, last: int, value: int) -> None:
        blocked = box.blockSignals(True)
        box.setRange(first, last)
        box.setValue(value)
        box.setEnabled(last > first)
        box.blockSignals(blocked)

    def _number(self, name: str, title: str) -> QSpinBox:
        box = number_field(self._content)
        box.setObjectName(f"recording.{name}")
        box.setAccessibleName(title)
        box.setToolTip(title)
        box.setKeyboardTracking(False)
        WheelFilter(box)
        return box

    def _lay_out(self) -> None:
        self.list.rows.texts = 3
        self.list.horizontalHeader().setHighlightSections(False)
        self.list.horizontalHeader().show()
        line = QHBoxLayout()
        line.setSpacing(2)
        line.addWidget(self.back)
        line.addWidget(self.next)
        for box in (self.item, self.head):
            line.addSpacing(10)
            line.addWidget(QLabel(box.accessibleName(), self._content))
            line.addSpacing(4)
            line.addWidget(box)
        line.addStretch(1)
        column = QVBoxLayout(self._content)
        column.setContentsMargins(INSIDE, 4, INSIDE, INSIDE)
        column.setSpacing(8)
        column.addLayout(line)
        column.addWidget(self.list, 1)
        column.addWidget(self.check)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self._content, 1)

"""The choice of a mask, with its numbers beside it."""

from PySide6.QtCore import QEvent, QSignalBlocker, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from attnviewer.document import Document, EditError
from attnviewer.document.masks import MaskKind, MaskPreset, preset_of
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.mask_choice import (
    choose_mask,
    fill_mask_box,
    mask_title,
    submit_mask,
)
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect
from attnviewer.ui.widgets.wheel_filter import WheelFilter

_NUMBER_CHARACTERS, _SIZES_CHARACTERS = 10, 13
"""Room in a field, with its frame and arrows."""


class MaskBox(QWidget):
    """Chooses a mask by name, and its numbers with immediate effect.

    All changes of a number until its field loses the focus or another mask is chosen
    are one step of undo.
    """

    def __init__(
        self, edits: EditStack, reason: ReasonBubble, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._edits = edits
        self._reason = reason
        self._gesture = object()
        self._present = MaskPreset("none")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._kind = ChoiceBox(self)
        self._kind.setObjectName("mask.kind")
        name_control(self._kind, self.tr("Mask"))
        self._kind.activated.connect(self._choose_kind)
        self._layout.addWidget(self._kind)
        # By kind: a field for each number.
        self._fields: dict[MaskKind, list[QSpinBox]] = {
            "window": [
                self._field("left", self.tr("Keys to the left"), "← {}"),
                self._field("right", self.tr("Keys to the right"), "{} →"),
            ],
            "padding": [self._field("real", self.tr("Real keys"), self.tr("{} real"))],
            "prefix": [
                self._field("prefix", self.tr("Keys of the prefix"), self.tr("{} keys"))
            ],
        }
        self._sizes_caption = QLabel(self.tr("sizes"), self)
        self._sizes = QLineEdit(self)
        self._add_sizes()
        self._layout.addStretch()
        self._fit()

    @property
    def controls(self) -> list[QWidget]:
        """The choice and all fields, shown or not, from left to right."""
        fields = (box for boxes in self._fields.values() for box in boxes)
        return [self._kind, *fields, self._sizes]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Set the fields' widths by the font, whatever their ranges."""
        character = self.fontMetrics().horizontalAdvance("0")
        for box in (box for boxes in self._fields.values() for box in boxes):
            box.setFixedWidth(_NUMBER_CHARACTERS * character)
        self._sizes.setFixedWidth(_SIZES_CHARACTERS * character)

    def show_document(self, document: Document) -> None:
        """Show the current mask of a document."""
        self._present = preset_of(document)
        n_k = len(document.labels.keys)
        ranges: dict[MaskKind, tuple[int, int]] = {
            "window": (0, max(n_k - 1, 0)),
            "padding": (0, n_k),
            # A prefix of all keys would mask nothing.
            "prefix": (1, max(n_k - 1, 1)),
        }
        with QSignalBlocker(self._kind):
            kind = self._present.kind
            fill_mask_box(self._kind, self._present, mask_title(kind))
        for kind, fields in self._fields.items():
            for index, box in enumerate(fields):
                shown = kind == self._present.kind
                box.setVisible(shown)
                if shown:
                    number = self._present.numbers[index]
                    with QSignalBlocker(box):
                        box.setRange(*ranges[kind])
                        box.setValue(box.maximum() if number is None else number)
        blocks = self._present.kind == "block"
        self._sizes_caption.setVisible(blocks)
        self._sizes.setVisible(blocks)
        if blocks and not self._sizes.hasFocus():
            self._show_sizes()

    def _field(self, name: str, spoken: str, text: str) -> QSpinBox:
        box = number_field(self)
        WheelFilter(box)
        before, after = text.split("{}")
        box.setPrefix(before)
        box.setSuffix(after)
        box.setObjectName(f"mask.{name}")
        box.setAccessibleName(spoken)
        box.setToolTip(spoken)
        box.valueChanged.connect(self._take_numbers)
        box.editingFinished.connect(self._end_gesture)
        self._layout.addWidget(box)
        return box

    def _add_sizes(self) -> None:
        self._sizes_caption.setProperty("muted", True)
        self._sizes_caption.setBuddy(self._sizes)
        self._sizes.setObjectName("mask.sizes")
        self._sizes.setAccessibleName(self.tr("Block sizes"))
        self._sizes.setToolTip(
            self.tr("Such as 3, 2: a block of 3, then blocks of 2 to the end")
        )
        self._sizes.textEdited.connect(self._take_sizes)
        self._sizes.editingFinished.connect(self._leave_sizes)
        self._layout.addWidget(self._sizes_caption)
        self._layout.addWidget(self._sizes)

    def _show_sizes(self) -> None:
        self._sizes.setText(", ".join(map(str, self._present.numbers)))

    @Slot(int)
    def _choose_kind(self, index: int) -> None:
        self._end_gesture()
        try:
            choose_mask(self._edits, self._kind.itemData(index))
        except EditError as error:
            self._refuse(str(error), self._kind)
        self.show_document(self._edits.document)

    @Slot()
    def _take_numbers(self) -> None:
        boxes = self._fields[self._present.kind]
        # The largest number stands for all keys until another one is chosen.
        numbers = tuple(
            None if before is None and box.value() == box.maximum() else box.value()
            for before, box in zip(self._present.numbers, boxes, strict=True)
        )
        self._submit(MaskPreset(self._present.kind, numbers), boxes[0])

    @Slot(str)
    def _take_sizes(self, text: str) -> None:
        parts = [part.strip() for part in text.split(",")]
        if not all(part.isdecimal() and int(part) for part in parts):
            reason = self.tr("Type block sizes of at least 1, such as 2 or 3, 2.")
            self._refuse(reason, self._sizes)
            return
        self._submit(MaskPreset("block", tuple(map(int, parts))), self._sizes)

    @Slot()
    def _leave_sizes(self) -> None:
        self._reason.clear()
        self._show_sizes()
        self._end_gesture()

    def _submit(self, preset: MaskPreset, field: QWidget) -> None:
        try:
            submit_mask(self._edits, preset, self._gesture)
        except EditError as error:
            self._refuse(str(error), field)
        else:
            self._reason.clear()

    @Slot()
    def _end_gesture(self) -> None:
        self._gesture = object()

    def _refuse(self, reason: str, field: QWidget) -> None:
        self._reason.say(reason, global_rect(field))

"""The row of a role: which array it is, and what is taken of that."""

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QWidget,
)

from attnviewer.document import Pick, Place, index_forms
from attnviewer.ui.import_.array_box import ArrayBox
from attnviewer.ui.import_.array_list import ArrayList
from attnviewer.ui.import_.words import form_text
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.wheel_filter import CalmWheel

COLUMNS = 6
_SHAPE_CHARACTERS = 9
Shape = tuple[int, ...]
Control = TypeVar("Control", bound=QWidget)


class RoleRow(QObject):
    """Combo boxes for array, part and third, a check box; below them the reason.

    Attributes
    ----------
    changed : Signal
        Something else is chosen.
    """

    changed = Signal()

    def __init__(
        self, role: str, title: str, shapes: Mapping[str, Shape], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.role = role
        self._shapes = shapes
        self._forms: list[tuple[Place, ...]] = []
        self._shown = True
        self._caption = QLabel(role, parent)
        self._caption.setToolTip(title)
        called = f"{role}, {title}"
        arrays = ArrayList(shapes, self)
        self.array = self._named(
            ArrayBox(arrays, title, parent),
            "array",
            self.tr("{role}: array").format(role=called),
        )
        self.part = self._named(
            QComboBox(parent), "part", self.tr("{role}: part").format(role=called)
        )
        self.places = [
            self._named(
                QSpinBox(parent),
                f"place.{number}",
                self.tr("{role}: place {number}").format(role=called, number=number),
            )
            for number in range(3)
        ]
        self.third = self._named(
            QComboBox(parent), "third", self.tr("{role}: columns").format(role=called)
        )
        self.third.addItem(self.tr("all columns"), None)
        for third in range(3):
            text = self.tr("third {number} of 3").format(number=third + 1)
            self.third.addItem(text, third)
        self.transposed = self._named(
            QCheckBox(self.tr("transposed"), parent),
            "transposed",
            self.tr("{role}: transposed").format(role=called),
        )
        self.shape = QLabel(parent)
        self.shape.setObjectName(f"assign.{role}.shape")
        self.shape.setMinimumWidth(
            parent.fontMetrics().horizontalAdvance("0") * _SHAPE_CHARACTERS
        )
        self.reason = ReasonLabel(f"assign.{role}.reason", parent)
        self._part_box = QWidget(parent)
        box = QHBoxLayout(self._part_box)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.part)
        for spin in self.places:
            box.addWidget(spin)
            spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
            spin.valueChanged.connect(self.changed)
        self.array.activated.connect(self._on_array)
        self.part.activated.connect(self._on_part)
        self.third.activated.connect(self.changed)
        self.transposed.toggled.connect(self.changed)
        self._fit()

    def _named(self, control: Control, name: str, called: str) -> Control:
        control.setObjectName(f"assign.{self.role}.{name}")
        control.setAccessibleName(called)
        CalmWheel(control)
        return control

    def put(self, grid: QGridLayout, line: int) -> None:
        """Put the row into two lines of a grid."""
        widgets = (
            *(self._caption, self.array, self._part_box, self.third),
            *(self.transposed, self.shape),
        )
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, line, column)
        grid.addWidget(self.reason, line + 1, 1, 1, COLUMNS - 1)

    def set_shown(self, shown: bool) -> None:
        """Show or hide the row."""
        self._shown = shown
        for widget in (self._caption, self.array, self.shape):
            widget.setVisible(shown)
        self.reason.setVisible(shown and self.reason.takes_room)
        self._fit()

    # ------------------------------------------------------------------ choice

    def pick(self) -> Pick | None:
        """Return what is chosen; None for nothing."""
        name = self.array.array
        if name is None:
            return None
        return Pick(
            name, self._index(), self.transposed.isChecked(), self.third.currentData()
        )

    def choose(self, pick: Pick | None) -> None:
        """Choose something, without telling."""
        blockers = [
            QSignalBlocker(w)
            for w in (*self.places, self.transposed, self.third, self.array, self.part)
        ]
        name = None if pick is None else pick.array
        self.array.choose(name)
        self._list_parts()
        if pick is not None:
            self.transposed.setChecked(pick.transposed)
            self.third.setCurrentIndex(self.third.findData(pick.third))
            if pick.index:
                form = tuple(0 if isinstance(p, int) else p for p in pick.index)
                self.part.setCurrentIndex(self._forms.index(form))
                picked = [
                    (a, p) for a, p in enumerate(pick.index) if isinstance(p, int)
                ]
                self._limit()
                for spin, (_, place) in zip(self.places, picked, strict=False):
                    spin.setValue(place)
        for blocker in blockers:
            blocker.unblock()
        self._fit()

    def _index(self) -> tuple[Place, ...]:
        form = self._form()
        if all(place is None for place in form):
            return ()
        spins = iter(self.places)
        return tuple(next(spins).value() if p == 0 else p for p in form)

    def _form(self) -> tuple[Place, ...]:
        index = self.part.currentIndex()
        return self._forms[index] if index >= 0 else ()

    def _shape(self) -> Shape:
        name = self.array.array
        return () if name is None else self._shapes[name]

    def _list_parts(self) -> None:
        shape = self._shape()
        vector = self.role.startswith("b_")
        self._forms = index_forms(len(shape), vector=vector) if shape else []
        self.part.clear()
        for form in self._forms:
            self.part.addItem(form_text(form))
        # At first the axes in front are those to pick from.
        first = (*(0 for _ in shape[:-2]), *(None for _ in shape[-2:]))
        if first in self._forms:
            self.part.setCurrentIndex(self._forms.index(first))
        self._limit()

    def _limit(self) -> None:
        """Let each place be picked that its axis has."""
        shape = self._shape()
        sizes = [size for size, p in zip(shape, self._form(), strict=False) if p == 0]
        for spin, size in zip(self.places, sizes, strict=False):
            spin.setMaximum(size - 1)

    def _fit(self) -> None:
        """Show what there is to choose."""
        shape = self._shape()
        several = len(shape) > 2 or (len(shape) == 2 and self.role.startswith("b_"))
        chosen = self._shown and self.array.array is not None
        self._part_box.setVisible(chosen and several)
        picked = self._form().count(0)
        for number, spin in enumerate(self.places):
            spin.setVisible(number < picked)
        fused = self.third.currentData() is not None or self._may_be_fused(shape)
        self.third.setVisible(chosen and fused)
        self.transposed.setVisible(chosen)

    def _may_be_fused(self, shape: Shape) -> bool:
        """Tell whether queries, keys and values may be in one array."""
        if self.role[1:2] != "_" or self.role.endswith("O"):
            return False
        large, small = max(shape[-2:], default=1), min(shape[-2:], default=1)
        return large % 3 == 0 and (len(shape) == 1 or large > 1.5 * small)

    @Slot()
    def _on_array(self) -> None:
        blocker = QSignalBlocker(self.transposed)
        self.third.setCurrentIndex(0)
        self.transposed.setChecked(False)
        self._list_parts()
        blocker.unblock()
        self._fit()
        self.changed.emit()

    @Slot()
    def _on_part(self) -> None:
        self._limit()
        self._fit()
        self.changed.emit()

    # ------------------------------------------------------------------- news

    def tell(self, shape: tuple[int, int] | None, problem: str, doubt: str) -> None:
        """Show what is taken, and what is wrong or uncertain about it."""
        self.shape.setText("" if shape is None else f"{shape[0]:,}×{shape[1]:,}")
        self.reason.say(problem or doubt, error=bool(problem))
        self.reason.setVisible(self._shown and self.reason.takes_room)
        set_styled(self.shape, "error", bool(problem))

    def has(self, widget: QWidget | None) -> bool:
        """Tell whether a widget is one of this row."""
        own = self.array, self.part, *self.places, self.third, self.transposed
        return widget in own

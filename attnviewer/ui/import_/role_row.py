"""The row of a role: the array that takes it, or a part of one."""

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

from attnviewer.document.array_roles.pick import AxisIndex, Pick, index_forms
from attnviewer.ui.import_.array_box import ArrayBox
from attnviewer.ui.import_.array_list import ArrayList
from attnviewer.ui.import_.texts import form_text
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.wheel_filter import WheelFilter

COLUMNS = 6
_SHAPE_CHARACTERS = 9
Shape = tuple[int, ...]
Control = TypeVar("Control", bound=QWidget)


class RoleRow(QObject):
    """Combo boxes for array, axes and third, a check box; below them the problem.

    Attributes
    ----------
    changed : Signal
        The choice has changed.
    """

    changed = Signal()

    def __init__(
        self, role: str, title: str, shapes: Mapping[str, Shape], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.role = role
        self._shapes = shapes
        self._forms: list[tuple[AxisIndex, ...]] = []
        self._visible = True
        self._caption = QLabel(role, parent)
        self._caption.setToolTip(title)
        called = f"{role}, {title}"
        arrays = ArrayList(shapes, self)
        self.array = self._named(
            ArrayBox(arrays, title, parent),
            "array",
            self.tr("{role}: array").format(role=called),
        )
        self._axes_box = QWidget(parent)
        self.axes = self._named(
            QComboBox(self._axes_box),
            "part",
            self.tr("{role}: part").format(role=called),
        )
        self.index_spins = [
            self._named(
                QSpinBox(self._axes_box),
                f"place.{number}",
                self.tr("{role}: index {number}").format(role=called, number=number),
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
        box = QHBoxLayout(self._axes_box)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.axes)
        for spin in self.index_spins:
            box.addWidget(spin)
            spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
            spin.valueChanged.connect(self.changed)
        self.array.activated.connect(self._on_array)
        self.axes.activated.connect(self._on_axes)
        self.third.activated.connect(self.changed)
        self.transposed.toggled.connect(self.changed)
        self._fit()

    def _named(self, control: Control, name: str, called: str) -> Control:
        control.setObjectName(f"assign.{self.role}.{name}")
        name_control(control, called)
        WheelFilter(control)
        return control

    def add_to(self, grid: QGridLayout, line: int) -> None:
        """Place the row in two lines of a grid."""
        widgets = (
            *(self._caption, self.array, self._axes_box, self.third),
            *(self.transposed, self.shape),
        )
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, line, column)
        grid.addWidget(self.reason, line + 1, 1, 1, COLUMNS - 1)

    def set_visible(self, visible: bool) -> None:
        """Show or hide the row."""
        self._visible = visible
        for widget in (self._caption, self.array, self.shape):
            widget.setVisible(visible)
        self.reason.setVisible(visible and self.reason.takes_room)
        self._fit()

    # ------------------------------------------------------------------ choice

    def pick(self) -> Pick | None:
        """Return the chosen pick; None for none."""
        name = self.array.array
        if name is None:
            return None
        return Pick(
            name, self._index(), self.transposed.isChecked(), self.third.currentData()
        )

    def choose(self, pick: Pick | None) -> None:
        """Set the choice without emitting `changed`."""
        blockers = [
            QSignalBlocker(w)
            for w in (
                *self.index_spins,
                self.transposed,
                self.third,
                self.array,
                self.axes,
            )
        ]
        name = None if pick is None else pick.array
        self.array.choose(name)
        self._list_forms()
        if pick is not None:
            self.transposed.setChecked(pick.transposed)
            self.third.setCurrentIndex(self.third.findData(pick.third))
            if pick.index:
                form = tuple(0 if isinstance(p, int) else p for p in pick.index)
                self.axes.setCurrentIndex(self._forms.index(form))
                picked = [
                    (a, p) for a, p in enumerate(pick.index) if isinstance(p, int)
                ]
                self._limit()
                for spin, (_, index) in zip(self.index_spins, picked, strict=False):
                    spin.setValue(index)
        for blocker in blockers:
            blocker.unblock()
        self._fit()

    def _index(self) -> tuple[AxisIndex, ...]:
        form = self._form()
        if all(axis is None for axis in form):
            return ()
        spins = iter(self.index_spins)
        return tuple(next(spins).value() if p == 0 else p for p in form)

    def _form(self) -> tuple[AxisIndex, ...]:
        index = self.axes.currentIndex()
        return self._forms[index] if index >= 0 else ()

    def _shape(self) -> Shape:
        name = self.array.array
        return () if name is None else self._shapes[name]

    def _list_forms(self) -> None:
        shape = self._shape()
        vector = self.role.startswith("b_")
        self._forms = index_forms(len(shape), vector=vector) if shape else []
        self.axes.clear()
        for form in self._forms:
            self.axes.addItem(form_text(form))
        # By default, the leading axes are those to pick from.
        first = (*(0 for _ in shape[:-2]), *(None for _ in shape[-2:]))
        if first in self._forms:
            self.axes.setCurrentIndex(self._forms.index(first))
        self._limit()

    def _limit(self) -> None:
        """Limit each index to the length of its axis."""
        shape = self._shape()
        sizes = [size for size, p in zip(shape, self._form(), strict=False) if p == 0]
        for spin, size in zip(self.index_spins, sizes, strict=False):
            spin.setMaximum(size - 1)

    def _fit(self) -> None:
        """Show the controls that apply to the chosen array."""
        shape = self._shape()
        several = len(shape) > 2 or (len(shape) == 2 and self.role.startswith("b_"))
        chosen = self._visible and self.array.array is not None
        self._axes_box.setVisible(chosen and several)
        picked = self._form().count(0)
        for number, spin in enumerate(self.index_spins):
            spin.setVisible(number < picked)
        fused = self.third.currentData() is not None or self._may_be_fused(shape)
        self.third.setVisible(chosen and fused)
        self.transposed.setVisible(chosen)

    def _may_be_fused(self, shape: Shape) -> bool:
        """Return whether queries, keys and values may be fused in one array."""
        if self.role[1:2] != "_" or self.role.endswith("O"):
            return False
        large, small = max(shape[-2:], default=1), min(shape[-2:], default=1)
        return large % 3 == 0 and (len(shape) == 1 or large > 1.5 * small)

    @Slot()
    def _on_array(self) -> None:
        blocker = QSignalBlocker(self.transposed)
        self.third.setCurrentIndex(0)
        self.transposed.setChecked(False)
        self._list_forms()
        blocker.unblock()
        self._fit()
        self.changed.emit()

    @Slot()
    def _on_axes(self) -> None:
        self._limit()
        self._fit()
        self.changed.emit()

    # ----------------------------------------------------------------- result

    def show_result(
        self, shape: tuple[int, int] | None, problem: str, doubt: str
    ) -> None:
        """Show the picked shape, and what is wrong or uncertain about it."""
        self.shape.setText("" if shape is None else f"{shape[0]:,}×{shape[1]:,}")
        self.reason.say(problem or doubt, error=bool(problem))
        self.reason.setVisible(self._visible and self.reason.takes_room)
        set_styled(self.shape, "error", bool(problem))

    def has(self, widget: QWidget | None) -> bool:
        """Return whether a widget belongs to this row."""
        widgets = self.array, self.axes, *self.index_spins, self.third, self.transposed
        return widget in widgets

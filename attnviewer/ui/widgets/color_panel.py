"""The popup in which the colours of a step are chosen."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import exact_text, parse_number
from attnviewer.ui.paint.color_limits import policy_title
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colormaps import DIVERGING, SEQUENTIAL, map_title
from attnviewer.ui.state.looks.filters import AtLeast, Filter, Largest
from attnviewer.ui.state.looks.look import Look, Policy
from attnviewer.ui.state.looks.looks import ACROSS
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonLabel

if TYPE_CHECKING:
    from attnviewer.compute import Pooling

SWATCH = QSize(48, 12)
GAP = 8
"""Between the panel and what it stands beside."""
_WIDEST = "−0.000e−000"
"""The widest number that a line has room for."""


def place_beside(size: QSize, bar: QRect, cells: QRect, screen: QRect) -> QPoint:
    """Return the corner of a panel that covers the least of a map and its bar.

    Parameters
    ----------
    size : QSize
        Size of the panel.
    bar, cells, screen : QRect
        The colour bar, the map and the screen.
    """
    wide, high = size.width(), size.height()
    corners = (
        QPoint(bar.right() + GAP, bar.top()),
        QPoint(bar.right() - wide, cells.top() - high - GAP),
        QPoint(bar.right() - wide, cells.bottom() + GAP),
        QPoint(cells.left() - wide - GAP, bar.top()),
    )
    inside = [
        QPoint(
            max(screen.left(), min(corner.x(), screen.right() - wide)),
            max(screen.top(), min(corner.y(), screen.bottom() - high)),
        )
        for corner in corners
    ]

    def covered(corner: QPoint) -> int:
        overlap = QRect(corner, size) & cells.united(bar)
        return overlap.width() * overlap.height()

    return min(inside, key=covered)


class LookPanel(QFrame):
    """A popup that shows and edits the look of a step.

    Each choice takes effect at once. Escape or a click elsewhere closes it.

    Attributes
    ----------
    chosen : Signal
        Another `Look`.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("look")
        self.setAccessibleName(self.tr("Colours, limits and filter"))
        self._look = Look()
        self._scale: ColorScale | None = None
        self._step = ""
        self.colors = self._box("colors", self.tr("Colour map"))
        self.limits = self._box("limits", self.tr("Limits"))
        self.low = self._line("low", self.tr("Low end"))
        self.high = self._line("high", self.tr("High end"))
        self.percent = self._line("percent", self.tr("Percent beyond each end"))
        self.log = self._switch("log", self.tr("&Logarithmic"))
        self.heads = self._switch("heads", self.tr("&Each head has its own limits"))
        self.across = self._switch("across", self.tr("All &scores share limits"))
        self.kept = self._switch("kept", self.tr("&Keep these limits while editing"))
        self.pooling = self._box("pooling", self.tr("Cells sharing a pixel"))
        self.filter = self._box("filter", self.tr("Show"))
        self.least = self._line("least", self.tr("Threshold"))
        self.reason = ReasonLabel("look.reason", self, lines=2)
        self._fill()
        self._lay_out()
        self._fit()
        for box in (self.colors, self.limits, self.pooling, self.filter):
            box.activated.connect(self._take)
        for switch in (self.log, self.heads, self.across):
            switch.clicked.connect(self._take)
        self.kept.clicked.connect(self._keep)
        for line in self._lines():
            line.editingFinished.connect(self._take)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def open_beside(self, bar: QRect, cells: QRect) -> None:
        """Open by a colour bar so that its map stays in sight.

        Parameters
        ----------
        bar, cells : QRect
            The colour bar and the map, on the screen.
        """
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(place_beside(self.size(), bar, cells, screen))
        self.show()
        self.colors.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_look(self, look: Look, scale: ColorScale, step: str) -> None:
        """Show a look, and the colour scale that it gives a step."""
        chosen_here = (look, step) == (self._look, self._step)
        self._look, self._scale, self._step = look, scale, step
        if chosen_here and self.reason.text():
            return  # keep the refused text, so that it can be corrected
        _select(self.colors, look.colors)
        _select(self.limits, look.policy)
        _select(self.pooling, look.pooling)
        _select(self.filter, _kind_of(look.filter))
        self.low.setText(exact_text(look.typed[0]))
        self.high.setText(exact_text(look.typed[1]))
        self.percent.setText(exact_text(look.percentile))
        self.log.setChecked(scale.scaling != "linear")
        self.heads.setChecked(look.per_head)
        self.across.setChecked(look.across_steps)
        self.across.setVisible(step in ACROSS)
        self.kept.setChecked(look.kept is not None)
        if isinstance(look.filter, AtLeast):
            self.least.setText(exact_text(look.filter.threshold))
        elif isinstance(look.filter, Largest):
            self.least.setText(str(look.filter.count))
        self.reason.say("")
        self._show_lines()

    def _box(self, name: str, title: str) -> QComboBox:
        box = ChoiceBox(self)
        box.setObjectName(f"look.{name}")
        name_control(box, title)
        box.setToolTip(title)
        return box

    def _line(self, name: str, title: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(f"look.{name}")
        line.setAccessibleName(title)
        line.setToolTip(title)
        return line

    def _switch(self, name: str, title: str) -> QCheckBox:
        switch = QCheckBox(title, self)
        switch.setObjectName(f"look.{name}")
        switch.setAccessibleName(title.replace("&", ""))
        return switch

    def _fit(self) -> None:
        """Give the lines room for any number in the present font."""
        for line in self._lines():
            line.setFixedWidth(self.fontMetrics().horizontalAdvance(_WIDEST) + 12)

    def _lines(self) -> tuple[QLineEdit, ...]:
        return self.low, self.high, self.percent, self.least

    def _fill(self) -> None:
        self.colors.setIconSize(SWATCH)
        self.colors.addItem(self.tr("automatic"), None)
        for name in (*SEQUENTIAL, *DIVERGING):
            self.colors.addItem(_swatch(name), map_title(name), name)
        for policy in get_args(Policy):
            self.limits.addItem(policy_title(policy), policy)
        poolings: dict[Pooling, str] = {
            "extreme": self.tr("largest magnitude"),
            "mean": self.tr("mean"),
        }
        for pooling, title in poolings.items():
            self.pooling.addItem(title, pooling)
        self.filter.addItem(self.tr("all cells"), "all")
        self.filter.addItem(self.tr("cells of at least"), "least")
        self.filter.addItem(self.tr("the largest of each row"), "largest")
        self.log.setToolTip(
            self.tr(
                "Equal factors become equal steps of colour. A scale that begins at "
                "0 shows six decades; smaller numbers have the colour of its lower "
                "end. With negative numbers, the scale is logarithmic in the distance "
                "from zero, on both sides."
            )
        )
        self.kept.setToolTip(
            self.tr("The limits stay as they are now, whatever is edited.")
        )

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("&Colours"), self.colors)
        self._add_row(form, self.tr("Li&mits"), self.limits, self.low, self.high)
        form.addRow("", self.percent)
        for switch in (self.log, self.heads, self.across, self.kept):
            form.addRow("", switch)
        form.addRow(self.tr("Cells sharing a &pixel"), self.pooling)
        self._add_row(form, self.tr("S&how"), self.filter, self.least)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.reason)
        self._form = form

    def _add_row(self, form: QFormLayout, title: str, *widgets: QWidget) -> None:
        label = QLabel(title, self)
        label.setBuddy(widgets[0])
        row = QHBoxLayout()
        for number, widget in enumerate(widgets):
            row.addWidget(widget, int(number == 0))
        form.addRow(label, row)

    def _show_lines(self) -> None:
        policy, filter_ = self.limits.currentData(), self.filter.currentData()
        for line in (self.low, self.high):
            line.setVisible(policy == "typed")
        self._form.setRowVisible(self.percent, policy == "percentile")
        self.least.setVisible(filter_ != "all")
        if self.isVisible():
            self.adjustSize()

    @Slot()
    def _take(self) -> None:
        """Emit the choices that are valid, and give the reason for the first other."""
        if self.sender() is self.filter and self.filter.currentData() != "all":
            whole = self.filter.currentData() == "largest"
            self.least.setText("3" if whole else "0.1")
        elif self.sender() is self.limits and self._scale is not None:
            # Typed limits start as the limits that are shown.
            self.low.setText(exact_text(self._scale.low))
            self.high.setText(exact_text(self._scale.high))
        self._show_lines()
        look = replace(
            self._look,
            colors=self.colors.currentData(),
            log=self.log.isChecked() if self.sender() is self.log else self._look.log,
            per_head=self.heads.isChecked(),
            across_steps=self.across.isChecked(),
            pooling=self.pooling.currentData(),
        )
        reasons = []
        for with_typed in self._with_limits, self._with_filter:
            try:
                look = with_typed(look)
            except ValueError as error:  # the other choices still apply
                reasons.append(str(error))
        self.reason.say(reasons[0] if reasons else "")
        self._choose(look)

    @Slot()
    def _keep(self) -> None:
        if self._scale is not None:
            kept = (self._scale.low, self._scale.high)
            on = self.kept.isChecked()
            self._choose(replace(self._look, kept=kept if on else None))

    def _choose(self, look: Look) -> None:
        if look != self._look:
            self._look = look
            self.chosen.emit(look)

    def _with_limits(self, look: Look) -> Look:
        policy = self.limits.currentData()
        typed, percentile = look.typed, look.percentile
        if policy == "typed":
            typed = parse_number(self.low.text()), parse_number(self.high.text())
            if not typed[0] < typed[1]:
                raise ValueError(
                    self.tr(
                        "The low end must be below the high end, {high}. "
                        "Got {low} instead."
                    ).format(low=self.low.text(), high=self.high.text())
                )
        if policy == "percentile":
            percentile = parse_number(self.percent.text())
            if not 0 <= percentile < 50:
                raise ValueError(
                    self.tr(
                        "The percent must be from 0 to less than 50. "
                        "Got {text} instead."
                    ).format(text=self.percent.text())
                )
        changed = replace(look, policy=policy, typed=typed, percentile=percentile)
        return look if changed == look else replace(changed, kept=None)

    def _with_filter(self, look: Look) -> Look:
        kind = self.filter.currentData()
        if kind == "all":
            return replace(look, filter=None)
        number = parse_number(self.least.text())
        if kind == "least":
            if number < 0:
                raise ValueError(
                    self.tr(
                        "The threshold must not be negative. Got {text} instead."
                    ).format(text=self.least.text())
                )
            return replace(look, filter=AtLeast(number))
        if number < 1 or number != int(number):
            raise ValueError(
                self.tr(
                    "The number must be a whole number of at least 1. Got "
                    "{text} instead."
                ).format(text=self.least.text())
            )
        return replace(look, filter=Largest(int(number)))


def _swatch(name: str) -> QIcon:
    """Return a colour map from its low end to its high end."""
    table = np.ascontiguousarray(ColorScale(name, 0.0, 1.0).table())  # (256, 3)
    image = QImage(table.data, len(table), 1, QImage.Format.Format_RGB888)
    return QIcon(QPixmap.fromImage(image.scaled(SWATCH)))


def _kind_of(filter_: Filter | None) -> str:
    if filter_ is None:
        return "all"
    return "least" if isinstance(filter_, AtLeast) else "largest"


def _select(box: QComboBox, data: Any) -> None:
    box.setCurrentIndex(max(0, box.findData(data)))

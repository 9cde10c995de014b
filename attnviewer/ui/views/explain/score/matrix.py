"""The terms of a split score as a small heatmap, whose cells are links."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.color_scale import make_scale
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.miniature.image import cell_image
from attnviewer.ui.paint.miniature.miniature import Miniature, paint_miniature
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.explain.score.texts import TwoTokens, goal_of, term_text
from attnviewer.ui.views.step.heads.layers import goal_name
from attnviewer.ui.views.step.heads.picture import paint_mark
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.arrow_keys import walk
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.models.residual.score_parts import ScoreParts

LARGEST = 18
"""The side of the heatmap at most, in heights of a line."""


class TermMatrix(QWidget):
    """Paints a term for each pair; the components of the query are the rows.

    A click on a cell, or Enter, offers to open its two components; arrow keys go from
    cell to cell.

    Attributes
    ----------
    chosen : Signal
        The `Goal` of a component that is to be opened.
    """

    chosen = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("explain.score.matrix")
        self.setAccessibleName(self.tr("All terms of the score"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._appearance = appearance
        self._parts: ScoreParts | None = None
        self._tokens = TwoTokens("", "")
        self._painted: Miniature | None = None
        self._cell: Position | None = None
        self._links = QMenu(self)
        self._links.setObjectName("explain.score.links")
        self._links.triggered.connect(self._on_link)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        appearance.changed.connect(self._repaint)

    def show_parts(self, parts: "ScoreParts", tokens: TwoTokens) -> None:
        """Show the terms of another score."""
        self._parts, self._tokens, self._cell = parts, tokens, None
        count, pattern = len(parts.components), self.tr("{count} × {count} terms")
        self.setAccessibleDescription(pattern.format(count=count))
        self._repaint()

    def sizeHint(self) -> QSize:
        return QSize(0, self._side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._repaint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._parts is None:
            return
        theme, painter = self._appearance.theme, QPainter(self)
        picture = self._picture(self._parts)
        paint_miniature(painter, QPoint(0, 0), picture, theme, self.font())
        if self._cell is not None and self.hasFocus():
            paint_mark(painter, picture.cell_rect(self._cell), theme, strong=True)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._tell(event)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._cell is None and self._parts is not None:
            self._go((0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        parts, enter = self._parts, (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if parts is None:
            super().keyPressEvent(event)
        elif event.key() in (*enter, Qt.Key.Key_Space) and self._cell is not None:
            self._offer(parts, self._cell)
        else:
            rows, columns = parts.matrix.shape
            goal = walk(event, self._cell, (rows, columns), rows)
            if goal is None:
                super().keyPressEvent(event)
            else:
                self._go(goal)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        parts = self._parts
        if parts is None or event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
            return
        cell = self._picture(parts).cell_at(event.position().toPoint())
        if cell is not None:
            self._go(cell)
            self._offer(parts, cell)

    def _go(self, cell: Position) -> None:
        """Move the mark to a cell, and read it out."""
        self._cell = cell
        self.update()
        if self._parts is not None:
            announce(self, self._text(self._parts, cell))

    def _offer(self, parts: "ScoreParts", cell: Position) -> None:
        """Offer to open both components of a cell below it."""
        self._links.clear()
        ends = (self._tokens.query, self._tokens.key)
        pattern = self.tr("Open {goal}: {component} at {token}")
        for number, token in zip(cell, ends, strict=True):
            component = parts.components[number]
            goal = goal_name(goal_of(component))
            text = pattern.format(goal=goal, component=component, token=token)
            self._links.addAction(text.replace("&", "&&")).setData(number)
        place = self._picture(parts).cell_rect(cell).bottomLeft()
        self._links.popup(self.mapToGlobal(place))

    @Slot(QAction)
    def _on_link(self, action: QAction) -> None:
        if self._parts is not None:
            self.chosen.emit(goal_of(self._parts.components[action.data()]))

    def _text(self, parts: "ScoreParts", cell: Position) -> str:
        row, column = cell
        name = self._tokens.pair(parts.components[row], parts.components[column])
        return term_text(name, float(parts.matrix[cell]), parts.score)

    @property
    def _side(self) -> int:
        return min(self.width(), LARGEST * self.fontMetrics().height())

    def _repaint(self) -> None:
        self._painted = None
        self.updateGeometry()
        self.update()

    def _picture(self, parts: "ScoreParts") -> Miniature:
        if self._painted is None:
            theme, values = self._appearance.theme, parts.matrix
            # Of zeros alone, the scale has any limits, with 0 in its middle.
            most = float(np.abs(values).max(initial=0.0)) or 1.0
            scale = make_scale(theme.signed, -most, most, log=False)
            image = cell_image(cell_colors(values, scale, theme, None), None)
            rows, columns = values.shape
            size = QSize(self._side, self._side)
            self._painted = Miniature(rows, columns, size, image, masked=False)
        return self._painted

    def _tell(self, event: QHelpEvent) -> None:
        """Say in a tool tip which term the pointer is on."""
        parts = self._parts
        if parts is None:
            return
        picture = self._picture(parts)
        cell = picture.cell_at(event.pos())
        if cell is None:
            QToolTip.hideText()
            return
        text, place = self._text(parts, cell), picture.cell_rect(cell)
        QToolTip.showText(event.globalPos(), plain_tip(text), self, place)

"""The terms of a split score as a small heatmap."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.ui.paint.color_scale import make_scale
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.miniature.image import cell_image
from attnviewer.ui.paint.miniature.miniature import Miniature, paint_miniature
from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.views.explain.score.words import TwoTokens, term_text
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.models.residual.score_parts import ScoreParts

LARGEST = 18
"""The side of the heatmap at most, in heights of a line."""


class TermMatrix(QWidget):
    """Paints a term for each pair; the components of the query are the rows."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("explain.score.matrix")
        self.setAccessibleName(self.tr("All terms of the score"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._appearance = appearance
        self._parts: ScoreParts | None = None
        self._tokens = TwoTokens("", "")
        self._painted: Miniature | None = None
        appearance.changed.connect(self._repaint)

    def show_parts(self, parts: "ScoreParts", tokens: TwoTokens) -> None:
        """Show the terms of another score."""
        self._parts, self._tokens = parts, tokens
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
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._tell(event)
            return True
        return super().event(event)

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
            most = float(np.abs(values).max(initial=0.0))
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
        row, column = cell
        name = self._tokens.pair(parts.components[row], parts.components[column])
        text = term_text(name, float(parts.matrix[cell]), parts.score)
        place = picture.cell_rect(cell)
        QToolTip.showText(event.globalPos(), plain_tip(text), self, place)

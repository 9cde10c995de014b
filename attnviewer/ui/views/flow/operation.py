"""An operation of the strip: words on an edge, or a pill where two matrices meet."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Spec, Trace
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.subscripts import print_in
from attnviewer.ui.text.concepts import concepts_of, tip, what_is
from attnviewer.ui.views.flow.places import WordsPlace
from attnviewer.ui.widgets.tool_tips import plain_tip


class Operation(QWidget):
    """Names the operation that leads to a step; its tool tip has all of it.

    Parameters
    ----------
    step : str
        The step.
    meets : bool
        Whether two matrices meet in it, so that it is a pill.
    appearance : Appearance
        The theme.
    parent : QWidget
        The strip.
    """

    def __init__(
        self, step: str, meets: bool, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"flow.to.{step}")
        self._step = step
        self._meets = meets
        self._appearance = appearance
        self._told: tuple[str, Spec] | None = None
        self._font = self.font()
        self._lines: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The words that are shown; none where there is no room."""
        return self._lines

    def say(self, operation: str, trace: Trace) -> None:
        """Explain the operation in the tool tip."""
        if (operation, trace.spec) != self._told:
            self._told = operation, trace.spec
            concepts = concepts_of(self._step, trace)
            self.setToolTip(plain_tip(f"{operation}\n{tip(concepts)}"))
            self.setWhatsThis(what_is(operation, *concepts))
            self.setAccessibleName(operation)

    def stand(self, place: WordsPlace, font: QFont) -> None:
        """Take a place in the strip."""
        self._font, self._lines = font, place.lines
        self.setGeometry(place.rect)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._appearance.theme
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._meets:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.muted), 1))
            painter.setBrush(QColor(theme.surface))
            edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            radius = min(edge.height() / 2, 11.0)
            painter.drawRoundedRect(edge, radius, radius)
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text if self._meets else theme.muted))
        metrics = QFontMetrics(self._font)
        top = (self.height() - len(self._lines) * metrics.height()) // 2
        for number, line in enumerate(self._lines):
            room = QRect(0, top + number * metrics.height(), self.width(), 0)
            room.setHeight(metrics.height())
            elide = Qt.TextElideMode.ElideRight
            text = metrics.elidedText(line, elide, self.width())
            print_in(painter, room, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

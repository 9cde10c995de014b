"""The balloon of a tour stop, with a tip that points at its target."""

from PySide6.QtCore import QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.tour.placing import place_beside
from attnviewer.ui.widgets.announcing import announce

TIP = 12
"""Length of the tip, in pixels."""
RADIUS = 7
WIDTH = 24
"""Width of the text, in line heights."""


class Balloon(QFrame):
    """A few sentences over the window, with Next and Back buttons.

    Enter goes on, Escape ends the tour. The window stays usable.

    Attributes
    ----------
    stepped : Signal
        1 for the next stop, −1 for the previous one.
    ended : Signal
        The user has ended the tour.
    """

    stepped = Signal(int)
    ended = Signal()

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self._window = window
        self._appearance = appearance
        self._edge: Qt.Edge | None = None
        self._aim = QPoint()
        self._title = _label("tour.title", self)
        self._count = _label("tour.count", self)
        self._count.setProperty("muted", True)
        self._text = _label("tour.text", self)
        self._text.setWordWrap(True)
        self._skip = _button("tour.skip", self.tr("Skip the tour"), self)
        self._back = _button("tour.back", self.tr("Back"), self)
        self._next = _button("tour.next", self.tr("Next"), self)
        self._skip.clicked.connect(self.ended)
        self._back.clicked.connect(self._go_back)
        self._next.clicked.connect(self._go_forward)
        heading = QHBoxLayout()
        heading.addWidget(self._title, 1)
        heading.addWidget(self._count)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self._skip)
        buttons.addStretch(1)
        buttons.addWidget(self._back)
        buttons.addWidget(self._next)
        self._layout = layout = QVBoxLayout(self)
        inside = TIP + 12
        layout.setContentsMargins(inside, inside - 2, inside, inside)
        layout.setSpacing(8)
        layout.addLayout(heading)
        layout.addWidget(self._text)
        layout.addLayout(buttons)

    def show_stop(self, title: str, text: str, number: int, count: int) -> None:
        """Show a stop of the tour.

        Parameters
        ----------
        title, text : str
            What it says.
        number, count : int
            The number of the stop, from 1, and the number of all stops.
        """
        position_text = self.tr("{number} of {count}").format(
            number=number, count=count
        )
        self._title.setText(title)
        self._text.setText(text)
        self._count.setText(position_text)
        self._back.setEnabled(number > 1)
        last = number == count
        self._skip.setVisible(not last)
        self._next.setText(self.tr("Done") if last else self.tr("Next"))
        self._next.setAccessibleName(self._next.text())
        spoken = f"{title}, {position_text}. {text}"
        self.setAccessibleName(spoken)
        # Screen readers read it when the button gets the focus.
        self._next.setAccessibleDescription(spoken)
        self.show()
        self.raise_()
        self._next.setFocus(Qt.FocusReason.OtherFocusReason)
        announce(self, spoken)

    def point_to(self, target: QRect) -> None:
        """Move beside a rectangle of the window; to the centre if it is empty."""
        room = self._window.rect()
        width = min(WIDTH * self.fontMetrics().height(), room.width() - 4 * TIP)
        self._text.setFixedWidth(max(1, width))
        self._layout.activate()
        self.resize(self._layout.sizeHint())
        corner, self._edge = place_beside(self.size(), target, room)
        self.move(corner)
        self._aim = target.center() - corner
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._appearance.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.setBrush(QColor(theme.surface))
        painter.drawPath(self._outline())
        painter.end()

    def _outline(self) -> QPainterPath:
        body = self.rect().toRectF().adjusted(TIP, TIP, -TIP, -TIP)
        path = QPainterPath()
        path.addRoundedRect(body, RADIUS, RADIUS)
        if self._edge is None:
            return path
        reach = TIP + RADIUS
        x = max(body.left() + reach, min(self._aim.x(), body.right() - reach))
        y = max(body.top() + reach, min(self._aim.y(), body.bottom() - reach))
        edge = Qt.Edge
        tip, base, across = {
            edge.LeftEdge: (QPointF(1, y), body.left() + 1, False),
            edge.RightEdge: (QPointF(self.width() - 1, y), body.right() - 1, False),
            edge.TopEdge: (QPointF(x, 1), body.top() + 1, True),
            edge.BottomEdge: (QPointF(x, self.height() - 1), body.bottom() - 1, True),
        }[self._edge]
        ends = (
            [QPointF(x - TIP, base), QPointF(x + TIP, base)]
            if across
            else [QPointF(base, y - TIP), QPointF(base, y + TIP)]
        )
        pointing = QPainterPath()
        pointing.addPolygon(QPolygonF([ends[0], tip, ends[1], ends[0]]))
        return path.united(pointing)

    def _go_forward(self) -> None:
        self.stepped.emit(1)

    def _go_back(self) -> None:
        self.stepped.emit(-1)


def _label(name: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _button(name: str, text: str, parent: QWidget) -> QPushButton:
    button = QPushButton(text, parent)
    button.setObjectName(name)
    button.setAccessibleName(text)
    button.setAutoDefault(True)
    return button

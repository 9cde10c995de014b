"""Two sentences token under token, with the tokens that differ marked."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.text.tokens import quoted, token_label

GAP, INSIDE, BETWEEN = 4, 4, 6
"""Between pairs, beside a token, and between two lines of pairs, in pixels."""
NONE = "–"
"""Where the other sentence has no more tokens."""


class _Placed(NamedTuple):
    rect: QRect
    pair: tuple[str, str]


class TokenPairs(QWidget):
    """Paints the tokens of one sentence above those of another."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("patching.tokens")
        self.setAccessibleName(self.tr("Tokens of both sentences"))
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._appearance = appearance
        self._pairs: list[tuple[str, str]] = []
        appearance.changed.connect(self.update)

    @property
    def differing(self) -> list[int]:
        """The positions at which the sentences differ."""
        return [k for k, (one, other) in enumerate(self._pairs) if one != other]

    def show_tokens(self, clean: Sequence[str], corrupted: Sequence[str]) -> None:
        """Show the tokens of two sentences, which may differ in number."""
        ours, theirs = (list(map(token_label, each)) for each in (clean, corrupted))
        self._pairs = list(zip_longest(ours, theirs, fillvalue=NONE))
        pattern = self.tr("{one} became {other}")
        changes = (
            pattern.format(one=quoted(one), other=quoted(other))
            for one, other in (self._pairs[k] for k in self.differing)
        )
        self.setAccessibleDescription("; ".join(changes))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((each.rect.bottom() + 1 for each in self._placed(width)), default=0)

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._appearance.theme, QPainter(self)
        center = Qt.AlignmentFlag.AlignCenter
        for rect, (one, other) in self._placed(self.width()):
            middle = rect.top() + rect.height() // 2
            upper, lower = QRect(rect), QRect(rect)
            upper.setBottom(middle - 1)
            lower.setTop(middle)
            differs = one != other
            painter.fillRect(rect, QColor(theme.sunken))
            if differs:
                painter.fillRect(lower, QColor(theme.fill))
            painter.setPen(QColor(theme.text))
            painter.drawText(upper, center, one)
            painter.setPen(QColor(theme.on_fill if differs else theme.muted))
            painter.drawText(lower, center, other)
        painter.end()

    def _placed(self, width: int) -> Iterator[_Placed]:
        metrics = self.fontMetrics()
        x, y, height = 0, 0, 2 * (metrics.height() + 2)
        for pair in self._pairs:
            wide = max(map(metrics.horizontalAdvance, pair)) + 2 * INSIDE
            if x and x + wide > width:
                x, y = 0, y + height + BETWEEN
            yield _Placed(QRect(x, y, min(wide, max(width, 1)), height), pair)
            x += wide + GAP

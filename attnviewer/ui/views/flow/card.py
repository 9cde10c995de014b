"""One step in the strip: its name, its map and the sheets of its other heads."""

import textwrap

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessibleInterface,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Spec, Stage, Trace
from attnviewer.ui.paint.miniature.card import MiniatureCard
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.miniature import Miniature
from attnviewer.ui.paint.pin_mark import paint_badge
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.heads import own_head
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.concepts import TIP_WIDTH, concepts_of, line, what_is
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.flow.measures import Measures
from attnviewer.ui.views.flow.painting import (
    Highlights,
    paint_thumbnail,
)
from attnviewer.ui.views.flow.places import CardPlace
from attnviewer.ui.views.flow.thumbnail import make_thumbnail
from attnviewer.ui.views.flow.verdicts import Verdict, paint_verdict
from attnviewer.ui.widgets.accessible import DescribedTab, announce_selected
from attnviewer.ui.widgets.tool_tips import plain_tip

RING = 3
"""Width of the focus ring around the card."""
_RADIUS = 5
_LATER_FROM, _LATER = 2**16, 30
"""When another step or document is shown, steps of this many cells are drawn with a
delay, in milliseconds: the open step comes first. The strip follows edits after it."""


class FlowCard(MiniatureCard):
    """Shows one step; a click opens it, a click on a numbered cell selects that."""

    chosen = Signal(str, object)
    """The step, and the cell that was clicked or None."""
    pointed_at = Signal(str, object)
    """The step, and the cell under the pointer or None."""

    def __init__(self, shown: DisplayedStep, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"flow.{shown.step}")
        self._strip = parent
        self.setAutoExclusive(True)
        self.clicked.connect(self._on_clicked)
        self._lit = Highlights()
        self._thumbnail: Miniature | None = None
        self._stale = True
        self._prompt = False
        self._later = QTimer(self, singleShot=True, interval=_LATER)
        self._later.timeout.connect(self._draw_anew)
        self._aimed_at: Position | None = None
        self._place: CardPlace | None = None
        self._picture = QRect()  # where the heatmap is
        self._measures = Measures(self.font())
        self._name_font = self._measures.title
        self._asked: tuple[Stage, Spec] | None = None
        self._told = ""
        self._verdict: Verdict | None = None
        self.show_step(shown)

    @property
    def step(self) -> str:
        """The step's name."""
        return self._shown.step

    @property
    def has_heads(self) -> bool:
        """Whether the step has several heads, of which one is shown."""
        return self._n_heads > 1

    @property
    def grid(self) -> Grid:
        """The layout of the cells in the heatmap."""
        return Grid(*self._shape, self._picture.size())

    @property
    def has_picture(self) -> bool:
        """Whether there is room for the heatmap."""
        return self._place is not None and not self._place.picture.isEmpty()

    @property
    def thumbnail(self) -> Miniature:
        """The heatmap with the newest numbers."""
        if self._thumbnail is None or self._stale:
            size, digits = self._picture.size(), self._measures.digits
            self._thumbnail = make_thumbnail(self._shown, size, digits)
            self._stale = self._prompt = False
        return self._thumbnail

    @property
    def corner(self) -> QPoint:
        """Upper left corner of the heatmap."""
        return self._picture.topLeft()

    def stand(self, place: CardPlace, measures: Measures, name: QFont) -> None:
        """Set the geometry in the strip and the font of the name."""
        asked = place, measures, name
        if asked != (self._place, self._measures, self._name_font):
            self._name_font = name
            self._place, self._measures, self._stale = place, measures, True
            whole = place.whole.adjusted(-RING, -RING, RING, RING)
            self.setGeometry(whole & self._strip.rect())
            self._picture = self._within(place.picture)
            self._write_tip()
            self.update()

    def show_step(self, shown: DisplayedStep) -> None:
        """Show a step; its picture is drawn once it becomes visible."""
        trace, step = shown.computed.trace, shown.step
        self._shown = shown
        self._stale = True
        self._shape = trace.matrix_shape(step)
        self._caption = "{}×{}".format(*self._shape)
        self._n_heads = trace.n_heads(step)
        own = own_head(trace, step, shown.head)
        self._heads = self.tr("H{0} of {1}").format(own, self._n_heads)
        self._pinned = trace.stages[step].pins is not None
        self._mistake = trace.stages[step].mistake
        self._withheld = step in shown.computed.withheld
        self._explain(trace)
        self._write_tip()
        self._name()
        self.update()

    def follow(self, shown: DisplayedStep) -> None:
        """Update the numbers of the same step; nothing else has changed."""
        self._shown = shown
        self._stale = self._prompt = True
        self.update(self._picture)

    def _explain(self, trace: Trace) -> None:
        """Explain the step in its tool tip, within this variant."""
        asked = trace.stages[self.step], trace.spec
        if asked != self._asked:
            self._asked = asked
            concepts = concepts_of(self.step, trace)
            self._told = "\n".join(textwrap.wrap(line(concepts), TIP_WIDTH))
            self.setWhatsThis(what_is(step_title(self.step), *concepts))

    def _write_tip(self) -> None:
        stage = self._shown.computed.trace.stages[self.step]
        parts = [f"{self._told}\n{stage.equation}", self._caption]
        if self.has_heads:
            parts.append(self._heads)
        parts += self._states()
        self.setToolTip(plain_tip(" · ".join(parts)))

    def set_opened(self, opened: bool) -> None:
        """Mark the card as the step that is shown large."""
        if opened != self.isChecked():
            # Another step than those in the strip may be open, so that none is chosen.
            self.setAutoExclusive(False)
            self.setChecked(opened)
            self.setAutoExclusive(True)
            announce_selected(self)

    def described(self) -> QAccessibleInterface:
        """Return its description for screen readers: no check box, but a tab."""
        return DescribedTab(self)

    def judge(self, verdict: Verdict | None) -> None:
        """Show how an implementation's step compares with this one; None to clear."""
        if verdict != self._verdict:
            self._verdict = verdict
            self._write_tip()
            self._name()
            self.update()

    def light(self, lit: Highlights) -> None:
        """Highlight cells."""
        if lit != self._lit:
            self._lit = lit
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # Cells without a number are too small to click.
        if self._thumbnail is not None and self._thumbnail.texts:
            self._aimed_at = self._cell_at(event)
        super().mouseReleaseEvent(event)
        self._aimed_at = None

    def _within(self, rect: QRect) -> QRect:
        """Return a part of the strip in the card's own coordinates."""
        return rect.translated(-self.pos())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._place is None:
            return
        painter = QPainter(self)
        # The default follows the application's layout direction.
        painter.setLayoutDirection(self.layoutDirection())
        if self._picture.contains(event.rect()):
            # Includes the fractional pixels of a scaled screen.
            ground = event.rect().adjusted(-1, -1, 1, 1)
            painter.fillRect(ground, QColor(self._shown.theme.surface))
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_card(painter, self._place)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._paint_words(painter, self._place)
        if self.has_picture and self._withheld:
            painter.setFont(self._name_font)
            painter.setPen(QColor(self._shown.theme.muted))
            painter.drawText(self._picture, Qt.AlignmentFlag.AlignCenter, "?")
        elif self.has_picture:
            thumbnail, font = self._thumbnail_for_now(), self._measures.number
            theme = self._shown.theme
            paint_thumbnail(painter, self.corner, thumbnail, theme, font, self._lit)
        if self._verdict is not None:
            corner = QRectF(self._within(self._place.frame)).topRight()
            paint_verdict(painter, corner, self._verdict.mark, self._shown.theme)
        painter.end()

    def _paint_card(self, painter: QPainter, place: CardPlace) -> None:
        theme = self._shown.theme
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.surface))
        for sheet in map(self._within, place.sheets):
            edge = QRectF(sheet).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(edge, _RADIUS, _RADIUS)
        frame = QRectF(self._within(place.frame))
        if self._shows_focus:
            ring = frame.adjusted(-RING + 1, -RING + 1, RING - 1, RING - 1)
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, _RADIUS + 2, _RADIUS + 2)
        self._paint_frame(painter, theme, frame, _RADIUS)
        if self._mistake:
            painter.setPen(QPen(QColor(theme.error), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame, _RADIUS, _RADIUS)
        if self._pinned:
            paint_badge(painter, frame.topLeft() - QPointF(RING, 1), theme)

    def _paint_words(self, painter: QPainter, place: CardPlace) -> None:
        theme, measures = self._shown.theme, self._measures
        center = Qt.AlignmentFlag.AlignCenter
        title, metrics = self._within(place.title), QFontMetrics(self._name_font)
        right, width = Qt.TextElideMode.ElideRight, title.width() + 1
        name = "\n".join(metrics.elidedText(line, right, width) for line in place.name)
        painter.setFont(self._name_font)
        painter.setPen(QColor(theme.color_of(self.step) or theme.text))
        painter.drawText(title, center, name)
        if not place.caption.isNull():
            painter.setFont(measures.word)
            painter.setPen(QColor(theme.muted))
            painter.drawText(self._within(place.caption), center, self._caption)

    def _thumbnail_for_now(self) -> Miniature:
        """Return the heatmap; that of a large step may still be the previous one."""
        grid, before = self.grid, self._thumbnail
        if not self._stale or before is None or grid.size != before.size:
            return self.thumbnail
        if self._prompt or grid.rows * grid.columns < _LATER_FROM:
            return self.thumbnail
        if not self._later.isActive():
            self._later.start()
        return before

    @Slot()
    def _draw_anew(self) -> None:
        if self._stale:
            self._thumbnail = None
            # All of it, as the previous picture may have highlights around it.
            self.update()

    def _emit_pointed_at(self, cell: Position | None) -> None:
        self.pointed_at.emit(self.step, cell)

    def _cell_at(self, event: QMouseEvent) -> Position | None:
        seen = self.has_picture and not self._withheld
        return super()._cell_at(event) if seen else None

    def _states(self) -> list[str]:
        """Return its badges in words."""
        states = [self.tr("hidden until you answer")] if self._withheld else []
        if self._pinned:
            states.append(self.tr("pinned"))
        if self._mistake:
            states.append(self.tr("with a mistake: {}").format(self._mistake))
        if self._verdict is not None:
            states.append(self._verdict.text)
        return states

    def _name(self) -> None:
        parts = [self.step, self._caption]
        if self.has_heads:
            parts.append(self._heads)
        parts += self._states()
        self.setAccessibleName(", ".join(parts))

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self.step, self._aimed_at)

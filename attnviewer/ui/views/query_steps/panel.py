"""The walk through one query's computation: controls, texts and numbers."""

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Axis, Move, QueryWalk, Trace
from attnviewer.document import Labels, cell_name
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.live import NO_VEIL
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.numbers import decimals_for
from attnviewer.ui.text.tokens import lines_along, token_label
from attnviewer.ui.views.query_steps.player import WalkPlayer
from attnviewer.ui.views.query_steps.rows import RowsView, WalkRows
from attnviewer.ui.views.query_steps.texts import (
    DECIMALS,
    loop_line,
    matrix_line,
    move_html,
    overflow_sentence,
    phase_tip,
    phase_title,
    same_for_others,
)
from attnviewer.ui.views.query_steps.transport import Transport
from attnviewer.ui.views.query_steps.verdict import Verdict, compare
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.tab_order import chain_tabs
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.withheld_note import WithheldNote

VERDICT = 30
"""The least width of the text about the numbers, in characters."""
LONGER = 2
"""Lines of text that formulas may grow by before the panel scrolls."""


class WalkPanel(QWidget):
    """Plays the computation for one query, number by number.

    Attributes
    ----------
    player : WalkPlayer
        The state of the walk.
    heading : QWidget
        The panel's title.
    """

    def __init__(
        self,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("walk")
        self.setAccessibleName(self.tr("Loop and matrix form"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._engine = workbench.engine
        self._labels: Labels | None = None
        self._lines: dict[tuple[Axis, int], tuple[str, ...]] = {}
        self._appearance = appearance
        self.player = WalkPlayer(workbench, self)
        self.heading = QLabel(self.tr("Loop and matrix form"), self)
        self.heading.setObjectName("walk.heading")
        self.heading.setContentsMargins(12, 0, 0, 0)
        self._transport = Transport(self.player, self)
        self._phases = QButtonGroup(self)
        self._phases.idClicked.connect(self.player.go_to_phase)
        self._phase_row = QHBoxLayout()
        self._phase_row.setSpacing(3)
        self._phase_row.addStretch(1)
        self._formula = self._label("walk.formula", self.tr("Formula"))
        self._loop = self._label("walk.loop", self.tr("As a loop over the keys"))
        self._matrix = self._label("walk.matrix", self.tr("In the matrix form"))
        self._rows = RowsView(self)
        self._verdict = self._label("walk.verdict", self.tr("Loop and matrix form"))
        self._warning = self._label("walk.warning", self.tr("Overflow"))
        self._hidden = QTimer(self, singleShot=True, interval=0)
        self._hidden.timeout.connect(self._close_if_hidden)
        self._lay_out()
        self.player.moved.connect(self._refresh)
        # Queued: the sentence is placed when the layouts are activated.
        self._transport.unshifted.toggled.connect(
            self._show_warning, Qt.ConnectionType.QueuedConnection
        )
        appearance.changed.connect(self._refresh)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        self._transport.slider.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.player.open()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        # A minimised window is hidden only temporarily.
        if not event.spontaneous():
            self._hidden.start()

    def sizeHint(self) -> QSize:
        """Return the size that shows everything without scrolling."""
        content = self._scroll.widget()
        assert content is not None
        width = max(self.width(), content.minimumSizeHint().width())
        # The formulas of later moves are longer.
        longer = LONGER * self.fontMetrics().lineSpacing()
        return QSize(width, content.heightForWidth(width) + longer)

    @Slot()
    def _close_if_hidden(self) -> None:
        # A dock is briefly hidden when it starts to float.
        if not self.isVisible():
            self.player.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Buttons and boxes handle the key themselves; the slider does not.
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            self.player.toggle()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _refresh(self) -> None:
        walk, move = self.player.walk, self.player.move
        if walk is None or move is None or _is_withheld(self._engine.current):
            return
        computed, theme = self._engine.current, self._appearance.theme
        stages = computed.trace.stages
        self.heading.setText(self._heading_text(walk, computed.trace))
        queries = self._lines_along("queries", _count(computed.trace, 0))
        self._transport.show_walk(queries)
        self._show_phases(walk, move, computed.trace)
        name = cell_name(
            stages[move.cell.step], computed.labels, move.cell.index, token_label
        )
        note = same_for_others(move.phase, stages)
        self._formula.setText(move_html(name, move, theme, note))
        self._loop.setText(loop_line(walk, move, stages))
        self._matrix.setText(matrix_line(walk, move.phase, stages))
        self._rows.show_rows(self._rows_of(walk, move), theme)
        self._show_verdict(compare(move))
        warning = overflow_sentence(walk)
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))
        failed = walk.exponentials is not None and walk.exponentials.failed
        set_styled(self._warning, "error", failed)

    @Slot()
    def _show_warning(self) -> None:
        """Scroll to the text about the overflow, if the dock is low."""
        self._scroll.ensureWidgetVisible(self._warning, 0, 0)

    def _heading_text(self, walk: QueryWalk, trace: Trace) -> str:
        if trace.n_query_heads == 1:
            return self.tr("Loop and matrix form")
        return self.tr("Loop and matrix form · H{head}").format(head=walk.head)

    def _rows_of(self, walk: QueryWalk, move: Move) -> WalkRows:
        trace, phase = self._engine.current.trace, move.phase
        current = move.index
        if phase.kind in ("vector", "mix"):
            width = trace.shape(phase.step)[-1]
            headings = self._lines_along("features", width)
            current = move.index if phase.per_column else None
        elif phase.per_key:
            headings = self._lines_along("keys", _count(trace, 1))
        else:
            headings, current = (phase_title(phase),), 0
        rows = move.loop, move.matrix, walk.row(phase.step)
        decimals = max(decimals_for(row, DECIMALS) for row in rows)
        return WalkRows(headings, move.loop, move.matrix, current, decimals)

    def _show_verdict(self, verdict: Verdict) -> None:
        self._verdict.setText(verdict.text)
        self._verdict.setToolTip(verdict.rule)
        self._verdict.setAccessibleDescription(verdict.rule)
        set_styled(self._verdict, "verdict", verdict.kind)

    def _lines_along(self, axis: Axis, count: int) -> tuple[str, ...]:
        """Return `lines_along`, cached for the next move: there may be thousands."""
        labels = self._engine.current.labels
        if labels is not self._labels:
            self._labels, self._lines = labels, {}
        key = axis, count
        if key not in self._lines:
            self._lines[key] = lines_along(axis, labels, count)
        return self._lines[key]

    def _show_phases(self, walk: QueryWalk, move: Move, trace: Trace) -> None:
        titles = [phase_title(phase) for phase in walk.phases]
        if [button.text() for button in self._phases.buttons()] != titles:
            for button in self._phases.buttons():
                self._phases.removeButton(button)
                self._phase_row.removeWidget(button)
                button.setParent(None)
                button.deleteLater()
            for index, title in enumerate(titles):
                chip = QPushButton(title, self)
                chip.setObjectName(f"walk.phase.{index}")
                chip.setProperty("chip", True)
                chip.setCheckable(True)
                chip.setAutoExclusive(True)  # said to be one of several
                self._phases.addButton(chip, index)
                self._phase_row.insertWidget(index, chip)
            chain_tabs([self._transport.speed, *self._phases.buttons()])
        for button, phase in zip(self._phases.buttons(), walk.phases, strict=True):
            button.setToolTip(plain_tip(phase_tip(phase, trace)))
        self._phases.button(walk.phases.index(move.phase)).setChecked(True)

    def _label(self, name: str, title: str) -> QLabel:
        label = QLabel(self)
        label.setObjectName(name)
        label.setAccessibleName(title)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _lay_out(self) -> None:
        self._formula.setTextFormat(Qt.TextFormat.RichText)
        for label in (self._loop, self._matrix, self._verdict, self._warning):
            label.setTextFormat(Qt.TextFormat.PlainText)
        # Formulas and numbers run left to right in every language.
        beside = QWidget(self)
        beside.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._rows.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        forms = QHBoxLayout(beside)
        forms.setContentsMargins(0, 0, 0, 0)
        for title, label in (
            (self.tr("loop"), self._loop),
            (self.tr("matrix form"), self._matrix),
        ):
            heading = QLabel(title, self)
            heading.setProperty("muted", True)
            forms.addWidget(heading)
            forms.addWidget(label, 1)
        content = QWidget(self)
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(6)
        layout.addWidget(self._transport)
        layout.addLayout(self._phase_row)
        layout.addWidget(self._formula)
        layout.addWidget(beside)
        numbers = QHBoxLayout()
        numbers.setSpacing(12)
        numbers.addWidget(self._rows)
        self._verdict.setMinimumWidth(VERDICT * self.fontMetrics().averageCharWidth())
        numbers.addWidget(self._verdict, 1)
        layout.addLayout(numbers)
        layout.addWidget(self._transport.unshifted)
        layout.addWidget(self._warning)
        layout.addStretch(1)
        # In a small window the other docks keep their sizes, and this one scrolls.
        self._scroll = scroll = QScrollArea(self)
        scroll.setObjectName("walk.scroll")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(content)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(scroll)
        note = WithheldNote("walk", self._engine, scroll, _is_withheld, self)
        around.addWidget(note)


def _is_withheld(computed: Computed) -> bool:
    # The walk goes through all steps up to the output.
    return computed.veil != NO_VEIL


def _count(trace: Trace, axis: int) -> int:
    """Return the number of queries (0) or keys (1)."""
    return trace.shape("scores")[-2:][axis]

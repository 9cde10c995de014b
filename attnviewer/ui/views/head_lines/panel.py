"""The panel with the lines of the chosen head and their summary."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import HeadSurvey, StepHeads, head_locations
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.views.head_lines.card import HeadNumbers
from attnviewer.ui.views.head_lines.texts import looked_at, query_line, statistics_lines
from attnviewer.ui.widgets.column import Column
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.withheld_note import WithheldNote
from attnviewer.ui.work.surveyor import Surveyor

# Imported when first shown: the window must not wait for a closed panel.
if TYPE_CHECKING:
    from attnviewer.ui.views.step.lines import Lines


LOWEST = 10
"""The least height of the picture, in line heights; below it the panel scrolls."""


class LinesBeside(QWidget):
    """Shows the attention weights of the chosen head as lines, whichever step is open.

    Attributes
    ----------
    heading : QWidget
        Whose lines are shown, in one line.
    filled : Signal
        The contents have been created, as the panel is first shown.
    """

    filled = Signal()

    def __init__(
        self,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lines")
        self.setAccessibleName(self.tr("Lines"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workbench = workbench
        self._appearance = appearance
        self._shown: DisplayedStep | None = None
        self._surveyed: Computed | None = None
        self._survey: HeadSurvey | None = None
        self._surveyor = Surveyor(self)
        self._legend = ElidedLabel("lines.legend", Qt.TextElideMode.ElideRight)
        title = QLabel(self.tr("Lines"))
        self.heading = heading_row(title, self._legend, self)
        content = QWidget()
        content.setObjectName("lines.content")
        self.numbers = HeadNumbers(content)
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.numbers)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        scroll = Column("lines.scroll", content)
        layout.addWidget(scroll, 1)
        engine = workbench.engine
        note = WithheldNote("lines", engine, scroll, _is_withheld, self)
        layout.addWidget(note, 1)
        # Debounced: pictures show an edit first, the numbers follow.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._catch_up)
        self._surveyor.finished.connect(self._update)
        selection = workbench.selection
        workbench.engine.computed.connect(self._on_computed)
        appearance.changed.connect(self._refresh)
        selection.head_changed.connect(self._refresh)

    @cached_property
    def lines(self) -> "Lines":
        """The lines with their controls."""
        from attnviewer.ui.views.step.lines import Lines

        lines = Lines(self._workbench.selection, "lines.page", self)
        lines.overlay.activated.connect(self._update)
        lines.picture.focus_changed.connect(self._soon.start)
        self._column.insertWidget(0, lines, 1)
        self.filled.emit()
        return lines

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_lines()
        self._surveyor.resume()
        self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._surveyor.pause()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.lines.setFocus(event.reason())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # Behind another panel's tab it was out of sight without being hidden.
        if self._shown is None:
            self._soon.start()

    @property
    def _in_sight(self) -> bool:
        return self.isVisible() and not self.visibleRegion().isEmpty()

    @Slot()
    def _refresh(self) -> None:
        """Show the newest lines now and their numbers soon, if visible."""
        if self._in_sight:
            self._show_lines()
            self._soon.start()
        else:
            self._shown = None

    def _show_lines(self) -> None:
        computed, theme = self._workbench.engine.current, self._appearance.theme
        shown = DisplayedStep(
            computed,
            STEP_OF_ALL,
            present_head(computed.trace, self._workbench.selection.head),
            self._workbench.looks.of(STEP_OF_ALL),
            replace(theme, window=theme.surface),  # they lie on the panel
        )
        if shown != self._shown:
            self._shown = shown
            least = LOWEST * self.fontMetrics().height()
            self.lines.picture.setMinimumHeight(least)
            self.lines.show_step(shown)

    @Slot()
    def _catch_up(self) -> None:
        if not self._in_sight:
            return
        self._show_lines()
        computed = self._workbench.engine.current
        if computed is not self._surveyed:
            self._surveyed = computed
            source = StepHeads(computed.trace, STEP_OF_ALL)
            self._survey = HeadSurvey(
                [source.matrix(location) for location in head_locations(source)],
                weights=True,
                query_offset=source.query_offset,
            )
            self._surveyor.start(self._survey)
        self._update()

    @Slot()
    def _update(self) -> None:
        """Show whose lines these are, and their summary."""
        if self._shown is None or self._survey is None:
            return
        trace, labels = self._shown.computed.trace, self._shown.computed.labels
        head, several = self._shown.head, trace.n_heads(STEP_OF_ALL) > 1
        location = self._workbench.head_location(head)
        named = several or location.layer is not None
        title = location.name if named else self.tr("The head")
        self._set_legend(title if named else "")
        found = self._survey.statistics() if self._survey.done else None
        lines = statistics_lines(found, head)
        self.numbers.show_head(title, lines, compared=several)
        # The queries whose weights are shown beside the keys.
        queries, _ = self.lines.picture.focus.with_weights
        if not queries:
            self.numbers.show_query(
                self.tr("Click a query to see what it attends to."), []
            )
            return
        rows = [
            trace.window(STEP_OF_ALL, slice(query, query + 1), head=head)[0]
            for query in queries
        ]
        row = np.sum(rows, axis=0)  # (n_k,)
        self.numbers.show_query(query_line(labels, queries), looked_at(row, labels))

    def _set_legend(self, title: str) -> None:
        legend = self.tr("query → keys · width = weight")
        if title and self.lines.overlay.overlay != "one":
            title = self.tr("All heads")
        self._legend.setText(f"{title} · {legend}" if title else legend)

    @Slot(object)
    def _on_computed(self, _computed: Computed) -> None:
        self._refresh()
        if self._shown is None:
            # Hidden, it keeps no numbers.
            self._surveyor.forget()
            self._survey = self._surveyed = None
            if "lines" in self.__dict__:
                self.lines.forget()


def _is_withheld(computed: Computed) -> bool:
    return STEP_OF_ALL in computed.withheld

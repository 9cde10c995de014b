"""The lines with their controls, or why there are none."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Dirty
from attnviewer.ui.paint.head_hues import DISTINCT
from attnviewer.ui.paint.line_threshold import half_of_even_share
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.folding import folded_words
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.step.lines.content import LinesContent, lines_content
from attnviewer.ui.views.step.lines.controls import MARGIN, LinesControls
from attnviewer.ui.views.step.lines.picture import LinesPicture
from attnviewer.ui.views.step.lines.reading import PER_QUERY, WHOLE


class Lines(QStackedWidget):
    """Shows the weights as lines from queries to keys; holds no numbers of its own.

    Parameters
    ----------
    selection : SelectionModel
        What is selected, marked and pointed at.
    name : str
        The object name, with which those of its parts begin.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    painted : Signal
        The lines have been painted.
    """

    painted = Signal()

    def __init__(
        self, selection: SelectionModel, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._selection = selection
        self._shown: DisplayedStep | None = None
        self._drawn_from: Computed | None = None
        self._n_keys = 0
        self._refused = ""
        self.controls = LinesControls(name, self)
        self.threshold, self.overlay = self.controls.threshold, self.controls.overlay
        self.legend, self.note = self.controls.legend, self.controls.note
        self.picture = LinesPicture(selection, f"{name}.picture", self)
        self.addWidget(self._lines())
        self.addWidget(self._nothing())
        self.picture.painted.connect(self.painted)
        self.picture.drawn.connect(self._update_text)
        self.threshold.chosen.connect(self._on_chosen)
        self.threshold.refused.connect(self._on_refused)
        self.overlay.activated.connect(self._refresh)
        self.legend.switched.connect(self._refresh)

    @property
    def of_one_head(self) -> bool:
        """Whether the lines are those of the chosen head."""
        return self.overlay.isHidden() or self.overlay.overlay == "one"

    def show_step(self, shown: DisplayedStep) -> None:
        """Show the weights, if the step has queries down and keys across."""
        self._shown = shown
        trace = shown.computed.trace
        drawable = trace.stages[shown.step].axes == ("queries", "keys")
        self.setCurrentIndex(0 if drawable else 1)
        if drawable:
            n_keys = trace.shape(STEP_OF_ALL)[-1]
            if n_keys != self._n_keys:
                self._n_keys = n_keys
                self._refused = ""
                self.threshold.set_threshold(half_of_even_share(n_keys))
            self._refresh()
            return
        self.picture.forget()
        self.reason.setText(
            self.tr(
                "Lines connect queries with keys; “{step}” does not have "
                "both. Choose a step that does, such as the attention "
                "weights."
            ).format(step=step_title(shown.step))
        )

    def forget(self) -> None:
        """Let go of the numbers; the zoom stays."""
        self._shown = self._drawn_from = None
        self.picture.forget()

    def choose(self, cell: Position | None) -> None:
        """Leave the selected cell to the picture, which watches the selection."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        # No proxy does it: Tab would take that for a place of its own.
        inside = self.picture if self.currentIndex() == 0 else self.open_weights
        inside.setFocus(event.reason())

    def _lines(self) -> QWidget:
        page = QWidget(self)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.controls)
        layout.addWidget(self.picture, 1)
        return page

    def _nothing(self) -> QWidget:
        page = QWidget(self)
        self.reason = QLabel(page)
        self.reason.setObjectName(f"{self.objectName()}.reason")
        self.reason.setWordWrap(True)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.open_weights = QPushButton(self.tr("Open the attention &weights"), page)
        self.open_weights.setObjectName(f"{self.objectName()}.open_weights")
        self.open_weights.clicked.connect(self._on_open_weights)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addStretch(1)
        layout.addWidget(self.reason)
        layout.addWidget(self.open_weights, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)
        return page

    @Slot()
    def _on_open_weights(self) -> None:
        self._selection.choose_step(STEP_OF_ALL)

    @Slot()
    def _on_chosen(self) -> None:
        self._refused = ""
        self._refresh()

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        self._refused = reason
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        shown = self._shown
        if shown is None:  # out of sight; what was chosen is drawn with the next step
            return
        trace, theme = shown.computed.trace, shown.theme
        n_heads = trace.n_heads(STEP_OF_ALL)
        self.overlay.setVisible(n_heads > 1)
        overlay = "one" if self.of_one_head else self.overlay.overlay
        self.legend.show_heads(n_heads, theme, hues=overlay == "hues")
        self.legend.setVisible(overlay != "one")
        heads = self.legend.heads
        if overlay == "one":
            heads = (present_head(trace, shown.head),)
        content = lines_content(
            shown, heads, self.threshold.threshold, hues=overlay == "hues"
        )
        self._note(content, shown)
        before, self._drawn_from = self._drawn_from, shown.computed
        present = self.picture.content
        changed = _changed_heads(shown.computed, before, heads)
        if (
            present is None
            or changed is None
            or content.drawing_key != present.drawing_key
            or content.reading.folding is not None
        ):
            self.picture.show_weights(content)
        else:
            self.picture.follow(trace, changed)

    def _note(self, content: LinesContent, shown: DisplayedStep) -> None:
        notes = [self._refused] if self._refused else []
        if content.reading.folding is not None:
            notes.append(f"{folded_words(content.reading.folding)}.".capitalize())
        if shown.step != STEP_OF_ALL:
            notes.append(
                self.tr(
                    "The open step is “{step}”; lines always show the attention"
                    " weights."
                ).format(step=step_title(shown.step))
            )
        if not content.reading.is_whole:
            notes.append(
                self.tr(
                    "More than {limit} tokens: only the {count} strongest lines"
                    " of each visible query are drawn. Tokens that you point at"
                    " or mark show all their lines."
                ).format(limit=WHOLE, count=PER_QUERY)
            )
        if content.hues and shown.computed.trace.n_heads(STEP_OF_ALL) > DISTINCT:
            notes.append(
                self.tr("Colours repeat after {count} heads.").format(count=DISTINCT)
            )
        self.note.setText(" ".join(notes))
        self.note.setVisible(bool(notes))

    @Slot()
    def _update_text(self) -> None:
        """Say how many lines there are, and how many of them are drawn."""
        drawing = self.picture.drawing
        assert drawing is not None
        reading = drawing.canvas.content.reading
        drawn = len(drawing.quiet.links)
        if reading.is_whole:
            text = self.tr("{drawn} of {count} lines shown").format(
                drawn=drawn, count=reading.count
            )
        else:
            text = self.tr("{drawn} lines shown").format(drawn=drawn)
        if drawing.is_cut:
            text = self.tr("{shown}: the strongest visible").format(shown=text)
        if (drawing.quiet.links.weights < 0).any():
            text = self.tr("{shown} · dashed: negative weights").format(shown=text)
        self.controls.tally.setText(text)


def _changed_heads(
    computed: Computed, before: Computed | None, heads: Sequence[int]
) -> list[Dirty] | None:
    """Return where the weights of some heads differ from those before, if known."""
    if before is None:
        return None
    if computed is before:
        return []
    blocks = [computed.changed_since(before, STEP_OF_ALL, head) for head in heads]
    if None in blocks:
        return None
    return [block for found in blocks for block in found or ()]


def lines_page(workbench: Workbench, parent: QWidget) -> Lines:
    """Return the lines as a page of the step view."""
    return Lines(workbench.selection, "step.lines", parent)

"""The texts for which a head's numbers are largest: a section of the Head dock."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.one_line import one_line
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.head_page import HeadPage
from attnviewer.ui.text.numbers import number_or_dash
from attnviewer.ui.views.head_page.texts import DECIMALS
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

MOST_ROWS = 10
TEXT, VALUE = range(2)


class ExamplesBox(QWidget):
    """Lists texts of a survey; without one it says how a survey is made.

    Attributes
    ----------
    rows : LinkList
        The texts.
    """

    text_chosen = Signal(str)
    """A text that the model is to run over."""

    def __init__(self, page: HeadPage, appearance: Appearance) -> None:
        super().__init__()
        self._page, self._appearance = page, appearance
        title = heading("head.examples.title")
        title.setText(self.tr("Highest-scoring examples"))
        self._metric = ChoiceBox(self, self.tr("Number"))
        self._metric.setObjectName("head.examples.metric")
        self.rows = LinkList(2, wide=TEXT)
        self.rows.setObjectName("head.examples")
        self.rows.setAccessibleName(title.text())
        self.rows.setAccessibleDescription(
            self.tr("Enter runs the model over the text.")
        )
        self.rows.be_as_high_as_rows(MOST_ROWS)
        self._note = note("head.examples.note")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        for widget in (title, self._note, self._metric, self.rows):
            column.addWidget(widget)
        self._metric.activated.connect(self.refresh)
        self.rows.chosen.connect(self._choose)

    @Slot()
    def refresh(self) -> None:
        """List the texts for the chosen head."""
        survey, head = self._page.survey, self._page.head
        self._metric.setVisible(survey is not None)
        self.rows.set_theme(self._appearance.theme)
        if survey is None or head is None or head.layer is None:
            self.rows.hide()
            self._note.show()
            self._note.setText(
                self.tr(
                    "No survey is open. “attnviewer survey MODEL TEXTS --to "
                    "survey.npz” computes the numbers of all heads over a file of "
                    "texts; File ▸ Open survey… opens it."
                )
            )
            return
        self._offer(survey.metrics)
        metric = self._metric.currentData()
        found = survey.examples(metric, head.layer, head.head)
        most = max((abs(example.value) for example in found), default=0.0)
        self.rows.show_rows([_row(e.value, e.text, most) for e in found])
        self.rows.setVisible(bool(found))
        self._note.setVisible(not found)
        self._note.setText(self.tr("The survey has no examples of this head."))

    def _offer(self, metrics: tuple[str, ...]) -> None:
        from attnviewer.models.detectors import DETECTORS

        box = self._metric
        if metrics == tuple(box.itemData(index) for index in range(box.count())):
            return
        before = box.currentData()
        box.clear()
        for name in metrics:
            detector = DETECTORS.get(name)
            box.addItem(name if detector is None else detector.title, name)
        box.setCurrentIndex(max(0, box.findData(before)))

    @Slot(object)
    def _choose(self, text: str) -> None:
        self.text_chosen.emit(text)


def _row(value: float, text: str, most: float) -> Row:
    number, line = number_or_dash(value, DECIMALS), one_line(text)
    tip = f"{number}: {line}"
    share = abs(value) / most if most else 0.0
    return Row(text, (Cell(line, tip, color="link"), Cell(number, tip, share)))

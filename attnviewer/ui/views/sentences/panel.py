"""The Sentences dock: a list of sentences, and a number of the head in each."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHideEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.sentences import Order, Sentences
from attnviewer.ui.state.sentences.job import ELSEWHERE
from attnviewer.ui.state.sentences.reading import sentences_in
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.spreadsheet import spreadsheet_text
from attnviewer.ui.views.sentences.line import SentenceLine
from attnviewer.ui.views.sentences.table import VALUE, SentenceTable, table_rows
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, fill_menu
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.tab_order import chain_tabs
from attnviewer.ui.widgets.tool_tips import plain_tip

INSIDE = 12
SORTED_BY_CLICK = {
    Order.LISTED: Order.LARGEST,
    Order.LARGEST: Order.SMALLEST,
    Order.SMALLEST: Order.LISTED,
}
"""The next order of a click on the heading of the numbers."""


class SentencesPanel(QWidget):
    """Lists sentences, opens them in the model, and compares a head across them.

    Attributes
    ----------
    heading : QWidget
        How many there are, in one line.
    line : SentenceLine
        Where one is typed.
    table : SentenceTable
        The sentences.
    file_wanted, saving_wanted : Signal
        A text file is to be read, or the table to be written.
    """

    file_wanted = Signal()
    saving_wanted = Signal()

    def __init__(
        self,
        sentences: Sentences,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sentences")
        self.setAccessibleName(self.tr("Sentences"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._sentences, self._appearance = sentences, appearance
        self._full = ""
        self._shown = ""
        self._title = heading("sentences.title")
        self._title.setText(self.tr("Sentences"))
        self._about = ElidedLabel("sentences.about", Qt.TextElideMode.ElideRight)
        self.line = SentenceLine()
        self.column = self._column_box()
        self.order = self._order_box()
        self.table = SentenceTable()
        self._note = note("sentences.note")
        self._empty = EmptyState("sentences")
        self._previous = symbol_button(
            "sentences.previous", "↑", self.tr("Previous sentence")
        )
        self._next = symbol_button("sentences.next", "↓", self.tr("Next sentence"))
        self._more = self._menu_button()
        self._lay_out()
        self.line.entered.connect(self.add)
        self.column.activated.connect(self._choose_column)
        self.order.activated.connect(self._sort)
        self.table.horizontalHeader().sectionClicked.connect(self._on_heading)
        self.table.chosen.connect(sentences.open)
        self.table.pasted.connect(self._paste)
        self.table.copied.connect(self._copy)
        self.table.removed.connect(self._remove_one)
        self._previous.clicked.connect(partial(sentences.step, -1))
        self._next.clicked.connect(partial(sentences.step, 1))
        self._empty.button.clicked.connect(self.file_wanted)
        sentences.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        self.line.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._sentences.set_wanted(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sentences.set_wanted(False)

    @Slot(list)
    def add(self, texts: list[str]) -> None:
        """Add sentences; say if there are too many."""
        self._full = self._sentences.add(texts)
        self._say()

    def table_rows(self) -> list[list[str | int | float]]:
        """Return the table with its headings, to be written."""
        return list(table_rows(self._sentences, self.column.currentText()))

    @Slot()
    def refresh(self) -> None:
        """Show the list, and what is known of it."""
        sentences, texts = self._sentences, self._sentences.texts
        self._about.setText(self._count(len(texts)) if texts else "")
        self.order.setCurrentIndex(self.order.findData(sentences.order))
        self.table.set_theme(self._appearance.theme)
        self.table.show_sentences(sentences, self.column.currentText())
        self.table.setVisible(bool(texts))
        self._empty.setVisible(not texts)
        self._empty.say(
            self.tr(
                "Sentences to step through, with a number of the chosen head in each. "
                "Type one, paste several lines, or open a text file with a sentence "
                "on each line."
            ),
            self.tr("Open a text file…"),
        )
        if sentences.selected != self._shown:
            # The remark on a chosen sentence comes before those on what was not added.
            self._shown, self._full = sentences.selected, ""
        place = texts.index(sentences.selected) if sentences.selected else -1
        self._remove_row.setEnabled(place >= 0)
        self._previous.setEnabled(place > 0)
        self._next.setEnabled(place + 1 < len(texts))
        self._say()

    def _say(self) -> None:
        self._note.setText(self._remark())
        self._note.setVisible(bool(self._note.text()))

    def _remark(self) -> str:
        sentences = self._sentences
        if self._full:
            return self._full
        if sentences.head is None:
            return self.tr("Open a model to run it over them: File ▸ Open model…")
        known = sentences.known(sentences.selected)
        if sentences.selected and known.reason:
            return self.tr("Refused: {reason}").format(reason=known.reason)
        lacking = known.lacking.get(sentences.column, "")
        if lacking:
            return lacking
        if not sentences.texts:
            return ""
        pattern = self.tr("{number} of {head} in each sentence")
        if sentences.refused:
            pattern = self.tr("{number} of {head} in each sentence; {count} refused")
        return pattern.format(
            number=self.column.currentText(),
            head=sentences.head.name,
            count=sentences.refused,
        )

    def _count(self, count: int) -> str:
        if count == 1:
            return self.tr("1 sentence")
        return self.tr("{count} sentences").format(count=count)

    @Slot()
    def _choose_column(self) -> None:
        self._sentences.choose_column(self.column.currentData())

    @Slot()
    def _sort(self) -> None:
        self._sentences.sort(self.order.currentData())

    @Slot(int)
    def _on_heading(self, section: int) -> None:
        if section == VALUE:
            self._sentences.sort(SORTED_BY_CLICK[self._sentences.order])

    @Slot()
    def _paste(self, _data: object = None) -> None:
        self.add(sentences_in(QGuiApplication.clipboard().text()))

    @Slot()
    def _copy(self, _data: object = None) -> None:
        cells = (
            [full_number(c) if isinstance(c, float) else str(c) for c in row]
            for row in self.table_rows()
        )
        QGuiApplication.clipboard().setText(spreadsheet_text(cells))

    @Slot(str)
    def _remove_one(self, text: str) -> None:
        self._full = ""
        self._sentences.remove([text])

    def _remove(self, all_of_them: bool) -> None:
        self._full = ""
        chosen = self._sentences.selected
        texts = self._sentences.texts if all_of_them else [chosen]
        self._sentences.remove(texts)

    def _column_box(self) -> ChoiceBox:
        from attnviewer.models.detectors import DETECTORS

        box = ChoiceBox(self, self.tr("Number"))
        box.setObjectName("sentences.column")
        for name, detector in DETECTORS.items():
            if name in ELSEWHERE:
                continue
            box.addItem(detector.title, name)
            about = f"{detector.sentence}\n{detector.formula}\n{detector.source}"
            box.setItemData(box.count() - 1, plain_tip(about), TOOL_TIP)
        box.setCurrentIndex(box.findData(self._sentences.column))
        return box

    def _order_box(self) -> ChoiceBox:
        box = ChoiceBox(self, self.tr("Sort"))
        box.setObjectName("sentences.order")
        box.addItem(self.tr("as listed"), Order.LISTED)
        box.addItem(self.tr("largest first"), Order.LARGEST)
        box.addItem(self.tr("smallest first"), Order.SMALLEST)
        return box

    def _menu_button(self) -> QToolButton:
        button = symbol_button("sentences.more", "⋯", self.tr("Commands of the list"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        rows: Rows = [
            ActionRow(
                "sentences.file", self.tr("Add from a &text file…"), self._ask_for_file
            ),
            ActionRow("sentences.paste", self.tr("&Paste lines"), self._paste),
            SEPARATOR,
            ActionRow("sentences.copy", self.tr("&Copy table"), self._copy),
            ActionRow("sentences.save", self.tr("&Save as CSV…"), self._ask_to_save),
            SEPARATOR,
            ActionRow(
                "sentences.remove",
                self.tr("&Remove sentence"),
                self._remove,
                None,
                False,
            ),
            ActionRow(
                "sentences.clear", self.tr("Remove &all"), self._remove, None, True
            ),
        ]
        fill_menu(menu, rows)
        self._remove_row = menu.actions()[-2]
        button.setMenu(menu)
        return button

    def _ask_for_file(self, _data: object) -> None:
        self.file_wanted.emit()

    def _ask_to_save(self, _data: object) -> None:
        self.saving_wanted.emit()

    def _lay_out(self) -> None:
        self.heading = heading_row(self._title, self._about, self)
        adding = QHBoxLayout()
        adding.setSpacing(6)
        beside = self._previous, self._next, self._more
        for widget in (self.line, *beside):
            adding.addWidget(widget, int(widget is self.line))
        choices = QHBoxLayout()
        choices.setSpacing(6)
        choices.addWidget(self.column, 3)
        choices.addWidget(self.order, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 0, INSIDE, INSIDE)
        layout.setSpacing(7)
        layout.addWidget(self.heading)
        layout.addLayout(adding)
        layout.addLayout(choices)
        layout.addWidget(self._note)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._empty, 1)
        chain_tabs((self.line, *beside, self.column, self.order, self.table))

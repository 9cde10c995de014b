"""Lists of rows: every text is whole, whatever the text size."""

import pytest
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_narrow_columns_leave_their_room_to_the_wide_one(qtbot, appearance, percent):
    appearance.set_text_size(percent)
    rows = RowList(3, wide=1)
    qtbot.addWidget(rows)
    rows.resize(300, 200)
    with qtbot.waitExposed(rows):
        rows.show()
    texts = "L0", "word", "="
    rows.show_rows([Row(k, tuple(map(Cell, texts, texts))) for k in range(3)])
    widths = [rows.columnWidth(column) for column in range(3)]
    assert sum(widths) == rows.viewport().width()
    for column, width in enumerate(widths):
        assert width >= rows.sizeHintForColumn(column)


def test_rows_that_are_as_before_are_not_measured_again(qtbot) -> None:
    class Counted(RowList):
        measured = 0

        def fit_columns(self) -> None:
            self.measured += 1
            super().fit_columns()

    def rows(text: str) -> list[Row]:
        return [Row(0, (Cell(text, ""),))]

    listed = Counted(1, wide=0)
    qtbot.addWidget(listed)
    listed.show_rows(rows("a"))
    before = listed.measured
    listed.show_rows(rows("a"))
    assert listed.measured == before
    listed.show_rows(rows("much longer"))
    listed.show_rows([])
    assert listed.measured == before + 2


def test_a_heading_has_the_style_of_lists_from_the_start(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(
        'QTableView[rows="true"] > QHeaderView::section { padding: 0 50px; }'
    )
    rows = RowList(1, wide=0, parent=window)
    rows.rows.set_titles(("a",))
    rows.horizontalHeader().show()
    window.show()
    assert rows.horizontalHeader().sectionSizeHint(0) > 100

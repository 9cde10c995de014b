"""All numbers of the head report of one head, with its rank among all heads."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.state.head_page.report import SentenceReport
from attnviewer.ui.text.numbers import number_or_dash
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.head_page.texts import (
    DECIMALS,
    definition,
    rank_sentence,
    rank_text,
)
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.detectors import Detector

_tr = translate_in("HeadPage")

TITLE, VALUE, RANK = range(3)
MOST_ROWS = 16


class ReportList(RowList):
    """Lists numbers of a head; tool tips have definition, source and reasons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(3, wide=TITLE, parent=parent)
        self.setObjectName("head.report")
        self.setAccessibleName(self.tr("Numbers of the head in this sentence"))
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.rows.set_titles((self.tr("number"), "", self.tr("rank")))
        self.be_as_high_as_rows(MOST_ROWS)

    def show_report(self, report: SentenceReport, head: HeadLocation) -> None:
        """List the numbers of a head."""
        from attnviewer.models.detectors import DETECTORS

        self.show_rows(
            [_row(report, head, name, DETECTORS[name]) for name in report.columns]
        )


def _row(
    report: SentenceReport, head: HeadLocation, name: str, detector: "Detector"
) -> Row:
    about = definition(detector)
    rank = report.rank(head, name)
    if rank is None:
        reason = report.lacking.get(name, _tr("The sentence does not have it."))
        tip = f"{reason}\n\n{about}"
        cells = Cell(detector.title, tip, color="muted"), Cell("—", tip, color="muted")
        return Row(name, (*cells, Cell("", tip)))
    value, most = report.value(head, name), report.most(name)
    tip = f"{rank_sentence(rank)}\n\n{about}"
    return Row(
        name,
        (
            Cell(detector.title, tip),
            Cell(
                number_or_dash(value, DECIMALS), tip, abs(value) / most if most else 0.0
            ),
            Cell(rank_text(rank), tip, color="muted"),
        ),
    )

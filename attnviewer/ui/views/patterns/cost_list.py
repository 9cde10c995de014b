"""The kept and lost attention, of the rows in sight and of all, as a table."""

from PySide6.QtWidgets import QWidget

from attnviewer.compute.patterns import KeptCosts
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.patterns.texts import percent
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

_tr = translate_in("Patterns")

DIGITS = 3
ROWS = 4
DASH = "—"


class CostList(RowList):
    """Lists numbers of a kept set; tool tips have definitions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(3, wide=0, parent=parent)
        self.setObjectName("patterns.costs")
        self.setAccessibleName(self.tr("Costs of what is left out"))
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.rows.set_titles(("", self.tr("in sight"), self.tr("all rows")))
        self.keep_room(("", "100.0 %", "100.0 %"))
        self.be_as_high_as_rows(ROWS)

    def show_costs(self, in_sight: KeptCosts | None, every: KeptCosts | None) -> None:
        """List the costs of the rows in sight and of all rows, as far as known."""
        both = in_sight, every
        self.show_rows(
            [
                _row(
                    _tr("mean kept"),
                    _tr("The share of each query's attention that is kept, on average"),
                    [percent(costs.mean) if costs else DASH for costs in both],
                ),
                _row(
                    _tr("lowest kept"),
                    _tr("The lowest such share of any query"),
                    [percent(costs.lowest) if costs else DASH for costs in both],
                ),
                _row(
                    _tr("cells kept"),
                    _tr("The computed share of the cells that no mask hides"),
                    [percent(costs.cell_share) if costs else DASH for costs in both],
                ),
                _row(
                    _tr("output error"),
                    _tr(
                        "The norm of the change of the outputs over that of the "
                        "outputs, where the kept weights are divided by their sum"
                    ),
                    [
                        significant_number(costs.relative_error, DIGITS)
                        if costs
                        else DASH
                        for costs in both
                    ],
                ),
            ]
        )


def _row(title: str, tip: str, texts: list[str]) -> Row:
    titles = _tr("in sight"), _tr("all rows")
    cells = (
        Cell(text, f"{title}, {of}: {text}\n{tip}", color="muted")
        if text == DASH
        else Cell(text, f"{title}, {of}: {text}\n{tip}")
        for text, of in zip(texts, titles, strict=True)
    )
    return Row(title, (Cell(title, tip), *cells))

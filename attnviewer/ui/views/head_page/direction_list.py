"""The tokens that a singular direction of the OV circuit reads and writes."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.head_page.weights import LISTED_TOKENS, DirectionTokens
from attnviewer.ui.text.numbers import signed_number
from attnviewer.ui.text.tokens import quoted_token
from attnviewer.ui.views.head_page.texts import DECIMALS
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.circuits import TokenProjection

READ, WRITTEN = range(2)


class DirectionList(RowList):
    """Lists tokens beside each other: those read, and those written.

    Signs only tell the tokens of one side from each other.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=WRITTEN, parent=parent)
        self.setObjectName("head.tokens")
        self.setAccessibleName(self.tr("Tokens of the singular direction"))
        self.rows.texts = 2
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.be_as_high_as_rows(LISTED_TOKENS)

    def show_tokens(self, tokens: DirectionTokens) -> None:
        """List the tokens of another direction."""
        if tokens.missing:
            self.rows.set_titles((self.tr("reads"), ""))
        else:
            self.rows.set_titles((self.tr("reads"), self.tr("writes")))
        written = tokens.written or (None,) * len(tokens.read)
        pairs = zip(tokens.read, written, strict=True)
        self.show_rows(
            [Row(number, (_cell(a), _cell(b))) for number, (a, b) in enumerate(pairs)]
        )

    def fit_columns(self) -> None:
        """Share the room evenly."""
        super().fit_columns()
        room = self.viewport().width()
        self.setColumnWidth(READ, room // 2)
        self.setColumnWidth(WRITTEN, room - room // 2)


def _cell(token: "TokenProjection | None") -> Cell:
    if token is None:
        return Cell("", "")
    name = quoted_token(token.token)
    text = f"{signed_number(token.value, DECIMALS)}  {name}"
    return Cell(text, f"{name}: {signed_number(token.value, 2 * DECIMALS)}")

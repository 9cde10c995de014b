"""The predictions of each layer of a decoder, as a list of links."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from attnviewer.document.checkpoint_location import location_name
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import quoted_token, token_label
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.next_token import NextToken
    from attnviewer.ui.state.output_split import Prediction

DECIMALS = 3
COLUMNS = 3
"""Tokens beside each other."""
MOST_ROWS = 14
"""That are seen without scrolling."""


class LensList(LinkList):
    """Lists the most probable tokens after each layer; Enter opens the layer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(COLUMNS + 2, wide=1, parent=parent)
        self.setObjectName("contributions.lens")
        self.setAccessibleName(self.tr("Logit lens"))
        self.setAccessibleDescription(self.tr("Enter opens the layer."))
        self.rows.texts = COLUMNS + 1
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.be_as_high_as_rows(MOST_ROWS)

    def show_prediction(self, prediction: "Prediction") -> None:
        """List the layers of another prediction, the last one at the top."""
        ranks = ("1.", "2.", "3.")
        self.rows.set_titles((self.tr("after"), *ranks, "p"))
        lens, chances = prediction.lens, prediction.probabilities.tolist()
        rows = [
            self._row(row - 1, tokens, chance, prediction.token)
            for row, (tokens, chance) in enumerate(
                zip(lens.most_probable, chances, strict=True)
            )
        ]
        self.show_rows(rows[::-1])

    def follow(self, index: QModelIndex) -> None:
        layer = self.rows.key(index.row())
        assert isinstance(layer, int)
        # The embeddings are what enters the first layer.
        self.chosen.emit(ModelLocation(max(layer, 0)))

    def fit_columns(self) -> None:
        """Share the room evenly among the tokens."""
        super().fit_columns()
        columns = range(1, COLUMNS + 1)
        if self.rows.columnCount() != COLUMNS + 2:
            return
        room = self.viewport().width()
        room -= self.columnWidth(0) + self.columnWidth(COLUMNS + 1)
        for column in columns:
            self.setColumnWidth(column, max(room, COLUMNS) // COLUMNS)

    def _row(
        self, layer: int, tokens: "tuple[NextToken, ...]", chance: float, chosen: str
    ) -> Row:
        short = self.tr("input") if layer < 0 else location_name(layer)
        name = self.tr("embeddings") if layer < 0 else short
        likely = ", ".join(
            f"{quoted_token(token)} {format_number(probability, DECIMALS)}"
            for _, token, probability in tokens
        )
        number = format_number(chance, DECIMALS)
        pattern = self.tr("{place}: {likely}; {token} {number}")
        tip = pattern.format(
            place=name, likely=likely, token=quoted_token(chosen), number=number
        )
        texts = [token_label(token.token) for token in tokens[:COLUMNS]]
        texts += [""] * (COLUMNS - len(texts))
        cells = (Cell(text, tip) for text in texts)
        return Row(
            layer,
            (Cell(short, tip, color="link"), *cells, Cell(number, tip, chance)),
        )

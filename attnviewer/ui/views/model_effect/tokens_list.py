"""The tokens that may come next, before and after a change."""

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from attnviewer.ui.text.numbers import format_number, full_number, signed_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.effect import Classes, NextTokens

DECIMALS = 4
TOKEN, BEFORE, NOW, CHANGE = range(4)
MOST_ROWS = 20
"""That are seen without scrolling: the most probable ones of two runs."""


class TokensList(RowList):
    """Lists tokens with their probabilities, now and before, and the signed change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, TOKEN, CHANGE, parent)
        self.setObjectName("effect.tokens")
        self.setAccessibleName(self.tr("Next token"))
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.be_as_high_as_rows(MOST_ROWS)

    def show_tokens(
        self,
        tokens: "NextTokens | Classes | None",
        compared: str,
        *,
        of_labels: bool = False,
    ) -> None:
        """List other tokens, or the labels of classes.

        Parameters
        ----------
        tokens : NextTokens or Classes or None
            The tokens or classes.
        compared : str
            What their probabilities before are called; "" if there are no others.
        of_labels : bool
            Whether they are labels of classes.
        """
        token = self.tr("label") if of_labels else self.tr("token")
        now, change = self.tr("now"), self.tr("change")
        titles = (token, compared, now, change) if compared else (token, now)
        self.rows.set_titles(titles)
        rows: list[Row] = []
        if tokens is not None:
            rows = [self._row(tokens, n, compared) for n in range(len(tokens.ids))]
        self.show_rows(rows)

    def _row(self, tokens: "NextTokens | Classes", index: int, compared: str) -> Row:
        after, before = float(tokens.after[index]), float(tokens.before[index])
        change = signed_number(after - before, DECIMALS)
        pattern = (
            self.tr("{token}: {after} now, {before} {compared}, {change}")
            if compared
            else self.tr("{token}: {after}")
        )
        tip = pattern.format(
            token=tokens.labels[index],
            after=full_number(after),
            before=full_number(before),
            compared=compared,
            change=change,
        )
        most = float(max(tokens.after.max(), tokens.before.max()))
        name = Cell(token_label(tokens.labels[index]), tip)
        now = _probability(after, most, tip)
        if not compared:
            return Row(tokens.ids[index], (name, now))
        cells = name, _probability(before, most, tip), now, Cell(change, tip)
        return Row(tokens.ids[index], cells)


def _probability(value: float, most: float, tip: str) -> Cell:
    share = value / most if most else 0.0
    number = format_number(value, DECIMALS)
    return Cell(number, tip, share if math.isfinite(share) else 0.0)

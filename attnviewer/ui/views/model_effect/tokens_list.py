"""The tokens that may come next, before and after a change."""

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.numbers import format_number, full_number, signed_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    LEFT,
    RIGHT,
    TOOL_TIP,
)
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.steps_list import SHARE, Bars
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.models.effect import NextTokens

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
DECIMALS = 4
TOKEN, BEFORE, NOW, CHANGE = range(4)
MOST_ROWS = 20
"""That are seen without scrolling: the most probable ones of two runs."""


class TokensModel(QAbstractTableModel):
    """Tokens with their probabilities, now and before, and the signed change."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tokens: NextTokens | None = None
        self._compared = ""
        self._columns = [TOKEN, NOW]

    def set_tokens(self, tokens: "NextTokens | None", compared: str) -> None:
        """List other tokens.

        Parameters
        ----------
        tokens : NextTokens or None
            The tokens.
        compared : str
            What their probabilities before are called; "" if there are no others.
        """
        if (tokens, compared) != (self._tokens, self._compared):
            self.beginResetModel()
            self._tokens, self._compared = tokens, compared
            some = [BEFORE, NOW, CHANGE] if compared else [NOW]
            self._columns = [TOKEN, *some]
            self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        if parent.isValid() or self._tokens is None:
            return 0
        return len(self._tokens.ids)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == ALIGNMENT:
            return LEFT if column == TOKEN else RIGHT
        if role not in (DISPLAY, TOOL_TIP):
            return None
        return (self.tr("token"), self._compared, self.tr("now"), self.tr("change"))[
            column
        ]

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if not index.isValid():
            return None
        if role == ALIGNMENT:
            return None if index.column() == TOKEN else RIGHT
        if role == DISPLAY:
            return self._text(index.row(), self._columns[index.column()])
        if role == SHARE:
            return self._share(index.row(), self._columns[index.column()])
        if role in (TOOL_TIP, ACCESSIBLE_TEXT):
            told = self._told(index.row())
            return plain_tip(told) if role == TOOL_TIP else told
        return None

    def _text(self, row: int, column: int) -> str:
        assert self._tokens is not None
        tokens = self._tokens
        if column == TOKEN:
            return token_label(tokens.tokens[row])
        if column == CHANGE:
            return signed_number(tokens.after[row] - tokens.before[row], DECIMALS)
        values = tokens.after if column == NOW else tokens.before
        return format_number(values[row], DECIMALS)

    def _share(self, row: int, column: int) -> float:
        assert self._tokens is not None
        tokens = self._tokens
        if column not in (BEFORE, NOW):
            return 0.0
        values = tokens.after if column == NOW else tokens.before
        share = float(values[row] / max(tokens.after.max(), tokens.before.max()))
        return share if math.isfinite(share) else 0.0

    def _told(self, row: int) -> str:
        assert self._tokens is not None
        tokens = self._tokens
        after, before = float(tokens.after[row]), float(tokens.before[row])
        pattern = (
            self.tr("{token}: {after} now, {before} {compared}, {change}")
            if self._compared
            else self.tr("{token}: {after}")
        )
        return pattern.format(
            token=tokens.tokens[row],
            after=full_number(after),
            before=full_number(before),
            compared=self._compared,
            change=signed_number(after - before, DECIMALS),
        )


class TokensList(RowList):
    """Lists the tokens with bars behind their probabilities."""

    def __init__(self, parent: QWidget | None = None) -> None:
        model = TokensModel()
        super().__init__(model, TOKEN, CHANGE, parent)
        self.tokens = model
        model.setParent(self)
        self.setObjectName("effect.tokens")
        self.setAccessibleName(self.tr("Next token"))
        self._bars = Bars(self)
        self.setItemDelegate(self._bars)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.be_as_high_as_rows(MOST_ROWS)
        model.modelReset.connect(self.fit_columns)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._bars.set_theme(theme)

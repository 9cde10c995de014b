"""The largest terms of a split score as a list of links."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QWidget

from attnviewer.ui.text.numbers import signed_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.explain.score.texts import (
    DECIMALS,
    LISTED,
    TwoTokens,
    goal_of,
    term_text,
)
from attnviewer.ui.views.step.heads.layers import goal_name
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.residual import Component
    from attnviewer.models.residual.score_parts import Pair, ScoreParts

_tr = translate_in("ScoreSplit")

QUERY, KEY, TERM = range(3)


class PairList(LinkList):
    """Lists pairs of components; `chosen` emits the `Goal` of a followed one.

    Left and Right go between the two of a pair.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(3, wide=QUERY, parent=parent)
        self.setObjectName("explain.score.pairs")
        self.setAccessibleName(self.tr("Largest terms of the score"))
        self.setAccessibleDescription(self.tr("Enter opens the head or the layer."))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.rows.texts = TERM
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.show()
        self.be_as_high_as_rows(LISTED)

    def show_parts(self, parts: "ScoreParts", tokens: TwoTokens) -> None:
        """List the largest terms of another score."""
        at = self.tr("at {token}")
        titles = at.format(token=tokens.query), at.format(token=tokens.key)
        self.rows.set_titles((*titles, self.tr("term")))
        pairs = parts.pairs(LISTED)
        most = max((abs(pair.value) for pair in pairs), default=0.0)
        self.show_rows([_row(pair, most, parts.score, tokens) for pair in pairs])

    def follow(self, index: QModelIndex) -> None:
        pair = self.rows.key(index.row())
        assert isinstance(pair, tuple)
        if index.column() != TERM:
            self.chosen.emit(goal_of(pair[index.column()]))

    def fit_columns(self) -> None:
        """Share the room evenly between both components where it is short."""
        super().fit_columns()
        room = self.columnWidth(QUERY) + self.columnWidth(KEY)
        if self.columnWidth(QUERY) < room // 2:
            self.setColumnWidth(KEY, room - room // 2)
            self.setColumnWidth(QUERY, room // 2)


def _row(pair: "Pair", most: float, score: float, tokens: TwoTokens) -> Row:
    query, key, value = pair
    tip = term_text(tokens.pair(query, key), value, score)
    number = signed_number(value, DECIMALS)
    share = abs(value) / most if most else 0.0
    term = Cell(number, tip, share)
    return Row((query, key), (_link(query, tip), _link(key, tip), term))


def _link(component: "Component", tip: str) -> Cell:
    opens = _tr("{term}. Opens {goal}.")
    # What is at a token is short: there is little room.
    name = str(component).removesuffix(" embedding")
    goal = goal_name(goal_of(component))
    return Cell(name, opens.format(term=tip, goal=goal), color="link")

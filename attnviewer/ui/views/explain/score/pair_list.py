"""The largest terms of a split score as a list, whose heads are links."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.text.numbers import signed_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.explain.score.words import (
    DECIMALS,
    LISTED,
    TwoTokens,
    term_text,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.residual import Component
    from attnviewer.models.residual.score_parts import Pair, ScoreParts

_tr = translate_in("ScoreSplit")

QUERY, KEY, TERM = range(3)


class PairList(LinkList):
    """Lists pairs of components; `chosen` emits the `HeadLocation` of a followed one.

    Left and Right go between the two of a pair.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(3, wide=QUERY, parent=parent)
        self.setObjectName("explain.score.pairs")
        self.setAccessibleName(self.tr("Largest terms of the score"))
        self.setAccessibleDescription(self.tr("Enter opens the head."))
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
        head = _head((*pair, None)[index.column()])
        if head is not None:
            self.chosen.emit(head)

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
    head = _head(component)
    if head is None:
        # What is at a token is short: there is little room.
        return Cell(str(component).removesuffix(" embedding"), tip)
    opens = _tr("{term}. Opens {head}.").format(term=tip, head=head.name)
    return Cell(str(component), opens, color="link")


def _head(component: "Component | None") -> HeadLocation | None:
    """Return the head that a component is the output of; None for any other."""
    if component is None or component.head is None:
        return None
    return HeadLocation(component.layer, component.head)

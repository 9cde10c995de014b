"""The largest weights of distant keys, as a list of links."""

from PySide6.QtWidgets import QWidget

from attnviewer.compute.patterns import DEFINITIONS, Needle
from attnviewer.ui.state.patterns import Patterns
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.patterns.texts import DECIMALS, needle_tip
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Color, Row
from attnviewer.ui.widgets.tool_tips import plain_tip

LINK, DISTANCE, WEIGHT = range(3)
MOST_ROWS = 8
"""That are seen without scrolling."""


class NeedleList(LinkList):
    """Lists the largest distant weights; `chosen` emits query and key."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(3, wide=LINK, spare=DISTANCE, parent=parent)
        self.setObjectName("patterns.needles")
        self.setAccessibleName(self.tr("Largest distant weights"))
        self.setAccessibleDescription(self.tr("Enter selects the cell."))
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setToolTip(plain_tip(DEFINITIONS["needles"]))
        header.show()
        titles = self.tr("query → key"), self.tr("distance"), self.tr("weight")
        self.rows.set_titles(titles)
        self.be_as_high_as_rows(MOST_ROWS)

    def show_needles(self, patterns: Patterns, *, outdated: bool) -> None:
        """List those that were found."""
        found = patterns.found
        queries, keys = patterns.labels_of_found
        needles = [] if found is None else found.needles
        offset = 0 if found is None else found.marginals.query_offset
        most = abs(needles[0].weight) if needles else 1.0

        def row(needle: Needle) -> Row:
            names = queries[needle.query], keys[needle.key]
            tip = needle_tip(needle, *names)
            query, key = map(token_label, names)
            link = f"{query} ({needle.query}) → {key} ({needle.key})"
            distance = abs(needle.query + offset - needle.key)
            color: Color = "muted" if outdated else "text"
            weight = format_number(needle.weight, DECIMALS)
            cells = (
                Cell(link, tip, color="muted" if outdated else "link"),
                Cell(f"{distance:,}", tip, color="muted"),
                Cell(weight, tip, abs(needle.weight) / most, color),
            )
            return Row((needle.query, needle.key), cells)

        self.show_rows([row(needle) for needle in needles])

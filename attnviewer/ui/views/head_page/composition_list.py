"""The heads that a head composes with most, as links."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.state.head_page.weights import KINDS, Composed
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.head_page.texts import DECIMALS
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

_tr = translate_in("HeadPage")

HOW, OTHER, VALUE = range(3)
LISTED = 3
"""How many heads of each kind are listed, earlier ones and later ones."""


class CompositionList(LinkList):
    """Lists heads; `chosen` emits the `HeadLocation` of a followed one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(3, wide=HOW, parent=parent)
        self.setObjectName("head.compositions")
        self.setAccessibleName(self.tr("Strongest compositions with other heads"))
        self.setAccessibleDescription(self.tr("Enter opens the head."))
        self.rows.texts = 2
        self.be_as_high_as_rows(2 * LISTED * len(KINDS))

    def show_compositions(
        self, composed: Sequence[Composed], head: HeadLocation
    ) -> None:
        """List the strongest of each kind."""
        most = max((one.value for one in composed), default=0.0)
        listed = strongest(composed, head)
        self.show_rows([_row(one, head, most) for one in listed])


def strongest(composed: Sequence[Composed], head: HeadLocation) -> list[Composed]:
    """Return the strongest compositions of each kind, earlier heads first."""
    found = []
    for earlier in (True, False):
        for kind in KINDS:
            group = [
                one
                for one in composed
                if one.kind == kind and _is_earlier(one, head) == earlier
            ]
            group.sort(key=lambda one: -one.value)
            found += group[:LISTED]
    return found


def _is_earlier(one: Composed, head: HeadLocation) -> bool:
    assert one.other.layer is not None
    assert head.layer is not None
    return one.other.layer < head.layer


def _row(one: Composed, head: HeadLocation, most: float) -> Row:
    inputs = {
        "Q": _tr("queries read"),
        "K": _tr("keys read"),
        "V": _tr("values read"),
    }
    readers = {
        "Q": _tr("read by queries of"),
        "K": _tr("read by keys of"),
        "V": _tr("read by values of"),
    }
    how = (inputs if _is_earlier(one, head) else readers)[one.kind]
    number = format_number(one.value, DECIMALS)
    tip = _tr("{kind}-composition, {how} {other}: {number}. Opens {other}.").format(
        kind=one.kind, how=how, other=one.other.name, number=number
    )
    value = Cell(number, tip, one.value / most if most else 0.0)
    name = Cell(one.other.name, tip, color="link")
    return Row(one.other, (Cell(how, tip), name, value))

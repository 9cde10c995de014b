"""The contributions of each part of a model, as a list of links."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.text.numbers import signed_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.contributions.texts import DECIMALS, part_text
from attnviewer.ui.views.step.heads.layers import Goal, goal_name
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models import Contributions

_tr = translate_in("Contributions")

MOST_ROWS = 12
"""That are seen without scrolling."""


class PartList(LinkList):
    """Lists embeddings, heads, MLPs and biases by the size of what they contribute.

    `chosen` emits the `HeadLocation` of a head, or the `ModelLocation` of the layer of
    an MLP; the embeddings lead to the first layer, which they enter.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=1, parent=parent)
        self.setObjectName("contributions.parts")
        self.setAccessibleName(self.tr("Contributions"))
        self.setAccessibleDescription(self.tr("Enter opens the head or the layer."))
        self.be_as_high_as_rows(MOST_ROWS)

    def follow(self, index: QModelIndex) -> None:
        goal = self.rows.key(index.row())
        if goal is not None:
            self.chosen.emit(goal)

    def show_contributions(self, contributions: "Contributions") -> None:
        """List other contributions, the largest first."""
        parts = sorted(_parts(contributions), key=lambda part: -abs(part[1]))
        most = max(abs(value) for _, value, _ in parts)
        self.show_rows(
            [
                _row(name, value, goal, part_text(name, value, contributions), most)
                for name, value, goal in parts
            ]
        )


def _parts(found: "Contributions") -> Iterator[tuple[str, float, Goal | None]]:
    """Yield the name of each part, its contribution, and its link."""
    yield _tr("embeddings"), found.embedding, ModelLocation(0)
    for layer, row in enumerate(found.heads.tolist()):
        for head, value in enumerate(row):
            location = HeadLocation(layer, head)
            yield location.name, value, location
    for layer, value in enumerate(found.mlps.tolist()):
        yield _tr("L{layer} MLP").format(layer=layer), value, ModelLocation(layer)
    yield _tr("biases"), found.biases, None


def _row(name: str, value: float, goal: Goal | None, tip: str, most: float) -> Row:
    opens = tip
    if goal is not None:
        opens = _tr("{tip}. Opens {goal}.").format(tip=tip, goal=goal_name(goal))
    share = abs(value) / most if most else 0.0
    number = Cell(signed_number(value, DECIMALS), tip, share)
    return Row(goal, (Cell(name, opens, color="link" if goal else "text"), number))

"""The stops of the tour through the workbench."""

from functools import partial

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.tour.tour import Stop, Target
from attnviewer.ui.views.inputs import InputsPanel

_tr = translate_in("Tour")


def stops_through(
    inputs: InputsPanel, flow: QWidget, step: QWidget, explain: QWidget
) -> list[Stop]:
    """Return the stops for a newcomer, in the order of the computation."""
    return [
        Stop(
            _tr("What goes in"),
            _tr(
                "Tokens with their embeddings X and the weights that turn "
                "them into queries, keys and values, or Q, K and V "
                "themselves. Everything on blue can be edited."
            ),
            partial(_whole, inputs),
        ),
        Stop(
            _tr("Change any number"),
            _tr(
                "Select a cell and type: 0.5, 1/3 or -sqrt(2), then Enter. "
                "Or drag the small handle on its left edge, or use Ctrl and"
                " the mouse wheel. Every matrix follows at once, and Ctrl+Z"
                " undoes it."
            ),
            partial(_first_table, inputs),
        ),
        Stop(
            _tr("The computation"),
            _tr(
                "Every step from the inputs to the output, with the operations between "
                "them. Click one to open it below, or use Alt+→ and Alt+←."
            ),
            partial(_whole, flow),
        ),
        Stop(
            _tr("One step, large"),
            _tr(
                "Queries go down, keys go across. Click a cell to select it; the tabs "
                "show the same step in other ways."
            ),
            partial(_whole, step),
        ),
        Stop(
            _tr("Where a number comes from"),
            _tr(
                "The selected cell as a formula with its numbers. Each "
                "number links to its own cell, back to what you typed. To "
                "learn attention by computing it, choose Help ▸ Lessons; "
                "Help ▸ Tour shows this tour again."
            ),
            partial(_whole, explain),
        ),
    ]


def _whole(widget: QWidget) -> Target:
    return (widget, QRect(QPoint(), widget.size())) if widget.isVisible() else None


def _first_table(inputs: InputsPanel) -> Target:
    tables = map(inputs.table, ("X", "Q", "S"))
    table = next((table for table in tables if table is not None), None)
    if table is None or not table.isVisible():
        return None
    # All of the table, or the balloon would cover the other columns.
    return _whole(table.viewport())

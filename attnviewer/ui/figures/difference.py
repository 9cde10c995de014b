"""A, B and B − A: what has changed in a step."""

from dataclasses import replace

from attnviewer.compute import StepHead, Subtraction
from attnviewer.document import Comparison
from attnviewer.document.comparison import Incomparable, Side
from attnviewer.ui.figures.elements import Block
from attnviewer.ui.figures.grid import Bar, grid_block
from attnviewer.ui.figures.matrix import labelled
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.state.folded_lines import FoldedLines

DIFFERENCE = "B − A"


def difference(panel: Panel, room: Room) -> Block:
    """Lay out one head of A, of B, and B − A; A and B share a scale.

    Raises
    ------
    ValueError
        If there is no A, or the step cannot be compared with it.
    """
    if panel.compared is None:
        raise ValueError(
            "The 'difference' must have something to compare with. Got nothing instead."
        )
    own = panel.own_head
    after = Side(panel.trace, panel.computation.labels)
    pair = Comparison(after, panel.compared.side).pair(panel.step)
    if isinstance(pair, Incomparable):
        raise ValueError(
            f"The '{panel.step}' must be comparable with those of "
            f"“{panel.compared.title}”. Got other {_what(pair)} instead: "
            f"{pair.after} and {pair.before}."
        )
    folding = panel.folding
    if folding is not None:
        comparison = Comparison(after, panel.compared.side)
        folding, _ = comparison.foldings(panel.step, folding)
        pair = pair.folded(folding)
    changes = pair.changes()
    for _ in changes.compare():
        pass
    signed = panel.trace.stages[panel.step].signed
    both = panel.scale or scale_for(changes.limits, signed=signed, theme=room.theme)
    reach = changes.reach
    own_scale = scale_for((-reach, reach), signed=True, theme=room.theme)
    b, a = pair.after[own], pair.before[own]
    if not pair.partial and folding is None:
        b = StepHead(panel.trace, panel.step, panel.head)
    change = Subtraction(pair.after[own], pair.before[own], changes.tolerance)
    third = labelled(panel, change, own_scale, DIFFERENCE, folding=folding)
    cell = FoldedLines(folding).shown(panel.cell)
    third = replace(third, quantity="Difference", is_weights=False, cell=cell)
    matrices = [
        labelled(panel, a, both, "A", folding=folding),
        labelled(panel, b, both, "B", folding=folding),
        third,
    ]
    bars = [Bar(matrices[0], (0, 2)), Bar(third, (2, 3))]
    return grid_block(matrices, room, bars, n_columns=3)


def _what(pair: Incomparable) -> str:
    return "steps" if pair.what == "step" else f"numbers of {pair.what}"

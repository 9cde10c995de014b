"""The change of the hidden states after each layer."""

import math
from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Array
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.text.numbers import format_number, significant_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.step_changes import (
    UNCHANGED,
    UNKNOWN,
    StepChange,
    step_rows,
)

_tr = translate_in("Effect")

DIGITS = 3
MOST_ROWS = 12
"""That are seen without scrolling."""


class LayersList(LinkList):
    """Lists the layers; Enter or a click chooses the `ModelLocation` of one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=1, parent=parent)
        self.setObjectName("effect.layers")
        self.setAccessibleName(self.tr("Changes of all layers"))
        self.setAccessibleDescription(self.tr("Enter opens the layer."))
        self.be_as_high_as_rows(MOST_ROWS)

    def show_layers(self, changes: Array | None, n_layers: int, current: int) -> None:
        """List other changes (see `layer_changes`), and which layer is open."""
        rows = step_rows(layer_changes(changes, n_layers), layer_name(current))
        self.show_rows(
            [replace(r, key=ModelLocation(layer)) for layer, r in enumerate(rows)]
        )


def layer_name(layer: int) -> str:
    """Return what a layer is called."""
    return f"L{layer}"


def layer_changes(changes: Array | None, n_layers: int) -> list[StepChange]:
    """Return what a list of all layers says of each.

    Parameters
    ----------
    changes : ndarray, shape (n_layers + 1,), or None
        How much the hidden states changed, those of the embeddings first; None
        where that is not known.
    n_layers : int
        The number of layers.
    """
    after = np.full(n_layers, np.nan) if changes is None else changes[1:]
    most = float(np.max(after, initial=0.0, where=np.isfinite(after)))
    return [_change(layer, float(by), most) for layer, by in enumerate(after)]


def _change(layer: int, by: float, most: float) -> StepChange:
    name = layer_name(layer)
    if math.isnan(by):
        tip = _tr("{layer}: the change is not known")
        return StepChange(name, UNKNOWN, tip.format(layer=name), 0.0)
    if not by:
        tip = _tr("{layer}: the hidden states after it are the same")
        return StepChange(name, UNCHANGED, tip.format(layer=name), 0.0)
    finite = math.isfinite(by)
    number = significant_number(100 * by, DIGITS) if finite else format_number(by, 0)
    share = _tr("{number} %").format(number=number)
    tip = _tr("{layer}: the hidden states after it changed by {share}")
    return StepChange(
        name, share, tip.format(layer=name, share=share), by / most if finite else 1.0
    )

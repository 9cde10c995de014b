"""Names of changed cells in the list of changes."""

import numpy as np

from attnviewer.compute.arrays import Index
from attnviewer.document import distinct_label
from attnviewer.document.comparison import StepPair
from attnviewer.document.labels import axis_label
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Difference")


def name_of(shown: DisplayedStep, pair: StepPair, index: Index) -> str:
    """Return the name of a cell, with its head if there are several."""
    head, *cell = index
    trace, labels = shown.computed.trace, shown.computed.labels
    if pair.folding is not None:
        sides = shown.folds.weight_names(labels, pair.folding)
        row, column = (
            token_label(names[k]) for names, k in zip(sides, cell, strict=True)
        )
    else:
        row, column = (
            distinct_label(axis, labels, k, token_label)
            for axis, k in zip(trace.stages[shown.step].axes, cell, strict=True)
        )
    name = _tr("{row}, {column}").format(row=row, column=column)
    return f"H{head} {name}" if trace.n_heads(shown.step) > 1 else name


def longest_name(shown: DisplayedStep, pair: StepPair) -> str:
    """Return the name of a cell whose row and column have the longest labels."""
    trace, labels = shown.computed.trace, shown.computed.labels
    if pair.folding is not None:
        lengths = [
            list(map(len, names))
            for names in shown.folds.weight_names(labels, pair.folding)
        ]
    else:
        axes, shape = trace.stages[shown.step].axes, trace.matrix_shape(shown.step)
        lengths = [
            [len(axis_label(axis, labels, k)) for k in range(count)]
            for axis, count in zip(axes, shape, strict=True)
        ]
    row, column = (int(np.argmax(numbers)) for numbers in lengths)
    return name_of(shown, pair, (trace.n_heads(shown.step) - 1, row, column))

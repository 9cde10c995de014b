"""The content of the lines view, and how it is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.text.tokens import lines_along
from attnviewer.ui.views.step.lines.reading import Reading


@dataclass(frozen=True, slots=True, eq=False)
class LinesContent:
    """Weights with their labels, and the heads that have lines with their colours.

    Parameters
    ----------
    reading : Reading
        The weights.
    labels : tuple of two tuples of str
        What queries and keys are called.
    threshold : float
        The least weight that has a line.
    hues : bool
        Whether each head has its own colour.
    theme : Theme
        The theme in force.
    """

    reading: Reading
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    threshold: float
    hues: bool
    theme: Theme

    @property
    def drawing_key(self) -> tuple[object, ...]:
        """All that lines depend on, but for the weights."""
        heads, shape = self.reading.heads, self.reading.shape
        how = self.threshold, self.hues, self.theme, self.reading.folding
        return heads, shape, self.labels, *how


def lines_content(
    shown: DisplayedStep, heads: Sequence[int], threshold: float, *, hues: bool
) -> LinesContent:
    """Return the weights of some heads, whichever step is shown.

    Parameters
    ----------
    shown : DisplayedStep
        The computation and the theme.
    heads : sequence of int
        The heads.
    threshold : float
        The least weight that has a line.
    hues : bool
        Whether each head has its own colour.
    """
    trace, labels = shown.computed.trace, shown.computed.labels
    queries, keys = trace.shape(STEP_OF_ALL)[-2:]
    names = lines_along("queries", labels, queries), lines_along("keys", labels, keys)
    folding = shown.folds.folding((queries, keys))
    if folding is not None:
        names = shown.folds.weight_names(labels, folding)
    reading = Reading(trace, tuple(heads), folding)
    return LinesContent(reading, names, threshold, hues, shown.theme)

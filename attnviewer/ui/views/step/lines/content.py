"""What the lines show, and how."""

from dataclasses import dataclass

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.lines.reading import Reading


@dataclass(frozen=True, slots=True, eq=False)
class LinesContent:
    """Weights with their labels, and which of them have lines of which colour.

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
        return heads, shape, self.labels, self.threshold, self.hues, self.theme

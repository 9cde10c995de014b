"""A detector: a number that says what kind of head a head is."""

from collections.abc import Callable
from dataclasses import dataclass

from attnviewer.compute import Array
from attnviewer.models.detectors.readings import HeadsReading, RunReading


def _nothing(reading: RunReading) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Detector:
    """A number of a head, with what a column and its tool tip say of it.

    Parameters
    ----------
    title : str
        The heading of its column.
    sentence : str
        What it is.
    formula : str
        How it is computed, with A the attention weights of n tokens.
    source : str
        The paper that defines it.
    scores : callable
        Returns the numbers of k heads, in float64 and of shape (k,).
    needs : str
        What it needs besides attention weights; "" for nothing.
    lacks : callable
        Returns why a run does not have it, as a sentence; "" if it does.
    by_text : bool
        Whether that depends on the text.
    """

    title: str
    sentence: str
    formula: str
    source: str
    scores: Callable[[HeadsReading], Array]
    needs: str = ""
    lacks: Callable[[RunReading], str] = _nothing
    by_text: bool = False

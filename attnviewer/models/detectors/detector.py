"""A detector: a number that says what kind of head a head is."""

from collections.abc import Callable
from dataclasses import dataclass

from attnviewer.models.detectors.readings import HeadReading, RunReading


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
    score : callable
        Returns the number of a head.
    needs : str
        What it needs besides attention weights; "" for nothing.
    lacks : callable
        Returns why a run does not have it, as a sentence; "" if it does.
    """

    title: str
    sentence: str
    formula: str
    source: str
    score: Callable[[HeadReading], float]
    needs: str = ""
    lacks: Callable[[RunReading], str] = _nothing

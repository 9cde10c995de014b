"""A survey as rows of a table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from attnviewer.models.survey.result import Survey

COLUMNS = (
    "layer",
    "head",
    "metric",
    "count",
    "mean",
    "spread",
    "minimum",
    "minimum_index",
    "minimum_text",
    "maximum",
    "maximum_index",
    "maximum_text",
)
Row = tuple[int, int, str, int, float, float, float, int, str, float, int, str]


def rows(survey: "Survey") -> Iterator[Row]:
    """Yield a row for each layer, head and metric, with the values of `COLUMNS`.

    The index of a text that does not exist is −1, and its text empty.
    """
    n_metrics, n_layers, n_heads = survey.count.shape
    for layer, head, place in np.ndindex(n_layers, n_heads, n_metrics):
        cell = place, layer, head
        lowest, highest = int(survey.lowest[cell]), int(survey.highest[cell][0])
        yield (
            layer,
            head,
            survey.metrics[place],
            int(survey.count[cell]),
            float(survey.mean[cell]),
            float(survey.spread[cell]),
            float(survey.minimum[cell]),
            lowest,
            survey.texts.get(lowest, ""),
            float(survey.maximum[cell]),
            highest,
            survey.texts.get(highest, ""),
        )
